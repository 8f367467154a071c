// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/index_digits.h"
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace layoutcheck {
namespace {

// Divisors beyond this are no sizes of blocks.
constexpr int64_t kMaxDivisor = int64_t{1} << 30;

// Returns, by node of a variable, the numbers by which quotients and remainders of that variable cut it:
// (i floordiv 32) mod 4 cuts i at 32 and at 128.
std::map<uint32_t, std::set<int64_t>> CutsOfVariables(const TermContext& terms) {
  // The variable and the divisor of which a node is the quotient, or a remainder of it.
  std::vector<std::optional<std::pair<uint32_t, int64_t>>> parts;
  std::map<uint32_t, std::set<int64_t>> cuts;
  for (uint32_t k = 0; k < terms.size(); ++k) {
    const TermContext::Node& node = terms.node(k);
    parts.emplace_back();
    if (node.kind == TermKind::kVariable) parts.back() = {k, 1};
    if (node.kind != TermKind::kFloorDiv && node.kind != TermKind::kMod) continue;
    const TermContext::Node& divisor = terms.node(node.b);
    const bool is_number =
        divisor.kind == TermKind::kConstant && divisor.value.value >= 2 && divisor.value.value <= kMaxDivisor;
    if (!parts[node.a] || !is_number) continue;
    const auto [variable, weight] = *parts[node.a];
    const int64_t cut = weight * static_cast<int64_t>(divisor.value.value);
    if (cut > kMaxDivisor) continue;
    cuts[variable].insert(cut);
    parts.back() = {variable, node.kind == TermKind::kFloorDiv ? cut : weight};
  }
  return cuts;
}

bool IsNegative(const std::pair<MonomialId, Int128>& addend) { return addend.second < 0; }

// Returns the sum of the addends that both polynomials have, with the same coefficient.
Polynomial SharedAddends(const Polynomial& a, const Polynomial& b) {
  Polynomial shared;
  std::ranges::set_intersection(a.addends, b.addends, std::back_inserter(shared.addends));
  return shared;
}

}  // namespace

IndexDigits::IndexDigits(const FormulaQuestion& question, Certificate& certificate, PathDecisions& decisions,
                         const std::vector<Term>& variables)
    : question_(question),
      certificate_(certificate),
      decisions_(decisions),
      variables_(variables),
      digits_(certificate) {
  AddSizes();
  for (const FormulaIndex& index : question_.indices) AddBound(index);
  SplitIndices();
}

void IndexDigits::AddSizes() {
  for (size_t k = 0; k < variables_.size(); ++k) {
    if (question_.variables[k].kind == FormulaVariable::Kind::kIndex) continue;
    if (decisions_.Claim(LessEqual(1, variables_[k]))) digits_.AddPositive(certificate_.Normalize(variables_[k]));
  }
}

// Adds the ranges of an index: it is below its size, below each larger name that the assumptions imply to be no less,
// such as the stride between padded rows, and below the formula of a bound such as i0 < 2 * N.
void IndexDigits::AddBound(const FormulaIndex& index) {
  const Term& i = variables_[index.variable];
  for (size_t k = 0; k < variables_.size(); ++k) {
    const bool is_size = question_.variables[k].kind != FormulaVariable::Kind::kIndex;
    if (!is_size || (index.size && index.size->variable == k)) continue;
    if (decisions_.Claim(Less(i, variables_[k]))) {
      digits_.AddDigit(certificate_.Normalize(i), certificate_.Normalize(variables_[k]));
    }
  }
  if (index.size) {
    digits_.AddDigit(certificate_.Normalize(i), SizeOf(*index.size));
    return;
  }
  TermContext& terms = certificate_.terms();
  for (const TermRelation& hypothesis : std::vector(certificate_.hypothesis_terms())) {
    if (hypothesis.kind != TermRelation::Kind::kLess || terms.NodeOf(hypothesis.left) != terms.NodeOf(i)) continue;
    const Polynomial bound = Canonical(hypothesis.right);
    if (digits_.ShowPositive(bound)) digits_.AddDigit(certificate_.Normalize(i), bound);
  }
}

Polynomial IndexDigits::SizeOf(const FormulaSize& size) {
  return certificate_.Normalize(size.variable ? variables_[*size.variable] : Term(size.number));
}

// Splits the indices at their cuts, the smallest first, so that each digit is that of a larger quotient: the rewriter
// would otherwise split them in the order of the formula.
void IndexDigits::SplitIndices() {
  const std::map<uint32_t, std::set<int64_t>> cuts = CutsOfVariables(certificate_.terms());
  Ring& ring = certificate_.ring();
  for (const FormulaIndex& index : question_.indices) {
    const auto found = cuts.find(certificate_.terms().NodeOf(variables_[index.variable]));
    if (found == cuts.end()) continue;
    Polynomial quotient = certificate_.Normalize(variables_[index.variable]);
    int64_t at = 1;
    for (const int64_t cut : found->second) {
      if (cut % at != 0) break;
      const Polynomial radix = ring.FromConstant(cut / at);
      quotient = digits_.Canonical(ring.Division(AtomKind::kFloorDiv, quotient, radix));
      at = cut;
    }
  }
}

void IndexDigits::DeriveEqual(const Term& first, const Term& second) {
  Ring& ring = certificate_.ring();
  Polynomial one = certificate_.Normalize(first);
  Polynomial other = certificate_.Normalize(second);
  // The difference of the values does not depend on the addends that they share, none of which has an index.
  const Polynomial shared = SharedAddends(one, other);
  for (Polynomial* const value : {&one, &other}) *value = ring.Subtract(*value, shared);
  const auto negative = std::ranges::count_if(one.addends, IsNegative);
  if (2 * negative > std::ssize(one.addends)) {
    for (Polynomial* const value : {&one, &other}) *value = ring.Subtract({}, *value);
  }
  ReverseIndices(one, other);
  if (!digits_.EquateDigits(one, other, std::nullopt)) DeriveEqualMajor(one, other);
}

// For each index i with a negative weight -w, adds w (size - 1) to both values, which then have w times the digit
// size - 1 - i. Both values grow by the same number, so they stay equal if they are.
void IndexDigits::ReverseIndices(Polynomial& first, Polynomial& second) {
  Ring& ring = certificate_.ring();
  const size_t rank = question_.indices.size() / 2;
  for (size_t k = 0; k < rank; ++k) {
    const std::optional<FormulaSize>& bound = question_.indices[k].size;
    const Polynomial i = certificate_.Normalize(variables_[question_.indices[k].variable]);
    const Polynomial weight = SplitByAtom(ring, first, *ring.AsAtom(i)).first;
    if (!bound || weight.addends.size() != 1 || !IsNegative(weight.addends[0])) continue;
    const Polynomial size = SizeOf(*bound);
    const Polynomial largest = ring.Plus(size, -1);
    for (const auto& [value, index] : {std::pair(&first, k), std::pair(&second, rank + k)}) {
      const Polynomial x = certificate_.Normalize(variables_[question_.indices[index].variable]);
      digits_.AddDigit(ring.Subtract(largest, x), size);
      *value = ring.Subtract(*value, ring.Multiply(weight, largest));
    }
  }
}

// Derives that an index is equal in both values C i + b and C j + d if 0 <= b < C and 0 <= d < C, and so are b and d.
// Derives it, too, where b and d are in (-C, 0], and where the weight of the index is -C.
void IndexDigits::DeriveEqualMajor(const Polynomial& first, const Polynomial& second) {
  Ring& ring = certificate_.ring();
  const size_t rank = question_.indices.size() / 2;
  for (size_t k = 0; k < rank; ++k) {
    const Polynomial i = certificate_.Normalize(variables_[question_.indices[k].variable]);
    const Polynomial j = certificate_.Normalize(variables_[question_.indices[rank + k].variable]);
    Polynomial weight = SplitByAtom(ring, first, *ring.AsAtom(i)).first;
    if (weight.IsZero() || weight != SplitByAtom(ring, second, *ring.AsAtom(j)).first) continue;
    Polynomial b = ring.Subtract(first, ring.Multiply(weight, i));
    Polynomial d = ring.Subtract(second, ring.Multiply(weight, j));
    if (digits_.ShowPositive(ring.Subtract({}, weight))) {
      for (Polynomial* const part : {&weight, &b, &d}) *part = ring.Subtract({}, *part);
    }
    ApplyRadixLemmas({i, b, j, d, weight});
    if (std::ranges::none_of(b.addends, IsNegative)) continue;
    const Polynomial largest = ring.Subtract(weight, ring.FromConstant(1));
    ApplyRadixLemmas({i, ring.Add(b, largest), j, ring.Add(d, largest), weight});
  }
}

void IndexDigits::ApplyRadixLemmas(const std::vector<Polynomial>& arguments) {
  certificate_.Apply(LemmaId::kRadixMajor, arguments);
  certificate_.Apply(LemmaId::kRadixMinor, arguments);
}

}  // namespace layoutcheck
