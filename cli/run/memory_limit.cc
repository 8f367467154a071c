// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/memory_limit.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

ExitCode RunWithinMemoryLimit(std::string_view command, const std::function<ExitCode()>& run) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return run();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return run();
  if (child == 0) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    std::set_terminate([] { _exit(EXIT_FAILURE + static_cast<int>(ExitCode::kUndecided)); });
    return run();
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) <= static_cast<int>(ExitCode::kUndecided)) {
    return static_cast<ExitCode>(WEXITSTATUS(status));
  }
  const std::string line = StrCat("layoutcheck ", command, ": memory did not suffice under the limit of ",
                                  limit.rlim_cur / 1024, " KiB (ulimit -v); what was not printed is undecided\n");
  std::fputs(line.c_str(), stderr);
  return ExitCode::kUndecided;
}

}  // namespace layoutcheck
