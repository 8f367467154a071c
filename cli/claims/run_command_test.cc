// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `layoutcheck run`.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrue = "[prove.rows]\nlayout = 'f32[M,N]{1,0}'\nformula = 'i0*N + i1'\n";
constexpr const char* kFalse = "[prove.columns]\nlayout = 'f32[M,N]{0,1}'\nformula = 'i0*N + i1'\n";
constexpr const char* kUndecided = "[prove.hard]\nlayout = 'f32[M,N]{1,0:T(P,Q)}'\nlaw = 'injective'\nrlimit = 50\n";
constexpr const char* kUnusable = "[scan.missing]\npath = 'missing.txt'\n";

class RunClaims : public testing::Test {
 protected:
  // Runs the program in the folder of the claims.
  ProgramResult Run(const std::string& claims, const std::string& arguments = "") {
    WriteFile(directory_, "layoutcheck.toml", claims);
    return RunShell("layoutcheck run " + arguments, directory_.path());
  }
  // Returns "NAME VERDICT unchanged" of each claim.
  std::string Verdicts(const std::string& claims, const std::string& arguments = "") {
    std::string verdicts;
    for (const Json& line : JsonLines(Run(claims, "--json 2>/dev/null " + arguments).out)) {
      if (line["type"] != "claim") continue;
      verdicts +=
          line["claim"].text() + " " + line["verdict"].text() + (line["unchanged"] == true ? " unchanged\n" : "\n");
    }
    return verdicts;
  }
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }

  TemporaryDirectory directory_;
};

TEST_F(RunClaims, ExitWithTheWorstCodeOfTheirEntries) {
  EXPECT_EQ(Run(kTrue).exit_code, 0);
  EXPECT_EQ(Run(kUndecided).exit_code, 3);
  EXPECT_EQ(Run(std::string(kTrue) + kUndecided).exit_code, 3);
  EXPECT_EQ(Run(std::string(kUndecided) + kFalse + kTrue).exit_code, 1);
  EXPECT_EQ(Run(std::string(kUndecided) + kFalse + kUnusable).exit_code, 2);
  EXPECT_EQ(Run("").exit_code, 3);  // nothing was asked
  EXPECT_EQ(Run("[prove.a]\nlayotu = 'x'\n").exit_code, 2);
  EXPECT_EQ(Run(kTrue, "missing.toml").exit_code, 2);
}

TEST_F(RunClaims, PrintAgainstAClaimTheCommandThatRepeatsIt) {
  const std::string out = Run(std::string(kTrue) + kFalse).out;
  EXPECT_NE(out.find("\n  formula: refuted: M=2 N=2 i0=0 i1=1 expected=2 actual=1\n"), std::string::npos) << out;
  EXPECT_EQ(LastLine(out), "2 claims: 1 proved, 1 refuted");
  const size_t begin = out.find("  $ ") + 4;
  const ProgramResult repeated = RunShell(out.substr(begin, out.find('\n', begin) - begin), directory_.path());
  EXPECT_EQ(repeated.exit_code, 1);
  EXPECT_NE(repeated.out.find("refuted: M=2 N=2 i0=0 i1=1 expected=2 actual=1"), std::string::npos) << repeated.out;
}

TEST_F(RunClaims, AreFoundAboveAndRunInTheFolderOfTheirFile) {
  fs::copy(std::string(LAYOUTCHECK_SOURCE) + "/corpus/modules/explain.txt", Path("module.txt"));
  Run("[scan.dump]\npath = 'module.txt'\nbudget = 'bytes<1KiB'\n[scan.small]\npath = 'module.txt'\nbudget = "
      "'bytes<1B'\n");
  fs::create_directories(Path("a/b"));
  const ProgramResult below = RunShell("layoutcheck run --sarif x.sarif", Path("a/b"));
  EXPECT_EQ(below.exit_code, 1);
  EXPECT_NE(below.out.find("  $ cd ../.. && layoutcheck scan module.txt --budget 'bytes<1B'\n"), std::string::npos)
      << below.out;
  EXPECT_NE(ReadFile(Path("a/b/x.sarif")).find("\"uri\": \"../../module.txt\""), std::string::npos);
  const ProgramResult above = RunShell("layoutcheck run " + directory_.path() + "/layoutcheck.toml --only dump", "/");
  EXPECT_EQ(above.exit_code, 0) << above.out;
}

