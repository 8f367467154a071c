// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/thread_synthesis.h"
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A number or a size of the launch, with its value in each example.
struct Measure {
  std::string text;
  std::vector<int64_t> values;
};

// A digit of a base: (base floordiv divisors) mod modulus, times the scale.
struct Digit {
  const Measure* base = nullptr;
  std::vector<const Measure*> divisors;
  const Measure* modulus = nullptr;  // null for the highest digit
  int cost = 0;                      // the least is the likeliest
  int64_t scale = 1;

  std::string Text() const {
    if (base == nullptr) return "0";
    std::string text = base->text;
    for (const Measure* const divisor : divisors) StrAppend(text, " floordiv ", divisor->text);
    if (modulus != nullptr) StrAppend(text, " mod ", modulus->text);
    return scale == 1 ? text : StrCat("(", text, ") * ", scale);
  }
  int64_t Weight(size_t example) const {
    int64_t weight = 1;
    for (const Measure* const divisor : divisors) weight *= divisor->values[example];
    return weight;
  }
};

// Returns the name of the lower digit of a number that is the sum of two.
std::string LowDigitOf(const std::string& name) { return StrCat("low ", name); }

class Synthesis {
 public:
  Synthesis(const std::vector<StoreExample>& examples, const ThreadParts& parts)
      : examples_(examples),
        zeros_(parts.zeros),
        first_region_(parts.first_region),
        has_iterations_(parts.has_iterations) {
    for (const std::string& base : parts.bases) {
      if (auto measure = MeasureOf(base)) bases_.push_back(*std::move(measure));
    }
    for (const char* const what : {"block_dim", "grid_dim"}) {
      for (size_t axis = 0; axis < kAxes.size(); ++axis) {
        auto measure = MeasureOf(ThreadName(what, axis));
        if (measure && !IsAlways(*measure, 1)) measures_.push_back(*std::move(measure));
      }
    }
    // Where each warp stores one element, a block has as many elements as warps.
    for (const char axis : kAxes) {
      const int64_t scale = ScaleOf(StrCat("thread_", std::string(1, axis)));
      auto measure = scale > 1 ? MeasureOf(StrCat("block_dim_", std::string(1, axis))) : std::nullopt;
      if (!measure || !std::ranges::all_of(measure->values, [&](int64_t size) { return size % scale == 0; })) continue;
      StrAppend(measure->text, " floordiv ", scale);
      measure->text = StrCat("(", measure->text, ")");
      for (int64_t& size : measure->values) size /= scale;
      if (!IsAlways(*measure, 1)) measures_.push_back(*std::move(measure));
    }
    launch_measures_ = measures_.size();
    for (const int64_t number : parts.numbers) {
      if (number > 1) measures_.push_back({StrCat(number), std::vector<int64_t>(examples_.size(), number)});
    }
  }

  std::vector<ThreadFormulas> Run() const {
    std::map<std::string, std::vector<Digit>> digits;
    for (const auto& [name, value] : examples_.front().thread) {
      digits[name] = DigitsOf(name);
      if (digits[name].empty()) return {};
    }
    std::vector<ThreadFormulas> found;
    std::set<std::string> texts;
    std::vector<const Measure*> preferred{nullptr};
    for (const Measure& base : bases_) preferred.push_back(&base);
    const Measure none;
    preferred.push_back(&none);  // directions beside x may have one thread in these launches only
    for (const Measure* const base : preferred) {
      std::map<std::string, Digit> chosen;
      for (const auto& [name, candidates] : digits) {
        const bool is_sought = base != nullptr && (base != &none || !name.ends_with("_x"));
        const auto known = std::ranges::find_if(candidates, [&](const Digit& digit) {
          return is_sought && digit.base == (base == &none ? nullptr : base);
        });
        chosen[name] = known == candidates.end() ? candidates.front() : *known;
      }
      ThreadFormulas formulas = Formulas(chosen);
      std::string text;
      for (const auto& [name, formula] : formulas) StrAppend(text, name, "=", formula.text, ";");
      if (texts.insert(text).second) found.push_back(std::move(formulas));
    }
    for (size_t k = found.size(); has_iterations_ && k-- > 0;) AddIterations(found[k], found);
    return found;
  }

 private:
  // Adds the formulas with each unused index as the iteration, if they say none.
  void AddIterations(ThreadFormulas formulas, std::vector<ThreadFormulas>& found) const {
    if (formulas.contains(kIteration)) return;
    for (const Measure& base : bases_) {
      const bool is_used = base.text[0] != 'i' || std::ranges::any_of(formulas, [&](const auto& entry) {
                             return std::ranges::find(entry.second.names, base.text) != entry.second.names.end();
                           });
      if (is_used) continue;
      ThreadFormulas more = formulas;
      more.emplace(kIteration, *ParseFormula(base.text));
      found.push_back(std::move(more));
    }
  }

