// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/kernel_question.h"
#include <algorithm>
#include <memory>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/solver/formula_proof/path_claims.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/paths/followed_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

ProofResult Undecided(const KernelModel& model, const std::string& law, std::string reason) {
  ProofResult result{.layout = model.name(), .law = law};
  result.reason = std::move(reason);
  return result;
}

void ShowNumbers(const KernelModel& model, const HostThread& thread, ProofResult& result) {
  if (result.verdict != ProofVerdict::kRefuted || !model.numbers().are_followed()) return;
  constexpr size_t kMostShown = 8;
  SymbolicValues values;
  for (const auto& [name, value] : result.counterexample) values.emplace(name, value);
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    values.try_emplace(ThreadName("thread", axis), thread.thread[axis]);
    values.try_emplace(ThreadName("block", axis), thread.block[axis]);
  }
  IsFollowed([&] {
    const auto point = model.At(values);
    if (!point) return;
    for (const auto& number : model.NumbersRead(*point, values)) {
      if (result.counterexample.size() < values.size() + kMostShown) result.counterexample.push_back(number);
    }
  });
  std::erase_if(result.counterexample, [](const auto& value) { return value.first == kPattern; });
}

std::vector<std::string> AllNames(const KernelModel& model) {
  std::vector<std::string> names = model.names();
  names.insert(names.end(), model.thread_names().begin(), model.thread_names().end());
  return names;
}

namespace {

// Checks the claim; in a run on numbers, once per pattern. Writes the first pattern for which the claim is false to
// `false_with`, if that is given, and throws as the claim does.
void CheckWithPatterns(const KernelModel& model, const KernelClaim& claim, const KernelModel::Point& point,
                       SymbolicValues values, int64_t* false_with = nullptr) {
  if (!model.numbers().are_followed() || FunctionRun::IsOnNames()) return claim(point, values);
  std::optional<FunctionUnknown> unknown;
  for (int64_t pattern = 0; pattern < kPatterns; ++pattern) {
    values[kPattern] = pattern;
    try {
      claim(point, values);
    } catch (const FunctionUnknown& why) {
      unknown = why;
    } catch (const FunctionFault&) {
      if (false_with != nullptr) *false_with = pattern;
      throw;
    }
  }
  if (unknown) throw FunctionUnknown(*unknown);
}

// The arrays and the launch at the values of the last run on numbers. A search runs many threads of a launch one after
// another, and the numbers of a thread change neither.
class LastPoint {
 public:
  // Returns model.At(values), until the next call, and counts its operations.
  const std::optional<KernelModel::Point>& At(const KernelModel& model, const SymbolicValues& values) {
    const bool is_on_names = FunctionRun::IsOnNames();
    if (is_known_ && !is_on_names && HaveSameSizes(model, values)) {
      FunctionRun::CountRepeated(operations_);
      return point_;
    }
    is_known_ = false;
    const int64_t before = FunctionRun::OperationsOfRun();
    point_ = model.At(values);
    operations_ = FunctionRun::OperationsOfRun() - before;
    values_ = values;
    is_known_ = !is_on_names;
    return point_;
  }

 private:
  bool HaveSameSizes(const KernelModel& model, const SymbolicValues& values) const {
    return std::ranges::equal(values, values_, [&](const auto& a, const auto& b) {
      if (a.first != b.first) return false;
      if (a.second.number() == b.second.number()) return true;
      const auto& of_thread = model.thread_names();
      return !IsSizeOfLaunch(a.first) && std::ranges::find(of_thread, a.first) != of_thread.end();
    });
  }

  bool is_known_ = false;
  SymbolicValues values_;
  std::optional<KernelModel::Point> point_;
  int64_t operations_ = 0;  // of At()
};

// Returns the names in the array's layout that the claim is not about.
std::vector<std::string> DerivedNames(const KernelQuestion& asked) {
  std::vector<std::string> derived;
  if (asked.array == nullptr) return derived;
  for (const std::string& name : asked.array->names) {
    if (std::ranges::find(asked.names, name) == asked.names.end()) derived.push_back(name);
  }
  return derived;
}

}  // namespace

