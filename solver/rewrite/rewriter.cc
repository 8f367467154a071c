// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/rewriter.h"
#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

void Rewriter::AddPositive(const Polynomial& name) {
  if (const auto atom = ring_.AsAtom(name)) positive_.insert(*atom);
}

void Rewriter::AddDigit(const Polynomial& value, const Polynomial& bound) {
  if (value.IsConstant()) return;
  digits_.push_back({value, bound, value});
  // 0 <= value < bound makes the bound positive, and a digit below 1 zero.
  AddPositive(bound);
  if (bound != ring_.FromConstant(1)) return;
  if (const auto atom = LoneAtom(value)) {
    canonical_atoms_[*atom] = Canonical(ring_.Subtract(ring_.FromAtom(*atom), value));
  }
}

// Returns an atom that is an addend with coefficient 1 and in no other addend, for which an equation can be solved.
std::optional<AtomId> Rewriter::LoneAtom(const Polynomial& polynomial) const {
  for (auto addend = polynomial.addends.rbegin(); addend != polynomial.addends.rend(); ++addend) {
    const std::vector<AtomId>& atoms = ring_.monomial(addend->first);
    if (addend->second != 1 || atoms.size() != 1) continue;
    const bool once = std::ranges::count_if(polynomial.addends, [&](const auto& other) {
                        return std::ranges::binary_search(ring_.monomial(other.first), atoms[0]);
                      }) == 1;
    if (once) return atoms[0];
  }
  return std::nullopt;
}

Polynomial Rewriter::Canonical(const Polynomial& polynomial) {
  Polynomial current = polynomial;
  while (true) {
    std::optional<AtomId> next;
    for (const auto& [monomial, coefficient] : current.addends) {
      for (const AtomId atom : ring_.monomial(monomial)) {
        if (CanonicalAtom(atom) != ring_.FromAtom(atom)) next = next ? std::min(*next, atom) : atom;
      }
    }
    if (!next || ring_.overflow()) return current;
    current = ReplaceAtom(derivation_, current, *next, CanonicalAtom(*next), Justify::kYes);
  }
}

Polynomial Rewriter::CanonicalAtom(AtomId atom) {
  if (const auto known = canonical_atoms_.find(atom); known != canonical_atoms_.end()) return known->second;
  if (ring_.atoms()[atom].kind == AtomKind::kVariable) return ring_.FromAtom(atom);

  const Ring::Atom division = ring_.atoms()[atom];
  const Polynomial dividend = Canonical(division.dividend);
  const Polynomial divisor = Canonical(division.divisor);
  Polynomial result;
  if (dividend == division.dividend && divisor == division.divisor) {
    result = CanonicalDivision(division.kind, dividend, divisor);
  } else {
    derivation_.Apply(division.kind == AtomKind::kFloorDiv ? LemmaId::kEqualQuotients : LemmaId::kEqualRemainders,
                      {division.dividend, dividend, division.divisor, divisor});
    result = Canonical(ring_.Division(division.kind, dividend, divisor));
  }
  // The recursion may have found that the atom is 0.
  return canonical_atoms_.emplace(atom, std::move(result)).first->second;
}

Polynomial Rewriter::CanonicalDivision(AtomKind kind, const Polynomial& dividend, const Polynomial& divisor) {
  const Polynomial quotient = ring_.Division(AtomKind::kFloorDiv, dividend, divisor);
  const Polynomial remainder = ring_.Division(AtomKind::kMod, dividend, divisor);
  if (!ShowPositive(divisor)) {
    if (failure_.empty()) failure_ = StrCat("the divisor ", ring_.ToString(divisor), " was not shown to be at least 1");
    return kind == AtomKind::kFloorDiv ? quotient : remainder;
  }
  auto known = divisions_.find({dividend, divisor});
  if (known == divisions_.end()) {
    known = divisions_.emplace(std::pair(dividend, divisor), FindQuotient(dividend, divisor)).first;
    if (!known->second) MakeDigit(dividend, divisor);
    // A number below 3 that fits a tile of 16 is a digit of 16 values from then on, as it is in the layout.
    if (known->second && known->second->quotient.IsZero() && divisor.IsConstant()) AddDigit(dividend, divisor);
  }
  if (!known->second) {
    if (kind == AtomKind::kFloorDiv) return quotient;
    return Canonical(ring_.Subtract(dividend, ring_.Multiply(divisor, quotient)));
  }
  const QuotientAndRemainder result = *known->second;
  derivation_.Apply(LemmaId::kUniqueQuotient, {dividend, result.quotient, result.remainder, divisor});
  if (kind == AtomKind::kFloorDiv) return Canonical(result.quotient);
  derivation_.Apply(LemmaId::kEuclid, {dividend, divisor});
  derivation_.Apply(LemmaId::kUniqueRemainder,
                    {dividend, result.quotient, result.remainder, divisor, quotient, remainder});
  return Canonical(result.remainder);
}

