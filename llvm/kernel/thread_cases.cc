// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/thread_synthesis.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostPlaces = 4;
constexpr size_t kMostGuesses = 3;

using PlacedExamples = std::map<std::string, std::vector<StoreExample>>;

// A bound of an index, with its value in an example.
struct IndexBound {
  std::string text;
  std::function<int64_t(const StoreExample& example)> value;
};

// Returns the bounds that are tried: numbers, sizes, and what a number leaves of a size.
std::vector<IndexBound> BoundsOf(const StoreExample& example, const ThreadParts& parts) {
  std::vector<IndexBound> bounds;
  std::vector<int64_t> numbers = parts.numbers;
  std::erase_if(numbers, [](int64_t number) { return number < 1; });
  for (const int64_t number : numbers) {
    bounds.push_back({StrCat(number), [number](const StoreExample&) { return number; }});
  }
  for (const auto& [name, value] : example.names) {
    if (IsSizeOfLaunch(name) || std::ranges::find(parts.bases, name) != parts.bases.end()) continue;
    const auto of = [name](const StoreExample& at) { return at.names.at(name); };
    bounds.push_back({name, of});
    for (const int64_t number : numbers) {
      bounds.push_back({StrCat("(", name, " floordiv ", number, ") * ", number),
                        [of, number](const StoreExample& at) { return of(at) / number * number; }});
      bounds.push_back(
          {StrCat(name, " floordiv ", number), [of, number](const StoreExample& at) { return of(at) / number; }});
      bounds.push_back({StrCat(name, " - ", number), [of, number](const StoreExample& at) { return of(at) - number; }});
    }
  }
  return bounds;
}

// A comparison of an index with a bound that is true of the elements of one place.
struct Condition {
  std::string base;
  IndexBound bound;
  bool is_below = false;  // the index is below the bound

  Formula ToFormula() const { return *ParseFormula(StrCat(base, is_below ? " < " : " >= ", bound.text)); }
};

// Returns a condition that is true of the examples of the place and false of all others.
std::optional<Condition> ConditionOf(const PlacedExamples& places, const std::string& place, const ThreadParts& parts) {
  const auto tells = [&](const std::string& base, const IndexBound& bound, bool is_below) {
    return std::ranges::all_of(places, [&](const auto& entry) {
      return std::ranges::all_of(entry.second, [&](const StoreExample& example) {
        return (example.names.at(base) < bound.value(example)) == (is_below == (entry.first == place));
      });
    });
  };
  for (const IndexBound& bound : BoundsOf(places.at(place).front(), parts)) {
    for (const std::string& base : parts.bases) {
      for (const bool is_below : {true, false}) {
        if (tells(base, bound, is_below)) return Condition{base, bound, is_below};
      }
    }
  }
  return std::nullopt;
}

// Adds the base (i0 - 4) for elements that are known to have an index of at least 4.
void CountFromBound(const Condition& condition, PlacedExamples& places, ThreadParts& parts) {
  const std::string text = StrCat("(", condition.base, " - ", condition.bound.text, ")");
  for (auto& [place, examples] : places) {
    for (StoreExample& example : examples) {
      example.names.emplace(text, example.names.at(condition.base) - condition.bound.value(example));
    }
  }
  parts.bases.push_back(text);
}

// Returns formulas of which the first ones have 0 for each number that is 0 in all examples.
std::vector<ThreadFormulas> FormulasOf(const std::vector<StoreExample>& examples, const ThreadParts& parts) {
  ThreadParts with_zeros = parts;
  for (const auto& [name, value] : examples.front().thread) {
    const auto is_zero = [&](const StoreExample& example) { return example.thread.at(name) == 0; };
    if (std::ranges::all_of(examples, is_zero)) with_zeros.zeros.insert(name);
  }
  std::vector<ThreadFormulas> found = SynthesizeThreads(examples, with_zeros);
  const std::vector<ThreadFormulas> others = SynthesizeThreads(examples, parts);
  found.insert(found.end(), others.begin(), others.end());
  return found;
}

}  // namespace

std::vector<std::vector<ThreadCase>> SynthesizeCases(PlacedExamples places, ThreadParts parts) {
  if (places.size() < 2 || places.size() > kMostPlaces) return {};
  std::vector<std::vector<ThreadCase>> guesses(kMostGuesses);
  for (auto& [place, examples] : places) {
    for (StoreExample& example : examples) example.thread.erase(kGuardedRegion);
  }
  while (!places.empty()) {
    std::optional<Condition> condition;
    auto next = places.begin();
    for (; places.size() > 1 && next != places.end(); ++next) {
      condition = ConditionOf(places, next->first, parts);
      if (condition) break;
    }
    if (next == places.end()) return {};
    const std::vector<ThreadFormulas> found = FormulasOf(next->second, parts);
    if (found.empty()) return {};
    for (size_t k = 0; k < kMostGuesses; ++k) {
      const std::optional<Formula> formula = condition ? std::optional(condition->ToFormula()) : std::nullopt;
      guesses[k].push_back({found[std::min(k, found.size() - 1)], formula, next->first});
    }
    places.erase(next);
    if (condition && condition->is_below) CountFromBound(*condition, places, parts);
  }
  return guesses;
}

}  // namespace layoutcheck
