// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_pattern.h"
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

// Returns the word of letters, digits and _ at this place.
std::string_view WordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && TextCursor::IsWordByte(text[end])) ++end;
  return text.substr(at, end - at);
}

// Returns true if the word, which stands in brackets before `next`, is a name and no part of the notation.
bool IsName(std::string_view word, char next) {
  if (next == '[' || next == '(' || next == '<' || ElementTypeFromName(word)) return false;
  return word[0] != '_' || (word.size() > 1 && !TextCursor::IsDigit(word[1]));  // `_4` is a static 4
}

// Removes "64*" from the end of `literal` and returns 64. Returns 1 if the literal ends otherwise.
int64_t TakeCoefficient(std::string& literal) {
  if (!literal.ends_with('*')) return 1;
  const std::string_view digits = std::string_view(literal).substr(0, literal.size() - 1);
  size_t begin = digits.size();
  while (begin > 0 && TextCursor::IsDigit(digits[begin - 1])) --begin;
  int64_t number = 0;
  const auto read = std::from_chars(digits.data() + begin, digits.data() + digits.size(), number);
  if (begin == digits.size() || read.ec != std::errc()) return 1;
  literal.resize(begin);
  return number;
}

}  // namespace

size_t LayoutPattern::IndexOfName(std::string_view name) {
  const auto found = std::ranges::find(names_, name, &Name::text);
  if (found == names_.end()) return names_.push_back({std::string(name), false, {}}), names_.size() - 1;
  return static_cast<size_t>(found - names_.begin());
}

void LayoutPattern::Split(std::string_view text) {
  std::string brackets;  // the open ones
  std::string literal;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '[' || c == '(' || c == '{' || c == '<') brackets += c;
    if (!brackets.empty() && (c == ']' || c == ')' || c == '}' || c == '>')) brackets.pop_back();
    // `<=` is no bracket.
    if (c == '<' && text.substr(at).starts_with("<=")) brackets.pop_back();
    const std::string_view word = TextCursor::IsWordByte(c) ? WordAt(text, at) : std::string_view();
    const bool in_list = !brackets.empty() && (brackets.back() == '[' || brackets.back() == '(');
    const char next = at + word.size() < text.size() ? text[at + word.size()] : '\0';
    if (word.empty() || TextCursor::IsDigit(c) || !in_list || !IsName(word, next)) {
      literal += word.empty() ? text.substr(at, 1) : word;
      at += std::max<size_t>(word.size(), 1);
      continue;
    }
    Piece piece{"", TakeCoefficient(literal), {IndexOfName(word)}};
    piece.literal = std::exchange(literal, "");
    at += word.size();
    while (at + 1 < text.size() && text[at] == '*') {
      const std::string_view factor = WordAt(text, at + 1);
      if (factor.empty()) break;
      if (TextCursor::IsDigit(factor[0])) {
        int64_t number = 0;
        const auto read = std::from_chars(factor.data(), factor.data() + factor.size(), number);
        const CheckedInt64 product = CheckedInt64(piece.coefficient) * number;
        if (read.ec != std::errc() || read.ptr != factor.data() + factor.size() || product.overflow) break;
        piece.coefficient = product.value;
      } else {
        piece.names.push_back(IndexOfName(factor));
      }
      at += 1 + factor.size();
    }
    pieces_.push_back(std::move(piece));
  }
  pieces_.push_back({std::move(literal), 1, {}});
}

Expected<LayoutPattern> LayoutPattern::Parse(std::string_view text) {
  LayoutPattern pattern;
  pattern.text_ = text;
  pattern.Split(text);
  LAYOUTCHECK_RETURN_IF_ERROR(pattern.FindPlaces());
  return pattern;
}

bool LayoutPattern::HasNames(std::string_view text) {
  LayoutPattern pattern;
  pattern.Split(text);
  return !pattern.names_.empty();
}

// Finds the place of a name by changing its value alone. The first values are past most tiles and split indices; the
// others are for arrays of many dimensions.
Expected<void> LayoutPattern::FindPlaces() {
  std::string numbers;
  Error error;
  for (const int64_t value : {200, 3, 1}) {
    std::vector<int64_t> values(names_.size(), value);
    numbers = Write(values);
    is_shape_stride_ = IsShapeStrideText(numbers);
    is_hlo_ = !is_shape_stride_ && !IsFractalText(numbers);
    if (is_shape_stride_) {
      const auto composed = ParseComposedLayout(numbers);
      if (composed) return {};
      error = composed.error();
      continue;
    }
    const Expected<Shape> shape = HloOfText(numbers);
    if (!shape) {
      error = shape.error();
      continue;
    }
    rank_ = shape->rank();
    tiles_ = static_cast<int64_t>(shape->layout->tiles.size());
    // A tile whose size is a name is no period: it has a size only once the name has a value.
    const Expected<Shape> all_changed = ShapeWith(std::vector<int64_t>(names_.size(), value + 1));
    const std::vector<Tile>& tiles = shape->layout->tiles;
    const std::vector<Tile>& changed_tiles =
        all_changed && all_changed->layout->tiles.size() == tiles.size() ? all_changed->layout->tiles : tiles;
    for (size_t n = 0; n < names_.size(); ++n) {
      values[n] = value + 1;
      const Expected<Shape> other = ShapeWith(values);
      values[n] = value;
      if (!other || other->rank() != rank_) continue;
      Name& name = names_[n];
      name.is_tile = other->layout->tiles != tiles;
      for (int64_t k = 0; k < rank_; ++k) {
        const auto d = static_cast<size_t>(shape->layout->Minor(k));
        if (other->dimensions[d] == shape->dimensions[d]) continue;
        for (size_t t = 0; t < tiles.size(); ++t) {
          const std::vector<int64_t>& entries = tiles[t].dimensions;
          if (static_cast<size_t>(k) >= entries.size()) continue;
          const size_t entry = entries.size() - 1 - static_cast<size_t>(k);
          const int64_t size = entries[entry];
          if (size <= 1 || size != changed_tiles[t].dimensions[entry]) continue;
          if (std::ranges::find(name.periods, size) == name.periods.end()) name.periods.push_back(size);
        }
      }
    }
    return {};
  }
  if (!names_.empty()) error.message = StrCat("as ", numbers, ": ", error.ToString());
  return MakeError(error.kind, std::move(error.message), names_.empty() ? error.column : 0);
}

std::string LayoutPattern::Write(std::span<const int64_t> values) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += piece.literal;
    if (piece.names.empty()) continue;
    CheckedInt64 product = piece.coefficient;
    for (const size_t name : piece.names) product = product * CheckedInt64(values[name]);
    StrAppend(text, product.overflow ? std::numeric_limits<int64_t>::max() : product.value);
  }
  return text;
}

Expected<Shape> LayoutPattern::ShapeWith(std::span<const int64_t> values) const { return HloOfText(Write(values)); }

}  // namespace layoutcheck
