// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/bit_functions.h"
#include <bit>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kRows = size_t{1} << BitFunctions::kMaxUnknowns;

}  // namespace

std::optional<Term> BitFunctions::Apply(FormulaOp op, const Term& a, const Term& b) {
  const std::optional<Table> first = TableOf(a);
  const std::optional<Table> second = TableOf(b);
  if (!first || !second) return std::nullopt;
  return FromTable(op == FormulaOp::kBitAnd  ? *first & *second
                   : op == FormulaOp::kBitOr ? *first | *second
                                             : *first ^ *second);
}

std::optional<BitFunctions::Table> BitFunctions::TableOf(const Term& term) {
  if (known_.empty()) {
    known_.emplace(Polynomial{}, KnownTerm{Term(0), 0});
  }
  const Polynomial canonical = rewriter_.Canonical(term);
  if (const auto known = known_.find(canonical); known != known_.end()) {
    certificate_.AddGoal(Equal(term, known->second.term));
    return known->second.table;
  }
  // -1 - x is x with every bit flipped.
  const Term complement = Term(-1) - term;
  if (const auto known = known_.find(rewriter_.Canonical(complement)); known != known_.end()) {
    certificate_.AddGoal(Equal(complement, known->second.term));
    return ~known->second.table;
  }
  const size_t unknown = unknowns_.size();
  if (unknown == kMaxUnknowns) return std::nullopt;
  unknowns_.push_back(term);
  Table table = 0;
  for (size_t row = 0; row < kRows; ++row) table |= Table{row >> unknown & 1} << row;
  known_.emplace(canonical, KnownTerm{term, table});
  return table;
}

Term BitFunctions::FromTable(Table table) {
  // The factors are the Moebius transform of the table over the subsets of the unknowns.
  std::vector<int64_t> factors(size_t{1} << unknowns_.size());
  for (size_t row = 0; row < factors.size(); ++row) factors[row] = static_cast<int64_t>(table >> row & 1);
  for (size_t step = 1; step < factors.size(); step *= 2) {
    for (size_t row = 0; row < factors.size(); ++row) {
      if ((row & step) != 0) factors[row] -= factors[row ^ step];
    }
  }
  Term sum = -factors[0];
  for (size_t set = 1; set < factors.size(); ++set) {
    if (factors[set] != 0) sum = sum + Conjunction(set) * Term(factors[set]);
  }
  known_.emplace(rewriter_.Canonical(sum), KnownTerm{sum, table});
  return sum;
}

Term BitFunctions::Conjunction(size_t unknowns) {
  if (std::has_single_bit(unknowns)) return unknowns_[static_cast<size_t>(std::countr_zero(unknowns))];
  const auto [place, is_new] = conjunctions_.try_emplace(unknowns, 0);
  if (is_new) {
    std::vector<Term> terms;
    for (size_t k = 0; k < unknowns_.size(); ++k) {
      if ((unknowns >> k & 1) != 0) terms.push_back(unknowns_[k]);
    }
    const std::string name = StrCat("and!", unknowns);
    rewriter_.SampleConjunction(name, terms);
    common_bits_[name] = terms;
    place->second = certificate_.terms().Variable(name);
    for (const Term& term : terms) {
      if (!decisions_.Claim(LessEqual(0, term))) continue;
      decisions_.Assume(LessEqual(0, place->second));
      decisions_.Assume(LessEqual(place->second, term));
    }
  }
  return place->second;
}

}  // namespace layoutcheck
