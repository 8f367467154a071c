// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of layouts that real code has. A random layout is almost never one of them, and the bugs of real code
// are in the paths that only they take.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/generate/layout_pattern.h"

namespace layoutcheck {

struct LayoutFamily {
  std::string_view name;         // that `--family` takes, such as "tpu"
  std::string_view description;  // in one line
  // The most usual ones first, different from their neighbors: a run draws from them in this order.
  std::vector<LayoutPattern> patterns;
};

// Returns all families, in the order in which they are listed and drawn.
std::span<const LayoutFamily> AllFamilies();

// Returns the family of this name, or null.
const LayoutFamily* FindFamily(std::string_view name);

// Returns the names of all families: "tpu, fractal, ...".
std::string FamilyNames();

}  // namespace layoutcheck
