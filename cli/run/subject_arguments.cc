// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/subject_arguments.h"
#include <utility>
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/cli/base/shared_options.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/properties/model/shell_word.h"
#include "layoutcheck/subjects/transport/library_subject.h"

namespace layoutcheck {

Option SubjectOption(std::string description, OptionTarget subject) {
  Option option{"--subject S", std::move(description), subject};
  option.names = [] { return NamesOf(BuiltInSubjects(), &BuiltInSubject::name); };
  return option;
}

Option SubjectTimeoutOption(SubjectArguments& arguments) {
  return {"--subject-timeout DURATION",
          "the time for one answer of a process (default: 10s); with it, a library runs in its own process",
          &arguments.timeout, kDetail};
}

std::vector<Option> RunOptions(std::string_view verb, std::string_view drawn, RunArguments& arguments) {
  return {
      {"--known FILE", "accept the differences that this file of JSON Lines names", &arguments.known},
      {"--out DIR", "directory of findings.jsonl (default: layoutcheck-out/NAME)", &arguments.out},
      {"--seed N", StrCat("the same seed draws the same ", drawn, " (default: 1)"), &arguments.seed},
      ShardOption(verb, arguments.shard),
      JobsOption(arguments.jobs),
      {"--stop-at-first", "end the run at the first finding", &arguments.stop_at_first, kDetail},
      SubjectTimeoutOption(arguments.subject_arguments),
      {"--isolate", "run a library in its own process, so that its crashes and hangs are findings and the run goes on",
       &arguments.subject_arguments.isolate},
      {"--quiet", "print only findings and the last line", &arguments.quiet},
      {"--json", "print findings and totals as JSON Lines", &arguments.json}};
}

Expected<SubjectOptions> ToSubjectOptions(const SubjectArguments& arguments, std::string_view subject) {
  constexpr std::string_view kLibrary = "lib:";
  const bool is_library = subject.starts_with(kLibrary);
  if (is_library) {
    LAYOUTCHECK_RETURN_IF_ERROR(LibrarySubject::RequireLoading(std::string(subject.substr(kLibrary.size()))));
  }
  SubjectOptions options;
  const auto timeout =
      arguments.timeout ? ReadDuration(*arguments.timeout) : Expected<std::chrono::milliseconds>(options.timeout);
  if (!timeout) {
    return MakeError(timeout.error().kind, StrCat("--subject-timeout: ", timeout.error().ToString()));
  }
  options.timeout = *timeout;
  if (arguments.isolate || (is_library && arguments.timeout)) {
    const auto program = PathOfThisProgram();
    if (!program) return MakeError(program.error().kind, StrCat("--isolate: ", program.error().message));
    options.isolate_with = StrCat("exec ", ShellWord(*program), " serve");
  }
  return options;
}

}  // namespace layoutcheck
