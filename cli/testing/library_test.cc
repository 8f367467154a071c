// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests libraries as subjects of check, fuzz, replay and serve, with and without --isolate.
#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

const std::string kLibrary = std::string("lib:") + LAYOUTCHECK_TEST_LIBRARY;
const std::string kExample = std::string("lib:") + LAYOUTCHECK_CPP_SUBJECT;

// Returns the laws of the findings on disk.
std::set<std::string> LawsIn(const std::string& directory) {
  std::set<std::string> laws;
  std::istringstream lines(ReadFile(directory + "/findings.jsonl"));
  for (std::string line; std::getline(lines, line);) laws.insert(Json::Parse(line).value()["law"].text());
  return laws;
}

// Runs `layoutcheck ARGUMENTS` on the test library, which misbehaves as `how` says.
ProgramResult RunMisbehaving(const std::string& how, const std::string& arguments, const std::string& directory) {
  // A sanitizer leaves the signals of the library as they are: it would take a tenth of a second to report each.
  return RunShell("ASAN_OPTIONS=handle_segv=0 LAYOUTCHECK_TEST_LIBRARY=" + how + " layoutcheck " + arguments,
                  directory);
}

// It is asked the same questions there, so that the number of declined ones is the same, too.
TEST(Library, AGoodOneKeepsTheLawsHereAndInProcessesOfItsOwn) {
  for (const char* library : {LAYOUTCHECK_CPP_SUBJECT, LAYOUTCHECK_ALGEBRA_SUBJECT, LAYOUTCHECK_SHARDING_SUBJECT}) {
    std::string expected;
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{"--jobs", "1"}, {"--jobs", "1", "--isolate"}, {"--jobs", "3"}}) {
      std::vector<std::string> arguments{"check",   "--subject", std::string("lib:") + library,
                                         "--cases", "60",        "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const auto result = RunLayoutcheck(arguments);
      EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
      if (expected.empty()) expected = result.out;
      EXPECT_EQ(result.out, expected) << more[1] << " jobs";
    }
  }
}

// A library in the process of the run cannot end it without a finding, whatever it does.
TEST(Library, AnEndOfTheProcessIsAFindingAndLosesNothingFoundBefore) {
  for (const auto& [how, what] : {std::pair{"crash", "table: killed by signal 11 (Segmentation fault)"},
                                  {"exit", "table: ended this process with status 0"},
                                  {"_exit", "table: ended this process with status 0"},
                                  {"kill", "table: killed by signal 9 (Killed)"}}) {
    const TemporaryDirectory directory;
    const auto result = RunMisbehaving(
        how, "check 'f32[2]{0}' 'f32[3]{0:T(2)}' --jobs 1 --law linear-index --subject " + kLibrary + " --out out 2>&1",
        directory.path());
    EXPECT_EQ(result.exit_code, 1) << how << ": " << result.out;
    EXPECT_NE(result.out.find(what), std::string::npos) << result.out;
    EXPECT_NE(result.out.find(":T("), std::string::npos) << "the layout is named: " << result.out;
    EXPECT_NE(result.out.find("the library ended the run; with --isolate it goes on"), std::string::npos) << result.out;
    EXPECT_TRUE(LawsIn(directory.path() + "/out").contains("subject-crash")) << result.out;
    EXPECT_GT(LawsIn(directory.path() + "/out").size(), 1u) << "findings from before: " << result.out;
  }
}

TEST(Library, ItsOutputDoesNotMixWithTheReport) {
  for (const char* command : {"check --jobs 1", "check --isolate", "fuzz --jobs 1", "fuzz --isolate"}) {
    const TemporaryDirectory directory;
    const auto result = RunMisbehaving(
        "print", std::string(command) + " --json --cases 20 --subject " + kLibrary + " --out out 2> errors",
        directory.path());
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(Json::Parse(line).has_value()) << command << ": " << line;
    }
    if (std::string(command).ends_with("1")) {
      EXPECT_NE(ReadFile(directory.path() + "/errors").find("hello from the library"), std::string::npos) << command;
    }
  }
}

