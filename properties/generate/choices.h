// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of choices, from which generators draw layouts. One generator has three drivers: random numbers, a fuzzer's
// bytes, and a counter that enumerates everything. Choice 0 is the simplest, so a shorter or smaller stream gives a
// simpler layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace layoutcheck {

// A source of choices that records them.
class Choices {
 public:
  virtual ~Choices() = default;

  // Returns a number in [0, bound) and records it, unless bound is 1. Requires bound >= 1.
  uint64_t Choose(uint64_t bound) {
    if (bound <= 1) return 0;
    const uint64_t choice = Next(bound);
    taken_.push_back(choice);
    return choice;
  }

  // Returns the choices so far, in order. Replaying them draws the same value.
  const std::vector<uint64_t>& taken() const { return taken_; }

 protected:
  virtual uint64_t Next(uint64_t bound) = 0;

  std::vector<uint64_t> taken_;
};

// Random choices: the block cipher Threefish-256 (The Skein Hash Function Family, version 1.3, section 3.3) applied to
// a counter. Case `number` of a run has the same choices on every machine and in any order of cases.
class RandomChoices : public Choices {
 public:
  RandomChoices(uint64_t seed, uint64_t number) : key_{seed, number, 0, 0} {}

 protected:
  // The remainder favors small numbers by less than 2^-32 for the bounds of the generators.
  uint64_t Next(uint64_t bound) override { return NextNumber() % bound; }

 private:
  uint64_t NextNumber();

  std::array<uint64_t, 4> key_;
  std::array<uint64_t, 4> block_{};  // numbers from the last multiple of 4 on
  uint64_t counter_ = 0;             // count of numbers drawn so far
};

// Returns true if stream `a` is simpler than `b`: shorter, or equally long and lexicographically smaller.
inline bool IsSimpler(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// Recorded choices, or choices made by a shrinker. All choices after the last one are 0.
class ReplayedChoices : public Choices {
 public:
  explicit ReplayedChoices(std::span<const uint64_t> choices) : choices_(choices) {}

 protected:
  uint64_t Next(uint64_t bound) override { return position_ < choices_.size() ? choices_[position_++] % bound : 0; }

 private:
  std::span<const uint64_t> choices_;
  size_t position_ = 0;
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
