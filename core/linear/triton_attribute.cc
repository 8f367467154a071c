// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_attribute.h"
#include <algorithm>
#include <bit>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kPrefix = "#ttg.";
constexpr int kMaxDepth = 8;  // of nested lists

class TritonAttributeReader {
 public:
  explicit TritonAttributeReader(std::string_view text) : cursor_(text, TextCursor::kBlanksOfLines) {}

  Expected<TritonAttribute> Run() {
    if (!cursor_.Take(kPrefix)) return cursor_.Unexpected(StrCat("'", kPrefix, "'"));
    attribute_.name_column = cursor_.column();
    attribute_.name = cursor_.TakeWhile(TextCursor::IsWordByte);
    if (attribute_.name.empty()) return cursor_.Unexpected("the name of an attribute");
    if (!cursor_.Take("<")) return cursor_.Unexpected(StrCat("'<' after '", attribute_.name, "'"));
    LAYOUTCHECK_RETURN_IF_ERROR(Body());
    if (!cursor_.Take(">")) return cursor_.Unexpected("'>' at the end of the attribute");
    if (cursor_.Sees("[")) {
      LAYOUTCHECK_TRY(attribute_.shape, Value(0));
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
    LAYOUTCHECK_TRY(TritonValue interval, Integer("an interval in the padding"));
    if (!cursor_.Take(":+")) return cursor_.Unexpected("':+' after the interval");
    LAYOUTCHECK_TRY(TritonValue padding, Integer("a number of elements after ':+'"));
    attribute_.padding.emplace_back(std::move(interval), std::move(padding));
    return {};
  }

  Expected<void> Entry() {
    const int64_t column = cursor_.NextColumn();
    const std::string key(cursor_.TakeWhile(TextCursor::IsWordByte));
    if (key.empty()) return cursor_.Unexpected("the name of an entry");
    if (!cursor_.Take("=")) return cursor_.Unexpected(StrCat("'=' after '", key, "'"));
    LAYOUTCHECK_TRY(TritonValue value, Value(0));
    if (!attribute_.entries.emplace(key, std::move(value)).second) {
      return ErrorAt(column, LayoutError("expected different names, found another entry '", key, "'"));
    }
    return {};
  }

  Expected<TritonValue> Integer(std::string_view what) {
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(const int64_t integer, cursor_.TakeInteger(what));
    return TritonValue{integer, {}, column};
  }

  Expected<TritonValue> Value(int depth) {
    if (!cursor_.Sees("[")) return Integer("an integer or '['");
    TritonValue value{std::nullopt, {}, cursor_.column()};
    if (depth == kMaxDepth) return cursor_.Fail(StrCat("nested more than ", kMaxDepth, " levels deep"));
    const auto read = cursor_.TakeList("[", "]", "the list", [&]() -> Expected<void> {
      LAYOUTCHECK_TRY(TritonValue item, Value(depth + 1));
      value.list.push_back(std::move(item));
      return {};
    });
    if (!read) return std::unexpected(read.error());
    return value;
  }

  TextCursor cursor_;
  TritonAttribute attribute_;
};

constexpr size_t kMaxRank = 62;

std::string Found(const TritonValue& value) { return value.integer ? StrCat(*value.integer) : "a list"; }

std::string Count(size_t number, std::string_view noun) { return StrCat(number, " ", noun, number == 1 ? "" : "s"); }

}  // namespace

bool IsTritonText(std::string_view text) { return TextCursor(text, TextCursor::kBlanksOfLines).Sees("#"); }

Expected<TritonAttribute> ParseTritonAttribute(std::string_view text) { return TritonAttributeReader(text).Run(); }

template <class... Pieces>
void TritonEntries::At(const TritonValue& value, const Pieces&... why) {
  if (!error_) error_ = ErrorAt(value.column, LayoutError(why...)).error();
}

void TritonEntries::Wrong(std::string_view key, std::string_view why) {
  const auto found = attribute_.entries.find(key);
  const TritonValue nowhere{.column = attribute_.entries_column};
  At(found == attribute_.entries.end() ? nowhere : found->second, why);
}

void TritonEntries::CheckKeys(const std::vector<std::string>& keys, bool with_padding) {
  for (const auto& [key, value] : attribute_.entries) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    At(value, "expected the entries ", StrJoin(keys, ", "), " of ", attribute_.name, ", found '", key, "'");
  }
  if (!with_padding && !attribute_.padding.empty()) {
    At(attribute_.padding.front().first, "expected no padding in ", attribute_.name);
  }
}

uint64_t TritonEntries::PowerIn(const TritonValue& value, std::string_view what) {
  const bool fits = value.integer && *value.integer > 0 && std::has_single_bit(static_cast<uint64_t>(*value.integer));
  if (fits) return static_cast<uint64_t>(*value.integer);
  At(value, "expected a power of two in ", what, ", found ", Found(value));
  return 1;
}

