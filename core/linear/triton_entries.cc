// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/triton_entries.h"
#include <algorithm>
#include <bit>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxRank = 62;

std::unexpected<Error> At(const TritonValue& value, std::string message) {
  return MakeError(ErrorKind::kInvalidLayout, std::move(message), value.column);
}

std::string Found(const TritonValue& value) { return value.integer ? StrCat(*value.integer) : "a list"; }

Expected<uint64_t> PowerOfTwoIn(const TritonValue& value, std::string_view what) {
  const bool fits = value.integer && *value.integer > 0 && std::has_single_bit(static_cast<uint64_t>(*value.integer));
  if (!fits) return At(value, StrCat("expected a power of two in ", what, ", found ", Found(value)));
  return static_cast<uint64_t>(*value.integer);
}

Expected<std::vector<uint64_t>> PowersIn(const TritonValue& value, std::string_view what, std::optional<size_t> rank) {
  if (value.integer) return At(value, StrCat("expected a list as ", what, ", found ", *value.integer));
  if (rank && value.list.size() != *rank) {
    return At(value, StrCat("expected ", *rank, *rank == 1 ? " integer" : " integers", " in ", what,
                            ", one per dimension, found ", value.list.size()));
  }
  if (value.list.size() > kMaxRank) return At(value, StrCat("expected at most ", kMaxRank, " integers in ", what));
  std::vector<uint64_t> powers;
  for (const TritonValue& item : value.list) {
    const Expected<uint64_t> power = PowerOfTwoIn(item, what);
    if (!power) return std::unexpected(power.error());
    powers.push_back(*power);
  }
  return powers;
}

}  // namespace

std::unexpected<Error> TritonEntries::Wrong(std::string_view key, std::string_view why) const {
  const auto found = attribute_.entries.find(key);
  return MakeError(ErrorKind::kInvalidLayout, std::string(why),
                   found == attribute_.entries.end() ? attribute_.entries_column : found->second.column);
}

Expected<void> TritonEntries::CheckKeys(const std::vector<std::string>& keys, bool with_padding) const {
  for (const auto& [key, value] : attribute_.entries) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    return At(value,
              StrCat("expected the entries ", StrJoin(keys, ", "), " of ", attribute_.name, ", found '", key, "'"));
  }
  if (!with_padding && !attribute_.padding.empty()) {
    return At(attribute_.padding.front().first, StrCat("expected no padding in ", attribute_.name));
  }
  return {};
}

Expected<const TritonValue*> TritonEntries::Find(std::string_view key) const {
  const auto found = attribute_.entries.find(key);
  if (found != attribute_.entries.end()) return &found->second;
  return Wrong(key, StrCat("expected an entry '", key, "' of ", attribute_.name));
}

Expected<uint64_t> TritonEntries::PowerOfTwo(std::string_view key) const {
  constexpr uint64_t kMost = uint64_t{1} << 31;
  const Expected<const TritonValue*> value = Find(key);
  if (!value) return std::unexpected(value.error());
  const Expected<uint64_t> power = PowerOfTwoIn(**value, StrCat("'", key, "'"));
  if (power && *power > kMost)
    return At(**value, StrCat("expected at most ", kMost, " in '", key, "', found ", *power));
  return power;
}

Expected<std::vector<uint64_t>> TritonEntries::PowersOfTwo(std::string_view key, std::optional<size_t> rank) const {
  const Expected<const TritonValue*> value = Find(key);
  if (!value) return std::unexpected(value.error());
  return PowersIn(**value, StrCat("'", key, "'"), rank);
}

Expected<std::vector<size_t>> TritonEntries::Order(std::string_view key, size_t rank) const {
  const Expected<const TritonValue*> value = Find(key);
  if (!value) return std::unexpected(value.error());
  std::vector<size_t> order;
  for (const TritonValue& item : (*value)->list) {
    const bool is_new = item.integer && *item.integer >= 0 && static_cast<uint64_t>(*item.integer) < rank &&
                        std::ranges::find(order, static_cast<size_t>(*item.integer)) == order.end();
    if (!is_new) {
      return At(item, StrCat("expected each dimension from 0 to ", rank, " (excluded) once in '", key, "', found ",
                             Found(item)));
    }
    order.push_back(static_cast<size_t>(*item.integer));
  }
  if (order.size() != rank) {
    return At(**value, StrCat("expected ", rank, rank == 1 ? " dimension" : " dimensions", " in '", key, "', found ",
                              order.size()));
  }
  return order;
}

Expected<std::vector<std::vector<uint64_t>>> TritonEntries::Images(std::string_view key, size_t rank) const {
  std::vector<std::vector<uint64_t>> images;
  if (!Has(key)) return images;
  const TritonValue& value = *Find(key).value();
  if (value.integer) return At(value, StrCat("expected a list as '", key, "', found ", *value.integer));
  if (value.list.size() > LinearLayout::kMaxBits) {
    return At(value, StrCat("expected at most ", LinearLayout::kMaxBits, " images in '", key, "'"));
  }
  for (const TritonValue& item : value.list) {
    const std::vector<TritonValue> parts = item.integer ? std::vector{item} : item.list;
    if (parts.size() != rank) {
      return At(item, StrCat("expected ", rank, rank == 1 ? " integer" : " integers",
                             " in an image, one per dimension, found ", parts.size()));
    }
    std::vector<uint64_t>& image = images.emplace_back();
    for (const TritonValue& part : parts) {
      if (!part.integer || *part.integer < 0 || *part.integer >> LinearLayout::kMaxBits != 0) {
        return At(part, StrCat("expected an integer from 0 to 2^", LinearLayout::kMaxBits, " in an image, found ",
                               Found(part)));
      }
      image.push_back(static_cast<uint64_t>(*part.integer));
    }
  }
  return images;
}

Expected<size_t> TritonEntries::RankOfImages(const std::vector<std::string>& keys) const {
  for (const std::string& key : keys) {
    const auto found = attribute_.entries.find(key);
    if (found == attribute_.entries.end() || found->second.list.empty()) continue;
    const TritonValue& first = found->second.list.front();
    if (first.list.size() > kMaxRank) return At(first, StrCat("expected at most ", kMaxRank, " dimensions"));
    return first.integer ? 1 : first.list.size();
  }
  return MakeError(ErrorKind::kSyntax,
                   "expected the shape of the array after an attribute without images, such as [128,64]",
                   attribute_.end_column);
}

Expected<std::vector<std::pair<uint64_t, uint64_t>>> TritonEntries::Padding() const {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const auto& [interval, elements] : attribute_.padding) {
    const Expected<uint64_t> power = PowerOfTwoIn(interval, "an interval of the padding");
    if (!power) return std::unexpected(power.error());
    if (*elements.integer < 1)
      return At(elements, StrCat("expected at least 1 element of padding, found ", *elements.integer));
    pairs.emplace_back(*power, static_cast<uint64_t>(*elements.integer));
  }
  return pairs;
}

Expected<std::optional<std::vector<uint64_t>>> TritonEntries::Shape() const {
  if (!attribute_.shape) return std::nullopt;
  auto sizes = PowersIn(*attribute_.shape, "the shape", std::nullopt);
  if (!sizes) return std::unexpected(sizes.error());
  return *std::move(sizes);
}

}  // namespace layoutcheck
