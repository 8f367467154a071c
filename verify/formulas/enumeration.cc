// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/enumeration.h"
#include <algorithm>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/formulas/formula_path.h"
#include "layoutcheck/verify/formulas/outcomes.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {
namespace {

constexpr int64_t kMaxPoints = int64_t{1} << 20;
// Limit of names, for each of which the enumeration is one level deeper.
constexpr size_t kMaxNames = 1000;

// Finds the bounds of names in assumptions.
class BoundsReader {
 public:
  explicit BoundsReader(std::vector<EnumeratedName>& names) : names_(names) {
    for (const EnumeratedName& name : names) is_signed_.push_back(!name.least);
  }

  // Takes bounds from a part of an assumption that must be true.
  void Bound(const Formula& formula, uint32_t number) {
    const FormulaNode& node = formula.nodes[number];
    const uint32_t left = node.operands[0];
    const uint32_t right = node.operands[1];
    switch (node.op) {
      case Operator::kAnd:
        Bound(formula, left);
        Bound(formula, right);
        return;
      case Operator::kLess: return BoundBoth(formula, left, right, 1);
      case Operator::kLessEqual: return BoundBoth(formula, left, right, 0);
      case Operator::kGreater: return BoundBoth(formula, right, left, 1);
      case Operator::kGreaterEqual: return BoundBoth(formula, right, left, 0);
      case Operator::kEqual:
        BoundBoth(formula, left, right, 0);
        BoundBoth(formula, right, left, 0);
        return;
      default: return;
    }
  }

 private:
  // Takes the bounds in smaller <= larger - strict, if one of these nodes is a name and the other a number.
  void BoundBoth(const Formula& formula, uint32_t smaller, uint32_t larger, Int128 strict) {
    if (const auto [name, number] = NameAndNumber(formula, smaller, larger); name != names_.end() && number) {
      if (!name->most || *number - strict < *name->most) name->most = *number - strict;
    }
    if (const auto [name, number] = NameAndNumber(formula, larger, smaller); name != names_.end() && number) {
      const bool is_signed = is_signed_[static_cast<size_t>(name - names_.begin())];
      if (is_signed && (!name->least || *number + strict > *name->least)) name->least = *number + strict;
    }
  }

  // Returns the name at one node and the number at the other, if they are that.
  std::pair<std::vector<EnumeratedName>::iterator, std::optional<Int128>> NameAndNumber(const Formula& formula,
                                                                                        uint32_t name, uint32_t value) {
    if (formula.nodes[name].op != Operator::kName) return {names_.end(), std::nullopt};
    const auto found = std::ranges::find(names_, formula.nodes[name].name, &EnumeratedName::name);
    if (found == names_.end()) return {found, std::nullopt};
    Formula part = formula;
    part.root = value;
    Statement statement;
    Lines no_lines("");
    Outcomes outcomes(no_lines);
    const Value number = FormulaPath(statement, outcomes).Evaluate(part);  // refused if it has a name
    if (!number || !*number || !statement.ring().fault().empty()) return {found, std::nullopt};
    return {found, statement.ring().ConstantValue(**number)};
  }

  std::vector<EnumeratedName>& names_;
  std::vector<bool> is_signed_;  // one per name
};

class Enumeration {
 public:
  Enumeration(const FormulaClaim& claim, const Lines& lines)
      : claim_(claim), lines_(lines), names_(EnumeratedNamesOf(claim)), values_(names_.size()) {}

  Checked<int64_t> Run() {
    const Checked<void> checked = CheckFrom(0);
    if (!checked) return std::unexpected(checked.error());
    return points_;
  }

 private:
  // Checks the points at which the names before the k-th have their present values. Recursion is as deep as there are
  // names.
  Checked<void> CheckFrom(size_t k) {
    if (++visits_ > kMaxEvaluations) return TooMany();
    if (k == names_.size()) return CheckPoint();
    const EnumeratedName& name = names_[k];
    std::optional<Int128> most = name.most;
    if (const std::optional<Int128> size = SizeOf(name); size && (!most || *size - 1 < *most)) most = *size - 1;
    if (!most || !name.least) return lines_.Refuse(StrCat("expected a number that bounds ", Quoted(name.name)));
    for (values_[k] = *name.least; values_[k] <= *most; ++values_[k]) {
      if (auto checked = CheckFrom(k + 1); !checked) return checked;
    }
    return {};
  }

