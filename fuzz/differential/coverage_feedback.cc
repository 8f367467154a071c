// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/coverage_feedback.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace layoutcheck {
namespace {

// The bit of each count's range; 0 for the count 0.
constexpr std::array<uint8_t, 256> kRangeBit = [] {
  std::array<uint8_t, 256> bits{};
  for (size_t count = 1; count < bits.size(); ++count) {
    size_t range = 0;
    for (const size_t first : {2u, 3u, 4u, 8u, 16u, 32u, 128u}) range += count >= first ? 1u : 0u;
    bits[count] = static_cast<uint8_t>(1u << range);
  }
  return bits;
}();

// Calls visit(i) for each nonzero counter i. Skips whole cache lines, because most counters are 0.
template <class Visit>
void ForEachCounted(std::span<uint8_t> counters, Visit visit) {
  constexpr size_t kLine = 64;
  using Words = std::array<uint64_t, kLine / sizeof(uint64_t)>;
  for (size_t begin = 0; begin < counters.size(); begin += kLine) {
    const std::span<uint8_t> line = counters.subspan(begin, std::min(kLine, counters.size() - begin));
    Words words{};
    std::memcpy(words.data(), line.data(), line.size());
    uint64_t any = 0;
    for (const uint64_t word : words) any |= word;
    if (any == 0) continue;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] != 0) visit(begin + i);
    }
  }
}

}  // namespace

bool CoverageFeedback::Add(CoverageNews news) {
  if (seen_.size() <= news.counter) seen_.resize(news.counter + 1);
  uint8_t& seen = seen_[news.counter];
  if ((seen & news.range_bit) != 0) return false;
  reached_ += seen == 0 ? 1u : 0u;
  seen = static_cast<uint8_t>(seen | news.range_bit);
  return true;
}

bool CoverageFeedback::Add(std::span<const CoverageNews> news) {
  bool any = false;
  for (const CoverageNews& one : news) any |= Add(one);
  return any;
}

std::vector<CoverageNews> CoverageFeedback::TakeNews(std::span<const std::span<uint8_t>> counters) {
  std::vector<CoverageNews> news;
  size_t first = 0;
  for (const std::span<uint8_t> part : counters) {
    ForEachCounted(part, [&](size_t i) {
      const CoverageNews one{first + i, kRangeBit[part[i]]};
      part[i] = 0;
      if (Add(one)) news.push_back(one);
    });
    first += part.size();
  }
  return news;
}

}  // namespace layoutcheck
