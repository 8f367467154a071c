// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/nearest_name.h"
#include <algorithm>
#include <cstddef>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// No name is that long. The distance takes time in the product of both lengths.
constexpr size_t kLongestWord = 64;

// Returns the distance of optimal string alignment: the smallest number of inserted, removed, replaced and swapped
// characters, none of which is edited twice.
size_t DistanceOf(std::string_view a, std::string_view b) {
  // distance[i][j] is that of the first i characters of a and the first j of b.
  std::vector<std::vector<size_t>> distance(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) distance[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) distance[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, replaced});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

}  // namespace

std::string DidYouMean(std::string_view word, std::span<const std::string> names) {
  if (word.size() > kLongestWord) return "";
  std::string_view nearest;
  size_t least = std::max<size_t>(word.size() / 3, 1) + 1;
  for (const std::string& name : names) {
    const size_t distance = name.size() > kLongestWord ? least : DistanceOf(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? "" : StrCat("; did you mean '", nearest, "'?");
}

}  // namespace layoutcheck
