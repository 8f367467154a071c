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

constexpr size_t kMostInner = 48;

// A size of the request or a number of the code, with its value in an example.
struct ViewSize {
  std::string text;
  std::function<int64_t(const StoreExample& example)> value;
};

// Returns the sizes of the request that are none of the launch.
std::vector<ViewSize> SizesOf(const StoreExample& example, const ThreadParts& parts) {
  std::vector<ViewSize> sizes;
  for (const auto& [name, value] : example.names) {
    const bool is_of_launch = IsSizeOfLaunch(name) || name.starts_with("programs_");
    if (is_of_launch || std::ranges::find(parts.bases, name) != parts.bases.end()) continue;
    sizes.push_back({name, [name](const StoreExample& at) { return at.names.at(name); }});
  }
  return sizes;
}

// Returns the numbers of the code that may be the size of a dimension.
std::vector<int64_t> NumbersOf(const ThreadParts& parts) {
  std::vector<int64_t> numbers = parts.numbers;
  std::erase_if(numbers, [](int64_t number) { return number < 2 || number > 65536; });
  return numbers;
}

// Returns 1, the numbers, and the products of two of them: how many elements the dimensions behind one may have.
std::vector<int64_t> InnerSizesOf(const ThreadParts& parts) {
  const std::vector<int64_t> numbers = NumbersOf(parts);
  std::vector<int64_t> sizes{1};
  sizes.insert(sizes.end(), numbers.begin(), numbers.end());
  for (const int64_t a : numbers) {
    for (const int64_t b : numbers) {
      if (std::ranges::find(sizes, a * b) == sizes.end()) sizes.push_back(a * b);
    }
  }
  if (sizes.size() > kMostInner) sizes.resize(kMostInner);
  return sizes;
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
  std::vector<ViewSize> sizes = SizesOf(examples[0], parts);
  if (rank > 1) {
    for (const int64_t number : NumbersOf(parts)) {
      sizes.push_back({StrCat(number), [number](const StoreExample&) { return number; }});
    }
    const std::string row = StrCat("i", rank - 2);
    const std::string column = StrCat("i", rank - 1);
    for (const ViewSize& size : sizes) {
      const auto is_inside = [&](const StoreExample& at) { return at.names.at(column) < size.value(at); };
      if (!std::ranges::all_of(examples, is_inside)) continue;
      const auto place = [&](const StoreExample& at) {
        return at.names.at(row) * size.value(at) + at.names.at(column);
      };
      AddBase(StrCat("(", row, " * ", size.text, " + ", column, ")"), place, examples, parts);
    }
    return;
  }
  for (const ViewSize& size : sizes) {
    for (const int64_t inner : InnerSizesOf(parts)) {
      const std::string rest = inner == 1 ? "i0" : StrCat("i0 floordiv ", inner);
      const auto divisor = [&](const StoreExample& at) { return std::max<int64_t>(size.value(at), 1); };
      const auto digit = [&](const StoreExample& at) { return at.names.at("i0") / inner % divisor(at); };
      const auto above = [&](const StoreExample& at) { return at.names.at("i0") / inner / divisor(at); };
      AddBase(StrCat("(", rest, " mod ", size.text, ")"), digit, examples, parts);
      AddBase(StrCat("(", rest, " floordiv ", size.text, ")"), above, examples, parts);
    }
  }
}

}  // namespace layoutcheck
