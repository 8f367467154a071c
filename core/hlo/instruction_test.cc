// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/instruction.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

struct AcceptedInstruction {
  std::string_view text;
  std::string_view canonical;
};

void ExpectCanonical(const AcceptedInstruction& row, const Expected<HloInstruction>& instruction,
                     Expected<HloInstruction> (*read_again)(std::string_view)) {
  ASSERT_TRUE(instruction.has_value()) << row.text << ": " << instruction.error().ToString();
  EXPECT_EQ(ToString(*instruction), row.canonical);
  const Expected<HloInstruction> again = read_again(row.canonical);
  ASSERT_TRUE(again.has_value()) << row.canonical << ": " << again.error().ToString();
  EXPECT_EQ(*again, *instruction) << row.canonical;
}

Expected<HloInstruction> ParseAlone(std::string_view text) { return ParseInstruction(text); }

TEST(Instruction, StrictCanonicalTexts) {
  const AcceptedInstruction rows[] = {
      {"f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})", "f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})"},
      {"%multiply = f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})",
       "multiply = f32[2,4]{1,0} multiply(f32[2,4]{1,0}, f32[2,4]{1,0})"},
      {"foo =f32[2] add(f32[2] a, f32[2] b)", "foo = f32[2]{0} add(f32[2]{0} a, f32[2]{0} b)"},
      {"%foo=f32[2] add(f32[2] %a, f32[2] %b)", "foo = f32[2]{0} add(f32[2]{0} a, f32[2]{0} b)"},
      {"ROOT x = f32[2] negate(f32[2] %f32)", "ROOT x = f32[2]{0} negate(f32[2]{0} %f32)"},
      {"%ROOT = f32[2] negate(f32[2] %b01f_01io)", "%ROOT = f32[2]{0} negate(f32[2]{0} b01f_01io)"},
      {"x = f32[2] add(f32[2] b, b)", "x = f32[2]{0} add(f32[2]{0} b, b)"},
      {"x = add(f32[2] a, f32[?] a)", "x = add(f32[2]{0} a, f32[?]{0} a)"},
      {"b(f32[2]) copy(b(f32[2]))", "b(f32[2]{0}) copy(b(f32[2]{0}))"},
      {"x = f32[] get-tuple-element((f32[], s32[]) t#1), index=0",
       "x = f32[] get-tuple-element((f32[], s32[]) t#1), index=0"},
      {"x = f32[2] add(f32[2] negate(f32[2] a), negate(f32[2]))",
       "x = f32[2]{0} add(f32[2]{0} negate(f32[2]{0} a), negate(f32[2]{0}))"},
      {"p = f32[3,5] parameter(0)", "p = f32[3,5]{1,0} parameter(0)"},
      {"p = (f32[3,5], f32[]) parameter( 2 ), parameter_replication={true,false}",
       "p = (f32[3,5]{1,0}, f32[]) parameter(2), parameter_replication={true,false}"},
      {"p = (f32[], (token[], ())) parameter(0), parameter_replication={ true , false }",
       "p = (f32[], (token[], ())) parameter(0), parameter_replication={ true , false }"},
      {"c = f32[2,2] constant({ { 1, 2 }, {-inf,nan} })", "c = f32[2,2]{1,0} constant({ { 1, 2 }, {-inf,nan} })"},
      {"c = c64[] constant((1.5, -2))", "c = c64[] constant((1.5, -2))"},
      {"i = s32[4] iota(), iota_dimension=0", "i = s32[4]{0} iota(), iota_dimension=0"},
      {"a = f32[2] all-reduce-start(f32[2] x), replica_groups=[2,4]<=[4,2]T(1,0), channel_id=1, sharding={replicated}",
       "a = f32[2]{0} all-reduce-start(f32[2]{0} x), replica_groups=[2,4]<=[4,2]T(1,0), channel_id=1, "
       "sharding={replicated}"},
      {"c = f32[1] convolution(f32[1] x, f32[1] y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
       "c = f32[1]{0} convolution(f32[1]{0} x, f32[1]{0} y), window={size=3x3 pad=1_1x1_1}, "
       "dim_labels=b01f_01io->b01f"},
      {"f = f32[2] fusion(f32[2] a), kind=kLoop, calls={ p = f32[2] parameter(0) }, backend_config={\"k\":[1.5,true]}",
       "f = f32[2]{0} fusion(f32[2]{0} a), kind=kLoop, calls={ p = f32[2] parameter(0) }, "
       "backend_config={\"k\":[1.5,true]}"},
      {"x = f32[2] custom-call(), custom_call_target=\"a)\\\",{b\", metadata={op_name=\"}\"}",
       "x = f32[2]{0} custom-call(), custom_call_target=\"a)\\\",{b\", metadata={op_name=\"}\"}"},
      {" x // name\n = /* shape */ f32[2]\n{0}\tnegate ( f32[2] a ) , index=1 // end",
       "x = f32[2]{0} negate(f32[2]{0} a), index=1"},
  };
  for (const AcceptedInstruction& row : rows) ExpectCanonical(row, ParseInstruction(row.text), ParseAlone);
}

