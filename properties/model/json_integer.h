// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace layoutcheck {

// Returns the integer, or nothing for other values (1.0, too) and integers outside int64.
inline std::optional<int64_t> JsonInteger(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  return std::nullopt;
}

// Returns the integers of an array, or nothing if JsonInteger rejects an entry.
inline std::optional<std::vector<int64_t>> JsonIntegers(const nlohmann::json& value) {
  if (!value.is_array()) return std::nullopt;
  std::vector<int64_t> integers;
  integers.reserve(value.size());
  for (const nlohmann::json& entry : value) {
    const auto integer = JsonInteger(entry);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

}  // namespace layoutcheck
