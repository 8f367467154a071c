// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules on whole modules that a generator draws. The truth about them comes from moving real elements.
#include "layoutcheck/properties/testing/module_generator.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/module/rule.h"
#include "layoutcheck/properties/testing/moved_elements.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kModules = 400;

// Findings as (instruction, rule); the instruction is empty for headers and heads.
using Found = std::set<std::pair<std::string, std::string>>;

Found FindingsOf(const std::string& text, Severity severity) {
  const HloModule module = ReadModule(text);
  ModuleFacts facts(module);
  Found found;
  for (const RuleFinding& finding : CheckModule(facts).findings) {
    if (finding.severity != severity) continue;
    found.emplace(finding.instruction == nullptr ? "" : finding.instruction->name, finding.rule);
  }
  return found;
}

bool IsMove(const DrawnInstruction& instruction) {
  return instruction.opcode == "copy" || instruction.opcode == "transpose" || instruction.opcode == "reshape";
}

// Returns "instruction rule" for each move of the entry that one of the rules judges: those that move nothing, and the
// reshapes and transposes that move an element or change the allocation.
std::set<std::string> JudgedMoves(const DrawnComputation& entry) {
  std::set<std::string> judged;
  for (const DrawnInstruction& instruction : entry.instructions) {
    if (!IsMove(instruction)) continue;
    const Shape& operand = entry.instructions[instruction.operands[0]].shape;
    if (!MovesNothing(instruction, operand)) {
      if (instruction.opcode != "copy") judged.insert(instruction.name + " reshape-moves-data");
      continue;
    }
    // A copy to the same layout gives the value a buffer of its own.
    if (instruction.opcode != "copy" || operand != instruction.shape) judged.insert(instruction.name + " copy-is-free");
  }
  return judged;
}

TEST(DrawnModules, RightOnesAreCleanAndMovesAreJudged) {
  size_t free_moves = 0;
  size_t moved = 0;
  size_t moves = 0;
  size_t bitcasts = 0;
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    const DrawnModule module = DrawModule(seed);
    const std::string text = Print(module).text;
    ASSERT_THAT(FindingsOf(text, Severity::kError), ::testing::IsEmpty()) << "seed " << seed << "\n" << text;
    ASSERT_THAT(FindingsOf(text, Severity::kUndecided), ::testing::IsEmpty()) << "seed " << seed << "\n" << text;
    std::set<std::string> found;
    for (const auto& [instruction, rule] : FindingsOf(text, Severity::kAdvice)) {
      if (rule == "copy-is-free" || rule == "reshape-moves-data") found.insert(StrCat(instruction, " ", rule));
    }
    const std::set<std::string> expected = JudgedMoves(module.entry());
    ASSERT_EQ(found, expected) << "seed " << seed << "\n" << text;
    const auto is_free = [](const std::string& judged) { return judged.ends_with(" copy-is-free"); };
    const auto free = static_cast<size_t>(std::ranges::count_if(expected, is_free));
    free_moves += free;
    moved += expected.size() - free;
    moves += static_cast<size_t>(std::ranges::count_if(module.entry().instructions, IsMove));
    bitcasts += static_cast<size_t>(
        std::ranges::count(module.entry().instructions, std::string("bitcast"), &DrawnInstruction::opcode));
  }
  std::cout << kModules << " modules, " << bitcasts << " bitcasts, " << moves << " moves, " << free_moves << " free, "
            << moved << " reshapes and transposes that move data\n";
  EXPECT_GT(free_moves, 100U);
  EXPECT_GT(moved, 100U);
  EXPECT_GT(bitcasts, 400U);
}