std::optional<Rewriter::QuotientAndRemainder> Rewriter::FindQuotient(const Polynomial& dividend,
                                                                     const Polynomial& divisor) {
  std::optional<QuotientAndRemainder> result;
  TryRefinements(dividend, [&](const Polynomial& refined, size_t rules) {
    QuotientAndRemainder parts = DivideAddends(refined, divisor);
    bool fits = ShowRefinedInRange(parts.remainder, divisor, rules);
    if (!fits && parts.remainder.Constant() < 0) {
      parts = {ring_.Plus(parts.quotient, -1), ring_.Add(parts.remainder, divisor)};
      fits = ShowRefinedInRange(parts.remainder, divisor, rules);
    }
    if (fits) result = std::move(parts);
    return fits;
  });
  return result;
}

// Divides addend by addend if the divisor is a single product: multiples of it go to the quotient.
Rewriter::QuotientAndRemainder Rewriter::DivideAddends(const Polynomial& refined, const Polynomial& divisor) {
  if (divisor.addends.size() != 1 || divisor.addends[0].second < 1) return {{}, refined};
  const auto& [divisor_monomial, divisor_coefficient] = divisor.addends[0];
  Polynomial quotient;
  for (const auto& [monomial, coefficient] : refined.addends) {
    if (const auto rest = ring_.DivideMonomial(monomial, divisor_monomial)) {
      const Int128 whole = FloorDiv(WideInteger(coefficient), WideInteger(divisor_coefficient)).value;
      quotient = ring_.Add(quotient, ring_.FromMonomial(*rest, whole));
    }
  }
  Polynomial remainder = ring_.Subtract(refined, ring_.Multiply(quotient, divisor));
  return {std::move(quotient), std::move(remainder)};
}

void Rewriter::MakeDigit(const Polynomial& dividend, const Polynomial& divisor) {
  const Polynomial quotient = ring_.Division(AtomKind::kFloorDiv, dividend, divisor);
  const Polynomial remainder = ring_.Division(AtomKind::kMod, dividend, divisor);
  derivation_.Apply(LemmaId::kEuclid, {dividend, divisor});
  const std::optional<Polynomial> bound = FindBound(dividend);
  if (!bound) return;

  AddDigit(remainder, divisor);
  if (const QuotientAndRemainder parts = DivideAddends(*bound, divisor); parts.remainder.IsZero()) {
    derivation_.Apply(LemmaId::kOnto, {dividend, parts.quotient, divisor});
    AddDigit(quotient, parts.quotient);
  } else {
    const Polynomial padded = ring_.Plus(ring_.Add(*bound, divisor), -1);
    const Polynomial count = Canonical(ring_.Division(AtomKind::kFloorDiv, padded, divisor));
    derivation_.Apply(LemmaId::kSplitInBox, {dividend, *bound, divisor, count});
    AddDigit(quotient, count);
  }
  splits_.push_back({dividend, divisor, quotient});

  // The new rule writes the dividend in the new digits. It replaces an atom that is an addend of the refined dividend:
  // x itself, or the minor digit b of a combined a * B + b.
  const Polynomial refined = Refine(dividend, rules_.size(), Justify::kYes);
  if (const auto atom = LoneAtom(refined)) {
    const Polynomial others = ring_.Subtract(refined, ring_.FromAtom(*atom));
    const Polynomial digits = ring_.Add(ring_.Multiply(divisor, quotient), remainder);
    rules_.push_back({*atom, ring_.Subtract(digits, others)});
  }
}

template <class Attempt>
bool Rewriter::TryRefinements(const Polynomial& polynomial, Attempt&& attempt) {
  Polynomial refined = polynomial;
  if (attempt(refined, size_t{0})) return true;
  for (size_t k = 0; k < rules_.size(); ++k) {
    if (!ContainsAtom(ring_, refined, rules_[k].atom)) continue;
    refined = ReplaceAtom(derivation_, refined, rules_[k].atom, rules_[k].replacement, Justify::kNo);
    if (!attempt(refined, k + 1)) continue;
    Refine(polynomial, k + 1, Justify::kYes);
    return true;
  }
  return false;
}

