// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/line_reader.h"
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace layoutcheck {
namespace {

using Lines = std::vector<std::tuple<int64_t, std::string, bool>>;

Lines ReadAll(std::string text, size_t limit) {
  const std::unique_ptr<FILE, int (*)(FILE*)> stream(
      text.empty() ? std::fopen("/dev/null", "r") : fmemopen(text.data(), text.size(), "r"), std::fclose);
  LineReader reader(stream.get(), limit);
  Lines lines;
  while (const std::optional<Line> line = reader.Next()) {
    lines.emplace_back(line->number, std::string(line->text), line->too_long);
  }
  EXPECT_FALSE(reader.failed());
  return lines;
}

TEST(LineReader, LineEnds) {
  EXPECT_EQ(ReadAll("", 10), Lines{});
  EXPECT_EQ(ReadAll("\n", 10), (Lines{{1, "", false}}));
  EXPECT_EQ(ReadAll("a\r\n\nb", 10), (Lines{{1, "a", false}, {2, "", false}, {3, "b", false}}));
  EXPECT_EQ(ReadAll("\xef\xbb\xbf"
                    "a\n\xef\xbb\xbf"
                    "b\n",
                    10),
            (Lines{{1, "a", false},
                   {2,
                    "\xef\xbb\xbf"
                    "b",
                    false}}));
  EXPECT_EQ(ReadAll("a\nb\n", 10), (Lines{{1, "a", false}, {2, "b", false}}));
  EXPECT_EQ(ReadAll(std::string("a\0b\n", 4), 10), (Lines{{1, std::string("a\0b", 3), false}}));
}

TEST(LineReader, LinesOfEveryLengthAroundTheChunkAndTheLimit) {
  constexpr size_t kChunk = size_t{1} << 16;
  constexpr size_t kLimit = 3 * kChunk / 2;
  for (const size_t length :
       {kChunk - 1, kChunk, kChunk + 1, kLimit - 1, kLimit, kLimit + 1, 2 * kChunk, 5 * kChunk + 3}) {
    const std::string line(length, 'x');
    const bool too_long = length > kLimit;
    const std::string kept = line.substr(0, std::min(length, kLimit));
    EXPECT_EQ(ReadAll("a\n" + line + "\nb\n", kLimit), (Lines{{1, "a", false}, {2, kept, too_long}, {3, "b", false}}))
        << length;
    EXPECT_EQ(ReadAll(line, kLimit), (Lines{{1, kept, too_long}})) << length;
  }
}

}  // namespace
}  // namespace layoutcheck
