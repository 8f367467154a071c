// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/dump_reader.h"
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace layoutcheck {
namespace {

struct ClassifiedLine {
  std::string_view line;
  DumpLineKind kind;
};

TEST(DumpReader, ClassifiesTheLinesOfAModule) {
  using enum DumpLineKind;
  const ClassifiedLine rows[] = {
      {"HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8]{0:T(8)})->f32[8]{0}}", kModuleHeader},
      {"", kBlank},
      {"  \t\r\n", kBlank},
      {"// a comment", kBlank},
      {"/* another */ // twice", kBlank},
      {"FileNames", kTable},
      {"1 \"/a/b.py\"", kTable},
      {"FunctionNames", kTable},
      {"FileLocations", kTable},
      {"1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=2}", kTable},
      {"StackFrames", kTable},
      {"%add (x: f32[], y: f32[]) -> f32[] {", kComputationHead},
      {"region_0.1 {", kComputationHead},
      {"fused_computation (p: f32[8]) -> f32[8] {", kComputationHead},
      {"  %x = f32[] parameter(0)", kInstruction},
      {"  ROOT %add.1 = f32[] add(%x, %y)\r\n", kInstruction},
      {"}", kBrace},
      {"}, execution_thread=\"main\"", kBrace},
      {"{", kBrace},
      {"ENTRY %main (p: f32[8]) -> f32[8] {", kComputationHead},
      {"ENTRY main {", kComputationHead},
      {"add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115) // hot",
       kInstruction},
      {"f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})", kInstruction},
      {"b(f32[2]) copy(b(f32[2]))", kInstruction},
      {"(f32[2], f32[2]) tuple(a, b)", kInstruction},
  };
  DumpReader reader;
  for (const ClassifiedLine& row : rows) {
    const Expected<DumpLine> line = reader.Read(row.line);
    ASSERT_TRUE(line.has_value()) << row.line << ": " << line.error().ToString();
    EXPECT_EQ(line->kind, row.kind) << row.line;
    EXPECT_EQ(line->instruction.has_value(), row.kind == kInstruction) << row.line;
  }
}

TEST(DumpReader, CommentsOverSeveralLines) {
  DumpReader reader;
  EXPECT_EQ(reader.Read("x = f32[2] op(a) /* starts")->instruction->name, "x");
  EXPECT_EQ(reader.Read("y = f32[2] op(a)")->kind, DumpLineKind::kBlank);
  EXPECT_EQ(reader.Read("ends */ z = f32[2] op(\"/*\")").error().column, 23);
  EXPECT_EQ(reader.Read("z = f32[2] op(a), m={\"/*\"}")->instruction->name, "z");
  EXPECT_EQ(reader.Read("w = f32[2] op(a) // /*")->instruction->name, "w");
  EXPECT_EQ(reader.Read("v = f32[2] op(a)")->instruction->name, "v");
  EXPECT_EQ(reader.Read("/*")->kind, DumpLineKind::kBlank);
  EXPECT_EQ(reader.Read("*/ /*")->kind, DumpLineKind::kBlank);
  EXPECT_EQ(reader.Read("*/ } ")->kind, DumpLineKind::kBrace);
}

TEST(DumpReader, ErrorsHaveColumnsAndReadingGoesOn) {
  DumpReader reader;
  const Error unreadable = reader.Read("  x = f32[2 op(a)").error();
  EXPECT_EQ(unreadable.kind, ErrorKind::kSyntax);
  EXPECT_EQ(unreadable.column, 13);
  EXPECT_EQ(reader.Read("  x = f32[2]{5} op(a)").error().kind, ErrorKind::kInvalidLayout);
  EXPECT_FALSE(reader.Read("*** Begin of the dump ***").has_value());
  EXPECT_FALSE(reader.Read("call(a, b)").has_value());
  EXPECT_FALSE(reader.Read("<html>").has_value());
  EXPECT_EQ(reader.Read("x = f32[2] op(a)")->instruction->name, "x");
}

TEST(DumpReader, LongLines) {
  std::string line = "x = f32[1000000]{0} constant({1";
  for (int i = 1; i < 1'000'000; ++i) line += ", 1";
  line += "}), metadata={op_name=\"a\"}";
  DumpReader reader;
  EXPECT_EQ(ToString(*reader.Read(line)->instruction), line);
}

}  // namespace
}  // namespace layoutcheck
