// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/terms/polynomial.h"
#include <algorithm>
#include <iterator>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxAddendsOfProduct = 20'000;
// Expressions of an index have monomials of a few atoms. Remainders of remainders make them grow without end.
constexpr size_t kMaxDegree = 64;
constexpr size_t kMaxMonomials = 200'000;
constexpr size_t kMaxProducts = 2'000'000;

}  // namespace

size_t Ring::MonomialHash::operator()(const std::vector<AtomId>& atoms) const {
  return static_cast<size_t>(HashCombineRange(0, atoms));
}

Ring::Ring() : monomials_{{}} { monomial_ids_.emplace(std::vector<AtomId>{}, 0); }

AtomId Ring::Variable(const std::string& name) {
  const auto [it, inserted] = variables_.try_emplace(name, static_cast<AtomId>(atoms_.size()));
  if (inserted) atoms_.push_back(Atom{AtomKind::kVariable, name, {}, {}});
  return it->second;
}

Polynomial Ring::Division(AtomKind kind, const Polynomial& dividend, const Polynomial& divisor) {
  if (dividend.IsConstant() && divisor.IsConstant()) {
    const WideInteger a = dividend.Constant();
    const WideInteger b = divisor.Constant();
    return FromConstant(Checked(kind == AtomKind::kFloorDiv ? FloorDiv(a, b) : Mod(a, b)));
  }
  const auto [it, inserted] = divisions_.try_emplace({kind, {dividend, divisor}}, static_cast<AtomId>(atoms_.size()));
  if (inserted) atoms_.push_back(Atom{kind, {}, dividend, divisor});
  return FromAtom(it->second);
}

Int128 Ring::Checked(WideInteger value) {
  // Two bits of room keep negation and one more sum defined.
  constexpr Int128 kLimit = Int128{1} << 125;
  if (value.overflow || value.value > kLimit || value.value < -kLimit) {
    overflow_ = true;
    return 0;
  }
  return value.value;
}

MonomialId Ring::Intern(std::vector<AtomId> atoms) {
  const auto [it, inserted] = monomial_ids_.try_emplace(atoms, static_cast<MonomialId>(monomials_.size()));
  if (inserted) monomials_.push_back(std::move(atoms));
  return it->second;
}

