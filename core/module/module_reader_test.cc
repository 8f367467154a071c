// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/module_reader.h"
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/module_problems.h"

namespace layoutcheck {
namespace {

const ModuleInstruction& Named(const HloModule& module, std::string_view name) {
  for (const ModuleComputation& computation : module.computations) {
    for (const ModuleInstruction& instruction : computation.instructions) {
      if (instruction.name == name) return instruction;
    }
  }
  static const ModuleInstruction none;
  ADD_FAILURE() << "no instruction " << name;
  return none;
}

std::string TextOf(const Shape* shape) { return shape == nullptr ? "none" : ToString(*shape); }

// Returns the names of the computations that the instruction calls, and "?" for one that the module does not have.
std::vector<std::string> Callees(const HloModule& module, std::string_view name) {
  std::vector<std::string> callees;
  for (const ComputationCall& call : Named(module, name).calls) {
    callees.emplace_back(call.computation < 0 ? "?" : module.computations[static_cast<size_t>(call.computation)].name);
  }
  return callees;
}

using Texts = std::vector<std::string>;

TEST(ModuleReader, HeaderOfAModule) {
  const HloModule module = ReadModule(
      "HloModule jit_f.7, is_scheduled=true, input_output_alias={ {0}: (1, {}, may-alias), {1,0}: (2, {3}, must-alias) "
      "}, buffer_donor={ (0, {}) }, entry_computation_layout={(f32[2,3]{0,1:T(2,2)}, /*index=1*/(s32[], f32[4]{0}))->"
      "(f32[2]{0}, pred[])}, allow_spmd_sharding_propagation_to_output={true,true}, "
      "frontend_attributes={fingerprint_before_lhs=\"ab,c}\"}\n");
  EXPECT_EQ(Problems(module), Texts{"1:1: expected computations after the header, found none"});
  EXPECT_EQ(module.name, "jit_f.7");
  EXPECT_TRUE(module.is_scheduled);
  ASSERT_EQ(module.entry_parameters.size(), 2);
  EXPECT_EQ(TextOf(module.entry_parameters[0]), "f32[2,3]{0,1:T(2,2)}");
  EXPECT_EQ(TextOf(module.entry_parameters[1]), "(s32[], f32[4]{0})");
  EXPECT_EQ(TextOf(module.entry_result), "(f32[2]{0}, pred[])");
  ASSERT_EQ(module.aliases.size(), 2);
  EXPECT_EQ(module.aliases[0].output, (std::vector<int64_t>{0}));
  EXPECT_EQ(module.aliases[0].parameter, 1);
  EXPECT_FALSE(module.aliases[0].must_alias);
  EXPECT_EQ(module.aliases[1].output, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(module.aliases[1].index, (std::vector<int64_t>{3}));
  EXPECT_TRUE(module.aliases[1].must_alias);
}

TEST(ModuleReader, OperandsWithAndWithoutShapesAndPercent) {
  const HloModule module = ReadModule(R"(HloModule m

ENTRY %main.1 (a: f32[2], b: (f32[3], s32[])) -> f32[2] {
  %a = f32[2]{0} parameter(0)
  b = (f32[3]{0}, s32[]) parameter(1)
  %c.2 = f32[2]{0} add(%a, f32[2]{0} %a)
  d = f32[3]{0} get-tuple-element(b), index=0
  e = f32[3]{0} add(d, b#0)
  ROOT r = f32[2]{0} add(c.2, f32[2] negate(f32[2] a))
}
)");
  EXPECT_EQ(Problems(module), Texts{});
  ASSERT_NE(module.Entry(), nullptr);
  const ModuleComputation& entry = *module.Entry();
  EXPECT_EQ(entry.name, "main.1");
  EXPECT_EQ(entry.parameters, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(TextOf(entry.head_parameters.at(1)), "(f32[3], s32[])");
  EXPECT_EQ(TextOf(entry.head_result), "f32[2]");
  const ModuleInstruction& add = Named(module, "c.2");
  EXPECT_EQ(add.place, (TextPlace{6, 3}));
  EXPECT_EQ(add.text, "%c.2 = f32[2]{0} add(%a, f32[2]{0} %a)");
  EXPECT_EQ(add.operands.at(0).instruction, 0);
  EXPECT_EQ(add.operands[0].printed, nullptr);
  EXPECT_EQ(TextOf(add.operands[0].defined), "f32[2]{0}");
  EXPECT_EQ(add.operands.at(1).printed, add.operands[0].defined);  // equal shapes have one address
  EXPECT_EQ(Named(module, "d").number, 0);
  EXPECT_EQ(TextOf(Named(module, "e").operands.at(1).defined), "f32[3]{0}");
  // A nested instruction comes before the one that it is an operand of.
  ASSERT_NE(entry.Root(), nullptr);
  EXPECT_EQ(entry.Root()->name, "r");
  EXPECT_EQ(entry.instructions[static_cast<size_t>(entry.Root()->operands.at(1).instruction)].opcode, "negate");
}

TEST(ModuleReader, OutputsThatAreAliasedToOperands) {
  const HloModule module = ReadModule(R"(ENTRY main {
  x = f32[8]{0} parameter(0)
  c = (f32[8]{0}, f32[8]{0}) custom-call(x), custom_call_target="f", output_to_operand_aliasing={{1}: (0, {2,3})}
  ROOT d = f32[8]{0} fusion(x), kind=kLoop, calls=f, output_to_operand_aliasing={{}: (0, {}), {}: 1}
}
)");
  EXPECT_EQ(Problems(module), Texts{});
  ASSERT_EQ(Named(module, "c").aliases.size(), 1u);
  EXPECT_EQ(Named(module, "c").aliases[0].output, std::vector<int64_t>{1});
  EXPECT_EQ(Named(module, "c").aliases[0].parameter, 0);
  EXPECT_EQ(Named(module, "c").aliases[0].index, (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(Named(module, "c").aliases[0].must_alias);
  EXPECT_TRUE(Named(module, "d").aliases.empty());
}

TEST(ModuleReader, AComputationInBracesCostsItself) {
  const HloModule module = ReadModule(R"(ENTRY main {
  x = f32[8]{0} parameter(0)
  c = f32[8]{0} call(x), to_apply={
    y = f32[8]{0} parameter(0)
    ROOT x = f32[9]{0} negate(y), calls={
      z = f32[7]{0} parameter(0)
    }
  }
  ROOT d = f32[8]{0} negate(x)
}
ENTRY other {
  c = f32[8]{0} call(), to_apply={
ENTRY third {
  ROOT d = f32[8]{0} parameter(0)
}
)");
  EXPECT_EQ(Problems(module), (Texts{"3:3: the computation in braces that the instruction calls is not read",
                                     "11:1: this is a second ENTRY; only the first, 'main', is counted",
                                     "12:35: expected the end of what '{' at column 34 opens, found end of text",
                                     "13:1: this is a second ENTRY; only the first, 'main', is counted"}));
  ASSERT_EQ(module.computations.size(), 3u);
  EXPECT_EQ(module.computations[0].instructions.size(), 3u);
  EXPECT_EQ(module.computations[0].Root()->operands[0].instruction, 0);
  EXPECT_EQ(module.computations[2].instructions.size(), 1u);
}

TEST(ModuleReader, CalledComputations) {
  const HloModule module = ReadModule(R"(HloModule m
ENTRY f { x = f32[] constant(0) }
g {
  ROOT p = f32[] parameter(0)
}
h (p: f32[]) -> f32[] {
  ROOT q = f32[] parameter(0)
}
k.1 {
  ROOT q.1 = f32[] parameter(0)
}, execution_thread="host"
ENTRY main {
  x = f32[] parameter(0)
  fusion = f32[] fusion(x), kind=kLoop, calls=%g
  while = f32[] while(x), condition=h, body=%g
  if = f32[] conditional(x, x, x), branch_computations={%g, h, k.1}
  if.2 = f32[] conditional(x, x, x), true_computation=g, false_computation=%h
  call = f32[] call(x), to_apply=later
  reduce = f32[] reduce(x, x), dimensions={}, to_apply=%k.1
  start = ((f32[]), f32[], s32[]) async-start(x), calls=g, async_execution_thread="host"
  custom = f32[] custom-call(x), custom_call_target="t", called_computations={%g, %h}
  select = f32[] select-and-scatter(x, x, x), select=g, scatter=h
  ROOT missing = f32[] call(x), to_apply=nowhere
}
later {
  ROOT z = f32[] parameter(0)
}
)");
  EXPECT_EQ(Problems(module), (Texts{"2:11: expected the end of the line after '{', found 'x'",
                                     "12:1: this is a second ENTRY; only the first, 'f', is counted"}));
  EXPECT_EQ(Callees(module, "fusion"), Texts{"g"});
  EXPECT_EQ(Callees(module, "while"), (Texts{"h", "g"}));
  EXPECT_EQ(Named(module, "while").calls[0].role, CallRole::kCondition);
  EXPECT_EQ(Named(module, "while").calls[1].role, CallRole::kBody);
  EXPECT_EQ(Callees(module, "if"), (Texts{"g", "h", "k.1"}));
  EXPECT_EQ(Callees(module, "if.2"), (Texts{"g", "h"}));
  EXPECT_EQ(Named(module, "if.2").calls[1].role, CallRole::kBranch);
  EXPECT_EQ(Callees(module, "call"), Texts{"later"});
  EXPECT_EQ(Callees(module, "reduce"), Texts{"k.1"});
  EXPECT_EQ(Named(module, "reduce").calls[0].role, CallRole::kApply);
  EXPECT_EQ(Callees(module, "start"), Texts{"g"});
  EXPECT_EQ(Callees(module, "custom"), (Texts{"g", "h"}));
  EXPECT_EQ(Callees(module, "select"), (Texts{"g", "h"}));
  EXPECT_EQ(Callees(module, "missing"), Texts{"?"});
}

TEST(ModuleReader, SourcesInMetadataAndInStackFrames) {
  const HloModule module = ReadModule(R"(HloModule m

FileNames
1 "/src/model.py"
2 "/src/layers.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=5 end_line=5 column=2 end_column=9}
2 {file_name_id=2 function_name_id=1 line=70 end_line=70 column=2 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

ENTRY main {
  a = f32[] parameter(0), metadata={op_name="jit(f)/[a, b]" source_file="own.py" source_line=12}
  b = f32[] negate(a), metadata={op_type="neg" op_name="x" stack_frame_id=2}
  c = f32[] negate(b), metadata={op_name="x" stack_frame_id=99}
  ROOT d = f32[] negate(c)
}
)");
  EXPECT_EQ(Problems(module), Texts{});
  EXPECT_EQ(Named(module, "a").source_file, "own.py");
  EXPECT_EQ(Named(module, "a").source_line, 12);
  EXPECT_EQ(Named(module, "b").source_file, "/src/layers.py");
  EXPECT_EQ(Named(module, "b").source_line, 70);
  EXPECT_EQ(Named(module, "c").source_file, "");
  EXPECT_EQ(Named(module, "d").source_line, 0);
}

TEST(ModuleReader, TextsOverSeveralLines) {
  const HloModule module = ReadModule(R"(HloModule m,
    is_scheduled=true,
    entry_computation_layout={(f32[2]{0})->
        f32[2]{0}}

ENTRY main (a: f32[2],
            b: f32[2]) -> f32[2]
{
  c = s32[2,2] constant({
    {1, 2},
    {3, 4}
  })
  a = f32[2]{0} parameter(0) /* a comment
    over f32[1] lines */
  t = (f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}, f32[2]{0}, /*index=5*/f32[2]{0}) tuple(a, a, a,
      a, a, /*index=5*/a)
  f = f32[2]{0} fusion(a),
      kind=kLoop, calls=other,
      backend_config={
        "sizes": ["1", "2"]
      }
  p=f32[2]{0} parameter(1)
  ROOT g = f32[2]{0}
      get-tuple-element(t), index=5
}
)");
  EXPECT_EQ(Problems(module), Texts{"17:3: the instruction calls 'other', which is no computation of the module"});
  EXPECT_TRUE(module.is_scheduled);
  EXPECT_EQ(TextOf(module.entry_result), "f32[2]{0}");
  ASSERT_EQ(module.computations.size(), 1);
  EXPECT_EQ(module.Entry()->head_parameters.size(), 2);
  EXPECT_EQ(module.Entry()->instructions.size(), 6);
  EXPECT_EQ(Named(module, "t").operands.size(), 6);
  EXPECT_EQ(Named(module, "t").place, (TextPlace{15, 3}));
  EXPECT_EQ(Callees(module, "f"), Texts{"?"});
  EXPECT_EQ(Named(module, "p").place, (TextPlace{22, 3}));
  EXPECT_EQ(module.Entry()->Root()->number, 5);
}

TEST(ModuleReader, AProblemHasItsPlaceAndCostsItsLine) {
  const HloModule module = ReadModule(R"(HloModule m
ENTRY main {
  a = f32[2]{0} parameter(0)
  b = f32[2{0} negate(a)
  c = f32[2]{0} add(a, b
  t = (f32[2],
       f32[2,) tuple(a, a)
  d = f32[2]{0} negate("a)
  e = f32[2]{0} negate(a) /* never closed
  some words
  s = s32[2] constant({1, 2
}
second {
  ROOT f = f32[2]{0} negate(b)
}
)",
                                      100);
  EXPECT_EQ(Problems(module), (Texts{"103:12: expected ',' or ']' after a dimension, found '{'",
                                     "104:25: expected ',' or ')' after an operand, found end of text",
                                     "106:14: expected a dimension (an integer >= 0, '<=' or '?'), found ')'",
                                     "107:24: expected an operand (a name, a shape or an instruction), found an "
                                     "unterminated string '\"a)'",
                                     "108:27: expected ',' and an attribute, or the end of the text (Expected eof), "
                                     "found an unterminated comment '/* never closed'",
                                     "109:8: expected '=' after the instruction name, found 'words'",
                                     "111:2: expected ')' after the literal, found end of text",
                                     "113:3: the operand 'b' names no instruction that comes before in its "
                                     "computation"}));
  ASSERT_EQ(module.computations.size(), 2);
  EXPECT_EQ(module.computations[0].instructions.size(), 1);
  // A name counts in its computation alone.
  EXPECT_EQ(Named(module, "f").operands.at(0).instruction, ModuleOperand::kUnknown);
  EXPECT_EQ(Named(module, "f").place, (TextPlace{113, 3}));
}

TEST(ModuleReader, RootsBracesAndOrder) {
  const HloModule module = ReadModule(R"(x = f32[] constant(1)
y = f32[] add(x, z)
z = f32[] constant(2)
first {
  ROOT a = f32[] parameter(0)
  ROOT b = f32[] negate(a)
  c = f32[] negate(b)
ENTRY second (p: f32[]) -> f32[] {
  d = f32[] parameter(0)
  p9 = f32[] parameter(99999999999)
)");
  EXPECT_EQ(Problems(module), (Texts{"4:1: expected '}' at the end of the computation that begins here, found none",
                                     "6:3: this is a second ROOT in its computation",
                                     "8:1: expected '}' at the end of the computation that begins here, found none"}));
  ASSERT_EQ(module.computations.size(), 3);
  EXPECT_EQ(module.computations[0].instructions.size(), 3);
  EXPECT_EQ(module.computations[0].Root()->name, "z");  // the last one, if none is marked
  EXPECT_EQ(Named(module, "y").operands.at(0).instruction, 0);
  EXPECT_EQ(Named(module, "y").operands.at(1).instruction, ModuleOperand::kUnknown);  // named before its definition
  EXPECT_EQ(module.computations[1].Root()->name, "b");
  EXPECT_EQ(module.Entry()->name, "second");
  EXPECT_EQ(module.Entry()->parameters.size(), 1);
  EXPECT_EQ(Named(module, "p9").number, ModuleOperand::kUnknown);
}

// Each text would take minutes if a line were read again with every line that follows it.
TEST(ModuleReader, TimeIsLinearInBrokenTexts) {
  for (const std::string_view line :
       {"x = f32[] add(a, /* b\n", "x = f32[] constant({\n", "x =\n", "/*\n*/ x = /*\n", "x (a: f32[2],\n", "{\n",
        "x = f32[] add(a),\n b={\n", "a {\n", "\"\n", "kind=\n"}) {
    std::string text;
    while (text.size() < 400'000) text += line;
    const HloModule module = ReadModule(text);
    EXPECT_LE(module.problems.size(), 400'000) << line;
  }
}

TEST(ModuleReader, PartsOfTuples) {
  const HloModule module = ReadModule("a = (f32[1], (s32[2], f32[3])) parameter(0)");
  const Shape* const tuple = Named(module, "a").shape;
  EXPECT_EQ(TextOf(PartAt(tuple, {1, 0})), "s32[2]");
  EXPECT_EQ(PartAt(tuple, {}), tuple);
  EXPECT_EQ(PartAt(tuple, {2}), nullptr);
  EXPECT_EQ(PartAt(tuple, {0, 0}), nullptr);
  EXPECT_EQ(PartAt(nullptr, {0}), nullptr);
}

TEST(ModuleReader, ConstraintsAndDimensions) {
  const HloModule module = ReadModule(
      "a = f32[2,3]{1,0} parameter(0)\n"
      "b = f32[3,2]{1,0} transpose(a), dimensions={1,0}\n"
      "c = f32[2] custom-call(a, b), custom_call_target=\"t\", operand_layout_constraints={f32[2,3]{1,0}, "
      "f32[3,2]{0,1}}\n");
  EXPECT_EQ(Problems(module), Texts{});
  EXPECT_EQ(Named(module, "b").dimensions, (std::vector<int64_t>{1, 0}));
  ASSERT_EQ(Named(module, "c").attribute_shapes.size(), 2);
  EXPECT_EQ(TextOf(Named(module, "c").attribute_shapes[1]), "f32[3,2]{0,1}");
}

}  // namespace
}  // namespace layoutcheck
