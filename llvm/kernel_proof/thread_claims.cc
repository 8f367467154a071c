// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"
#include <algorithm>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/exact_numbers.h"
#include "layoutcheck/llvm/kernel_proof/law_certificates.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr const char* kLaunch = "launch";  // law of questions that are never reported

// Sets of guarded regions, each of which one claim is about.
using Regions = std::optional<std::set<size_t>>;

// Returns what the thread does. Where exact numbers are followed, a thread does nothing if it runs into undefined
// behavior before an address is wrong: that is for the law "accesses".
KernelRun RunOf(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                const Regions& regions, bool ends_behind) {
  try {
    return model.RunRegions(point, values, KernelModel::Bounds::kChecked, regions, ends_behind);
  } catch (const AddressFault&) {
    throw;
  } catch (const FunctionFault&) {
    if (!model.follows_exact()) throw;
    return {};
  }
}

// Drops the accesses that are in none of these regions.
void KeepAccessesOf(const std::set<size_t>& regions, KernelRun& run) {
  const auto is_elsewhere = [&](const auto& access) { return !access.region || !regions.contains(*access.region); };
  std::erase_if(run.shared, is_elsewhere);
  std::erase_if(run.stores, is_elsewhere);
}

// The largest numbers of guarded regions and stores on a path.
struct Seen {
  size_t regions = 0;
  size_t regions_with_results = 0;
  size_t stores = 0;

  void Add(const KernelRun& run) {
    regions = std::max(regions, run.regions);
    regions_with_results = std::max(regions_with_results, run.regions_with_results);
    stores = std::max(stores, run.stores.size());
  }
};

// Adds what is on each path to `seen`, if it is given.
// For the law race-free, a claim about some regions asks about the accesses in them alone, because the claim about no
// region has compared all other accesses with those of another thread.
KernelClaim OfThread(const KernelModel& model, const ThreadProver::Claim& claim, const Regions& regions = std::nullopt,
                     Seen* seen = nullptr, std::string_view law = {}) {
  const bool asks_some = regions && !regions->empty();
  const bool keeps_all = law != kRaceFree || !asks_some;
  // The claim about no region has asked about all other accesses. Regions with results go on, because only the code
  // behind them shows where the results are stored.
  const bool is_of_accesses = law == kAccesses || law == kNoOverflow;
  const bool ends_behind = is_of_accesses && asks_some && *regions->rbegin() < kFirstWithResult;
  return [&model, claim, regions, seen, keeps_all, ends_behind](const KernelModel::Point& point,
                                                                const SymbolicValues& values) {
    if (!model.IsThread(point, values)) return;
    KernelRun run = RunOf(model, point, values, regions, ends_behind);
    if (seen != nullptr && FunctionRun::IsOnNames()) seen->Add(run);
    if (!keeps_all) KeepAccessesOf(*regions, run);
    claim(model, point, values, run);
  };
}

}  // namespace

Expected<void> ThreadProver::RequireThread() const {
  const auto claim = [this](const KernelModel::Point& point, const SymbolicValues& values) {
    if (!model_.IsThread(point, values)) return;
    // There must be numbers that the request allows in each array, too.
    for (const size_t array : model_.numbers().arrays()) {
      const KernelTensor& tensor = point.tensors[array];
      if (FunctionRun::IsOnNames()) continue;
      (void)model_.numbers().PatternOf(array, 0, NumberOf(tensor.bytes()) / tensor.element_bytes(), values);
    }
    throw FunctionFault{"a thread"};
  };
  LAYOUTCHECK_TRY(const auto result,
                  ProveKernelClaim({.model = model_, .names = AllNames(model_), .claim = claim}, kLaunch, options_));
  if (result.verdict == ProofVerdict::kRefuted) return {};
  return MakeError(
      ErrorKind::kInvalidArgument,
      StrCat("no thread of such a launch was found: a block has 1 to 1024 threads, a grid 1 block or more and at "
             "most as many as a GPU runs, and each array takes at most ",
             model_.max_bytes(), " bytes",
             model_.numbers().are_followed() ? ", and holds numbers of its --values" : ""));
}

