// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <filesystem>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// A right module: 1200000 bytes in 51200000, and a copy into 3203072.
constexpr const char* kRight = R"(HloModule jit_f, is_scheduled=true

ENTRY %main (x: f32[100000,3]) -> f32[100000,3] {
  %x = f32[100000,3]{1,0:T(8,128)} parameter(0)
  ROOT %copy.1 = f32[100000,3]{0,1:T(8,128)} copy(%x), metadata={source_file="model.py" source_line=7}
}
)";

// A bitcast from an allocation with padding to one without, of the same number of bytes.
constexpr const char* kWrong = R"(HloModule jit_g, is_scheduled=true

ENTRY %main (x: f32[12]) -> f32[4,4] {
  %x = f32[12]{0:T(16)} parameter(0)
  ROOT %bitcast.5 = f32[4,4]{1,0:T(4,4)} bitcast(%x)
}
)";

std::set<std::string> MembersOf(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

TEST(Scan, JsonOfARightModule) {
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json", "--arrays"}, kRight);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Json> lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 5u) << result.out;  // a module, two findings of padding-waste, two arrays
  const Json& module = lines[0];
  EXPECT_EQ(module["type"], "module");
  EXPECT_EQ(module["file"], "-");
  EXPECT_EQ(module["name"], "jit_f");
  EXPECT_EQ(module["instructions"], 2);
  EXPECT_EQ(module["arrays"], 2);
  EXPECT_EQ(module["bytes"], 51200000 + 3203072);
  EXPECT_EQ(module["needed_bytes"], 2400000);
  EXPECT_EQ(module["scheduled"], true);
  EXPECT_EQ(module["rules"],
            Json::array({"illegal-layout", "illegal-sharding", "uneven-sharding", "sharding-mismatch",
                         "operand-resharded", "bitcast-changes-size", "bitcast-reads-padding", "layout-mismatch",
                         "reshape-moves-data", "copy-is-free", "copy-of-copy", "padding-waste"}));
  EXPECT_EQ(module["not_applied"], Json::object());
  EXPECT_EQ(lines[1]["severity"], "advice");
  EXPECT_EQ(lines[1]["rule"], "padding-waste");
  const Json array = {{"type", "array"},
                      {"file", "-"},
                      {"line", 4},
                      {"computation", "main"},
                      {"instruction", "x"},
                      {"opcode", "parameter"},
                      {"shape", "f32[100000,3]{1,0:T(8,128)}"},
                      {"bytes", 51200000},
                      {"needed_bytes", 1200000},
                      {"waste", 0.9765625},
                      {"tightest", "{0,1:T(8,128)}"},
                      {"tightest_bytes", 3203072},
                      {"memory_space", 0}};
  EXPECT_EQ(lines[3], array);
  EXPECT_EQ(lines[4]["source_file"], "model.py");
  EXPECT_EQ(lines[4]["source_line"], 7);
}

TEST(Scan, JsonOfAFinding) {
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json"}, kWrong);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const std::vector<Json> lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 2u) << result.out;
  const Json& finding = lines[1];
  EXPECT_EQ(MembersOf(finding),
            (std::set<std::string>{"type", "rule", "file", "line", "column", "computation", "instruction", "opcode",
                                   "shape", "severity", "message", "witness"}));
  EXPECT_EQ(finding["type"], "finding");
  EXPECT_EQ(finding["rule"], "bitcast-reads-padding");
  EXPECT_EQ(finding["file"], "-");
  EXPECT_EQ(finding["line"], 5);
  EXPECT_EQ(finding["column"], 3);
  EXPECT_EQ(finding["computation"], "main");
  EXPECT_EQ(finding["instruction"], "bitcast.5");
  EXPECT_EQ(finding["opcode"], "bitcast");
  EXPECT_EQ(finding["shape"], "f32[4,4]{1,0:T(4,4)}");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["witness"],
            Json({{"address", 48}, {"bit", 384}, {"operand", "padding"}, {"result", Json::array({3, 0})}}));
}

