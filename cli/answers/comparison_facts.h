// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Two layouts, and how they relate or why that was not decided.
struct ComparedLayouts {
  const AnyLayout& a;
  const AnyLayout& b;
  const std::optional<std::vector<int64_t>>& transpose;
  const Expected<Comparison>& comparison;
};

// Returns the name of the relation, or "undecided".
std::string RelationText(const ComparedLayouts& answered);
// Returns the facts for `compare`: both layouts, what differs, the first element that moves, slice and bitcast.
std::vector<Fact> ComparisonFacts(const ComparedLayouts& answered);
// Returns relation and facts as lines of text.
std::string ComparisonText(const ComparedLayouts& answered);

}  // namespace layoutcheck
