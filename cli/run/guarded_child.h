// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work of a command in a child process whose end does not end the run without a word: the work of a library
// that is called in the process, and that of Z3 under a limit of memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/subjects/transport/call_record.h"

namespace layoutcheck {

// The state of a run, in memory that outlives its process.
struct GuardedRun {
  CallRecord call;
  // The totals so far, for the last line.
  std::atomic<uint64_t> laws = 0;
  std::atomic<uint64_t> cases = 0;
  std::atomic<uint64_t> findings = 0;
  std::atomic<uint64_t> declined = 0;
};

// Runs `work` in a child process and returns its exit code. SIGINT, SIGTERM and SIGHUP are passed on. If the library
// ends the child (by a crash or by calling exit, at any time until the child has ended), returns on_end(run, how),
// where `how` is "killed by signal 11 (Segmentation fault)" or "ended this process with status 0". What the library
// writes to stdout goes to stderr. Requires that this process has one thread. `command` is "check" or "fuzz", for
// messages.
ExitCode GuardLibrary(std::string_view command, const std::function<ExitCode(GuardedRun&)>& work,
                      const std::function<ExitCode(const GuardedRun&, const std::string& how)>& on_end);

// Returns the finding about a library that ended its process during a run, or after it at its end.
Finding LibraryEndFinding(const std::string& subject, uint64_t seed, const GuardedRun& run, const std::string& how);

// Returns run(), the work of a command that uses Z3. Under a limit of the address space (ulimit -v) it runs in a
// process of its own, because Z3 does not survive every failed allocation: a process that dies leaves its questions
// undecided, and stderr says so.
ExitCode RunWithinMemoryLimit(std::string_view command, const std::function<ExitCode()>& run);

}  // namespace layoutcheck
