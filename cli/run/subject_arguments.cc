// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/subject_arguments.h"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {

void AddSubjectTimeout(CLI::App& command, SubjectArguments& arguments) {
  command
      .add_option("--subject-timeout", arguments.timeout,
                  "the time for one answer of a process (default: 10s); with it, a library runs in its own process")
      ->type_name("DURATION");
}

void AddIsolate(CLI::App& command, SubjectArguments& arguments) {
  command.add_flag("--isolate", arguments.isolate,
                   "run a library in its own process, so that its crashes and hangs are findings and the run goes on");
}

Expected<SubjectOptions> ToSubjectOptions(const SubjectArguments& arguments, std::string_view subject) {
  SubjectOptions options;
  const auto timeout =
      arguments.timeout ? ReadDuration(*arguments.timeout) : Expected<std::chrono::milliseconds>(options.timeout);
  if (!timeout) {
    return MakeError(timeout.error().kind, StrCat("--subject-timeout: ", timeout.error().ToString()));
  }
  options.timeout = *timeout;
  if (arguments.isolate || (subject.starts_with("lib:") && arguments.timeout)) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return MakeError(ErrorKind::kUnavailable, StrCat("--isolate: /proc/self/exe: ", error.message()));
    options.isolate_with = StrCat("exec ", ShellWord(program.string()), " serve");
  }
  return options;
}

}  // namespace layoutcheck
