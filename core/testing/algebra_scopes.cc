// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/testing/algebra_scopes.h"
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {

Case MakeCase(std::vector<StridedMode> modes) {
  Case result{LayoutOfModes(modes), modes, {}, false};
  result.table = *StridedOffsetTable(result.layout, 1000);
  result.injective = std::set(result.table.begin(), result.table.end()).size() == result.table.size();
  return result;
}

const std::vector<Case>& TwoModes() {
  static const auto* const kCases = [] {
    auto* cases = new std::vector<Case>;
    for (int64_t s0 = 1; s0 <= kMaxExtent; ++s0) {
      for (int64_t s1 = 1; s1 <= kMaxExtent; ++s1) {
        for (int64_t d0 = 0; d0 <= kMaxStride; ++d0) {
          for (int64_t d1 = 0; d1 <= kMaxStride; ++d1) cases->push_back(MakeCase({{s0, d0}, {s1, d1}}));
        }
      }
    }
    return cases;
  }();
  return *kCases;
}

const std::vector<Case>& OneMode() {
  static const auto* const kCases = [] {
    auto* cases = new std::vector<Case>;
    for (int64_t s = 1; s <= kMaxExtent * kMaxExtent; ++s) {
      for (int64_t d = 0; d <= kMaxStride; ++d) cases->push_back(MakeCase({{s, d}}));
    }
    return cases;
  }();
  return *kCases;
}

Share ShareOf(size_t n) {
  const char* const text = std::getenv("LAYOUTCHECK_FULL_SCOPE");
  if (text == nullptr) return {0, n};
  char* end = nullptr;
  const size_t number = std::strtoull(text, &end, 10);
  const size_t shares = *end == '/' ? std::strtoull(end + 1, nullptr, 10) : 1;
  return {number - 1, shares};
}

int64_t ValueAt(const std::vector<StridedMode>& modes, int64_t index) {
  int64_t value = 0;
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    value += index % modes[i].extent * modes[i].stride;
    index /= modes[i].extent;
  }
  return value + index * modes.back().stride;
}

bool IsLayoutTable(const std::vector<int64_t>& table) {
  const size_t n = table.size();
  if (table[0] != 0) return false;
  if (n == 1) return true;
  size_t run = 2;
  while (run < n && table[run] == static_cast<int64_t>(run) * table[1]) ++run;
  if (run == n) return true;
  if (n % run != 0) return false;
  std::vector<int64_t> starts;
  for (size_t i = 0; i < n; ++i) {
    if (i % run == 0) starts.push_back(table[i]);
    if (table[i] != starts.back() + table[i % run]) return false;
  }
  return IsLayoutTable(starts);
}

void Tally::Print(const char* name) const {
  const auto percent = [](int64_t part, int64_t whole) {
    return whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  std::printf("%s: %lld cases, %lld accepted (%.2f%%), %lld wrong, %lld representable, %.2f%% of them found\n", name,
              static_cast<long long>(cases), static_cast<long long>(accepted), percent(accepted, cases),
              static_cast<long long>(wrong), static_cast<long long>(representable),
              percent(representable - missed, representable));
}

}  // namespace layoutcheck