TEST_F(RunClaims, AreNotCheckedAgainUntilSomethingChanges) {
  const std::string claims = std::string(kTrue) + kFalse + kUndecided;
  EXPECT_EQ(Verdicts(claims), "rows proved\ncolumns refuted\nhard undecided\n");
  EXPECT_EQ(Verdicts(claims), "rows proved unchanged\ncolumns refuted\nhard undecided\n");
  EXPECT_EQ(Verdicts(claims, "--no-cache"), "rows proved\ncolumns refuted\nhard undecided\n");
  EXPECT_EQ(Verdicts("\n# moved\n" + claims, "--only rows"), "rows proved unchanged\n");
  EXPECT_EQ(Verdicts(std::string(kTrue) + "law = 'injective'\n"), "rows proved\n");
  EXPECT_EQ(ReadFile(Path(".layoutcheck/.gitignore")), "*\n");
}

TEST_F(RunClaims, SeeChangesOfTheFilesThatTheyRead) {
  const std::string claims = "[scan.dumps]\npath = 'dumps'\n[check.accepted]\ncases = 5\nknown = 'known.jsonl'\n";
  fs::create_directory(Path("dumps"));
  const std::string module = "HloModule m\n\nENTRY e {\n  ROOT a = f32[8]{0} parameter(0)\n}\n";
  WriteFile(directory_, "dumps/a.txt", module);
  WriteFile(directory_, "known.jsonl", "");
  const std::string unchanged = "dumps accepted unchanged\naccepted accepted unchanged\n";
  EXPECT_EQ(Verdicts(claims), "dumps accepted\naccepted accepted\n");
  EXPECT_EQ(Verdicts(claims), unchanged);
  WriteFile(directory_, "dumps/b.txt", module);
  EXPECT_EQ(Verdicts(claims), "dumps accepted\naccepted accepted unchanged\n");
  EXPECT_EQ(Verdicts(claims), unchanged);
  WriteFile(directory_, "known.jsonl", "\n");
  EXPECT_EQ(Verdicts(claims), "dumps accepted unchanged\naccepted accepted\n");
  fs::rename(Path("dumps/b.txt"), Path("dumps/c.txt"));
  EXPECT_EQ(Verdicts(claims), "dumps accepted\naccepted accepted unchanged\n");
}

// Each bit of what is kept can be damaged. Whether a claim is false is found out then, too.
TEST_F(RunClaims, DoNotBelieveADamagedVerdict) {
  EXPECT_EQ(Verdicts(kTrue), "rows proved\n");
  const std::string folder = Path(".layoutcheck/unchanged");
  const std::string file = fs::directory_iterator(folder)->path();
  const std::string kept = ReadFile(file);
  const auto put = [&](const std::string& text) { std::ofstream(file, std::ios::binary) << text; };
  EXPECT_EQ(Verdicts(kTrue), "rows proved unchanged\n");
  for (const size_t at : {size_t{0}, size_t{64}, size_t{66}, kept.find("i0*N"), kept.size() - 1}) {
    std::string damaged = kept;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    put(damaged);
    EXPECT_EQ(Verdicts(kTrue), "rows proved\n") << at;
  }
  for (const std::string& text : {std::string(), kept.substr(0, 40), kept.substr(0, kept.size() / 2)}) {
    put(text);
    EXPECT_EQ(Verdicts(kTrue), "rows proved\n") << text;
  }
  put(kept);
  EXPECT_EQ(Verdicts(kTrue), "rows proved unchanged\n");
  // The verdict on another claim of the same name is no verdict on this one.
  EXPECT_EQ(Verdicts("[prove.rows]\nlayout = 'f32[M,N]{0,1}'\nformula = 'i0*N + i1'\n"), "rows refuted\n");
  // A folder that cannot be written costs nothing but time.
  fs::remove_all(Path(".layoutcheck"));
  WriteFile(directory_, ".layoutcheck", "");
  EXPECT_EQ(Verdicts(kTrue), "rows proved\n");
  EXPECT_EQ(Verdicts(kTrue), "rows proved\n");
}

