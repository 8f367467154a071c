// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims about one thread of a kernel. Each function throws FunctionFault where its claim is false.
#pragma once

#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel/thread_of_element.h"

namespace layoutcheck {

// Checks that what the thread stores is the element that belongs at its place: by the request's map of the array
// (SourceMap), for which `numbers` are those of the thread's run, or else the one of the same index.
void CheckRelayout(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                   const std::vector<KernelStore>& stores, const ElementReader& numbers);

// Checks it of the element that the store covers `at` places behind its first one.
void CheckElement(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                  const KernelStore& store, int64_t at, const ElementReader& numbers);

// Checks that the guess names this thread for each element that it stores, and that it stores none twice.
void CheckOwner(const ThreadGuess& guess, const KernelModel::Point& point, const SymbolicValues& values,
                const std::vector<KernelStore>& stores);

// Returns true if one of the stores covers the element of the array.
bool IsStored(const KernelModel::Point& point, const std::vector<KernelStore>& stores, size_t array,
              std::span<const SymbolicInteger> element);

}  // namespace layoutcheck
