// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/strided_laws.h"
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/wide_integer.h"
#include "layoutcheck/verify/formulas/formula_claim.h"

namespace layoutcheck::verify {
namespace {

using Leaf = StridedLayout::Leaf;

constexpr int64_t kMaxCoordinates = int64_t{1} << 20;  // that are enumerated

WideInteger Magnitude(const Leaf& leaf) {
  const WideInteger stride(leaf.stride);
  return leaf.stride < 0 ? WideInteger(0) - stride : stride;
}

// Returns true if, in the order of growing strides, each is greater than what the integers before add up to at most
// (`is_more`), or is no more than 1 greater than that.
bool HasStridesInOrder(std::vector<Leaf> leaves, bool is_more) {
  std::erase_if(leaves, [](const Leaf& leaf) { return leaf.extent == 1; });
  std::ranges::sort(leaves, {}, [](const Leaf& leaf) { return Magnitude(leaf).value; });
  WideInteger reach(0);
  for (const Leaf& leaf : leaves) {
    const Int128 stride = Magnitude(leaf).value;
    if (is_more ? stride <= reach.value : stride - 1 > reach.value) return false;
    reach = reach + WideInteger(leaf.extent - 1) * Magnitude(leaf);
    if (reach.overflow) return false;
  }
  return true;
}

bool HasElement(std::span<const Leaf> leaves) {
  return std::ranges::none_of(leaves, [](const Leaf& leaf) { return leaf.extent == 0; });
}

// Returns the smallest offset before a swizzle, or 0 if there is no element.
WideInteger LeastOffset(const StridedLayout& layout) {
  if (!HasElement(*layout.leaves)) return WideInteger(0);
  WideInteger least(layout.start.value_or(0));
  for (const Leaf& leaf : *layout.leaves) {
    if (leaf.stride < 0) least = least - WideInteger(leaf.extent - 1) * Magnitude(leaf);
  }
  return least;
}

// Returns the offsets of all coordinates, sorted, or nothing if there are too many.
std::optional<std::vector<Int128>> AllOffsets(const StridedLayout& layout) {
  if (!HasElement(*layout.leaves)) return std::vector<Int128>();
  std::vector<Int128> offsets = {layout.start.value_or(0)};
  for (const Leaf& leaf : *layout.leaves) {
    if (leaf.extent > kMaxCoordinates / std::ssize(offsets)) return std::nullopt;
    const size_t count = offsets.size();
    for (int64_t x = 1; x < leaf.extent; ++x) {
      for (size_t k = 0; k < count; ++k) offsets.push_back(offsets[k] + Int128{x} * leaf.stride);
    }
  }
  if (layout.swizzle) {
    for (Int128& offset : offsets) offset = layout.swizzle->Apply(offset);
  }
  std::ranges::sort(offsets);
  return offsets;
}

// Returns what is wrong with a proof by this method about a layout of numbers, or nothing.
std::string CheckMethod(std::string_view law, std::string_view method, const StridedLayout& layout) {
  const std::vector<Leaf>& leaves = *layout.leaves;
  const WideInteger least = LeastOffset(layout);
  const bool is_natural = !least.overflow && least.value >= 0;
  if (layout.swizzle && !is_natural) {
    return "expected offsets that are at least 0 before a swizzle, which permutes these";
  }
  const bool is_injective = law == "injective" || law == "inverse";  // an offset leads back to the one coordinate
  const bool has_element = HasElement(leaves);
  if (method == "by strides" && is_injective) {
    return has_element && HasStridesInOrder(leaves, /*is_more=*/true)
               ? ""
               : "expected strides that are greater than all smaller ones together reach";
  }
  if (method == "by signs" && law == "in-bounds") {
    return is_natural ? "" : "expected a smallest offset that is at least 0";
  }
  if (method == "by reach" && law == "onto" && !layout.swizzle) {
    return has_element && HasStridesInOrder(leaves, /*is_more=*/false)
               ? ""
               : "expected strides that are at most 1 more than all smaller ones together reach";
  }
  if (method != "by enumeration") return StrCat("expected a method for the law ", law);
  const auto offsets = AllOffsets(layout);
  if (!offsets) return StrCat("expected at most ", kMaxCoordinates, " coordinates to enumerate");
  for (size_t k = 0; k < offsets->size(); ++k) {
    const Int128 offset = (*offsets)[k];
    const Int128 step = k == 0 ? 1 : offset - (*offsets)[k - 1];
    if (is_injective && step == 0) return StrCat("two coordinates have the offset ", ToDecimal(offset));
    if (law == "in-bounds" && offset < 0) return StrCat("a coordinate has the offset ", ToDecimal(offset));
    if (law == "onto" && step > 1) return StrCat("no coordinate has the offset ", ToDecimal(offset - 1));
  }
  return "";
}

Checked<StridedCheck> CheckFormula(const Claim& claim, int64_t law_line, Lines& lines) {
  const auto formula = FormulaClaim::Read(claim);
  if (!formula) return std::unexpected(Refusal{law_line + 1, formula.error()});
  LAYOUTCHECK_TRY(const int64_t steps, formula->Check(lines));
  return StridedCheck{steps, formula->names()};
}

// Checks a law of a layout by claims about the formula of its offset, each a sequent.
Checked<StridedCheck> CheckSequents(std::string_view law, const StridedLayout& layout, int64_t law_line, Lines& lines) {
  StridedCheck total;
  for (const StridedSequent& sequent : StridedSequentsOf(law, layout)) {
    if (lines.line() != sequent.line) return lines.RefuseLine(Quoted(sequent.line));
    lines.Advance();
    LAYOUTCHECK_TRY(StridedCheck checked, CheckFormula(sequent.ToClaim(), law_line, lines));
    total = {total.steps + checked.steps, std::move(checked.names)};
  }
  return total;
}

}  // namespace

std::vector<StridedSequent> StridedSequentsOf(std::string_view law, const StridedLayout& layout) {
  if (law == "in-bounds") {
    return {{.line = "sequent every index",
             .law = "formula",
             .over = layout.over,
             .formula = StrCat("min(", layout.offset, ", 0)"),
             .equals = "0",
             .below = {}}};
  }
  std::vector<StridedSequent> sequents = {{.line = "sequent every two indices",
                                           .law = "injective",
                                           .over = layout.over,
                                           .formula = layout.offset,
                                           .equals = {},
                                           .below = {}}};
  if (law == "onto") {
    // As many different offsets as there are elements, all of them below that number, are all of these.
    sequents.push_back({.line = "sequent every index",
                        .law = "in-bounds",
                        .over = layout.over,
                        .formula = layout.offset,
                        .equals = {},
                        .below = layout.size});
  }
  return sequents;
}

Claim WithoutStridedLayout(const Claim& claim, const StridedLayout& layout) {
  Claim result = claim;
  result.layout.reset();
  result.over = layout.over;
  if (claim.law == "formula" && !claim.equals) result.equals = layout.offset;
  return result;
}

Checked<StridedCheck> CheckStrided(const Claim& claim, int64_t law_line, Lines& lines) {
  const auto layout = ReadStrided(*claim.layout);
  if (!layout) return std::unexpected(Refusal{law_line + 1, StrCat("layout: ", layout.error())});
  const bool is_by_method = lines.line().starts_with("by ");
  if (layout->IsComposed() && (claim.formula || !is_by_method)) {
    return lines.Refuse("expected a line 'by' and no formula, as a swizzle or an offset is before the layout");
  }
  if (claim.formula) return CheckFormula(WithoutStridedLayout(claim, *layout), law_line, lines);
  const bool is_known =
      claim.law == "injective" || claim.law == "in-bounds" || claim.law == "onto" || claim.law == "inverse";
  if (!is_known || claim.own || claim.equals || claim.below || !claim.signed_names.empty() ||
      !claim.assumptions.empty() || claim.integer) {
    return std::unexpected(Refusal{law_line, "expected a law of shape:stride layouts and a layout alone"});
  }
  if (!is_by_method) return CheckSequents(claim.law, *layout, law_line, lines);
  if (!layout->leaves) return lines.Refuse("expected a sequent, as not all integers of the layout are numbers");
  if (std::string wrong = CheckMethod(claim.law, lines.line(), *layout); !wrong.empty()) {
    return lines.Refuse(std::move(wrong));
  }
  lines.Advance();
  return StridedCheck{.steps = 1, .names = {}};
}

}  // namespace layoutcheck::verify
