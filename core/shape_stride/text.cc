// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/text.h"
#include <bit>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/shape_stride/cute_types.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kPointer = "smem_ptr[";
constexpr size_t kUsualRank = 4;  // room for a tuple's elements without another allocation

// A recursive-descent parser. Every function moves the cursor past the parsed text.
class ShapeStrideReader {
 public:
  explicit ShapeStrideReader(std::string_view text) : cursor_(text) {}

  Expected<IntTuple> Tuple(int64_t depth = 0) {
    if (!cursor_.Sees("(")) {
      if (cursor_.byte() == '_' || cursor_.AtInteger()) return Leaf();
      return Expect("an integer or '('");
    }
    if (depth == IntTuple::kMaxTextDepth) return TooDeep();
    cursor_.Take("(");
    std::vector<IntTuple> elements;
    elements.reserve(kUsualRank);
    while (!cursor_.Take(")")) {
      LAYOUTCHECK_TRY(IntTuple element, Tuple(depth + 1));
      elements.push_back(std::move(element));
      if (cursor_.Take(",")) continue;
      if (!cursor_.Sees(")")) return Expect("',' or ')'");
    }
    return IntTuple::Tuple(std::move(elements));
  }

  Expected<ShapeStrideLayout> Layout() {
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(IntTuple shape, Tuple());
    if (!cursor_.Take(":")) return Expect("':' and the strides");
    LAYOUTCHECK_TRY(IntTuple stride, Tuple());
    ShapeStrideLayout layout{std::move(shape), std::move(stride)};
    if (auto valid = ValidateLayout(layout); !valid) return ErrorAt(column, valid.error());
    return layout;
  }

  Expected<Swizzle> ReadSwizzle() {
    const int64_t column = cursor_.NextColumn();
    if (!cursor_.Take("S")) return Expect("'Sw<'");
    if (cursor_.byte() == 'w') cursor_.Take("w");
    if (!cursor_.Take("<")) return Expect("'<' of a swizzle");
    int64_t numbers[3] = {};
    for (int i = 0; i < 3; ++i) {
      if (i > 0 && !cursor_.Take(",")) return Expect("',' between the numbers of a swizzle");
      LAYOUTCHECK_TRY(numbers[i], Integer());
    }
    if (!cursor_.Take(">")) return Expect("'>' of a swizzle");
    const Swizzle swizzle{numbers[0], numbers[1], numbers[2]};
    if (auto valid = ValidateSwizzle(swizzle); !valid) return ErrorAt(column, valid.error());
    return swizzle;
  }

  Expected<ComposedLayout> Composed() {
    ComposedLayout composed;
    const int64_t column = cursor_.column();
    if (cursor_.Sees("S")) {
      LAYOUTCHECK_TRY(const Swizzle swizzle, ReadSwizzle());
      composed.swizzle = swizzle;
      if (!cursor_.Take("o")) return Expect("'o' after a swizzle");
    }
    // An integer before another `o` is the offset, before `:` it is the shape.
    const size_t behind_swizzle = cursor_.position();
    if (cursor_.Sees(kPointer)) {
      if (auto read = ReadPointer(composed.swizzle); !read) return std::unexpected(read.error());
    } else if (!cursor_.Sees("(")) {
      const int64_t offset_column = cursor_.column();  // Sees skipped the blanks
      LAYOUTCHECK_TRY(const IntTuple offset, Leaf());
      if (cursor_.Take("o")) {
        if (!offset.basis().empty()) return SyntaxErrorAt(offset_column, "expected an offset without an axis");
        composed.offset = offset.value();
      } else {
        cursor_.MoveTo(behind_swizzle);
      }
    }
    LAYOUTCHECK_TRY(composed.layout, Layout());
    if (auto valid = ValidateComposedLayout(composed); !valid) return ErrorAt(column, valid.error());
    return composed;
  }

  Expected<Tiler> ReadTiler(int64_t depth = 0) {
    if (cursor_.Take("<")) return TilerList(">", depth);
    cursor_.SkipBlanks();
    const size_t begin = cursor_.position();
    // A tuple is the shape of a layout if `:` follows it, otherwise a list of tilers. Counting parentheses finds its
    // end, which keeps parsing linear.
    if (cursor_.byte() == '(') {
      int64_t open = 0;
      cursor_.TakeWhile([&open](char c) {
        open += (c == '(' ? 1 : 0) - (c == ')' ? 1 : 0);
        return open > 0;
      });
      cursor_.Take(")");
      const bool is_layout = cursor_.Sees(":");
      cursor_.MoveTo(begin);
      if (!is_layout) {
        cursor_.Take("(");
        return TilerList(")", depth);
      }
    } else if (cursor_.Take("_")) {
      if (!cursor_.AtInteger()) return Tiler::Keep();
      cursor_.MoveTo(begin);
    }
    if (!cursor_.Sees("(")) {
      LAYOUTCHECK_TRY(const IntTuple leaf, Leaf());
      if (!cursor_.Sees(":")) {
        if (leaf.value() < 1 || !leaf.basis().empty()) {
          cursor_.MoveTo(begin);
          return cursor_.Fail("expected an extent of at least 1");
        }
        return Tiler::Extent(leaf.value());
      }
      cursor_.MoveTo(begin);
    }
    LAYOUTCHECK_TRY(ShapeStrideLayout layout, Layout());
    return Tiler::Of(std::move(layout));
  }

