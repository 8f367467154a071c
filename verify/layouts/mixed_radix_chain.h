// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definition C of a tiled layout: a chain of steps between boxes of digits, each with its inverse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/verify/layouts/tiling.h"

namespace layoutcheck::verify {

// The chain of one layout.
class MixedRadixChain {
 public:
  // The coordinate that an offset's digits give, and the conditions digit < size under which an element has it.
  struct Inverse {
    std::vector<Polynomial> coordinate;
    std::vector<std::pair<Polynomial, Polynomial>> conditions;
  };
  // A digit that a tile pads from `size` to `padded`, a multiple of `tile`.
  struct PaddedDigit {
    Polynomial size;
    Polynomial padded;
    Polynomial tile;
  };

  MixedRadixChain(Ring& ring, const SizedLayout& layout);

  Polynomial elements() const { return elements_; }
  Polynomial Index(std::span<const Polynomial> point) const;
  Inverse InverseOf(Polynomial offset) const;
  // Returns the padded digits, tile by tile.
  const std::vector<PaddedDigit>& padded_digits() const { return padded_digits_; }
  // Returns the sizes of the padded box: of each dimension its padded size where it is first padded as a whole digit,
  // otherwise its own. Requires a layout whose tiles put no dimension in front.
  std::vector<Polynomial> BoxSizes() const;

 private:
  enum class Kind : uint8_t { kReorder, kPrepend, kMerge, kPad, kSplit };
  struct Step {
    Kind kind;
    size_t first = 0;                     // place of the first digit concerned; kPrepend: number of digits
    std::vector<size_t> order = {};       // kReorder: old place of each new digit
    std::vector<Polynomial> sizes = {};   // kMerge: minor size; kPad: unpadded sizes; kSplit: tile sizes
    std::vector<Polynomial> padded = {};  // kPad
  };

  void AddReorder(std::vector<size_t> order);
  void AddTile(const std::vector<TileSize>& tile);
  std::vector<Polynomial> Forward(const Step& step, std::vector<Polynomial> digits) const;
  std::vector<Polynomial> Backward(const Step& step, std::vector<Polynomial> digits, Inverse& inverse) const;

  Ring& ring_;
  std::vector<Polynomial> dimensions_;
  std::vector<Step> steps_;
  std::vector<Polynomial> box_;  // sizes of the digits after all steps
  std::vector<PaddedDigit> padded_digits_;
  Polynomial elements_;
};

}  // namespace layoutcheck::verify
