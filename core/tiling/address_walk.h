// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of a tiled layout by definition (c) at many addresses in a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>
#include "layoutcheck/core/tiling/mixed_radix.h"

namespace layoutcheck {

// An address of a layout and the logical index there. Moving to the next address changes only the digits that change:
// one on average, where MixedRadix::Coordinate decodes all of them.
//
// The digits of an address reach the logical index through sums, because a split is inverted by q * t + r. A sum whose
// digit was padded is compared with the size before padding. A sum that `*` merged is divided by the minor size, and
// its quotient and remainder go to two further sums.
class AddressWalk {
 public:
  // Begins at address 0. Requires that the layout has an address.
  explicit AddressWalk(const MixedRadix<int64_t>& chain);

  // Requires 0 <= address < padded_elements().
  void MoveTo(int64_t address);

  bool is_padding() const { return sums_outside_ > 0; }
  // Returns the logical index at the address. Meaningless if the address holds padding.
  std::span<const int64_t> index() const { return std::span(values_).first(rank_); }
  int64_t padded_elements() const { return padded_elements_; }

 private:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  // The sum to which a digit is added, `factor` times. A digit that is always 0 has none.
  struct Target {
    size_t sum = kNone;
    int64_t factor = 1;
  };
  // Sums 0 to rank - 1 are the logical index. The value of sum s is values_[s].
  struct Sum {
    int64_t limit = std::numeric_limits<int64_t>::max();  // values from here on are padding
    int64_t minor_size = 0;                               // merged sum: the divisor; 0 for a sum that is not merged
    Target next;                                          // merged sum: the place of the remainder
    Target major;                                         // merged sum: the place of the quotient
  };
  struct Digit {
    int64_t size;
    Target target;
    int64_t value;
  };

  size_t AddSum(const Sum& sum);
  // Add the effect of a step of the layout to `targets`, which has the target of each digit of the box before the step.
  void Append(const PermuteStep<int64_t>& step, std::vector<Target>& targets);
  void Append(const PrependStep<int64_t>& step, std::vector<Target>& targets);
  void Append(const MergeStep<int64_t>& step, std::vector<Target>& targets);
  void Append(const PadStep<int64_t>& step, std::vector<Target>& targets);
  void Append(const SplitStep<int64_t>& step, std::vector<Target>& targets);
  void Append(const LinearizeStep<int64_t>& step, std::vector<Target>& targets);

  // Adds `change` to a digit that goes to `target`.
  void Change(Target target, int64_t change);
  // Adds to the major target of a merged sum what the change of its value adds to the quotient. Returns the part of the
  // change that does not reach the remainder.
  int64_t ChangeQuotient(const Sum& sum, int64_t before, int64_t value);

  size_t rank_;
  int64_t padded_elements_;
  int64_t address_ = 0;
  std::vector<Digit> digits_;  // digits of the address, minor to major, without digits of size 1
  std::vector<Sum> sums_;
  std::vector<int64_t> values_;
  int64_t sums_outside_ = 0;  // number of sums at or above their limit
};

}  // namespace layoutcheck