  template <class T>
  Expected<T> Whole(Expected<T> result, std::string_view what) {
    if (result && !cursor_.AtEnd()) return Expect(StrCat("the end of the ", what));
    return result;
  }

 private:
  std::unexpected<Error> Expect(std::string_view what) {
    if (!cursor_.rest().empty()) return cursor_.Unexpected(what);
    return cursor_.Fail(StrCat("expected ", what, ", found the end of the text"));
  }
  std::unexpected<Error> TooDeep() {
    return cursor_.Fail(StrCat("nested more than ", IntTuple::kMaxTextDepth, " levels deep"));
  }
  Expected<int64_t> Integer() {
    const Expected<int64_t> value = cursor_.TakeInteger();
    if (value) return value;
    return value.error().kind == ErrorKind::kOverflow ? cursor_.Fail("expected an integer that fits int64")
                                                      : Expect("an integer");
  }

  // Reads "smem_ptr[16b](unset) o", in place of an offset of 0. The swizzle is then one of bytes, and becomes one of
  // the elements that the pointer has.
  Expected<void> ReadPointer(std::optional<Swizzle>& swizzle) {
    cursor_.Take(kPointer);
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(const int64_t bits, Integer());
    if (bits < 1 || bits > 128 || !std::has_single_bit(static_cast<uint64_t>(bits))) {
      return SyntaxErrorAt(column, "expected the bits of an element, a power of two up to 128");
    }
    if (!cursor_.Take("b]") || !cursor_.Take("(")) return Expect("'b](' of a pointer");
    cursor_.TakeWhile([](char c) { return c != ')'; });
    if (!cursor_.Take(")") || !cursor_.Take("o")) return Expect("')' and 'o' after a pointer");
    if (!swizzle) return {};
    const auto of_elements = SwizzleOfElements(*swizzle, bits);
    if (!of_elements) return ErrorAt(column, of_elements.error());
    swizzle = *of_elements;
    return {};
  }

  Expected<IntTuple> Leaf() {
    const bool is_static = cursor_.Take("_");
    if (is_static && cursor_.AtBlank()) return Expect("a digit after '_'");
    LAYOUTCHECK_TRY(const int64_t value, Integer());
    std::vector<int64_t> path;
    while (cursor_.Take("@")) {
      LAYOUTCHECK_TRY(const int64_t position, Integer());
      path.insert(path.begin(), position);
      if (static_cast<int64_t>(path.size()) > IntTuple::kMaxTextDepth) return TooDeep();
    }
    IntTuple leaf = IntTuple::Basis(value, std::move(path));
    leaf.SetStatic(is_static);
    return leaf;
  }

  Expected<Tiler> TilerList(std::string_view close, int64_t depth) {
    if (depth == IntTuple::kMaxTextDepth) return TooDeep();
    std::vector<Tiler> modes;
    while (!cursor_.Take(close)) {
      LAYOUTCHECK_TRY(Tiler mode, ReadTiler(depth + 1));
      modes.push_back(std::move(mode));
      if (cursor_.Take(",") || (close == ">" && cursor_.Take(";"))) continue;
      if (!cursor_.Sees(close)) return Expect(StrCat("',' or '", close, "'"));
    }
    return Tiler::OfModes(std::move(modes));
  }

  TextCursor cursor_;
};

}  // namespace

Expected<IntTuple> ParseIntTuple(std::string_view text) {
  if (IsCuteTupleType(text)) return ParseCuteTupleType(text);
  ShapeStrideReader reader(text);
  return reader.Whole(reader.Tuple(), "tuple");
}

Expected<ShapeStrideLayout> ParseShapeStrideLayout(std::string_view text) {
  if (IsCuteLayoutType(text)) {
    LAYOUTCHECK_TRY(const ComposedLayout composed, ParseCuteLayoutType(text));
    if (composed.swizzle) return SyntaxErrorAt(1, "expected 'Layout<' without a swizzle");
    return composed.layout;
  }
  ShapeStrideReader reader(text);
  return reader.Whole(reader.Layout(), "layout");
}

Expected<Swizzle> ParseSwizzle(std::string_view text) {
  ShapeStrideReader reader(text);
  return reader.Whole(reader.ReadSwizzle(), "swizzle");
}

Expected<ComposedLayout> ParseComposedLayout(std::string_view text) {
  if (IsCuteLayoutType(text)) return ParseCuteLayoutType(text);
  ShapeStrideReader reader(text);
  return reader.Whole(reader.Composed(), "layout");
}

Expected<Tiler> ParseTiler(std::string_view text) {
  if (IsCuteLayoutType(text)) {
    LAYOUTCHECK_TRY(ShapeStrideLayout layout, ParseShapeStrideLayout(text));
    return Tiler::Of(std::move(layout));
  }
  ShapeStrideReader reader(text);
  return reader.Whole(reader.ReadTiler(), "tiler");
}

bool IsShapeStrideText(std::string_view text) {
  if (IsCuteLayoutType(text)) return true;
  const size_t first = text.find_first_not_of(" \t\r\n(");
  if (first == std::string_view::npos) return false;
  const char c = text[first];
  const bool integer = (c >= '0' && c <= '9') || c == '-' || c == '_';
  const bool swizzle = c == 'S' && text.substr(first, 3).find('<') != std::string_view::npos;
  const bool empty_tuple = c == ')' && text.find(':') < text.find('[');  // not the tuple ((), f32[2]{0:T(2)}) of HLO
  return integer || swizzle || empty_tuple || text.substr(first).starts_with(kPointer);
}

}  // namespace layoutcheck
