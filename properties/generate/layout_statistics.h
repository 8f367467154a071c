// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Counts the drawn layouts per class.
class LayoutStatistics {
 public:
  void Count(const Shape& shape);

  int64_t total() const { return total_; }
  // Returns the count per class name.
  std::map<std::string, int64_t> classes() const;
  // Returns "dimension 0 6.2%, dimension 1 17.9%, ...", ordered by name.
  std::string ToString() const;

 private:
  static constexpr size_t kRanks = 9;    // 0 to 8
  static constexpr size_t kTilings = 5;  // 0 to 4 tiles
  static constexpr size_t kProperties = 16;

  int64_t total_ = 0;
  std::array<int64_t, kRanks> ranks_{};
  std::array<int64_t, kTilings> tilings_{};
  std::array<int64_t, kProperties> properties_{};  // in the order of their names in the source
};

}  // namespace layoutcheck
