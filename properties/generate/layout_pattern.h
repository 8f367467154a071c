// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// A layout in HLO, fractal or shape:stride notation in which sizes may be names, such as "bf16[A,M,N]{2,1,0:T(8,128)}",
// "zN:f16[M,N]" or "((8,M),N):((1,8*N),8)". A name is a word of letters, digits and _ in brackets that is no element
// type. A name may be multiplied with numbers and other names.
class LayoutPattern {
 public:
  // The place of a name in the layout.
  struct Name {
    std::string text;
    bool is_tile = false;  // the size of a tile, not of a dimension
    // The sizes of the tiles that cut the dimension of this name, without repetitions and 1. Empty for an untiled
    // dimension and for shape:stride notation.
    std::vector<int64_t> periods;
  };

  // Errors: the text is no layout even after its names became numbers; the message quotes it with those numbers.
  static Expected<LayoutPattern> Parse(std::string_view text);

  // Returns true if the text has a name, whether or not it is a layout.
  static bool HasNames(std::string_view text);

  const std::string& text() const { return text_; }
  // Returns the names in the order of the text, each once. A text without names is a pattern of one layout.
  const std::vector<Name>& names() const { return names_; }
  // Returns true for shape:stride notation. Such a layout may have a swizzle or strides that no XLA layout has.
  bool is_shape_stride() const { return is_shape_stride_; }
  bool is_hlo() const { return is_hlo_; }
  int64_t rank() const { return rank_; }    // 0 for shape:stride notation
  int64_t tiles() const { return tiles_; }  // 0 for shape:stride notation

  // Returns the text with these values, one per name. A product past int64 becomes the largest int64.
  std::string Write(std::span<const int64_t> values) const;
  // Returns the array with these values. Errors: those of HloOfText for Write(values).
  Expected<Shape> ShapeWith(std::span<const int64_t> values) const;

 private:
  // A piece of the text: literal text, then the product of a coefficient and names, unless there is no name.
  struct Piece {
    std::string literal;
    int64_t coefficient = 1;
    std::vector<size_t> names;
  };

  void Split(std::string_view text);
  size_t IndexOfName(std::string_view name);
  Expected<void> FindPlaces();

  std::string text_;
  std::vector<Piece> pieces_;
  std::vector<Name> names_;
  bool is_shape_stride_ = false;
  bool is_hlo_ = false;
  int64_t rank_ = 0;
  int64_t tiles_ = 0;
};

}  // namespace layoutcheck
