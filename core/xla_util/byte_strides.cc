// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/byte_strides.h"
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/index_util.h"

namespace layoutcheck {
namespace {

Expected<std::vector<int64_t>> StridesOf(const Shape& shape, int64_t element_bytes) {
  if (auto valid = ValidateSizedArrayWithLayout(shape); !valid) return std::unexpected(std::move(valid).error());
  std::vector<int64_t> strides(shape.dimensions.size());
  CheckedInt64 stride = element_bytes;
  for (const int64_t d : shape.layout->minor_to_major) {
    const auto bytes = ValueOrOverflow(stride, StrCat("the byte stride of dimension ", d));
    if (!bytes) return std::unexpected(bytes.error());
    strides[static_cast<size_t>(d)] = *bytes;
    stride = stride * shape.dimensions[static_cast<size_t>(d)];
  }
  return strides;
}

}  // namespace

Expected<std::vector<int64_t>> UnpackedByteStrides(const Shape& shape) {
  return StridesOf(shape, ByteWidth(shape.element_type));
}

Expected<std::optional<std::vector<int64_t>>> ByteStrides(const Shape& shape) {
  if (auto valid = ValidateSizedArrayWithLayout(shape); !valid) return std::unexpected(std::move(valid).error());
  const int64_t bits = shape.layout->element_size_in_bits;
  if (bits < 0) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat("E(", bits, "): the element size is negative"));
  }
  if (bits % 8 != 0) return std::nullopt;
  auto strides = StridesOf(shape, bits == 0 ? ByteWidth(shape.element_type) : bits / 8);
  if (!strides) return std::unexpected(std::move(strides).error());
  return *std::move(strides);
}

}  // namespace layoutcheck
