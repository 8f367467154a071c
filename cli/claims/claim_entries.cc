// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claim_entries.h"
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

// An assertion of toml++ 3.3 fails at the text "[.a]", before the code that refuses it. Without NDEBUG, the library
// asks TOML_ASSERT; with it, clang would take the assertion for granted.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace layoutcheck {
namespace {

// toml++ 3.3 recurses once per part of a dotted key, without a limit. This many parts fit any stack.
constexpr int64_t kMostDots = 500;

ClaimPlace PlaceOfRegion(const toml::source_region& region) {
  // A region that the library does not know has the line 0.
  return {std::max<int64_t>(region.begin.line, 1), std::max<int64_t>(region.begin.column, 1)};
}

bool IsBefore(const ClaimPlace& a, const ClaimPlace& b) {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

// Refuses a line with more dots than any key has.
Expected<void> CheckDots(std::string_view text) {
  ClaimPlace place;
  int64_t dots = 0;
  for (const char c : text) {
    if (c == '.' && ++dots > kMostDots) {
      return ErrorAtPlace(place, StrCat("expected at most ", kMostDots, " dots in a line"));
    }
    ++place.column;
    if (c != '\n') continue;
    place = {place.line + 1, 1};
    dots = 0;
  }
  return {};
}

// Returns a text, or an integer as text, or nothing for another value.
std::optional<std::string> TextOfNode(const toml::node& node) {
  if (const auto* const text = node.as_string()) return text->get();
  if (const auto* const integer = node.as_integer()) return StrCat(integer->get());
  return std::nullopt;
}

Expected<ClaimKey> ReadKey(const toml::key& name, const toml::node& node) {
  ClaimKey key{.name = std::string(name.str()), .place = PlaceOfRegion(name.source()), .value = false};
  if (const auto* const flag = node.as_boolean()) {
    key.value = flag->get();
    return key;
  }
  if (auto text = TextOfNode(node)) {
    key.value = *std::move(text);
    return key;
  }
  const toml::array* const array = node.as_array();
  if (array == nullptr) {
    return ErrorAtPlace(PlaceOfRegion(node.source()),
                        StrCat("'", key.name, "': expected a text, an integer, true, false or an array of texts"));
  }
  std::vector<std::string> texts;
  for (const toml::node& value : *array) {
    auto text = TextOfNode(value);
    if (!text)
      return ErrorAtPlace(PlaceOfRegion(value.source()), StrCat("'", key.name, "': expected texts in the array"));
    texts.push_back(*std::move(text));
  }
  key.value = std::move(texts);
  return key;
}

Expected<ClaimEntry> ReadEntry(std::string_view kind, const toml::key& name, const toml::node& node) {
  const toml::table* const table = node.as_table();
  if (table == nullptr) {
    return ErrorAtPlace(PlaceOfRegion(name.source()),
                        StrCat("expected a table [", kind, ".NAME] around the key '", name.str(), "'"));
  }
  ClaimEntry entry{std::string(kind), std::string(name.str()), PlaceOfRegion(name.source()), {}};
  for (const auto& [key, value] : *table) {
    LAYOUTCHECK_TRY(auto read, ReadKey(key, value));
    entry.keys.push_back(std::move(read));
  }
  std::ranges::sort(entry.keys, IsBefore, &ClaimKey::place);
  return entry;
}

}  // namespace

std::unexpected<Error> ErrorAtPlace(const ClaimPlace& place, std::string_view message) {
  return MakeError(ErrorKind::kSyntax, StrCat(place.line, ":", place.column, ": ", message));
}

Expected<std::vector<ClaimEntry>> ReadClaimEntries(std::string_view text) {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckDots(text));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return ErrorAtPlace(PlaceOfRegion(parsed.error().source()), parsed.error().description());
  std::vector<ClaimEntry> entries;
  for (const auto& [kind, node] : parsed.table()) {
    const toml::table* const tables = node.as_table();
    if (tables == nullptr) {
      return ErrorAtPlace(PlaceOfRegion(kind.source()),
                          StrCat("expected tables [KIND.NAME], found '", kind.str(), "'"));
    }
    for (const auto& [name, table] : *tables) {
      LAYOUTCHECK_TRY(auto entry, ReadEntry(kind.str(), name, table));
      entries.push_back(std::move(entry));
    }
  }
  std::ranges::sort(entries, IsBefore, &ClaimEntry::place);
  return entries;
}

}  // namespace layoutcheck
