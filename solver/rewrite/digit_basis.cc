// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/rewrite/quotient_finder.h"

namespace layoutcheck {
namespace {

// Returns the last atom that is an addend with coefficient 1 and occurs in no other addend, or nothing if there is a
// constant, so that ceil(d / t) does not count for d.
std::optional<AtomId> BaseAtom(const Ring& ring, const Polynomial& dividend) {
  if (dividend.Constant() != 0) return std::nullopt;
  std::optional<AtomId> base;
  for (const auto& [monomial, coefficient] : dividend.addends) {
    const std::vector<AtomId>& atoms = ring.monomial(monomial);
    if (coefficient != 1 || atoms.size() != 1) continue;
    const auto uses = std::ranges::count_if(dividend.addends, [&](const auto& addend) {
      return std::ranges::binary_search(ring.monomial(addend.first), atoms[0]);
    });
    if (uses == 1) base = base ? std::max(*base, atoms[0]) : atoms[0];
  }
  return base;
}

}  // namespace

DigitBasis::DigitBasis(Derivation& derivation, std::span<const OpaqueQuotient> quotients, Chain chain)
    : derivation_(derivation) {
  if (chain == Chain::kNone) return;
  std::vector<AtomId> done;
  // Quotients of single atoms come before quotients of sums.
  for (const bool alone : {true, false}) {
    for (const OpaqueQuotient& quotient : quotients) {
      const auto base = BaseAtom(derivation.ring(), quotient.dividend);
      if (!base || (quotient.dividend.addends.size() == 1) != alone || std::ranges::find(done, *base) != done.end()) {
        continue;
      }
      std::vector<OpaqueQuotient> family;
      for (const OpaqueQuotient& other : quotients) {
        if (other.dividend == quotient.dividend && other.divisor.IsConstant() == (chain != Chain::kSymbolic)) {
          family.push_back(other);
        }
      }
      if (family.empty()) continue;
      done.push_back(*base);
      AddFamily(*base, quotient.dividend, std::move(family), chain);
    }
  }
}

void DigitBasis::AddFamily(AtomId base, const Polynomial& dividend, std::vector<OpaqueQuotient> family, Chain chain) {
  Ring& ring = derivation_.ring();
  std::vector<OpaqueQuotient> links;  // quotients by ascending divisor
  if (chain == Chain::kSymbolic) {
    links = {family.front()};
  } else {
    const auto divisor = [](const OpaqueQuotient& quotient) { return quotient.divisor.Constant(); };
    std::ranges::sort(family, {}, divisor);
    if (chain == Chain::kDescending) std::ranges::reverse(family);
    for (const OpaqueQuotient& next : family) {
      if (links.empty() || (chain == Chain::kAscending ? divisor(next) % divisor(links.back())
                                                       : divisor(links.back()) % divisor(next)) == 0) {
        links.push_back(next);
      }
    }
    if (chain == Chain::kDescending) std::ranges::reverse(links);
  }
  // The number that is split next, the difference of the dividend and that number, and the product of divisors so far.
  AtomId current = base;
  Polynomial others = ring.Subtract(dividend, ring.FromAtom(base));
  Polynomial place = ring.FromConstant(1);
  for (const OpaqueQuotient& link : links) {
    const Polynomial radix = place.IsConstant() && link.divisor.IsConstant()
                                 ? ring.FromConstant(link.divisor.Constant() / place.Constant())
                                 : link.divisor;
    const Polynomial digit = ring.FromAtom(ring.Variable(StrCat("digit!", current, "!", link.atom)));
    const Polynomial multiple = ring.Multiply(radix, ring.FromAtom(link.atom));
    const Polynomial whole = ring.Add(ring.FromAtom(current), others);
    to_digits_.emplace_back(current, ring.Subtract(ring.Add(multiple, digit), others));
    from_digits_.emplace_back(*ring.AsAtom(digit), ring.Subtract(whole, multiple));
    current = link.atom;
    others = {};
    place = link.divisor;
  }
}

Polynomial DigitBasis::Replace(Polynomial polynomial, const Replacements& replacements) const {
  for (const auto& [atom, replacement] : replacements) {
    polynomial = ReplaceAtom(derivation_, polynomial, atom, replacement, Justify::kNo);
  }
  return polynomial;
}

}  // namespace layoutcheck
