// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/nearest_name.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kLongestName = 64;

char InLowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool AreEqual(char a, char b) { return InLowerCase(a) == InLowerCase(b); }

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between beginnings of `a` and of `b`: two characters ago, one ago, and now.
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t k = 1; k <= b.size(); ++k) {
      const size_t replaced = last[k - 1] + (AreEqual(a[i - 1], b[k - 1]) ? 0 : 1);
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, replaced});
      const bool are_exchanged = i > 1 && k > 1 && AreEqual(a[i - 1], b[k - 2]) && AreEqual(a[i - 2], b[k - 1]);
      if (are_exchanged) row[k] = std::min(row[k], before[k - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& names) {
  std::string_view nearest;
  if (name.size() > kLongestName) return nearest;
  size_t least = name.size() / 3 + 1;
  for (const std::string_view candidate : names) {
    if (candidate.size() >= name.size() + least || candidate.empty()) continue;
    const size_t distance = EditDistance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& names) {
  const std::string_view nearest = NearestName(name, names);
  return nearest.empty() ? "" : StrCat(" (did you mean '", nearest, "'?)");
}

}  // namespace layoutcheck
