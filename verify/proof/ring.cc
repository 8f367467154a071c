// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/ring.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {
namespace {

// Limits per statement. They bound memory and time; certificates of layouts stay far below.
constexpr size_t kMaxAddends = size_t{1} << 24;
constexpr size_t kMaxFactors = size_t{1} << 24;
constexpr size_t kMaxKnownProducts = size_t{1} << 23;
constexpr uint64_t kMaxProductAddends = uint64_t{1} << 16;  // of one product, before equal ones are added

constexpr std::string_view kTooLarge = "a number does not fit 128 bits";
constexpr std::string_view kTooManyAddends = "a product of polynomials has more than 2^16 addends";
constexpr std::string_view kTooMuchMemory = "the polynomials of this statement are too many or too long";

// Number of addends for which a statement with steps gets room at once. Few statements have more.
constexpr size_t kUsualAddends = size_t{1} << 15;

constexpr size_t kMaxText = 300;  // length at which the text of a polynomial is cut off

bool FitsInt64(Int128 value) { return static_cast<int64_t>(value) == value; }

}  // namespace

Ring::Ring() { Intern(0); }

void Ring::ReserveForSteps() { addends_.reserve(kUsualAddends); }

Polynomial Ring::NewVariable(std::string name) {
  names_.push_back(std::move(name));
  return NewAtom({AtomKind::kVariable, static_cast<uint32_t>(names_.size() - 1), {}, {}, {}});
}

Polynomial Ring::NewAtom(Atom atom) {
  sorted_ = {static_cast<uint32_t>(atoms_.size())};
  const Monomial monomial = Intern(HashCombine(0, sorted_[0]));
  StartSum();
  AddMonomial(monomial, 1);
  atom.value = FinishSum();
  atoms_.push_back(atom);
  return atom.value;
}

Polynomial Ring::Constant(Int128 value) {
  StartSum();
  AddMonomial(kOne, value);
  return FinishSum();
}

Polynomial Ring::Sum(Polynomial a, Polynomial b) {
  StartSum();
  Add(a);
  Add(b);
  return FinishSum();
}

Polynomial Ring::Difference(Polynomial a, Polynomial b) {
  StartSum();
  Add(a);
  Add(b, -1);
  return FinishSum();
}

Polynomial Ring::Product(Polynomial a, Polynomial b) {
  StartSum();
  AddProduct(a, b);
  return FinishSum();
}

Polynomial Ring::CeilDiv(Polynomial a, Polynomial b) {
  StartSum();
  Add(a);
  Add(b);
  AddMonomial(kOne, -1);
  return FloorDiv(FinishSum(), b);
}

Polynomial Ring::Divide(AtomKind kind, Polynomial a, Polynomial b) {
  const std::optional<Int128> divisor = ConstantValue(b);
  if (divisor && *divisor > 0) {
    if (const std::optional<Int128> dividend = ConstantValue(a)) {
      return Constant(kind == AtomKind::kMod ? RemainderOf(*dividend, *divisor) : FloorOf(*dividend, *divisor));
    }
  }
  return AtomOf(kind, a, b);
}

Polynomial Ring::CommonBits(Polynomial a, Polynomial b) {
  const std::optional<Int128> x = ConstantValue(a);
  const std::optional<Int128> y = ConstantValue(b);
  if (x && y) return Constant(*x & *y);
  const auto key = [](const Addend& addend) { return std::pair(addend.monomial, addend.coefficient); };
  const bool is_ordered = !std::ranges::lexicographical_compare(AddendsOf(b), AddendsOf(a), {}, key, key);
  return is_ordered ? AtomOf(AtomKind::kCommonBits, a, b) : AtomOf(AtomKind::kCommonBits, b, a);
}

Polynomial Ring::AtomOf(AtomKind kind, Polynomial a, Polynomial b) {
  const uint64_t hash = HashCombine(HashCombine(static_cast<uint64_t>(kind), HashOf(a)), HashOf(b));
  const uint32_t known = atom_index_.Find(hash, [&](uint32_t atom) {
    return atoms_[atom].kind == kind && Equal(atoms_[atom].a, a) && Equal(atoms_[atom].b, b);
  });
  if (known != HashIndex::kNone) return atoms_[known].value;
  atom_index_.Insert(hash, static_cast<uint32_t>(atoms_.size()));
  return NewAtom({kind, 0, a, b, {}});
}

uint64_t Ring::HashOf(Polynomial a) const {
  uint64_t hash = a.size;
  for (const Addend& addend : AddendsOf(a)) {
    hash = HashCombine(hash, uint64_t{addend.monomial} << 32 ^ static_cast<uint64_t>(addend.coefficient));
  }
  return hash;
}

std::optional<Int128> Ring::ConstantValue(Polynomial a) const {
  if (a.size == 0) return 0;
  const Addend& first = addends_[a.begin];
  return a.size == 1 && first.monomial == kOne ? std::optional(first.coefficient) : std::nullopt;
}

bool Ring::Equal(Polynomial a, Polynomial b) const { return std::ranges::equal(AddendsOf(a), AddendsOf(b)); }

std::optional<Monomial> Ring::AsAtom(Polynomial a) const {
  if (a.size != 1) return std::nullopt;
  const Addend& only = addends_[a.begin];
  return only.coefficient == 1 && monomials_[only.monomial].size == 1 ? std::optional(only.monomial) : std::nullopt;
}

Int128 Ring::Times(Int128 a, Int128 b) {
  if (FitsInt64(a) && FitsInt64(b)) return a * b;
  const WideInteger product = WideInteger(a) * WideInteger(b);
  if (product.overflow) fault_ = kTooLarge;
  return product.value;
}

