// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of choices, from which generators draw layouts. One generator has three drivers: random numbers, a fuzzer's
// bytes, and a counter that enumerates everything. Choice 0 is the simplest, so a shorter or smaller stream gives a
// simpler layout.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/properties/generate/threefish.h"

namespace layoutcheck {

// A source of choices that records them.
class Choices {
 public:
  Choices() = default;
  Choices(const Choices&) = delete;
  Choices& operator=(const Choices&) = delete;
  virtual ~Choices() = default;

  // Returns a number in [0, bound) and records it, unless bound is 1. Requires bound >= 1.
  uint64_t Choose(uint64_t bound) {
    if (bound <= 1) return 0;
    uint64_t choice = 0;
    if (numbers_.empty()) {
      choice = Next(bound);
    } else {
      choice = numbers_.front() % bound;
      numbers_ = numbers_.subspan(1);
    }
    taken_.push_back(choice);
    return choice;
  }

  // Returns the choices so far, in order. Replaying them draws the same value.
  const std::vector<uint64_t>& taken() const { return taken_; }

 protected:
  // Returns the next choice where numbers_ is empty.
  virtual uint64_t Next(uint64_t bound) = 0;

  // Numbers whose remainders are the next choices. They save the call of Next, and the division where Choose is inlined
  // with a constant bound.
  std::span<const uint64_t> numbers_;
  std::vector<uint64_t> taken_;
};

// Returns a number in [0, bound), or 0 if bound is below 1.
inline int64_t Draw(Choices& choices, int64_t bound) {
  return static_cast<int64_t>(choices.Choose(static_cast<uint64_t>(std::max<int64_t>(bound, 1))));
}

// Random choices: the block cipher Threefish-256 applied to a counter. Case `number` of a run has the same choices on
// every machine and in any order of cases.
class RandomChoices : public Choices {
 public:
  RandomChoices(uint64_t seed, uint64_t number) : key_{seed, number, 0, 0} { taken_.reserve(kMostEncrypted); }

  // Begins the choices of another case of the run.
  void Restart(uint64_t number);

 protected:
  // Fills numbers_. The remainder favors small numbers by less than 2^-32 for the bounds of the generators.
  uint64_t Next(uint64_t bound) override;

 private:
  uint64_t key_[4];
  uint64_t counter_ = 0;  // count of numbers computed so far
  uint64_t batch_[kMostEncrypted];
};

// Returns true if stream `a` is simpler than `b`: shorter, or equally long and lexicographically smaller.
inline bool IsSimpler(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// Recorded choices, or choices made by a shrinker. All choices after the last one are 0.
class ReplayedChoices : public Choices {
 public:
  // `choices` must outlive this object.
  explicit ReplayedChoices(std::span<const uint64_t> choices) { numbers_ = choices; }

 protected:
  uint64_t Next(uint64_t /*bound*/) override { return 0; }
};

// Choices from a fuzzer's bytes, with as many bytes per choice as its bound needs. Choices after the last byte are 0.
class ByteChoices : public Choices {
 public:
  explicit ByteChoices(std::span<const uint8_t> bytes) : bytes_(bytes) {}

 protected:
  uint64_t Next(uint64_t bound) override {
    uint64_t number = 0;
    for (uint64_t rest = bound - 1; rest > 0; rest >>= 8) {
      number = number << 8 | (position_ < bytes_.size() ? bytes_[position_++] : 0u);
    }
    return number % bound;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t position_ = 0;
};

// Every sequence of choices that a generator can make, one after another. Callers draw and advance in turn:
//   do Draw(choices); while (choices.Advance());
class CountedChoices : public Choices {
 public:
  // Starts the next sequence. Returns false after the last one.
  bool Advance() {
    taken_.clear();
    position_ = 0;
    while (!digits_.empty()) {
      if (++digits_.back().first < digits_.back().second) return true;
      digits_.pop_back();
    }
    return false;
  }

 protected:
  uint64_t Next(uint64_t bound) override {
    if (position_ == digits_.size()) digits_.emplace_back(0, bound);
    return digits_[position_++].first;
  }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> digits_;  // choice and bound
  size_t position_ = 0;
};

}  // namespace layoutcheck
