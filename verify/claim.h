// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/lines.h"

namespace layoutcheck::verify {

// The claim of a certificate, as the user typed it. The texts refer to the file.
struct Claim {
  std::string_view law;
  std::optional<std::string_view> layout;
  std::optional<std::string_view> over;
  std::optional<std::string_view> formula;
  std::optional<std::string_view> equals;
  std::vector<std::string_view> assumptions;
  std::optional<std::string_view> integer;

  // Returns the claim in one line: "injective: f32[M,N]{1,0}".
  std::string ToText() const;
};

// Reads the lines of a claim, the first of which is the present one, and moves behind them.
Checked<Claim> TakeClaim(Lines& lines);

}  // namespace layoutcheck::verify
