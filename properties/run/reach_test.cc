// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/reach.h"
#include <gtest/gtest.h>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

// The reference, which declines arrays of more bytes or elements, tables, or single offsets.
class Declining final : public ReferenceSubject {
 public:
  int64_t most_bytes = INT64_MAX;
  int64_t most_elements = INT64_MAX;
  bool has_tables = true;
  bool has_offsets = true;
  int questions = 0;

  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    ++questions;
    if (!has_offsets || IsTooLarge(shape)) return Declined{"no"};
    return ReferenceSubject::Offset(shape, coordinate);
  }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    if (!has_tables || IsTooLarge(shape)) return Declined{"no"};
    return ReferenceSubject::Table(shape);
  }

 private:
  bool IsTooLarge(const Shape& shape) const {
    const auto sizes = SizesOf(shape);
    return !sizes || sizes->bytes > most_bytes || sizes->padded_elements > most_elements;
  }
};

TEST(Reach, IsFoundInElementsAndInBytes) {
  Declining subject;
  EXPECT_EQ(ReachOf(subject).max_array_elements, INT64_MAX);
  EXPECT_LE(subject.questions, 4);
  for (const int64_t most :
       {int64_t{256}, int64_t{1000}, int64_t{3'000'000}, int64_t{1} << 31, (int64_t{1} << 53) - 1}) {
    Declining elements;
    elements.most_elements = most;
    const Reach in_elements = ReachOf(elements);
    EXPECT_EQ(in_elements.max_array_bytes, INT64_MAX);
    EXPECT_LE(in_elements.max_array_elements, most);
    EXPECT_GE(in_elements.max_array_elements, most - most / 128);
    EXPECT_LE(elements.questions, 20);
    Declining bytes;
    bytes.most_bytes = most;
    const Reach in_bytes = ReachOf(bytes);
    EXPECT_EQ(in_bytes.max_array_elements, INT64_MAX);
    EXPECT_LE(in_bytes.max_array_bytes, most);
    EXPECT_GE(in_bytes.max_array_bytes, most - most / 128);
  }
}

// The summary says up to which size the subject answered, whatever it answers with.
TEST(Reach, TheSummarySaysWhatWasAnswered) {
  CheckOptions options;
  options.cases = 300;
  options.laws = {FindLaw("linear-index"), FindLaw("injective")};
  Declining all;
  EXPECT_GT(CheckRandom(all, options).largest_elements, int64_t{1} << 61);
  Declining small;
  small.most_bytes = 3'000'000;
  const CheckSummary limited = CheckRandom(small, options);
  EXPECT_LE(limited.largest_bytes, 3'000'000);
  EXPECT_GE(limited.largest_bytes, 2'950'000);
  Declining tables;
  tables.has_offsets = false;
  const CheckSummary tabulated = CheckRandom(tables, options);
  EXPECT_GE(tabulated.largest_elements, 200'000);
  EXPECT_LE(tabulated.largest_elements, int64_t{1} << 18);
  Declining none;
  none.has_offsets = none.has_tables = false;
  EXPECT_EQ(CheckRandom(none, options).largest_elements, 0);
}

}  // namespace
}  // namespace layoutcheck
