// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feedback from the counters of a subject's code coverage: it tells which texts reach code that no text reached before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

// A counter whose count was in a range in which it had not been before. The ranges are 1, 2, 3, 4 to 7, 8 to 15, 16 to
// 31, 32 to 127, and 128 and more.
struct CoverageNews {
  size_t counter = 0;
  uint8_t range_bit = 0;
};

// The counts that coverage counters have had so far.
class CoverageFeedback {
 public:
  // Returns the news of a subject's counters, and sets those to 0.
  std::vector<CoverageNews> TakeNews(std::span<const std::span<uint8_t>> counters);
  // Adds what another object returned for other counters of the same library. Returns true if it is news here, too.
  bool Add(std::span<const CoverageNews> news);

  // Number of counters that were ever nonzero.
  size_t reached() const { return reached_; }

 private:
  bool Add(CoverageNews news);

  std::vector<uint8_t> seen_;  // per counter, one bit per range of counts
  size_t reached_ = 0;
};

}  // namespace layoutcheck
