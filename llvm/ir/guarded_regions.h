// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of a function that a condition guards and that have no effect but accesses to arrays, such as
// `if (i < M && j < N) out[i * N + j] = in[j * M + i];`. A claim about the accesses of one of them needs no other one,
// so the paths through n of them need not be 2^n.
#pragma once

#include <map>
#include <set>

namespace llvm {
class AllocaInst;
class BasicBlock;
class BranchInst;
class Function;
}  // namespace llvm

namespace layoutcheck {

// The regions of one function. None has a barrier, a loop, a return or a variable that is used outside of it, and none
// lies in another one. Its results are phis of which no address and no decision depends: the function computes with
// them as floating point, as in `sum += i > 0 ? in[i - 1] : 0`, or stores them behind the region, which only loads
// then, as in `tile[i] = i < N ? in[i] : 0`.
class GuardedRegions {
 public:
  explicit GuardedRegions(const llvm::Function& function);

  // Returns the block in which both ways of a branch meet behind the region that it guards; null if it guards none.
  const llvm::BasicBlock* EndOf(const llvm::BranchInst& branch) const {
    const auto known = ends_.find(&branch);
    return known == ends_.end() ? nullptr : known->second;
  }
  // Returns true if the region that the branch guards may store to an array. Requires such a region.
  bool MayStore(const llvm::BranchInst& branch) const { return storing_.contains(&branch); }
  // Returns true if the function may store a result of this region.
  bool IsResultStored(const llvm::BranchInst& branch) const { return with_stored_results_.contains(&branch); }
  // A branch in a loop that decides the values of some variables and does nothing else, such as `if (x > most) most =
  // x;`. The variables are only stored to arrays, used in floating point and given to functions without a body, of
  // whose results nothing is known. No address and no decision depends on them, so that a path on which they are
  // unknown stands for both ways.
  struct Choice {
    const llvm::BasicBlock* end = nullptr;  // in which both ways meet
    // The first block of the one way that is not empty, if it loads elements of arrays, as in `if (x[i] > most) most =
    // x[i];`. The path then takes this way, and the variables are unknown behind it.
    const llvm::BasicBlock* body = nullptr;
    std::set<const llvm::AllocaInst*> variables;
    std::set<const llvm::AllocaInst*> read;  // the variables that the values come from
  };
  // Returns the choice that the branch is, or null.
  const Choice* ChoiceAt(const llvm::BranchInst& branch) const {
    const auto known = choices_.find(&branch);
    return known == choices_.end() ? nullptr : &known->second;
  }
  // Returns true if a claim about one region alone may have far fewer paths: there are several, or one is in a loop.
  // Regions whose results may be stored count only if `counts_results`.
  bool AreMany(bool counts_results) const { return are_many_ || (counts_results && are_many_with_results_); }

 private:
  std::map<const llvm::BranchInst*, const llvm::BasicBlock*> ends_;
  std::set<const llvm::BranchInst*> storing_;
  std::set<const llvm::BranchInst*> with_stored_results_;
  std::map<const llvm::BranchInst*, Choice> choices_;
  bool are_many_ = false;
  bool are_many_with_results_ = false;
};

// The regions of the functions that a kernel may call, itself included.
using ModuleRegions = std::map<const llvm::Function*, GuardedRegions>;

}  // namespace layoutcheck
