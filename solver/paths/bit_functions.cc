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

}  // namespace

std::optional<Term> BitFunctions::Apply(FormulaOp op, const Term& a, const Term& b) {
  const auto table_of = [&](const KnownTerm& x, const KnownTerm& y) {
    return op == FormulaOp::kBitAnd  ? x.table & y.table
           : op == FormulaOp::kBitOr ? x.table | y.table
                                     : x.table ^ y.table;
  };
  const std::optional<KnownTerm> first = TableOf(a);
  const std::optional<KnownTerm> second = TableOf(b);
  if (!first || !second) return std::nullopt;
  const Term result = Trace(op, *first, *second, table_of(*first, *second));
  if (op != FormulaOp::kBitAnd && fields_taken_ < kMaxFields) {
    // The range of the bits that both operands may have bounds those of the result.
    const Unknown operands[] = {MakeUnknown(a), MakeUnknown(b)};
    const std::optional<Fields> fields = FieldsOf(operands);
    const auto x = fields ? TableOf(fields->terms[0]) : std::nullopt;
    const auto y = x ? TableOf(fields->terms[1]) : std::nullopt;
    if (y) Trace(op, *x, *y, table_of(*x, *y));
  }
  return result;
}

Term BitFunctions::Trace(FormulaOp op, const KnownTerm& a, const KnownTerm& b, const Table& table) {
  const Term conjunction = FromTable(a.table & b.table);
  FromTable(table);
  const Term common = CommonVariable(a.term, b.term);
  if (!rewriter_.Canonical(common - conjunction).IsZero()) AssumeDerived(Equal(common, conjunction));
  steps_.Reduce({a.value, b.value});
  TraceRange(a.term, b.term);
  const Term value = op == FormulaOp::kBitAnd  ? common
                     : op == FormulaOp::kBitOr ? a.term + b.term - common
                                               : a.term + b.term - Term(2) * common;
  KnownTerm& known = known_[rewriter_.Canonical(value)];
  if (known.value == BitSteps::kUntraced) {
    known = {value, table,
             steps_.Operation(op, a.value, b.value, certificate_.Normalize(value), certificate_.Normalize(common))};
  }
  return value;
}

void BitFunctions::TraceRange(const Term& a, const Term& b) {
  // Returns the operand or, if that is not known to be natural, its complement.
  const auto natural = [&](const Term& term) -> std::optional<Term> {
    for (const Term& either : {term, Term(-1) - term}) {
      if (rewriter_.Show(LessEqual(0, either))) return either;
    }
    return std::nullopt;
  };
  const std::optional<Term> first = natural(a);
  const std::optional<Term> second = natural(b);
  const Polynomial x = certificate_.Normalize(first.value_or(a));
  const Polynomial y = certificate_.Normalize(second.value_or(b));
  if (first) steps_.AddRange(x, y);
  if (second) steps_.AddRange(y, x);
  if (!first || !second) return;
  int least = PathDecisions::kUnboundedBits;
  for (const Unknown& unknown : unknowns_) {
    const int bits = unknown.bits.value_or(least);
    if (bits >= least || !rewriter_.Show(Less(*first, TwoToThe(bits)))) continue;
    if (rewriter_.Show(Less(*second, TwoToThe(bits)))) least = bits;
  }
  if (least != PathDecisions::kUnboundedBits) steps_.AddUnionRange(x, y, Int128{1} << least);
}

Term BitFunctions::CommonVariable(const Term& a, const Term& b) {
  const std::optional<AtomId> atom =
      certificate_.ring().AsAtom(steps_.Common(certificate_.Normalize(a), certificate_.Normalize(b)));
  if (!atom) return Term(0);
  const std::string name = certificate_.ring().atoms()[*atom].name;
  if (common_bits_.try_emplace(name, std::vector<Term>{a, b}).second) rewriter_.SampleConjunction(name, {a, b});
  return certificate_.terms().Variable(name);
}

void BitFunctions::AssumeDerived(const TermRelation& relation) {
  derived_.push_back(certificate_.hypotheses().size());
  decisions_.Assume(relation);
}

BitFunctions::Unknown BitFunctions::MakeUnknown(const Term& term) {
  int zeros = kMaxZeros;
  for (const auto& [monomial, coefficient] : rewriter_.Canonical(term).addends) {
    zeros = std::min(zeros, std::countr_zero(static_cast<uint64_t>(coefficient)));
  }
  return {term, decisions_.BitsOf(term), zeros, BitSteps::kUntraced};
}