TEST(Instruction, TolerantCanonicalTexts) {
  const AcceptedInstruction rows[] = {
      // These two lines are from XLA's documentation.
      {"add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)",
       "add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)"},
      {"%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
       "%fusion.32), kind=kCustom, calls=%all-reduce-scatter.3",
       "fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
       "fusion.32), kind=kCustom, calls=%all-reduce-scatter.3"},
      {"  ROOT %t = (f32[2]{0}, s32[]) tuple(%a, %b#0#1), control-predecessors={%c}",
       "ROOT t = (f32[2]{0}, s32[]) tuple(a, b#0#1), control-predecessors={%c}"},
      {"foo=f32[2] add(a, b)", "foo = f32[2]{0} add(a, b)"},
      {"x = f32[2] my-new-op(a), kind =kLoop, kind=kInput", "x = f32[2]{0} my-new-op(a), kind=kLoop, kind=kInput"},
      {"x = my-new-op()", "x = my-new-op()"},
      {"x = f32[2] constant({...})", "x = f32[2]{0} constant({...})"},
      {"x = f32[2] constant()", "x = f32[2]{0} constant()"},
      {"p = f32[2] parameter(-1)", "p = f32[2]{0} parameter(-1)"},
      {"x = f32[2] op(a), attr=[2]@mesh_0 <odd> {1;2}, other=1",
       "x = f32[2]{0} op(a), attr=[2]@mesh_0 <odd> {1;2}, other=1"},
      {"f32[2] add(f32[2] a, b)", "f32[2]{0} add(f32[2]{0} a, b)"},
      {"x = (f32[1], f32[1], f32[1], f32[1], f32[1], /*index=5*/f32[1]) tuple(a, a, a, a, a, /*index=5*/a)",
       "x = (f32[1]{0}, f32[1]{0}, f32[1]{0}, f32[1]{0}, f32[1]{0}, /*index=5*/f32[1]{0}) tuple(a, a, a, a, a, a)"},
  };
  for (const AcceptedInstruction& row : rows)
    ExpectCanonical(row, ReadInstructionLine(row.text),
                    [](std::string_view line) { return ReadInstructionLine(line); });
}

