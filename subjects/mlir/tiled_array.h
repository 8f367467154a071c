// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HLO's arrays in tiled layouts, as memrefs whose layout is an affine map.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// The error for a layout that MLIR cannot express.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct TiledArray {
  std::string element_type;
  std::vector<int64_t> dimensions;
  std::vector<bool> is_dynamic;
  std::vector<int64_t> minor_to_major;
  std::vector<std::vector<int64_t>> tiles;
};

// Reads canonical HLO text such as f32[<=2,3]{0,1:T(2,128)(*,2)}. Throws Unsupported for everything else.
TiledArray ReadTiledArray(std::string_view text);

// Returns the text of a function that allocates the array and loads one element by `load`, memref.load or affine.load.
// Its arguments are the index and the dynamic sizes. Throws Unsupported if no map expresses the layout.
std::string ModuleText(const TiledArray& array, std::string_view load);

}  // namespace layoutcheck
