// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/subject_arguments.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <system_error>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/base/duration.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

constexpr std::array kCrashes = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTRAP};

// State of the signal handler, which cannot allocate. At most one CrashNotice is alive; `notice` is empty without one.
std::string notice;
std::string_view asked_text;
std::string text_notice;
std::string text_directory;
std::string text_file;
std::array<struct sigaction, kCrashes.size()> before;
// The handler has its own stack, because a library may have exhausted the program's.
std::array<char, size_t{64} << 10> handler_stack;

extern "C" void WriteNotice(int number) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, notice.data(), notice.size());
  if (asked_text.data() != nullptr) {
    mkdir(text_directory.c_str(), 0777);
    if (const int file = open(text_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666); file >= 0) {
      written = write(file, asked_text.data(), asked_text.size());
      written = write(STDERR_FILENO, text_notice.data(), text_notice.size());
    }
  }
  for (size_t k = 0; k < kCrashes.size(); ++k) sigaction(kCrashes[k], &before[k], nullptr);
  raise(number);  // delivered when this handler returns
}

}  // namespace

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

CrashNotice::CrashNotice(const std::string& command, const std::string& subject, const SubjectOptions& options,
                         const std::string& out) {
  if (!subject.starts_with("lib:") || !options.isolate_with.empty()) return;
  notice = StrCat("layoutcheck ", command, ": ", OneLine(subject), " crashed; what was found before is in ",
                  OneLine(out), "/findings.jsonl; --isolate makes the crash a finding and goes on\n");
  text_directory = StrCat(out, "/crashed");
  text_file = StrCat(text_directory, "/text");
  text_notice = StrCat("layoutcheck ", command, ": the text is in ", OneLine(text_file), "; --isolate --corpus ",
                       OneLine(text_directory), " makes a finding of it\n");
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_handler = WriteNotice;
  action.sa_flags = SA_ONSTACK;
  for (size_t k = 0; k < kCrashes.size(); ++k) sigaction(kCrashes[k], &action, &before[k]);
}

CrashNotice::~CrashNotice() {
  if (notice.empty()) return;
  for (size_t k = 0; k < kCrashes.size(); ++k) sigaction(kCrashes[k], &before[k], nullptr);
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  notice.clear();
  asked_text = {};
}

void CrashNotice::SetText(std::string_view text) const { asked_text = text; }

}  // namespace layoutcheck
