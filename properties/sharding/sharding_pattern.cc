// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_pattern.h"
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/base/trim.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"

namespace layoutcheck {
namespace {

// Returns the names in the sizes of a sharding over a mesh.
std::set<std::string> NamesIn(const MeshSharding& mesh) {
  std::set<std::string> names;
  for (const MeshAxis& axis : mesh.axes) names.insert(axis.size.name);
  for (const MeshCut& cut : mesh.cuts) {
    names.insert(cut.blocks.name);
    if (cut.length) names.insert(cut.length->name);
  }
  names.erase("");
  return names;
}

// Returns true if a word between these bytes, blanks left out, is a size: `mesh[X, ...`, `x=X`, `shape={X, ...`.
bool IsSizeBetween(char before, char after) {
  return std::string_view("[{,=").contains(before) && std::string_view("]},)").contains(after);
}

// Changes the values to the next combination with the same sum, if there is one. The first combination has the rest of
// the sum in the last value.
bool NextOfSum(std::span<int64_t> values, std::span<const int64_t> least) {
  // Finds the last value, behind the first one, that is above its least value. It becomes its least value: one goes to
  // the value before it, and the rest to the last value.
  size_t from = values.size();
  while (from-- > 1) {
    if (values[from] > least[from]) break;
  }
  if (from == 0 || from >= values.size()) return false;
  const int64_t above = values[from] - least[from];
  values[from] = least[from];
  ++values[from - 1];
  values.back() += above - 1;
  return true;
}

// Returns the arrays of the patterns for these values.
Expected<std::vector<std::string>> ArraysAt(const std::vector<ShardingPattern>& patterns,
                                            const std::map<std::string, int64_t>& values) {
  std::vector<std::string> arrays;
  for (const ShardingPattern& pattern : patterns) {
    std::string text = pattern.Write(values);
    if (const auto array = ParseSharded(text); !array) {
      return MakeError(array.error().kind, StrCat("as ", text, ": ", array.error().ToString()));
    }
    arrays.push_back(std::move(text));
  }
  return arrays;
}

}  // namespace

Expected<ShardingPattern> ShardingPattern::Parse(std::string_view text) {
  const std::optional<size_t> position = FindSharding(text);
  if (!position) return MakeError(ErrorKind::kSyntax, "expected a sharding behind the shape");
  LAYOUTCHECK_TRY(LayoutPattern shape, LayoutPattern::Parse(Trimmed(text.substr(0, *position))));
  LAYOUTCHECK_TRY(const ShardingText sharding, ReadSharding(text, *position, shape.rank()));
  ShardingPattern pattern(std::move(shape));
  for (const LayoutPattern::Name& name : pattern.shape_.names()) {
    pattern.names_.emplace(name.text, name.is_tile ? 1 : 0);
  }
  std::set<std::string> sizes;
  if (const auto* mesh = std::get_if<MeshSharding>(&sharding.form)) sizes = NamesIn(*mesh);
  for (const std::string& name : sizes) pattern.names_[name] = 1;
  const bool has_named_local = LayoutPattern::HasNames(sharding.local);
  if (has_named_local) {
    if (auto read = pattern.ReadLocal(sharding.local); !read) {
      return ErrorAt(sharding.local_column + std::max<int64_t>(read.error().column - 1, 0), std::move(read.error()));
    }
  }
  const size_t end_of_text = has_named_local ? static_cast<size_t>(sharding.local_column) - 1 : text.size();
  std::string literal = " ";
  char before = ' ';
  for (size_t at = *position; at < end_of_text;) {
    size_t end = at;
    while (end < text.size() && TextCursor::IsWordByte(text[end])) ++end;
    const std::string word(text.substr(at, end - at));
    const size_t next = text.find_first_not_of(" \t\r\n", end);
    if (sizes.contains(word) && next != std::string_view::npos && IsSizeBetween(before, text[next])) {
      pattern.sharding_.emplace_back(std::exchange(literal, ""), word);
    } else {
      literal += word.empty() ? std::string(1, text[at]) : word;
    }
    at = std::max(end, at + 1);
    if (Trimmed(text.substr(at - 1, 1)).size() == 1) before = text[at - 1];
  }
  pattern.sharding_.emplace_back(std::move(literal), "");
  return pattern;
}

Expected<void> ShardingPattern::ReadLocal(std::string_view text) {
  constexpr std::string_view kDelimiters = "(),:";
  constexpr std::string_view kBehindSwizzle = " o ";
  const size_t swizzle = text.rfind(kBehindSwizzle);
  size_t at = swizzle == std::string_view::npos ? 0 : swizzle + kBehindSwizzle.size();
  std::string literal(text.substr(0, at));
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of(kDelimiters, at), text.size());
    const size_t begin = std::min(text.find_first_not_of(" \t", at), end);
    literal += text.substr(at, begin - at);
    const std::string_view entry = text.substr(begin, end - begin);
    if (!entry.empty()) {
      auto formula = ParseFormula(entry);
      if (!formula) {
        return MakeError(formula.error().kind, formula.error().message,
                         static_cast<int64_t>(begin) + std::max<int64_t>(formula.error().column, 1));
      }
      for (const std::string& name : formula->names) names_.emplace(name, 0);
      local_.emplace_back(std::exchange(literal, ""), *std::move(formula));
    }
    if (end < text.size()) literal += text[end];
    at = end + 1;
  }
  local_.emplace_back(std::move(literal), std::nullopt);
  return {};
}