  std::unexpected<Refusal> TooMany() const {
    return lines_.Refuse(StrCat("expected at most ", kMaxPoints, " points, and fewer of a long formula"));
  }

  // Returns the size of an index at the present values. The names that are sizes stand before the indices.
  std::optional<Int128> SizeOf(const EnumeratedName& name) const {
    if (!name.size) return std::nullopt;
    if (name.size->name.empty()) return name.size->number;
    const auto size = std::ranges::find(names_, name.size->name, &EnumeratedName::name);
    return values_[static_cast<size_t>(size - names_.begin())];
  }

  Checked<void> CheckPoint() {
    evaluations_ += claim_.NodeCount();
    if (++points_ > kMaxPoints || evaluations_ > kMaxEvaluations) return TooMany();
    Statement statement;
    Lines no_lines("");
    Outcomes outcomes(no_lines);
    FormulaPath path(statement, outcomes);
    std::vector<Polynomial> index;
    for (size_t k = 0; k < names_.size(); ++k) {
      const Polynomial value = statement.Number(values_[k]);
      if (k < claim_.variables().size()) {
        path.SetName(names_[k].name, value);
        continue;
      }
      index.push_back(value);
      if (const auto size = SizeOf(names_[k])) {
        path.SetName(StrCat("d", names_[k].name.substr(1)), statement.Number(*size));
      }
    }
    const Checked<void> stated = claim_.StateAt(statement, path, index);
    if (!stated) return RefusePoint(stated.error().reason);
    if (!statement.ring().fault().empty()) return RefusePoint(statement.ring().fault());
    for (const Relation& goal : statement.goals()) {
      const std::optional<Int128> difference = statement.ring().ConstantValue(goal.polynomial);
      const bool holds = difference && (goal.is_equation ? *difference == 0 : *difference >= 0);
      if (!holds) return RefusePoint("the claim is wrong");
    }
    return {};
  }

  std::unexpected<Refusal> RefusePoint(std::string_view why) const {
    std::string point;
    for (size_t k = 0; k < names_.size(); ++k) StrAppend(point, " ", names_[k].name, "=", ToDecimal(values_[k]));
    return lines_.Refuse(StrCat(why, " at", point));
  }

  const FormulaClaim& claim_;
  const Lines& lines_;
  std::vector<EnumeratedName> names_;
  std::vector<Int128> values_;
  int64_t points_ = 0;
  size_t visits_ = 0;  // of points, and of values of the first names
  size_t evaluations_ = 0;
};

}  // namespace

std::vector<EnumeratedName> EnumeratedNamesOf(const FormulaClaim& claim) {
  std::vector<EnumeratedName> names;
  for (const FormulaClaim::Variable& variable : claim.variables()) {
    const auto least = variable.least ? std::optional<Int128>(*variable.least) : std::nullopt;
    names.push_back({variable.name, least, std::nullopt, std::nullopt});
  }
  for (const FormulaClaim::Index& index : claim.indices()) {
    names.push_back({StrCat("i", index.number), 0, std::nullopt, index.size});
  }
  BoundsReader reader(names);
  for (const std::vector<Formula>* list : {&claim.assumptions(), &claim.over()}) {
    for (const Formula& formula : *list) reader.Bound(formula, formula.root);
  }
  return names;
}

Checked<int64_t> CheckByEnumeration(const FormulaClaim& claim, Lines& lines) {
  if (claim.variables().size() > kMaxNames) return lines.Refuse(StrCat("expected at most ", kMaxNames, " names"));
  const Checked<int64_t> points = Enumeration(claim, lines).Run();
  if (points) lines.Advance();
  return points;
}

}  // namespace layoutcheck::verify
