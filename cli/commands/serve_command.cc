// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck serve --subject S
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/subject_arguments.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/protocol/serve.h"
#include "layoutcheck/subjects/transport/coverage_counters.h"
#include "layoutcheck/subjects/transport/shared_counters.h"

namespace layoutcheck {
namespace {

struct ServeCommandLine {
  std::string subject = "reference";
  std::optional<int> counters;
  bool json = false;  // answers are JSON anyway
};

ExitCode RunServeCommand(const ServeCommandLine& options) {
  std::optional<SharedCounters> counters;
  if (options.counters) {
    auto opened = SharedCounters::Open(*options.counters);
    if (!opened) return Unusable("serve", "--counters", opened.error());
    counters.emplace(*std::move(opened));
  }
  auto created = CreateSubject(options.subject, {});
  if (auto* subject = std::get_if<std::unique_ptr<Subject>>(&created)) {
    // Sends the subject's own output to stderr, so that it does not come between the answers.
    const int answers = dup(STDOUT_FILENO);
    if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      return Unusable("serve", "cannot duplicate standard output");
    const auto count = [&] {
      if (counters) counters->Add(LoadedCounters());
    };
    const auto served = Serve(**subject, STDIN_FILENO, answers, count);
    const bool is_closed = close(answers) == 0;  // a file system may tell only now that it is full
    if (!served) return Unusable("serve", served.error());
    return is_closed ? ExitCode::kAccepted
                     : Unusable("serve", StrCat("cannot write an answer: ", std::strerror(errno)));
  }
  const auto* error = std::get_if<Error>(&created);
  const std::string why = error != nullptr ? error->ToString() : std::get<Failed>(created).what;
  // A program that speaks the protocol waits for an answer to hello.
  std::string hello;
  if (isatty(STDIN_FILENO) == 0 && std::getline(std::cin, hello)) PrintJson({{"unsupported", why}});
  return Unusable("serve", "--subject: " + why);
}

}  // namespace

Command ServeCommand() {
  auto options = std::make_shared<ServeCommandLine>();
  return {
      .name = "serve",
      .description = R"(answer questions about layouts, one JSON line each

Reads requests of the subject protocol from stdin and answers them on stdout, as the program behind `check
--subject exec:COMMAND` does. With a library as the subject, it shows what the library answers.)",
      .example = R"(
  $ echo '{"op":"table","layout":"f32[2,3]{0,1}"}' | layoutcheck serve
  {"offsets":[0,2,4,1,3,5]})",
      .options = {SubjectOption(kSubjectOption, &options->subject),
                  {"--counters DESCRIPTOR",
                   "the memory for a library's coverage counters, as `fuzz --isolate` passes it", &options->counters},
                  {"--json", "print errors as JSON, too; answers always are", &options->json}},
      .run = [options] { return RunServeCommand(*options); }};
}

}  // namespace layoutcheck