void Ring::StartSum() {
  ++sum_;
  touched_.clear();
}

void Ring::AddMonomial(Monomial monomial, Int128 coefficient) {
  Slot& slot = slots_[monomial];
  if (slot.sum != sum_) {
    slot = {coefficient, sum_};
    touched_.push_back(monomial);
  } else if (__builtin_add_overflow(slot.coefficient, coefficient, &slot.coefficient)) {
    fault_ = kTooLarge;
  }
}

void Ring::Add(Polynomial a, Int128 factor) {
  for (const Addend& addend : AddendsOf(a)) AddMonomial(addend.monomial, Times(addend.coefficient, factor));
}

void Ring::AddProduct(Polynomial a, Polynomial b, Int128 factor) {
  if (uint64_t{a.size} * b.size > kMaxProductAddends) {
    fault_ = kTooManyAddends;
    return;
  }
  for (const Addend& x : AddendsOf(a)) {
    const Int128 scaled = Times(x.coefficient, factor);
    for (const Addend& y : AddendsOf(b)) {
      AddMonomial(Product(x.monomial, y.monomial), Times(scaled, y.coefficient));
    }
  }
}

Polynomial Ring::FinishSum() {
  std::ranges::sort(touched_);
  const auto begin = static_cast<uint32_t>(addends_.size());
  for (const Monomial monomial : touched_) {
    if (slots_[monomial].coefficient != 0) addends_.push_back({slots_[monomial].coefficient, monomial});
  }
  if (addends_.size() > kMaxAddends) {
    addends_.resize(begin);
    fault_ = kTooMuchMemory;
  }
  return {begin, static_cast<uint32_t>(addends_.size()) - begin};
}

std::optional<Int128> Ring::ConstantSum() const {
  Int128 constant = 0;
  for (const Monomial monomial : touched_) {
    if (monomial == kOne) {
      constant = slots_[monomial].coefficient;
    } else if (slots_[monomial].coefficient != 0) {
      return std::nullopt;
    }
  }
  return constant;
}

Monomial Ring::Product(Monomial a, Monomial b) {
  if (a == kOne) return b;
  if (b == kOne) return a;
  if (a > b) std::swap(a, b);
  const uint64_t key = uint64_t{a} << 32 | b;
  const Monomial known = products_.Find(key);
  if (known != HashIndex::kNone) return known;
  sorted_.resize(FactorsOf(a).size() + FactorsOf(b).size());
  std::ranges::merge(FactorsOf(a), FactorsOf(b), sorted_.begin());
  const Monomial result = Intern(monomials_[a].hash + monomials_[b].hash);
  if (products_.size() < kMaxKnownProducts) products_.Insert(key, result);
  return result;
}

Monomial Ring::Intern(uint64_t hash) {
  const uint32_t known =
      monomial_index_.Find(hash, [&](uint32_t monomial) { return std::ranges::equal(FactorsOf(monomial), sorted_); });
  if (known != HashIndex::kNone) return known;
  if (factors_.size() + sorted_.size() > kMaxFactors) {
    fault_ = kTooMuchMemory;
    return kOne;
  }
  const auto monomial = static_cast<Monomial>(monomials_.size());
  monomials_.push_back({static_cast<uint32_t>(factors_.size()), static_cast<uint32_t>(sorted_.size()), hash});
  factors_.insert(factors_.end(), sorted_.begin(), sorted_.end());
  monomial_index_.Insert(hash, monomial);
  slots_.emplace_back();
  return monomial;
}

std::string Ring::ToText(Polynomial a) const {
  std::string out;
  AppendText(out, a);
  if (out.size() > kMaxText) {
    out.resize(kMaxText);
    out += "...";
  }
  return out;
}

std::string Ring::SumText() { return ToText(FinishSum()); }

void Ring::AppendText(std::string& out, Polynomial a) const {
  if (a.size == 0) out += '0';
  bool is_first = true;
  for (const Addend& addend : AddendsOf(a)) {
    if (out.size() > kMaxText) return;
    const bool is_negative = addend.coefficient < 0;
    out += is_first ? (is_negative ? "-" : "") : (is_negative ? " - " : " + ");
    is_first = false;
    std::string digits = ToDecimal(addend.coefficient);
    if (is_negative) digits.erase(0, 1);
    if (addend.monomial == kOne) {
      out += digits;
      continue;
    }
    if (digits != "1") StrAppend(out, digits, "*");
    const auto factors = FactorsOf(addend.monomial);
    for (size_t k = 0; k < factors.size() && out.size() <= kMaxText; ++k) {
      if (k > 0) out += '*';
      AppendAtom(out, factors[k]);
    }
  }
}

// Atoms nest as deeply as a certificate has lines, but no deeper than the text is long.
void Ring::AppendAtom(std::string& out, uint32_t number) const {
  const Atom& atom = atoms_[number];
  if (atom.kind == AtomKind::kVariable) {
    out += names_[atom.name];
    return;
  }
  const auto append_operand = [&](Polynomial operand) {
    if (out.size() > kMaxText) return;
    out += operand.size > 1 ? "(" : "";
    AppendText(out, operand);
    out += operand.size > 1 ? ")" : "";
  };
  out += '(';
  append_operand(atom.a);
  out += atom.kind == AtomKind::kMod ? " mod " : atom.kind == AtomKind::kFloorDiv ? " floordiv " : " and ";
  append_operand(atom.b);
  out += ')';
}

}  // namespace layoutcheck::verify