TEST(Scan, TextHasTotalsFindingsAndTables) {
  const ProgramResult result = RunLayoutcheck({"scan", "-"}, kRight);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part :
       {"51.88 MiB", "2.289 MiB", "95.6 %  2 arrays\n", "jit_f in -: 2 instructions, scheduled\n",
        "3.055 MiB    1.144 MiB    62.5 %  written by copies, transposes and reshapes: 1 array\n", "main/x",
        "{0,1:T(8,128)}", "model.py:7", "0 errors, 0 undecided, 2 advice (2 padding-waste)\n"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
  const ProgramResult wrong = RunLayoutcheck({"scan", "-"}, kWrong);
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  EXPECT_NE(wrong.out.find("error: -:5:3: bitcast-reads-padding\n"), std::string::npos) << wrong.out;
  EXPECT_TRUE(wrong.out.ends_with("\n1 error (1 bitcast-reads-padding), 0 undecided, 0 advice\n")) << wrong.out;
}

TEST(Scan, TakesFilesFoldersAndStandardInput) {
  const TemporaryDirectory directory;
  const std::string right = WriteFile(directory, "a.txt", kRight);
  const std::string wrong = WriteFile(directory, "b.hlo", std::string(kRight) + kWrong);
  WriteFile(directory, "notes.md", "no module\n");
  const ProgramResult folder = RunLayoutcheck({"scan", directory.path(), "--json"});
  EXPECT_EQ(folder.exit_code, 1);
  EXPECT_EQ(folder.err, "layoutcheck scan: 1 file without HLO was left out\n");
  std::vector<std::string> modules;
  for (const Json& line : JsonLines(folder.out)) {
    if (line["type"] == "module") modules.push_back(line["file"].text() + " " + line["name"].text());
    // Lines count from the beginning of the file, not of the module.
    if (line["type"] == "finding" && line["severity"] == "error") {
      EXPECT_EQ(line["line"], 11);
    }
  }
  EXPECT_EQ(modules, (std::vector<std::string>{right + " jit_f", wrong + " jit_f", wrong + " jit_g"}));
  const ProgramResult several = RunLayoutcheck({"scan", right, "-", "--json"}, kRight);
  EXPECT_EQ(several.exit_code, 0) << several.err;
  EXPECT_NE(several.out.find("\"file\":\"-\""), std::string::npos);
  EXPECT_NE(several.out.find(right), std::string::npos);
}

TEST(Scan, WhatIsNoHloIsUnusable) {
  const TemporaryDirectory directory;
  const ProgramResult text = RunLayoutcheck({"scan", "-"}, "hello, world\n");
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_EQ(text.out, "");
  EXPECT_NE(text.err.find("-: expected HLO text, a line 'HloModule NAME' and instructions; found none"),
            std::string::npos)
      << text.err;
  EXPECT_EQ(RunLayoutcheck({"scan", "-"}, "").exit_code, 2);
  EXPECT_EQ(RunLayoutcheck({"scan"}).exit_code, 2);
  const ProgramResult missing = RunLayoutcheck({"scan", directory.MissingFile()});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find(directory.MissingFile() + ": No such file or directory"), std::string::npos)
      << missing.err;
  WriteFile(directory, "notes.md", "no module\n");
  const ProgramResult folder = RunLayoutcheck({"scan", directory.path()});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_NE(folder.err.find("expected files with HLO text, which have a line 'HloModule NAME'; found none"),
            std::string::npos)
      << folder.err;
  // The others are still read.
  const ProgramResult both = RunLayoutcheck({"scan", directory.MissingFile(), WriteFile(directory, "a.txt", kRight)});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.out.find("51.88 MiB"), std::string::npos) << both.out;
}

TEST(Scan, ReportsDoNotReplaceWhatIsRead) {
  const TemporaryDirectory directory;
  const std::string file = WriteFile(directory, "a.txt", kRight);
  const std::string link = directory.path() + "/link";
  std::filesystem::create_symlink(file, link);
  for (const char* option : {"--html", "--sarif", "--junit"}) {
    for (const std::string& path : {file, directory.path()}) {
      const ProgramResult result = RunLayoutcheck({"scan", path, option, link});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_NE(result.err.find(std::string(option) + " " + link + " would replace PATH "), std::string::npos)
          << result.err;
    }
  }
  const ProgramResult old = RunLayoutcheck({"scan", "-", "--diff", file, "--html", file}, kRight);
  EXPECT_EQ(old.exit_code, 2);
  EXPECT_NE(old.err.find("would replace --diff"), std::string::npos) << old.err;
  EXPECT_EQ(ReadFile(file), kRight);
}

