// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of integers that a library fills, with guards behind them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// Fills room for answers. It is not a valid offset, element number or padding, so it reveals unwritten integers.
inline constexpr int64_t kUnwritten = std::numeric_limits<int64_t>::min();

// Number of integers after every array for the library, which it must not change.
inline constexpr size_t kGuards = 8;
inline constexpr int64_t kGuard = 0x6c61796f75746368;

// Returns an array of `count` integers for the library to fill, with guards behind it.
inline std::vector<int64_t> GuardedRoom(size_t count) {
  std::vector<int64_t> room;
  room.reserve(count + kGuards);
  room.resize(count, kUnwritten);
  room.resize(count + kGuards, kGuard);
  return room;
}

// Returns the filled array without its guards, or a failure if a guard was overwritten.
inline Answer<std::vector<int64_t>> WithoutGuards(std::vector<int64_t>& room, std::string_view operation) {
  const size_t count = room.size() - kGuards;
  const bool kept = std::all_of(room.end() - static_cast<ptrdiff_t>(kGuards), room.end(),
                                [](int64_t word) { return word == kGuard; });
  if (!kept) {
    return Failed{Failed::Kind::kProtocol,
                  StrCat(operation, " wrote behind the ", count, " integers that it was given room for")};
  }
  room.resize(count);
  return std::move(room);
}

}  // namespace layoutcheck
