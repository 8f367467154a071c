// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests known answers of the commands, with text and JSON exactly as in the contract.
#include <gtest/gtest.h>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

struct KnownAnswer {
  std::vector<std::string> arguments;
  std::string out;
};

constexpr const char* kSmall = "f32[3,5]{1,0:T(2,2)}";
constexpr const char* kLarge = "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}";
constexpr const char* kNested = "((4,2),(4,3)):((4,16),(1,32))";

const KnownAnswer kKnownAnswers[] = {
    // The example of XLA's document: element (2,3) of a 3x5 array in tiles of 2x2 is at 17 of 24.
    {{"index", kSmall, "2,3"}, "17"},
    {{"index", kSmall, "(2,3)"}, "17"},
    {{"index", kSmall, " ( 2 , 3 ) "}, "17"},
    {{"index", kSmall, "2,3", "--json"}, R"({"offset":17,"elements":15,"padded_elements":24,"bytes":96})"},
    {{"coord", kSmall, "17"}, "2,3"},
    {{"coord", kSmall, "17", "--json"}, R"({"coordinate":[2,3]})"},
    {{"coord", kSmall, "20"}, "2,4"},
    {{"coord", kSmall, "9"}, "padding"},
    {{"coord", kSmall, "9", "--json"}, R"({"coordinate":null})"},
    {{"show", kSmall, "--json"},
     R"({"layout":"f32[3,5]{1,0:T(2,2)}","elements":15,"padded_elements":24,"bytes":96,"waste":0.375,"expanded":[2,3,2,2]})"},
    // Scalars.
    {{"index", "s32[]{:T(128)}", "()"}, "0"},
    {{"index", "s32[]{:T(128)}", "()", "--json"}, R"({"offset":0,"elements":1,"padded_elements":128,"bytes":512})"},
    {{"coord", "f32[]", "0"}, "()"},
    {{"coord", "f32[]", "0", "--json"}, R"({"coordinate":[]})"},
    {{"coord", "s32[]{:T(128)}", "1"}, "padding"},
    // One dimension: a bounded dimension counts as its bound, and small elements are packed.
    {{"index", "f32[8]{0:T(2,2)}", "5"}, "9"},
    {{"coord", "f32[8]{0:T(2,2)}", "9"}, "5"},
    {{"index", "s32[<=4096]{0:T(8)M(1024)}", "4095"}, "4095"},
    {{"index", "s4[3]{0:E(4)}", "2", "--json"}, R"({"offset":2,"elements":3,"padded_elements":3,"bytes":2})"},
    // Combined dimensions, and the largest example of XLA's document.
    {{"index", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "1,6,7,10,9", "--json"},
     R"({"offset":12430,"elements":12320,"padded_elements":12432,"bytes":49728})"},
    {{"index", "bf16[2,3,1004]{2,1,0:T(2,*,128)}", "1,2,1003"}, "6083"},
    {{"index", kLarge, "7,0,1279,16383"}, "167772159"},
    {{"coord", kLarge, "167772159"}, "7,0,1279,16383"},
    {{"show", kLarge, "--json"},
     R"({"layout":"bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}","elements":167772160,"padded_elements":167772160,)"
     R"("bytes":335544320,"waste":0.0,"expanded":[1,8,160,128,4,128,2,1]})"},
    {{"show", "f32[0,3]", "--json"},
     R"({"layout":"f32[0,3]{1,0}","elements":0,"padded_elements":0,"bytes":0,"waste":0.0,"expanded":[0,3]})"},
    {{"coord", "f32[200001,128]{1,0:T(8)L(1024)}", "25601023"}, "padding"},
    // The padded layout of 2017.
    {{"index", "f32[2,3]{0,1}pad[3,5]=0", "1,2"}, "7"},
    {{"coord", "f32[2,3]{0,1}pad[3,5]=0", "8", "--json"}, R"({"coordinate":null})"},
    {{"show", "f32[2,3]{0,1}pad[3,5]=0", "--json"},
     R"({"layout":"f32[2,3]{0,1}pad[3,5]=0","elements":6,"padded_elements":15,"bytes":60,"waste":0.6,"expanded":[5,3]})"},
    // Shape:stride layouts with flat, nested and integral coordinates.
    {{"index", kNested, "1,5"}, "37"},
    {{"index", kNested, "(1,5)"}, "37"},
    {{"index", kNested, "((1,0),(1,1))"}, "37"},
    {{"index", kNested, "41"}, "37"},
    {{"coord", kNested, "37"}, "((1,0),(1,1))"},
    {{"coord", kNested, "37", "--json"}, R"({"coordinate":[[1,0],[1,1]]})"},
    {{"index", kNested, "1,5", "--json"}, R"({"offset":37,"elements":96,"padded_elements":96})"},
    {{"coord", "(3,4):(5,1)", "4"}, "padding"},
    {{"index", "(4,2):(-1,4)", "3,0"}, "-3"},
    {{"coord", "(4,2):(-1,4)", "-3"}, "3,0"},
    // Composed layouts: bits 3 and 4 of 9 = 8 + 1 change its bits 0 and 1, which gives 8.
    {{"index", "Sw<2,0,3> o 0 o (8,8):(8,1)", "1,1"}, "8"},
    {{"coord", "Sw<2,0,3> o 0 o (8,8):(8,1)", "8"}, "1,1"},
    {{"index", "16 o (3,4):(5,1)", "2,3", "--json"}, R"({"offset":29,"elements":12,"padded_elements":30})"},
    // Fractal tags, with coordinates row,column.
    {{"index", "zN:f16[20,40]", "19,39"}, "1335"},
    {{"coord", "zN:f16[20,40]", "1335"}, "19,39"},
    {{"coord", "zN:f16[20,40]", "1535"}, "padding"},
    {{"index", "zN:f16[20,40]", "19,39", "--json"},
     R"({"offset":1335,"elements":800,"padded_elements":1536,"bytes":3072})"},
    // Conversions.
    {{"convert", "zN:f16[20,40]", "--to", "hlo", "--json"}, R"({"ok":true,"text":"f16[20,40]{0,1:T(16,16)(16,1)}"})"},
    {{"convert", "(8,16):(16,1)", "--to", "hlo", "--element-type", "bf16"}, "bf16[8,16]{1,0}"},
    {{"convert", kSmall, "--to", "pack", "--json"},
     R"({"ok":true,"text":"outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2]","outer_dims_perm":[0,1],"inner_dims_pos":[0,1],"inner_tiles":[2,2]})"},
    {{"convert", "f32[2,1,3]{0,1,2}", "--to", "c"},
     "#include <stdint.h>\n\n"
     "// The linear index of an element of f32[2,1,3]{0,1,2}.\n"
     "// Proved for every element: it is the index of the layout, and no part of it overflows.\n"
     "// Requires 0 <= i0 < 2, 0 <= i1 < 1, 0 <= i2 < 3.\n"
     "static inline int64_t layout_index(int64_t i0, int64_t i1, int64_t i2) {\n"
     "  (void)i1;\n"
     "  return i2 * 2 + i0;\n"
     "}"},
    // Canonical text.
    {{"parse", " f32 [ 3,5 ] { 1 , 0 : T( 2,2 ) } // small"}, "f32[3,5]{1,0:T(2,2)}"},
    {{"parse", "f32[3,5]"}, "f32[3,5]{1,0}"},
    {{"parse", "(f32[2], token[])", "--kind", "shape"}, "(f32[2]{0}, token[])"},
    {{"parse", "{ 1, 0 : T(8,128) S(1) }", "--kind", "layout"}, "{1,0:T(8,128)S(1)}"},
    {{"parse", "( (4, 2), _4 ) : ( (4,16), 1 )", "--kind", "shape-stride"}, "((4,2),_4):((4,16),1)"},
    {{"parse", "f32[3,5]", "--json"}, R"({"ok":true,"text":"f32[3,5]{1,0}"})"},
    // The two instruction lines of XLA's documents.
    {{"parse", "add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)", "--kind",
      "instruction"},
     "add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)"},
    {{"parse",
      "%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
      "%fusion.32), kind=kCustom, calls=%all-reduce-scatter.3",
      "--kind", "instruction"},
     "fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
     "fusion.32), kind=kCustom, calls=%all-reduce-scatter.3"},
};

