// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of which thread stores an element. A guess is only a proposal: what follows from it is proved.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel_proof/kernel_model.h"

namespace layoutcheck {

struct ThreadGuess {
  enum class Kind : uint8_t {
    kLinear,           // the linear index over the threads of x, the last dimension fastest
    kLastDimensions,   // the last dimensions over the threads of x, y and z
    kFirstDimensions,  // the first dimensions over the threads of x, y and z
    kBlockPerRow,      // the first dimension over the blocks of x, the last over the threads of x
    kPlace,            // the place in the array over the threads of x
    kGridStride,       // the linear index over the threads of x, again and again: the iterations of a loop
    kBlockStride,  // the first dimension over the blocks of x, the last over the threads of a block, again and again
  };
  Kind kind = Kind::kLinear;
  int64_t per_thread = 1;  // elements one after another that one thread stores
};

// Returns all guesses for threads that store so many elements each.
std::vector<ThreadGuess> ThreadGuesses(int64_t per_thread);

// Returns the numbers of the thread that stores the element of the tensor, by the names of the model, and kIteration
// where the guess says it; nothing if the guess does not fit the launch.
std::optional<SymbolicValues> ThreadOf(const ThreadGuess& guess, const KernelModel& model,
                                       const KernelModel::Point& point, const KernelTensor& tensor,
                                       std::span<const SymbolicInteger> element);

}  // namespace layoutcheck
