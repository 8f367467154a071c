#include "layoutcheck/solver/rewrite/bit_functions.h"

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
  const Polynomial canonical = rewriter_.Canonical(term);
  if (const auto known = tables_.find(canonical); known != tables_.end()) return known->second;
  // All bits of -1 - x are those that x does not have.
  const Polynomial complement = rewriter_.Canonical(Term(-1) - term);
  if (const auto known = tables_.find(complement); known != tables_.end()) return ~known->second;
  if (complement.IsZero()) return ~Table{0};
  if (canonical.IsZero()) return Table{0};
  const size_t unknown = unknowns_.size();
  if (unknown == kMaxUnknowns) return std::nullopt;
  unknowns_.push_back(term);
  Table table = 0;
  for (size_t row = 0; row < kRows; ++row) table |= Table{row >> unknown & 1} << row;
  tables_.emplace(canonical, table);
  return table;
}

Term BitFunctions::FromTable(Table table) {
  // The factors are the Moebius transform of the table: of each set of unknowns, that of the rows below it.
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
  tables_.emplace(rewriter_.Canonical(sum), table);
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
    place->second = rewriter_.Conjunction(StrCat("and!", unknowns), terms);
  }
  return place->second;
}

}  // namespace layoutcheck
