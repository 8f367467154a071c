// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/line_reader.h"
#include <algorithm>
#include <cstring>

namespace layoutcheck {

std::optional<Line> LineReader::Next() {
  constexpr size_t kChunk = size_t{1} << 16;
  size_t searched = begin_;
  bool too_long = false;
  size_t end = std::string::npos;
  while (true) {
    end = buffer_.find('\n', searched);
    if (end != std::string::npos) break;
    if (buffer_.size() - begin_ > limit_) {
      too_long = true;
      buffer_.resize(begin_ + limit_);  // drops the part beyond the limit
    }
    searched = buffer_.size();
    if (begin_ > 0) {
      buffer_.erase(0, begin_);
      searched -= begin_;
      begin_ = 0;
    }
    buffer_.resize(searched + kChunk);
    const size_t read = std::fread(buffer_.data() + searched, 1, kChunk, stream_);
    buffer_.resize(searched + read);
    if (read == 0) break;
  }
  if (end == std::string::npos && begin_ == buffer_.size()) return std::nullopt;
  const size_t stop = end == std::string::npos ? buffer_.size() : end;
  std::string_view text(buffer_.data() + begin_, stop - begin_);
  if (text.size() > limit_) {
    too_long = true;
    text = text.substr(0, limit_);
  }
  if (number_ == 0 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (!too_long && text.ends_with('\r')) text.remove_suffix(1);
  begin_ = end == std::string::npos ? buffer_.size() : end + 1;
  return Line{++number_, text, too_long, end != std::string::npos};
}

}  // namespace layoutcheck