TEST(Instruction, PartsOfALine) {
  const HloInstruction line =
      ReadInstructionLine(
          "ROOT %f.1 = f32[2] fusion(f32[4]{0:T(8)} %a#2, b, s8[], c64[] neg(d)), kind=kLoop , calls=%g")
          .value();
  EXPECT_TRUE(line.is_root);
  EXPECT_EQ(line.name, "f.1");
  EXPECT_EQ(line.shape, ParseShape("f32[2]").value());
  EXPECT_EQ(line.opcode, "fusion");
  ASSERT_EQ(line.operands.size(), 4u);
  EXPECT_EQ(line.operands[0].name, "a");
  EXPECT_EQ(line.operands[0].shape, ParseShape("f32[4]{0:T(8)}").value());
  EXPECT_EQ(line.operands[0].tuple_indices, std::vector<int64_t>{2});
  EXPECT_EQ(line.operands[1].name, "b");
  EXPECT_FALSE(line.operands[1].shape.has_value());
  EXPECT_EQ(line.operands[2].name, "");
  EXPECT_TRUE(line.operands[2].shape.has_value());
  ASSERT_EQ(line.operands[3].instruction.size(), 1u);
  EXPECT_EQ(line.operands[3].instruction[0].opcode, "neg");
  EXPECT_EQ(line.operands[3].instruction[0].operands[0].name, "d");
  EXPECT_EQ(line.attributes, (std::vector<HloAttribute>{{"kind", "kLoop"}, {"calls", "%g"}}));
  EXPECT_EQ(ParseInstruction("c = s32[2] constant({1, 2})")->literal, "{1, 2}");
}

struct RejectedInstruction {
  std::string_view text;
  int64_t column;
  std::string_view part_of_message;
  ErrorKind kind = ErrorKind::kSyntax;
};

void ExpectRejected(const RejectedInstruction& row, const Expected<HloInstruction>& instruction) {
  ASSERT_FALSE(instruction.has_value()) << row.text;
  const Error& error = instruction.error();
  EXPECT_EQ(error.kind, row.kind) << row.text << ": " << error.ToString();
  EXPECT_EQ(error.column, row.column) << row.text << ": " << error.ToString();
  EXPECT_NE(error.message.find(row.part_of_message), std::string::npos) << row.text << ": " << error.ToString();
}

