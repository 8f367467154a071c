// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR of Triton kernels, in which a thread computes one element of each tensor.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ir/code_module.h"

namespace layoutcheck {

// Parses TTIR and lowers each function. A program is a block, and the threads of a block are the elements of the
// largest tensors through which it accesses memory: `thread_x` is the last index, `thread_y` the one before, and
// `thread_z` counts all others. A load, store or atomic operation on a tensor is done by the threads of its elements,
// and every thread computes the elements of other tensors that it needs, as the index says. The order of the accesses
// of two threads is that of the program, with a barrier between operations where one may depend on the other. A
// function that has an operation with effects that are not known is left out, with the reason. `path` names the text in
// messages. Errors: those of ParseTtir, and of CodeModule::FromModule for operations on other types than they have.
Expected<CodeModule> LowerTtir(std::string_view text, const std::string& path);

// Lowers the text of a file. Errors: those of LowerTtir, and a file that cannot be read (invalid argument).
Expected<CodeModule> ReadTtir(const std::string& path);

}  // namespace layoutcheck