  // Returns the greatest number that divides this number of the thread in all examples; 1 if there is none.
  int64_t ScaleOf(const std::string& name) const {
    int64_t scale = 0;
    for (const StoreExample& example : examples_) {
      const auto value = example.thread.find(name);
      scale = std::gcd(scale, value == example.thread.end() ? 1 : value->second);
    }
    return std::max<int64_t>(scale, 1);
  }

  std::optional<Measure> MeasureOf(const std::string& name) const {
    Measure measure{name, {}};
    for (const StoreExample& example : examples_) {
      const auto value = example.names.find(name);
      if (value == example.names.end()) return std::nullopt;
      measure.values.push_back(value->second);
    }
    return measure;
  }

  static bool IsAlways(const Measure& measure, int64_t number) {
    return std::ranges::all_of(measure.values, [&](int64_t value) { return value == number; });
  }

  // Returns the digits that are the number in all examples, the likeliest first.
  std::vector<Digit> DigitsOf(const std::string& name) const {
    std::vector<int64_t> target;
    for (const StoreExample& example : examples_) {
      target.push_back(example.thread.at(name) - (name == kGuardedRegion ? first_region_ : 0));
    }
    std::vector<Digit> found;
    const bool is_thread = name.contains("thread_");
    const bool is_sum = examples_.front().thread.contains(LowDigitOf(name));
    const int64_t scale = is_thread || is_sum ? ScaleOf(name) : 1;
    const std::string size = StrCat(is_thread ? "block_dim_" : "grid_dim_", name.substr(name.size() - 1));
    if (std::ranges::all_of(target, [](int64_t value) { return value == 0; })) {
      // Likely where there are other threads, too.
      constexpr int kUnlikely = 1000;
      const auto threads = MeasureOf(size);
      const bool has_others = threads && !IsAlways(*threads, 1);
      found.push_back({.cost = has_others || zeros_.contains(name) ? -1 : kUnlikely});
    }
    if (scale > 1) {
      for (int64_t& value : target) value /= scale;
    }
    for (size_t base = 0; base < bases_.size(); ++base) {
      const auto try_digit = [&](std::vector<const Measure*> divisors, int cost) {
        cost += static_cast<int>(base);
        Digit digit{&bases_[base], std::move(divisors), nullptr, cost + (is_thread ? 10 : 0), scale};
        AddIfTrue(digit, target, found);
        for (size_t k = 0; k < measures_.size(); ++k) {
          digit.modulus = &measures_[k];
          const bool is_own = measures_[k].text == size;
          digit.cost = cost + (is_own ? (is_thread ? 0 : 10) : k < launch_measures_ ? 20 : 30);
          AddIfTrue(digit, target, found);
        }
      };
      try_digit({}, 0);
      for (size_t a = 0; a < measures_.size(); ++a) {
        const int cost = a < launch_measures_ ? 1 : 3;
        try_digit({&measures_[a]}, cost);
        // A size of the launch is hardly squared.
        for (size_t b = 0; b < launch_measures_; ++b)
          try_digit({&measures_[a], &measures_[b]}, cost + (a == b ? 20 : 5));
      }
    }
    std::ranges::stable_sort(found, {}, &Digit::cost);
    return found;
  }

  static void AddIfTrue(const Digit& digit, const std::vector<int64_t>& target, std::vector<Digit>& found) {
    for (size_t k = 0; k < target.size(); ++k) {
      int64_t value = digit.base->values[k];
      for (const Measure* const divisor : digit.divisors) value /= std::max<int64_t>(divisor->values[k], 1);
      if (digit.modulus != nullptr) value %= std::max<int64_t>(digit.modulus->values[k], 1);
      if (value != target[k]) return;
    }
    found.push_back(digit);
  }

  // Returns the formulas of the digits, and that of the iteration: what is left of a base above its highest digit.
  ThreadFormulas Formulas(const std::map<std::string, Digit>& digits) const {
    ThreadFormulas formulas;
    std::map<const Measure*, const Digit*> highest;
    for (const auto& [name, digit] : digits) {
      const bool is_moved = name == kGuardedRegion && first_region_ > 0;
      formulas.emplace(name, *ParseFormula(is_moved ? StrCat(first_region_, " + (", digit.Text(), ")") : digit.Text()));
      if (digit.base == nullptr) continue;
      const Digit*& known = highest[digit.base];
      const size_t last = digit.base->values.size() - 1;
      const bool is_higher = known == nullptr || digit.modulus == nullptr ||
                             (known->modulus != nullptr && digit.Weight(last) > known->Weight(last));
      if (is_higher) known = &digit;
    }
    for (const auto& [base, digit] : highest) {
      if (digit->modulus == nullptr) continue;
      Digit above = *digit;
      above.divisors.push_back(digit->modulus);
      above.modulus = nullptr;
      formulas.emplace(kIteration, *ParseFormula(above.Text()));
    }
    return formulas;
  }

