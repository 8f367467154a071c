// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/formula_claim.h"
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/layouts/fractal.h"

namespace layoutcheck::verify {
namespace {

// Returns k if the name is the letter followed by k without leading zeros.
std::optional<size_t> NumberAfter(char letter, std::string_view name) {
  if (name.size() < 2 || name[0] != letter || (name[1] == '0' && name.size() > 2)) return std::nullopt;
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

// Returns k if the formula is "i<k> < bound".
std::optional<size_t> BoundedIndex(const Formula& formula) {
  const FormulaNode& root = formula.nodes[formula.root];
  if (root.op != Operator::kLess) return std::nullopt;
  const FormulaNode& left = formula.nodes[root.operands[0]];
  return left.op == Operator::kName ? NumberAfter('i', left.name) : std::nullopt;
}

const FormulaNode& BoundOf(const Formula& formula) { return formula.nodes[formula.nodes[formula.root].operands[1]]; }

}  // namespace

std::expected<FormulaClaim, std::string> FormulaClaim::Read(const Claim& claim) {
  FormulaClaim result;
  if (std::string wrong = result.ReadTexts(claim); !wrong.empty()) return std::unexpected(std::move(wrong));
  if (result.layout_) {
    result.BindToLayout();
  } else if (std::string wrong = result.BindToBounds(); !wrong.empty()) {
    return std::unexpected(std::move(wrong));
  }
  for (const std::string_view name : claim.signed_names) {
    if (std::string wrong = result.MakeSigned(name); !wrong.empty()) return std::unexpected(std::move(wrong));
  }
  if (std::string wrong = result.CheckLets(); !wrong.empty()) return std::unexpected(std::move(wrong));
  return result;
}

std::optional<FormulaClaim::Law> FormulaClaim::LawOf(std::string_view law) {
  if (law == "formula") return Law::kFormula;
  if (law == "injective") return Law::kInjective;
  if (law == "no-overflow") return Law::kNoOverflow;
  return law == "in-bounds" ? std::optional(Law::kInBounds) : std::nullopt;
}

bool FormulaClaim::HasLaw(std::string_view law) { return LawOf(law).has_value(); }

// Returns what is wrong with the parts that the claim has, or nothing.
std::string FormulaClaim::CheckParts(const Claim& claim) const {
  if (!claim.formula || claim.integer) return "expected a formula, and no integer";
  if (law_ == Law::kInjective) {
    if (claim.equals || claim.below) return "expected neither equals nor below beside the law injective";
    return claim.layout || claim.over ? "" : "expected a layout or over: the indices whose values are different";
  }
  if (law_ == Law::kInBounds) {
    return claim.below && !claim.equals ? "" : "expected below, and no equals, beside the law in-bounds";
  }
  if (claim.below) return "expected no below beside the law formula";
  return claim.layout || claim.equals ? "" : "expected a formula, and a layout or another formula to compare it with";
}

std::string FormulaClaim::ReadTexts(const Claim& claim) {
  const std::optional<Law> law = LawOf(claim.law);
  if (!law) return "expected a law of formulas";
  law_ = *law;
  const bool is_no_overflow = law_ == Law::kNoOverflow;
  if (std::string wrong = is_no_overflow ? ReadInteger(claim) : CheckParts(claim); !wrong.empty()) return wrong;
  if (claim.layout) {
    auto layout = ReadTiledOrFractal(*claim.layout);
    if (!layout) return StrCat("layout: ", layout.error());
    layout_ = std::move(*layout);
  }
  const auto read = [](std::string_view what, std::string_view text, std::vector<Formula>& formulas) -> std::string {
    auto parsed = ReadFormulas(text);
    if (!parsed) return StrCat(what, ": ", parsed.error());
    std::ranges::move(*parsed, std::back_inserter(formulas));
    return "";
  };
  std::vector<Formula> equals;
  std::string wrong = read("formula", claim.own ? *claim.own : *claim.formula, formulas_);
  if (wrong.empty() && claim.equals) wrong = read("equals", *claim.equals, equals);
  if (wrong.empty() && claim.below) wrong = read("below", *claim.below, equals);
  for (const std::string_view assumption : claim.assumptions) {
    if (wrong.empty()) wrong = read("assume", assumption, assumptions_);
  }
  if (wrong.empty() && claim.over) wrong = read("over", *claim.over, over_);
  if (!wrong.empty()) return wrong;
  const bool is_list = formulas_.size() != 1 && law_ != Law::kInjective;
  if (is_list || equals.size() > 1 || assumptions_.size() != claim.assumptions.size()) {
    return "expected one formula, and no list of them";
  }
  if (!equals.empty()) equals_ = std::move(equals[0]);
  return "";
}

// Reads the type of a claim that nothing overflows. Returns what is wrong with the parts of the claim, or nothing.
std::string FormulaClaim::ReadInteger(const Claim& claim) {
  const bool has_formula = claim.own ? claim.layout.has_value() : claim.formula && (claim.layout || claim.over);
  if (!has_formula || claim.equals || claim.below) return "expected a layout or over, and one formula";
  std::string_view type = claim.integer.value_or("");
  integer_.shifts_negative_numbers = type.ends_with(":c++20");
  if (integer_.shifts_negative_numbers) type.remove_suffix(6);
  integer_.is_unsigned = type == "uint32";
  integer_.width = type == "int64" ? 64 : 32;
  is_own_ = claim.own.has_value();
  const bool is_known = type == "int32" || type == "uint32" || type == "int64";
  return is_known ? "" : "expected the integer int32, uint32 or int64, or one of them with :c++20";
}

// Every dimension has an index, so none is 0.
void FormulaClaim::BindToLayout() {
  for (const std::string& name : layout_->names) variables_.push_back({name, 1});
  for (size_t k = 0; k < layout_->dimensions.size(); ++k) indices_.push_back({k, layout_->dimensions[k]});
}

std::string FormulaClaim::BindToBounds() {
  std::map<size_t, const Formula*> bounds;
  for (const Formula& part : over_) {
    const auto index = BoundedIndex(part);
    if (!index || !bounds.emplace(*index, &part).second) {
      return "over: expected one bound per index, such as i0 < M, i1 < 2 * N";
    }
  }
  std::vector<std::string_view> names;
  for (const Formula& part : over_) AppendFreeNames(part, names);
  for (const Formula& formula : formulas_) AppendFreeNames(formula, names);
  if (equals_) AppendFreeNames(*equals_, names);
  for (const Formula& assumption : assumptions_) AppendFreeNames(assumption, names);

  std::set<size_t> indices;
  for (const std::string_view name : names) {
    if (const auto k = NumberAfter('i', name)) indices.insert(*k);
  }
  std::set<std::string_view> sizes;  // names that bound an index
  for (const auto& [k, part] : bounds) {
    if (BoundOf(*part).op == Operator::kName) sizes.insert(BoundOf(*part).name);
  }
  for (const std::string_view name : names) {
    const auto k = NumberAfter('d', name);
    if (NumberAfter('i', name) || (k && bounds.contains(*k))) continue;
    const bool is_size = sizes.contains(name) || (k && indices.contains(*k));
    variables_.push_back({std::string(name), is_size ? 1 : 0});
  }
  const auto is_variable = [&](std::string_view name) {
    return std::ranges::find(variables_, name, &Variable::name) != variables_.end();
  };
  for (const size_t k : indices) {
    Index& index = indices_.emplace_back(Index{k, std::nullopt});
    const auto bound = bounds.find(k);
    if (bound == bounds.end()) {
      if (!bounds.empty()) return StrCat("over: expected a bound of i", k, ", too");
      if (const std::string name = StrCat("d", k); is_variable(name)) index.size = Size{name, 0};
      continue;
    }
    const FormulaNode& node = BoundOf(*bound->second);
    if (node.op == Operator::kNumber) index.size = Size{"", node.number};
    if (node.op == Operator::kName && is_variable(node.name)) index.size = Size{std::string(node.name), 0};
  }
  return "";
}

// Lets a name be any integer. Returns what is wrong with that, or nothing. No size may be negative.
std::string FormulaClaim::MakeSigned(std::string_view name) {
  const auto variable = std::ranges::find(variables_, name, &Variable::name);
  if (NumberAfter('d', name) || variable == variables_.end() || variable->least != 0) {
    return StrCat("signed: expected a name of the formulas once, and none that is a size, found ", Quoted(name));
  }
  variable->least = std::nullopt;
  return "";
}

std::vector<const Formula*> FormulaClaim::AllFormulas() const {
  std::vector<const Formula*> formulas;
  for (const std::vector<Formula>* list : {&formulas_, &assumptions_, &over_}) {
    for (const Formula& formula : *list) formulas.push_back(&formula);
  }
  if (equals_) formulas.push_back(&*equals_);
  return formulas;
}

// A let must not bind a name that has a meaning elsewhere: its own would depend on how scopes are read.
std::string FormulaClaim::CheckLets() const {
  for (const Formula* formula : AllFormulas()) {
    for (const std::string_view name : BoundNames(*formula)) {
      const bool is_known = std::ranges::find(variables_, name, &Variable::name) != variables_.end();
      if (is_known || NumberAfter('i', name) || NumberAfter('d', name)) {
        return StrCat("expected another name after let, found ", Quoted(name));
      }
    }
  }
  return "";
}

std::vector<std::string> FormulaClaim::names() const {
  std::vector<std::string> names;
  for (const Variable& variable : variables_) names.push_back(variable.name);
  return names;
}

NameRanges FormulaClaim::ranges() const {
  NameRanges ranges = layout_ ? RangesOf(*layout_) : NameRanges();
  for (const Variable& variable : variables_) {
    if (!variable.least) ranges[variable.name] = kIntegerRange;
  }
  return ranges;
}

}  // namespace layoutcheck::verify