Polynomial Rewriter::Refine(const Polynomial& polynomial, size_t rules, Justify justify) {
  Polynomial refined = polynomial;
  for (size_t k = 0; k < rules; ++k) {
    refined = ReplaceAtom(derivation_, refined, rules_[k].atom, rules_[k].replacement, justify);
  }
  return refined;
}

bool Rewriter::ShowInRange(const Polynomial& canonical, const Polynomial& bound) {
  return TryRefinements(
      canonical, [&](const Polynomial& refined, size_t rules) { return ShowRefinedInRange(refined, bound, rules); });
}

std::optional<Polynomial> Rewriter::FindBound(const Polynomial& canonical) {
  std::optional<Polynomial> bound;
  TryRefinements(canonical, [&](const Polynomial& refined, size_t rules) {
    bound = ShowMixedRadix(refined, rules, std::nullopt);
    return bound.has_value();
  });
  if (bound && std::ranges::none_of(digits_, [&](const BoundedDigit& digit) { return digit.value == canonical; })) {
    AddDigit(canonical, *bound);
  }
  return bound;
}

bool Rewriter::ShowRefinedInRange(const Polynomial& refined, const Polynomial& bound, size_t rules) {
  if (refined.IsZero()) return ShowPositive(bound);
  return IsLinearInRange(refined, bound) || ShowMixedRadix(refined, rules, bound).has_value();
}

// Reads the polynomial as a number in mixed radix and applies the lemmas that bound it.
std::optional<Polynomial> Rewriter::ShowMixedRadix(const Polynomial& refined, size_t rules,
                                                   const std::optional<Polynomial>& limit) {
  const std::vector<BoundedDigit> digits = DigitsOf(refined, rules);
  std::optional<MixedRadixReading> reading = ReadMixedRadix(ring_, refined, digits, limit);
  if (!reading) return std::nullopt;
  for (RadixStep& step : reading->steps) {
    // A bound of a number of several digits is known for the number as it was before it was refined.
    if (step.major.addends.size() > 1) {
      const auto digit = std::ranges::find(digits, step.major, &BoundedDigit::value);
      if (digit != digits.end()) Refine(digit->known_as, rules, Justify::kYes);
    }
    // A single digit in its own place is in range already.
    if (step.minor.IsZero() && step.radix == ring_.FromConstant(1)) continue;
    ShowPositive(step.radix);
    if (step.major.IsZero()) ShowPositive(step.major_size);
    derivation_.Apply(LemmaId::kRadixLowerBound, {step.major, step.minor, step.radix});
    derivation_.Apply(LemmaId::kRadixUpperBound, {step.major, step.major_size, step.minor, step.radix});
    radix_steps_.push_back(std::move(step));
  }
  return reading->bound;
}

// Returns true if 0 <= refined < bound because both differences are linear with coefficients that keep them >= 0.
bool Rewriter::IsLinearInRange(const Polynomial& refined, const Polynomial& bound) const {
  const auto not_negative = [&](const Polynomial& polynomial) {
    WideInteger least = 0;
    for (const auto& [monomial, coefficient] : polynomial.addends) {
      const std::vector<AtomId>& atoms = ring_.monomial(monomial);
      if (atoms.empty()) {
        least = least + WideInteger(coefficient);
        continue;
      }
      if (atoms.size() != 1 || coefficient < 0) return false;
      if (positive_.contains(atoms[0])) {
        least = least + WideInteger(coefficient);
      } else if (std::ranges::none_of(
                     digits_, [&](const BoundedDigit& digit) { return digit.value == ring_.FromAtom(atoms[0]); })) {
        return false;
      }
    }
    return !least.overflow && least.value >= 0;
  };
  return not_negative(refined) && not_negative(ring_.Plus(ring_.Subtract(bound, refined), -1));
}

std::vector<BoundedDigit> Rewriter::DigitsOf(const Polynomial& refined, size_t rules) {
  std::vector<BoundedDigit> single;
  std::vector<BoundedDigit> several;
  // The newest digits come first, because later bounds are tighter.
  for (const BoundedDigit& digit : std::views::reverse(digits_)) {
    if (digit.value.addends.size() == 1) {
      const auto atom = ring_.AsAtom(digit.value);
      if (atom && ContainsAtom(ring_, refined, *atom)) single.push_back(digit);
    } else {
      several.push_back({Refine(digit.value, rules, Justify::kNo), digit.bound, digit.value});
    }
  }
  std::ranges::stable_sort(several, std::greater<>(),
                           [](const BoundedDigit& digit) { return digit.value.addends.size(); });
  several.insert(several.end(), single.begin(), single.end());
  return several;
}

