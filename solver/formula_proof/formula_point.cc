// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include <algorithm>
#include <map>
#include <span>

namespace layoutcheck {

PointFormula::PointFormula(const FormulaQuestion::BoundFormula& bound)
    : bound_(bound),
      narrow_(bound.formula),
      wide_(bound.formula),
      names_(bound.names.size()),
      wide_names_(bound.names.size()) {}

FormulaValue<Int128> PointFormula::operator()(const FormulaPoint& point) {
  for (size_t k = 0; k < bound_.names.size(); ++k) names_[k] = bound_.names[k].At(point);
  if (bound_.function) return RunFunction();
  const FormulaValue<int64_t> value = narrow_(names_);
  if (value.fault != FormulaFault::kOverflow) return {value.value, value.fault, value.node};
  std::ranges::copy(names_, wide_names_.begin());
  return wide_(wide_names_);
}

std::string PointFormula::FaultText(const FormulaValue<Int128>& last) const {
  if (last.ok()) return {};
  return bound_.function ? fault_ : layoutcheck::FaultText(bound_.formula, last.node, last.fault);
}

bool FormulaComparison::Differs() const {
  if (expected.fault == FormulaFault::kOverflow || actual.fault == FormulaFault::kOverflow) return false;
  return !expected.ok() || !actual.ok() || expected.value != actual.value;
}

PointEvaluator::PointEvaluator(const FormulaQuestion& question)
    : question_(question), formula_(question.formula), name_count_(question.names().size()) {
  if (question.equals) equals_.emplace(*question.equals);
  for (const FormulaQuestion::BoundFormula& assumption : question.assumptions) assumptions_.emplace_back(assumption);
  coordinate_.resize(question.indices.size());
}

// Computes the layout's index for the point's shape, or returns false if its sizes do not fit int64.
bool PointEvaluator::SetShape(const FormulaPoint& point) {
  if (!question_.layout) return true;
  const std::span shape = std::span(point).first(name_count_);
  if (shape_ && std::ranges::equal(*shape_, shape)) return index_.has_value();
  shape_.emplace(shape.begin(), shape.end());
  std::map<std::string, int64_t> values;
  for (size_t k = 0; k < name_count_; ++k) values[question_.variables[k].name] = point[k];
  index_.reset();
  if (auto index = MakeTiledIndex(ToNumbers(question_.layout->layout, values))) index_ = std::move(*index);
  return index_.has_value();
}

bool PointEvaluator::IsInDomain(const FormulaPoint& point) {
  domain_unknown_ = false;
  for (size_t k = 0; k < point.size(); ++k) {
    if (point[k] < question_.variables[k].least) return false;
  }
  for (const FormulaIndex& index : question_.indices) {
    if (index.size && point[index.variable] >= index.size->At(point)) return false;
  }
  for (PointFormula& assumption : assumptions_) {
    const FormulaValue<Int128> value = assumption(point);
    const bool is_unknown = value.fault == FormulaFault::kOverflow;
    if (!is_unknown && (!value.ok() || value.value == 0)) return domain_unknown_ = false;
    domain_unknown_ = domain_unknown_ || is_unknown;
  }
  return !domain_unknown_ && SetShape(point);
}

FormulaComparison PointEvaluator::Compare(const FormulaPoint& point) {
  FormulaComparison result;
  result.actual = formula_(point);
  if (equals_) {
    result.expected = (*equals_)(point);
  } else {
    for (size_t k = 0; k < coordinate_.size(); ++k) coordinate_[k] = point[question_.indices[k].variable];
    result.expected = {(*index_)(coordinate_)};
  }
  return result;
}

}  // namespace layoutcheck