MonomialId Ring::MultiplyMonomials(MonomialId a, MonomialId b) {
  if (a == 0) return b;
  if (b == 0) return a;
  const uint64_t key = (uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  if (const auto known = products_.find(key); known != products_.end()) return known->second;
  if (monomials_[a].size() + monomials_[b].size() > kMaxDegree) {
    overflow_ = true;
    return 0;
  }
  std::vector<AtomId> atoms;
  std::ranges::merge(monomials_[a], monomials_[b], std::back_inserter(atoms));
  const MonomialId product = Intern(std::move(atoms));
  products_.emplace(key, product);
  return product;
}

Polynomial Ring::FromAtom(AtomId atom) { return FromMonomial(Intern({atom}), 1); }

Polynomial Ring::FromMonomial(MonomialId monomial, Int128 coefficient) const {
  if (coefficient == 0) return {};
  return Polynomial{{{monomial, coefficient}}};
}

Polynomial Ring::AddScaled(const Polynomial& a, const Polynomial& b, Int128 scale) {
  Polynomial sum;
  sum.addends.reserve(a.addends.size() + b.addends.size());
  auto left = a.addends.begin();
  auto right = b.addends.begin();
  while (left != a.addends.end() || right != b.addends.end()) {
    if (right == b.addends.end() || (left != a.addends.end() && left->first < right->first)) {
      sum.addends.push_back(*left++);
      continue;
    }
    WideInteger coefficient = WideInteger(right->second) * WideInteger(scale);
    const MonomialId monomial = right->first;
    if (left != a.addends.end() && left->first == monomial) coefficient = coefficient + WideInteger((left++)->second);
    ++right;
    if (const Int128 value = Checked(coefficient); value != 0) sum.addends.emplace_back(monomial, value);
  }
  return sum;
}

Polynomial Ring::Multiply(const Polynomial& a, const Polynomial& b) {
  // Formulas of an index have a few dozen addends, but powers of sums grow without end.
  const bool is_large = !a.IsZero() && b.addends.size() > kMaxAddendsOfProduct / a.addends.size();
  if (is_large || monomials_.size() > kMaxMonomials || products_.size() > kMaxProducts) overflow_ = true;
  if (overflow_) return {};
  Polynomial product;
  std::vector<std::pair<MonomialId, Int128>>& all = product.addends;
  all.reserve(a.addends.size() * b.addends.size());
  for (const auto& [left, left_coefficient] : a.addends) {
    for (const auto& [right, right_coefficient] : b.addends) {
      all.emplace_back(MultiplyMonomials(left, right),
                       Checked(WideInteger(left_coefficient) * WideInteger(right_coefficient)));
    }
  }
  std::ranges::sort(all, {}, [](const auto& addend) { return addend.first; });
  size_t count = 0;  // number of the addends of the product
  for (size_t i = 0; i < all.size();) {
    WideInteger coefficient = 0;
    const MonomialId monomial = all[i].first;
    for (; i < all.size() && all[i].first == monomial; ++i) coefficient = coefficient + WideInteger(all[i].second);
    if (const Int128 value = Checked(coefficient); value != 0) all[count++] = {monomial, value};
  }
  all.resize(count);
  return product;
}

std::optional<AtomId> Ring::AsAtom(const Polynomial& polynomial) const {
  if (polynomial.addends.size() != 1 || polynomial.addends[0].second != 1) return std::nullopt;
  const std::vector<AtomId>& atoms = monomials_[polynomial.addends[0].first];
  if (atoms.size() != 1) return std::nullopt;
  return atoms[0];
}

std::optional<MonomialId> Ring::DivideByAtom(MonomialId monomial, AtomId atom) {
  const std::vector<AtomId>& atoms = monomials_[monomial];
  const auto found = std::ranges::lower_bound(atoms, atom);
  if (found == atoms.end() || *found != atom) return std::nullopt;
  std::vector<AtomId> rest(atoms.begin(), found);
  rest.insert(rest.end(), found + 1, atoms.end());
  return Intern(std::move(rest));
}

std::optional<MonomialId> Ring::DivideMonomial(MonomialId monomial, MonomialId divisor) {
  if (divisor == 0) return monomial;
  if (!std::ranges::includes(monomials_[monomial], monomials_[divisor])) return std::nullopt;
  std::vector<AtomId> rest;
  std::ranges::set_difference(monomials_[monomial], monomials_[divisor], std::back_inserter(rest));
  return Intern(std::move(rest));
}

std::string Ring::AtomName(AtomId atom) const {
  const AtomKind kind = atoms_[atom].kind;
  return kind == AtomKind::kVariable ? atoms_[atom].name : StrCat(kind == AtomKind::kMod ? "mod!" : "div!", atom);
}

WideInteger Ring::SumOf(const Polynomial& polynomial, const std::vector<WideInteger>& atoms) const {
  WideInteger sum = 0;
  for (const auto& [monomial, coefficient] : polynomial.addends) {
    WideInteger product = coefficient;
    for (const AtomId atom : monomials_[monomial]) product = product * atoms[atom];
    sum = sum + product;
  }
  return sum;
}

// A quotient's arguments have smaller numbers, so a loop suffices.
WideInteger Ring::ValueAt(const std::map<std::string, int64_t>& variables, std::vector<WideInteger>& atoms,
                          const Polynomial& polynomial) const {
  for (size_t k = atoms.size(); k < atoms_.size(); ++k) {
    const Atom& atom = atoms_[k];
    if (atom.kind == AtomKind::kVariable) {
      const auto value = variables.find(atom.name);
      atoms.push_back(value == variables.end() ? WideInteger(0, true) : WideInteger(value->second));
      continue;
    }
    const WideInteger dividend = SumOf(atom.dividend, atoms);
    const WideInteger divisor = SumOf(atom.divisor, atoms);
    atoms.push_back(atom.kind == AtomKind::kFloorDiv ? FloorDiv(dividend, divisor) : Mod(dividend, divisor));
  }
  return SumOf(polynomial, atoms);
}

std::string Ring::ToString(const Polynomial& polynomial) const {
  return ToString(polynomial, [this](AtomId atom) { return AtomName(atom); });
}

std::string Ring::ToString(const Polynomial& polynomial, const std::function<std::string(AtomId)>& name) const {
  if (polynomial.IsZero()) return "0";
  std::string text;
  // Puts the constant last, as people write it.
  auto ordered = polynomial.addends;
  if (ordered.front().first == 0) std::ranges::rotate(ordered, ordered.begin() + 1);
  for (const auto& [monomial, coefficient] : ordered) {
    const bool negative = coefficient < 0;
    const Int128 magnitude = negative ? -coefficient : coefficient;
    if (!text.empty()) {
      text += negative ? " - " : " + ";
    } else if (negative) {
      text += "-";
    }
    std::string product;
    if (magnitude != 1 || monomial == 0) product = ToDecimal(magnitude);
    for (const AtomId atom : monomials_[monomial]) StrAppend(product, product.empty() ? "" : "*", name(atom));
    text += product;
  }
  return text;
}

}  // namespace layoutcheck
