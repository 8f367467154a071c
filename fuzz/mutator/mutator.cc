// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/mutator.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/shape_parser.h"
#include "layoutcheck/fuzz/mutator/breakage.h"
#include "layoutcheck/fuzz/mutator/spelling.h"
#include "layoutcheck/fuzz/mutator/value_mutation.h"
#include "layoutcheck/fuzz/text/blanks.h"

namespace layoutcheck {
namespace {

constexpr ParseOptions kGrammarOnly = {.validate = false};

// Longer texts, in bytes, are changed as texts: their values are nested too deeply to copy.
constexpr size_t kLongestAsValue = 4096;

struct ShapeInText {
  int64_t begin;  // 1-based column
  int64_t end;    // column after the shape
  Shape shape;
};

// Returns one of the shapes in the text (possibly all of it), or nothing. Tries only a few places, because trying all
// takes quadratic time in deep nesting.
std::optional<ShapeInText> PickShape(std::string_view text, Random& random) {
  if (text.size() > kLongestAsValue) return std::nullopt;
  std::vector<int64_t> starts;
  Lexer lexer(text);
  const ShapeParser at_start(lexer, kGrammarOnly);
  bool after_paren = false;
  for (; lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    // The parenthesis of a tile starts no tuple.
    const bool tile = lexer.kind() == TokenKind::kInt || lexer.kind() == TokenKind::kAsterisk;
    if (after_paren && tile) starts.pop_back();
    const bool starts_here = at_start.AtShape();
    if (starts_here) starts.push_back(lexer.token().column);
    after_paren = starts_here && lexer.kind() == TokenKind::kLeftParen;
  }
  constexpr int kTries = 3;
  for (int i = 0; i < kTries && !starts.empty(); ++i) {
    ShapeInText place{random.Pick(starts), 0, {}};
    lexer.Reset(place.begin);
    ShapeParser parser(lexer, kGrammarOnly);
    if (!parser.ReadShape(place.shape)) continue;
    place.end = lexer.token().column;
    return place;
  }
  return std::nullopt;
}

uint64_t HowManyChanges(Random& random) { return random.OneIn(3) ? random.Below(5) + 2 : 1; }

std::string WithShape(std::string_view text, const ShapeInText& place, Random& random) {
  return StrCat(text.substr(0, static_cast<size_t>(place.begin - 1)), Spell(place.shape, random),
                text.substr(static_cast<size_t>(place.end - 1)));
}

std::optional<std::string> MutateValue(TextKind kind, std::string_view text, Random& random) {
  if (kind == TextKind::kLayout) {
    if (text.size() > kLongestAsValue) return std::nullopt;
    Expected<Layout> layout = ParseLayout(text);
    if (!layout) return std::nullopt;
    for (uint64_t n = HowManyChanges(random); n > 0; --n) MutateLayout(*layout, random);
    return Spell(*layout, random);
  }
  std::optional<ShapeInText> place = PickShape(text, random);
  if (!place) return std::nullopt;
  for (uint64_t n = HowManyChanges(random); n > 0; --n) MutateShape(place->shape, random);
  return WithShape(text, *place, random);
}

std::string RandomInstruction(Random& random) {
  constexpr std::string_view kNames[] = {"%a", "%b.1", "%fusion.3", "p", "add.936", "%f32", "%ROOT"};
  constexpr std::string_view kOpcodes[] = {"add",       "copy",  "bitcast",     "fusion",
                                           "transpose", "tuple", "custom-call", "all-reduce-start"};
  constexpr std::string_view kAttributes[] = {"dimensions={1,0}",
                                              "kind=kLoop",
                                              "calls=%c",
                                              "metadata={op_name=\"a\" source_line=3}",
                                              "window={size=2x2 pad=0_0x1_1}",
                                              "dim_labels=b01f_01io->b01f",
                                              "backend_config={\"k\":[1,{\"n\":\"}\"}]}",
                                              "sharding={replicated}",
                                              "operand_layout_constraints={f32[2]{0}}"};
  // Separate statements, because a compiler may evaluate arguments in any order.
  std::string text = random.OneIn(4) ? "ROOT " : "";
  StrAppend(text, random.Pick(kNames), " = ");
  StrAppend(text, RandomText(TextKind::kShape, random), " ");
  StrAppend(text, random.Pick(kOpcodes), "(");
  for (uint64_t n = random.Below(4); n > 0; --n) {
    if (!random.OneIn(3)) StrAppend(text, RandomText(TextKind::kShape, random), " ");
    StrAppend(text, random.Pick(kNames), n > 1 ? ", " : "");
  }
  text += ')';
  for (uint64_t n = random.Below(3); n > 0; --n) StrAppend(text, ", ", random.Pick(kAttributes));
  return random.OneIn(4) ? WithBlanks(text, random, 8) : text;
}

}  // namespace

std::string RandomText(TextKind kind, Random& random) {
  constexpr uint64_t kMostChanges = 24;
  if (kind == TextKind::kLayout) return Spell(RandomLayout(random, kMostChanges), random);
  if (kind == TextKind::kInstruction) return RandomInstruction(random);
  return Spell(RandomShape(random, kMostChanges), random);
}

std::string MutateText(TextKind kind, std::string_view text, Random& random) {
  if (!random.OneIn(4)) {
    if (std::optional<std::string> changed = MutateValue(kind, text, random)) return std::move(*changed);
  }
  std::string broken = BreakText(text, random);
  while (random.OneIn(4)) broken = BreakText(broken, random);
  return broken;
}

std::string CrossTexts(TextKind kind, std::string_view text, std::string_view donor, Random& random) {
  if (kind != TextKind::kLayout) {
    std::optional<ShapeInText> place = PickShape(text, random);
    std::optional<ShapeInText> other = PickShape(donor, random);
    if (place && other) {
      CrossShapes(place->shape, other->shape, random);
      return WithShape(text, *place, random);
    }
  }
  const size_t first_part = random.Index(text.size() + 1);
  return StrCat(text.substr(0, first_part), donor.substr(random.Index(donor.size() + 1)));
}

}  // namespace layoutcheck
