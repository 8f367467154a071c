// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/cute_types.h"
#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kNamespace = "cute::";
constexpr std::string_view kLayout = "Layout";
constexpr std::string_view kComposed = "ComposedLayout";
constexpr std::array<std::string_view, 6> kTuples = {"Shape", "Stride", "Coord", "Step", "Tile", "tuple"};

// Returns the first name of a text, without its namespace, if a '<' follows it.
std::string_view FirstTemplate(std::string_view text) {
  TextCursor cursor(text, TextCursor::kBlanksOfLines);
  cursor.Take(kNamespace);
  const std::string_view name = cursor.TakeWhile(TextCursor::IsWordByte);
  return cursor.Sees("<") ? name : "";
}

// A recursive-descent parser of types.
class CuteTypeReader {
 public:
  explicit CuteTypeReader(std::string_view text) : cursor_(text, TextCursor::kBlanksOfLines) {}

  Expected<ComposedLayout> Layout() {
    const int64_t column = cursor_.NextColumn();
    const std::string_view name = Name();
    ComposedLayout composed;
    if (name == kComposed) {
      LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
      LAYOUTCHECK_RETURN_IF_ERROR(SwizzleAndOffset(composed));
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
      if (Name() != kLayout) return cursor_.Unexpected("'Layout<'");
      LAYOUTCHECK_TRY(composed.layout, ShapeAndStride());
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(">"));
    } else if (name == kLayout) {
      LAYOUTCHECK_TRY(composed.layout, ShapeAndStride());
    } else {
      return cursor_.Unexpected("'Layout<' or 'ComposedLayout<'");
    }
    if (auto valid = ValidateComposedLayout(composed); !valid) return ErrorAt(column, valid.error());
    return composed;
  }

  Expected<IntTuple> Tuple(int64_t depth = 0) {
    if (depth == IntTuple::kMaxTextDepth) {
      return cursor_.Fail(StrCat("nested more than ", IntTuple::kMaxTextDepth, " levels deep"));
    }
    const size_t begin = cursor_.position();
    if (std::ranges::find(kTuples, Name()) == kTuples.end()) {
      cursor_.MoveTo(begin);
      return Leaf();
    }
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
    std::vector<IntTuple> elements;
    while (!cursor_.Take(">")) {
      LAYOUTCHECK_TRY(IntTuple element, Tuple(depth + 1));
      elements.push_back(std::move(element));
      if (!cursor_.Take(",") && !cursor_.Sees(">")) return cursor_.Unexpected("',' or '>'");
    }
    return IntTuple::Tuple(std::move(elements));
  }

  template <class T>
  Expected<T> Whole(Expected<T> result) {
    if (result && !cursor_.AtEnd()) return cursor_.Unexpected("the end of the type");
    return result;
  }

 private:
  // Steps over a name with its namespace and returns the name, which is empty if none follows.
  std::string_view Name() {
    cursor_.Take(kNamespace);
    cursor_.SkipBlanks();
    return cursor_.TakeWhile(TextCursor::IsWordByte);
  }

  Expected<void> Expect(std::string_view token) {
    if (cursor_.Take(token)) return {};
    return cursor_.Unexpected(StrCat("'", token, "'"));
  }

  // Reads an integer: 8, _8, Int<8> or C<8>.
  Expected<IntTuple> Leaf() {
    cursor_.SkipBlanks();
    if (cursor_.AtInteger()) {
      LAYOUTCHECK_TRY(const int64_t value, cursor_.TakeInteger());
      return IntTuple(value);
    }
    const size_t begin = cursor_.position();
    if (cursor_.Take("_") && cursor_.AtDigit()) {
      LAYOUTCHECK_TRY(const int64_t value, cursor_.TakeInteger());
      return IntTuple::Static(value);
    }
    cursor_.MoveTo(begin);
    const std::string_view name = Name();
    if ((name == "Int" || name == "C") && cursor_.Take("<")) {
      LAYOUTCHECK_TRY(const int64_t value, cursor_.TakeInteger());
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(">"));
      return IntTuple::Static(value);
    }
    cursor_.MoveTo(begin);
    if (name == "int" || name == "long" || name == "unsigned") {
      return cursor_.Fail(StrCat("expected a number, found '", name, "': the type does not say this value"));
    }
    return cursor_.Unexpected("an integer such as 8, _8, Int<8> or C<8>, or a tuple such as Shape<_8,_4>");
  }

  // Reads the arguments of Layout, from '<' to '>'.
  Expected<ShapeStrideLayout> ShapeAndStride() {
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
    ShapeStrideLayout layout;
    LAYOUTCHECK_TRY(layout.shape, Tuple());
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
    LAYOUTCHECK_TRY(layout.stride, Tuple());
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(">"));
    return layout;
  }

  Expected<int64_t> Number() {
    LAYOUTCHECK_TRY(const IntTuple leaf, Leaf());
    return leaf.value();
  }

  Expected<void> SwizzleAndOffset(ComposedLayout& composed) {
    const int64_t column = cursor_.NextColumn();
    if (Name() != "Swizzle") return SyntaxErrorAt(column, "expected 'Swizzle<'");
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
    std::array<int64_t, 3> numbers{};
    for (size_t k = 0; k < numbers.size(); ++k) {
      if (k > 0) LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
      LAYOUTCHECK_TRY(numbers[k], Number());
    }
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(">"));
    const Swizzle swizzle{numbers[0], numbers[1], numbers[2]};
    if (auto valid = ValidateSwizzle(swizzle); !valid) return ErrorAt(column, valid.error());
    composed.swizzle = swizzle;
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
    const int64_t at_offset = cursor_.NextColumn();
    const size_t begin = cursor_.position();
    const std::string_view name = Name();
    int64_t bits = 1;
    if (name == "smem_ptr_flag_bits") {
      LAYOUTCHECK_RETURN_IF_ERROR(Expect("<"));
      LAYOUTCHECK_TRY(bits, Number());
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(">"));
    } else if (name != "smem_ptr_flag") {
      cursor_.MoveTo(begin);
      LAYOUTCHECK_TRY(composed.offset, Number());
      return {};
    }
    const Expected<Swizzle> of_elements = SwizzleOfElements(swizzle, bits);
    if (!of_elements) return ErrorAt(at_offset, of_elements.error());
    composed.swizzle = *of_elements;
    return {};
  }

  TextCursor cursor_;
};

}  // namespace

