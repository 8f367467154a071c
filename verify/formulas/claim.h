// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// The claim of a certificate, as the user typed it. The texts refer to the file.
struct Claim {
  std::string_view law;
  std::optional<std::string_view> layout;
  std::optional<std::string_view> over;  // bounds of the indices, "i0 < M, i1 < N"
  std::optional<std::string_view> own;   // the layout's own formula, in place of `formula`
  std::optional<std::string_view> formula;
  std::optional<std::string_view> equals;      // the other side of an equation, a formula or a layout
  std::optional<std::string_view> below;       // upper bound of the law in-bounds
  std::vector<std::string_view> signed_names;  // names that may be negative
  std::vector<std::string_view> assumptions;
  std::optional<std::string_view> integer;  // the type of the law no-overflow
  // The text from which the formula, or without one the layout, was read. It is no part of the proof.
  std::optional<std::string_view> source;

  // Returns the layout and the formulas without law and assumptions: "i0 mod 8 below 8 over i0 < M".
  std::string Subject() const;
  // Returns the claim in one line: "injective: f32[M,N]{1,0}".
  std::string ToText() const;
};

// Reads the lines of a claim, the first of which is the present one, and moves behind them.
Checked<Claim> TakeClaim(Lines& lines);

}  // namespace layoutcheck::verify
