// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_attribute.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kPrefix = "#ttg.";
constexpr int kMaxDepth = 8;  // of nested lists

bool IsWordByte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class Reader {
 public:
  explicit Reader(std::string_view text) : cursor_(text, kBlanks) {}

  Expected<TritonAttribute> Run() {
    if (!cursor_.Take(kPrefix)) return cursor_.Unexpected(StrCat("'", kPrefix, "'"));
    attribute_.name_column = cursor_.column();
    attribute_.name = cursor_.TakeWhile(IsWordByte);
    if (attribute_.name.empty()) return cursor_.Unexpected("the name of an attribute");
    if (!cursor_.Take("<")) return cursor_.Unexpected(StrCat("'<' after '", attribute_.name, "'"));
    if (auto read = Body(); !read) return std::unexpected(read.error());
    if (!cursor_.Take(">")) return cursor_.Unexpected("'>' at the end of the attribute");
    if (cursor_.Sees("[")) {
      Expected<TritonValue> shape = Value(0);
      if (!shape) return std::unexpected(shape.error());
      attribute_.shape = *std::move(shape);
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the shape, such as [128,64], or the end of the text");
    attribute_.end_column = cursor_.column();
    return std::move(attribute_);
  }

 private:
  Expected<void> Body() {
    if (cursor_.Sees("[")) {
      if (auto read = cursor_.TakeList("[", "]", "the padding", [&] { return Padding(); }); !read) return read;
    }
    cursor_.SkipBlanks();
    attribute_.entries_column = cursor_.column();
    if (auto read = cursor_.TakeList("{", "}", "the entries", [&] { return Entry(); }); !read) return read;
    while (cursor_.Take(",")) {
      if (auto read = Entry(); !read) return read;
    }
    return {};
  }

  Expected<void> Padding() {
    Expected<TritonValue> interval = Integer("an interval in the padding");
    if (!interval) return std::unexpected(interval.error());
    if (!cursor_.Take(":+")) return cursor_.Unexpected("':+' after the interval");
    Expected<TritonValue> padding = Integer("a number of elements after ':+'");
    if (!padding) return std::unexpected(padding.error());
    attribute_.padding.emplace_back(*std::move(interval), *std::move(padding));
    return {};
  }

  Expected<void> Entry() {
    cursor_.SkipBlanks();
    const int64_t column = cursor_.column();
    const std::string key(cursor_.TakeWhile(IsWordByte));
    if (key.empty()) return cursor_.Unexpected("the name of an entry");
    if (!cursor_.Take("=")) return cursor_.Unexpected(StrCat("'=' after '", key, "'"));
    Expected<TritonValue> value = Value(0);
    if (!value) return std::unexpected(value.error());
    if (!attribute_.entries.emplace(key, *std::move(value)).second) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("expected different names, found another entry '", key, "'"),
                       column);
    }
    return {};
  }

  Expected<TritonValue> Integer(std::string_view what) {
    cursor_.SkipBlanks();
    const int64_t column = cursor_.column();
    const Expected<int64_t> integer = cursor_.TakeInteger();
    if (integer) return TritonValue{*integer, {}, column};
    if (integer.error().kind == ErrorKind::kOverflow) return std::unexpected(integer.error());
    return cursor_.Unexpected(what);
  }

  Expected<TritonValue> Value(int depth) {
    if (!cursor_.Sees("[")) return Integer("an integer or '['");
    TritonValue value{std::nullopt, {}, cursor_.column()};
    if (depth == kMaxDepth) return cursor_.Fail(StrCat("nested more than ", kMaxDepth, " levels deep"));
    const auto read = cursor_.TakeList("[", "]", "the list", [&]() -> Expected<void> {
      Expected<TritonValue> item = Value(depth + 1);
      if (!item) return std::unexpected(item.error());
      value.list.push_back(*std::move(item));
      return {};
    });
    if (!read) return std::unexpected(read.error());
    return value;
  }

  TextCursor cursor_;
  TritonAttribute attribute_;
};

}  // namespace

bool IsTritonText(std::string_view text) {
  TextCursor cursor(text, kBlanks);
  return cursor.Sees("#");
}

Expected<TritonAttribute> ParseTritonAttribute(std::string_view text) { return Reader(text).Run(); }

}  // namespace layoutcheck
