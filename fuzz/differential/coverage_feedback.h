// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feedback from the counters of a subject's code coverage: it tells which texts reach code that no text reached before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

// The counts that one subject's coverage counters have had so far.
class CoverageFeedback {
 public:
  // Returns true if a counter has a count in a new range, and sets the counters to 0. The ranges are 1, 2, 3, 4 to 7, 8
  // to 15, 16 to 31, 32 to 127, and 128 and more.
  bool TakeNews(std::span<const std::span<uint8_t>> counters);

  // Number of counters that were ever nonzero.
  size_t reached() const { return reached_; }

 private:
  std::vector<uint8_t> seen_;  // per counter, one bit per range of counts
  size_t reached_ = 0;
};

}  // namespace layoutcheck
