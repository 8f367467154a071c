// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/transport/self_test.h"

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

ExitCode ListSubjects(bool json) {
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

// Returns the shell command that starts exec:COMMAND or a named implementation. The reference and libraries have none.
Expected<std::string> CommandOf(std::string_view name) {
  constexpr std::string_view kExec = "exec:";
  if (name.starts_with(kExec)) return std::string(name.substr(kExec.size()));
  for (const BuiltInSubject& subject : BuiltInSubjects()) {
    if (subject.command != nullptr && (name == subject.name || (!name.empty() && name == subject.alias))) {
      return subject.command();
    }
  }
  return MakeError(
      ErrorKind::kInvalidArgument,
      StrCat("expected exec:COMMAND or the name of an implementation (see layoutcheck subjects), got '", name, "'",
             name.starts_with("lib:") ? StrCat("; for a library: 'exec:layoutcheck serve --subject ", name, "'") : ""));
}

void PrintStep(bool json, const SelfTestStep& step) {
  const std::string_view result = SelfTestResultName(step.result);
  if (json) {
    PrintJson({{"step", step.name},
               {"result", result},
               {"sent", step.sent},
               {"expected", step.expected},
               {"received", step.received}});
    return;
  }
  std::string text(result);
  text.resize(10, ' ');
  StrAppend(text, step.name);
  if (step.result == SelfTestStep::Result::kDeclined) StrAppend(text, ": ", step.received);
  text += '\n';
  if (step.result == SelfTestStep::Result::kWrong) {
    if (!step.sent.empty()) StrAppend(text, "  sent:     ", step.sent, "\n");
    StrAppend(text, "  expected: ", step.expected, "\n  received: ", step.received, "\n");
  }
  std::fputs(text.c_str(), stdout);
}

ExitCode SelfTest(const std::string& subject, bool json) {
  const auto command = CommandOf(subject);
  if (!command) return Unusable("subjects", "--self-test", command.error());
  const auto steps = RunSelfTest(*command, SubjectOptions().timeout);
  if (!steps) return Unusable("subjects", "--self-test", steps.error());
  std::array<int, 3> counts{};
  for (const SelfTestStep& step : *steps) {
    ++counts[static_cast<size_t>(step.result)];
    PrintStep(json, step);
  }
  const auto [right, declined, wrong] = counts;
  if (json) {
    PrintJson({{"right", right}, {"declined", declined}, {"wrong", wrong}});
  } else {
    std::printf("%d right, %d declined, %d wrong\n", right, declined, wrong);
  }
  return wrong == 0 ? ExitCode::kAccepted : ExitCode::kRejected;
}

}  // namespace

Command SubjectsCommand() {
  struct SubjectsCommandLine {
    bool json = false;
    std::optional<std::string> self_test;
  };
  auto options = std::make_shared<SubjectsCommandLine>();
  return {.name = "subjects",
          .description = R"(list the implementations that can be tested

Prints one line per name that --subject takes. With --self-test, plays a transcript of the subject protocol with
a subject and says which steps it got right, declined or got wrong.)",
          .example = R"(
  $ layoutcheck subjects
  $ layoutcheck subjects --self-test 'exec:python3 mine.py')",
          .options =
              {{"--json",
                "print one JSON line per subject (subject, available, description) or per step of the self-test (step, "
                "result, sent, expected, received)",
                &options->json},
               {"--self-test S",
                "test exec:COMMAND or a named implementation; the exit code is 1 if an answer is wrong, 2 if it "
                "cannot be started",
                &options->self_test}},
          .run = [options] {
            return options->self_test ? SelfTest(*options->self_test, options->json) : ListSubjects(options->json);
          }};
}

}  // namespace layoutcheck