TEST(Scan, StandardInputThatIsClosedIsNamed) {
  const TemporaryDirectory directory;
  const ProgramResult scan = RunShell("layoutcheck scan - <&-", directory.path());
  EXPECT_EQ(scan.exit_code, 2);
  EXPECT_EQ(scan.out, "layoutcheck scan: standard input: it cannot be read to its end\n");
  const ProgramResult parse = RunShell("layoutcheck parse - <&-", directory.path());
  EXPECT_EQ(parse.exit_code, 2);
  EXPECT_EQ(parse.out, "layoutcheck parse: cannot read standard input\n");
}

TEST(Scan, AnOperandThatIsNotDefinedIsAnError) {
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json"}, R"(HloModule m, is_scheduled=true
ENTRY %main (a: f32[1000]) -> f32[8,128] {
  %a = f32[1000]{0:T(1024)} parameter(0)
  ROOT %r = f32[8,128]{1,0:T(8,128)} bitcast(%aa)
}
)");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(JsonLines(result.out).at(1)["line"], 4);
  EXPECT_EQ(JsonLines(result.out).at(1)["rule"], "unreadable");
}

TEST(Scan, ALineThatIsTooLongSaysSo) {
  const std::string text = "HloModule m\nENTRY e {\n  ROOT a = f32[2]{0} parameter(0), note=\"" +
                           std::string(size_t{65} << 20, 'x') + "\"\n}\n";
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json"}, text);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(JsonLines(result.out).at(1)["line"], 3);
  EXPECT_EQ(JsonLines(result.out).at(1)["message"], "the line is longer than 64 MiB");
}

TEST(Scan, ABadLineCostsThatLine) {
  std::string text = kWrong;
  text.insert(text.find("  ROOT"), "  %y = f32[2,3]{1,0} add(%x, ]]\n");
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json"}, text);
  EXPECT_EQ(result.exit_code, 1);
  std::vector<std::string> rules;
  for (const Json& line : JsonLines(result.out)) {
    if (line["type"] == "finding") rules.push_back(line["rule"].text());
    if (line["type"] == "finding" && line["rule"] == "unreadable") {
      EXPECT_EQ(line["line"], 5);
      EXPECT_EQ(line["severity"], "error");
    }
  }
  EXPECT_EQ(rules, (std::vector<std::string>{"unreadable", "bitcast-reads-padding"}));
}

TEST(Scan, UndecidedIsNoSuccess) {
  // The first difference lies behind the places that are compared.
  const std::string text =
      "HloModule m, is_scheduled=true\nENTRY e {\n  x = f32[67108860]{0:T(3072)} parameter(0)\n"
      "  ROOT b = f32[3,22369620]{1,0:T(1,1024)} bitcast(x)\n}\n";
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json"}, text);
  EXPECT_EQ(result.exit_code, 3) << result.out;
  const std::vector<Json> lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 2u) << result.out;
  EXPECT_EQ(lines[1]["rule"], "bitcast-reads-padding");
  EXPECT_EQ(lines[1]["severity"], "undecided");
  EXPECT_TRUE(RunLayoutcheck({"scan", "-"}, text)
                  .out.ends_with("\n0 errors, 1 undecided (1 bitcast-reads-padding), 0 advice\n"));
}

