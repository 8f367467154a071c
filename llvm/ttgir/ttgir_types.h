// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of TTGIR: layouts of tensors and buffers, and sizes of elements.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/triton_layout.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// The type of a buffer: `!ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>`.
struct TtgirBufferType {
  std::vector<int64_t> shape;
  std::string element;
  std::string encoding;              // "#shared"
  std::string memory;                // "#smem"
  std::vector<int64_t> whole_shape;  // of the buffer that this one is a part of, as long as `shape`

  // Returns "3x64x32xf16".
  std::string ShapeText() const;
};

// Parses `!ttg.memdesc<...>`. Errors (syntax): another text; a size that is no positive number; more than 2^40
// elements.
Expected<TtgirBufferType> ParseBufferType(std::string_view text);

// Returns the bytes of an element in shared memory and registers: "f16" 2, "i1" 1, a pointer 8. Triton keeps elements
// of less than a byte in a byte. Returns nothing for another type.
std::optional<int64_t> ElementBytes(std::string_view element);
std::optional<int64_t> ElementBytes(const TtirType& type);

// Returns "64x64xf32 #blocked"; the text of the type alone for a scalar.
std::string ShapeAndLayout(const TtirType& type);

// The layouts of a module's types.
class TtgirLayouts {
 public:
  // A layout may have so many places (2^32), so that sums of bytes fit into int64.
  static constexpr size_t kMostBits = 32;

  // `aliases` must outlive the object.
  explicit TtgirLayouts(const TtirAttributes& aliases) : aliases_(aliases) {}

  // Returns the encoding with all aliases replaced. Errors (syntax): an alias that is not defined; aliases of aliases
  // more than 8 deep; a text of more than 64 KiB.
  Expected<std::string> Expanded(std::string_view encoding) const;

  // Returns the layout of an encoding for an array of this shape. The reference is valid as long as this object.
  // Errors: those of Expanded and ParseTritonLayout; no encoding (unsupported); more than 2^32 places (unsupported).
  const Expected<TritonLayout>& Find(std::string_view encoding, std::span<const int64_t> shape);
  // Returns the layout of a tensor in registers. Errors: those of Find; a layout of another memory (unsupported).
  Expected<LinearLayout> OfTensor(std::string_view encoding, std::span<const int64_t> shape);

 private:
  Expected<std::string> Expanded(std::string_view encoding, int depth) const;
  Expected<TritonLayout> Read(std::string_view encoding, std::span<const int64_t> shape) const;

  const TtirAttributes& aliases_;
  std::map<std::pair<std::string, std::vector<int64_t>>, Expected<TritonLayout>> known_;
};

// Returns the bytes of a buffer, with its padding. Errors: an element of unknown size (unsupported), those of Find for
// a padded buffer.
Expected<int64_t> BufferBytes(const TtgirBufferType& type, TtgirLayouts& layouts);

}  // namespace layoutcheck