Expected<void> ThreadProver::LeaveOutFarThreads() {
  if (!model_.has_launch()) {
    any_launch_.LeaveOutFarThreads();
    return {};
  }
  const auto claim = [](const KernelModel::Point& point, const SymbolicValues&) {
    if (KernelModel::HasFarThread(point)) throw FunctionFault{"2^31 threads or more"};
  };
  LAYOUTCHECK_TRY(auto result,
                  ProveKernelClaim({.model = model_, .names = model_.names(), .claim = claim}, kLaunch, options_));
  if (result.verdict != ProofVerdict::kProved) return {};
  no_far_threads_ = std::move(result);
  model_.LeaveOutFarThreads();
  any_launch_.LeaveOutFarThreads();
  return {};
}

Expected<ProofResult> ThreadProver::Prove(const std::string& law, const Claim& claim) {
  if (!model_.has_launch()) return ProveOfAnyLaunch(law, claim);
  // Shared memory mostly fits the blocks of this launch alone, and a claim about any launch has many more paths then.
  const bool is_launch_first = asks_any_launch_ && model_.has_shared_memory();
  if (is_launch_first) {
    auto result = ProveOfLaunch(law, claim);
    if (!result || result->verdict != ProofVerdict::kUnknown) return result;
  }
  if (asks_any_launch_) {
    LAYOUTCHECK_TRY(auto result, Prove(any_launch_, law, claim));
    if (result.verdict == ProofVerdict::kProved) {
      result.for_all = AllNames(model_);  // threads that the launch does not have may be left out
      return result;
    }
    if (law == kAccesses) asks_any_launch_ = false;
  }
  return ProveOfLaunch(law, claim);  // the claim has then seen the threads of this launch last
}

Expected<ProofResult> ThreadProver::Refute(const std::string& law, const Claim& claim) const {
  return RefuteKernelClaim({.model = model_, .names = AllNames(model_), .claim = OfThread(model_, claim)}, law);
}

Expected<ProofResult> ThreadProver::ProveOfThreads(const std::string& law, const Claim& claim) {
  const bool is_covered = std::ranges::all_of(model_.thread_names(), [this](const std::string& name) {
    return std::ranges::find(any_launch_.thread_names(), name) != any_launch_.thread_names().end();
  });
  return is_covered ? Prove(law, claim) : ProveOfLaunch(law, claim);
}

Expected<ProofResult> ThreadProver::ProveOfLaunch(const std::string& law, const Claim& claim) const {
  return Prove(model_, law, claim);
}

Expected<ProofResult> ThreadProver::ProveOfAnyLaunch(const std::string& law, const Claim& claim) {
  const bool certificates = std::exchange(options_.certificates, false);
  auto near = Prove(any_launch_, law, claim);
  options_.certificates = certificates;
  if (!near || near->verdict != ProofVerdict::kProved) return near;
  LAYOUTCHECK_TRY(auto result, Prove(model_, law, claim));
  result.seconds += near->seconds;
  if (result.verdict == ProofVerdict::kUnknown) {
    StrAppend(result.reason, "; proved for launches of at most 2^31 threads in each direction");
  }
  return result;
}

Expected<ProofResult> ThreadProver::Prove(KernelModel& model, const std::string& law, const Claim& claim) const {
  while (true) {
    auto result = ProveOnce(model, law, claim);
    const bool is_known = !result || result->verdict != ProofVerdict::kUnknown;
    if (is_known || !model.LearnFromRuns()) return result;
  }
}

