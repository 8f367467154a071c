// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_attribute.h"
#include <algorithm>
#include <bit>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {
namespace {

using Kind = TritonValue::Kind;

constexpr int kMaxDepth = 8;  // of values within each other

// The dialects of attributes. Those of `ttng` have no braces around their entries.
constexpr std::string_view kPrefix = "#ttg.";
constexpr std::string_view kPrefixWithoutBraces = "#ttng.";

class TritonReader {
 public:
  explicit TritonReader(std::string_view text) : cursor_(text, TextCursor::kBlanksOfLines) {}

  Expected<TritonText> Run() {
    TritonText read;
    LAYOUTCHECK_TRY(read.attribute, Attribute(0));
    if (cursor_.Sees("[")) {
      LAYOUTCHECK_TRY(read.shape, Value(0));
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the shape, such as [128,64], or the end of the text");
    read.end_column = cursor_.column();
    return read;
  }

 private:
  Expected<TritonAttribute> Attribute(int depth) {
    TritonAttribute attribute;
    const bool has_braces = !cursor_.Take(kPrefixWithoutBraces);
    if (has_braces && !cursor_.Take(kPrefix)) {
      return cursor_.Unexpected(StrCat("'", kPrefix, "' or '", kPrefixWithoutBraces, "'"));
    }
    attribute.name_column = cursor_.column();
    attribute.name = cursor_.TakeWhile(TextCursor::IsWordByte);
    if (attribute.name.empty()) return cursor_.Unexpected("the name of an attribute");
    if (!cursor_.Take("<")) return cursor_.Unexpected(StrCat("'<' after '", attribute.name, "'"));
    LAYOUTCHECK_RETURN_IF_ERROR(has_braces ? Body(attribute, depth) : EntriesWithoutBraces(attribute, depth));
    if (!cursor_.Take(">")) return cursor_.Unexpected("'>' at the end of the attribute");
    return attribute;
  }

  Expected<void> Body(TritonAttribute& attribute, int depth) {
    if (cursor_.Sees("[")) {
      if (auto read = cursor_.TakeList("[", "]", "the padding", [&] { return Padding(attribute); }); !read) return read;
    }
    if (auto read = Entries(attribute, depth); !read) return read;
    while (cursor_.Take(",")) {
      if (auto read = Entry(attribute, depth); !read) return read;
    }
    return {};
  }

  Expected<void> Entries(TritonAttribute& attribute, int depth) {
    attribute.entries_column = cursor_.NextColumn();
    return cursor_.TakeList("{", "}", "the entries", [&] { return Entry(attribute, depth); });
  }

  Expected<void> EntriesWithoutBraces(TritonAttribute& attribute, int depth) {
    attribute.entries_column = cursor_.NextColumn();
    if (cursor_.Sees(">")) return {};
    do {
      if (auto read = Entry(attribute, depth); !read) return read;
    } while (cursor_.Take(","));
    return {};
  }

  Expected<void> Padding(TritonAttribute& attribute) {
    LAYOUTCHECK_TRY(TritonValue interval, Integer("an interval in the padding"));
    if (!cursor_.Take(":+")) return cursor_.Unexpected("':+' after the interval");
    LAYOUTCHECK_TRY(TritonValue padding, Integer("a number of elements after ':+'"));
    attribute.padding.push_back({std::move(interval), std::move(padding)});
    return {};
  }

  Expected<void> Entry(TritonAttribute& attribute, int depth) {
    const int64_t column = cursor_.NextColumn();
    const std::string key(cursor_.TakeWhile(TextCursor::IsWordByte));
    if (key.empty()) return cursor_.Unexpected("the name of an entry");
    if (!cursor_.Take("=")) return cursor_.Unexpected(StrCat("'=' after '", key, "'"));
    LAYOUTCHECK_TRY(TritonValue value, Value(depth));
    if (value.kind == Kind::kEntries) value.attribute.front().name = key;
    if (!attribute.entries.emplace(key, std::move(value)).second) {
      return ErrorAt(column, LayoutError("expected different names, found another entry '", key, "'"));
    }
    return {};
  }

  Expected<TritonValue> Integer(std::string_view what) {
    TritonValue value{.kind = Kind::kInteger, .column = cursor_.NextColumn()};
    LAYOUTCHECK_TRY(value.integer, cursor_.TakeInteger(what));
    return value;
  }

  Expected<TritonValue> Value(int depth) {
    TritonValue value{.column = cursor_.NextColumn()};
    if (TextCursor::IsLetter(cursor_.byte())) {
      value.kind = Kind::kWord;
      value.word = cursor_.TakeWhile(TextCursor::IsWordByte);
      return value;
    }
    const bool is_nested = cursor_.Sees("[") || cursor_.Sees("{") || cursor_.Sees("#");
    if (!is_nested) return Integer("an integer, a word, '[', '{' or '#'");
    if (depth == kMaxDepth) return cursor_.Fail(StrCat("nested more than ", kMaxDepth, " levels deep"));
    if (cursor_.Sees("#")) {
      value.kind = Kind::kAttribute;
      LAYOUTCHECK_TRY(TritonAttribute attribute, Attribute(depth + 1));
      value.attribute.push_back(std::move(attribute));
      return value;
    }
    if (cursor_.Sees("{")) {
      value.kind = Kind::kEntries;
      LAYOUTCHECK_RETURN_IF_ERROR(Entries(value.attribute.emplace_back(), depth + 1));
      return value;
    }
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("[", "]", "the list", [&]() -> Expected<void> {
      LAYOUTCHECK_TRY(TritonValue item, Value(depth + 1));
      value.list.push_back(std::move(item));
      return {};
    }));
    return value;
  }