TEST(Scan, RulesThatDoNotApplyYetAreNamed) {
  const std::string text =
      "HloModule m\nENTRY e {\n  x = f32[4,4]{1,0} parameter(0)\n  ROOT y = f32[4,4]{0,1} tanh(x)\n}\n";
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--json"}, text);
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const Json module = JsonLines(result.out)[0];
  EXPECT_EQ(module["rules"], Json::array({"illegal-layout", "illegal-sharding", "uneven-sharding", "sharding-mismatch",
                                          "operand-resharded"}));
  EXPECT_EQ(module["not_applied"]["layout-mismatch"], "no layouts yet");
  EXPECT_EQ(module["not_applied"].size(), 7u);
  EXPECT_NE(RunLayoutcheck({"scan", "-"}, text).out.find("no layouts yet"), std::string::npos);
}

TEST(Scan, SelectsArrays) {
  const auto arrays = [](std::vector<std::string> filters) {
    std::vector<std::string> arguments = {"scan", "-", "--json", "--arrays"};
    arguments.insert(arguments.end(), filters.begin(), filters.end());
    std::vector<std::string> names;
    for (const Json& line : JsonLines(RunLayoutcheck(arguments, kRight).out)) {
      if (line["type"] == "array") names.push_back(line["instruction"].text());
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(arrays({}), (Names{"x", "copy.1"}));
  EXPECT_EQ(arrays({"--opcode", "copy"}), Names{"copy.1"});
  EXPECT_EQ(arrays({"--min-bytes", "10MiB"}), Names{"x"});
  EXPECT_EQ(arrays({"--min-bytes", "1GiB"}), Names{});
  EXPECT_EQ(arrays({"--computation", "main", "--opcode", "copy"}), Names{"copy.1"});
  EXPECT_EQ(arrays({"--computation", "other"}), Names{});
  const ProgramResult text = RunLayoutcheck({"scan", "-", "--top", "1", "--sort", "bytes"}, kRight);
  EXPECT_EQ(text.out.find("main/copy.1 copy f32[100000,3]{0,1:T(8,128)} (model.py:7)\n\n"), std::string::npos);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--arrays"}, {"--sort", "size"}, {"--min-bytes", "many"}, {"--top", "-1"}}) {
    std::vector<std::string> arguments = {"scan", "-"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const ProgramResult result = RunLayoutcheck(arguments, kRight);
    EXPECT_EQ(result.exit_code, 2) << wrong[0];
    EXPECT_NE(result.err.find(wrong[0]), std::string::npos) << result.err;
  }
}

TEST(Scan, ExceededBudgetsAreErrors) {
  const ProgramResult kept = RunLayoutcheck({"scan", "-", "--budget", "bytes<1GiB", "--budget", "waste<96%"}, kRight);
  EXPECT_EQ(kept.exit_code, 0) << kept.out;
  const ProgramResult exceeded =
      RunLayoutcheck({"scan", "-", "--budget", "bytes<1GiB", "--budget", "waste<20%"}, kRight);
  EXPECT_EQ(exceeded.exit_code, 1);
  EXPECT_NE(
      exceeded.out.find("error: -:1:1: budget waste<20%\n"
                        "  95.59 % of 51.88 MiB are padding; most by main/x (47.68 MiB), main/copy.1 (1.91 MiB)\n"),
      std::string::npos)
      << exceeded.out;
  const ProgramResult as_json = RunLayoutcheck({"scan", "-", "--budget", "copies<1MiB", "--json"}, kRight);
  EXPECT_EQ(as_json.exit_code, 1);
  const Json budget = JsonLines(as_json.out).back();
  EXPECT_EQ(budget["type"], "budget");
  EXPECT_EQ(budget["budget"], "copies<1MiB");
  EXPECT_EQ(budget["file"], "-");
  EXPECT_EQ(budget["module"], "jit_f");
  EXPECT_EQ(budget["severity"], "error");
  EXPECT_EQ(budget["value"], 3203072);
  EXPECT_EQ(budget["limit"], 1 << 20);
  ASSERT_EQ(budget["arrays"].size(), 1u);
  EXPECT_EQ(budget["arrays"][0]["instruction"], "copy.1");
  const ProgramResult wrong = RunLayoutcheck({"scan", "-", "--budget", "bytes<2apples"}, kRight);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(
      wrong.err.find("--budget 'bytes<2apples': column 7: expected a number of bytes such as 64MiB or 2GiB, found "
                     "'2apples'"),
      std::string::npos)
      << wrong.err;
}

TEST(Scan, ABudgetThatHoldsNothingIsUndecided) {
  const std::string text = "HloModule m\nENTRY e {\n  ROOT x = f32[4,4]{1,0} parameter(0)\n}\n";
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--budget", "waste<20%"}, text);
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_NE(result.out.find("undecided: budget waste<20%\n  no module could be held to this budget\n"),
            std::string::npos)
      << result.out;
  // The page has it, too, without a place.
  const TemporaryDirectory directory;
  const std::string page = directory.path() + "/page.html";
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--budget", "waste<20%", "--html", page}, text).exit_code, 3);
  EXPECT_NE(ReadFile(page).find("no module could be held to this budget"), std::string::npos);
  // Beside a module with layouts, the other one is only named.
  const ProgramResult both = RunLayoutcheck({"scan", "-", "--budget", "bytes<1GiB"}, text + kRight);
  EXPECT_EQ(both.exit_code, 0) << both.out;
  EXPECT_NE(both.out.find("budget bytes<1GiB\n  no layouts yet in -\n"), std::string::npos) << both.out;
}

TEST(Scan, WritesReports) {
  const TemporaryDirectory directory;
  const std::string sarif = directory.path() + "/f.sarif";
  const std::string junit = directory.path() + "/f.xml";
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--sarif", sarif, "--junit", junit}, kWrong);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(Json::Parse(ReadFile(sarif)).value()["runs"][0]["results"][0]["ruleId"], "bitcast-reads-padding");
  EXPECT_NE(ReadFile(junit).find("<failure type=\"bitcast-reads-padding\""), std::string::npos);
  const ProgramResult unwritable = RunLayoutcheck({"scan", "-", "--sarif", directory.MissingFile()}, kRight);
  EXPECT_EQ(unwritable.exit_code, 2);
  EXPECT_NE(unwritable.err.find("cannot write " + directory.MissingFile()), std::string::npos) << unwritable.err;
}

TEST(Scan, ComparesWithAnOlderVersion) {
  const TemporaryDirectory directory;
  const std::string old = WriteFile(directory, "old.txt", kRight);
  std::string text = kRight;
  text.replace(text.find("{1,0:T(8,128)} parameter"), 14, "{0,1:T(8,128)}");
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--diff", old}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("   48.83 MiB    3.055 MiB   -45.77 MiB  main/x parameter f32[100000,3]{1,0:T(8,128)} -> "
                            "f32[100000,3]{0,1:T(8,128)}\n"),
            std::string::npos)
      << result.out;
  const std::vector<Json> lines = JsonLines(RunLayoutcheck({"scan", "-", "--diff", old, "--json"}, text).out);
  EXPECT_EQ(lines.back()["type"], "change");
  EXPECT_EQ(lines.back()["old_bytes"], 51200000);
  // The exit code is that of the new modules.
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--diff", old}, kWrong).exit_code, 1);
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--diff", WriteFile(directory, "wrong.txt", kWrong)}, kRight).exit_code, 0);
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--diff", directory.MissingFile()}, kRight).exit_code, 2);
}

TEST(Laws, ListsTheRulesOfModules) {
  const ProgramResult text = RunLayoutcheck({"laws"});
  EXPECT_NE(text.out.find("\nbitcast-reads-padding         "), std::string::npos);
  size_t rules = 0;
  for (const Json& line : JsonLines(RunLayoutcheck({"laws", "--json"}).out))
    rules += line["commands"] == Json::array({"scan"});
  EXPECT_EQ(rules, 17u);
}

TEST(Scan, TheNumberOfJobsChangesNothing) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += i % 3 == 0 ? kWrong : kRight;
  const ProgramResult one = RunLayoutcheck({"scan", "-", "--json", "--arrays", "--jobs", "1"}, text);
  const ProgramResult four = RunLayoutcheck({"scan", "-", "--json", "--arrays", "--jobs", "4"}, text);
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_EQ(four.exit_code, 1);
  EXPECT_EQ(one.out, four.out);
}

}  // namespace
}  // namespace layoutcheck
