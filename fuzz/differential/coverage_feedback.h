// Which texts reach code that none before reached, by the counters of the subject's own coverage.
#ifndef LAYOUTCHECK_FUZZ_DIFFERENTIAL_COVERAGE_FEEDBACK_H_
#define LAYOUTCHECK_FUZZ_DIFFERENTIAL_COVERAGE_FEEDBACK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

class CoverageFeedback {
 public:
  // Whether a counter has a count that it never had before, and sets the counters to 0. Counts are told apart as
  // 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127 and more, so that a loop that runs one more time is news up to three.
  bool TakeNews(std::span<const std::span<uint8_t>> counters);

  // Counters that were ever above 0.
  size_t reached() const { return reached_; }

 private:
  std::vector<uint8_t> seen_;  // a bit for each range of counts, counters in their order
  size_t reached_ = 0;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_COVERAGE_FEEDBACK_H_
