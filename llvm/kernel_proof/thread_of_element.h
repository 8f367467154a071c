// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of which thread stores an element. A guess is only a proposal: what follows from it is proved.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/kernel_proof/kernel_model.h"

namespace layoutcheck {

// Formulas of the numbers of the thread that stores an element, by their names ("thread_x"), and of kIteration. They
// have the names of the model's sizes and launch, the element's indices i0, i1, ..., and those below.
using ThreadFormulas = std::map<std::string, Formula>;
inline constexpr const char* kLinearIndex = "linear_index";  // of the element, the last dimension fastest
inline constexpr const char* kPlace = "place";               // of the element in the array, in elements

// Name of the number of the guarded region that stores, among the formulas. No name in a request has a blank.
inline constexpr const char* kGuardedRegion = "guarded region";

// One guess per array that the kernel stores to.
using ThreadGuess = std::map<size_t, ThreadFormulas>;

// Returns "block_x = i0, thread_x = i1 mod block_dim_x".
std::string GuessText(const ThreadFormulas& formulas);

// Returns `values` with the names that ThreadFormulas may have: also "block_dim_x" and "grid_dim_x" of the launch, as
// far as they are known.
SymbolicValues NamesOfElement(const KernelModel::Point& point, SymbolicValues values, const KernelTensor& tensor,
                              std::span<const SymbolicInteger> element);

// Returns the numbers of the thread that stores the element of the array by the guess; nothing if the guess says
// nothing about the array or needs a number of the launch that is not known.
std::optional<SymbolicValues> ThreadOf(const ThreadGuess& guess, const KernelModel::Point& point,
                                       const SymbolicValues& values, size_t array,
                                       std::span<const SymbolicInteger> element);

}  // namespace layoutcheck