  TextCursor cursor_;
};

constexpr size_t kMaxRank = 62;
constexpr uint64_t kMost = uint64_t{1} << 31;  // in an entry of one integer

std::string Found(const TritonValue& value) {
  switch (value.kind) {
    case Kind::kInteger: return StrCat(value.integer);
    case Kind::kWord: return StrCat("'", value.word, "'");
    case Kind::kList: return "a list";
    case Kind::kEntries: return "entries";
    case Kind::kAttribute: return StrCat("the attribute ", value.attribute.front().name);
  }
  return {};
}

std::string Count(size_t number, std::string_view noun) { return StrCat(number, " ", noun, number == 1 ? "" : "s"); }

}  // namespace

bool IsTritonText(std::string_view text) { return TextCursor(text, TextCursor::kBlanksOfLines).Sees("#"); }

Expected<TritonText> ParseTritonText(std::string_view text) { return TritonReader(text).Run(); }

template <class... Pieces>
void TritonEntries::At(const TritonValue& value, const Pieces&... why) {
  if (!error_) error_ = ErrorAt(value.column, LayoutError(why...)).error();
}

void TritonEntries::Wrong(std::string_view key, std::string_view why) {
  const auto found = attribute_.entries.find(key);
  const TritonValue nowhere{.column = attribute_.entries_column};
  At(found == attribute_.entries.end() ? nowhere : found->second, why);
}

void TritonEntries::CheckKeys(std::span<const std::string_view> keys, bool with_padding) {
  for (const auto& [key, value] : attribute_.entries) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    At(value, "expected the entries ", StrJoin(keys, ", "), " of ", attribute_.name, ", found '", key, "'");
  }
  if (!with_padding && !attribute_.padding.empty()) {
    At(attribute_.padding.front().interval, "expected no padding in ", attribute_.name);
  }
}

uint64_t TritonEntries::PowerIn(const TritonValue& value, std::string_view what) {
  const bool fits =
      value.kind == Kind::kInteger && value.integer > 0 && std::has_single_bit(static_cast<uint64_t>(value.integer));
  if (fits) return static_cast<uint64_t>(value.integer);
  At(value, "expected a power of two in ", what, ", found ", Found(value));
  return 1;
}

