// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `scan` that read logs, require rules, compare tilings and explain instructions, and the bytes on a
// device.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// A bitcast from an allocation with padding to one without, of the same number of bytes.
constexpr const char* kBitcastModule = R"(HloModule jit_g, is_scheduled=true

ENTRY %main (x: f32[12]) -> f32[4,4] {
  %x = f32[12]{0:T(16)} parameter(0)
  ROOT %bitcast.5 = f32[4,4]{1,0:T(4,4)} bitcast(%x)
}
)";

TEST(ScanOptions, LogsOfMemoryThatRanOut) {
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--kind", "log", "--json", "--arrays"},
                                              "  1. Size: 14.00G\n     Shape: s32[29360128,10]{1,0:T(8,128)}\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Json> lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 3u) << result.out;
  EXPECT_EQ(lines[0]["rules"], Json::array({"illegal-layout", "padding-waste"}));
  EXPECT_EQ(lines[2]["line"], 2);
  EXPECT_EQ(lines[2]["bytes"], int64_t{14} << 30);
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--kind", "log"}, "no shapes here\n").exit_code, 2);
}

TEST(ScanOptions, ALogThatIsReadAsAModuleIsToldOfTheOption) {
  const std::string log = "Shape: s32[29360128,10]{1,0:T(8,128)}\nXLA label: fusion.7 = fusion(x, ...)\n";
  const ProgramResult result = RunLayoutcheck({"scan", "-"}, log);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "layoutcheck scan: -: expected HLO text, a line 'HloModule NAME' and instructions; found none, but 1 shape "
            "with a layout, which --kind log reads\n");
  const ProgramResult none = RunLayoutcheck({"scan", "-"}, "no shapes here\n");
  EXPECT_TRUE(none.err.ends_with("and instructions; found none\n")) << none.err;
  const ProgramResult mixed = RunLayoutcheck({"scan", "-"}, "a log\nf.3 = f32[8,128]{1,0} fusion(x)\nwith words\n");
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_EQ(mixed.err, "layoutcheck scan: -: most of it is no HLO; --kind log reads logs\n");
  const TemporaryDirectory directory;
  WriteFile(directory, "oom.txt", log);
  const ProgramResult folder = RunLayoutcheck({"scan", directory.path()});
  EXPECT_NE(folder.err.find("; found none; --kind log reads other text"), std::string::npos) << folder.err;
}

// A transpose that moves data, a copy that moves none, and a reshape that does either.
std::string Moves(const std::string& reshape) {
  return "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n"
         "  %free = f32[6,4]{1,0} reshape(%p)\n  ROOT %r = " +
         reshape + " reshape(%free)\n}\n";
}

TEST(ScanOptions, RequirementsMakeAdviceErrors) {
  const std::string text = Moves("f32[3,8]{0,1}");
  const ProgramResult advice = RunLayoutcheck({"scan", "-", "--json"}, text);
  EXPECT_EQ(advice.exit_code, 0) << advice.err;
  const Json finding = JsonLines(advice.out).back();
  EXPECT_EQ(finding["rule"], "reshape-moves-data");
  EXPECT_EQ(finding["severity"], "advice");
  EXPECT_EQ(finding["moved_bytes"], 96);
  EXPECT_EQ(finding["witness"], (Json{{"operand", Json::array({0, 1})},
                                      {"operand_offset", 1},
                                      {"result", Json::array({0, 1})},
                                      {"result_offset", 3}}));
  const ProgramResult required = RunLayoutcheck({"scan", "-", "--require", "reshape-is-bitcast"}, text);
  EXPECT_EQ(required.exit_code, 1);
  EXPECT_NE(required.out.find("error: -:6:3: reshape-moves-data\n  e/r reshape f32[3,8]{0,1}\n"
                              "  the reshape of f32[6,4]{1,0} moves 96 bytes: the first element that moves, (0,1) of "
                              "the operand and (0,1) of the result, goes from offset 1 to 3\n"),
            std::string::npos)
      << required.out;
  EXPECT_TRUE(required.out.ends_with("\n1 error (1 reshape-moves-data), 0 undecided, 1 advice (1 copy-is-free)\n"))
      << required.out;
  const ProgramResult both =
      RunLayoutcheck({"scan", "-", "--require", "reshape-is-bitcast", "--require", "copy-moves-data"}, text);
  EXPECT_TRUE(both.out.ends_with("\n2 errors (1 copy-is-free, 1 reshape-moves-data), 0 undecided, 0 advice\n"))
      << both.out;
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--require", "reshape-is-bitcast"}, Moves("f32[3,8]{1,0}")).exit_code, 0);
}

TEST(ScanOptions, ARequirementToWhichNothingIsHeldIsUndecided) {
  const std::string text = "HloModule m\nENTRY e {\n  ROOT x = f32[4,4]{1,0} parameter(0)\n}\n";
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--require", "reshape-is-bitcast", "--json"}, text);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(JsonLines(result.out).back()["message"], "no module could be held to --require reshape-is-bitcast");
  const ProgramResult unknown = RunLayoutcheck({"scan", "-", "--require", "reshape-moves-data"}, text);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err,
            "layoutcheck scan: --require reshape-moves-data: with --kind module, expected one of sharding-is-even, "
            "operands-keep-sharding, reshape-is-bitcast, copy-moves-data, copy-is-not-undone, padding-below-half (did "
            "you mean 'copy-moves-data'?)\n");
}

