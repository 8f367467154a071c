// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claim_run.h"
#include <sys/wait.h>
#include <chrono>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/claims/claim_memory.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"

namespace layoutcheck {
namespace {

using RunClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenReads{100};
// Longest line that is read, and the end of standard error that is kept, in bytes.
constexpr size_t kLongestLine = size_t{64} << 20;
constexpr size_t kKeptErrors = size_t{64} << 10;

constexpr const char* kInterrupted = "the run was interrupted";

ClaimResult UndecidedClaim(std::string_view why) {
  return ClaimOutput().Finish(static_cast<int>(ExitCode::kUndecided), why);
}

// A command whose lines are read while it runs.
class ClaimCommand {
 public:
  explicit ClaimCommand(std::unique_ptr<ChildProcess> child) : child_(std::move(child)) { child_->CloseInput(); }

  ClaimResult Run() {
    while (child_->output_open() || child_->errors_open()) {
      PassInterruptionOn();
      if (!child_->Wait(kBetweenReads, /*to_write=*/false)) break;
      child_->ReadOutput(unread_);
      child_->ReadErrors(errors_);
      if (!TakeLines()) return UndecidedClaim("the command printed a line that is too long");
      if (errors_.size() > 2 * kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
    }
    while (!child_->ReapWithin(kBetweenReads)) PassInterruptionOn();
    const int status = *child_->wait_status();
    if (!WIFEXITED(status)) StrAppend(errors_, "\nkilled by signal ", WTERMSIG(status));
    return std::move(output_).Finish(WIFEXITED(status) ? WEXITSTATUS(status) : -1, errors_);
  }

 private:
  // The command has a second to end before it would take another signal as a second one.
  void PassInterruptionOn() {
    if (!StopSignals::Requested() || is_interrupted_) return;
    child_->Signal(SIGINT);
    is_interrupted_ = true;
  }

  // Takes the complete lines. Returns false if the incomplete one behind them is too long.
  bool TakeLines() {
    size_t begin = 0;
    for (size_t end = unread_.find('\n', searched_); end != std::string::npos; end = unread_.find('\n', begin)) {
      output_.TakeLine(std::string_view(unread_).substr(begin, end - begin));
      begin = end + 1;
    }
    unread_.erase(0, begin);
    searched_ = unread_.size();
    return unread_.size() <= kLongestLine;
  }

  std::unique_ptr<ChildProcess> child_;
  ClaimOutput output_;
  std::string unread_;   // output behind the last complete line
  size_t searched_ = 0;  // bytes of `unread_` that have no newline
  std::string errors_;
  bool is_interrupted_ = false;
};

ClaimResult RunCommandOf(const Claim& claim, const ClaimRunOptions& options) {
  std::vector<std::string> command{options.program, claim.kind, "--json"};
  if (claim.takes_jobs) command.push_back(StrCat("--jobs=", options.jobs));
  command.insert(command.end(), claim.arguments.begin(), claim.arguments.end());
  auto child = ChildProcess::Start(command, {.errors = ErrorStream::kPipe});
  if (!child) return UndecidedClaim(StrCat("the command cannot be started: ", child.error().message));
  return ClaimCommand(*std::move(child)).Run();
}

}  // namespace

ClaimResult CheckClaim(const Claim& claim, const ClaimRunOptions& options) {
  if (StopSignals::Requested()) return UndecidedClaim(kInterrupted);
  const bool uses_memory = options.uses_memory && claim.can_be_remembered;
  if (uses_memory) {
    if (auto result = ClaimMemory::Recall(claim)) return *std::move(result);
  }
  std::optional<ClaimMemory> memory;
  if (uses_memory) memory.emplace(claim);
  const auto begin = RunClock::now();
  ClaimResult result = RunCommandOf(claim, options);
  result.seconds = std::chrono::duration<double>(RunClock::now() - begin).count();
  if (memory) memory->Remember(result);
  return result;
}

}  // namespace layoutcheck