TEST(Library, IsolatedACrashAndAHangAreFindingsAndTheRunGoesOn) {
  const TemporaryDirectory directory;
  const auto crash = RunMisbehaving(
      "crash", "check --law linear-index --law injective --cases 100 --isolate --subject " + kLibrary + " --out out",
      directory.path());
  EXPECT_EQ(crash.exit_code, 1);
  EXPECT_NE(crash.out.find("breaks subject-crash"), std::string::npos) << crash.out;
  EXPECT_NE(crash.out.find("layout     f32[]{:T(1)}"), std::string::npos) << crash.out;
  EXPECT_NE(crash.out.find("\n100 cases, "), std::string::npos) << crash.out;
  EXPECT_TRUE(LawsIn(directory.path() + "/out").contains("subject-crash"));
  EXPECT_GT(LawsIn(directory.path() + "/out").size(), 1u);
  // `replay` finds every finding again, including the crash.
  const auto replayed = RunMisbehaving("crash", "replay out/findings.jsonl", directory.path());
  EXPECT_EQ(replayed.exit_code, 1) << replayed.out;
  EXPECT_NE(replayed.out.find("breaks subject-crash"), std::string::npos) << replayed.out;

  const auto hang = RunMisbehaving(
      "hang",
      "check --cases 10 --law linear-index --subject-timeout 300ms --isolate --subject " + kLibrary + " --out hang",
      directory.path());
  EXPECT_EQ(hang.exit_code, 1);
  EXPECT_TRUE(LawsIn(directory.path() + "/hang").contains("subject-timeout")) << hang.out;
  EXPECT_NE(hang.out.find("the run ended because every law was given up"), std::string::npos) << hang.out;
  // A time limit by itself isolates the library. Laws of the algebra are checked there, too.
  const auto limited = RunMisbehaving(
      "hang", "check --cases 10 --law coalesce --subject-timeout 300ms --subject " + kLibrary + " --out limited",
      directory.path());
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_TRUE(LawsIn(directory.path() + "/limited").contains("subject-timeout")) << limited.out;
}

TEST(Library, TheAlgebraIsAskedInThisProcessAndInOneOfItsOwn) {
  const TemporaryDirectory directory;
  for (const char* command : {"check", "check --isolate"}) {
    const auto result = RunMisbehaving(
        "none",
        command + std::string(" --cases 50 --law coalesce --law cosize --law make-layout --law downcast") +
            " --subject lib:" LAYOUTCHECK_ALGEBRA_SUBJECT,
        directory.path());
    EXPECT_EQ(result.exit_code, 0) << command << result.out;
    EXPECT_NE(result.out.find("50 cases, 4 laws, 0 findings, 0 known, "), std::string::npos) << result.out;
  }
}

TEST(Library, IsFuzzed) {
  const TemporaryDirectory directory;
  const std::string arguments = "fuzz --cases 300 --subject " + kLibrary + " --out out";
  // The library accepts every text.
  const auto fuzzed = RunMisbehaving("none", arguments, directory.path());
  EXPECT_EQ(fuzzed.exit_code, 1);
  EXPECT_TRUE(LawsIn(directory.path() + "/out").contains("accepts-malformed")) << fuzzed.out;
  const auto crash = RunMisbehaving(
      "crash-in-parse", "fuzz --cases 30 --isolate --subject " + kLibrary + " --out crash", directory.path());
  EXPECT_EQ(crash.exit_code, 1);
  EXPECT_EQ(LawsIn(directory.path() + "/crash"), std::set<std::string>{"subject-crash"}) << crash.out;
}

TEST(Library, TheTextThatItCrashedOnIsAFinding) {
  for (const char* how : {"crash-in-parse", "exit-in-parse"}) {
    const TemporaryDirectory directory;
    const std::string fuzz = "fuzz --jobs 1 --json --cases 30 --subject " + kLibrary + " --out out";
    const auto ended = RunMisbehaving(how, fuzz + " 2> errors", directory.path());
    EXPECT_EQ(ended.exit_code, 1) << ended.out;
    const auto finding = Json::Parse(ended.out.substr(0, ended.out.find('\n'))).value();
    EXPECT_EQ(finding["law"], "subject-crash");
    EXPECT_EQ(finding["witness"]["text"], "f32[]");
    EXPECT_EQ(finding["witness"]["kind"], "shape");
    EXPECT_FALSE(finding.contains("repeats")) << "it crashes alone, too";
    const auto totals = Json::Parse(ended.out.substr(ended.out.rfind("{\"cases\""))).value();
    EXPECT_EQ(totals["findings"], 1);
    EXPECT_EQ(totals["complete"], false);
    EXPECT_EQ(RunMisbehaving(how, "replay out/findings.jsonl", directory.path()).exit_code, 1);
  }
}