bool Rewriter::ShowPositive(const Polynomial& polynomial) {
  if (polynomial.addends.size() != 1 || polynomial.addends[0].second < 1) return false;
  const std::vector<AtomId> atoms = ring_.monomial(polynomial.addends[0].first);
  for (const AtomId atom : atoms) {
    if (positive_.contains(atom)) continue;
    // The atom may be a number of tiles, (d + t - 1) floordiv t with d >= 1.
    const Ring::Atom division = ring_.atoms()[atom];
    if (division.kind != AtomKind::kFloorDiv) return false;
    const Polynomial size = ring_.Plus(ring_.Subtract(division.dividend, division.divisor), 1);
    if (!ShowPositive(division.divisor) || !ShowPositive(size)) return false;
    derivation_.Apply(LemmaId::kCeilPositive, {size, division.divisor, ring_.FromAtom(atom)});
    positive_.insert(atom);
  }
  Polynomial product = ring_.FromConstant(polynomial.addends[0].second);
  for (const AtomId atom : atoms) {
    if (!product.IsConstant()) derivation_.Apply(LemmaId::kPositiveProduct, {product, ring_.FromAtom(atom)});
    product = ring_.Multiply(product, ring_.FromAtom(atom));
  }
  return true;
}

void Rewriter::ShowNotNegative(const Polynomial& polynomial) {
  if (polynomial.addends.size() != 1 || polynomial.addends[0].second < 1) return;
  const std::vector<AtomId> atoms = ring_.monomial(polynomial.addends[0].first);
  Polynomial product = ring_.FromConstant(polynomial.addends[0].second);
  for (const AtomId atom : atoms) {
    // 0 <= product makes 0 * atom <= product * atom, where 0 <= atom.
    derivation_.Apply(LemmaId::kMonotoneProduct, {{}, product, ring_.FromAtom(atom)});
    product = ring_.Multiply(product, ring_.FromAtom(atom));
  }
}

bool Rewriter::EquateDigits(const Polynomial& first, const Polynomial& second, const std::optional<Polynomial>& bound) {
  const auto read = [&](const Polynomial& number) {
    const Polynomial canonical = Canonical(number);
    if (bound) {
      ShowInRange(canonical, *bound);
    } else {
      FindBound(canonical);
    }
    return std::pair(radix_steps_.size(), splits_.size());
  };
  // The same work is done for both numbers, so their steps correspond.
  const std::pair begin(radix_steps_.size(), splits_.size());
  const auto middle = read(first);
  const auto end = read(second);
  for (size_t k = 0; k < std::min(middle.first - begin.first, end.first - middle.first); ++k) {
    const RadixStep& x = radix_steps_[begin.first + k];
    const RadixStep& y = radix_steps_[middle.first + k];
    const std::vector<Polynomial> arguments = {x.major, x.minor, y.major, y.minor, x.radix};
    derivation_.Apply(LemmaId::kRadixMajor, arguments);
    derivation_.Apply(LemmaId::kRadixMinor, arguments);
  }
  for (size_t k = 0; k < std::min(middle.second - begin.second, end.second - middle.second); ++k) {
    const Split& x = splits_[begin.second + k];
    derivation_.Apply(LemmaId::kEqualProducts, {x.quotient, splits_[middle.second + k].quotient, x.divisor});
  }
  return end.first > begin.first;
}

void Rewriter::DeriveLeastMultiple(const Polynomial& size, const Polynomial& tile, const Polynomial& tile_count,
                                   const Polynomial& other) {
  ShowPositive(tile);
  ShowNotNegative(size);
  derivation_.Apply(LemmaId::kCeilBounds, {size, tile, tile_count});
  // size + tile - 1 < tile * (other + 1), so its quotient tile_count is at most `other`.
  derivation_.Apply(LemmaId::kOnto, {ring_.Plus(ring_.Add(size, tile), -1), ring_.Plus(other, 1), tile});
  derivation_.Apply(LemmaId::kMonotoneProduct, {tile_count, other, tile});
}

}  // namespace layoutcheck
