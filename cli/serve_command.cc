// layoutcheck serve --subject S
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <utility>

#include "layoutcheck/cli/commands.h"
#include "layoutcheck/subjects/serve.h"
#include "layoutcheck/subjects/subject_factory.h"

namespace layoutcheck {
namespace {

ExitCode Run(const std::string& name) {
  auto created = CreateSubject(name, {});
  if (auto* subject = std::get_if<std::unique_ptr<Subject>>(&created)) {
    // What the subject itself prints must not come between the answers.
    const int answers = dup(STDOUT_FILENO);
    if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return Unusable("serve", "no standard output");
    Serve(**subject, STDIN_FILENO, answers);
    close(answers);
    return ExitCode::kAccepted;
  }
  const auto* error = std::get_if<Error>(&created);
  const std::string why = error != nullptr ? error->ToString() : std::get<Failed>(created).what;
  // One who speaks the protocol waits for an answer to hello.
  std::string hello;
  if (isatty(STDIN_FILENO) == 0 && std::getline(std::cin, hello)) PrintJson({{"unsupported", why}});
  return Unusable("serve", "--subject: " + why);
}

}  // namespace

void AddServeCommand(CLI::App& program, Action& action) {
  auto subject = std::make_shared<std::string>("reference");
  CLI::App* command =
      AddCommand(program, "serve",
                 "answer questions about layouts, a JSON line each\n\n"
                 "Reads requests of the subject protocol from stdin and answers them on stdout: what the\n"
                 "program behind `check --subject exec:COMMAND` does. With a library as subject, the way to\n"
                 "see what it answers.",
                 "  $ echo '{\"op\":\"table\",\"layout\":\"f32[2,3]{0,1}\"}' | layoutcheck serve");
  command->add_option("--subject", *subject, "the implementation, see layoutcheck subjects (reference)")
      ->type_name("S");
  command->callback([subject, &action] { action = [subject] { return Run(*subject); }; });
}

}  // namespace layoutcheck
