// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the commands `check` and `replay`: exit codes, last lines, findings on disk, and killed runs.
#include <gtest/gtest.h>
#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Laws of which each has a finding of its own, because the law on which they rest is not among them.
const std::string kLaws = " --law repeated-tiling --law equals-pad-reshape-transpose ";

// Returns the laws and layouts of the findings in a file. A duplicated or torn line is a failure.
std::set<std::string> FindingsIn(const std::string& directory) {
  std::set<std::string> findings;
  std::istringstream lines(ReadFile(directory + "/findings.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto finding = Json::Parse(line).value_or(Json());
    if (!finding.is_object()) {
      ADD_FAILURE() << "no finding: " << line;
      continue;
    }
    const auto key = finding["law"].text() + " " + finding["layout"].text();
    EXPECT_TRUE(findings.insert(key).second) << "doubled: " << key;
  }
  return findings;
}

TEST(CheckCommand, NothingIsFoundInTheReference) {
  const auto result = RunLayoutcheck({"check", "--cases", "200"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(LastLine(result.out).starts_with("200 cases, ")) << result.out;
  EXPECT_TRUE(LastLine(result.out).ends_with(" laws, 0 findings, 0 known, 0 declined, arrays up to 2^53 bytes"))
      << result.out;
}

TEST(CheckCommand, TheSubjectInPythonKeepsEveryLawThatItAnswers) {
  const auto result = RunLayoutcheck({"check", "--cases", "40", "--subject",
                                      "exec:python3 " LAYOUTCHECK_SOURCE "/subjects/examples/python_subject.py"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(LastLine(result.out).find(" laws, 0 findings, 0 known, "), std::string::npos) << result.out;
  // The subject answers tables and offsets, so linear-index, at least, was checked.
  EXPECT_EQ(result.err.find("linear-index"), std::string::npos) << result.err;
}

TEST(CheckCommand, TheAlgebraOfShapeStrideLayouts) {
  const TemporaryDirectory directory;
  const std::string subject = "exec:" + kFaulty + " --fault composition-loses-the-rest";
  const auto found = RunLayoutcheck(
      {"check", "--subject", subject, "--law", "composition", "--cases", "100", "--out", directory.path()});
  EXPECT_EQ(found.exit_code, 1) << found.err;
  EXPECT_NE(found.out.find("{\"op\":\"apply\",\"function\":\"composition\",\"arguments\":["), std::string::npos)
      << found.out;
  EXPECT_EQ(FindingsIn(directory.path()).size(), 1u);
  const std::string first = directory.path() + "/findings.jsonl:1";
  EXPECT_EQ(RunLayoutcheck({"replay", first}).exit_code, 1);
  EXPECT_EQ(RunLayoutcheck({"replay", first, "--subject", "exec:" + kFaulty}).exit_code, 0);
  // No XLA layout equals this layout, so only the laws of the algebra apply to it.
  const auto given = RunLayoutcheck({"check", "(3,4):(5,1)"});
  EXPECT_EQ(given.exit_code, 0) << given.err;
  EXPECT_TRUE(LastLine(given.out).starts_with("1 cases, ")) << given.out;
  EXPECT_EQ(RunLayoutcheck({"check", "(8,12):(12,1); (2,3):(1,2)", "--law", "composition"}).exit_code, 0);
  EXPECT_EQ(RunLayoutcheck({"check", "zN:f16[20,40]", "((4,2),(4,3)):((4,16),(1,32))"}).exit_code, 0);
}

// Returns the member of the first finding that is saved in a directory.
std::string FirstFinding(const std::string& directory, const char* member) {
  std::istringstream lines(ReadFile(directory + "/findings.jsonl"));
  std::string line;
  std::getline(lines, line);
  const auto object = Json::Parse(line).value_or(Json());
  return object.is_object() ? object.value(member, "") : "";
}

TEST(CheckCommand, FamiliesAndNamesForSizesAreDrawnShrunkAndReplayed) {
  const TemporaryDirectory directory;
  const auto check = [&](const std::string& fault, const std::vector<std::string>& what) {
    RunShell("rm -rf out", directory.path());
    std::vector<std::string> arguments = {"check", "--subject",    "exec:" + kFaulty + " --fault " + fault,
                                          "--law", "linear-index", "--cases",
                                          "200",   "--out",        directory.path() + "/out"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    const auto result = RunLayoutcheck(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    return result;
  };
  const std::string out = directory.path() + "/out";
  // A finding is in the notation of its pattern and says which tilings show it.
  check("fractal-zn-column-major", {"zN:f16[M,N]"});
  EXPECT_EQ(FirstFinding(out, "layout"), "zN:f16[1,2]");
  EXPECT_EQ(RunLayoutcheck({"replay", out + "/findings.jsonl:1"}).exit_code, 1);
  EXPECT_EQ(RunLayoutcheck({"replay", out + "/findings.jsonl:1", "--subject", "reference"}).exit_code, 0);
  const auto family = check("fractal-zn-column-major", {"--family", "fractal"});
  EXPECT_EQ(FirstFinding(out, "layout"), "zN:f16[1,2]");
  EXPECT_NE(family.out.find("  fails      with zN, L0C: 3 other fractals do not show it\n"), std::string::npos)
      << family.out;
  // Only the values of the user's names are shrunk, here to one more row than a tile has.
  check("ragged-rows-of-8x128", {"f32[A,M,N]{2,1,0:T(8,128)}"});
  EXPECT_EQ(FirstFinding(out, "layout"), "f32[2,9,1]{2,1,0:T(8,128)}");
  EXPECT_EQ(FirstFinding(out, "tilings"), "only with T(8,128): 8 other tilings do not show it");
  check("floor-tile-count", {"--family", "tpu"});
  EXPECT_TRUE(FirstFinding(out, "tilings").starts_with("with any tile: ")) << FirstFinding(out, "tilings");
}

TEST(CheckCommand, LayoutsComeFromAFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/layouts";
  std::ofstream(file) << "# comment\n\n f32[M,N]{1,0:T(8,128)}  # names\nf32[3,5]{1,0:T(2,2)}\r\n(M,N):(1,M)\n"
                         "zN:f16[20,40]\n";
  const auto result = RunLayoutcheck({"check", "--layouts", file, "--cases", "50", "--law", "linear-index"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(LastLine(result.out), "52 cases, 1 laws, 0 findings, 0 known, 0 declined, arrays up to 2^34 bytes");
  for (const auto& [text, message] :
       {std::pair{"f32[2]{0}\nf32[2,x]{1,0:T(8,}\n", ":2: f32[2,x]{1,0:T(8,}: as f32[2,1]"},
        std::pair{"\n\nf32[2\n", ":3: f32[2: column 6"}, std::pair{"# nothing\n", " has no layout"},
        std::pair{"f32[3]{0}; equals i0\n", ":1: expected 'formula', too"}}) {
    std::ofstream(file) << text;
    const auto bad = RunLayoutcheck({"check", "--layouts", file});
    EXPECT_EQ(bad.exit_code, 2) << text;
    EXPECT_NE(bad.err.find("--layouts: " + file + message), std::string::npos) << bad.err;
  }
  // Formulas of a tile set are left out.
  std::ofstream(file)
      << "f32[3,5]{1,0:T(2,2)}; formula i0; assume N % 128 == 0\n; formula N; equals N + 0\n(4,3):(3,1); 6:2\n";
  const auto tiles = RunLayoutcheck({"check", "--layouts", file, "--law", "linear-index", "--law", "composition"});
  EXPECT_EQ(LastLine(tiles.out), "1 cases, 2 laws, 0 findings, 0 known, 0 declined, arrays up to 2^6 bytes");
  EXPECT_NE(tiles.err.find("the formulas of 2 lines of " + file + " are not used"), std::string::npos) << tiles.err;
  EXPECT_EQ(RunLayoutcheck({"check", "--layouts", LAYOUTCHECK_SOURCE "/corpus/tiles/tpu.txt"}).exit_code, 0);
  EXPECT_EQ(RunLayoutcheck({"check", "--layouts", directory.path() + "/missing"}).exit_code, 2);
  EXPECT_EQ(RunLayoutcheck({"check", "--layouts", directory.path()}).exit_code, 2);
  const auto family = RunLayoutcheck({"check", "--family", "nonsense"});
  EXPECT_EQ(family.exit_code, 2);
  EXPECT_NE(family.err.find("no family 'nonsense', expected one of tpu, fractal, blocked, cute"), std::string::npos);
  EXPECT_EQ(RunLayoutcheck({"check", "--family", "tpu", "f32[M]{0}"}).exit_code, 2);
}

TEST(CheckCommand, TheDistributionSaysHowMuchOfEachFamilyWasDrawn) {
  const auto result = RunLayoutcheck({"check", "--cases", "30", "--law", "linear-index"});
  for (const char* family : {"tpu ", "fractal ", "blocked ", "cute ", "memory-format ", "scale-factor "}) {
    EXPECT_NE(result.err.find(family, result.err.find("distribution of families:")), std::string::npos) << result.err;
  }
}

TEST(CheckCommand, AFindingIsSavedAndReplayed) {
  const TemporaryDirectory directory;
  const std::string subject = "exec:" + kFaulty + " --fault drop-last-tile";
  const auto found = RunLayoutcheck(
      {"check", "--subject", subject, "--law", "linear-index", "--cases", "100", "--out", directory.path()});
  EXPECT_EQ(found.exit_code, 1) << found.err;
  EXPECT_NE(found.out.find("expected"), std::string::npos);
  EXPECT_NE(found.out.find("repeat     layoutcheck replay "), std::string::npos);
  EXPECT_NE(found.out.find("{\"op\":\"offset\""), std::string::npos);
  EXPECT_GE(FindingsIn(directory.path()).size(), 1u);
  const std::string first = directory.path() + "/findings.jsonl:1";
  EXPECT_EQ(RunLayoutcheck({"replay", first}).exit_code, 1);
  const auto fixed = RunLayoutcheck({"replay", first, "--subject", "reference"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.out << fixed.err;
  EXPECT_EQ(LastLine(fixed.out), "1 finding replayed, 0 found again");
}

TEST(CheckCommand, WhatWasFoundIsReportedAsFilesAndGarbledLinesAreNamed) {
  const TemporaryDirectory directory;
  RunShell("layoutcheck check --cases 100 --subject 'exec:" + kFaulty + " --fault tiles-ignored'" + kLaws,
           directory.path());
  const size_t count = FindingsIn(directory.path() + "/layoutcheck-out/faulty_subject-fault-tiles-ignored").size();
  EXPECT_GE(count, 2u);
  const auto report =
      RunShell("layoutcheck report layoutcheck-out --html a.html --junit a.xml --sarif a.sarif", directory.path());
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.out, std::to_string(count) + " findings in a.html, a.xml, a.sarif\n");
  EXPECT_EQ(Json::Parse(ReadFile(directory.path() + "/a.sarif")).value()["runs"][0]["results"].size(), count);
  EXPECT_NE(ReadFile(directory.path() + "/a.xml").find("tests=\"" + std::to_string(count) + "\""), std::string::npos);
  EXPECT_NE(ReadFile(directory.path() + "/a.html").find("<svg"), std::string::npos);
  const auto garbled = RunShell(
      "head -n 1 layoutcheck-out/*/findings.jsonl > f; echo >> f; echo nonsense >> f; layoutcheck report f --html "
      "b.html",
      directory.path());
  EXPECT_EQ(garbled.exit_code, 2);
  EXPECT_EQ(garbled.out, "layoutcheck report: FINDINGS: f:3: expected a JSON object, a finding\n");
  const auto count_wrong = RunShell(
      "sed 's/\"count\":[0-9]*/\"count\":0/' layoutcheck-out/*/findings.jsonl > f; layoutcheck report f --html b.html",
      directory.path());
  EXPECT_EQ(count_wrong.exit_code, 2);
  EXPECT_EQ(count_wrong.out, "layoutcheck report: FINDINGS: f:1: \"count\": expected an integer above 0\n");
  EXPECT_EQ(ReadFile(directory.path() + "/b.html"), "");
}

TEST(CheckCommand, JunitSaysWhatWasKeptBrokenAndLeftOpen) {
  const TemporaryDirectory directory;
  const auto check = [&](const std::string& arguments) {
    RunShell("layoutcheck check --law linear-index --law sizes --junit a.xml --sarif a.sarif " + arguments,
             directory.path());
    return ReadFile(directory.path() + "/a.xml");
  };
  const std::string clean = check("--cases 20");
  EXPECT_NE(clean.find("<testsuites name=\"layoutcheck\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""),
            std::string::npos)
      << clean;
  EXPECT_NE(clean.find("<testsuite name=\"reference\""), std::string::npos) << clean;
  EXPECT_EQ(Json::Parse(ReadFile(directory.path() + "/a.sarif")).value()["runs"][0]["results"].size(), 0u);
  const std::string subject = "--subject 'exec:" + kFaulty + " --fault tiles-ignored' ";
  const std::string broken = check("--cases 60 " + subject);
  EXPECT_NE(broken.find("tests=\"2\" failures=\"1\" errors=\"0\""), std::string::npos) << broken;
  EXPECT_NE(broken.find("<failure type=\"linear-index\""), std::string::npos) << broken;
  const auto sarif = Json::Parse(ReadFile(directory.path() + "/a.sarif")).value();
  ASSERT_EQ(sarif["runs"][0]["results"].size(), 1u);
  const auto& place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "layoutcheck-out/faulty_subject-fault-tiles-ignored/findings.jsonl");
  // A run that the first finding ends leaves other layouts open.
  const std::string ended = check("--cases 60 --stop-at-first " + subject);
  EXPECT_NE(ended.find("<error type=\"undecided\" message=\"the run ended at the first finding\">"), std::string::npos)
      << ended;
  const std::string overwritten = RunShell("layoutcheck check --known a.xml --junit a.xml", directory.path()).out;
  EXPECT_NE(overwritten.find("--junit"), std::string::npos) << overwritten;
}

TEST(CheckCommand, EachSubjectHasAFolder) {
  const TemporaryDirectory directory;
  const std::string check = "layoutcheck check --cases 60 --law linear-index --subject ";
  RunShell("mkdir -p d-1; ln -s " + kFaulty + " d-1/mine; " + check + "'exec:./d-1/mine --fault tiles-ignored'; " +
               check + "'exec:" + kFaulty + " --fault drop-last-tile'",
           directory.path());
  EXPECT_EQ(RunShell("ls layoutcheck-out", directory.path()).out,
            "faulty_subject-fault-drop-last-tile\nmine-fault-tiles-ignored\n");
  EXPECT_EQ(LastLine(RunShell("layoutcheck replay layoutcheck-out", directory.path()).out),
            "2 findings replayed, 2 found again");
}

TEST(CheckCommand, ARunKilledAtAnyMomentLosesAndDoublesNothing) {
  const TemporaryDirectory whole;
  const TemporaryDirectory killed;
  const std::string arguments =
      " check --cases 150 --subject 'exec:" + kFaulty + " --fault tiles-ignored'" + kLaws + "> /dev/null 2>&1";
  RunShell("layoutcheck" + arguments + " --out " + whole.path(), whole.path());
  const auto expected = FindingsIn(whole.path());
  EXPECT_GE(expected.size(), 2u);
  for (const char* after : {"0.05", "0.1", "0.2", "0.3", "0.5"}) {
    RunShell("timeout -s KILL " + std::string(after) + " layoutcheck" + arguments + " --out " + killed.path(),
             killed.path());
  }
  RunShell("layoutcheck" + arguments + " --out " + killed.path(), killed.path());
  EXPECT_EQ(FindingsIn(killed.path()), expected);
  // The next run cuts a torn line off and writes its finding again.
  RunShell("truncate -s -9 findings.jsonl", killed.path());
  RunShell("layoutcheck" + arguments + " --out " + killed.path(), killed.path());
  EXPECT_EQ(FindingsIn(killed.path()), expected);
}

// Returns the output of a run, in which the number of threads does not show.
std::string OutputWith(const std::string& jobs, const std::string& arguments, const std::string& directory) {
  const std::string out = directory + "/out" + jobs;
  RunShell("layoutcheck check --json " + arguments + " --jobs " + jobs + " --out " + out, directory);
  return RunShell("layoutcheck check --json " + arguments + " --jobs " + jobs + " --out " + out +
                      " 2>/dev/null | sed 's/out" + jobs + "/out/g'; sed 's/out" + jobs + "/out/g' " + out +
                      "/findings.jsonl",
                  directory)
      .out;
}

TEST(CheckCommand, TheResultIsTheSameForEveryNumberOfJobs) {
  const TemporaryDirectory directory;
  const std::string faulty = "--subject 'exec:" + kFaulty;
  for (const std::string& arguments :
       {"--cases 120 " + faulty + " --fault tiles-ignored'",
        "--cases 120 " + faulty + " --fault tiles-ignored'" + kLaws,
        "--cases 120 " + faulty + " --fault composition-loses-the-rest'",
        "--cases 120 " + faulty + " --behavior dies-on-tiles' --law linear-index --law inverse",
        "--cases 300 --stop-at-first " + faulty + " --fault drop-last-tile'",
        "--exhaustive 1 " + faulty + " --fault tiles-ignored'"}) {
    const std::string one = OutputWith("1", arguments, directory.path());
    EXPECT_NE(one.find("\"law\":"), std::string::npos) << one;
    constexpr std::array kJobs = {"3", "2", "8"};
    for (size_t k = 0; k < kJobs.size(); k += EveryNth(3, 3)) {
      EXPECT_EQ(OutputWith(kJobs[k], arguments, directory.path()), one) << arguments;
    }
  }
}

TEST(CheckCommand, OneDefectIsOneFindingAndItsCountIsEverywhereTheSame) {
  const TemporaryDirectory directory;
  const auto result = RunShell("layoutcheck check --cases 200 --subject 'exec:" + kFaulty + " --fault tiles-ignored'",
                               directory.path());
  EXPECT_NE(result.out.find(" 1 findings, "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("broken only with the laws on which they rest: "), std::string::npos) << result.out;
  const auto finding =
      Json::Parse(RunShell("cat layoutcheck-out/*/findings.jsonl 2>/dev/null", directory.path()).out).value();
  EXPECT_EQ(finding["law"], "linear-index");
  const auto count = finding["count"].get<int64_t>();
  EXPECT_GT(count, 10);
  EXPECT_NE(result.out.find(StrCat(count, " failing cases have the cause of: linear-index on ")), std::string::npos)
      << result.out;
  RunShell("layoutcheck report layoutcheck-out/*/findings.jsonl --sarif a.sarif", directory.path());
  const auto sarif = Json::Parse(ReadFile(directory.path() + "/a.sarif")).value();
  EXPECT_EQ(sarif["runs"][0]["results"][0]["occurrenceCount"], count);
}

TEST(CheckCommand, AKnownDifferenceSaysWhyOfWhatAndWhere) {
  const TemporaryDirectory directory;
  const std::string known = directory.path() + "/known.jsonl";
  const Json whole = {
      {"law", "sizes"}, {"layout", "f32[9]{0:T(8)}"}, {"reason", "r"}, {"version", "1"}, {"reference", "issue 8"}};
  for (const std::string name : {"law", "reason", "version", "reference"}) {
    Json missing = whole;
    missing.erase(name);
    Json empty = whole;
    empty[name] = "";
    for (const Json& line : {missing, empty}) {
      std::ofstream(known) << whole << "\n" << line << "\n";
      const auto result = RunLayoutcheck({"check", "--cases", "1", "--known", known, "--out", directory.path()});
      EXPECT_EQ(result.exit_code, 2) << line;
      EXPECT_EQ(result.err, StrCat("layoutcheck check: --known: ", known, ":2: a known difference has a text \"", name,
                                   "\" that is not empty\n"));
    }
  }
}

TEST(CheckCommand, KnownDifferencesAreCountedAndReportedWhenGone) {
  const TemporaryDirectory directory;
  const auto write = [&](const std::string& line) {
    RunShell("cat > known.jsonl <<'END'\n" + line + "\nEND", directory.path());
  };
  const std::string known = directory.path() + "/known.jsonl";
  const std::string out = directory.path() + "/out";
  write(
      R"({"law":"linear-index","pattern":".*T.*","actual":"\\d+","rate":0.9,"reason":"no tiles yet","version":"1","reference":"issue 7"})");
  const auto quiet = RunLayoutcheck({"check", "--subject", "exec:" + kFaulty + " --fault tiles-ignored", "--law",
                                     "linear-index", "--cases", "100", "--known", known, "--out", out});
  EXPECT_EQ(quiet.exit_code, 0) << quiet.out << quiet.err;
  EXPECT_EQ(LastLine(quiet.out), "100 cases, 1 laws, 0 findings, 1 known, 0 declined, arrays up to 2^53 bytes");
  // A pattern for the expected value makes one cause known; another cause under the same law is still found.
  for (const auto& [expected, exit_code] : {std::pair{"minor_to_major", 0}, std::pair{"end of E", 1}}) {
    write(StrCat(R"({"law":"text-rejected","expected":"[^]*)", expected,
                 R"([^]*","reason":"r","version":"1","reference":"#1"})"));
    const auto rejected =
        RunLayoutcheck({"check", "--subject", "exec:" + kFaulty + " --fault text-duplicate-order-accepted", "--law",
                        "text-rejected", "--cases", "60", "--known", known, "--out", out});
    EXPECT_EQ(rejected.exit_code, exit_code) << expected << "\n" << rejected.out << rejected.err;
    EXPECT_EQ(rejected.err.find("known.jsonl: no failure in this run matched line 1\n") == std::string::npos,
              exit_code == 0)
        << rejected.err;
  }
  // A pattern for the text does the same for an expression that breaks the law.
  for (const auto& [text, exit_code] : {std::pair{"[^]*floordiv[^]*", 0}, std::pair{"d7[^]*", 1}}) {
    write(StrCat(R"({"law":"affine-value","text":")", text, R"(","reason":"r","version":"1","reference":"#1"})"));
    const auto affine =
        RunLayoutcheck({"check", "--subject", "exec:" + kFaulty + " --fault affine-floordiv-distributes", "--law",
                        "affine-value", "--cases", "20", "--known", known, "--out", out});
    EXPECT_EQ(affine.exit_code, exit_code) << text << "\n" << affine.out << affine.err;
  }
  write(R"({"law":"linear-index","layout":"f32[9]{0:T(8)}","reason":"r","version":"1","reference":"issue 8"})");
  const auto gone = RunLayoutcheck({"check", "--law", "linear-index", "--cases", "10", "--known", known, "--out", out});
  EXPECT_EQ(gone.exit_code, 1) << gone.out << gone.err;
  EXPECT_NE(gone.out.find("can be removed"), std::string::npos) << gone.out;
}

TEST(CheckCommand, ShardsAreTheWholeRun) {
  uint64_t cases = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const auto result = RunLayoutcheck({"check", "--cases", "100", "--shard", shard});
    EXPECT_EQ(result.exit_code, 0);
    cases += std::stoull(LastLine(result.out));
  }
  EXPECT_EQ(cases, 100u);
}

TEST(CheckCommand, NothingCheckedIsUndecidedAndBadArgumentsAreUnusable) {
  const TemporaryDirectory directory;
  const std::string mute = "exec:read l; echo '{\"name\":\"mute\",\"ops\":[]}'; cat > /dev/null";
  EXPECT_EQ(RunLayoutcheck({"check", "--subject", mute, "--cases", "10"}).exit_code, 3);
  const auto garbage =
      RunLayoutcheck({"check", "--subject", "exec:echo garbage", "--out", directory.path(), "--cases", "10"});
  EXPECT_EQ(garbage.exit_code, 1) << garbage.out << garbage.err;
  EXPECT_NE(garbage.out.find("subject-protocol"), std::string::npos);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"check", "--subject", "nonsense"},
                                             {"check", "--subject", "exec:" + directory.MissingFile()},
                                             {"check", "--law", "nonsense"},
                                             {"check", "--shard", "3/2"},
                                             {"check", "--time", "7"},
                                             {"check", "--exhaustive", "0"},
                                             {"check", "--known", directory.MissingFile()},
                                             {"check", "f32[2"},
                                             {"replay", directory.MissingFile()},
                                             {"replay", "{}"}}) {
    const auto result = RunLayoutcheck(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[1] << result.out;
    EXPECT_FALSE(result.err.empty());
  }
}

}  // namespace
}  // namespace layoutcheck
