// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivations that single laws need in addition to what a Rewriter applies by itself.
#pragma once

#include <optional>
#include "layoutcheck/solver/rewrite/rewriter.h"

namespace layoutcheck {

// Derives that two numbers, which the rewriter reads in the same way, have equal digits if they are equal. With a
// bound, only readings as a number below it count.
void DeriveEqualDigits(Derivation& derivation, Rewriter& rewriter, const Polynomial& first, const Polynomial& second,
                       const std::optional<Polynomial>& bound);

// Derives that tile * tile_count with tile_count = ceil(size / tile) is at least `size`, less than size + tile, and at
// most tile * other for every `other` with size <= tile * other. All but `other` are canonical.
void DeriveLeastMultiple(Derivation& derivation, Rewriter& rewriter, const Polynomial& size, const Polynomial& tile,
                         const Polynomial& tile_count, const Polynomial& other);

}  // namespace layoutcheck
