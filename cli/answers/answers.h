// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of `show`, `compare` and `parse`, for the program and for the page of web/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The pictures that --view selects; those that it does not are absent.
struct Views {
  std::optional<CellGrid> grid;
  std::optional<MemoryBoxes> boxes;
};

// Returns the pictures of the view "memory", "logical", "both" or "threads"; for the last, `tile` has the sizes of the
// tile. An empty layout has none. Errors: those of ThreadGrid. The result refers to `layout`.
Expected<Views> ViewsOf(const AnyLayout& layout, std::string_view view, std::span<const int64_t> tile);

// Returns the picture of the views, in which the banks of an access stand in place of memory alone. The result refers
// to the views and the banks.
Picture PictureOf(const AnyLayout& layout, std::string_view view, const Views& views,
                  const std::optional<AccessedBanks>& banks);

// Returns the JSON document of `show`.
Json ShowJson(const AnyLayout& layout, const std::optional<AccessedBanks>& banks);

// Returns sizes, bank conflicts and pictures as text.
std::string ShowText(const AnyLayout& layout, const Views& views, const std::optional<AccessedBanks>& banks,
                     const TextStyle& style);

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

// A kind of text: its name in --kind, and the reader that returns the canonical text.
struct ParsedKind {
  std::string_view name;
  Expected<std::string> (*canonical)(std::string_view text);
};

std::span<const ParsedKind> ParsedKinds();

// Returns {"ok":true,"text":...}, or {"ok":false,"stage":...,"column":...,"error":...}.
Json ParsedJson(const Expected<std::string>& result);

}  // namespace layoutcheck
