// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/law_derivations.h"
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace layoutcheck {
namespace {

// Calls pair(x, y) for the steps that were added for the first number and, at the same place, for the second.
template <class Step, class Pair>
void ForEachPair(const std::vector<Step>& steps, size_t first_begin, size_t second_begin, Pair&& pair) {
  const size_t count = std::min(second_begin - first_begin, steps.size() - second_begin);
  for (size_t k = 0; k < count; ++k) pair(steps[first_begin + k], steps[second_begin + k]);
}

}  // namespace

void DeriveEqualDigits(Derivation& derivation, Rewriter& rewriter, const Polynomial& first, const Polynomial& second,
                       const std::optional<Polynomial>& bound) {
  const auto read = [&](const Polynomial& number) {
    const Polynomial canonical = rewriter.Canonical(number);
    if (bound) {
      rewriter.ShowInRange(canonical, *bound);
    } else {
      rewriter.FindBound(canonical);
    }
  };
  // The same work is done for both numbers, so their steps correspond.
  const size_t first_radix = rewriter.radix_steps().size();
  const size_t first_split = rewriter.splits().size();
  read(first);
  const size_t second_radix = rewriter.radix_steps().size();
  const size_t second_split = rewriter.splits().size();
  read(second);
  ForEachPair(rewriter.radix_steps(), first_radix, second_radix, [&](const RadixStep& x, const RadixStep& y) {
    const std::vector<Polynomial> arguments = {x.major, x.minor, y.major, y.minor, x.radix};
    derivation.Apply(LemmaId::kRadixMajor, arguments);
    derivation.Apply(LemmaId::kRadixMinor, arguments);
  });
  ForEachPair(rewriter.splits(), first_split, second_split, [&](const Rewriter::Split& x, const Rewriter::Split& y) {
    derivation.Apply(LemmaId::kEqualProducts, {x.quotient, y.quotient, x.divisor});
  });
}

void DeriveLeastMultiple(Derivation& derivation, Rewriter& rewriter, const Polynomial& size, const Polynomial& tile,
                         const Polynomial& tile_count, const Polynomial& other) {
  Ring& ring = derivation.ring();
  rewriter.ShowPositive(tile);
  rewriter.ShowNotNegative(size);
  derivation.Apply(LemmaId::kCeilBounds, {size, tile, tile_count});
  // size + tile - 1 < tile * (other + 1), so its quotient tile_count is at most `other`.
  derivation.Apply(LemmaId::kOnto, {ring.Plus(ring.Add(size, tile), -1), ring.Plus(other, 1), tile});
  derivation.Apply(LemmaId::kMonotoneProduct, {tile_count, other, tile});
}

}  // namespace layoutcheck