std::vector<uint64_t> TritonEntries::PowersIn(const TritonValue& value, std::string_view what,
                                              std::optional<size_t> rank) {
  const size_t size = value.list.size();
  if (value.integer) At(value, "expected a list as ", what, ", found ", *value.integer);
  if (rank && size != *rank) {
    At(value, "expected ", Count(*rank, "integer"), " in ", what, ", one per dimension, found ", size);
  }
  if (size > kMaxRank) At(value, "expected at most ", kMaxRank, " integers in ", what);
  if (error_) return std::vector<uint64_t>(rank.value_or(0), 1);
  std::vector<uint64_t> powers;
  for (const TritonValue& item : value.list) powers.push_back(PowerIn(item, what));
  return powers;
}

const TritonValue& TritonEntries::Find(std::string_view key) {
  static const TritonValue kNothing;
  const auto found = attribute_.entries.find(key);
  if (found != attribute_.entries.end()) return found->second;
  Wrong(key, StrCat("expected an entry '", key, "' of ", attribute_.name));
  return kNothing;
}

uint64_t TritonEntries::PowerOfTwo(std::string_view key) {
  constexpr uint64_t kMost = uint64_t{1} << 31;
  const TritonValue& value = Find(key);
  const uint64_t power = PowerIn(value, StrCat("'", key, "'"));
  if (power > kMost) At(value, "expected at most ", kMost, " in '", key, "', found ", power);
  return power;
}

std::vector<uint64_t> TritonEntries::PowersOfTwo(std::string_view key, std::optional<size_t> rank) {
  return PowersIn(Find(key), StrCat("'", key, "'"), rank);
}

std::vector<size_t> TritonEntries::Order(std::string_view key, size_t rank) {
  const TritonValue& value = Find(key);
  std::vector<size_t> order;
  for (const TritonValue& item : value.list) {
    const bool is_new = item.integer && *item.integer >= 0 && static_cast<uint64_t>(*item.integer) < rank &&
                        std::ranges::find(order, static_cast<size_t>(*item.integer)) == order.end();
    if (is_new) {
      order.push_back(static_cast<size_t>(*item.integer));
    } else {
      At(item, "expected each dimension from 0 to ", rank, " (excluded) once in '", key, "', found ", Found(item));
    }
  }
  if (order.size() != rank) {
    At(value, "expected ", Count(rank, "dimension"), " in '", key, "', found ", order.size());
  }
  return order;
}

std::vector<std::vector<uint64_t>> TritonEntries::Images(std::string_view key, size_t rank) {
  std::vector<std::vector<uint64_t>> images;
  if (!Has(key)) return images;
  const TritonValue& value = Find(key);
  if (value.integer) At(value, "expected a list as '", key, "', found ", *value.integer);
  if (value.list.size() > LinearLayout::kMaxBits) {
    At(value, "expected at most ", LinearLayout::kMaxBits, " images in '", key, "'");
  }
  for (const TritonValue& item : value.list) {
    const std::vector<TritonValue> parts = item.integer ? std::vector{item} : item.list;
    if (parts.size() != rank) {
      At(item, "expected ", Count(rank, "integer"), " in an image, one per dimension, found ", parts.size());
    }
    if (error_) return {};
    std::vector<uint64_t>& image = images.emplace_back();
    for (const TritonValue& part : parts) {
      const bool fits = part.integer && *part.integer >= 0 && *part.integer >> LinearLayout::kMaxBits == 0;
      if (!fits) {
        At(part, "expected an integer from 0 to 2^", LinearLayout::kMaxBits, " in an image, found ", Found(part));
      }
      image.push_back(fits ? static_cast<uint64_t>(*part.integer) : 0);
    }
  }
  return images;
}

size_t TritonEntries::RankOfImages(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const auto found = attribute_.entries.find(key);
    if (found == attribute_.entries.end() || found->second.list.empty()) continue;
    const TritonValue& first = found->second.list.front();
    if (first.list.size() > kMaxRank) At(first, "expected at most ", kMaxRank, " dimensions");
    return first.integer ? 1 : first.list.size();
  }
  if (!error_) {
    error_ = SyntaxErrorAt(attribute_.end_column,
                           "expected the shape of the array after an attribute without images, such as [128,64]")
                 .error();
  }
  return 0;
}

std::vector<std::pair<uint64_t, uint64_t>> TritonEntries::Padding() {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const auto& [interval, elements] : attribute_.padding) {
    const uint64_t power = PowerIn(interval, "an interval of the padding");
    if (*elements.integer < 1) At(elements, "expected at least 1 element of padding, found ", *elements.integer);
    pairs.emplace_back(power, static_cast<uint64_t>(*elements.integer));
  }
  return pairs;
}

std::optional<std::vector<uint64_t>> TritonEntries::Shape() {
  if (!attribute_.shape) return std::nullopt;
  return PowersIn(*attribute_.shape, "the shape", std::nullopt);
}

}  // namespace layoutcheck
