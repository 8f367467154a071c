// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/thread_of_element.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr const char* kLaunch = "launch";  // law of questions that are never reported

KernelClaim OfThread(const KernelModel& model, const ThreadProver::Claim& claim) {
  return [&model, claim](const KernelModel::Point& point, const SymbolicValues& values) {
    if (!model.IsThread(point, values)) return;
    claim(model, point, values, model.Run(point, values, KernelModel::Bounds::kChecked));
  };
}

}  // namespace

Expected<void> ThreadProver::RequireThread() const {
  const auto claim = [this](const KernelModel::Point& point, const SymbolicValues& values) {
    if (model_.IsThread(point, values)) throw FunctionFault{"a thread"};
  };
  const auto result = ProveKernelClaim({.model = model_, .names = AllNames(model_), .claim = claim}, kLaunch, options_);
  if (!result) return std::unexpected(result.error());
  if (result->verdict == ProofVerdict::kRefuted) return {};
  return MakeError(
      ErrorKind::kInvalidArgument,
      StrCat("no thread of such a launch was found: a block has 1 to 1024 threads, a grid 1 block or more and at "
             "most as many as a GPU runs, and each array takes at most ",
             model_.max_bytes(), " bytes"));
}

Expected<void> ThreadProver::LeaveOutFarThreads() {
  if (!model_.has_launch()) {
    any_launch_.LeaveOutFarThreads();
    return {};
  }
  const auto claim = [](const KernelModel::Point& point, const SymbolicValues&) {
    if (KernelModel::HasFarThread(point)) throw FunctionFault{"2^31 threads or more"};
  };
  const auto result = ProveKernelClaim({.model = model_, .names = model_.names(), .claim = claim}, kLaunch, options_);
  if (!result) return std::unexpected(result.error());
  if (result->verdict != ProofVerdict::kProved) return {};
  model_.LeaveOutFarThreads();
  any_launch_.LeaveOutFarThreads();
  return {};
}

Expected<ProofResult> ThreadProver::Prove(const std::string& law, const Claim& claim) {
  if (!model_.has_launch()) return ProveOfAnyLaunch(law, claim);
  if (asks_any_launch_) {
    auto result = Prove(any_launch_, law, claim);
    if (!result) return result;
    if (result->verdict == ProofVerdict::kProved) {
      result->for_all = AllNames(model_);  // threads that the launch does not have may be left out
      return result;
    }
    if (law == kAccesses) asks_any_launch_ = false;
  }
  return ProveOfLaunch(law, claim);
}

Expected<ProofResult> ThreadProver::Refute(const std::string& law, const Claim& claim) const {
  return RefuteKernelClaim({.model = model_, .names = AllNames(model_), .claim = OfThread(model_, claim)}, law);
}

Expected<ProofResult> ThreadProver::ProveOfLaunch(const std::string& law, const Claim& claim) const {
  return Prove(model_, law, claim);
}

Expected<ProofResult> ThreadProver::ProveOfAnyLaunch(const std::string& law, const Claim& claim) const {
  auto near = Prove(any_launch_, law, claim);
  if (!near || near->verdict != ProofVerdict::kProved) return near;
  auto result = Prove(model_, law, claim);
  if (!result) return result;
  result->seconds += near->seconds;
  if (result->verdict == ProofVerdict::kUnknown) {
    StrAppend(result->reason, "; proved for launches of at most 2^31 threads in each direction");
  }
  return result;
}

Expected<ProofResult> ThreadProver::Prove(const KernelModel& model, const std::string& law, const Claim& claim) const {
  return ProveKernelClaim({.model = model, .names = AllNames(model), .claim = OfThread(model, claim)}, law, options_);
}

std::optional<CodeBorder> ThreadProver::FindBorder(
    const Claim& claim, const std::vector<std::pair<std::string, int64_t>>& counterexample,
    const std::function<bool(const std::string& condition)>& is_right_while, bool is_wrong_alone) const {
  const auto question =
      MakeKernelQuestion({.model = model_, .names = AllNames(model_), .claim = OfThread(model_, claim)});
  if (!question) return std::nullopt;
  ProveOptions without_exports = options_;
  without_exports.exports = {};
  const BorderQuestion asked{.question = *question,
                             .max_bytes = std::nullopt,
                             .sizes = model_.names(),
                             .is_right_while = is_right_while,
                             .at_last = [&](const std::string& condition) {
                               return is_wrong_alone ? AtLastElements(claim, condition)
                                                     : std::vector<FormulaQuestion>();
                             }};
  return layoutcheck::FindBorder(asked, counterexample, without_exports);
}

// Returns questions about the threads that store the last elements of the arrays, by the guesses.
std::vector<FormulaQuestion> ThreadProver::AtLastElements(const Claim& claim, const std::string& condition) const {
  std::vector<FormulaQuestion> questions;
  if (!model_.has_launch()) return questions;
  for (size_t array = 0; array < model_.layouts().size(); ++array) {
    for (const ThreadGuess& guess : ThreadGuesses(1)) {
      const auto at_last = [this, &claim, guess, array](const KernelModel::Point& point, SymbolicValues values) {
        if (!point.why_no_thread_runs.empty()) throw FunctionFault{point.why_no_thread_runs};  // it is not asked
        const KernelTensor& tensor = point.tensors[array];
        std::vector<SymbolicInteger> element;
        for (const SymbolicInteger& size : tensor.sizes()) element.push_back(size - 1);
        const auto thread = ThreadOf(guess, model_, point, tensor, element);
        if (!thread) return;
        for (const auto& [name, number] : *thread) values.insert_or_assign(name, number);
        OfThread(model_, claim)(point, values);
      };
      auto question = MakeKernelQuestion({.model = model_,
                                          .names = model_.names(),
                                          .claim = at_last,
                                          .where = StrCat("!(", condition, ")"),
                                          .holds_outside = false});
      if (question) questions.push_back(*std::move(question));
    }
  }
  return questions;
}

}  // namespace layoutcheck