TEST(KnownAnswers, Exactly) {
  size_t failures = 0;
  for (const KnownAnswer& row : kKnownAnswers) {
    const ProgramResult result = RunLayoutcheck(row.arguments);
    std::string command = "layoutcheck";
    for (const std::string& argument : row.arguments) command += " '" + argument + "'";
    const bool passed = result.exit_code == 0 && result.out == row.out + "\n" && result.err.empty();
    failures += !passed;
    EXPECT_TRUE(passed) << command << "\nexpected " << row.out << "\nactual   " << result.out << result.err
                        << "exit code " << result.exit_code;
  }
  std::printf("%zu examples, %zu failures\n", std::size(kKnownAnswers), failures);
}

TEST(KnownAnswers, Versions) {
  std::istringstream out(RunLayoutcheck({"--version"}).out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.push_back(line);
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], "layoutcheck 0.1.0");
  EXPECT_TRUE(lines[1].starts_with("Z3 4.")) << lines[1];
#ifdef LAYOUTCHECK_HAS_LLVM
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[2].starts_with("LLVM 19.")) << lines[2];
#endif
}

TEST(KnownAnswers, RejectionAsJson) {
  ProgramResult result = RunLayoutcheck({"parse", "f32[3,", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out,
            "{\"ok\":false,\"stage\":\"syntax\",\"column\":7,"
            "\"error\":\"expected a dimension (an integer >= 0, '<=' or '?'), found end of text\"}\n");
  result = RunLayoutcheck({"parse", "f32[2,2]{0,0}", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.out.starts_with("{\"ok\":false,\"stage\":\"layout\",\"column\":9,\"error\":\"")) << result.out;
  // Bytes that are not UTF-8 become valid JSON.
  result = RunLayoutcheck({"parse", "f32[\xff]", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.out.ends_with("}\n"));
}

TEST(ParseStandardInput, LineByLine) {
  const ProgramResult result = RunLayoutcheck({"parse", "-"}, "f32[2]\r\n\nf32[3\nf32[ 4 ]");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "f32[2]{0}\nf32[4]{0}\n");
  EXPECT_TRUE(result.err.starts_with("line 3: column 6: expected ")) << result.err;
  EXPECT_EQ(RunLayoutcheck({"parse", "-"}, "f32[2]\nf32[3]\n").exit_code, 0);
  EXPECT_EQ(RunLayoutcheck({"parse", "-"}, "").exit_code, 0);
}

TEST(ParseStandardInput, JsonLinesCarryTheirNumber) {
  const ProgramResult result = RunLayoutcheck({"parse", "-", "--json"}, "f32[2]\n\nf32[3");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.out.starts_with("{\"ok\":true,\"text\":\"f32[2]{0}\",\"line\":1}\n{\"ok\":false,")) << result.out;
  EXPECT_TRUE(result.out.ends_with(",\"line\":3}\n")) << result.out;
}

TEST(ParseStandardInput, InstructionsOfADump) {
  constexpr const char* kDump =
      "HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}\n"
      "\n"
      "// the program\n"
      "ENTRY %main (p: f32[2]) -> f32[2] {\n"
      "  %p = f32[2]{0} parameter(0)\n"
      "  %bad = f32[2 add(p, p)\n"
      "  ROOT %a = f32[2]{0} add(%p, %p), metadata={op_name=\"a\"}\n"
      "}\n";
  const ProgramResult result = RunLayoutcheck({"parse", "-", "--kind", "instruction"}, kDump);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "p = f32[2]{0} parameter(0)\nROOT a = f32[2]{0} add(p, p), metadata={op_name=\"a\"}\n");
  EXPECT_TRUE(result.err.starts_with("line 6: column 16: expected ")) << result.err;
  EXPECT_TRUE(result.err.ends_with("\n2 instructions, 1 rejected, 5 other lines left out\n")) << result.err;
}

}  // namespace
}  // namespace layoutcheck