TEST(Library, ItsCoverageLeadsToABugThatBlindTextsDoNotReach) {
  const TemporaryDirectory directory;
  const auto fuzz = [&](const std::string& library, const char* how, const std::string& cases) {
    return RunLayoutcheck({"fuzz", how, "--jobs", "1", "--cases", cases, "--stop-at-first", "--time", "5m", "--subject",
                           "lib:" + library, "--out", directory.path()});
  };
  // Which texts are new depends on where the linker puts the library's code: 20,000 to 100,000 texts are needed.
  const char* const kMost = "400000";
  const auto counted = fuzz(LAYOUTCHECK_COUNTED_LIBRARY, "--json", kMost);
  EXPECT_EQ(counted.exit_code, 1) << counted.out << counted.err;
  EXPECT_NE(counted.out.find("\"law\":\"loses-field\""), std::string::npos) << counted.out;
  const auto totals = Json::Parse(counted.out.substr(counted.out.rfind("{\"cases\""))).value();
  EXPECT_GT(totals["counters"].get<int64_t>(), 100);
  // The same texts lead to the same coverage in an isolated library.
  const auto isolated = fuzz(LAYOUTCHECK_COUNTED_LIBRARY, "--isolate", kMost);
  EXPECT_EQ(isolated.exit_code, 1) << isolated.out << isolated.err;
  EXPECT_NE(isolated.out.find("breaks loses-field"), std::string::npos) << isolated.out;
  const std::string same = "with coverage feedback: " + totals["counters"].Dump() + " counters reached\n" +
                           totals["cases"].Dump() + " cases, ";
  EXPECT_NE(isolated.out.find(same), std::string::npos) << isolated.out << "expected\n" << same;
  std::printf("%s\n", same.c_str());
  const auto blind = fuzz(LAYOUTCHECK_STAGED_LIBRARY, "--isolate", totals["cases"].Dump());
  EXPECT_EQ(blind.exit_code, 0) << blind.out;
  EXPECT_TRUE(blind.out.starts_with("without coverage feedback: the library was not built with it (")) << blind.out;
}

TEST(Library, IsServedToOthers) {
  const auto result = RunLayoutcheck({"serve", "--subject", kExample},
                                     "{\"op\":\"hello\",\"protocol\":1}\n"
                                     "{\"op\":\"offset\",\"layout\":\"f32[3,5]{1,0:T(2,2)}\",\"coordinate\":[2,3]}\n"
                                     "{\"op\":\"offset\"}\nnonsense\n"
                                     "{\"op\":\"coordinate\",\"layout\":\"f32[2]{0}\",\"offset\":1e20}\n"
                                     "{\"op\":\"table\",\"layout\":\"f32[2,3]{0,1}\"}");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  std::string hello;
  std::getline(lines, hello);
  EXPECT_EQ(Json::Parse(hello).value()["name"], "cpp_subject");
  std::string rest(std::istreambuf_iterator<char>(lines), {});
  EXPECT_TRUE(rest.starts_with("{\"offset\":17}\n{\"unsupported\":")) << rest;
  EXPECT_TRUE(
      rest.ends_with("\n{\"unsupported\":\"a request is a JSON object\"}\n"
                     "{\"unsupported\":\"\\\"offset\\\": expected an integer within int64, found 1e+20\"}\n"
                     "{\"offsets\":[0,2,4,1,3,5]}\n"))
      << rest;
}

TEST(Library, WhatCannotBeLoadedIsUnusableEvenInAProcessOfItsOwn) {
  const TemporaryDirectory directory;
  for (const char* command : {"check", "check --isolate", "fuzz", "fuzz --isolate"}) {
    const auto wrong = RunMisbehaving("later-version", command + (" --subject " + kLibrary), directory.path());
    EXPECT_EQ(wrong.exit_code, 2) << command << wrong.out;
    EXPECT_NE(wrong.out.find("has version 2 of layoutcheck/subject.h: expected version 1\n"), std::string::npos)
        << wrong.out;
    EXPECT_EQ(std::ranges::count(wrong.out, '\n'), 1) << wrong.out;
  }
}

}  // namespace
}  // namespace layoutcheck
