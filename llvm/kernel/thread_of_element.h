// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of which thread stores an element. A guess is only a proposal: what follows from it is proved.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/kernel/host_run.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"

namespace layoutcheck {

// Formulas of the numbers of the thread that stores an element, by their names ("thread_x"), and of the two below. They
// have the names of the model's sizes and launch, the element's indices i0, i1, ..., and kLinearIndex and kPlace.
using ThreadFormulas = std::map<std::string, Formula>;
inline constexpr const char* kLinearIndex = "linear_index";  // of the element, the last dimension fastest
inline constexpr const char* kPlace = "place";               // of the element in the array, in elements

// Name of the number of the guarded region that stores, among the formulas; kIteration is that of an iteration. No name
// in a request has a blank.
inline constexpr const char* kGuardedRegion = "guarded region";

// Maximum number of guarded regions that are asked about one by one.
inline constexpr size_t kMostRegions = 64;

// The thread that stores some elements of an array. The condition, a formula with the same names, says which: where it
// is missing, all that no earlier case has.
struct ThreadCase {
  ThreadFormulas formulas;
  std::optional<Formula> condition = std::nullopt;
  std::string place = {};  // place in the source that stores them; empty if it is not known
};

// One guess per array that the kernel stores to: its cases, of which the first one that applies counts.
using ThreadGuess = std::map<size_t, std::vector<ThreadCase>>;

// The thread that stores an element by a guess, and where in its code it does.
struct ElementOwner {
  SymbolicValues thread;                     // the numbers of the thread, by their names
  std::optional<SymbolicInteger> iteration;  // the iteration of a loop, if the guess says it
  std::optional<SymbolicInteger> region;     // number of the guarded region, if the guess says it
  std::string place = {};                    // the place in the source that stores it, if the guess says it

  // Returns true if the values are those of the thread.
  bool IsThread(const SymbolicValues& values) const;
  // Returns the values with the numbers of this thread, and with kIteration if it is known.
  SymbolicValues In(SymbolicValues values) const;
  // Returns the region as a set for KernelModel::RunRegions(): nothing if the guess does not say it, and an empty set
  // if it is none of the first kMostRegions.
  std::optional<std::set<size_t>> Regions() const;
};

// Returns the owner by the formulas, which have the values `names`; nothing if a name has no value.
std::optional<ElementOwner> OwnerBy(const ThreadFormulas& formulas, const SymbolicValues& names);

// Parses "block_x = i0, thread_x = i1 % 32": the numbers of the thread that stores element (i0,i1), and "iteration" if
// it does so in a loop. The formulas have the names of the sizes, of the launch and of the element, as ThreadFormulas
// has; numbers that are not there are 0. Errors: syntax; an unknown name (invalid argument).
Expected<ThreadFormulas> ParseThread(const std::string& text, std::span<const std::string> thread_names,
                                     std::vector<std::string> names);

// Returns the thread whose numbers are among the values; those that are not there are 0, and expressions are -1.
HostThread ThreadIn(const SymbolicValues& values);

// Returns "block_x = i0, thread_x = i1 mod block_dim_x", for each case.
std::string GuessText(const std::vector<ThreadCase>& cases);

// Returns `values` with the sizes of the launch, "block_dim_x" and "grid_dim_x", as far as they are known.
SymbolicValues NamesOfLaunch(const KernelModel::Point& point, SymbolicValues values);
// Returns `values` with all names that ThreadFormulas may have.
SymbolicValues NamesOfElement(const KernelModel::Point& point, SymbolicValues values, const KernelTensor& tensor,
                              std::span<const SymbolicInteger> element);

// Returns the owner of an element of the array; nothing if the guess says nothing about the array or needs a size of
// the launch that is not known.
std::optional<ElementOwner> OwnerOf(const ThreadGuess& guess, const KernelModel::Point& point,
                                    const SymbolicValues& values, size_t array,
                                    std::span<const SymbolicInteger> element);

}  // namespace layoutcheck
