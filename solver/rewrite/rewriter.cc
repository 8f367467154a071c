#include "layoutcheck/solver/rewrite/rewriter.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Readings that are tried for one number before it is given up: those that occur need one for each digit.
constexpr int kMaxReadAttempts = 20000;

// Whether every term of `part` stands in `whole`, with the same coefficient.
bool HasTerms(const Polynomial& whole, const Polynomial& part) {
  auto in = whole.terms.begin();
  for (const auto& term : part.terms) {
    while (in != whole.terms.end() && in->first < term.first) ++in;
    if (in == whole.terms.end() || *in != term) return false;
  }
  return true;
}

}  // namespace

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

// An atom that the polynomial has once, alone and with coefficient 1, so that an equation can be solved for it.
std::optional<AtomId> Rewriter::LoneAtom(const Polynomial& polynomial) const {
  for (auto term = polynomial.terms.rbegin(); term != polynomial.terms.rend(); ++term) {
    const std::vector<AtomId>& atoms = ring_.monomial(term->first);
    if (term->second != 1 || atoms.size() != 1) continue;
    const bool once = std::ranges::count_if(polynomial.terms, [&](const auto& other) {
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
    for (const auto& [monomial, coefficient] : current.terms) {
      for (const AtomId atom : ring_.monomial(monomial)) {
        if (CanonicalAtom(atom) != ring_.FromAtom(atom)) next = next ? std::min(*next, atom) : atom;
      }
    }
    if (!next) return current;
    current = Replace(current, {*next, CanonicalAtom(*next)}, Justify::kYes);
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
  // On the way the atom may have turned out to be 0.
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
    known = divisions_.emplace(std::pair(dividend, divisor), WorkOut(dividend, divisor)).first;
    if (!known->second) MakeDigit(dividend, divisor);
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

std::optional<Rewriter::QuotientAndRemainder> Rewriter::WorkOut(const Polynomial& dividend, const Polynomial& divisor) {
  std::optional<QuotientAndRemainder> result;
  TryForms(dividend, [&](const Polynomial& form, size_t rules) {
    result = WorkOutForm(form, divisor, rules);
    return result.has_value();
  });
  return result;
}

std::optional<Rewriter::QuotientAndRemainder> Rewriter::WorkOutForm(const Polynomial& form, const Polynomial& divisor,
                                                                    size_t rules) {
  QuotientAndRemainder parts = DivideTerms(form, divisor);
  if (InRangeForm(parts.remainder, divisor, rules)) return parts;
  if (parts.remainder.Constant() < 0) {
    parts.quotient = ring_.Subtract(parts.quotient, ring_.FromConstant(1));
    parts.remainder = ring_.Add(parts.remainder, divisor);
    if (InRangeForm(parts.remainder, divisor, rules)) return parts;
  }
  return std::nullopt;
}

// Term by term, as far as the divisor is a single product: what it divides goes to the quotient.
Rewriter::QuotientAndRemainder Rewriter::DivideTerms(const Polynomial& form, const Polynomial& divisor) {
  if (divisor.terms.size() != 1 || divisor.terms[0].second < 1) return {{}, form};
  const auto& [divisor_monomial, divisor_coefficient] = divisor.terms[0];
  Polynomial quotient;
  for (const auto& [monomial, coefficient] : form.terms) {
    if (const auto rest = ring_.DivideMonomial(monomial, divisor_monomial)) {
      const Int128 whole = FloorDiv(WideInteger(coefficient), WideInteger(divisor_coefficient)).value;
      quotient = ring_.Add(quotient, ring_.FromMonomial(*rest, whole));
    }
  }
  Polynomial remainder = ring_.Subtract(form, ring_.Multiply(quotient, divisor));
  return {std::move(quotient), std::move(remainder)};
}

void Rewriter::MakeDigit(const Polynomial& dividend, const Polynomial& divisor) {
  const Polynomial quotient = ring_.Division(AtomKind::kFloorDiv, dividend, divisor);
  const Polynomial remainder = ring_.Division(AtomKind::kMod, dividend, divisor);
  derivation_.Apply(LemmaId::kEuclid, {dividend, divisor});
  const std::optional<Polynomial> bound = FindBound(dividend);
  if (!bound) return;

  AddDigit(remainder, divisor);
  if (const QuotientAndRemainder parts = DivideTerms(*bound, divisor); parts.remainder.IsZero()) {
    derivation_.Apply(LemmaId::kOnto, {dividend, parts.quotient, divisor});
    AddDigit(quotient, parts.quotient);
  } else {
    const Polynomial padded = ring_.Add(*bound, ring_.Subtract(divisor, ring_.FromConstant(1)));
    const Polynomial count = Canonical(ring_.Division(AtomKind::kFloorDiv, padded, divisor));
    derivation_.Apply(LemmaId::kSplitInBox, {dividend, *bound, divisor, count});
    AddDigit(quotient, count);
  }
  splits_.push_back({dividend, divisor, quotient});

  // The rule that writes the dividend in the new digits: it replaces an atom that the dividend, in the digits so far,
  // has alone: x itself, or the minor digit b of a combined a * B + b.
  const Polynomial form = InDigits(dividend, rules_.size(), Justify::kYes);
  if (const auto atom = LoneAtom(form)) {
    const Polynomial others = ring_.Subtract(form, ring_.FromAtom(*atom));
    const Polynomial digits = ring_.Add(ring_.Multiply(divisor, quotient), remainder);
    rules_.push_back({*atom, ring_.Subtract(digits, others)});
  }
}

template <class Attempt>
bool Rewriter::TryForms(const Polynomial& polynomial, Attempt&& attempt) {
  Polynomial form = polynomial;
  if (attempt(form, size_t{0})) return true;
  for (size_t k = 0; k < rules_.size(); ++k) {
    if (!ContainsAtom(ring_, form, rules_[k].atom)) continue;
    form = Replace(form, rules_[k], Justify::kNo);
    if (!attempt(form, k + 1)) continue;
    InDigits(polynomial, k + 1, Justify::kYes);
    return true;
  }
  return false;
}

Polynomial Rewriter::InDigits(const Polynomial& polynomial, size_t rules, Justify justify) {
  Polynomial form = polynomial;
  for (size_t k = 0; k < rules; ++k) form = Replace(form, rules_[k], justify);
  return form;
}

bool Rewriter::ShowInRange(const Polynomial& canonical, const Polynomial& bound) {
  return TryForms(canonical, [&](const Polynomial& form, size_t rules) { return InRangeForm(form, bound, rules); });
}

std::optional<Polynomial> Rewriter::FindBound(const Polynomial& canonical) {
  std::optional<Polynomial> bound;
  TryForms(canonical, [&](const Polynomial& form, size_t rules) {
    bound = ShowDigits(form, rules, std::nullopt);
    return bound.has_value();
  });
  if (bound && std::ranges::none_of(digits_, [&](const Digit& digit) { return digit.value == canonical; })) {
    AddDigit(canonical, *bound);
  }
  return bound;
}

bool Rewriter::InRangeForm(const Polynomial& form, const Polynomial& bound, size_t rules) {
  if (form.IsZero()) return ShowPositive(bound);
  return LinearInRange(form, bound) || ShowDigits(form, rules, bound).has_value();
}

// Reads the form as a number in mixed radix and applies the lemmas that bound it.
std::optional<Polynomial> Rewriter::ShowDigits(const Polynomial& form, size_t rules,
                                               const std::optional<Polynomial>& limit) {
  const std::vector<Digit> digits = DigitsInForm(form, rules);
  Reading reading{digits, limit, {}, {}};
  if (!ReadDigits(form, {}, ring_.FromConstant(1), reading)) return std::nullopt;
  for (RadixStep& step : reading.steps) {
    // A number of several digits that was known as a whole.
    if (step.major.terms.size() > 1) {
      const auto digit = std::ranges::find(digits, step.major, &Digit::value);
      if (digit != digits.end()) InDigits(digit->known_as, rules, Justify::kYes);
    }
    // A single digit in its own place is in range already.
    if (step.minor.IsZero() && step.radix == ring_.FromConstant(1)) continue;
    ShowPositive(step.radix);
    if (step.major.IsZero()) ShowPositive(step.major_size);
    derivation_.Apply(LemmaId::kRadixLowerBound, {step.major, step.minor, step.radix});
    derivation_.Apply(LemmaId::kRadixUpperBound, {step.major, step.major_size, step.minor, step.radix});
    radix_steps_.push_back(std::move(step));
  }
  return reading.bound;
}

// 0 <= form < bound where both differences are linear with coefficients that cannot make them negative.
bool Rewriter::LinearInRange(const Polynomial& form, const Polynomial& bound) const {
  const auto not_negative = [&](const Polynomial& polynomial) {
    WideInteger least = 0;
    for (const auto& [monomial, coefficient] : polynomial.terms) {
      const std::vector<AtomId>& atoms = ring_.monomial(monomial);
      if (atoms.empty()) {
        least = least + WideInteger(coefficient);
        continue;
      }
      if (atoms.size() != 1 || coefficient < 0) return false;
      if (positive_.contains(atoms[0])) {
        least = least + WideInteger(coefficient);
      } else if (std::ranges::none_of(digits_,
                                      [&](const Digit& digit) { return digit.value == ring_.FromAtom(atoms[0]); })) {
        return false;
      }
    }
    return !least.overflow && least.value >= 0;
  };
  return not_negative(form) && not_negative(ring_.Subtract(ring_.Subtract(bound, form), ring_.FromConstant(1)));
}

bool Rewriter::ReadDigits(const Polynomial& rest, const Polynomial& minor, const Polynomial& radix,
                          Reading& reading) const {
  // An overflow leaves zeros, of which there is no end.
  if (++reading.attempts > kMaxReadAttempts || ring_.overflow()) return false;
  if (rest.IsZero()) {
    reading.bound = radix;
    if (!reading.limit || Below(radix, *reading.limit)) return true;
    // The digits that are left are 0.
    const auto zeros = DivideExactly(*reading.limit, radix);
    if (!zeros) return false;
    reading.steps.push_back({{}, *zeros, minor, radix});
    return true;
  }
  const auto read = [&](const RadixStep& step) {
    const Polynomial product = ring_.Multiply(step.radix, step.major);
    reading.steps.push_back(step);
    if (ReadDigits(ring_.Subtract(rest, product), ring_.Add(product, minor),
                   ring_.Multiply(step.major_size, step.radix), reading)) {
      return true;
    }
    reading.steps.pop_back();
    return false;
  };
  bool has_next = false;
  for (const Digit& digit : reading.digits) {
    if (HasTerms(rest, ring_.Multiply(radix, digit.value))) {
      has_next = true;
      if (read({digit.value, digit.bound, minor, radix})) return true;
      continue;
    }
    // Places may be wider than the digits before them need: 128 * a + b with b < 100.
    const auto atom = ring_.AsAtom(digit.value);
    if (!atom || !radix.IsConstant()) continue;
    const auto term = std::ranges::find(rest.terms, digit.value.terms[0].first, [](const auto& t) { return t.first; });
    if (term == rest.terms.end() || term->second <= radix.Constant()) continue;
    has_next = true;
    if (read({digit.value, digit.bound, minor, ring_.FromConstant(term->second)})) return true;
  }
  // Or there are digits between that are 0: those that a tile puts before the array's.
  if (has_next) return false;
  const std::optional<Polynomial> zeros = NextPlace(rest, radix, reading.digits);
  return zeros && read({{}, *zeros, minor, radix});
}

// The least factor, in number of names, by which the place of a digit in `rest` is above `radix`.
std::optional<Polynomial> Rewriter::NextPlace(const Polynomial& rest, const Polynomial& radix,
                                              const std::vector<Digit>& digits) const {
  std::optional<Polynomial> least;
  size_t least_names = 0;
  for (const auto& [monomial, coefficient] : rest.terms) {
    for (const Digit& digit : digits) {
      const auto atom = ring_.AsAtom(digit.value);
      const auto place = atom ? ring_.DivideByAtom(monomial, *atom) : std::nullopt;
      if (!place) continue;
      const auto factor = DivideExactly(ring_.FromMonomial(*place, coefficient), radix);
      if (!factor || *factor == ring_.FromConstant(1)) continue;
      const size_t names = ring_.monomial(factor->terms[0].first).size();
      if (!least || names < least_names) {
        least = factor;
        least_names = names;
      }
    }
  }
  return least;
}

// dividend / divisor where both are single products, with a coefficient of at least 1.
std::optional<Polynomial> Rewriter::DivideExactly(const Polynomial& dividend, const Polynomial& divisor) const {
  if (dividend.terms.size() != 1 || divisor.terms.size() != 1) return std::nullopt;
  const auto& [monomial, coefficient] = dividend.terms[0];
  const auto& [divisor_monomial, divisor_coefficient] = divisor.terms[0];
  if (coefficient < 1 || divisor_coefficient < 1 || coefficient % divisor_coefficient != 0) return std::nullopt;
  const auto rest = ring_.DivideMonomial(monomial, divisor_monomial);
  if (!rest) return std::nullopt;
  return ring_.FromMonomial(*rest, coefficient / divisor_coefficient);
}

bool Rewriter::Below(const Polynomial& a, const Polynomial& b) const {
  return a == b || (a.IsConstant() && b.IsConstant() && a.Constant() <= b.Constant());
}

std::vector<Rewriter::Digit> Rewriter::DigitsInForm(const Polynomial& form, size_t rules) {
  std::vector<Digit> single;
  std::vector<Digit> several;
  // The newest first: what is assumed of a digit later is a tighter bound.
  for (const Digit& digit : std::views::reverse(digits_)) {
    if (digit.value.terms.size() == 1) {
      const auto atom = ring_.AsAtom(digit.value);
      if (atom && ContainsAtom(ring_, form, *atom)) single.push_back(digit);
    } else {
      several.push_back({InDigits(digit.value, rules, Justify::kNo), digit.bound, digit.value});
    }
  }
  std::ranges::stable_sort(several, std::greater<>(), [](const Digit& digit) { return digit.value.terms.size(); });
  several.insert(several.end(), single.begin(), single.end());
  return several;
}

bool Rewriter::ShowPositive(const Polynomial& polynomial) {
  if (polynomial.terms.size() != 1 || polynomial.terms[0].second < 1) return false;
  const std::vector<AtomId> atoms = ring_.monomial(polynomial.terms[0].first);
  for (const AtomId atom : atoms) {
    if (positive_.contains(atom)) continue;
    // A number of tiles, (d + t - 1) floordiv t with d >= 1.
    const Ring::Atom division = ring_.atoms()[atom];
    if (division.kind != AtomKind::kFloorDiv) return false;
    const Polynomial size = ring_.Add(ring_.Subtract(division.dividend, division.divisor), ring_.FromConstant(1));
    if (!ShowPositive(division.divisor) || !ShowPositive(size)) return false;
    derivation_.Apply(LemmaId::kCeilPositive, {size, division.divisor, ring_.FromAtom(atom)});
    positive_.insert(atom);
  }
  Polynomial product = ring_.FromConstant(polynomial.terms[0].second);
  for (const AtomId atom : atoms) {
    if (!product.IsConstant()) derivation_.Apply(LemmaId::kPositiveProduct, {product, ring_.FromAtom(atom)});
    product = ring_.Multiply(product, ring_.FromAtom(atom));
  }
  return true;
}

void Rewriter::ShowNotNegative(const Polynomial& polynomial) {
  if (polynomial.terms.size() != 1 || polynomial.terms[0].second < 1) return;
  const std::vector<AtomId> atoms = ring_.monomial(polynomial.terms[0].first);
  Polynomial product = ring_.FromConstant(polynomial.terms[0].second);
  for (const AtomId atom : atoms) {
    // 0 <= product makes 0 * atom <= product * atom, where 0 <= atom.
    derivation_.Apply(LemmaId::kMonotoneProduct, {{}, product, ring_.FromAtom(atom)});
    product = ring_.Multiply(product, ring_.FromAtom(atom));
  }
}

Polynomial Rewriter::Replace(const Polynomial& polynomial, const Rule& rule, Justify justify) {
  return ReplaceAtom(derivation_, polynomial, rule.atom, rule.replacement, justify);
}

}  // namespace layoutcheck
