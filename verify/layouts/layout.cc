// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/layout.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck::verify {
namespace {

constexpr std::string_view kElementTypes[] = {
    "pred",       "s1",         "s2",     "s4",     "s8",       "s16",       "s32",      "s64",
    "u1",         "u2",         "u4",     "u8",     "u16",      "u32",       "u64",      "f16",
    "f32",        "f64",        "bf16",   "c64",    "c128",     "f8e5m2",    "f8e4m3fn", "f8e4m3b11fnuz",
    "f8e5m2fnuz", "f8e4m3fnuz", "f8e4m3", "f8e3m4", "f4e2m1fn", "f8e8m0fnu", "f6e3m2fn", "f6e2m3fn"};

constexpr size_t kMaxDigits = 1024;  // dimensions and tile entries together
constexpr size_t kMaxNameLength = 18;

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view text) : cursor_(text) {}

  Expected<Layout> Run() {
    const std::string_view type = TakeWord();
    if (std::ranges::find(kElementTypes, type) == std::end(kElementTypes)) {
      return MakeError(ErrorKind::kSyntax, "expected an element type, such as f32", 1);
    }
    layout_.element_bits = std::max<int64_t>(BitsOf(type), 8);  // s4 takes a byte, too
    LAYOUTCHECK_RETURN_IF_ERROR(TakeDimensions());
    for (size_t d = 0; d < layout_.dimensions.size(); ++d) layout_.major_to_minor.push_back(d);
    if (cursor_.Take("{")) {
      LAYOUTCHECK_RETURN_IF_ERROR(TakeOrder());
      if (cursor_.Take(":")) {
        LAYOUTCHECK_RETURN_IF_ERROR(TakeTiles());
        if (auto ok = SkipAttributes(); !ok) return std::unexpected(std::move(ok.error()));
      }
      if (!cursor_.Take("}")) return cursor_.Unexpected("an attribute or '}' in the layout");
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the end of the layout");
    return std::move(layout_);
  }

 private:
  std::string_view TakeWord() {
    cursor_.SkipBlanks();
    return cursor_.TakeWhile(TextCursor::IsWordByte);
  }

  Expected<int64_t> TakeNumber(int64_t least) {
    cursor_.SkipBlanks();
    const int64_t column = cursor_.column();
    if (!cursor_.AtDigit()) return cursor_.Unexpected("a number");
    auto number = cursor_.TakeInteger();
    if (number && *number < least) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("expected a number of at least ", least), column);
    }
    return number;
  }

  Expected<Size> TakeSize(int64_t least) {
    cursor_.SkipBlanks();
    if (cursor_.AtDigit()) {
      LAYOUTCHECK_TRY(const auto number, TakeNumber(least));
      return Size{"", number};
    }
    const int64_t column = cursor_.column();
    const std::string_view name = TakeWord();
    if (name.empty()) return cursor_.Unexpected("a number or a name");
    if (name.size() > kMaxNameLength || IsIndexOrDimension(name)) {
      return MakeError(ErrorKind::kUnsupported,
                       "expected a name of at most 18 letters that is none of an index (i0) or a dimension (d0)",
                       column);
    }
    if (std::ranges::find(layout_.names, name) == layout_.names.end()) layout_.names.emplace_back(name);
    return Size{std::string(name), 0};
  }

  Expected<void> CountDigit() {
    if (++digits_ > kMaxDigits)
      return cursor_.Fail(StrCat("expected at most ", kMaxDigits, " dimensions and tile entries"));
    return {};
  }

  Expected<void> TakeDimensions() {
    if (!cursor_.Take("[")) return cursor_.Unexpected("'['");
    if (cursor_.Take("]")) return {};
    do {
      cursor_.Take("<=");  // a dynamic dimension, whose bound decides where elements lie
      LAYOUTCHECK_TRY(auto size, TakeSize(0));
      layout_.dimensions.push_back(std::move(size));
      if (auto few = CountDigit(); !few) return few;
    } while (cursor_.Take(","));
    if (!cursor_.Take("]")) return cursor_.Unexpected("',' or ']'");
    return {};
  }

  // Reads minor_to_major, which has the dimensions from minor to major.
  Expected<void> TakeOrder() {
    const size_t rank = layout_.dimensions.size();
    const int64_t column = cursor_.column();
    std::vector<size_t> order;
    cursor_.SkipBlanks();
    if (cursor_.AtDigit()) {
      do {
        LAYOUTCHECK_TRY(const auto dimension, TakeNumber(0));
        order.push_back(static_cast<size_t>(dimension));
      } while (order.size() <= rank && cursor_.Take(","));
    }
    std::ranges::reverse(order);
    std::vector<size_t> sorted = order;
    std::ranges::sort(sorted);
    if (sorted != layout_.major_to_minor) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("expected each of the ", rank, " dimensions once"), column);
    }
    layout_.major_to_minor = std::move(order);
    return {};
  }

  Expected<void> TakeTiles() {
    if (cursor_.Take("D")) {  // D(D,C), which has no meaning any more
      if (auto skipped = SkipParentheses(); !skipped) return skipped;
    }
    if (!cursor_.Take("T")) return {};
    do {
      if (!cursor_.Take("(")) return cursor_.Unexpected("'(' of a tile");
      std::vector<TileEntry>& tile = layout_.tiles.emplace_back();
      do {
        TileEntry& entry = tile.emplace_back();
        entry.combine = cursor_.Take("*");
        if (!entry.combine) {
          LAYOUTCHECK_TRY(entry.size, TakeSize(1));
        }
        if (auto few = CountDigit(); !few) return few;
      } while (cursor_.Take(","));
      if (tile.back().combine) return cursor_.Fail("expected a size after '*', with which it is combined");
      if (!cursor_.Take(")")) return cursor_.Unexpected("',' or ')' in the tile");
    } while (cursor_.Sees("("));
    return {};
  }

  // Reads L(n), which says where memory ends, and E(n), the bits of an element in memory, and reads over #(type),
  // *(type), S(n), SC(d:n,...)... and M(n), which place no element.
  Expected<void> SkipAttributes() {
    constexpr std::string_view kAttributes[] = {"L", "#", "*", "E", "S", "SC", "M"};
    while (!cursor_.Sees("}")) {
      const std::string_view name =
          cursor_.TakeWhile([](char c) { return c == '#' || c == '*' || (c >= 'A' && c <= 'Z'); });
      if (std::ranges::find(kAttributes, name) == std::end(kAttributes))
        return cursor_.Unexpected("an attribute or '}'");
      if (name == "E") {
        if (auto bits = TakeElementBits(); !bits) return bits;
        continue;
      }
      if (name == "L" && cursor_.Take("(")) {
        LAYOUTCHECK_TRY(layout_.alignment, TakeNumber(1));
        if (!cursor_.Take(")")) return cursor_.Unexpected("')'");
        continue;
      }
      do {
        if (auto skipped = SkipParentheses(); !skipped) return skipped;
      } while (name == "SC" && cursor_.Sees("("));
    }
    return {};
  }

  Expected<void> TakeElementBits() {
    if (std::exchange(has_element_bits_, true)) return cursor_.Fail("expected the attribute E once");
    if (!cursor_.Take("(")) return cursor_.Unexpected("'('");
    LAYOUTCHECK_TRY(const auto bits, TakeNumber(0));
    if (!cursor_.Take(")")) return cursor_.Unexpected("')'");
    if (bits != 0) layout_.element_bits = bits;
    return {};
  }

  Expected<void> SkipParentheses() {
    if (!cursor_.Take("(")) return cursor_.Unexpected("'('");
    cursor_.TakeWhile([](char c) { return c != ')' && c != '(' && c != '{' && c != '}'; });
    if (!cursor_.Take(")")) return cursor_.Unexpected("')'");
    return {};
  }

  TextCursor cursor_;
  Layout layout_;
  size_t digits_ = 0;
  bool has_element_bits_ = false;  // E(n) was read
};

}  // namespace

