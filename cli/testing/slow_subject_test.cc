// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs with a slow subject end when they are asked to, and findings say what there was no time for.
#include <gtest/gtest.h>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// A run, and when it is asked to end.
struct SlowRun {
  const char* name;
  std::string command;
  int64_t milliseconds;  // after which it is asked to end
  std::string because;   // as findings say it
};

std::vector<SlowRun> SlowRuns() {
  const std::string slow = StrCat("--json --subject 'exec:" LAYOUTCHECK_FAULTY_SUBJECT, " --delay 40 --fault ");
  const std::string check = "layoutcheck check --law linear-index ";
  const std::string fuzz = "layoutcheck fuzz ";
  const std::string tiles = slow + "tiles-ignored' ";
  const std::string text = slow + "text-memory-space-lost' ";
  return {
      {"check, one process", StrCat(check, "--jobs 1 --time 1500ms ", tiles), 1500, "because the time was up"},
      {"check, two processes", StrCat(check, "--jobs 2 --time 1500ms ", tiles), 1500, "because the time was up"},
      {"check, SIGTERM", StrCat("timeout --preserve-status -s TERM 1.5 ", check, "--jobs 2 ", tiles), 1500,
       "because the run was interrupted"},
      {"check, SIGINT", StrCat("timeout --preserve-status -s INT 1.5 ", check, "--jobs 1 ", tiles), 1500,
       "because the run was interrupted"},
      {"fuzz", StrCat(fuzz, "--jobs 2 --time 1500ms ", text), 1500, "because the time was up"},
      {"fuzz, SIGTERM", StrCat("timeout --preserve-status -s TERM 1.5 ", fuzz, "--jobs 1 --time 1m ", text), 1500,
       "because the run was interrupted"},
  };
}

TEST(SlowSubject, ARunEndsInTimeAndSaysWhatWasNotShrunk) {
  constexpr int64_t kAfterTheEnd = 2000;
  std::vector<std::jthread> threads;
  for (const SlowRun& run : SlowRuns()) {
    threads.emplace_back([run] {
      const TemporaryDirectory directory;
      const auto begin = std::chrono::steady_clock::now();
      const auto result = RunShell(run.command + "2>/dev/null", directory.path());
      const auto elapsed =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
      const std::string all = StrCat(run.name, "\n", result.out);
      EXPECT_EQ(result.exit_code, 1) << all;
      EXPECT_LT(elapsed.count(), run.milliseconds + kAfterTheEnd) << all;
      bool is_said = false;
      for (const Json& line :
           JsonLines(RunShell("cat layoutcheck-out/*/findings.jsonl 2>/dev/null", directory.path()).out)) {
        const std::string shrinking = line.value("shrinking", "");
        is_said = is_said || (shrinking.starts_with("not shrunk") && shrinking.ends_with(run.because));
      }
      EXPECT_TRUE(is_said) << all;
    });
  }
}

TEST(SlowSubject, TheTextOfAFindingSaysWhatWasNotShrunk) {
  const TemporaryDirectory directory;
  const auto result = RunShell(
      "layoutcheck check --law linear-index --jobs 1 --time 1s "
      "--subject 'exec:" LAYOUTCHECK_FAULTY_SUBJECT " --delay 40 --fault tiles-ignored'",
      directory.path());
  EXPECT_NE(result.out.find("  shrinking  not shrunk"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace layoutcheck
