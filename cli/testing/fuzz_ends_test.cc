// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of all ways in which a run of `fuzz` can end: a run never ends cleaner than what it saw.
#include <gtest/gtest.h>
#include <atomic>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

const std::string kMisbehaving = LAYOUTCHECK_MISBEHAVING_SUBJECT;

std::string Exec(const std::string& how) { return "--subject 'exec:" + kMisbehaving + " " + how + "'"; }
std::string Library(const std::string& more) { return more + " --subject lib:" LAYOUTCHECK_TEST_LIBRARY; }

struct FuzzEnd {
  const char* name;
  std::string arguments;  // after `layoutcheck fuzz --json --out out`
  int exit_code;
  std::string law;               // of one of the findings; empty if there are none
  std::string repeats;           // a part of that finding's member; empty if it has none
  std::optional<bool> complete;  // in the totals; nothing if there are no totals
  std::string environment = "";  // before the program
};

std::vector<FuzzEnd> Ends() {
  const std::string misbehaves = "LAYOUTCHECK_TEST_LIBRARY=";
  const std::string hello = R"(--subject 'exec:read -r l; echo nonsense')";
  const std::string declines =
      R"(--subject 'exec:while read -r l; do case $l in *hello*) echo "{\"name\":\"none\",\"ops\":[]}";; )"
      R"(*) echo "{\"unsupported\":\"no\"}";; esac; done')";
  return {
      {"all cases are answered", "--cases 2000", 0, "", "", true},
      {"the time is used up", "--time 1s", 0, "", "", true},
      {"a process answers all cases", "--cases 2000 " + Exec("right"), 0, "", "", true},
      {"the time is up before the cases are", "--cases 1000000000 --time 500ms", 3, "", "", false},
      {"interrupted without findings", "--time 1m", 3, "", "", false, "timeout --preserve-status -s INT 1"},
      {"terminated without findings", "--time 1m --jobs 2", 3, "", "", false, "timeout --preserve-status -s TERM 1"},
      {"interrupted after a finding", "--time 1m " + Exec("crash-on-split"), 1, "subject-crash", "", false,
       "timeout --preserve-status -s INT 4"},
      {"a library is interrupted", Library("--time 1m --jobs 1"), 1, "accepts-malformed", "", false,
       misbehaves + "none timeout --preserve-status -s INT 3"},
      {"nothing was checked", "--cases 50 " + declines, 3, "", "", true},
      {"a text that crashes", "--cases 3000 " + Exec("crash-on-split"), 1, "subject-crash", "", true},
      {"a crash at the 100th text of each process", "--cases 3000 --jobs 1 " + Exec("crash-at-text-100"), 1,
       "subject-crash", "after 100 requests", true},
      {"a crash at the text after another one", "--cases 3000 " + Exec("crash-after-split"), 1, "subject-crash",
       "after 2 requests", true},
      {"a crash that never happens again", "--cases 3000 --jobs 1 " + Exec("crash-once"), 1, "subject-crash",
       "not reproduced alone, after ", true},
      {"a wrong answer that is never given again", "--cases 3000 --jobs 1 " + Exec("forget-once"), 1,
       "accepts-malformed", "flaky", true},
      {"a text that hangs while the time runs out", "--time 2s --subject-timeout 4s " + Exec("hang-in-comment"), 1,
       "subject-timeout", "", true},
      {"every text hangs while the time runs out", "--time 1s --subject-timeout 2s " + Exec("hang-always"), 1,
       "subject-timeout", "", true},
      {"a crash at the end", "--cases 200 " + Exec("crash-at-end"), 1, "subject-crash", "", true},
      {"a crash at the end when the time is up", "--time 500ms " + Exec("crash-at-end"), 1, "subject-crash", "", true},
      {"a sanitizer's report at the end", "--cases 2000 " + Exec("leak"), 1, "subject-crash", "", true},
      {"no end", "--cases 200 --subject-timeout 1s " + Exec("hang-at-end"), 1, "subject-timeout", "", true},
      {"no proper answer to hello", hello, 1, "subject-protocol", "", true},
      {"no such program", "--subject exec:/nonexistent/subject", 2, "", "", std::nullopt},
      {"findings cannot be written", "--cases 10 --out /dev/null/out", 2, "", "", std::nullopt},
      {"texts cannot be written", "--cases 10 --corpus /dev/null/texts", 2, "", "", std::nullopt},
      {"a library crashes in this process", Library("--jobs 1 --cases 30"), 1, "subject-crash", "", false,
       misbehaves + "crash-in-parse"},
      {"a library exits in this process", Library("--jobs 1 --cases 30"), 1, "subject-crash", "", false,
       misbehaves + "exit-in-parse"},
      {"a library exits at its end", Library("--jobs 1 --cases 30"), 1, "subject-crash", "", false,
       misbehaves + "exit-at-end"},
      {"a library crashes in a process of its own", Library("--isolate --cases 30"), 1, "subject-crash", "", true,
       misbehaves + "crash-in-parse"},
      {"a library exits in a process of its own", Library("--jobs 2 --cases 30"), 1, "subject-crash", "", true,
       misbehaves + "exit-in-parse"},
  };
}

void ExpectEnd(const FuzzEnd& end) {
  const TemporaryDirectory directory;
  const auto result = RunShell(end.environment + (end.environment.empty() ? "" : " ") +
                                   "layoutcheck fuzz --json --out out " + end.arguments + " 2> errors",
                               directory.path());
  const std::string all = std::string(end.name) + ":\n" + result.out + ReadFile(directory.path() + "/errors");
  EXPECT_EQ(result.exit_code, end.exit_code) << all;
  bool found = end.law.empty();
  std::optional<bool> complete;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    const Json document = Json::Parse(line).value_or(Json());
    ASSERT_TRUE(document.is_object()) << all;
    if (document.contains("complete")) complete = document["complete"].get<bool>();
    if (!document.contains("law")) continue;
    EXPECT_FALSE(end.law.empty()) << all;
    const std::string repeats = document.value("repeats", "");
    // On a machine that does much else, the time may be up before a text is asked again.
    const bool is_as_expected = end.repeats.empty() ? repeats.empty() || repeats.contains("because the time was up")
                                                    : repeats.contains(end.repeats);
    found |= document["law"] == end.law && is_as_expected;
  }
  EXPECT_TRUE(found) << all;
  EXPECT_EQ(complete, end.complete) << all;
  const std::string saved = ReadFile(directory.path() + "/out/findings.jsonl");
  EXPECT_EQ(saved.find("\"" + end.law + "\"") == std::string::npos, end.law.empty()) << all << saved;
}

