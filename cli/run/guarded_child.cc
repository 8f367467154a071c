// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/guarded_child.h"
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/differential/judge.h"

namespace layoutcheck {
namespace {

constexpr std::array kPassedOn = {SIGINT, SIGTERM, SIGHUP};

// The signal handler reads the child and writes the signal.
volatile pid_t guarded_child = 0;
volatile std::sig_atomic_t signal_passed_on = 0;

extern "C" void PassOn(int number) {
  signal_passed_on = number;
  if (guarded_child > 0) kill(guarded_child, number);
}

struct EndOfChild {
  int status = 0;     // status of the child as waitpid gives it
  int passed_on = 0;  // the latest signal that was passed on, or 0
};

// Waits for the end of a child that does the work of this process, and passes on the SIGINT, SIGTERM and SIGHUP that
// this process gets meanwhile.
EndOfChild AwaitChild(pid_t child) {
  guarded_child = child;
  std::array<struct sigaction, kPassedOn.size()> before;
  struct sigaction action{};
  action.sa_handler = PassOn;
  for (size_t k = 0; k < kPassedOn.size(); ++k) {
    sigaction(kPassedOn[k], nullptr, &before[k]);
    const bool stays_ignored = kPassedOn[k] == SIGHUP && before[k].sa_handler == SIG_IGN;
    if (!stays_ignored) sigaction(kPassedOn[k], &action, nullptr);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  guarded_child = 0;
  for (size_t k = 0; k < kPassedOn.size(); ++k) sigaction(kPassedOn[k], &before[k], nullptr);
  return {status, signal_passed_on};
}

struct Shared {
  GuardedRun run;
  std::atomic<bool> is_done = false;
  std::atomic<int> exit_code = 0;
};

}  // namespace

ExitCode GuardLibrary(std::string_view command, const std::function<ExitCode(GuardedRun&)>& work,
                      const std::function<ExitCode(const GuardedRun&, const std::string& how)>& on_end) {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Unusable(command, StrCat("no memory to guard a library: ", std::strerror(errno)));
  Shared& shared = *new (memory) Shared;
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Unusable(command, StrCat("no process to guard a library: ", std::strerror(errno)));
  if (child == 0) {
    // A group of its own, because this process passes on the signals that its group gets.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(static_cast<int>(ExitCode::kUnusable));
    if (!SeparateOutput()) return Unusable(command, "cannot duplicate standard output");
    const ExitCode code = work(shared.run);
    shared.exit_code = static_cast<int>(code);
    shared.is_done = true;
    return code;
  }
  const auto [status, passed_on] = AwaitChild(child);
  if (shared.is_done && WIFEXITED(status) && WEXITSTATUS(status) == shared.exit_code) {
    return static_cast<ExitCode>(WEXITSTATUS(status));
  }
  // The user and not the library has ended the child, before the command could end its run by itself.
  if (WIFSIGNALED(status) && WTERMSIG(status) == passed_on) raise(passed_on);
  std::string how = StrCat("ended this process with status ", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) how = StrCat("killed by signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  if (shared.is_done) how += " at its end";
  return on_end(shared.run, how);
}

Finding LibraryEndFinding(const std::string& subject, uint64_t seed, const GuardedRun& run, const std::string& how) {
  Finding finding;
  finding.subject = subject;
  finding.law = TextFaultName(TextFault::kCrash);
  finding.expected = "an answer";
  finding.actual = how;
  finding.seed = seed;
  if (!run.call.in_progress()) return finding;
  finding.actual = StrCat(run.call.operation(), ": ", how);
  finding.layout = run.call.question();
  if (run.call.kind().empty()) return finding;
  finding.text = run.call.question();
  finding.kind = run.call.kind();
  return finding;
}

ExitCode RunWithinMemoryLimit(std::string_view command, const std::function<ExitCode()>& run) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return run();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return run();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::set_terminate([] { _exit(EXIT_FAILURE + static_cast<int>(ExitCode::kUndecided)); });
    return run();
  }
  const auto [status, passed_on] = AwaitChild(child);
  if (WIFSIGNALED(status) && WTERMSIG(status) == passed_on) raise(passed_on);
  if (WIFEXITED(status) && WEXITSTATUS(status) <= static_cast<int>(ExitCode::kUndecided)) {
    return static_cast<ExitCode>(WEXITSTATUS(status));
  }
  Unusable(command, UnavailableError("memory did not suffice under the limit of ", limit.rlim_cur / 1024,
                                     " KiB (ulimit -v); what was not printed is undecided")
                        .error());
  return ExitCode::kUndecided;
}

}  // namespace layoutcheck