TEST(Instruction, StrictErrors) {
  const RejectedInstruction rows[] = {
      {"", 1, "expected an instruction name or a shape, found end of text"},
      {"HloModule m", 1, "found 'HloModule'"},
      {"foo { }", 5, "expected '=' after the instruction name, found '{'"},
      {"foo=f32[2] add(f32[2] a, f32[2] b)", 1, "expected an instruction name with a space before '='"},
      {"foo: = f32[2] negate(f32[2])", 1, "expected an instruction name"},
      {"f32 = f32[2] negate(f32[2])", 5, "expected '[' after the element type"},
      {"%f32 = f32[2] negate(f32[2])", 1, "expected an instruction name that is no element type, found '%f32'"},
      {"a = f32[2] negate(f32[2] a)", 19, "expected an operand other than the instruction itself, found 'a'"},
      {"%a = f32[2] negate(f32[2] negate(f32[2] a))", 34, "expected an operand other than the instruction itself"},
      {"true = f32[2] negate(f32[2])", 1, "found 'true'"},
      {"ROOT = f32[2] negate(f32[2])", 6, "expected an instruction name after ROOT"},
      {"% x = f32[2] negate(f32[2])", 1, "found a name without letters '%'"},
      {"x = f32[2", 10, "expected ',' or ']' after a dimension"},
      {"x = f32[2]", 11, "expected an opcode after the shape, found end of text"},
      {"x = f32[2] nonsense(f32[2])", 12, "expected an opcode, found 'nonsense'"},
      {"x = parameter(0)", 5, "expected a shape before the opcode parameter"},
      {"x = f32[2] add", 15, "expected '(' after the opcode"},
      {"x = f33[2] add(a)", 5, "expected an element type, found 'f33'"},
      {"x = f32[2] add(f32[2] a, )", 26, "expected an operand (a name, a shape or an instruction), found ')'"},
      {"x = f32[2] add(f32[2] a f32[2] b)", 25, "expected ',' or ')' after an operand"},
      {"x = f32[2] add(f32[2] a", 24, "found end of text"},
      {"x = f32[2] add(f32[2] a#b)", 25, "expected a tuple index >= 0 after '#'"},
      {"x = f32[2] add(f32[2] a, convert(f32[2] b))", 26, "expected a shape before the opcode convert"},
      {"x = f32[2] add(f32[2] a, foo(f32[2] b))", 26, "expected an opcode, found 'foo'"},
      {"%multiply = f32[2,4]{1,0} multiply(%broadcast, %x)", 36, "Operand had no shape in HLO text"},
      {"add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)} add(exponential.183, broadcast.3115)", 59,
       "instruction does not exist: exponential.183"},
      {"x = f32[2] add(f32[2] a, f32[3] a)", 26,
       "The declared operand shape f32[3]{0} is not compatible with the shape of the operand instruction f32[2]{0}"},
      {"p = f32[3,5] parameter(-1)", 24, "parameter number must be >= 0"},
      {"p = f32[3,5] parameter()", 24, "expected a parameter number, found ')'"},
      {"p = f32[3,5] parameter(0, 1)", 25, "expected ')' after the literal"},
      {"p = (f32[3,5], f32[]) parameter(0), parameter_replication={true,false,true}", 59,
       "parameter has 2 leaf buffers, but parameter_replication has 3 elements"},
      {"p = f32[] parameter(0), parameter_replication={1}", 47, "expected a list of true and false"},
      {"p = f32[] parameter(0), parameter_replication={true,}", 47, "expected a list of true and false"},
      {"c = f32[] constant()", 20, "expected a literal"},
      {"c = f32[] constant(@)", 20, "found the stray character '@'"},
      {"param = f32[2,5,1,3] parameter(0)\ntranspose = f32[1,5,2,3] transpose(param), dimensions={2,1,0,3}", 35,
       "Expected eof"},
      {"x = f32[2] negate(f32[2]) index=1", 27, "Expected eof"},
      {"x = f32[2] negate(f32[2]),", 27, "expected an attribute name with '=' attached to it, found end of text"},
      {"x = f32[2] negate(f32[2]), index =1", 28, "expected an attribute name with '=' attached to it, found 'index'"},
      {"%f = f32[2] fusion(f32[2] %a), kind =kLoop, calls={ p = f32[2] parameter(0) }", 32,
       "expected an attribute name with '=' attached to it"},
      {"x = f32[2] negate(f32[2]), index=", 34, "expected the value of an attribute, found end of text"},
      {"x = f32[2] negate(f32[2]), index=, a=1", 34, "expected the value of an attribute, found ','"},
      {"x = f32[2] negate(f32[2]), index=1 2", 36, "Expected eof"},
      {"x = f32[2] negate(f32[2]), index=x:", 34, "expected the value of an attribute, found 'x:'"},
      {"x = f32[2] negate(f32[2]), index=1, index=2", 37, "expected each attribute once, found 'index' again"},
      {"x = f32[2] negate(f32[2]), a={1,(2}", 35, "expected the bracket that closes '(' at column 33, found '}'"},
      {"x = f32[2] negate(f32[2]), a={1", 32, "expected the end of what '{' at column 30 opens, found end of text"},
      {"x = f32[2] negate(f32[2]), a={@}", 31, "found the stray character '@'"},
      {"x = f32[2] negate(f32[2]), a=[2]<=", 35, "expected '[', '{' or '('"},
      {"x = f32[2] fusion(f32[2] a), calls={ p = f32[2] parameter(0) }", 63, "the attribute kind= of a fusion"},
      {"x = f32[2] fusion(f32[2] a), kind=kLoop", 40, "the attribute calls= of a fusion"},
      {"x = f32[2] fusion(f32[2] a), kind=kFoo, calls={}", 35, "expected a fusion kind"},
      {"x = f32[2] fusion(f32[2] a), kind=kCustom, calls=%g", 50, "computation does not exist: g"},
      {"x = f32[] reduce(f32[2], f32[]), dimensions={0}, to_apply=add", 59, "computation does not exist: add"},
      {"x = f32[] call(f32[2]), called_computations={%g, %h}", 46, "computation does not exist: g"},
      {"x = f32[2]{5} negate(f32[2])", 11, "out-of-bounds value 5", ErrorKind::kInvalidLayout},
      {"x = f32[2] negate(f32[2]{0,0:T(0)} a)", 25, "minor to major size is 2"},
      {"x = f32[2] negate(f32[2]{0:T(0)} a)", 25, "invalid tiles", ErrorKind::kInvalidLayout},
  };
  for (const RejectedInstruction& row : rows) ExpectRejected(row, ParseInstruction(row.text));
}

