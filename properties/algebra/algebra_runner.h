// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the laws of the algebra on a subject. Options and summaries are those of runner.h.
#pragma once

#include <span>
#include <string>
#include <vector>
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/properties/sharding/sharding_generator.h"

namespace layoutcheck {

// Checks the laws on random cases and shrinks the first failure of each law; ignores CheckOptions::laws and scope. The
// layout of a finding is its ArgumentsText.
CheckSummary CheckAlgebra(const AskedSubjects& subjects, std::span<const AlgebraLaw* const> laws,
                          const CheckOptions& options);

// Checks the laws on these arguments, one list per case, without shrinking.
CheckSummary CheckArguments(const AskedSubjects& subjects, std::span<const AlgebraLaw* const> laws,
                            std::span<const std::vector<std::string>> cases, const CheckOptions& options);

// Checks those of the laws that are about one sharding on every array of the scope, without shrinking, because the
// enumeration reaches the smallest failing one first. Leaves out the notations of which the subject declines the
// smallest array, unless it declines all, and says so in a warning.
CheckSummary CheckShardings(const AskedSubjects& subjects, std::span<const AlgebraLaw* const> laws,
                            const ShardingScope& scope, const CheckOptions& options);

// Returns true if the subject implements functions of shape:stride layouts, Make or ViewOf. Asks it one question of
// each kind.
bool TakesAlgebra(Subject& subject);
// Returns the laws of the algebra for a subject: those of layouts in bits if it applies such a layout, those of tensors
// of integers if it answers AxisInfoOf, those of sharded arrays if NotationsOfShards has one, AnswersReshards and
// AnswersShardViews, and all others if TakesAlgebra.
std::vector<const AlgebraLaw*> AlgebraLawsTakenBy(Subject& subject);

// Adds the laws and findings of `more` to `summary`. Both runs check the same case numbers, so the larger count is the
// count of both.
void Merge(CheckSummary& summary, CheckSummary more);

}  // namespace layoutcheck
