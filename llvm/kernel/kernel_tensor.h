// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of a kernel as a function of the names in its layout, and formulas of these names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/llvm/ir/machine_value.h"
#include "layoutcheck/llvm/kernel/array_layout.h"
#include "layoutcheck/solver/paths/symbolic_formula.h"
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace layoutcheck {

// Returns the number, or -1 for an expression.
inline int64_t NumberOf(const SymbolicInteger& value) { return static_cast<int64_t>(value.number().value_or(-1)); }

// Parses a formula of the names. Errors, which begin with the option: syntax; another name (invalid argument).
Expected<Formula> ParseFormulaOf(std::string_view option, const std::string& text, std::span<const std::string> names);

// One array over its sizes. A place in it is counted in bytes, or in elements if several of them share a byte: the
// first one has the lowest bits.
class KernelTensor {
 public:
  KernelTensor(const ArrayLayout& layout, const SymbolicValues& names);

  SymbolicInteger bytes() const {
    return places_per_byte_ == 1 ? elements_ * element_bytes_ : CeilDiv(elements_, places_per_byte_);
  }
  // Returns the number of bytes of an element; 1 if it shares a byte with others.
  int64_t element_bytes() const { return element_bytes_; }
  int64_t places_per_byte() const { return places_per_byte_; }
  int64_t place_bits() const { return kBitsPerByte / places_per_byte_; }
  // Returns the number of the lowest bits of an element that are its value.
  int64_t value_bits() const { return value_bits_; }
  // Returns the place of a byte.
  SymbolicInteger PlaceOfByte(const SymbolicInteger& byte) const {
    return places_per_byte_ == 1 ? byte : byte * places_per_byte_;
  }
  bool has_strides() const { return !strides_.empty(); }
  const std::vector<SymbolicInteger>& sizes() const { return sizes_; }
  // Returns the place of an element.
  SymbolicInteger PlaceOf(std::span<const SymbolicInteger> index) const;
  // Returns the element that lies at a place, or nothing for padding.
  std::optional<std::vector<SymbolicInteger>> ElementAt(const SymbolicInteger& place) const;

 private:
  KernelTensor(const BasicTiledLayout<SymbolicInteger>& layout, int64_t element_bits, int64_t value_bits)
      : sizes_(layout.dimensions),
        element_bytes_(std::max<int64_t>(element_bits / kBitsPerByte, 1)),
        places_per_byte_(std::max<int64_t>(kBitsPerByte / element_bits, 1)),
        value_bits_(value_bits),
        minor_to_major_(layout.minor_to_major),
        index_(layout),
        digits_(layout),
        elements_(index_.padded_elements()) {}
  // Returns the size of the memory by the strides, in elements: up to the last element.
  SymbolicInteger StridedElements() const;
  // Returns the index of the element at a place in elements, or nothing if there is none. Requires nested strides
  // (AssumeNestedStrides).
  std::optional<std::vector<SymbolicInteger>> StridedIndex(SymbolicInteger place) const;

  std::vector<SymbolicInteger> sizes_;
  std::vector<SymbolicInteger> strides_;  // in elements; none if the layout says where elements are
  int64_t element_bytes_;
  int64_t places_per_byte_;
  int64_t value_bits_;
  std::vector<int64_t> minor_to_major_;
  BasicTiledIndex<SymbolicInteger> index_;
  MixedRadix<SymbolicInteger> digits_;
  SymbolicInteger elements_;  // size of the memory, in elements
};

}  // namespace layoutcheck
