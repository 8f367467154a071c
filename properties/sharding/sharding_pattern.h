// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/properties/generate/layout_pattern.h"

namespace layoutcheck {

// An array with a sharding in which sizes may be names, such as "f32[N,128] mesh[x=X] P("x")": sizes of dimensions and
// tiles, of axes of a mesh and of shards, split factors, and integers of a local layout, which may also be formulas
// without parentheses: "local=(M ceildiv 2,N):(N+8,1)".
class ShardingPattern {
 public:
  // Errors: those of LayoutPattern::Parse for the shape, of ReadSharding, and of ParseFormula for the integers of a
  // local layout, with the column.
  static Expected<ShardingPattern> Parse(std::string_view text);

  // Returns the names, each with its least value: 0 for a dimension, 1 for all others.
  const std::map<std::string, int64_t>& names() const { return names_; }
  // Returns the text with these values, one per name of names() at least.
  std::string Write(const std::map<std::string, int64_t>& values) const;

 private:
  explicit ShardingPattern(LayoutPattern shape) : shape_(std::move(shape)) {}

  // Reads a local layout. Errors: those of ParseFormula, with the column in `text`.
  Expected<void> ReadLocal(std::string_view text);

  LayoutPattern shape_;
  std::vector<std::pair<std::string, std::string>> sharding_;  // pieces: text, and the name behind it, or none
  // Pieces of a local layout with names: text, and the formula behind it, or none.
  std::vector<std::pair<std::string, std::optional<Formula>>> local_;
  std::map<std::string, int64_t> names_;
};

// An argument that is no array, and why.
struct UnusableArray {
  std::string argument;
  Error error;
};

// Returns lists of arguments for the laws of sharded arrays, from one list: an array, two arrays, or an array and the
// sizes of a view. If sizes of arrays are names, there is a list for each combination of values, with the same value of
// a name in all arrays, in ascending order of the sum of the values, so that the first one that breaks a law is a
// smallest one. Combinations with which there is no array, as with more shards than fit, are left out. The lists end
// where `count` are found, of which a million is the most, or where 16 * `count` combinations were tried. The largest
// `count`, which a run has that ends by time, stands for 10,000. Errors: those of ParseSharded and
// ShardingPattern::Parse; no combination has an array, with the error of the last one.
std::expected<std::vector<std::vector<std::string>>, UnusableArray> ListsOfArrays(
    const std::vector<std::string>& arguments, uint64_t count);

}  // namespace layoutcheck
