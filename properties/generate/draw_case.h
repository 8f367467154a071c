// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts of a random run: one third from the families, the others from OpeningLayouts, then by DrawLayout, and for
// arrays of any size by DrawHugeLayout and DrawLayoutNear.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/layout_family.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {

// The layout of one case.
struct DrawnCase {
  Shape shape;
  bool is_huge = false;  // too large for a table: only some elements are checked
  // The pattern that it was drawn from, or null, and the values of the pattern's names.
  const LayoutPattern* pattern = nullptr;
  std::vector<int64_t> values;
  std::string_view family;     // name of the pattern's family; empty without one
  bool keeps_pattern = false;  // true for a user's pattern: shrinking changes the values of its names alone
};

// The layouts with which a random run begins, before random ones: each is cheap to ask about and shows a class of
// mistakes, the most frequent class first, so that a subject that answers a few layouts per second sees all of them.
std::span<const Shape> OpeningLayouts();

// Returns true if case `number` is one of the third that is drawn from families: one case of each of 0 to 2, 3 to 5,
// and so on. Which of the three it is changes, so that a share k, k + N, k + 2 N, ... has a third of them, too.
bool IsFamilyCase(uint64_t number);

// Draws the cases of a run. Case `number` of a seed is the same on every machine, in any order of cases, and for any
// number of threads.
class CaseSource {
 public:
  // Draws from all families and random layouts within the scope. Patterns of larger rank or more tiles are left out.
  explicit CaseSource(const LayoutScope& scope);
  // Draws every case from these patterns, which must outlive the source: those of a family, or a user's if `family` is
  // empty. The scope's rank and tiles do not limit a user's patterns. A layout that is too large for the scope is drawn
  // as a huge one.
  CaseSource(const LayoutScope& scope, std::span<const LayoutPattern> patterns, std::string_view family);

  // Returns nothing if the given patterns have no XLA layout, or none within the scope's rank and tiles.
  std::optional<DrawnCase> Draw(uint64_t seed, uint64_t number) const;

 private:
  // The patterns of a family, or a part of them. In each round of draws every turn has one.
  struct Turn {
    std::string_view family;
    std::vector<const LayoutPattern*> patterns;
  };

  void Add(std::string_view name, std::span<const LayoutPattern> patterns);
  std::optional<DrawnCase> DrawFromFamily(uint64_t seed, uint64_t number, uint64_t draw) const;
  // Returns the layout of OpeningLayouts() that is case `number`, or nothing if none is or it is beyond the scope.
  std::optional<DrawnCase> Opening(uint64_t number) const;
  DrawnCase DrawRandom(uint64_t seed, uint64_t number) const;

  LayoutScope scope_;
  bool patterns_only_ = false;
  std::vector<Turn> turns_;  // those with patterns within the scope
};

}  // namespace layoutcheck