TEST(ScanOptions, BytesOnADevice) {
  const std::string text =
      "HloModule m\nENTRY e {\n  x = f32[10,4]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}\n"
      "  ROOT y = f32[10,4]{1,0} copy(x)\n}\n";
  const std::vector<Json> lines = JsonLines(RunLayoutcheck({"scan", "-", "--json", "--arrays"}, text).out);
  EXPECT_EQ(lines[0]["device_bytes"], 48 + 160);
  EXPECT_EQ(lines[0]["device_needed_bytes"], 48 + 160);
  const Json& x = lines[lines.size() - 2];
  EXPECT_EQ(x["device_bytes"], 48);
  EXPECT_EQ(x["sharding"], "{devices=[4,1]<=[4]}");
  EXPECT_EQ(lines.back()["device_bytes"], 160);
  EXPECT_FALSE(lines.back().contains("sharding"));
  const std::string table = RunLayoutcheck({"scan", "-", "--sort", "bytes"}, text).out;
  EXPECT_NE(table.find("       208 B        208 B     0.0 %  on a device, by the largest parts of 2 arrays\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("       160 B        160 B     0.0 %        160 B         48 B  e/x parameter  f32[10,4]{1,0} "
                       "{devices=[4,1]<=[4]}\n"),
            std::string::npos)
      << table;
  const TemporaryDirectory directory;
  const std::string page = directory.path() + "/page.html";
  RunLayoutcheck({"scan", "-", "--html", page}, text);
  EXPECT_NE(ReadFile(page).find("<small>48 B on a device</small>"), std::string::npos);
  const std::vector<Json> plain = JsonLines(RunLayoutcheck({"scan", "-", "--json", "--arrays"}, kBitcastModule).out);
  EXPECT_FALSE(plain[0].contains("device_bytes"));
  EXPECT_FALSE(plain.back().contains("device_bytes"));
}

TEST(ScanOptions, TightestAmongTilings) {
  const TemporaryDirectory directory;
  const std::string file = WriteFile(directory, "tilings", "# of my device\n\n T(2,128)\n");
  for (const std::string& tilings : {std::string("tpu"), file}) {
    const ProgramResult result =
        RunLayoutcheck({"scan", "-", "--kind", "log", "--json", "--arrays", "--tilings", tilings},
                       "Shape: s32[29360128,10]{1,0:T(8,128)}\n");
    const std::vector<Json> lines = JsonLines(result.out);
    ASSERT_EQ(lines.size(), 3u) << result.out << result.err;
    EXPECT_EQ(lines[2]["tightest"], "{0,1:T(2,128)}");
    EXPECT_EQ(lines[2]["tightest_bytes"], 1174405120);
  }
  const std::string wrong = WriteFile(directory, "wrong", "T(8,128)\nT(8\n");
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--tilings", wrong}, kBitcastModule);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(result.err.find("wrong:2: expected a tiling such as T(8,128)(2,1)") != std::string::npos) << result.err;
}

TEST(ScanOptions, ExplainsABitcast) {
  const auto explanation = [](const std::string& operand, const std::string& result) {
    const std::string text =
        "HloModule m\nENTRY %e {\n  %p = " + operand + " parameter(0)\n  ROOT %b = " + result + " bitcast(%p)\n}\n";
    const std::vector<Json> lines = JsonLines(RunLayoutcheck({"scan", "-", "--json", "--explain", "b"}, text).out);
    return lines.back().value("explanation", "");
  };
  EXPECT_EQ(explanation("f32[6,4]{1,0}", "f32[2,3,4]{2,1,0}"), "a reshape");
  EXPECT_EQ(explanation("f32[6,4]{1,0}", "f32[4,6]{0,1}"), "a transpose by {1,0}");
  EXPECT_EQ(explanation("f32[2,3,4]{2,0,1}", "f32[4,6]{0,1}"),
            "a transpose by {1,0,2} to f32[3,2,4]{2,1,0}, a reshape to f32[6,4]{1,0}, a transpose by {1,0}");
  EXPECT_EQ(
      explanation("f32[8]{0}", "s8[32]{0}"),
      "elements and padding are at the same places, and no reshape and transpose say which element becomes which");
  EXPECT_EQ(explanation("f32[8]{0}", "s8[33]{0}"), "the operand f32[8]{0} allocates 32 bytes, and the result 33");
  const auto move = [](const std::string& name, const std::string& reshape) {
    return JsonLines(RunLayoutcheck({"scan", "-", "--json", "--explain", name}, Moves(reshape)).out)
        .back()
        .value("explanation", "");
  };
  EXPECT_EQ(move("free", "f32[3,8]{0,1}"), "each element keeps its offset: a bitcast would do");
  EXPECT_EQ(move("r", "f32[3,8]{0,1}"),
            "moves 96 bytes: the first element that moves, (0,1) of the operand and (0,1) of the result, goes from "
            "offset 1 to 3");
  EXPECT_EQ(move("r", "f32[3,9]{0,1}"), "a dimension is dynamic, or the shapes are not those of a reshape");
  const ProgramResult text = RunLayoutcheck({"scan", "-", "--explain", "bitcast.5"}, kBitcastModule);
  EXPECT_NE(text.out.find("-:5: bitcast.5\n  from f32[12]{0:T(16)} to f32[4,4]{1,0:T(4,4)}\n  bit 384"),
            std::string::npos)
      << text.out;
  const ProgramResult none = RunLayoutcheck({"scan", "-", "--explain", "x"}, kBitcastModule);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no module has a bitcast, reshape or transpose of arrays with this name"), std::string::npos)
      << none.err;
}

}  // namespace
}  // namespace layoutcheck
