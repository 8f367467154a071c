// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/relayout_proof.h"
#include <algorithm>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

std::string NamesOf(const KernelModel& model, const std::set<size_t>& arrays) {
  std::vector<std::string> names;
  for (const size_t array : arrays) names.push_back(model.array_names()[array]);
  return StrJoin(names, ", ");
}

namespace {

// Returns true if the arrays have equal sizes as they are written.
bool HaveSameSizes(const KernelModel& model, size_t a, size_t b) {
  return std::ranges::equal(
      model.layouts()[a].layout.dimensions, model.layouts()[b].layout.dimensions,
      [](const SymbolicSize& x, const SymbolicSize& y) { return x.name == y.name && x.value == y.value; });
}

}  // namespace

ThreadProver::Claim RelayoutClaim::OfThread() {
  // Only here is it known what is read of shared memory and of earlier kernels: an element, or the result of
  // arithmetic.
  const bool is_known_here = !is_named_ && (model_.has_shared_memory() || earlier_ != nullptr);
  return [this, is_known_here](const auto& model, const auto& point, const auto& values, const auto& run) {
    std::vector<KernelStore> moved;
    const auto add = [&](const KernelStore& store) {
      const auto array = static_cast<size_t>(store.array);
      if (is_known_here && store.is_computed) {
        found_computed_.insert(array);
        return;
      }
      found_moved_.insert(array);
      for (const int64_t from : SourcesOf(store)) sources_.insert(static_cast<size_t>(from));
      // No run on the machine shows that such a value is no element.
      if (earlier_ != nullptr && store.from < 0 && !store.is_garbage) {
        throw FunctionUnknown{
            StrCat("what is stored in ", model.array_names()[array], " at ", store.place, " is ", store.unknown)};
      }
      moved.push_back(store);
    };
    for (const KernelStore& store : run.stores) {
      read_.merge(SourcesOf(store));
      if (computed_.contains(static_cast<size_t>(store.array))) continue;
      if (earlier_ == nullptr) {
        add(store);
        continue;
      }
      for (const KernelStore& part : earlier_->Trace(model, point, values, store)) add(part);
    }
    CheckRelayout(model, point, values, moved, run.element_reader);
  };
}

bool RelayoutClaim::IsAsked() const { return !std::ranges::includes(computed_, written_); }

void RelayoutClaim::Weaken(ProofResult& result) {
  const auto weaken = [&](std::string reason) {
    result.verdict = ProofVerdict::kUnknown;
    result.reason = std::move(reason);
  };
  // Threads may store an element before others read it.
  for (const int64_t array : read_) {
    if (!written_.contains(static_cast<size_t>(array)) || result.verdict != ProofVerdict::kProved) continue;
    weaken(
        StrCat("what is read of ", model_.array_names()[static_cast<size_t>(array)], ", to which threads store, too"));
  }
  for (const size_t array : found_computed_) {
    if (result.verdict != ProofVerdict::kProved) break;
    computed_.insert(array);
    if (!found_moved_.contains(array)) continue;
    weaken(StrCat("to ", model_.array_names()[array], ", results of arithmetic are stored, too"));
  }
}

std::string RelayoutClaim::WhyNotAsked(const ProofResult& result, const std::set<size_t>& perhaps_computed) const {
  if (result.verdict == ProofVerdict::kProved) {
    return computed_.empty() ? "" : StrCat(NamesOf(model_, computed_), " is computed");
  }
  if (is_named_) return "";
  const bool are_computed = std::ranges::all_of(
      written_, [&](size_t array) { return computed_.contains(array) || perhaps_computed.contains(array); });
  if (result.verdict == ProofVerdict::kUnknown && are_computed && !written_.empty()) {
    return StrCat(NamesOf(model_, written_), " is computed");
  }
  // Where a refutation was found before any element, each array may be the one that is moved.
  const bool are_known = !sources_.empty();
  std::set<size_t> sources = sources_;
  for (size_t array = 0; array < model_.layouts().size() && !are_known; ++array) {
    if (!written_.contains(array)) sources.insert(array);
  }
  for (const size_t to : found_moved_) {
    const auto has_same_sizes = [&](size_t from) { return HaveSameSizes(model_, to, from); };
    const bool may_move = are_known ? std::ranges::all_of(sources, has_same_sizes)
                                    : sources.empty() || std::ranges::any_of(sources, has_same_sizes);
    if (may_move || model_.SourceOf(to) != nullptr) continue;
    return StrCat(model_.array_names()[to], " and ", NamesOf(model_, sources),
                  " have other sizes; --source says what belongs where");
  }
  if (!model_.numbers().are_followed()) return "";
  std::set<size_t> without_source;
  for (const size_t array : found_moved_) {
    if (model_.SourceOf(array) == nullptr) without_source.insert(array);
  }
  if (without_source.empty()) return "";
  const std::vector<size_t> arrays = model_.numbers().arrays();
  return StrCat("what belongs in ", NamesOf(model_, without_source), " depends on numbers in ",
                NamesOf(model_, {arrays.begin(), arrays.end()}), "; --source says how");
}

}  // namespace layoutcheck
