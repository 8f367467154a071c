// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a certificate line by line. Every part of the checker takes lines from here, and refuses them with their
// number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace layoutcheck::verify {

// Explains why a certificate does not prove its claim: what was expected and what was found in this line.
struct Refusal {
  int64_t line = 0;  // 1-based
  std::string reason;
};

template <class T>
using Checked = std::expected<T, Refusal>;

// The lines of a file, one after another. A line ends with LF. Every other byte is part of it.
class Lines {
 public:
  explicit Lines(std::string_view content) : content_(content) { Advance(); }

  // Returns true behind the last line. There is no line then, and line() is empty.
  bool AtEnd() const { return at_end_; }
  std::string_view line() const { return line_; }
  int64_t number() const { return number_; }
  // Returns true if the last line has no LF at its end.
  bool IsUnterminated() const { return unterminated_; }

  void Advance() {
    ++number_;
    at_end_ = begin_ == content_.size();
    const size_t end = content_.find('\n', begin_);
    unterminated_ = !at_end_ && end == std::string_view::npos;
    line_ = content_.substr(begin_, end == std::string_view::npos ? end : end - begin_);
    begin_ = end == std::string_view::npos ? content_.size() : end + 1;
  }

  std::unexpected<Refusal> Refuse(std::string reason) const {
    return std::unexpected(Refusal{number_, std::move(reason)});
  }
  // Refuses the present line: "expected EXPECTED, found 'LINE'".
  std::unexpected<Refusal> RefuseLine(std::string_view expected) const;

 private:
  std::string_view content_;
  std::string_view line_;
  size_t begin_ = 0;  // position of the next line in the content
  int64_t number_ = 0;
  bool at_end_ = false;
  bool unterminated_ = false;
};

// Returns the text in quotes, cut off if it is long.
std::string Quoted(std::string_view text);

}  // namespace layoutcheck::verify