// Each shape of the text differs from the others that speak of the same value: an error wherever it stands.
TEST(DrawnModules, FaultsInTheTextAreFound) {
  std::map<std::pair<std::string, FaultKind>, int64_t> counts;
  for (uint64_t seed = 0; seed < kModules / 4; ++seed) {
    const DrawnModule module = DrawModule(seed);
    const size_t places = Print(module).places;
    for (size_t place = 0; place < places; ++place) {
      for (const FaultKind kind : kFaultKinds) {
        const PrintedModule faulty = Print(module, SeededFault{place, kind});
        if (faulty.fault_place.empty()) continue;
        ++counts[{faulty.fault_place, kind}];
        ASSERT_THAT(FindingsOf(faulty.text, Severity::kError), ::testing::Not(::testing::IsEmpty()))
            << "seed " << seed << ", place " << place << ", " << FaultKindName(kind) << " at the " << faulty.fault_place
            << "\n"
            << faulty.text;
      }
    }
  }
  std::map<FaultKind, int64_t> by_kind;
  for (const auto& [place_and_kind, count] : counts) by_kind[place_and_kind.second] += count;
  for (const auto& [kind, count] : by_kind) std::cout << FaultKindName(kind) << ": " << count << " faults found\n";
  EXPECT_EQ(by_kind.size(), std::size(kFaultKinds));
  EXPECT_GE(counts.size(), 100U) << "places and kinds";
}

std::vector<int64_t> OrderOfSizes(const Shape& shape) {
  std::vector<int64_t> order = shape.layout->minor_to_major;
  std::erase_if(order, [&](int64_t dimension) { return shape.dimensions[static_cast<size_t>(dimension)] == 1; });
  return order;
}

// Adds the errors of an instruction after the shape of one value has changed, in every place where the text names it.
void AddExpected(const DrawnComputation& entry, const DrawnInstruction& instruction, size_t changed, Found& expected) {
  const bool is_changed = &instruction == &entry.instructions[changed];
  if (!is_changed && std::ranges::count(instruction.operands, changed) == 0) return;
  if (instruction.opcode == "bitcast") {
    switch (TruthOfBitcast(entry.instructions[instruction.operands[0]].shape, instruction.shape)) {
      case BitcastTruth::kRight: break;
      case BitcastTruth::kChangesSize: expected.emplace(instruction.name, "bitcast-changes-size"); break;
      case BitcastTruth::kOtherPlaces: expected.emplace(instruction.name, "bitcast-reads-padding"); break;
    }
  } else if (instruction.opcode == "negate" || instruction.opcode == "add") {
    const Shape& operand = entry.instructions[instruction.operands[0]].shape;
    if (operand.dimensions != instruction.shape.dimensions) return;  // sizes are not the rule's matter
    if (OrderOfSizes(operand) != OrderOfSizes(instruction.shape)) expected.emplace(instruction.name, "layout-mismatch");
  } else if (!IsMove(instruction) && instruction.opcode != "parameter") {
    expected.emplace(instruction.name, "layout-mismatch");
  }
}

// One value has another shape throughout the text, so that what is wrong depends on the operations around it.
TEST(DrawnModules, ChangedValuesBreakWhatTheElementsSay) {
  std::map<std::string, int64_t> broken;
  int64_t right = 0;
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    const DrawnModule module = DrawModule(seed);
    for (size_t changed = 0; changed + 1 < module.entry().instructions.size(); ++changed) {
      if (!module.entry().instructions[changed].shape.IsArray()) continue;
      for (const FaultKind kind : {FaultKind::kOrder, FaultKind::kTile, FaultKind::kSize, FaultKind::kElementType}) {
        DrawnModule faulty = module;
        DrawnComputation& entry = faulty.computations.back();
        const std::optional<Shape> shape = Changed(entry.instructions[changed].shape, kind);
        if (!shape) continue;
        entry.instructions[changed].shape = *shape;
        Found expected;
        for (const DrawnInstruction& instruction : entry.instructions)
          AddExpected(entry, instruction, changed, expected);
        const std::string text = Print(faulty).text;
        ASSERT_EQ(FindingsOf(text, Severity::kError), expected)
            << "seed " << seed << ", " << FaultKindName(kind) << " of " << entry.instructions[changed].name << "\n"
            << text;
        right += expected.empty() ? 1 : 0;
        for (const auto& [instruction, rule] : expected) ++broken[rule];
      }
    }
  }
  std::cout << right << " changes that break nothing\n";
  for (const auto& [rule, count] : broken) std::cout << rule << ": " << count << " found\n";
  EXPECT_GT(right, 1000);
  for (const char* rule : {"bitcast-changes-size", "bitcast-reads-padding", "layout-mismatch"}) {
    EXPECT_GT(broken[rule], 100) << rule;
  }
}

}  // namespace
}  // namespace layoutcheck
