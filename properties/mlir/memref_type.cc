// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/mlir/memref_type.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

using Kind = AffineExpression::Kind;

std::string Text(const MemRefInteger& value) { return value ? StrCat(*value) : "?"; }

class Reader {
 public:
  explicit Reader(std::string_view text) : cursor_(text, " ") {}

  Expected<MemRefType> Whole() {
    MemRefType type;
    if (Word() != "memref" || !cursor_.Take("<")) return Fail("'memref<'");
    LAYOUTCHECK_RETURN_IF_ERROR(ReadShape(type));
    if (cursor_.Take(",")) {
      if (auto read = ReadLayout(type); !read) return std::unexpected(read.error());
    }
    // Memory spaces are not read.
    if (cursor_.Take(",")) return Fail("no second layout");
    if (!cursor_.Take(">")) return Fail("'>'");
    if (!cursor_.AtEnd()) return Fail("the end");
    return type;
  }

 private:
  std::unexpected<Error> Fail(std::string_view expected) { return cursor_.Fail(StrCat("expected ", expected)); }
  // Reads a bare identifier and returns it, or an empty text.
  std::string_view Word() {
    cursor_.SkipBlanks();
    if (cursor_.AtDigit()) return {};
    return cursor_.TakeWhile(TextCursor::IsWordByte);
  }
  Expected<MemRefInteger> Dimension() {
    if (cursor_.Take("?")) return MemRefInteger();
    // Strides and offsets may be negative (test/Dialect/Builtin/types.mlir), although StridedLayoutAttr's text says
    // otherwise.
    const bool is_negative = in_layout_ && cursor_.Take("-");
    cursor_.SkipBlanks();
    if (!cursor_.AtDigit()) return Fail("a decimal literal within int64, or '?'");
    const Expected<int64_t> value = cursor_.TakeInteger();
    if (!value) return Fail("a decimal literal within int64, or '?'");
    if (*value == 0 && cursor_.byte() == 'x' && in_layout_) return Fail("no hexadecimal literal");
    return MemRefInteger(is_negative ? -*value : *value);
  }

  Expected<void> ReadShape(MemRefType& type) {
    for (cursor_.SkipBlanks(); cursor_.AtDigit() || cursor_.byte() == '?'; cursor_.SkipBlanks()) {
      LAYOUTCHECK_TRY(auto size, Dimension());
      type.dimensions.push_back(size);
      if (!cursor_.Take("x")) return Fail("'x'");
    }
    type.element_type = Word();
    if (type.element_type.empty()) return Fail("an element type");
    return {};
  }

  Expected<void> ReadLayout(MemRefType& type) {
    in_layout_ = true;
    const std::string_view name = Word();
    if (name == "strided") return ReadStrided(type);
    if (name == "affine_map") return ReadMap(type);
    return Fail("'strided' or 'affine_map'");
  }

  Expected<void> ReadStrided(MemRefType& type) {
    StridedLayoutAttr layout;
    if (!cursor_.Take("<")) return Fail("'<'");
    if (!cursor_.Take("[")) return Fail("'['");
    if (!cursor_.Take("]")) {
      do {
        LAYOUTCHECK_TRY(auto stride, Dimension());
        layout.strides.push_back(stride);
      } while (cursor_.Take(","));
      if (!cursor_.Take("]")) return Fail("',' or ']'");
    }
    if (cursor_.Take(",")) {
      if (Word() != "offset" || !cursor_.Take(":")) return Fail("'offset:'");
      LAYOUTCHECK_TRY(layout.offset, Dimension());
    }
    if (!cursor_.Take(">")) return Fail("'>'");
    if (layout.strides.size() != type.dimensions.size()) return ArgumentError("expected a stride for each dimension");
    if (std::ranges::count(layout.strides, MemRefInteger(0)) > 0) return ArgumentError("expected strides other than 0");
    type.layout = std::move(layout);
    return {};
  }

  Expected<void> ReadNames(std::string_view close, std::vector<std::string>& names, size_t& count) {
    if (cursor_.Take(close)) return {};
    do {
      std::string name(Word());
      if (name.empty()) return Fail("a name");
      if (std::ranges::find(names, name) != names.end()) return Fail("a name that is new");
      names.push_back(std::move(name));
      ++count;
    } while (cursor_.Take(","));
    return cursor_.Take(close) ? Expected<void>() : Fail("',' or the end of the names");
  }

  Expected<void> ReadMap(MemRefType& type) {
    AffineMap layout;
    std::vector<std::string> names;  // the dimensions', then the symbols'
    if (!cursor_.Take("<") || !cursor_.Take("(")) return Fail("'<('");
    if (auto read = ReadNames(")", names, layout.dimensions); !read) return read;
    if (cursor_.Take("[")) {
      if (auto read = ReadNames("]", names, layout.symbols); !read) return read;
    }
    if (!cursor_.Take("-") || cursor_.byte() != '>') return Fail("'->'");
    cursor_.Take(">");
    if (!cursor_.Take("(")) return Fail("'('");
    if (!cursor_.Take(")")) {
      do {
        LAYOUTCHECK_TRY(auto result, ReadResult());
        if (auto resolved = Resolve(result, names, layout.dimensions); !resolved) return resolved;
        layout.results.push_back(std::move(result));
      } while (cursor_.Take(","));
      if (!cursor_.Take(")")) return Fail("',' or ')'");
    }
    if (!cursor_.Take(">")) return Fail("'>'");
    if (layout.dimensions != type.dimensions.size())
      return ArgumentError("expected a dimension of the map for each dimension");
    if (!IsIdentity(layout)) type.layout = std::move(layout);
    return {};
  }

