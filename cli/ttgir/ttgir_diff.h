// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differences between two versions of TTGIR functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/cli/ttgir/ttgir_rows.h"

namespace layoutcheck {

// A row of JSON in two versions of a function; null in the version that does not have it.
struct TtgirChange {
  const Json* before = nullptr;
  const Json* after = nullptr;

  // Returns the amounts of AmountOf, 0 for null, as new minus old.
  int64_t More() const;
};

// Returns what a row is counted by: the bytes that a convert moves, the passes of an access, the bytes of a buffer, the
// number of tensors of a type.
int64_t AmountOf(const Json& row);

// Two versions of a function, either of which may be missing. Rows that are equal but for names, lines and aliases of
// layouts are no changes.
struct TtgirDiff {
  const TtgirRows* before = nullptr;
  const TtgirRows* after = nullptr;
  std::vector<TtgirChange> changes;  // converts, accesses, buffers, tensors; of each the largest change first
  int64_t unchanged = 0;
};

// Pairs functions of equal names, those in files of equal names first; two single functions are a pair in any case.
// Pairs their converts, accesses and buffers in rounds: equal names, shapes and layouts; equal shapes and layouts;
// equal names and shapes; equal shapes. Types of tensors are pairs if they are equal. The result refers to the rows.
std::vector<TtgirDiff> DiffFunctions(std::span<const TtgirRows> before, std::span<const TtgirRows> after);

// Return the comparison as text, with so many changes per function, and as JSON objects of type `diff`, one per pair of
// functions, each followed by its changes.
std::string TtgirDiffText(std::span<const TtgirDiff> diffs, size_t most_changes);
std::vector<Json> TtgirDiffJson(std::span<const TtgirDiff> diffs);

}  // namespace layoutcheck