std::vector<uint64_t> TritonEntries::PowersIn(const TritonValue& value, std::string_view what,
                                              std::optional<size_t> rank) {
  const size_t size = value.list.size();
  if (value.kind != Kind::kList) At(value, "expected a list as ", what, ", found ", Found(value));
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

uint64_t TritonEntries::Number(std::string_view key) {
  const TritonValue& value = Find(key);
  const auto number = static_cast<uint64_t>(value.integer);
  if (value.kind == Kind::kInteger && number <= kMost) return number;
  At(value, "expected an integer from 0 to ", kMost, " in '", key, "', found ", Found(value));
  return 0;
}

uint64_t TritonEntries::PowerOfTwo(std::string_view key) {
  const TritonValue& value = Find(key);
  const uint64_t power = PowerIn(value, StrCat("'", key, "'"));
  if (power > kMost) At(value, "expected at most ", kMost, " in '", key, "', found ", power);
  return power;
}

uint64_t TritonEntries::OneOf(std::string_view key, std::span<const uint64_t> choices, Absent absent) {
  if (absent == Absent::kIsTheFirst && !Has(key)) return choices.front();
  const TritonValue& value = Find(key);
  const auto number = static_cast<uint64_t>(value.integer);
  if (value.kind == Kind::kInteger && std::ranges::find(choices, number) != choices.end()) return number;
  At(value, "expected one of ", StrJoin(choices, ", "), " in '", key, "', found ", Found(value));
  return choices.front();
}

size_t TritonEntries::Dimension(std::string_view key, size_t rank) {
  const uint64_t dimension = Number(key);
  if (dimension < rank) return static_cast<size_t>(dimension);
  Wrong(key, StrCat("expected a dimension from 0 to ", rank, " (excluded) in '", key, "', found ", dimension));
  return 0;
}

bool TritonEntries::Flag(std::string_view key) {
  static constexpr std::string_view kFlags[] = {"false", "true"};
  return WordOf(key, kFlags) == 1;
}

size_t TritonEntries::WordOf(std::string_view key, std::span<const std::string_view> words) {
  if (!Has(key)) return 0;
  const TritonValue& value = Find(key);
  const auto found = std::ranges::find(words, value.word);
  if (found != words.end()) return static_cast<size_t>(found - words.begin());
  At(value, "expected one of ", StrJoin(words, ", "), " in '", key, "', found ", Found(value));
  return 0;
}

const TritonAttribute* TritonEntries::Nested(std::string_view key, TritonValue::Kind kind, std::string_view what) {
  const TritonValue& value = Find(key);
  if (value.kind != kind) At(value, "expected ", what, " as '", key, "', found ", Found(value));
  return error_ ? nullptr : &value.attribute.front();
}

const TritonAttribute* TritonEntries::Attribute(std::string_view key) {
  return Nested(key, Kind::kAttribute, "an attribute");
}

const TritonAttribute* TritonEntries::Entries(std::string_view key) {
  return Nested(key, Kind::kEntries, "entries in braces");
}

std::vector<uint64_t> TritonEntries::PowersOfTwo(std::string_view key, std::optional<size_t> rank) {
  return PowersIn(Find(key), StrCat("'", key, "'"), rank);
}

std::vector<size_t> TritonEntries::Order(std::string_view key, size_t rank) {
  const TritonValue& value = Find(key);
  if (value.kind != Kind::kList) At(value, "expected a list as '", key, "', found ", Found(value));
  std::vector<size_t> order;
  for (const TritonValue& item : value.list) {
    const bool is_new = item.kind == Kind::kInteger && item.integer >= 0 &&
                        static_cast<uint64_t>(item.integer) < rank &&
                        std::ranges::find(order, static_cast<size_t>(item.integer)) == order.end();
    if (is_new) {
      order.push_back(static_cast<size_t>(item.integer));
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
  if (value.kind != Kind::kList) At(value, "expected a list as '", key, "', found ", Found(value));
  if (value.list.size() > LinearLayout::kMaxBits) {
    At(value, "expected at most ", LinearLayout::kMaxBits, " images in '", key, "'");
  }
  for (const TritonValue& item : value.list) {
    const std::vector<TritonValue> parts = item.kind == Kind::kInteger ? std::vector{item} : item.list;
    if (parts.size() != rank) {
      At(item, "expected ", Count(rank, "integer"), " in an image, one per dimension, found ", parts.size());
    }
    if (error_) return {};
    std::vector<uint64_t>& image = images.emplace_back();
    for (const TritonValue& part : parts) {
      const bool fits = part.kind == Kind::kInteger && part.integer >= 0 && part.integer >> LinearLayout::kMaxBits == 0;
      if (!fits) {
        At(part, "expected an integer from 0 to 2^", LinearLayout::kMaxBits, " in an image, found ", Found(part));
      }
      image.push_back(fits ? static_cast<uint64_t>(part.integer) : 0);
    }
  }
  return images;
}

std::optional<size_t> TritonEntries::RankOfImages(std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto found = attribute_.entries.find(key);
    if (found == attribute_.entries.end() || found->second.list.empty()) continue;
    const TritonValue& first = found->second.list.front();
    if (first.list.size() > kMaxRank) At(first, "expected at most ", kMaxRank, " dimensions");
    return first.kind == Kind::kInteger ? 1 : first.list.size();
  }
  return std::nullopt;
}

std::vector<std::pair<uint64_t, uint64_t>> TritonEntries::Padding() {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const auto& [interval, elements] : attribute_.padding) {
    const uint64_t power = PowerIn(interval, "an interval of the padding");
    if (elements.integer < 1) At(elements, "expected at least 1 element of padding, found ", elements.integer);
    pairs.emplace_back(power, static_cast<uint64_t>(elements.integer));
  }
  return pairs;
}

}  // namespace layoutcheck
