// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/laws.h"
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/layouts/fractal.h"
#include "layoutcheck/verify/layouts/mixed_radix_chain.h"
#include "layoutcheck/verify/layouts/tiling.h"
#include "layoutcheck/verify/proof/steps.h"

namespace layoutcheck::verify {
namespace {

using Polynomials = std::vector<Polynomial>;

// The layout in which this name is 0; the empty name stands for none.
struct Subject {
  const Layout& layout;
  bool has_elements = true;  // the statement is about elements, so that no size is 0
  std::string zero = {};
};

// Assumes the least value of each name and returns the layout over polynomials.
SizedLayout Begin(Statement& statement, const Subject& subject) {
  const Layout& layout = subject.layout;
  std::map<std::string, Polynomial> values;
  for (const std::string& name : layout.names) {
    if (name == subject.zero) {
      values[name] = statement.Number(0);
      continue;
    }
    values[name] = statement.NewVariable(name);
    const bool is_positive = subject.has_elements || layout.IsTileName(name);
    statement.Assume(statement.LessEqual(statement.Number(is_positive ? 1 : 0), values[name]));
  }
  return WithSizes(layout, [&](const Size& size) {
    return size.name.empty() ? statement.Number(size.number) : values.at(size.name);
  });
}

Polynomial NewOffset(Statement& statement, Polynomial elements) {
  const Polynomial offset = statement.NewVariable("offset");
  statement.Assume(statement.LessEqual(statement.Number(0), offset));
  statement.Assume(statement.Less(offset, elements));
  return offset;
}

void StateNoElements(Statement& s, const Subject& subject) {
  const SizedLayout layout = Begin(s, subject);
  s.AddGoal(s.Equal(ElementsOf(s.ring(), layout), s.Number(0)));
  s.AddGoal(s.Equal(MixedRadixChain(s.ring(), layout).elements(), s.Number(0)));
}

void StateInBounds(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Placed placed = ClosedFormula(s.ring(), layout, s.NewPoint("i", layout.dimensions));
  s.AddGoalInRange(placed.index, placed.elements);
}

void StateInjective(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Polynomials i = s.NewPoint("i", layout.dimensions);
  const Polynomials j = s.NewPoint("j", layout.dimensions);
  s.Assume(s.Equal(ClosedFormula(s.ring(), layout, i).index, ClosedFormula(s.ring(), layout, j).index));
  for (size_t d = 0; d < i.size(); ++d) s.AddGoal(s.Equal(i[d], j[d]));
}

void StateEqualsPadReshapeTranspose(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Polynomials i = s.NewPoint("i", layout.dimensions);
  s.AddGoal(s.Equal(ClosedFormula(s.ring(), layout, i).index, PadReshapeTranspose(s.ring(), layout, i)));
}

void StateEqualSizes(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text, false});
  s.AddGoal(s.Equal(ElementsOf(s.ring(), layout), MixedRadixChain(s.ring(), layout).elements()));
}

void StateEqualsMixedRadix(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Polynomials i = s.NewPoint("i", layout.dimensions);
  s.AddGoal(s.Equal(ClosedFormula(s.ring(), layout, i).index, MixedRadixChain(s.ring(), layout).Index(i)));
}

void StateIndexAndBack(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Polynomials i = s.NewPoint("i", layout.dimensions);
  const MixedRadixChain chain(s.ring(), layout);
  const auto inverse = chain.InverseOf(ClosedFormula(s.ring(), layout, i).index);
  for (const auto& [digit, size] : inverse.conditions) s.AddGoal(s.Less(digit, size));
  for (size_t d = 0; d < i.size(); ++d) s.AddGoal(s.Equal(inverse.coordinate[d], i[d]));
}

// Adds that the coordinate of an offset is in the box and has this offset.
void AddBackToOffset(Statement& s, const SizedLayout& layout, Polynomial offset, const Polynomials& coordinate,
                     const Polynomials& box) {
  for (size_t d = 0; d < coordinate.size(); ++d) s.AddGoalInRange(coordinate[d], box[d]);
  s.AddGoal(s.Equal(ClosedFormula(s.ring(), layout, coordinate).index, offset));
}

void StateOffsetAndBack(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Polynomial offset = NewOffset(s, ElementsOf(s.ring(), layout));
  const auto inverse = MixedRadixChain(s.ring(), layout).InverseOf(offset);
  for (const auto& [digit, size] : inverse.conditions) s.Assume(s.Less(digit, size));
  AddBackToOffset(s, layout, offset, inverse.coordinate, layout.dimensions);
}

void StateBoxAndBack(Statement& s, const Layout& text) {
  const SizedLayout layout = WithLeadingDimensions(Begin(s, {text}), s.Number(1));
  const MixedRadixChain chain(s.ring(), layout);
  const Polynomials x = s.NewPoint("x", chain.BoxSizes());
  const Placed placed = ClosedFormula(s.ring(), layout, x);
  s.AddGoalInRange(placed.index, placed.elements);
  const Polynomials coordinate = chain.InverseOf(placed.index).coordinate;
  for (size_t d = 0; d < x.size(); ++d) s.AddGoal(s.Equal(coordinate[d], x[d]));
}

