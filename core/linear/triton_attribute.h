// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of Triton's layout attributes, without their meaning:
//
//     layout    = "#ttg." name "<" [ padding ] "{" [ entry { "," entry } ] "}" { "," entry } ">" [ shape ]
//     padding   = "[" [ interval ":+" elements { "," interval ":+" elements } ] "]"
//     entry     = key "=" value
//     value     = integer | "[" [ value { "," value } ] "]"
//     shape     = "[" [ size { "," size } ] "]"
//
// Blanks may stand between tokens.
//
// The entries of an attribute of Triton as numbers that its layouts can have. Errors name the column and the entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// An integer or a list, with its column in the text.
struct TritonValue {
  std::optional<int64_t> integer;  // otherwise it is a list
  std::vector<TritonValue> list;
  int64_t column = 0;
};

struct TritonAttribute {
  std::string name;  // "blocked"
  int64_t name_column = 0;
  // Pairs (interval, padding) in elements: after each `interval` elements follow `padding` that hold nothing.
  std::vector<std::pair<TritonValue, TritonValue>> padding;
  std::map<std::string, TritonValue, std::less<>> entries;
  int64_t entries_column = 0;
  std::optional<TritonValue> shape;  // a list
  int64_t end_column = 0;            // behind the text
};

// Returns true if the text looks like an attribute. Checks only the first characters.
bool IsTritonText(std::string_view text);

// Parses a whole text. Errors: syntax, with the column; a key that occurs twice (invalid layout).
Expected<TritonAttribute> ParseTritonAttribute(std::string_view text);

class TritonEntries {
 public:
  // Refers to `attribute`, which must outlive the object.
  explicit TritonEntries(const TritonAttribute& attribute) : attribute_(attribute) {}

  // Returns the first error of the calls so far: a missing entry, an unknown one, or one that is something else. What
  // is returned after an error has no meaning, but has the rank that was asked for if it is a list of powers of two.
  const std::optional<Error>& error() const { return error_; }

  bool Has(std::string_view key) const { return attribute_.entries.contains(key); }
  // Keeps an error at the entry.
  void Wrong(std::string_view key, std::string_view why);
  // Requires that all entries have one of these keys, and that there is padding only if it is allowed.
  void CheckKeys(const std::vector<std::string>& keys, bool with_padding);

  uint64_t PowerOfTwo(std::string_view key);  // at most 2^31
  // Returns a list of powers of two, one per dimension; a list of any length without a rank.
  std::vector<uint64_t> PowersOfTwo(std::string_view key, std::optional<size_t> rank);
  // Returns a permutation of the dimensions.
  std::vector<size_t> Order(std::string_view key, size_t rank);
  // Returns a list of images, each with one integer below 2^62 per dimension; none if the entry is absent. An image of
  // a single dimension may be an integer.
  std::vector<std::vector<uint64_t>> Images(std::string_view key, size_t rank);

  // Returns the number of integers of the first image of these entries. Error: there is no image.
  size_t RankOfImages(const std::vector<std::string>& keys);
  // Returns the pairs of interval, a power of two, and padding, at least 1.
  std::vector<std::pair<uint64_t, uint64_t>> Padding();
  // Returns the shape behind the attribute, of powers of two, or nothing.
  std::optional<std::vector<uint64_t>> Shape();

 private:
  template <class... Pieces>
  void At(const TritonValue& value, const Pieces&... why);
  const TritonValue& Find(std::string_view key);
  uint64_t PowerIn(const TritonValue& value, std::string_view what);
  std::vector<uint64_t> PowersIn(const TritonValue& value, std::string_view what, std::optional<size_t> rank);

  const TritonAttribute& attribute_;
  std::optional<Error> error_;
};

}  // namespace layoutcheck
