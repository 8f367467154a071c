// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `scan` that read logs, compare tilings and explain bitcasts.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

using nlohmann::json;

// A bitcast from an allocation with padding to one without, of the same number of bytes.
constexpr const char* kModule = R"(HloModule jit_g, is_scheduled=true

ENTRY %main (x: f32[12]) -> f32[4,4] {
  %x = f32[12]{0:T(16)} parameter(0)
  ROOT %bitcast.5 = f32[4,4]{1,0:T(4,4)} bitcast(%x)
}
)";

TEST(ScanOptions, LogsOfMemoryThatRanOut) {
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--kind", "log", "--json", "--arrays"},
                                              "  1. Size: 14.00G\n     Shape: s32[29360128,10]{1,0:T(8,128)}\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<json> lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 3u) << result.out;
  EXPECT_EQ(lines[0]["rules"], (json{"illegal-layout", "padding-waste"}));
  EXPECT_EQ(lines[2]["line"], 2);
  EXPECT_EQ(lines[2]["bytes"], int64_t{14} << 30);
  EXPECT_EQ(RunLayoutcheck({"scan", "-", "--kind", "log"}, "no shapes here\n").exit_code, 2);
}

TEST(ScanOptions, TightestAmongTilings) {
  const TemporaryDirectory directory;
  const std::string file = WriteFile(directory, "tilings", "# of my device\n\n T(2,128)\n");
  for (const std::string& tilings : {std::string("tpu"), file}) {
    const ProgramResult result =
        RunLayoutcheck({"scan", "-", "--kind", "log", "--json", "--arrays", "--tilings", tilings},
                       "Shape: s32[29360128,10]{1,0:T(8,128)}\n");
    const std::vector<json> lines = JsonLines(result.out);
    ASSERT_EQ(lines.size(), 3u) << result.out << result.err;
    EXPECT_EQ(lines[2]["tightest"], "{0,1:T(2,128)}");
    EXPECT_EQ(lines[2]["tightest_bytes"], 1174405120);
  }
  const std::string wrong = WriteFile(directory, "wrong", "T(8,128)\nT(8\n");
  const ProgramResult result = RunLayoutcheck({"scan", "-", "--tilings", wrong}, kModule);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(result.err.find("wrong:2: expected a tiling such as T(8,128)(2,1)") != std::string::npos) << result.err;
}

TEST(ScanOptions, ExplainsABitcast) {
  const auto explanation = [](const std::string& operand, const std::string& result) {
    const std::string text =
        "HloModule m\nENTRY %e {\n  %p = " + operand + " parameter(0)\n  ROOT %b = " + result + " bitcast(%p)\n}\n";
    const std::vector<json> lines = JsonLines(RunLayoutcheck({"scan", "-", "--json", "--explain", "b"}, text).out);
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
  const ProgramResult text = RunLayoutcheck({"scan", "-", "--explain", "bitcast.5"}, kModule);
  EXPECT_NE(text.out.find("-:5: bitcast.5\n  from f32[12]{0:T(16)} to f32[4,4]{1,0:T(4,4)}\n  bit 384"),
            std::string::npos)
      << text.out;
  const ProgramResult none = RunLayoutcheck({"scan", "-", "--explain", "x"}, kModule);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no module has a bitcast of arrays with this name"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace layoutcheck
