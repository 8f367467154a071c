// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/bit_functions.h"
#include <algorithm>
#include <bit>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kRows = size_t{1} << BitFunctions::kMaxUnknowns;
constexpr int kMaxZeros = 62;
constexpr int kMaxFields = 50;  // conjunctions per path that become those of fewer bits

Term PowerOfTwo(int exponent) { return {int64_t{1} << exponent}; }

}  // namespace

std::optional<Term> BitFunctions::Apply(FormulaOp op, const Term& a, const Term& b) {
  const std::optional<Table> first = TableOf(a);
  const std::optional<Table> second = TableOf(b);
  if (!first || !second) return std::nullopt;
  const Term result = FromTable(op == FormulaOp::kBitAnd  ? *first & *second
                                : op == FormulaOp::kBitOr ? *first | *second
                                                          : *first ^ *second);
  if (op != FormulaOp::kBitAnd && fields_taken_ < kMaxFields) {
    // The range of the bits that both operands may have bounds those of the result.
    const Unknown operands[] = {MakeUnknown(a), MakeUnknown(b)};
    if (const std::optional<Fields> fields = FieldsOf(operands)) Apply(op, fields->terms[0], fields->terms[1]);
  }
  return result;
}

BitFunctions::Unknown BitFunctions::MakeUnknown(const Term& term) {
  int zeros = kMaxZeros;
  for (const auto& [monomial, coefficient] : rewriter_.Canonical(term).addends) {
    zeros = std::min(zeros, std::countr_zero(static_cast<uint64_t>(coefficient)));
  }
  return {term, decisions_.BitsOf(term), zeros};
}

std::optional<BitFunctions::Table> BitFunctions::TableOf(const Term& term) {
  if (known_.empty()) known_.emplace(Polynomial{}, KnownTerm{Term(0), {}});
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
  Unknown added = MakeUnknown(term);
  // Ranges are those of unknowns that are not negative.
  const bool is_complement = !added.bits && decisions_.BitsOf(complement);
  if (is_complement) added = MakeUnknown(complement);
  unknowns_.push_back(added);
  Table table;
  for (size_t row = 0; row < kRows; ++row) table[row] = (row >> unknown & 1) != 0;
  known_.emplace(rewriter_.Canonical(added.term), KnownTerm{added.term, table});
  return is_complement ? ~table : table;
}

Term BitFunctions::FromTable(const Table& table) {
  // The factors are the Moebius transform of the table over the subsets of the unknowns.
  std::vector<int64_t> factors(size_t{1} << unknowns_.size());
  for (size_t row = 0; row < factors.size(); ++row) factors[row] = table[row] ? 1 : 0;
  for (size_t step = 1; step < factors.size(); step *= 2) {
    for (size_t row = 0; row < factors.size(); ++row) {
      if ((row & step) != 0) factors[row] -= factors[row ^ step];
    }
  }
  Term sum = -factors[0];
  for (size_t set = 1; set < factors.size(); ++set) {
    if (factors[set] != 0) sum = sum + Conjunction(set) * Term(factors[set]);
  }
  if (known_.insert_or_assign(rewriter_.Canonical(sum), KnownTerm{sum, table}).second) AssumeRange(table, sum);
  return sum;
}

void BitFunctions::AssumeRange(const Table& table, const Term& value) {
  // Returns true if the table is constant where only the unknowns that may have a bit from `place` on have any.
  const auto is_constant_from = [&](int place) {
    size_t zeros = 0;
    for (size_t k = 0; k < unknowns_.size(); ++k) {
      if (unknowns_[k].bits && *unknowns_[k].bits <= place) zeros |= size_t{1} << k;
    }
    for (size_t row = 0; row < size_t{1} << unknowns_.size(); ++row) {
      if ((row & zeros) == 0 && table[row] != table[0]) return false;
    }
    return true;
  };
  if (!is_constant_from(PathDecisions::kUnboundedBits)) return;
  const Term zero_based = table[0] ? Term(-1) - value : value;
  decisions_.Assume(LessEqual(0, zero_based));
  std::optional<int> least;
  for (const Unknown& unknown : unknowns_) {
    if (!unknown.bits || *unknown.bits == PathDecisions::kUnboundedBits || !is_constant_from(*unknown.bits)) continue;
    least = std::min(least.value_or(*unknown.bits), *unknown.bits);
  }
  if (least) decisions_.Assume(Less(zero_based, PowerOfTwo(*least)));
}

Term BitFunctions::Conjunction(size_t unknowns) {
  if (std::has_single_bit(unknowns)) return unknowns_[static_cast<size_t>(std::countr_zero(unknowns))].term;
  if (const auto known = conjunctions_.find(unknowns); known != conjunctions_.end()) return known->second;
  std::vector<Unknown> conjuncts;
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if ((unknowns >> k & 1) != 0) conjuncts.push_back(unknowns_[k]);
  }
  std::optional<Term> result;
  if (const std::optional<Fields> fields = FieldsOf(conjuncts)) {
    std::optional<Table> table = ~Table();
    for (const Term& term : fields->terms) {
      const std::optional<Table> of_term = table ? TableOf(term) : std::nullopt;
      table = of_term ? std::optional(*table & *of_term) : std::nullopt;
    }
    if (table) result = fields->factor * FromTable(*table);
  }
  if (!result) result = ConjunctionVariable(unknowns);
  return conjunctions_.emplace(unknowns, *result).first->second;
}

Term BitFunctions::ConjunctionVariable(size_t unknowns) {
  std::vector<Term> terms;
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if ((unknowns >> k & 1) != 0) terms.push_back(unknowns_[k].term);
  }
  const std::string name = StrCat("and!", unknowns);
  rewriter_.SampleConjunction(name, terms);
  common_bits_[name] = terms;
  const Term variable = certificate_.terms().Variable(name);
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if ((unknowns >> k & 1) == 0 || !unknowns_[k].bits) continue;
    decisions_.Assume(LessEqual(0, variable));
    decisions_.Assume(LessEqual(variable, unknowns_[k].term));
  }
  return variable;
}

std::optional<BitFunctions::Fields> BitFunctions::FieldsOf(std::span<const Unknown> unknowns) {
  if (fields_taken_ == kMaxFields) return std::nullopt;
  const auto has_most_zeros = std::ranges::max_element(unknowns, {}, &Unknown::zeros);
  const int low = has_most_zeros->zeros;
  int high = PathDecisions::kUnboundedBits;
  for (const Unknown& unknown : unknowns) high = std::min(high, unknown.bits.value_or(high));
  const auto is_below = [&](const Unknown& unknown) { return unknown.bits && *unknown.bits <= high; };
  const bool is_bounded = high != PathDecisions::kUnboundedBits;
  if (low == 0 && (!is_bounded || std::ranges::all_of(unknowns, is_below))) return std::nullopt;
  if (low > 0 && !decisions_.Claim(Equal(Mod(has_most_zeros->term, PowerOfTwo(low)), 0))) return std::nullopt;
  ++fields_taken_;
  if (low >= high) return Fields{std::vector<Term>(unknowns.size(), 0), 0};
  Fields fields{{}, PowerOfTwo(low)};
  for (const Unknown& unknown : unknowns) {
    const Term shifted = low > 0 ? FloorDiv(unknown.term, PowerOfTwo(low)) : unknown.term;
    fields.terms.push_back(is_bounded && !is_below(unknown) ? Mod(shifted, PowerOfTwo(high - low)) : shifted);
  }
  return fields;
}

}  // namespace layoutcheck
