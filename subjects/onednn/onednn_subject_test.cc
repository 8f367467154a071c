// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/onednn/onednn_subject.h"
#include <gtest/gtest.h>
#include <iostream>
#include "layoutcheck/core/bridges/blocked_format.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

// Each format tag equals a tiled layout, for channel counts that are multiples of the block size and others.
TEST(OneDnnSubject, FormatTagsAreTheseTiledLayouts) {
  const std::vector<std::string> layouts = {
      "{3,2,1,0}",
      "{1,3,2,0}",
      "{3,2,1,0:T(8,1,1)}",                         // aBcd8b
      "{3,2,1,0:T(16,1,1)}",                        // aBcd16b, nChw16c
      "{3,2,1,0:T(16,16,1,1)}",                     // ABcd16a16b
      "{3,2,1,0:T(16,16,1,1)(16,1,1,1)}",           // ABcd16b16a, OIhw16i16o
      "{3,2,1,0:T(16,16,1,1)(16,4,1,1)}",           // ABcd4b16a4b
      "{3,2,1,0:T(16,16,1,1)(2,1,1,1)}",            // ABcd8a16b2a
      "{3,2,1,0:T(32,32,1,1)(32,16,1,1)(4,1,1,1)}"  // ABcd2b8a16b4a
  };
  OneDnnSubject subject;
  ReferenceSubject reference;
  size_t elements = 0;
  for (const std::string& layout : layouts) {
    for (const char* dimensions : {"1,17,3,5", "17,16,1,2", "33,31,2,3", "32,64,1,1", "1,1,1,1", "2,0,3,4"}) {
      for (const char* type : {"f32[", "s32[", "s8[", "u8[", "bf16["}) {
        const bool is_short = type[1] != '3';
        // Short types are moved four times, so one array is enough.
        if (is_short && std::string_view(dimensions) != "1,17,3,5") continue;
        const std::string text = type + std::string(dimensions) + "]" + layout;
        const auto shape = ParseShape(text);
        ASSERT_TRUE(shape) << text;
        const auto table = subject.Table(*shape);
        ASSERT_TRUE(std::holds_alternative<std::vector<int64_t>>(table))
            << text << (std::holds_alternative<Declined>(table) ? ": " + std::get<Declined>(table).why : ": failed");
        EXPECT_EQ(std::get<std::vector<int64_t>>(table), std::get<std::vector<int64_t>>(reference.Table(*shape)))
            << text;
        elements += std::get<std::vector<int64_t>>(table).size();
        const auto size = subject.Size(*shape);
        ASSERT_TRUE(std::holds_alternative<SizeAnswer>(size)) << text;
        EXPECT_EQ(std::get<SizeAnswer>(size).bytes, std::get<SizeAnswer>(reference.Size(*shape)).bytes) << text;
        const int64_t slots = *std::get<SizeAnswer>(size).padded_elements;
        for (int64_t slot = 0; slot < slots; slot += 7) {
          EXPECT_EQ(std::get<std::optional<Subject::Coordinate>>(subject.CoordinateAt(*shape, slot)),
                    std::get<std::optional<Subject::Coordinate>>(reference.CoordinateAt(*shape, slot)))
              << text << " at " << slot;
        }
      }
    }
  }
  std::cout << layouts.size() << " layouts, " << elements << " elements\n";
}

TEST(OneDnnSubject, MovesBetweenTwoFormatsAndWritesPaddingAsPadding) {
  OneDnnSubject subject;
  ReferenceSubject reference;
  const auto from = ParseShape("f32[1,17,3,5]{3,2,1,0:T(16,1,1)}");
  const auto to = ParseShape("f32[1,17,3,5]{1,3,2,0}");
  ASSERT_TRUE(from && to);
  std::vector<int64_t> data(static_cast<size_t>(*std::get<SizeAnswer>(reference.Size(*from)).padded_elements), -1);
  const auto places = std::get<std::vector<int64_t>>(reference.Table(*from));
  for (size_t k = 0; k < places.size(); ++k) data[static_cast<size_t>(places[k])] = static_cast<int64_t>(k);
  const auto there = std::get<std::vector<int64_t>>(subject.Relayout(*from, *to, data));
  EXPECT_EQ(there, std::get<std::vector<int64_t>>(reference.Relayout(*from, *to, data)));
  EXPECT_EQ(std::get<std::vector<int64_t>>(subject.Relayout(*to, *from, there)), data);
}

TEST(BlockedFormat, SaysWhyALayoutIsNone) {
  for (const char* text : {"f32[4,4]{1,0:T(4)(2,2)}", "f32[4,4]{1,0:T(6)(4)}", "f32[4]{0:T(2,2)}",
                           "f32[4,4]{1,0:T(*,2)}", "f32[4]{0:S(1)}", "f32[<=4]{0}", "token[]"}) {
    const auto shape = ParseShape(text);
    ASSERT_TRUE(shape) << text;
    EXPECT_FALSE(BlockedFormatOfHlo(*shape)) << text;
  }
}

}  // namespace
}  // namespace layoutcheck
