// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a subject against the laws of the algebra, with the options, findings and counts of runner.h.
#ifndef LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_RUNNER_H_
#define LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_RUNNER_H_

#include <span>
#include <string>
#include <vector>

#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// Checks random cases against the laws, `options.cases` of them (options.laws and options.scope do not apply), and
// shrinks the first failure under each law. A finding's layout is its arguments, ArgumentsText.
CheckSummary CheckAlgebra(Subject& subject, std::span<const AlgebraLaw* const> laws, const CheckOptions& options);

// Checks these arguments only, a list for each case; they are not shrunk.
CheckSummary CheckArguments(Subject& subject, std::span<const AlgebraLaw* const> laws,
                            std::span<const std::vector<std::string>> cases, const CheckOptions& options);

// Whether the subject answers `apply` or `make` at all: it is asked for one answer of each.
bool TakesAlgebra(Subject& subject);

// Adds the laws and findings of `more`. A case of both is one number of the same seed, so the larger count is that of
// both.
void Merge(CheckSummary& summary, CheckSummary more);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_RUNNER_H_
