// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads values on a path as numbers in mixed radix, whose digits are those of the question's indices. Not trusted.
#pragma once

#include <vector>
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/paths/path_decisions.h"
#include "layoutcheck/solver/rewrite/rewriter.h"

namespace layoutcheck {

class IndexDigits {
 public:
  // `variables` are the terms of question.variables. The values that are read must be terms of the certificate already.
  IndexDigits(const FormulaQuestion& question, Certificate& certificate, PathDecisions& decisions,
              const std::vector<Term>& variables);

  // Derives that the digits of the values, which are one formula at two indices, are equal if the values are.
  void DeriveEqual(const Term& first, const Term& second);
  // Derives 0 <= value < bound, if that is found.
  void DeriveInRange(const Term& value, const Term& bound) { digits_.ShowInRange(Canonical(value), Canonical(bound)); }

 private:
  void AddSizes();
  void AddBound(const FormulaIndex& index);
  Polynomial SizeOf(const FormulaSize& size);
  void SplitIndices();
  void ReverseIndices(Polynomial& first, Polynomial& second);
  void DeriveEqualMajor(const Polynomial& first, const Polynomial& second);
  // Applies both lemmas about C i + b = C j + d to the polynomials i, b, j, d and C, in this order.
  void ApplyRadixLemmas(const std::vector<Polynomial>& arguments);
  Polynomial Canonical(const Term& term) { return digits_.Canonical(certificate_.Normalize(term)); }

  const FormulaQuestion& question_;
  Certificate& certificate_;
  PathDecisions& decisions_;
  const std::vector<Term>& variables_;
  Rewriter digits_;
};

}  // namespace layoutcheck
