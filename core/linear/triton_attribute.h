// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of Triton's layout attributes, without their meaning:
//
//     layout    = attribute [ shape ]
//     attribute = "#ttg." name "<" [ padding ] entries { "," entry } ">"
//               | "#ttng." name "<" [ entry { "," entry } ] ">"
//     padding   = "[" [ interval ":+" elements { "," interval ":+" elements } ] "]"
//     entries   = "{" [ entry { "," entry } ] "}"
//     entry     = key "=" value
//     value     = integer | word | "[" [ value { "," value } ] "]" | entries | attribute
//     shape     = "[" [ size { "," size } ] "]"
//
// Blanks may stand between tokens.
//
// The entries of an attribute of Triton as values that its layouts can have. Errors name the column and the entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct TritonAttribute;

// A value of an entry, with its column in the text.
struct TritonValue {
  enum class Kind { kInteger, kWord, kList, kEntries, kAttribute };
  Kind kind = Kind::kList;
  int64_t integer = 0;
  std::string word;                        // "true"
  std::vector<TritonValue> list;           // the items of a list
  std::vector<TritonAttribute> attribute;  // one: the attribute, or the entries under the name of their key
  int64_t column = 0;
};

// After each `interval` elements follow `elements` that hold nothing. Both are integers.
struct TritonPadding {
  TritonValue interval;
  TritonValue elements;
};

struct TritonAttribute {
  std::string name;  // "blocked"
  int64_t name_column = 0;
  std::vector<TritonPadding> padding;
  std::map<std::string, TritonValue, std::less<>> entries;
  int64_t entries_column = 0;
};

// An attribute and the shape behind it.
struct TritonText {
  TritonAttribute attribute;
  std::optional<TritonValue> shape;  // a list
  int64_t end_column = 0;            // behind the text
};

// Returns true if the text looks like an attribute. Checks only the first characters.
bool IsTritonText(std::string_view text);

// Parses a whole text. Errors: syntax, with the column; a key that occurs twice (invalid layout).
Expected<TritonText> ParseTritonText(std::string_view text);

class TritonEntries {
 public:
  // Refers to `attribute`, which must outlive the object.
  explicit TritonEntries(const TritonAttribute& attribute) : attribute_(attribute) {}

  // Returns the first error of the calls so far: a missing entry, an unknown one, or one that is something else. What
  // is returned after an error has no meaning, but has the rank that was asked for if it is a list of powers of two.
  const std::optional<Error>& error() const { return error_; }

  bool Has(std::string_view key) const { return attribute_.entries.contains(key); }
  // Keeps an error at the entry, or at the first entry if there is none of this name.
  void Wrong(std::string_view key, std::string_view why);
  // Requires that all entries have one of these keys, and that there is padding only if it is allowed.
  void CheckKeys(std::span<const std::string_view> keys, bool with_padding);

  uint64_t Number(std::string_view key);      // from 0 to 2^31
  uint64_t PowerOfTwo(std::string_view key);  // at most 2^31
  // Returns one of the integers of `choices`, of which the first one stands for an absent entry if there is a default.
  enum class Absent { kIsAnError, kIsTheFirst };
  uint64_t OneOf(std::string_view key, std::span<const uint64_t> choices, Absent absent = Absent::kIsAnError);
  // Returns `true` or `false`; an absent entry is false.
  bool Flag(std::string_view key);
  // Returns the place of the word among `words`, of which the first one stands for an absent entry.
  size_t WordOf(std::string_view key, std::span<const std::string_view> words);
  // Returns a list of powers of two, one per dimension; a list of any length without a rank.
  std::vector<uint64_t> PowersOfTwo(std::string_view key, std::optional<size_t> rank);
  // Returns one of `rank` dimensions, counted from 0.
  size_t Dimension(std::string_view key, size_t rank);
  // Returns a permutation of the dimensions.
  std::vector<size_t> Order(std::string_view key, size_t rank);
  // Returns a list of images, each with one integer below 2^62 per dimension; none if the entry is absent. An image of
  // a single dimension may be an integer.
  std::vector<std::vector<uint64_t>> Images(std::string_view key, size_t rank);
  // Returns the attribute, or the entries, that an entry consists of, or nothing after an error.
  const TritonAttribute* Attribute(std::string_view key);
  const TritonAttribute* Entries(std::string_view key);

  // Returns the number of integers of the first image of these entries, or nothing if there is no image.
  std::optional<size_t> RankOfImages(std::span<const std::string_view> keys);
  // Returns the sizes of a shape behind the attribute, which must be powers of two.
  std::vector<uint64_t> Shape(const TritonValue& shape) { return PowersIn(shape, "the shape", std::nullopt); }
  // Returns the pairs of interval, a power of two, and padding, at least 1.
  std::vector<std::pair<uint64_t, uint64_t>> Padding();

 private:
  template <class... Pieces>
  void At(const TritonValue& value, const Pieces&... why);
  const TritonValue& Find(std::string_view key);
  const TritonAttribute* Nested(std::string_view key, TritonValue::Kind kind, std::string_view what);
  uint64_t PowerIn(const TritonValue& value, std::string_view what);
  std::vector<uint64_t> PowersIn(const TritonValue& value, std::string_view what, std::optional<size_t> rank);

  const TritonAttribute& attribute_;
  std::optional<Error> error_;
};

}  // namespace layoutcheck