// Most of the time is spent waiting, so several runs go on at once.
TEST(FuzzEnds, EachHasItsExitCodeFindingAndTotals) {
  const std::vector<FuzzEnd> ends = Ends();
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> threads(4);
  for (std::jthread& thread : threads) {
    thread = std::jthread([&] {
      for (size_t k = next++; k < ends.size(); k = next++) ExpectEnd(ends[k]);
    });
  }
}

// Returns the findings and the totals of a run, which include the coverage of a library.
std::string OutputOf(const std::string& arguments, const std::string& directory) {
  const auto result = RunShell("rm -rf out; layoutcheck fuzz --json --out out " + arguments, directory);
  EXPECT_NE(result.out.find("\"complete\":true"), std::string::npos) << arguments << result.out;
  return result.out;
}

TEST(FuzzEnds, TheFindingsDoNotDependOnTheNumberOfJobs) {
  const std::string faulty = LAYOUTCHECK_FAULTY_SUBJECT;
  for (const std::string& subject :
       {"'exec:" + faulty + " --fault text-memory-space-lost'", "'exec:" + faulty + " --fault text-comments-rejected'",
        "'exec:" + kMisbehaving + " crash-on-split'", std::string("lib:" LAYOUTCHECK_TEST_LIBRARY),
        std::string("lib:" LAYOUTCHECK_COUNTED_LIBRARY)}) {
    const TemporaryDirectory directory;
    const std::string arguments = "--cases 4000 --isolate --subject " + subject + " --jobs ";
    const auto with_one = OutputOf(arguments + "1", directory.path());
    for (const char* jobs : {"2", "3"}) EXPECT_EQ(OutputOf(arguments + jobs, directory.path()), with_one) << subject;
  }
}

TEST(FuzzEnds, AHangOnAnOpenCommentIsMinimizedWithinHalfAMinute) {
  const TemporaryDirectory directory;
  const auto result = RunShell(
      "layoutcheck fuzz --json --time 30s --stop-at-first --out out " + Exec("hang-in-comment"), directory.path());
  EXPECT_EQ(result.exit_code, 1) << result.out;
  const Json finding = Json::Parse(result.out.substr(0, result.out.find('\n'))).value();
  EXPECT_EQ(finding["law"], "subject-timeout");
  EXPECT_EQ(finding["witness"]["text"], "/*");
  EXPECT_FALSE(finding.contains("repeats"));
}

TEST(FuzzEnds, TheTextThatLeaksIsNamed) {
  const TemporaryDirectory directory;
  const auto result = RunShell("layoutcheck fuzz --json --cases 500 --out out " + Exec("leak"), directory.path());
  const Json finding = Json::Parse(result.out.substr(0, result.out.find('\n'))).value();
  EXPECT_NE(finding["witness"]["text"].text().find("E("), std::string::npos) << finding;
  EXPECT_NE(finding["actual"].text().find("48 byte(s) leaked"), std::string::npos) << finding;
  EXPECT_EQ(RunShell("layoutcheck replay out/findings.jsonl", directory.path()).exit_code, 1);
}

}  // namespace
}  // namespace layoutcheck