void StateOffsetAndBackToBox(Statement& s, const Layout& text) {
  const SizedLayout layout = WithLeadingDimensions(Begin(s, {text}), s.Number(1));
  const MixedRadixChain chain(s.ring(), layout);
  const Polynomial offset = NewOffset(s, ElementsOf(s.ring(), layout));
  AddBackToOffset(s, layout, offset, chain.InverseOf(offset).coordinate, chain.BoxSizes());
}

void StateEqualOffsets(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Polynomials i = s.NewPoint("i", layout.dimensions);
  const Placed placed = PlaceInFractal(s.ring(), *text.fractal, layout.dimensions, i);
  s.AddGoal(s.Equal(placed.index, ClosedFormula(s.ring(), layout, i).index));
}

void StateEqualAllocations(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text});
  const Placed placed = PlaceInFractal(s.ring(), *text.fractal, layout.dimensions, layout.dimensions);
  s.AddGoal(s.Equal(placed.elements, ElementsOf(s.ring(), layout)));
}

void StatePaddingMinimal(Statement& s, const Layout& text) {
  const SizedLayout layout = Begin(s, {text, false});
  const MixedRadixChain chain(s.ring(), layout);
  size_t count = 0;
  for (const MixedRadixChain::PaddedDigit& digit : chain.padded_digits()) {
    const Polynomial other = s.ring().Product(s.NewVariable(StrCat("tiles", count++)), digit.tile);
    s.Assume(s.LessEqual(digit.size, other));
    s.AddGoal(s.LessEqual(digit.size, digit.padded));
    s.AddGoal(s.Less(digit.padded, s.ring().Sum(digit.size, digit.tile)));
    s.AddGoal(s.LessEqual(digit.padded, other));
  }
}

// A part of a law about elements: for arrays that have some.
struct Part {
  std::string_view name;
  void (*state)(Statement&, const Layout&);
};

struct Law {
  std::string_view name;
  std::vector<Part> about_sizes;
  std::vector<Part> about_elements;
  bool is_about_empty_arrays;  // and claims of them that they have no offset
};

constexpr std::string_view kEqualsHlo = "equals-hlo";

const std::array<Law, 8>& Laws() {
  static const std::array<Law, 8> laws = {{
      {"injective", {}, {{"every two indices", StateInjective}}, false},
      {"in-bounds", {}, {{"every index", StateInBounds}}, false},
      {"onto-padded-box",
       {},
       {{"every point of the padded box", StateBoxAndBack}, {"every offset", StateOffsetAndBackToBox}},
       true},
      {"inverse",
       {},
       {{"every index", StateIndexAndBack}, {"every offset that is no padding", StateOffsetAndBack}},
       true},
      {"padding-minimal", {{"every tile", StatePaddingMinimal}}, {}, false},
      {"equals-pad-reshape-transpose", {}, {{"every index", StateEqualsPadReshapeTranspose}}, false},
      {"equals-mixed-radix", {{"padded elements", StateEqualSizes}}, {{"every index", StateEqualsMixedRadix}}, false},
      {kEqualsHlo,
       {},
       {{"every index of the fractal layout", StateEqualOffsets},
        {"allocation of the fractal layout", StateEqualAllocations}},
       true},
  }};
  return laws;
}

}  // namespace

std::vector<Sequent> SequentsOf(std::string_view name, const Layout& layout) {
  std::vector<Sequent> sequents;
  const auto law = std::ranges::find(Laws(), name, &Law::name);
  if (law == Laws().end() || (name == kEqualsHlo && !layout.fractal)) return sequents;
  if (layout.fractal && name != kEqualsHlo) sequents = SequentsOf(kEqualsHlo, layout);
  const auto add = [&](const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      sequents.push_back({std::string(part.name), [state = part.state, &layout](Statement& s) { state(s, layout); }});
    }
  };
  const auto add_empty = [&](std::string part, const std::string& zero) {
    sequents.push_back({std::move(part), [&layout, zero](Statement& s) { StateNoElements(s, {layout, false, zero}); }});
  };
  add(law->about_sizes);
  const bool is_empty =
      std::ranges::any_of(layout.dimensions, [](const Size& size) { return size.name.empty() && size.number == 0; });
  if (is_empty) {
    if (!law->about_elements.empty()) add_empty("no element, as a dimension is 0", "");
    return sequents;
  }
  add(law->about_elements);
  if (!law->is_about_empty_arrays) return sequents;
  for (const std::string& dimension : layout.names) {
    if (layout.IsDimensionName(dimension) && !layout.IsTileName(dimension)) {
      add_empty(StrCat(dimension, " = 0"), dimension);
    }
  }
  return sequents;
}

Checked<int64_t> CheckSequents(const std::vector<Sequent>& sequents, Lines& lines) {
  int64_t total = 0;
  for (const Sequent& sequent : sequents) {
    const std::string expected = StrCat("sequent ", sequent.part);
    if (lines.line() != expected) return lines.RefuseLine(Quoted(expected));
    lines.Advance();
    Statement statement;
    sequent.state(statement);
    LAYOUTCHECK_TRY(const int64_t steps, StepChecker(statement, lines).Run());
    total += steps;
  }
  return total;
}

}  // namespace layoutcheck::verify