bool IsCuteLayoutType(std::string_view text) {
  const std::string_view name = FirstTemplate(text);
  return name == kLayout || name == kComposed;
}

bool IsCuteTupleType(std::string_view text) { return std::ranges::find(kTuples, FirstTemplate(text)) != kTuples.end(); }

Expected<ComposedLayout> ParseCuteLayoutType(std::string_view text) {
  CuteTypeReader reader(text);
  return reader.Whole(reader.Layout());
}

Expected<IntTuple> ParseCuteTupleType(std::string_view text) {
  CuteTypeReader reader(text);
  return reader.Whole(reader.Tuple());
}

Expected<std::string> WithoutCuteTypes(std::string_view text) {
  if (!IsCuteLayoutType(text)) return std::string(text);
  LAYOUTCHECK_TRY(const ComposedLayout composed, ParseCuteLayoutType(text));
  return ToString(composed);
}

Expected<Swizzle> SwizzleOfElements(const Swizzle& of_bytes, int64_t bits) {
  if (bits < 1 || bits > 128 || !std::has_single_bit(static_cast<uint64_t>(bits))) {
    return ArgumentError("expected the bits of an element, a power of two up to 128, found ", bits);
  }
  return bits >= 8 ? UpcastSwizzle(of_bytes, bits / 8) : DowncastSwizzle(of_bytes, 8 / bits);
}

}  // namespace layoutcheck
