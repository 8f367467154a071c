// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/race_proofs.h"
#include <algorithm>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// The check of one thread for accesses to the arrays' elements that other threads store.
class ArrayRaces {
 public:
  ArrayRaces(const RaceQuestion& asked, const ThreadGuess& guess, const KernelModel& model,
             const KernelModel::Point& point, const SymbolicValues& values)
      : asked_(asked), guess_(guess), model_(model), point_(point), values_(values) {}

  void Check(const KernelRun& run) const {
    for (const KernelStore& store : run.stores) {
      const auto array = static_cast<size_t>(store.array);
      if (!store.is_atomic) CheckAccess(array, store.offset, store.bytes, store.place);
    }
    for (const ArrayRead& read : run.reads) {
      const auto array = static_cast<size_t>(read.object);
      if (asked_.written.contains(array)) CheckAccess(array, read.offset, read.bytes, read.place);
    }
  }

 private:
  // Checks that this thread is the only one that stores what it accesses.
  void CheckAccess(size_t array, const SymbolicInteger& offset, int64_t bytes, std::string_view place) const {
    const std::string& name = model_.array_names()[array];
    if (asked_.atomic.contains(array)) {
      throw FunctionUnknown{StrCat("atomic and other accesses to ", name, ", at ", place)};
    }
    const KernelTensor& tensor = point_.tensors[array];
    FunctionRun::SetPlace("an element", name, place);
    ForEachElementOf(tensor, offset, bytes, [&](const SymbolicInteger& at, int64_t) {
      const auto element = tensor.ElementAt(at);
      if (!element) return;
      const auto owner = OwnerOf(guess_, point_, values_, array, *element);
      if (!owner || !owner->IsThread(values_)) {
        throw FunctionEnd{StrCat("which thread stores an element of ", name, " was not found, at ", place)};
      }
    });
  }

  const RaceQuestion& asked_;
  const ThreadGuess& guess_;
  const KernelModel& model_;
  const KernelModel::Point& point_;
  const SymbolicValues& values_;
};

}  // namespace

Expected<ProofResult> ProveRaceFree(const RaceQuestion& asked) {
  if (asked.simulation.race) return RefutedBy(*asked.simulation.race, asked.model, kRaceFree);
  if (!asked.are_accesses_proved) return Undecided(asked.model, kRaceFree, kAccessesUnknown);
  std::vector<ThreadGuess> guesses = asked.simulation.guesses;
  if (guesses.empty()) guesses.emplace_back();
  ProofResult result;
  for (const ThreadGuess& guess : guesses) {
    const ThreadProver::Claim claim = [&](const KernelModel& model, const KernelModel::Point& point,
                                          const SymbolicValues& values, const KernelRun& run) {
      CheckSharedRaces(model, point, values, asked.simulation.writers, asked.intervals, run);
      ArrayRaces(asked, guess, model, point, values).Check(run);
    };
    auto tried = asked.threads.ProveOfThreads(kRaceFree, claim);
    if (!tried || tried->verdict != ProofVerdict::kUnknown) return tried;
    result = *std::move(tried);
  }
  return result;
}

Expected<ProofResult> ProveUniformBarriers(const RaceQuestion& asked) {
  if (asked.simulation.divergence) return RefutedBy(*asked.simulation.divergence, asked.model, kUniformBarriers);
  if (!asked.are_accesses_proved) return Undecided(asked.model, kUniformBarriers, kAccessesUnknown);
  for (const auto& [group, place] : asked.intervals.warp_groups) {
    if (group.IsKnown()) continue;
    return Undecided(asked.model, kUniformBarriers,
                     StrCat("which threads of a warp wait for each other at ", place, " is not known"));
  }
  const ThreadProver::Claim claim = [&](const KernelModel& model, const KernelModel::Point& point,
                                        const SymbolicValues& values, const KernelRun& run) {
    CheckUniformBarriers(model, point, values, run, asked.intervals);
  };
  return asked.threads.ProveOfThreads(kUniformBarriers, claim);
}

}  // namespace layoutcheck
