// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the mappings of <mdspan> and one that claims too much, and exits with 0 if only the latter fails. Built where
// clang finds libc++'s <mdspan>.
#include <array>
#include <cstdio>
#include <mdspan>
#include "layoutcheck/properties/cxx/mapping.h"

namespace {

using Extents = std::extents<int, 3, std::dynamic_extent>;

// A row-major mapping whose rows are one element too close.
struct Overlapping : std::layout_right::mapping<Extents> {
  using Base = std::layout_right::mapping<Extents>;
  using Base::Base;
  int operator()(int i, int j) const { return i * (extents().extent(1) - 1) + j; }
};

int failures = 0;

void Expect(bool holds, const char* what, const layoutcheck::CheckResult& result) {
  if (holds) return;
  ++failures;
  std::printf("%s: %s\n", what, result.message().c_str());
}

}  // namespace

int main() {
  using layoutcheck::Check;
  const Extents extents(5);
  const auto right = Check(std::layout_right::mapping(extents));
  Expect(right && right.evaluations() == 15, "layout_right", right);
  const auto left = Check(std::layout_left::mapping(extents));
  Expect(left && left.evaluations() == 15, "layout_left", left);
  const auto strided = Check(std::layout_stride::mapping(extents, std::array<int, 2>{1, 4}));
  Expect(static_cast<bool>(strided), "layout_stride", strided);
  const auto scalar = Check(std::layout_right::mapping<std::extents<int>>());
  Expect(scalar && scalar.evaluations() == 1, "a scalar", scalar);
  const auto empty = Check(std::layout_left::mapping(Extents(0)));
  Expect(empty && empty.evaluations() == 0, "an empty array", empty);
  const auto wrong = Check(Overlapping(extents));
  Expect(!wrong && wrong.message().find("breaks unique") != std::string::npos, "overlapping rows", wrong);
  std::printf("6 mappings, %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