Expected<FormulaQuestion> MakeKernelQuestion(const KernelQuestion& asked) {
  const KernelModel& model = asked.model;
  const SymbolicLayout* const array = asked.array;
  FormulaRequest texts{
      .layout = array == nullptr ? "" : array->text, .equals = "0", .assumptions = model.assumption_texts()};
  if (!asked.where.empty()) texts.assumptions.push_back(asked.where);
  std::vector<std::string> arguments = asked.names;
  // Names that stand for formulas (KernelRequest::derived): At() leaves out values that are not theirs.
  for (const std::string& name : DerivedNames(asked)) arguments.push_back(name);
  const size_t rank = array == nullptr ? 0 : array->layout.dimensions.size();
  for (size_t d = 0; d < rank; ++d) arguments.push_back(StrCat("i", d));
  if (array != nullptr) {
    for (const std::string& name : asked.names) {
      if (std::ranges::find(array->names, name) == array->names.end()) texts.more_names.push_back(name);
    }
  }
  // Numbers of threads are searched like indices: after the sizes, and small.
  std::vector<std::string> names = arguments;
  for (size_t k = 0, index = 0; k < names.size(); ++k) {
    if (array == nullptr && std::ranges::find(model.thread_names(), names[k]) != model.thread_names().end()) {
      names[k] = StrCat("i", index++);
    }
  }
  texts.formula = names.empty() ? "0" : StrJoin(names, "+");
  LAYOUTCHECK_TRY(auto question, MakeFormulaQuestion(texts));
  for (FormulaVariable& variable : question.variables) {
    variable.name = arguments[static_cast<size_t>(std::ranges::find(names, variable.name) - names.begin())];
  }
  const auto last = std::make_shared<LastPoint>();
  const auto run = [&model, arguments, last, claim = asked.claim,
                    holds_outside = asked.holds_outside](std::span<const SymbolicInteger> given) -> SymbolicInteger {
    SymbolicValues values;
    for (size_t k = 0; k < arguments.size(); ++k) values.emplace(arguments[k], given[k]);
    const auto& point = last->At(model, values);
    if (point) {
      CheckWithPatterns(model, claim, *point, values);
    } else if (!holds_outside) {
      throw FunctionFault{"it is not asked"};
    }
    return 0;
  };
  std::vector<FormulaSize> sizes = question.formula.names;
  question.formula = BindFunction(question, {.symbolic = run, .numeric = nullptr, .is_pure = true}, std::move(sizes),
                                  StrCat("the kernel ", model.name()));
  return question;
}

namespace {

// Writes what the result of a question about a function says about the kernel.
void Describe(const KernelQuestion& asked, const std::string& law, ProofResult& result) {
  result.layout = asked.model.name();
  result.law = law;
  result.for_all = asked.names;
  const std::vector<std::string> derived = DerivedNames(asked);
  std::erase_if(result.counterexample, [&](const auto& value) {
    return value.first == "expected" || std::ranges::find(derived, value.first) != derived.end();
  });
  for (const auto& [side, why] : result.without_value) result.subexpression = why;
  result.without_value.clear();
  if (result.verdict != ProofVerdict::kRefuted || !asked.model.numbers().are_followed()) return;
  SymbolicValues values;
  for (const auto& [name, value] : result.counterexample) values.emplace(name, value);
  int64_t pattern = 0;
  IsFollowed([&] {
    if (const auto point = asked.model.At(values)) {
      CheckWithPatterns(asked.model, asked.claim, *point, values, &pattern);
    }
  });
  result.counterexample.emplace_back(kPattern, pattern);
}

}  // namespace

Expected<ProofResult> ProveKernelClaim(const KernelQuestion& asked, const std::string& law,
                                       const ProveOptions& options) {
  LAYOUTCHECK_TRY(const auto question, MakeKernelQuestion(asked));
  EqualityGoal goal(question);
  ProveOptions without_certificates = options;
  without_certificates.certificates = false;
  std::vector<FormulaPathResult> paths;
  auto result = ProveGoal(goal, without_certificates, {}, asked.samples, options.certificates ? &paths : nullptr);
  if (result && options.certificates && result->verdict == ProofVerdict::kProved) {
    CertifyPaths(question, paths, StrCat(asked.model.title(), ", ", law), options, *result);
  }
  if (result) Describe(asked, law, *result);
  return result;
}

Expected<ProofResult> RefuteKernelClaim(const KernelQuestion& asked, const std::string& law) {
  LAYOUTCHECK_TRY(const auto question, MakeKernelQuestion(asked));
  EqualityGoal goal(question);
  ProofResult result;
  if (const auto found = SearchPoints(goal, SearchRound::kFirst).found) {
    const FormulaPoint point = MinimizePoint(goal, *found);
    if (goal.FailsInWholeRunAt(point)) {
      result.verdict = ProofVerdict::kRefuted;
      result.method = "witness";
      for (size_t k = 0; k < point.size(); ++k) {
        result.counterexample.emplace_back(question.variables[k].name, point[k]);
      }
      goal.DescribeFailure(point, result);
    }
  }
  Describe(asked, law, result);
  return result;
}

}  // namespace layoutcheck