  const std::vector<StoreExample>& examples_;
  const std::set<std::string>& zeros_;
  int64_t first_region_;
  bool has_iterations_;
  std::vector<Measure> bases_;
  std::vector<Measure> measures_;  // first the sizes of the launch, then numbers
  size_t launch_measures_ = 0;
};

// Adds the bases that count from the end, such as (N - 1 - i0) for each size N that is larger than i0 in all examples.
void AddReversedBases(std::vector<StoreExample>& examples, ThreadParts& parts) {
  for (const std::string& base : std::vector(parts.bases)) {
    for (const auto& [size, value] : std::map(examples[0].names)) {
      const bool is_size = !IsSizeOfLaunch(size) && std::ranges::find(parts.bases, size) == parts.bases.end();
      const bool is_above = std::ranges::all_of(examples, [&](const StoreExample& example) {
        const auto index = example.names.find(base);
        const auto above = example.names.find(size);
        return index != example.names.end() && above != example.names.end() && index->second < above->second;
      });
      if (!is_size || !is_above) continue;
      const std::string reversed = StrCat("(", size, " - 1 - ", base, ")");
      for (StoreExample& example : examples) {
        example.names.emplace(reversed, example.names.at(size) - 1 - example.names.at(base));
      }
      parts.bases.push_back(reversed);
    }
  }
}

// Returns formulas in which a number of a thread or block is the sum of two digits, the higher one times one of the
// numbers: thread_x = (i0 mod 4) * 32 + (i1 mod 32) where each warp has a row and each lane a column.
std::vector<ThreadFormulas> SynthesizeSums(const std::vector<StoreExample>& examples, const ThreadParts& parts) {
  std::vector<ThreadFormulas> found;
  for (const auto& [name, unused] : examples.front().thread) {
    if (!name.starts_with("thread_") && !name.starts_with("block_")) continue;
    const std::string low_name = LowDigitOf(name);
    for (const int64_t weight : parts.numbers) {
      if (weight < 2) continue;
      std::vector<StoreExample> split = examples;
      bool has_high = false;
      for (StoreExample& example : split) {
        int64_t& number = example.thread.at(name);
        example.thread.emplace(low_name, number % weight);
        number -= number % weight;
        has_high = has_high || number > 0;
      }
      if (!has_high) continue;
      for (ThreadFormulas& formulas : Synthesis(split, parts).Run()) {
        const std::string text = StrCat(formulas.at(name).text, " + (", formulas.at(low_name).text, ")");
        formulas.insert_or_assign(name, *ParseFormula(text));
        formulas.erase(low_name);
        found.push_back(std::move(formulas));
      }
    }
  }
  return found;
}

}  // namespace

std::vector<ThreadFormulas> SynthesizeThreads(const std::vector<StoreExample>& examples, const ThreadParts& parts) {
  if (examples.empty()) return {};
  std::vector<ThreadFormulas> found = Synthesis(examples, parts).Run();
  if (found.empty()) found = SynthesizeSums(examples, parts);
  if (!found.empty()) return found;
  std::vector<StoreExample> counted = examples;
  ThreadParts with_reversed = parts;
  AddReversedBases(counted, with_reversed);
  return counted[0].names.size() == examples[0].names.size() ? found : Synthesis(counted, with_reversed).Run();
}

std::vector<ThreadFormulas> SynthesizeInRegions(const std::vector<StoreExample>& examples,
                                                const std::set<std::optional<size_t>>& regions, ThreadParts parts) {
  constexpr size_t kMostOfCode = 16;  // more are those of a loop
  std::vector<StoreExample> without = examples;
  for (StoreExample& example : without) example.thread.erase(kGuardedRegion);
  std::vector<ThreadFormulas> found = SynthesizeThreads(without, parts);
  const bool are_several = regions.size() > 1 && regions.size() <= kMostOfCode && !regions.contains(std::nullopt);
  if (!are_several) return found;
  parts.first_region = static_cast<int64_t>(**regions.begin());
  std::vector<ThreadFormulas> with = SynthesizeThreads(examples, parts);
  with.insert(with.end(), found.begin(), found.end());
  return with;
}

}  // namespace layoutcheck
