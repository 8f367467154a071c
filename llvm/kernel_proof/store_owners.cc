// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/store_owners.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/llvm/kernel_proof/law_certificates.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

OwnerProver::OwnerProver(const KernelModel& model, ThreadProver& threads, Simulation simulation,
                         std::set<size_t> written, std::string why_no_proof, const ProveOptions& options)
    : model_(model),
      threads_(threads),
      written_(std::move(written)),
      why_no_proof_(std::move(why_no_proof)),
      options_(options),
      simulation_(std::move(simulation)) {}

ProofResult OwnerProver::NoThreadFound(const std::string& law, size_t array, std::string_view small_launches) const {
  std::vector<std::string> index;
  for (size_t d = 0; d < model_.layouts()[array].layout.dimensions.size(); ++d) index.push_back(StrCat("i", d));
  std::vector<std::string> tried;
  for (const ThreadGuess& guess : simulation_.guesses) {
    if (guess.contains(array)) tried.push_back(GuessText(guess.at(array)));
  }
  return Undecided(model_, law,
                   StrCat("which thread stores element (", StrJoin(index, ","), ") of ", model_.array_names()[array],
                          " was not found: ",
                          tried.empty() ? "no formula of its index fits" : StrCat("tried ", StrJoin(tried, "; ")),
                          "; small launches ", small_launches));
}

Expected<OwnerProof> OwnerProver::ProveDistinct(const RightWhile& is_right_while) {
  if (simulation_.stored_twice) {
    return OwnerProof{RefutedBy(*simulation_.stored_twice, model_, kDistinct), simulation_.stored_twice, {}};
  }
  if (!why_no_proof_.empty()) return OwnerProof{Undecided(model_, kDistinct, why_no_proof_), {}, {}};
  ProofResult unknown = NoThreadFound(kDistinct, *written_.begin(), "store no element twice");
  for (const ThreadGuess& guess : simulation_.guesses) {
    const ThreadProver::Claim claim = [guess](const auto&, const auto& point, const auto& values, const auto& run) {
      CheckOwner(guess, point, values, run.stores);
    };
    const bool has_regions = std::ranges::all_of(guess, [](const auto& cases) {
      return std::ranges::all_of(cases.second,
                                 [](const ThreadCase& one) { return one.formulas.contains(kGuardedRegion); });
    });
    threads_.SetRegionsApart(has_regions);
    auto result = threads_.ProveOfThreads(kDistinct, claim);
    threads_.SetRegionsApart(false);
    if (!result) return std::unexpected(result.error());
    if (result->verdict == ProofVerdict::kProved) return OwnerProof{*std::move(result), {}, {}, guess};
    unknown.seconds += result->seconds;
    if (result->verdict != ProofVerdict::kRefuted) continue;
    auto fault = FindSecondStore(model_, guess, result->counterexample);
    if (!fault) continue;
    ProofResult refuted = RefutedBy(*fault, model_, kDistinct);
    return OwnerProof{std::move(refuted), std::move(fault),
                      threads_.FindBorder(claim, result->counterexample, is_right_while, nullptr)};
  }
  return OwnerProof{std::move(unknown), {}, {}};
}

Expected<OwnerProof> OwnerProver::ProveComplete() {
  if (simulation_.not_stored) {
    return OwnerProof{RefutedBy(*simulation_.not_stored, model_, kComplete), simulation_.not_stored, {}};
  }
  if (!why_no_proof_.empty()) return OwnerProof{Undecided(model_, kComplete, why_no_proof_), {}, {}};
  OwnerProof proof{{.layout = model_.name(), .law = kComplete}, {}, {}};
  for (const size_t array : written_) {
    LAYOUTCHECK_TRY(auto result, AskIfThreadsRun(array));
    JoinCertificates(proof.result, result);
    proof.result = std::move(result);
    if (proof.result.verdict != ProofVerdict::kProved) break;
    LAYOUTCHECK_TRY(auto complete, AskComplete(array));
    JoinCertificates(proof.result, complete);
    proof.result = std::move(complete);
    if (proof.result.verdict != ProofVerdict::kProved) break;
  }
  return proof;
}

// Asks if the launch runs wherever the array has an element.
Expected<ProofResult> OwnerProver::AskIfThreadsRun(size_t array) const {
  const auto claim = [this, array](const KernelModel::Point& point, const SymbolicValues&) {
    if (!point.why_no_thread_runs.empty()) throw FunctionFault{NotStoredText(model_, point, array)};
  };
  return ProveKernelClaim(
      {.model = model_, .names = NamesOfElements(), .array = &model_.layouts()[array], .claim = claim}, kComplete,
      options_);
}

Expected<ProofResult> OwnerProver::AskComplete(size_t array) const {
  ProofResult unknown = NoThreadFound(kComplete, array, "show no gap");
  for (const ThreadGuess& guess : simulation_.guesses) {
    auto result = AskComplete(guess, array);
    if (!result || result->verdict == ProofVerdict::kProved) return result;
    unknown.seconds += result->seconds;
  }
  return unknown;
}

Expected<ProofResult> OwnerProver::AskComplete(const ThreadGuess& guess, size_t array) const {
  const auto claim = [this, &guess, array](const KernelModel::Point& point, SymbolicValues values) {
    if (!point.why_no_thread_runs.empty()) return;  // AskIfThreadsRun
    std::vector<SymbolicInteger> element;
    for (size_t d = 0; d < point.tensors[array].sizes().size(); ++d) element.push_back(values.at(StrCat("i", d)));
    const auto owner = OwnerOf(guess, point, values, array, element);
    if (!owner) throw FunctionFault{"the guess does not fit the launch"};
    values = owner->In(std::move(values));
    if (!model_.IsThread(point, values)) throw FunctionFault{"no thread of the launch has this number"};
    const KernelRun run = model_.RunRegions(point, values, KernelModel::Bounds::kProved, owner->Regions());
    if (!IsStored(point, run.stores, array, element)) {
      throw FunctionFault{"the thread does not store the element"};
    }
  };
  return ProveKernelClaim(
      {.model = model_, .names = NamesOfElements(), .array = &model_.layouts()[array], .claim = claim}, kComplete,
      options_);
}

// Returns the names that an element's question is about: without the numbers of the thread.
std::vector<std::string> OwnerProver::NamesOfElements() const {
  std::vector<std::string> names = model_.names();
  for (const std::string& name : model_.thread_names()) {
    if (IsSizeOfLaunch(name)) names.push_back(name);
  }
  return names;
}

}  // namespace layoutcheck
