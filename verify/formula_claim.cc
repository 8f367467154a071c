// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formula_claim.h"
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/formula_path.h"
#include "layoutcheck/verify/steps.h"
#include "layoutcheck/verify/tiling.h"

namespace layoutcheck::verify {
namespace {

// Limit of nodes that are evaluated on all paths together. It bounds the time.
constexpr size_t kMaxEvaluations = 50'000'000;

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
  if (std::string wrong = result.CheckLets(); !wrong.empty()) return std::unexpected(std::move(wrong));
  return result;
}

std::string FormulaClaim::ReadTexts(const Claim& claim) {
  if (!claim.formula || (!claim.layout && !claim.equals) || claim.integer) {
    return "expected a formula, and a layout or another formula to compare it with";
  }
  if (claim.layout) {
    auto layout = ReadLayout(*claim.layout);
    if (!layout) return StrCat("layout: ", layout.error());
    layout_ = std::move(*layout);
  }
  const auto read = [](std::string_view what, std::string_view text, std::vector<Formula>& formulas) -> std::string {
    auto parsed = ReadFormulas(text);
    if (!parsed) return StrCat(what, ": ", parsed.error());
    std::ranges::move(*parsed, std::back_inserter(formulas));
    return "";
  };
  std::vector<Formula> formulas;
  std::vector<Formula> equals;
  std::string wrong = read("formula", *claim.formula, formulas);
  if (wrong.empty() && claim.equals) wrong = read("equals", *claim.equals, equals);
  for (const std::string_view assumption : claim.assumptions) {
    if (wrong.empty()) wrong = read("assume", assumption, assumptions_);
  }
  if (wrong.empty() && claim.over) wrong = read("over", *claim.over, over_);
  if (!wrong.empty()) return wrong;
  if (formulas.size() != 1 || equals.size() > 1 || assumptions_.size() != claim.assumptions.size()) {
    return "expected one formula, and no list of them";
  }
  formula_ = std::move(formulas[0]);
  if (!equals.empty()) equals_ = std::move(equals[0]);
  return "";
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
  AppendFreeNames(formula_, names);
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
      if (const std::string name = StrCat("d", k); is_variable(name)) index.size = Size{name, 0};
      continue;
    }
    const FormulaNode& node = BoundOf(*bound->second);
    if (node.op == Operator::kNumber) index.size = Size{"", node.number};
    if (node.op == Operator::kName && is_variable(node.name)) index.size = Size{std::string(node.name), 0};
  }
  return "";
}

// A let must not bind a name that has a meaning elsewhere: its own would depend on how scopes are read.
std::string FormulaClaim::CheckLets() const {
  std::vector<const Formula*> formulas = {&formula_};
  if (equals_) formulas.push_back(&*equals_);
  for (const std::vector<Formula>* list : {&assumptions_, &over_}) {
    for (const Formula& formula : *list) formulas.push_back(&formula);
  }
  for (const Formula* formula : formulas) {
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

// Adds the variables and their ranges, gives the path its names, and appends the point of the layout to `index`.
void FormulaClaim::StateDomain(Statement& statement, FormulaPath& path, std::vector<Polynomial>& index) const {
  std::map<std::string_view, Polynomial> values;
  for (const Variable& variable : variables_) {
    const Polynomial value = statement.NewVariable(variable.name);
    statement.Assume(statement.LessEqual(statement.Number(variable.least), value));
    values[variable.name] = value;
    path.SetName(variable.name, value);
  }
  for (const Index& i : indices_) {
    index.push_back(statement.NewVariable(StrCat("i", i.number)));
    statement.Assume(statement.LessEqual(statement.Number(0), index.back()));
    path.SetName(StrCat("i", i.number), index.back());
  }
  for (size_t k = 0; k < indices_.size(); ++k) {
    const std::optional<Size>& size = indices_[k].size;
    if (!size) continue;
    const Polynomial bound = size->name.empty() ? statement.Number(size->number) : values.at(size->name);
    statement.Assume(statement.Less(index[k], bound));
    path.SetName(StrCat("d", indices_[k].number), bound);
  }
}

SizedLayout FormulaClaim::LayoutOf(const FormulaPath& path, Statement& statement) const {
  const auto polynomial = [&](const Size& size) {
    return size.name.empty() ? statement.Number(size.number) : path.ValueOfName(size.name);
  };
  SizedLayout sized{{}, layout_->major_to_minor, {}};
  for (const Size& size : layout_->dimensions) sized.dimensions.push_back(polynomial(size));
  for (const std::vector<TileEntry>& tile : layout_->tiles) {
    std::vector<TileSize>& entries = sized.tiles.emplace_back();
    for (const TileEntry& entry : tile) {
      entries.push_back({entry.combine, entry.combine ? Polynomial() : polynomial(entry.size)});
    }
  }
  return sized;
}

// Returns false if the path is outside of the domain: an assumption is false, or has no value.
Checked<bool> FormulaClaim::AssumptionsHold(FormulaPath& path) const {
  for (const std::vector<Formula>* list : {&assumptions_, &over_}) {
    for (const Formula& assumption : *list) {
      Truth truth = path.EvaluateTruth(assumption);
      if (!truth) return std::unexpected(std::move(truth.error()));
      if (!truth->value_or(false)) return false;
    }
  }
  return true;
}

// States one path: its hypotheses, which are the domain and the decisions, and its goals.
Checked<void> FormulaClaim::StatePath(Statement& statement, Outcomes& outcomes) const {
  FormulaPath path(statement, outcomes);
  std::vector<Polynomial> index;
  StateDomain(statement, path, index);
  const Checked<bool> is_inside = AssumptionsHold(path);
  if (!is_inside) return std::unexpected(is_inside.error());
  if (*is_inside) {
    Value expected = equals_ ? path.Evaluate(*equals_)
                             : Value(ClosedFormula(statement.ring(), LayoutOf(path, statement), index).index);
    if (!expected) return std::unexpected(std::move(expected.error()));
    Value actual = *expected ? path.Evaluate(formula_) : Value(std::nullopt);
    if (!actual) return std::unexpected(std::move(actual.error()));
    // Without a value the claim is wrong, so no point may take the path.
    statement.AddGoal(*actual ? statement.Equal(**actual, **expected)
                              : statement.LessEqual(statement.Number(1), statement.Number(0)));
  }
  if (auto splits = path.TakeSplits(); !splits) return splits;
  return outcomes.EndPath();
}

size_t FormulaClaim::NodeCount() const {
  size_t count = formula_.nodes.size() + (equals_ ? equals_->nodes.size() : 0);
  for (const std::vector<Formula>* list : {&assumptions_, &over_}) {
    for (const Formula& formula : *list) count += formula.nodes.size();
  }
  return count;
}

Checked<int64_t> FormulaClaim::Check(Lines& lines) const {
  Outcomes outcomes(lines);
  int64_t steps = 0;
  size_t evaluations = 0;
  while (outcomes.StartPath()) {
    if (lines.line() != "path") return lines.RefuseLine("'path'");
    evaluations += NodeCount();
    if (evaluations > kMaxEvaluations) return lines.Refuse("expected fewer paths of formulas of this length");
    lines.Advance();
    Statement statement;
    if (auto stated = StatePath(statement, outcomes); !stated) return std::unexpected(std::move(stated.error()));
    const Checked<int64_t> checked = StepChecker(statement, lines).Run();
    if (!checked) return checked;
    steps += *checked;
  }
  return steps;
}

}  // namespace layoutcheck::verify
