// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/store_guesses.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/index_bases.h"

namespace layoutcheck {
namespace {

// Returns true if a launch has 1 thread or block in a direction whatever the sizes are.
bool IsOne(const std::vector<Formula>& sizes, size_t axis) {
  if (axis >= sizes.size()) return true;
  const FormulaNode& node = sizes[axis].nodes[sizes[axis].root()];
  return node.op == FormulaOp::kLiteral && node.value == 1;
}

// Returns the sizes of the array: names and numbers, and empty texts for formulas.
std::vector<std::string> SizesOf(const KernelModel& model, size_t array) {
  std::vector<std::string> sizes;
  for (const SymbolicSize& size : model.layouts()[array].layout.dimensions) {
    const bool is_name = std::ranges::find(model.names(), size.name) != model.names().end();
    sizes.push_back(is_name ? size.name : size.name.empty() ? StrCat(size.value) : "");
  }
  return sizes;
}

void AddAll(std::vector<ThreadFormulas> formulas, std::vector<std::vector<ThreadCase>>& guesses) {
  for (ThreadFormulas& one : formulas) guesses.push_back({{.formulas = std::move(one)}});
}

}  // namespace

void SampledExamples::Add(const std::optional<size_t>& region,
                          const std::function<const StoreExample&()>& make_example) {
  constexpr size_t kMostExamples = 512;
  regions_.insert(region);
  const uint64_t hash = HashCombine(0, seen_++) >> 8;
  if (hash % step_ != 0) return;
  hashes_.push_back(hash);
  kept_.push_back(make_example());
  if (kept_.size() < kMostExamples) return;
  step_ *= 2;
  size_t kept = 0;
  for (size_t k = 0; k < kept_.size(); ++k) {
    if (hashes_[k] % step_ != 0) continue;
    std::swap(kept_[kept], kept_[k]);
    std::swap(hashes_[kept++], hashes_[k]);
  }
  kept_.resize(kept);
  hashes_.resize(kept);
}

void StoreGuesses::Add(size_t array, const KernelStore& store, const std::function<StoreExample()>& make_example) {
  std::optional<StoreExample> example;
  const auto made = [&]() -> const StoreExample& {
    if (!example) example = make_example();
    return *example;
  };
  StoresOfArray& stores = stores_[array];
  stores.all.Add(store.region, made);
  auto place = stores.by_place.find(store.place);
  if (place == stores.by_place.end()) place = stores.by_place.emplace(store.place, SampledExamples()).first;
  place->second.Add(store.region, made);
}

std::vector<ThreadGuess> StoreGuesses::Guess(const KernelModel& model) const {
  std::vector<ThreadGuess> guesses;
  for (const auto& [array, stores] : stores_) {
    const std::vector<std::vector<ThreadCase>> found = GuessOf(model, array, stores, PartsOf(model, array));
    for (size_t k = 0; k < found.size(); ++k) {
      if (k == guesses.size()) guesses.push_back(k == 0 ? ThreadGuess() : guesses.back());
      for (size_t guess = k; guess < guesses.size(); ++guess) guesses[guess][array] = found[k];
    }
  }
  return guesses;
}

ThreadParts StoreGuesses::PartsOf(const KernelModel& model, size_t array) const {
  ThreadParts parts;
  for (size_t d = model.layouts()[array].layout.dimensions.size(); d-- > 0;) parts.bases.push_back(StrCat("i", d));
  parts.bases.insert(parts.bases.end(), {kLinearIndex, kPlace});
  std::set<int64_t> numbers = model.literals();
  numbers.insert(per_thread_.begin(), per_thread_.end());
  for (size_t axis = 0; axis < kAxes.size() && model.has_launch(); ++axis) {
    if (IsOne(model.block(), axis)) parts.zeros.insert(ThreadName("thread", axis));
    if (IsOne(model.grid(), axis)) parts.zeros.insert(ThreadName("block", axis));
  }
  parts.numbers.assign(numbers.begin(), numbers.end());
  parts.has_iterations = !per_thread_.empty() && *per_thread_.rbegin() > 1;
  return parts;
}

// Returns what is guessed of one array.
std::vector<std::vector<ThreadCase>> StoreGuesses::GuessOf(const KernelModel& model, size_t array,
                                                           const StoresOfArray& stores, ThreadParts parts) {
  std::vector<std::vector<ThreadCase>> guesses;
  AddAll(SynthesizeInRegions(stores.all.kept(), stores.all.regions(), parts), guesses);
  if (guesses.empty()) {
    std::vector<StoreExample> examples = stores.all.kept();
    ThreadParts with_ranges = parts;
    AddIndexRanges(SizesOf(model, array), examples, with_ranges);
    if (with_ranges.bases.size() > parts.bases.size()) {
      AddAll(SynthesizeInRegions(examples, stores.all.regions(), std::move(with_ranges)), guesses);
    }
  }
  if (guesses.empty()) {
    constexpr size_t kMostOfViews = 8;
    std::vector<StoreExample> examples = stores.all.kept();
    ThreadParts with_views = parts;
    AddViews(model.layouts()[array].layout.dimensions.size(), examples, with_views);
    if (with_views.bases.size() > parts.bases.size()) {
      AddAll(SynthesizeInRegions(examples, stores.all.regions(), std::move(with_views)), guesses);
    }
    if (guesses.size() > kMostOfViews) guesses.resize(kMostOfViews);
  }
  std::map<std::string, std::vector<StoreExample>> places;
  for (const auto& [place, stored] : stores.by_place) places.emplace(place, stored.kept());
  std::vector<std::vector<ThreadCase>> cases = SynthesizeCases(std::move(places), std::move(parts));
  guesses.insert(guesses.end(), cases.begin(), cases.end());
  return guesses;
}

}  // namespace layoutcheck
