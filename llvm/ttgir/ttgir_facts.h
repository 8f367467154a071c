// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts on which the rules of TTGIR rest: the uses of values in a function, and the operations that compute a tensor
// from scalars.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// The operations of a function in the order of the text, with the loops around each, and the uses of values.
class TtgirUses {
 public:
  struct Place {
    const TtirOp* op = nullptr;
    int64_t loops = 0;
  };

  explicit TtgirUses(const TtirFunction& function) { Add(function.blocks, 0); }

  const std::vector<Place>& places() const { return places_; }
  // Returns the operations that use the value, one per use.
  const std::vector<const TtirOp*>& Of(const TtirValue* value) const;

 private:
  void Add(const std::vector<TtirBlock>& blocks, int64_t loops);

  std::vector<Place> places_;
  std::map<const TtirValue*, std::vector<const TtirOp*>> uses_;
};

// Returns the operations that compute a tensor from constants, ranges and scalars alone, each of which gives the same
// elements in any layout without data of other threads: the operations of arith and math, splats, broadcasts and the
// like, at most 1000. Returns nothing if the tensor depends on anything else, such as a load or a loop.
std::optional<std::set<const TtirOp*>> ComputedFromScalars(const TtirValue* tensor);

}  // namespace layoutcheck