Expected<ProofResult> ThreadProver::ProveOnce(const KernelModel& model, const std::string& law,
                                              const Claim& claim) const {
  Seen seen;
  std::vector<NamedValues> samples;
  const auto prove = [&](const Regions& regions) {
    const KernelQuestion asked{.model = model,
                               .names = AllNames(model),
                               .claim = OfThread(model, claim, regions, &seen, law),
                               .samples = &samples};
    return ProveKernelClaim(asked, law, options_);
  };
  if (!model.has_many_regions() || options_.exports.IsWanted()) return prove(std::nullopt);
  auto result = prove(std::set<size_t>{});
  const auto add = [&](const std::set<size_t>& chosen) {
    if (!result || result->verdict != ProofVerdict::kProved) return;
    auto next = prove(chosen);
    if (next) {
      next->seconds += result->seconds;
      next->rlimit += result->rlimit;
      next->obligations += result->obligations;
      next->lemma_instances += result->lemma_instances;
      if (next->verdict == ProofVerdict::kProved) JoinCertificates(*result, *next);
    }
    result = std::move(next);
  };
  if (law == kUniformBarriers) return result;  // no region has a barrier
  // Regions with results store nothing. Where the values are followed that are stored, each claim is about all of them.
  const bool asks_results = law != kDistinct && !model.follows_stored_values();
  const size_t with_results = asks_results ? seen.regions_with_results : 0;
  const size_t regions = seen.regions;
  if (result && result->verdict == ProofVerdict::kProved && regions + with_results > kMostRegions)
    return prove(std::nullopt);
  std::vector<size_t> storing;
  const auto add_one = [&](size_t region) {
    seen.stores = 0;
    add({region});
    if (seen.stores > 0) storing.push_back(region);
  };
  for (size_t region = 0; region < regions; ++region) add_one(region);
  for (size_t region = 0; region < with_results; ++region) add_one(kFirstWithResult + region);
  if (law != kDistinct || are_regions_apart_) return result;
  // One thread may store an element in two regions.
  for (size_t k = 0; k < storing.size(); ++k) {
    for (size_t other = k + 1; other < storing.size(); ++other) add({storing[k], storing[other]});
  }
  return result;
}

std::optional<CodeBorder> ThreadProver::FindBorder(
    const Claim& claim, const std::vector<std::pair<std::string, int64_t>>& counterexample,
    const RightWhile& is_right_while, const std::function<std::vector<ThreadGuess>()>& make_guesses) const {
  const auto question =
      MakeKernelQuestion({.model = model_, .names = AllNames(model_), .claim = OfThread(model_, claim)});
  if (!question) return std::nullopt;
  ProveOptions without_exports = options_;
  without_exports.exports = {};
  std::optional<std::vector<ThreadGuess>> guesses;
  const auto at_last = [&](const std::string& condition) {
    if (!guesses) guesses = make_guesses ? make_guesses() : std::vector<ThreadGuess>();
    return AtLastElements(claim, *guesses, condition);
  };
  const BorderQuestion asked{.question = *question,
                             .max_bytes = std::nullopt,
                             .sizes = model_.names(),
                             .is_right_while = is_right_while,
                             .at_last = at_last};
  return layoutcheck::FindBorder(asked, counterexample, without_exports);
}

// Returns questions about the threads that store the last elements of the arrays, by the guesses.
std::vector<FormulaQuestion> ThreadProver::AtLastElements(const Claim& claim, const std::vector<ThreadGuess>& guesses,
                                                          const std::string& condition) const {
  std::vector<FormulaQuestion> questions;
  if (!model_.has_launch()) return questions;
  for (size_t array = 0; array < model_.layouts().size(); ++array) {
    for (const ThreadGuess& guess : guesses) {
      if (!guess.contains(array)) continue;
      const auto at_last = [this, &claim, guess, array](const KernelModel::Point& point, SymbolicValues values) {
        if (!point.why_no_thread_runs.empty()) throw FunctionFault{point.why_no_thread_runs};  // it is not asked
        const KernelTensor& tensor = point.tensors[array];
        std::vector<SymbolicInteger> element;
        for (const SymbolicInteger& size : tensor.sizes()) element.push_back(size - 1);
        const auto owner = OwnerOf(guess, point, values, array, element);
        if (owner) OfThread(model_, claim)(point, owner->In(std::move(values)));
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
