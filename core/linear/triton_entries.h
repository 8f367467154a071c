// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of an attribute of Triton as numbers that its layouts can have. Errors name the column and the entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/triton_attribute.h"

namespace layoutcheck {

class TritonEntries {
 public:
  // Refers to `attribute`, which must outlive the object.
  explicit TritonEntries(const TritonAttribute& attribute) : attribute_(attribute) {}

  bool Has(std::string_view key) const { return attribute_.entries.contains(key); }
  // Returns an error at the entry.
  std::unexpected<Error> Wrong(std::string_view key, std::string_view why) const;
  // Returns an error unless all entries have one of these keys, and there is padding only if it is allowed.
  Expected<void> CheckKeys(const std::vector<std::string>& keys, bool with_padding) const;

  // Returns the entry with this key. Errors: there is none, or it is something else.
  Expected<uint64_t> PowerOfTwo(std::string_view key) const;  // at most 2^31
  // Returns a list of powers of two, one per dimension; a list of any length without a rank.
  Expected<std::vector<uint64_t>> PowersOfTwo(std::string_view key, std::optional<size_t> rank) const;
  // Returns a permutation of the dimensions.
  Expected<std::vector<size_t>> Order(std::string_view key, size_t rank) const;
  // Returns a list of images, each with one integer below 2^62 per dimension; none if the entry is absent. An image of
  // a single dimension may be an integer.
  Expected<std::vector<std::vector<uint64_t>>> Images(std::string_view key, size_t rank) const;

  // Returns the number of integers of the first image of these entries. Error: there is no image.
  Expected<size_t> RankOfImages(const std::vector<std::string>& keys) const;
  // Returns the pairs of interval, a power of two, and padding, at least 1.
  Expected<std::vector<std::pair<uint64_t, uint64_t>>> Padding() const;
  // Returns the shape behind the attribute, of powers of two, or nothing.
  Expected<std::optional<std::vector<uint64_t>>> Shape() const;

 private:
  Expected<const TritonValue*> Find(std::string_view key) const;

  const TritonAttribute& attribute_;
};

}  // namespace layoutcheck
