// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of TTIR: `tensor<128x32x!tt.ptr<f16>>`, and those of results that the text of an operation leaves out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// Returns the text up to a comma that is in no bracket, such as the one before an encoding.
std::string_view UpToComma(std::string_view text);

// Reads the sizes at the beginning of "3x64x32xf16" and removes them from the text. Returns nothing after a size that
// is no positive number, or more than 2^40 elements. A text that ends with a size has no element.
std::optional<std::vector<int64_t>> TakeSizes(std::string_view& text);

// Parses the text of one type. A type that is none of numbers, pointers and tensors of them is kept as the name of an
// element. Errors (syntax): a tensor with a size that is no positive number, or with more than 2^40 elements.
Expected<TtirType> ParseTtirType(std::string_view text);

// Returns the types of `count` results of an operation whose text has only types of operands, such as the comparison
// of two tensors of i32, whose result is a tensor of i1. Returns fewer if they cannot be told.
std::vector<TtirType> ResultTypes(const TtirOp& op, size_t count);

}  // namespace layoutcheck