TEST(Instruction, TolerantErrors) {
  const RejectedInstruction rows[] = {
      {"add(a, b)", 4, "expected '=' after the instruction name, found '('"},
      {"x = ", 5, "expected a shape or an opcode, found end of text"},
      {"x = f32[2] add(a, b", 20, "expected ',' or ')' after an operand, found end of text"},
      {"x = f32[2] add(a, 7)", 19, "expected an operand"},
      {"x = f32[2] constant({1, 2)", 26, "expected the bracket that closes '{' at column 21"},
      {"x = f32[2] op(a), m={\"}", 24, "expected the end of what '{' at column 21 opens"},
      {"x = f32[2] op(a), m=}", 21, "expected a value before the closing bracket"},
      {"x = f32[2] op(a), %m=1", 19, "expected an attribute name"},
      {"x = f32[2] op(a) trailing", 18, "expected ',' and an attribute"},
      {"x = op(x)", 8, "expected an operand other than the instruction itself, found 'x'"},
      {"%f32 = op(x)", 1, "expected an instruction name that is no element type"},
      {"x = f32[2]{5} op(a)", 11, "out-of-bounds value 5", ErrorKind::kInvalidLayout},
  };
  for (const RejectedInstruction& row : rows) ExpectRejected(row, ReadInstructionLine(row.text));
}

TEST(Instruction, NamesInScopeHaveTheirShapes) {
  const HloScope scope = {{"constant.1", ParseShape("f32[2,2]").value()}};
  EXPECT_TRUE(ParseInstruction("ROOT %add.1 = f32[2,2] add(f32[2,2] %p, %constant.1)", scope).has_value());
  const Expected<HloInstruction> mismatch =
      ParseInstruction("ROOT %add.1 = f32[2,2] add(f32[2,2] %p, f32[2,5] %constant.1)", scope);
  ASSERT_FALSE(mismatch.has_value());
  EXPECT_EQ(mismatch.error().message,
            "The declared operand shape f32[2,5]{1,0} is not compatible with the shape of the operand instruction "
            "f32[2,2]{1,0}");
}

TEST(Instruction, NestingLimits) {
  const auto nested = [](int64_t levels) {
    std::string text = "x = f32[]";
    for (int64_t i = 0; i < levels; ++i) text += " negate(f32[]";
    return text + std::string(static_cast<size_t>(levels), ')');
  };
  const std::string deepest = nested(kMaxNestedInstructions);
  EXPECT_EQ(ToString(ParseInstruction(deepest).value()), deepest);
  EXPECT_NE(ParseInstruction(nested(kMaxNestedInstructions + 1)).error().message.find("nested instructions"),
            std::string::npos);
  EXPECT_FALSE(ReadInstructionLine(nested(1'000'000)).has_value());
  // The parser compares the shapes of two mentions of one name, here the deepest ones.
  const std::string tuple = std::string(8192, '(') + std::string(8192, ')');
  const std::string twice = StrCat("x = ", tuple, " copy(", tuple, " a, ", tuple, " a)");
  EXPECT_EQ(ToString(ParseInstruction(twice).value()), twice);
  const std::string brackets(1'000'000, '{');
  EXPECT_FALSE(ReadInstructionLine(StrCat("x = f32[] op(a), m=", brackets)).has_value());
  const std::string closed = StrCat("x = f32[] op(a), m=", brackets, std::string(1'000'000, '}'));
  EXPECT_EQ(ToString(ReadInstructionLine(closed).value()), closed);
}

}  // namespace
}  // namespace layoutcheck
