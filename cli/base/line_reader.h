// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace layoutcheck {

// The mark of UTF-8 that some editors write at the start of a file.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct Line {
  int64_t number = 0;     // counted from 1
  std::string_view text;  // without its line end; valid until the next call of Next
  bool too_long = false;  // true if `text` is cut off at the limit
  bool is_ended = true;   // false if the stream ends behind `text` without a line end
};

// Reads the lines of a stream in constant memory.
class LineReader {
 public:
  static constexpr size_t kDefaultLimit = size_t{64} << 20;

  // Reads `stream` to its end and holds at most `limit` bytes of a line. "\n" and "\r\n" end a line. A byte order mark
  // at the start is skipped.
  explicit LineReader(FILE* stream, size_t limit = kDefaultLimit) : stream_(stream), limit_(limit) {}

  // Returns the next line, or nothing at the end and after a read error.
  std::optional<Line> Next();

  bool failed() const { return std::ferror(stream_) != 0; }

 private:
  FILE* stream_;
  size_t limit_;
  int64_t number_ = 0;
  std::string buffer_;
  size_t begin_ = 0;  // start of the next line in buffer_
};

}  // namespace layoutcheck
