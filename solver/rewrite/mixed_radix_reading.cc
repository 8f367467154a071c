// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include "layoutcheck/solver/rewrite/rewriter.h"

namespace layoutcheck {
namespace {

// Maximum number of attempts per number. Numbers in practice need one attempt per digit.
constexpr int kMaxReadAttempts = 20000;

// Returns true if `whole` has every addend of `part`, with the same coefficient.
bool HasAddends(const Polynomial& whole, const Polynomial& part) {
  return std::ranges::includes(whole.addends, part.addends);
}

// Returns dividend / divisor if both are single products and the quotient has a coefficient of at least 1.
std::optional<Polynomial> DivideExactly(Ring& ring, const Polynomial& dividend, const Polynomial& divisor) {
  if (dividend.addends.size() != 1 || divisor.addends.size() != 1) return std::nullopt;
  const auto& [monomial, coefficient] = dividend.addends[0];
  const auto& [divisor_monomial, divisor_coefficient] = divisor.addends[0];
  if (coefficient < 1 || divisor_coefficient < 1 || coefficient % divisor_coefficient != 0) return std::nullopt;
  const auto rest = ring.DivideMonomial(monomial, divisor_monomial);
  if (!rest) return std::nullopt;
  return ring.FromMonomial(*rest, coefficient / divisor_coefficient);
}

// Returns true if a <= b because both are multiples of one product of positive names.
bool IsKnownAtMost(const Polynomial& a, const Polynomial& b) {
  if (a == b || (a.IsConstant() && b.IsConstant() && a.Constant() <= b.Constant())) return true;
  return a.addends.size() == 1 && b.addends.size() == 1 && a.addends[0].first == b.addends[0].first &&
         a.addends[0].second <= b.addends[0].second;
}

class Reader {
 public:
  Reader(Ring& ring, const std::vector<BoundedDigit>& digits, const std::optional<Polynomial>& limit)
      : ring_(ring), digits_(digits), limit_(limit) {}

  // Reads `rest` as digits whose first place is `radix`; `minor` is the number that the digits read so far make.
  bool Read(const Polynomial& rest, const Polynomial& minor, const Polynomial& radix) {
    // After an overflow, zeros can be read without end.
    if (++attempts_ > kMaxReadAttempts || ring_.overflow()) return false;
    if (rest.IsZero()) return Finish(minor, radix);
    bool has_next = false;
    for (const BoundedDigit& digit : digits_) {
      if (HasAddends(rest, ring_.Multiply(radix, digit.value))) {
        has_next = true;
        if (ReadAfter({digit.value, digit.bound, minor, radix}, rest)) return true;
        continue;
      }
      const std::optional<Polynomial> wider = WiderPlace(rest, digit.value, radix);
      if (!wider) continue;
      has_next = true;
      if (ReadAfter({digit.value, digit.bound, minor, *wider}, rest)) return true;
    }
    if (has_next) return false;
    // The next digits may be zeros: those of the dimensions of size 1 that a tile puts before the array's.
    const std::optional<Polynomial> zeros = NextPlace(rest, radix);
    return zeros && ReadAfter({{}, *zeros, minor, radix}, rest);
  }

  MixedRadixReading TakeReading() { return std::move(reading_); }

 private:
  bool Finish(const Polynomial& minor, const Polynomial& radix) {
    reading_.bound = radix;
    if (!limit_ || IsKnownAtMost(radix, *limit_)) return true;
    // The remaining digits up to the limit are zeros.
    const auto zeros = DivideExactly(ring_, *limit_, radix);
    if (!zeros) return false;
    reading_.steps.push_back({{}, *zeros, minor, radix});
    return true;
  }

  bool ReadAfter(const RadixStep& step, const Polynomial& rest) {
    const Polynomial product = ring_.Multiply(step.radix, step.major);
    reading_.steps.push_back(step);
    if (Read(ring_.Subtract(rest, product), ring_.Add(product, step.minor),
             ring_.Multiply(step.major_size, step.radix))) {
      return true;
    }
    reading_.steps.pop_back();
    return false;
  }

  // Returns the place of the digit in `rest` if it is wider than the digits before it need: 128 in 128 * a + b with
  // b < 100, or 4 P in 4 P * a + b with b < 3 P.
  std::optional<Polynomial> WiderPlace(const Polynomial& rest, const Polynomial& digit, const Polynomial& radix) {
    const auto atom = ring_.AsAtom(digit);
    if (!atom) return std::nullopt;
    for (const auto& [monomial, coefficient] : rest.addends) {
      const auto place = ring_.DivideByAtom(monomial, *atom);
      if (!place) continue;
      Polynomial wider = ring_.FromMonomial(*place, coefficient);
      if (wider != radix && coefficient > 0 && IsKnownAtMost(radix, wider)) return wider;
    }
    return std::nullopt;
  }

  // Returns the factor from `radix` to the nearest place of a digit in `rest`, the one with the fewest names.
  std::optional<Polynomial> NextPlace(const Polynomial& rest, const Polynomial& radix) {
    std::optional<Polynomial> least;
    size_t least_names = 0;
    for (const auto& [monomial, coefficient] : rest.addends) {
      for (const BoundedDigit& digit : digits_) {
        const auto atom = ring_.AsAtom(digit.value);
        const auto place = atom ? ring_.DivideByAtom(monomial, *atom) : std::nullopt;
        if (!place) continue;
        const auto factor = DivideExactly(ring_, ring_.FromMonomial(*place, coefficient), radix);
        if (!factor || *factor == ring_.FromConstant(1)) continue;
        const size_t names = ring_.monomial(factor->addends[0].first).size();
        if (!least || names < least_names) {
          least = factor;
          least_names = names;
        }
      }
    }
    return least;
  }

  Ring& ring_;
  const std::vector<BoundedDigit>& digits_;
  const std::optional<Polynomial>& limit_;
  MixedRadixReading reading_;
  int attempts_ = 0;
};

}  // namespace

std::optional<MixedRadixReading> ReadMixedRadix(Ring& ring, const Polynomial& number,
                                                const std::vector<BoundedDigit>& digits,
                                                const std::optional<Polynomial>& limit) {
  Reader reader(ring, digits, limit);
  if (!reader.Read(number, {}, ring.FromConstant(1))) return std::nullopt;
  return reader.TakeReading();
}

}  // namespace layoutcheck
