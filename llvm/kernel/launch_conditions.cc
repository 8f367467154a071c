// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/launch_conditions.h"
#include <algorithm>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"

namespace layoutcheck {
namespace {

std::string TextOf(const std::vector<Formula>& formulas, size_t axis) {
  if (axis >= formulas.size()) return "1";
  const std::string& text = formulas[axis].text;
  const size_t begin = text.find_first_not_of(' ');
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// Returns the product of the formulas.
std::string Product(std::vector<std::string> factors) {
  std::erase(factors, "1");
  if (factors.size() < 2) return factors.empty() ? "1" : factors[0];
  return StrCat("(", StrJoin(factors, ") * ("), ")");
}

// Returns true if the condition was evaluated and is false.
bool IsFalse(const Formula& condition, const std::map<std::string, int64_t>& values) {
  std::vector<int64_t> names;
  for (const std::string& name : condition.names) {
    const auto known = values.find(name);
    if (known == values.end()) return false;
    names.push_back(known->second);
  }
  const FormulaValue<int64_t> value = FormulaEvaluator<int64_t>(condition)(names);
  return value.ok() && value.value == 0;
}

}  // namespace

std::vector<LaunchCondition> LaunchConditions(const KernelModel& model,
                                              const std::vector<std::pair<std::string, int64_t>>& values) {
  const LaunchLimits& limits = model.limits();
  const std::map<std::string, int64_t> known(values.begin(), values.end());
  std::vector<LaunchCondition> conditions;
  const auto add = [&](const std::string& number, int64_t limit, bool is_largest_x) {
    LaunchCondition condition{.text = StrCat(number, " <= ", limit), .is_largest_x = is_largest_x};
    const auto formula = ParseFormula(condition.text);
    if (!formula || formula->names.empty()) return;
    if (std::ranges::find(conditions, condition.text, &LaunchCondition::text) != conditions.end()) return;
    condition.is_broken = IsFalse(*formula, known);
    conditions.push_back(std::move(condition));
  };
  const bool any_threads = limits.threads_of_a_launch == INT64_MAX;
  std::vector<std::string> threads;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    const std::string grid = TextOf(model.grid(), axis);
    const std::string block = TextOf(model.block(), axis);
    add(grid, limits.blocks[axis], axis == 0 && any_threads);
    add(block, limits.threads[axis], false);
    if (!any_threads) add(Product({block, grid}), limits.threads_of_a_launch, false);
    threads.push_back(block);
  }
  add(Product(threads), limits.block_threads, false);
  return conditions;
}

LaunchBorder BorderOfLaunch(const KernelModel& model, const std::vector<std::pair<std::string, int64_t>>& values,
                            const std::function<bool(const std::string& condition)>& is_right_while) {
  const std::vector<LaunchCondition> conditions = LaunchConditions(model, values);
  std::vector<std::string> all;
  std::vector<std::string> broken;
  bool is_largest_x = true;
  for (const LaunchCondition& condition : conditions) {
    all.push_back(condition.text);
    if (!condition.is_broken) continue;
    broken.push_back(condition.text);
    is_largest_x = is_largest_x && condition.is_largest_x;
  }
  if (broken.empty()) return {};  // the launch has no thread for other reasons
  if (std::string text = StrJoin(broken, " && "); is_right_while(text)) return {std::move(text), is_largest_x};
  std::string text = StrJoin(all, " && ");
  return is_right_while(text) ? LaunchBorder{std::move(text)} : LaunchBorder{};
}

}  // namespace layoutcheck