#ifdef LAYOUTCHECK_HAS_LLVM
TEST_F(RunClaims, SeeChangesOfHeadersThatCodeIncludes) {
  const std::string claims =
      "[prove-code.index]\nfile = 'a.c'\nlayout = 'f32[M,N]{1,0}'\nfunction = 'f'\nargs = 'i0,i1,N'\n"
      "clang-flags = '-I include'\n";
  fs::create_directory(Path("include"));
  WriteFile(directory_, "a.c", "#include \"b.h\"\nlong f(long i, long j, long n) { return INDEX(i, j, n); }\n");
  WriteFile(directory_, "include/b.h", "#define INDEX(i, j, n) ((i) * (n) + (j))\n");
  EXPECT_EQ(Verdicts(claims), "index proved\n");
  EXPECT_EQ(Verdicts(claims), "index proved unchanged\n");
  WriteFile(directory_, "include/b.h", "#define INDEX(i, j, n) ((j) * (n) + (i))\n");
  EXPECT_EQ(Verdicts(claims), "index refuted\n");
}
#endif

TEST_F(RunClaims, AboutAnotherProgramAreAlwaysChecked) {
  const std::string claims = "[check.mine]\nsubject = 'exec:" + kFaulty + "'\nlaw = 'linear-index'\ncases = 5\n";
  EXPECT_EQ(Verdicts(claims), "mine accepted\n");
  EXPECT_EQ(Verdicts(claims), "mine accepted\n");
}

TEST_F(RunClaims, ReportFindingsOfASubject) {
  const std::string out =
      Run("[check.mine]\nsubject = 'exec:" + kFaulty + " --fault floor-tile-count'\nlaw = 'linear-index'\ncases = 50\n")
          .out;
  EXPECT_NE(out.find("  linear-index: on f32[2,3]{1,0:T(2)} at element (1,0): expected 4, actual 2\n"),
            std::string::npos)
      << out;
  EXPECT_TRUE(fs::exists(Path(".layoutcheck/check/mine/findings.jsonl")));
}

TEST_F(RunClaims, WriteDocumentsForCi) {
  const ProgramResult result =
      Run(std::string(kTrue) + kFalse + kUnusable, "--junit j.xml --sarif s.sarif --markdown m.md");
  EXPECT_EQ(result.exit_code, 2);
  const std::string junit = ReadFile(Path("j.xml"));
  EXPECT_NE(junit.find("tests=\"3\" failures=\"1\" errors=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase classname=\"prove\" name=\"rows\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<failure type=\"formula\" message=\"refuted: M=2 N=2"), std::string::npos) << junit;
  const auto sarif = Json::Parse(ReadFile(Path("s.sarif")));
  ASSERT_TRUE(sarif);
  const Json& results = (*sarif)["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["ruleId"], "formula");
  const Json& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "layoutcheck.toml");
  EXPECT_EQ(place["region"]["startLine"], 4);  // that of [prove.columns]
  const std::string markdown = ReadFile(Path("m.md"));
  EXPECT_NE(markdown.find("| columns | prove | **refuted** |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("`layoutcheck prove 'f32[M,N]{0,1}' --formula 'i0*N + i1'` |\n"), std::string::npos)
      << markdown;
  EXPECT_EQ(Run(kTrue, "--sarif layoutcheck.toml").exit_code, 2);
}

TEST_F(RunClaims, EndWhenNobodyReads) {
  const ProgramResult result = Run("[check.long]\ntime = '1h'\n", "--no-cache | head -n 1; echo end");
  EXPECT_EQ(LastLine(result.out), "end");
}

TEST_F(RunClaims, UnknownNamesAreRefused) {
  const ProgramResult result = Run(kTrue, "--only row");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.out.find("--only: no claim has the name 'row' (did you mean 'rows'?)"), std::string::npos)
      << result.out;
}

TEST_F(RunClaims, AreAskedToEndByOneSignal) {
  WriteFile(directory_, "layoutcheck.toml",
            "[check.long]\nsubject = 'exec:" + kFaulty + "'\ntime = '1h'\n[check.other]\ntime = '1h'\n" +
                std::string(kFalse));
  const ProgramResult result =
      RunShell("timeout --foreground -s INT 1 layoutcheck run --jobs 2 --json", directory_.path());
  EXPECT_EQ(result.exit_code, 124) << result.out;  // that of timeout
  std::string verdicts;
  for (const Json& line : JsonLines(result.out)) verdicts += line.value("verdict", "totals") + "\n";
  EXPECT_TRUE(verdicts.starts_with("undecided\nundecided\n") && verdicts.ends_with("\ntotals\n")) << result.out;
}

}  // namespace
}  // namespace layoutcheck