bool Layout::IsTileName(std::string_view name) const {
  return std::ranges::any_of(tiles, [&](const std::vector<TileEntry>& tile) {
    return std::ranges::any_of(tile, [&](const TileEntry& entry) { return !entry.combine && entry.size.name == name; });
  });
}

NameRanges RangesOf(const Layout& layout) {
  NameRanges ranges;
  for (const std::string& name : layout.names) {
    ranges[name] = layout.IsTileName(name) ? kPositiveRange : kNotNegativeRange;
  }
  return ranges;
}

bool Layout::IsDimensionName(std::string_view name) const {
  return std::ranges::find(dimensions, name, &Size::name) != dimensions.end();
}

int64_t BitsOf(std::string_view element_type) {
  std::string_view digits = element_type.substr(std::min(element_type.find_first_of("123456789"), element_type.size()));
  if (digits.empty()) return 8;
  int64_t bits = 0;
  for (; !digits.empty() && TextCursor::IsDigit(digits[0]) && bits < 1000; digits.remove_prefix(1)) {
    bits = bits * 10 + (digits[0] - '0');
  }
  return bits;
}

bool IsIndexOrDimension(std::string_view word) {
  return word.size() >= 2 && (word[0] == 'i' || word[0] == 'd') &&
         std::ranges::all_of(word.substr(1), TextCursor::IsDigit);
}

std::expected<Layout, std::string> ReadLayout(std::string_view text) {
  Expected<Layout> layout = LayoutReader(text).Run();
  if (!layout) return std::unexpected(layout.error().ToString());
  return std::move(*layout);
}

}  // namespace layoutcheck::verify