std::string ShardingPattern::Write(const std::map<std::string, int64_t>& values) const {
  std::vector<int64_t> of_shape;
  for (const LayoutPattern::Name& name : shape_.names()) of_shape.push_back(values.at(name.text));
  std::string text = shape_.Write(of_shape);
  for (const auto& [literal, name] : sharding_) {
    text += literal;
    if (!name.empty()) StrAppend(text, values.at(name));
  }
  for (const auto& [literal, formula] : local_) {
    text += literal;
    if (!formula) continue;
    std::vector<int64_t> arguments;
    for (const std::string& name : formula->names) arguments.push_back(values.at(name));
    const FormulaValue<int64_t> value = FormulaEvaluator<int64_t>(*formula)(arguments);
    text += value.ok() ? StrCat(value.value) : "?";  // no layout has "?", so that there is no array
  }
  return text;
}

namespace {

// Returns the arrays of the patterns for the values with the smallest sums, as ListsOfArrays does.
Expected<std::vector<std::vector<std::string>>> SmallestArrays(const std::vector<ShardingPattern>& patterns,
                                                               size_t count) {
  std::map<std::string, int64_t> values;
  for (const ShardingPattern& pattern : patterns) {
    for (const auto& [name, least] : pattern.names()) values[name] = std::max(values[name], least);
  }
  std::vector<int64_t> least;
  for (const auto& [name, value] : values) least.push_back(value);
  std::vector<std::vector<std::string>> lists;
  std::vector<int64_t> combination = least;
  Error error;
  for (size_t tried = 0, sum = 0; tried < 16 * count && lists.size() < count; ++tried) {
    size_t k = 0;
    for (auto& [name, value] : values) value = combination[k++];
    if (auto arrays = ArraysAt(patterns, values)) {
      lists.push_back(*std::move(arrays));
    } else {
      error = std::move(arrays.error());
    }
    if (values.empty()) break;
    if (NextOfSum(combination, least)) continue;
    combination = least;
    combination.back() += static_cast<int64_t>(++sum);
  }
  if (lists.empty() && count > 0) return std::unexpected(std::move(error));
  return lists;
}

}  // namespace

std::expected<std::vector<std::vector<std::string>>, UnusableArray> ListsOfArrays(
    const std::vector<std::string>& arguments, uint64_t count) {
  const bool is_view = arguments.size() == 2 && ReadSizes(arguments[1]);
  std::vector<ShardingPattern> patterns;
  bool has_names = false;
  std::optional<UnusableArray> unreadable;  // an array that may be no pattern as long as there are no names
  for (size_t k = 0; k < arguments.size() - (is_view ? 1 : 0); ++k) {
    const std::string& argument = arguments[k];
    auto pattern = ShardingPattern::Parse(argument);
    auto sharded = ParseSharded(argument);
    if (!sharded && (!pattern || pattern->names().empty())) {
      const bool is_named = LayoutPattern::HasNames(argument.substr(0, FindSharding(argument).value_or(0)));
      Error& error = !pattern && is_named ? pattern.error() : sharded.error();
      return std::unexpected(UnusableArray{argument, std::move(error)});
    }
    has_names |= !sharded;
    if (pattern) {
      patterns.push_back(*std::move(pattern));
    } else {
      unreadable = UnusableArray{argument, std::move(pattern.error())};
    }
  }
  if (!has_names) return std::vector<std::vector<std::string>>{arguments};
  if (unreadable) return std::unexpected(*std::move(unreadable));
  const uint64_t bounded = count == UINT64_MAX ? 10'000 : std::min<uint64_t>(count, 1'000'000);
  auto lists = SmallestArrays(patterns, static_cast<size_t>(bounded));
  if (!lists) return std::unexpected(UnusableArray{StrJoin(arguments, "; "), std::move(lists.error())});
  if (is_view) {
    for (std::vector<std::string>& list : *lists) list.push_back(arguments[1]);
  }
  return *std::move(lists);
}

}  // namespace layoutcheck
