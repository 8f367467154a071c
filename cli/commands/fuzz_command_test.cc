// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the command `fuzz`: the reference, seeded faults as processes, findings, corpus and stopping.
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

TEST(FuzzCommand, NothingIsFoundInTheReference) {
  const TemporaryDirectory directory;
  for (const std::string kind : {"shape", "layout", "instruction"}) {
    const auto result = RunLayoutcheck({"fuzz", "--kind", kind, "--cases", "5000", "--out", directory.path()});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_EQ(result.out, "5000 cases, 10 laws, 0 findings, 0 known, 0 declined\n") << result.err;
    EXPECT_EQ(result.err, "");
  }
}

TEST(FuzzCommand, EverySeededTextFaultIsFoundWithDefaultOptions) {
  const TemporaryDirectory directory;
  std::istringstream faults(RunShell(kFaulty + " --list", directory.path()).out);
  int checked = 0;
  for (std::string line; std::getline(faults, line);) {
    std::istringstream words(line);
    std::string name;
    std::string kind;
    words >> name >> kind;
    if (kind != "text") continue;
    ++checked;
    const auto result = RunLayoutcheck({"fuzz", "--subject", "exec:" + kFaulty + " --fault " + name, "--time", "30s",
                                        "--stop-at-first", "--out", directory.path()});
    EXPECT_EQ(result.exit_code, 1) << name << ": " << result.out << result.err;
  }
  std::printf("%d seeded text faults found as processes\n", checked);
  EXPECT_GT(checked, 30);
}

TEST(FuzzCommand, AFindingIsShortSavedAndReplayed) {
  const TemporaryDirectory directory;
  const auto result = RunLayoutcheck({"fuzz", "--subject", "exec:" + kFaulty + " --fault text-memory-space-lost",
                                      "--cases", "3000", "--out", directory.path(), "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const auto finding = Json::Parse(result.out.substr(0, result.out.find('\n'))).value();
  EXPECT_EQ(finding["law"], "loses-field");
  EXPECT_EQ(finding["witness"]["text"], "f32[]{:S(1)}");
  EXPECT_EQ(finding["witness"]["kind"], "shape");
  EXPECT_EQ(finding["expected"], "f32[]{:S(1)}");
  EXPECT_EQ(finding["actual"], "f32[]");
  const std::string first = directory.path() + "/findings.jsonl:1";
  const auto replayed = RunLayoutcheck({"replay", first});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  EXPECT_NE(replayed.out.find("Every field of a valid text"), std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.find(R"({"op":"parse","kind":"shape","text":"f32[]{:S(1)}"})"), std::string::npos);
  EXPECT_EQ(RunLayoutcheck({"replay", first, "--subject", "reference"}).exit_code, 0);
}

TEST(FuzzCommand, AKnownDifferenceIsCounted) {
  const TemporaryDirectory directory;
  const std::string known = directory.path() + "/known.jsonl";
  RunShell(
      "echo "
      "'{\"law\":\"loses-field\",\"predicate\":\"without-memory-space\",\"reason\":\"r\",\"version\":\"1\","
      "\"reference\":\"#1\"}' "
      "> known.jsonl",
      directory.path());
  const auto result = RunLayoutcheck({"fuzz", "--subject", "exec:" + kFaulty + " --fault text-memory-space-lost",
                                      "--cases", "2000", "--known", known, "--out", directory.path()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find(" 0 findings, "), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find(" 0 known, "), std::string::npos) << result.out;
}

TEST(FuzzCommand, TextsOfACorpusAreTriedAndNewOnesAreKept) {
  const TemporaryDirectory directory;
  const std::string texts = directory.path() + "/texts";
  const auto count = [&] { return std::stoi(RunShell("ls texts | wc -l", directory.path()).out); };
  RunLayoutcheck({"fuzz", "--cases", "500", "--corpus", texts, "--out", directory.path()});
  const int after_first = count();
  EXPECT_GT(after_first, 50);
  RunLayoutcheck({"fuzz", "--cases", "3000", "--corpus", texts, "--out", directory.path()});
  EXPECT_GT(count(), after_first);
}

TEST(FuzzCommand, EndsWithTheTotalsWhenInterrupted) {
  const TemporaryDirectory directory;
  for (const std::string signal : {"INT", "TERM"}) {
    const auto result = RunShell("timeout -s " + signal + " 1 layoutcheck fuzz --time 5m --out out", directory.path());
    EXPECT_TRUE(LastLine(result.out).ends_with(" 0 findings, 0 known, 0 declined")) << result.out;
  }
}

TEST(FuzzCommand, ASubjectThatTakesNoTextsIsUndecided) {
  const TemporaryDirectory directory;
  const std::string subject =
      R"(exec:while read -r line; do case $line in *hello*) echo '{"name":"none","version":"1","ops":[],"notations":["hlo"]}';; *) echo '{"unsupported":"no"}';; esac; done)";
  const auto result = RunLayoutcheck({"fuzz", "--subject", subject, "--cases", "50", "--out", directory.path()});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_EQ(LastLine(result.out), "50 cases, 10 laws, 0 findings, 0 known, 50 declined");
}

TEST(FuzzCommand, UnusableArguments) {
  const TemporaryDirectory directory;
  const std::string missing = directory.MissingFile();
  for (const auto& [option, value] : {std::pair{"--kind", "tensor"},
                                      {"--time", "5 minutes"},
                                      {"--subject", "nobody"},
                                      {"--known", missing.c_str()},
                                      {"--out", "/dev/null/out"},
                                      {"--corpus", "/dev/null/texts"},
                                      {"--cases", "-1"}}) {
    const auto result = RunLayoutcheck({"fuzz", "--out", directory.path(), option, value});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_TRUE(result.err.starts_with("layoutcheck fuzz: ")) << option << ": " << result.err;
  }
}

}  // namespace
}  // namespace layoutcheck
