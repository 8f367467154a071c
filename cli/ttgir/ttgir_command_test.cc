// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `scan --kind ttgir`: text, JSON, page, comparison, exit codes and unusable input.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/markup.h"
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

const std::string kLayouts = std::string(LAYOUTCHECK_SOURCE) + "/corpus/triton/layouts/";

ProgramResult Scan(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {"scan", "--kind", "ttgir"});
  return RunLayoutcheck(arguments, input);
}

std::vector<Json> LinesOfType(const std::vector<Json>& lines, const std::string& type) {
  std::vector<Json> rows;
  for (const Json& line : lines) {
    if (line["type"] == type) rows.push_back(line);
  }
  return rows;
}

// 16 KiB in rows of a warp become 16 KiB in columns: a quarter of each warp's elements stays in the warp.
TEST(ScanOfTtgir, JsonHasALinePerConvertBufferAccessAndType) {
  const ProgramResult result = Scan({kLayouts + "transpose.sm80.ttgir", "--json", "--arrays"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Json> lines = JsonLines(result.out);
  const Json& function = lines[0];
  EXPECT_EQ(function["type"], "function");
  EXPECT_EQ(function["name"], "transpose");
  EXPECT_EQ(function["target"], "cuda:80");
  EXPECT_EQ(function["warps"], 4);
  EXPECT_EQ(function["lanes"], 32);
  const std::vector<Json> converts = LinesOfType(lines, "convert");
  ASSERT_EQ(converts.size(), 1U);
  EXPECT_EQ(converts[0]["name"], "%10");
  EXPECT_EQ(converts[0]["from"], "64x64xf32 #blocked1");
  EXPECT_EQ(converts[0]["warp_bytes"], 64 * 64 * 4 * 3 / 4);
  EXPECT_EQ(converts[0]["shared_bytes"], 64 * 64 * 4);
  EXPECT_EQ(converts[0]["least_store_passes"], 128);
  EXPECT_EQ(converts[0]["source_file"], "kernels.py");
  EXPECT_EQ(converts[0]["source_line"], 34);
  int64_t tensors = 0;
  for (const Json& row : LinesOfType(lines, "tensor")) {
    EXPECT_EQ(row["count"], row["names"].size());
    tensors += row["count"].get<int64_t>();
  }
  EXPECT_EQ(function["tensors"], tensors);
  // Accesses and buffers have the numbers of their passes and bytes.
  const std::vector<Json> in_shared = JsonLines(Scan({kLayouts + "transpose_in_shared.sm90.ttgir", "--json"}).out);
  const std::vector<Json> accesses = LinesOfType(in_shared, "access");
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[1]["opcode"], "ttg.local_load");
  EXPECT_EQ(accesses[1]["passes"], 256);
  EXPECT_EQ(accesses[1]["least_passes"], 32);
  EXPECT_EQ(LinesOfType(in_shared, "buffer")[0]["bytes"], 4096);
}

TEST(ScanOfTtgir, RequirementsMakeAdviceErrors) {
  const std::string file = kLayouts + "transpose_in_shared.sm90.ttgir";
  EXPECT_EQ(Scan({file}).exit_code, 0);
  const ProgramResult result = Scan({file, "--require", "no-bank-conflicts"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.out.ends_with("\n1 error (1 bank-conflicts), 0 undecided, 0 advice\n")) << result.out;
  const ProgramResult other = Scan({file, "--require", "copy-moves-data"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("--require copy-moves-data: with --kind ttgir, expected one of convert-moves-data"),
            std::string::npos)
      << other.err;
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--require", "no-bank-conflicts"}, "HloModule m\n").exit_code, 2);
}

TEST(ScanOfTtgir, ConvertsOfTwoVersionsArePaired) {
  const std::string new_file = kLayouts + "scale_once.sm90.ttgir";
  const std::string old_file = kLayouts + "scale_twice.sm90.ttgir";
  const ProgramResult result = Scan({new_file, "--diff", old_file, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const std::vector<Json> lines = JsonLines(result.out);
  const std::vector<Json> diffs = LinesOfType(lines, "diff");
  ASSERT_EQ(diffs.size(), 1U);
  EXPECT_EQ(diffs[0]["old_converts"], 5);
  EXPECT_EQ(diffs[0]["converts"], 1);
  EXPECT_EQ(diffs[0]["old_warp_bytes"], 5 * 3072);
  EXPECT_EQ(diffs[0]["warp_bytes"], 3072 / 2);
  std::vector<std::string> gone;
  for (const Json& row : LinesOfType(lines, "change")) {
    if (row["of"] == "convert" && !row.contains("name")) gone.push_back(row["old_name"].text());
  }
  EXPECT_EQ(gone.size(), 5U);
  const ProgramResult same = Scan({old_file, "--diff", old_file});
  EXPECT_NE(same.out.find("\n0 rows differ, "), std::string::npos) << same.out;
}

TEST(ScanOfTtgir, ThePageShowsTablesAndEscapesNames) {
  const TemporaryDirectory directory;
  const std::string page = directory.path() + "/page.html";
  EXPECT_EQ(Scan({kLayouts + "scale_twice.sm90.ttgir", "--html", page}).exit_code, 0);
  const std::string html = ReadFile(page);
  std::string error;
  EXPECT_TRUE(IsWellFormed(html, error)) << error;
  EXPECT_NE(html.find("32x32xf32 #blocked1 -&gt; 32x32xf32 #blocked"), std::string::npos);
  EXPECT_NE(html.find("convert-of-computed"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

TEST(ScanOfTtgir, FindingsAreResultsAndTestcases) {
  const TemporaryDirectory directory;
  const std::string sarif = directory.path() + "/f.sarif";
  const std::string junit = directory.path() + "/f.xml";
  const std::string file = kLayouts + "transpose_in_shared.sm90.ttgir";
  EXPECT_EQ(Scan({file, "--sarif", sarif, "--junit", junit, "--require", "no-bank-conflicts"}).exit_code, 1);
  const Json results = Json::Parse(ReadFile(sarif)).value()["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["ruleId"], "bank-conflicts");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 37);
  const std::string xml = ReadFile(junit);
  EXPECT_NE(xml.find("<failure type=\"bank-conflicts\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"convert-is-free\""), std::string::npos) << xml;
  EXPECT_EQ(Scan({file, "--sarif", directory.MissingFile()}).exit_code, 2);
}

TEST(ScanOfTtgir, FoldersAreSearchedForFilesOfTtgir) {
  const ProgramResult result = Scan({kLayouts, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(LinesOfType(JsonLines(result.out), "function").size(), 6U);
  const TemporaryDirectory directory;
  const ProgramResult none = Scan({directory.path()});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find(": expected files .ttgir, found none"), std::string::npos) << none.err;
}

TEST(ScanOfTtgir, UnusableInputIsNamedWithLineAndColumn) {
  EXPECT_EQ(Scan({"-"}, "module {\n  func.func @f\n").err,
            "layoutcheck scan: -: line 2: column 3: expected tt.func or '}'\n");
  const ProgramResult ttir = Scan({"-"}, "module {\n  tt.func @f() {\n    tt.return\n  }\n}\n");
  EXPECT_EQ(ttir.exit_code, 2);
  EXPECT_NE(ttir.err.find("expected TTGIR, a module with the attribute \"ttg.num-warps\""), std::string::npos)
      << ttir.err;
  EXPECT_EQ(Scan({"/nowhere/a.ttgir"}).exit_code, 2);
  const ProgramResult as_hlo = RunLayoutcheck({"scan", kLayouts + "transpose.sm80.ttgir"});
  EXPECT_EQ(as_hlo.exit_code, 2);
  EXPECT_TRUE(as_hlo.err.ends_with(": expected HLO text, found TTGIR, which --kind ttgir reads\n")) << as_hlo.err;
  EXPECT_EQ(Scan({"-", "--budget", "waste<20%"}).err,
            "layoutcheck scan: --budget: not with --kind ttgir, only with HLO\n");
}

// A text of which one byte is missing or replaced is read or refused, and never ends the program.
TEST(ScanOfTtgir, DamagedTextsAreReadOrRefused) {
  const std::string text = ReadFile(kLayouts + "scale_twice.sm90.ttgir");
  for (size_t at = 0; at < 2000; at += 97) {
    std::string damaged = text;
    damaged[at] = "x<#]3"[at % 5];
    const ProgramResult result = Scan({"-"}, damaged);
    EXPECT_TRUE(result.exit_code >= 0 && result.exit_code <= 3) << at << ": " << result.err;
  }
}

}  // namespace
}  // namespace layoutcheck