std::optional<BitFunctions::KnownTerm> BitFunctions::TableOf(const Term& term) {
  if (known_.empty()) known_.emplace(Polynomial{}, KnownTerm{Term(0), {}, BitSteps::kZero});
  const Polynomial normal = certificate_.Normalize(term);
  const Polynomial canonical = rewriter_.Canonical(term);
  if (const auto known = known_.find(canonical); known != known_.end()) {
    certificate_.AddGoal(Equal(term, known->second.term));
    return KnownTerm{term, known->second.table, steps_.Alias(normal, known->second.value)};
  }
  // -1 - x is x with every bit flipped.
  const Term complement = Term(-1) - term;
  if (const auto known = known_.find(rewriter_.Canonical(complement)); known != known_.end()) {
    certificate_.AddGoal(Equal(complement, known->second.term));
    return KnownTerm{term, ~known->second.table, steps_.Complement(normal, known->second.value)};
  }
  const size_t unknown = unknowns_.size();
  if (unknown == kMaxUnknowns) return std::nullopt;
  Unknown added = MakeUnknown(term);
  // Ranges are those of unknowns that are not negative.
  const bool is_complement = !added.bits && decisions_.BitsOf(complement);
  if (is_complement) added = MakeUnknown(complement);
  added.value = steps_.Unknown(certificate_.Normalize(added.term));
  unknowns_.push_back(added);
  Table table;
  for (size_t row = 0; row < kRows; ++row) table[row] = (row >> unknown & 1) != 0;
  known_.emplace(rewriter_.Canonical(added.term), KnownTerm{added.term, table, added.value});
  if (!is_complement) return KnownTerm{term, table, added.value};
  return KnownTerm{term, ~table, steps_.Complement(normal, added.value)};
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
  if (known_.try_emplace(rewriter_.Canonical(sum), KnownTerm{sum, table}).second) AssumeRange(table, sum);
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
  AssumeDerived(LessEqual(0, zero_based));
  std::optional<int> least;
  for (const Unknown& unknown : unknowns_) {
    if (!unknown.bits || *unknown.bits == PathDecisions::kUnboundedBits || !is_constant_from(*unknown.bits)) continue;
    least = std::min(least.value_or(*unknown.bits), *unknown.bits);
  }
  if (least) AssumeDerived(Less(zero_based, TwoToThe(*least)));
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
    std::vector<BitSteps::Value> values;
    for (const Term& term : fields->terms) {
      const std::optional<KnownTerm> of_term = table ? TableOf(term) : std::nullopt;
      table = of_term ? std::optional(*table & of_term->table) : std::nullopt;
      values.push_back(of_term ? of_term->value : BitSteps::kUntraced);
    }
    if (table) {
      result = fields->factor * FromTable(*table);
      TraceFields(conjuncts, *fields, values);
    }
  }
  if (!result) result = ConjunctionVariable(unknowns);
  return conjunctions_.emplace(unknowns, *result).first->second;
}

Term BitFunctions::ConjunctionVariable(size_t unknowns) {
  std::vector<Term> terms;
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if ((unknowns >> k & 1) != 0) terms.push_back(unknowns_[k].term);
  }
  std::vector<BitSteps::Value> rest;
  for (size_t k = unknowns_.size(); k-- > 0;) {
    if ((unknowns >> k & 1) == 0) continue;
    if (!rest.empty()) {
      const Polynomial x = certificate_.Normalize(unknowns_[k].term);
      const Polynomial others = steps_.Common(rest);
      if (unknowns_[k].bits) steps_.AddRange(x, others);
      steps_.AddRange(others, x);
    }
    rest.insert(rest.begin(), unknowns_[k].value);
  }
  const std::optional<AtomId> atom = certificate_.ring().AsAtom(steps_.Common(rest));
  const std::string name = atom ? certificate_.ring().atoms()[*atom].name : StrCat("and!", unknowns);
  if (common_bits_.insert_or_assign(name, terms).second) rewriter_.SampleConjunction(name, terms);
  const Term variable = certificate_.terms().Variable(name);
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if ((unknowns >> k & 1) == 0 || !unknowns_[k].bits) continue;
    AssumeDerived(LessEqual(0, variable));
    AssumeDerived(LessEqual(variable, unknowns_[k].term));
  }
  return variable;
}

void BitFunctions::TraceFields(std::span<const Unknown> unknowns, const Fields& fields,
                               std::span<const BitSteps::Value> values) {
  if (unknowns.size() != 2) return steps_.Reduce({BitSteps::kUntraced});
  const size_t multiple = unknowns[0].zeros >= unknowns[1].zeros ? 0 : 1;
  const Term& x = unknowns[multiple].term;
  const Term& y = unknowns[1 - multiple].term;
  const auto normal = [&](const Term& term) { return certificate_.Normalize(term); };
  if (fields.low >= fields.high) {
    steps_.AddLowBits(normal(y), normal(x), {}, Int128{1} << fields.low);
    return steps_.AddRange({}, normal(y));
  }
  const auto shifted = [&](const Term& term) { return fields.low > 0 ? FloorDiv(term, TwoToThe(fields.low)) : term; };
  if (fields.low > 0) {
    steps_.AddHighBits(normal(x), normal(y), normal(shifted(x)), normal(shifted(y)), Int128{1} << fields.low);
  }
  for (size_t k = 0; k < 2; ++k) {
    const Unknown& other = unknowns[1 - k];
    const Term bounded = shifted(unknowns[k].term);
    const bool is_cut = fields.high != PathDecisions::kUnboundedBits && (!other.bits || *other.bits > fields.high);
    if (!is_cut) continue;
    const Term end = TwoToThe(fields.high - fields.low);
    decisions_.Claim(LessEqual(0, bounded));
    decisions_.Claim(Less(bounded, end));
    steps_.AddLowBits(normal(bounded), normal(shifted(other.term)), normal(fields.terms[1 - k]),
                      Int128{1} << (fields.high - fields.low));
  }
  steps_.Reduce({values[0], values[1]});
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
  if (low > 0 && !decisions_.Claim(Equal(Mod(has_most_zeros->term, TwoToThe(low)), 0))) return std::nullopt;
  ++fields_taken_;
  if (low >= high) return Fields{std::vector<Term>(unknowns.size(), 0), 0, low, high};
  Fields fields{{}, TwoToThe(low), low, high};
  for (const Unknown& unknown : unknowns) {
    const Term shifted = low > 0 ? FloorDiv(unknown.term, TwoToThe(low)) : unknown.term;
    fields.terms.push_back(is_bounded && !is_below(unknown) ? Mod(shifted, TwoToThe(high - low)) : shifted);
  }
  return fields;
}

}  // namespace layoutcheck
