// layoutcheck subjects
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace layoutcheck {
namespace {

void Print(bool json, std::string_view name, bool available, std::string_view description) {
  if (json) {
    PrintJson({{"subject", name}, {"available", available}, {"description", description}});
    return;
  }
  std::string line(name);
  line.resize(std::max<size_t>(line.size() + 2, 16), ' ');
  StrAppend(line, description, "\n");
  std::fputs(line.c_str(), stdout);
}

ExitCode Run(bool json) {
  for (const BuiltInSubject& subject : BuiltInSubjects()) {
    std::string name(subject.name);
    if (!subject.alias.empty()) StrAppend(name, ", ", subject.alias);
    const auto command = subject.command == nullptr ? Expected<std::string>() : subject.command();
    Print(json, json ? subject.name : name, command.has_value(),
          command ? std::string(subject.description)
                  : StrCat(subject.description, " (absent: ", command.error().message, ")"));
  }
  Print(json, "exec:COMMAND", true, "a program in any language that answers JSON lines on its standard input");
  Print(json, "lib:FILE.so", true, "a shared library with the C interface of layoutcheck/subject.h");
  return ExitCode::kAccepted;
}

}  // namespace

void AddSubjectsCommand(CLI::App& program, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = AddCommand(program, "subjects",
                                 "list the implementations that can be put to the test\n\n"
                                 "A line for each name that --subject takes.",
                                 "  $ layoutcheck subjects");
  command->add_flag("--json", *json, "print a JSON line for each subject: subject, available, description");
  command->callback([json, &action] { action = [json] { return Run(*json); }; });
}

}  // namespace layoutcheck
