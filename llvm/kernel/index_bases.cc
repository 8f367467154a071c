// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/index_bases.h"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostViewFactors = 24;

// A number of the code or a size, with its value in an example.
struct ViewFactor {
  std::string text;
  std::function<int64_t(const StoreExample& example)> value;
  bool is_size = false;
};

// Returns the sizes that are none of the launch, and then the numbers from 2 on.
std::vector<ViewFactor> ViewFactorsOf(const StoreExample& example, const ThreadParts& parts) {
  std::vector<ViewFactor> factors;
  for (const auto& [name, value] : example.names) {
    const bool is_of_launch = IsSizeOfLaunch(name) || name.starts_with("programs_");
    if (is_of_launch || std::ranges::find(parts.bases, name) != parts.bases.end()) continue;
    factors.push_back({name, [name](const StoreExample& at) { return at.names.at(name); }, true});
  }
  for (const int64_t number : parts.numbers) {
    if (number > 1) factors.push_back({StrCat(number), [number](const StoreExample&) { return number; }});
  }
  if (factors.size() > kMostViewFactors) factors.resize(kMostViewFactors);
  return factors;
}

// Returns 1, the numbers, and the products of two of them: the elements of the dimensions behind one.
std::vector<ViewFactor> InnerFactorsOf(const ThreadParts& parts) {
  constexpr int64_t kLargest = 65536;
  std::vector<int64_t> numbers{1};
  const auto add = [&](int64_t number) {
    const bool is_known = std::ranges::find(numbers, number) != numbers.end();
    if (!is_known && numbers.size() < 2 * kMostViewFactors) numbers.push_back(number);
  };
  std::vector<int64_t> given = parts.numbers;
  std::erase_if(given, [](int64_t number) { return number < 2 || number > kLargest; });
  for (const int64_t number : given) add(number);
  for (const int64_t a : given) {
    for (const int64_t b : given) {
      if (a <= b && a * b <= kLargest) add(a * b);
    }
  }
  std::vector<ViewFactor> factors;
  for (const int64_t number : numbers) {
    factors.push_back({StrCat(number), [number](const StoreExample&) { return number; }});
  }
  return factors;
}

void AddBase(const std::string& text, const std::function<int64_t(const StoreExample& example)>& value,
             std::vector<StoreExample>& examples, ThreadParts& parts) {
  for (StoreExample& example : examples) example.names.emplace(text, value(example));
  parts.bases.push_back(text);
}

}  // namespace

void AddIndexRanges(std::span<const std::string> sizes, std::vector<StoreExample>& examples, ThreadParts& parts) {
  constexpr size_t kMostSubsets = 6;  // dimensions
  const size_t rank = sizes.size();
  const auto is_in = [](uint64_t dimensions, size_t d) { return (dimensions >> d & 1) != 0; };
  const auto add = [&](uint64_t dimensions) {
    std::string text;
    for (size_t d = 0; d < rank; ++d) {
      if (!is_in(dimensions, d)) continue;
      const std::string index = StrCat("i", d);
      const std::string shorter = std::exchange(text, text.empty() ? index : "");
      if (shorter.empty()) continue;
      if (sizes[d].empty()) return;
      text = StrCat("(", shorter, " * ", sizes[d], " + ", index, ")");
      for (StoreExample& example : examples) {
        const auto named = example.names.find(sizes[d]);
        const int64_t size = named != example.names.end() ? named->second : std::strtoll(sizes[d].c_str(), nullptr, 10);
        example.names.emplace(text, example.names.at(shorter) * size + example.names.at(index));
      }
    }
    parts.bases.push_back(text);
  };
  const auto are_neighbors = [](uint64_t dimensions) {
    return std::has_single_bit((dimensions >> std::countr_zero(dimensions)) + 1);
  };
  for (size_t first = 0; first + 1 < rank; ++first) {
    for (size_t last = first + 1; last < rank; ++last) {
      if (last - first + 1 < rank) add(((uint64_t{2} << (last - first)) - 1) << first);
    }
  }
  if (rank > kMostSubsets) return;
  for (uint64_t dimensions = 1; dimensions + 1 < uint64_t{1} << rank; ++dimensions) {
    if (std::popcount(dimensions) > 1 && !are_neighbors(dimensions)) add(dimensions);
  }
}

void AddViews(size_t rank, std::vector<StoreExample>& examples, ThreadParts& parts) {
  if (examples.empty() || rank == 0) return;
  const std::vector<ViewFactor> factors = ViewFactorsOf(examples[0], parts);
  if (rank > 1) {
    const std::string row = StrCat("i", rank - 2);
    const std::string column = StrCat("i", rank - 1);
    for (const ViewFactor& factor : factors) {
      const bool is_width =
          std::ranges::all_of(examples, [&](const StoreExample& at) { return at.names.at(column) < factor.value(at); });
      if (!is_width) continue;
      const auto place = [&](const StoreExample& at) {
        return at.names.at(row) * factor.value(at) + at.names.at(column);
      };
      AddBase(StrCat("(", row, " * ", factor.text, " + ", column, ")"), place, examples, parts);
    }
    return;
  }
  const std::vector<ViewFactor> inner = InnerFactorsOf(parts);
  for (const ViewFactor& size : factors) {
    if (!size.is_size) continue;
    for (const ViewFactor& number : inner) {
      const std::string rest = number.text == "1" ? "i0" : StrCat("i0 floordiv ", number.text);
      const auto row = [&](const StoreExample& at) { return at.names.at("i0") / number.value(at); };
      const auto divisor = [&](const StoreExample& at) { return std::max<int64_t>(size.value(at), 1); };
      AddBase(
          StrCat("(", rest, " mod ", size.text, ")"), [&](const auto& at) { return row(at) % divisor(at); }, examples,
          parts);
      AddBase(
          StrCat("(", rest, " floordiv ", size.text, ")"), [&](const auto& at) { return row(at) / divisor(at); },
          examples, parts);
    }
  }
}

}  // namespace layoutcheck
