// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on linear layouts, named after those of Triton's LinearLayout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

// The name and size, a power of two, of an input or output.
struct LinearDimension {
  std::string name;
  uint64_t size = 1;
};

// Returns the layout x -> x from one input to one output. Errors: a size that is no power of two; too many bits.
Expected<LinearLayout> IdentityLayout(uint64_t size, std::string input, std::string output);
// Returns the layout x -> 0 to an output of size 1.
Expected<LinearLayout> ZeroLayout(uint64_t size, std::string input, std::string output);

// Returns x -> outer(inner(x)). Requires that the outputs of `inner` are the inputs of `outer` by name, in any order,
// and no larger. Error (invalid argument): names or sizes do not match.
Expected<LinearLayout> Compose(const LinearLayout& inner, const LinearLayout& outer);

// Returns the product: inputs and outputs of the same name are joined, with `inner` in their low bits. It has the names
// of both, in an order that keeps that of each, with those of `inner` first where that leaves a choice. Errors: the
// orders contradict each other (invalid argument); too many bits.
Expected<LinearLayout> Product(const LinearLayout& inner, const LinearLayout& outer);
// Returns the layout c with Product(inner, c) == product that has all names of `product`, or nothing.
std::optional<LinearLayout> DivideLeft(const LinearLayout& product, const LinearLayout& inner);

// Returns the layout c with outer(c(x)) == layout(x), from the inputs of `layout` to those of `outer`. Of several
// values it takes the one without bits whose image is a sum of images before it. Requires equal names of outputs, in
// any order, and no larger outputs of `layout`. Error (invalid argument): names or sizes do not match, or a value of
// `layout` is none of `outer`.
Expected<LinearLayout> InvertAndCompose(const LinearLayout& layout, const LinearLayout& outer);
// Returns the layout from outputs to inputs with layout(inverse(y)) == y, chosen as by InvertAndCompose. Error (invalid
// argument): a value that is not reached.
Expected<LinearLayout> Inverse(const LinearLayout& layout);

// Cut the bits of all inputs or outputs, first one fastest, into the given ones. Error (invalid argument): another
// product of sizes, or a size that is no power of two.
Expected<LinearLayout> ReshapeInputs(const LinearLayout& layout, const std::vector<LinearDimension>& inputs);
Expected<LinearLayout> ReshapeOutputs(const LinearLayout& layout, const std::vector<LinearDimension>& outputs);
// Join all inputs or outputs, first one fastest, into one with the name of the first. Without any, nothing changes.
Expected<LinearLayout> FlattenInputs(const LinearLayout& layout);
Expected<LinearLayout> FlattenOutputs(const LinearLayout& layout);
// Returns the layout with its outputs in the order of `names`. Error (invalid argument): other names than its own.
Expected<LinearLayout> TransposeOutputs(const LinearLayout& layout, const std::vector<std::string>& names);

// Returns the largest power of two n such that any n numbers of the first input from a multiple of n on have n
// consecutive values of the first output, from a multiple of n on, and equal values of the other outputs.
uint64_t NumConsecutive(const LinearLayout& layout);
// Returns, per input, the bits whose image is a sum of images before it. Inputs that differ in such bits alone can be
// brought to the same value by changing other bits.
std::vector<uint64_t> FreeVariableMasks(const LinearLayout& layout);

}  // namespace layoutcheck
