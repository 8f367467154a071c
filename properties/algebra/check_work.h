// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of one check of a subject: the laws of tiled layouts and of the algebra, for drawn and for named layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/properties/run/subject_pool.h"
#include "layoutcheck/properties/sharding/sharding_generator.h"

namespace layoutcheck {

// A text that the user named in place of drawn layouts, with its numbers in the lists of CheckWork.
struct NamedLayout {
  std::string text;
  std::optional<uint64_t> shape = {};
  std::optional<uint64_t> arguments = {};  // in algebra_arguments, the first one
  uint64_t argument_lists = 1;             // number of lists there: one per value of the names
  std::optional<uint64_t> pattern = {};    // in options.patterns
  bool is_answered = false;                // the subject has answered a law about it
};

struct CheckWork {
  CheckOptions options;  // its laws are those of tiled layouts; empty for all
  bool every_law = true;
  std::vector<std::string> named_laws;
  std::vector<NamedLayout> named_layouts;
  std::vector<const AlgebraLaw*> algebra_laws;
  std::optional<ExhaustiveScope> scope;         // enumerated instead of drawing layouts
  std::optional<ShardingScope> sharding_scope;  // enumerated with it for the laws of one sharding
  bool draws_layouts = true;                    // false if the user named layouts, and none of them has names for sizes
  std::vector<Shape> shapes;
  std::vector<std::vector<std::string>> algebra_arguments;  // one list per text for the laws of the algebra

  bool checks_tiled_laws() const { return every_law || !options.laws.empty(); }
  // Returns the laws of the algebra to check. Without named laws these are the ones that the subject takes, or those of
  // one sharding among them if a scope is enumerated.
  std::vector<const AlgebraLaw*> AlgebraLawsFor(const std::vector<const AlgebraLaw*>& taken) const;
};

// Returns the names of all laws that AddLaw knows.
std::vector<std::string_view> LawNames();
// Adds the law of this name. Error (invalid argument): there is none.
Expected<void> AddLaw(CheckWork& work, const std::string& name);
// Draws from this family only. Error (invalid argument): there is none.
Expected<void> SetFamily(CheckWork& work, const std::string& family);

// Checks everything that the work names: tiled layouts that are drawn or enumerated, then the named ones, and then the
// algebra, each in an equal part of the time. `taken` are the laws of the algebra that the subject takes, `options`
// those of the work with the callbacks of this run. Notes which of the named layouts were answered.
CheckSummary CheckAll(CheckWork& work, const std::vector<const AlgebraLaw*>& taken, SubjectPool& pool,
                      CheckOptions options);

// Returns the laws, each after `law_prefix`, and the texts that the user named and about which the subject answered
// nothing.
std::vector<std::string> Unanswered(const CheckWork& work, const CheckSummary& summary, const std::string& law_prefix);

}  // namespace layoutcheck