  // Reads the expression up to the comma or parenthesis that ends it.
  Expected<AffineExpression> ReadResult() {
    const size_t begin = cursor_.position();
    int depth = 0;
    const std::string_view text = cursor_.TakeWhile([&depth](char c) {
      if (depth == 0 && (c == ',' || c == ')')) return false;
      depth += (c == '(' ? 1 : 0) - (c == ')' ? 1 : 0);
      return true;
    });
    auto result = AffineExpression::Parse(text);
    if (!result) result.error().column += static_cast<int64_t>(begin);
    return result;
  }

  // Turns names into positions and checks the rules of semi-affine expressions.
  static Expected<void> Resolve(AffineExpression& part, std::span<const std::string> names, size_t dimensions) {
    if (part.kind == Kind::kDimension || part.kind == Kind::kSymbol) {
      const auto name = std::ranges::find(names, part.ToString());
      if (name == names.end())
        return MakeError(ErrorKind::kSyntax, StrCat("expected a name of the map, got ", part.ToString()));
      const auto position = static_cast<size_t>(name - names.begin());
      part.kind = position < dimensions ? Kind::kDimension : Kind::kSymbol;
      part.value = static_cast<int64_t>(position < dimensions ? position : position - dimensions);
      return {};
    }
    for (AffineExpression& operand : part.operands) {
      if (auto resolved = Resolve(operand, names, dimensions); !resolved) return resolved;
    }
    if (part.kind == Kind::kConstant || part.kind == Kind::kAdd) return {};
    const AffineExpression& right = part.operands[1];
    if (part.kind == Kind::kMultiply) {
      if (HasDimension(part.operands[0]) && HasDimension(right)) {
        return ArgumentError("expected a factor without dimensions");
      }
      return {};
    }
    if (HasDimension(right)) return ArgumentError("expected a divisor without dimensions");
    if (const auto divisor = right.Evaluate({}); part.kind == Kind::kMod && divisor && *divisor < 1) {
      return ArgumentError("expected a positive divisor of mod");
    }
    return {};
  }
  static bool HasDimension(const AffineExpression& part) {
    return part.kind == Kind::kDimension || std::ranges::any_of(part.operands, HasDimension);
  }
  static bool IsIdentity(const AffineMap& layout) {
    if (layout.results.size() != layout.dimensions || layout.symbols != 0) return false;
    for (size_t d = 0; d < layout.dimensions; ++d) {
      const AffineExpression& result = layout.results[d];
      if (result.kind != Kind::kDimension || static_cast<size_t>(result.value) != d) return false;
    }
    return true;
  }

  TextCursor cursor_;
  bool in_layout_ = false;  // an x after a digit separates sizes outside of layouts only
};

std::string NameList(std::string_view prefix, size_t count) {
  std::vector<std::string> names;
  for (size_t k = 0; k < count; ++k) names.push_back(StrCat(prefix, k));
  return StrJoin(names, ", ");
}

}  // namespace

Expected<MemRefInteger> Product(const MemRefInteger& a, const MemRefInteger& b, std::string_view what) {
  if (!a || !b) return MemRefInteger();
  int64_t product = 0;
  if (__builtin_mul_overflow(*a, *b, &product)) return OverflowError(what, " outside int64");
  return MemRefInteger(product);
}

Expected<MemRefType> MemRefType::Parse(std::string_view text) { return Reader(text).Whole(); }

std::string MemRefType::ToString() const {
  std::string text = "memref<";
  for (const MemRefInteger& size : dimensions) StrAppend(text, Text(size), "x");
  text += element_type;
  if (const auto* strided = std::get_if<StridedLayoutAttr>(&layout)) {
    std::vector<std::string> strides;
    for (const MemRefInteger& stride : strided->strides) strides.push_back(Text(stride));
    StrAppend(text, ", strided<[", StrJoin(strides, ", "), "]");
    if (strided->offset != MemRefInteger(0)) StrAppend(text, ", offset: ", Text(strided->offset));
    text += ">";
  } else if (const auto* map = std::get_if<AffineMap>(&layout)) {
    std::vector<std::string> results;
    for (const AffineExpression& result : map->results) results.push_back(result.ToString());
    StrAppend(text, ", affine_map<(", NameList("d", map->dimensions), ")");
    if (map->symbols > 0) StrAppend(text, "[", NameList("s", map->symbols), "]");
    StrAppend(text, " -> (", StrJoin(results, ", "), ")>");
  }
  return text + ">";
}

Expected<StridedLayoutAttr> MemRefType::Strides() const {
  if (const auto* strided = std::get_if<StridedLayoutAttr>(&layout)) return *strided;
  if (std::holds_alternative<AffineMap>(layout)) return UnsupportedError("a map is no strided layout");
  StridedLayoutAttr row_major{std::vector<MemRefInteger>(dimensions.size()), 0};
  MemRefInteger stride = 1;
  for (size_t d = dimensions.size(); d-- > 0;) {
    row_major.strides[d] = stride;
    if (d == 0) break;
    LAYOUTCHECK_TRY(stride, Product(stride, dimensions[d], "a stride"));
  }
  return row_major;
}

}  // namespace layoutcheck
