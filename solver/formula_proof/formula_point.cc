#include "layoutcheck/solver/formula_proof/formula_point.h"

#include <algorithm>
#include <map>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

PointFormula::PointFormula(const FormulaQuestion::BoundFormula& bound)
    : bound_(bound),
      narrow_(bound.formula),
      wide_(bound.formula),
      narrow_names_(bound.names.size()),
      wide_names_(bound.names.size()) {}

FormulaValue<Int128> PointFormula::operator()(const FormulaPoint& point) {
  for (size_t k = 0; k < bound_.names.size(); ++k) narrow_names_[k] = bound_.names[k].At(point);
  if (bound_.function) return RunFunction();
  const FormulaValue<int64_t> value = narrow_(narrow_names_);
  if (value.fault != FormulaFault::kOverflow) return {value.value, value.fault, value.node};
  std::ranges::copy(narrow_names_, wide_names_.begin());
  return wide_(wide_names_);
}

FormulaValue<Int128> PointFormula::RunFunction() {
  arguments_.assign(narrow_names_.begin(), narrow_names_.end());
  FunctionResult result = run_.Call(bound_.function, arguments_);
  operations_ += run_.operations();
  if (!result.unknown.empty() || (result.value && result.value->value().overflow)) {
    return {0, FormulaFault::kOverflow};
  }
  if (!result.fault.empty()) return NoValue(std::move(result.fault));
  const Int128 value = result.value->value().value;
  // With built-in integers an overflow, where there is one, has no meaning.
  const bool fits = !run_.outside() && value == static_cast<int64_t>(value);
  if (!fits || bound_.function.numeric == nullptr) return {value};
  try {
    const int64_t numeric = bound_.function.numeric(narrow_names_);
    if (numeric == value) return {value};
    return NoValue(StrCat("it is ", numeric, " with int64_t and ", ToDecimal(value), " with the symbolic integer"));
  } catch (...) {
    return NoValue(StrCat("it throws with int64_t and is ", ToDecimal(value), " with the symbolic integer"));
  }
}

FormulaValue<Int128> PointFormula::NoValue(std::string fault) {
  fault_ = std::move(fault);
  return {0, FormulaFault::kOfFunction};
}

std::string PointFormula::FaultText(const FormulaValue<Int128>& value) const {
  if (value.ok()) return {};
  return bound_.function ? fault_ : layoutcheck::FaultText(bound_.formula, value.node, value.fault);
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

bool PointEvaluator::SetShape(const FormulaPoint& point) {
  if (!question_.layout) return true;
  if (shape_.size() == name_count_ + 1 && std::equal(shape_.begin() + 1, shape_.end(), point.begin())) {
    return index_.has_value();
  }
  shape_.assign(1, 0);  // marks that it is set: a layout may have no name
  shape_.insert(shape_.end(), point.begin(), point.begin() + static_cast<std::ptrdiff_t>(name_count_));
  std::map<std::string, int64_t> values;
  for (size_t k = 0; k < name_count_; ++k) values[question_.variables[k].name] = point[k];
  index_.reset();
  auto index = MakeTiledIndex(ToNumbers(question_.layout->layout, values));
  if (index) index_ = std::move(*index);
  return index_.has_value();
}

bool PointEvaluator::IsInDomain(const FormulaPoint& point) {
  for (size_t k = 0; k < point.size(); ++k) {
    if (point[k] < question_.variables[k].least) return false;
  }
  for (const FormulaIndex& index : question_.indices) {
    if (index.size && point[index.variable] >= index.size->At(point)) return false;
  }
  for (PointFormula& assumption : assumptions_) {
    const FormulaValue<Int128> value = assumption(point);
    if (!value.ok() || value.value == 0) return false;
  }
  return SetShape(point);
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
