// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/guarded_regions.h"
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace layoutcheck {
namespace {

using Blocks = std::set<const llvm::BasicBlock*>;

constexpr size_t kMostBlocksOfRegion = 64;

bool IsTrap(const llvm::BasicBlock& block) { return llvm::isa<llvm::UnreachableInst>(block.getTerminator()); }

// Returns the variable that the address is in, or null if it may be anything.
const llvm::AllocaInst* VariableOf(const llvm::Value* address) {
  while (true) {
    if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(address)) return variable;
    if (const auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(address)) {
      address = place->getPointerOperand();
    } else if (const auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(address)) {
      address = cast->getPointerOperand();
    } else {
      return nullptr;
    }
  }
}

// Returns true if the address of a variable is used for more than accesses to it.
bool Escapes(const llvm::Value& address) {
  return std::ranges::any_of(address.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::MemIntrinsic>(user)) return false;
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand() == &address;
    if (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::AddrSpaceCastInst>(user)) return Escapes(*user);
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return call == nullptr || !call->isLifetimeStartOrEnd();
  });
}

// Returns true if the call may reach a barrier or something that is not known.
bool MayWait(const llvm::CallBase& call, int depth) {
  constexpr int kMostCalls = 8;  // one inside another
  if (!call.mayHaveSideEffects() || call.doesNotReturn()) return false;
  const llvm::Function* const callee = call.getCalledFunction();
  if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    return !intrinsic->isAssumeLikeIntrinsic() && !llvm::isa<llvm::MemIntrinsic>(intrinsic);
  }
  if (callee == nullptr || callee->isDeclaration() || depth == kMostCalls) return true;
  return std::ranges::any_of(llvm::instructions(*callee), [&](const llvm::Instruction& instruction) {
    const auto* const inner = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return inner != nullptr && MayWait(*inner, depth + 1);
  });
}

// Returns true if a value of floating point is used for arithmetic and comparisons alone, so that it is neither stored
// nor part of an address.
bool IsOnlyComputedWith(const llvm::Value& value, std::set<const llvm::Value*>& seen) {
  if (!value.getType()->isFloatingPointTy()) return false;
  if (!seen.insert(&value).second) return true;
  return std::ranges::all_of(value.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::BinaryOperator>(user) || llvm::isa<llvm::UnaryOperator>(user)) return true;
    if (llvm::isa<llvm::FCmpInst>(user)) return true;
    if (llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user)) return IsOnlyComputedWith(*user, seen);
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return intrinsic != nullptr && intrinsic->doesNotAccessMemory();
  });
}

bool IsOnlyComputedWith(const llvm::Value& value) {
  std::set<const llvm::Value*> seen;
  return IsOnlyComputedWith(value, seen);
}

// Returns true if the function may do more than compute with a phi of the block behind a region.
bool HasStoredResults(const llvm::BasicBlock& end) {
  return std::ranges::any_of(end.phis(), [](const llvm::PHINode& phi) { return !IsOnlyComputedWith(phi); });
}

// Returns true if the call is one of a function without a body, such as a shuffle, of whose result nothing is known.
bool IsOpaque(const llvm::CallInst& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic() && callee->doesNotAccessMemory();
}

// Returns true if no address and no decision depends on an integer or number of floating point: it is stored as a
// whole, or computed with as floating point.
bool IsOnlyStored(const llvm::Value& value, std::set<const llvm::Value*>& seen);

// Returns true if that holds of all values that the variable may have, and only loads and stores use it.
bool HoldsOnlyStored(const llvm::AllocaInst& variable, std::set<const llvm::Value*>& seen) {
  const llvm::Type* const type = variable.getAllocatedType();
  if (!type->isFloatingPointTy() && !type->isIntegerTy()) return false;
  if (!seen.insert(&variable).second) return true;
  return std::ranges::all_of(variable.users(), [&](const llvm::User* user) {
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      return store->getValueOperand() != &variable && store->getValueOperand()->getType() == type;
    }
    if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) return call->isLifetimeStartOrEnd();
    return llvm::isa<llvm::LoadInst>(user) && user->getType() == type && IsOnlyStored(*user, seen);
  });
}

bool IsOnlyStored(const llvm::Value& value, std::set<const llvm::Value*>& seen) {
  if (!seen.insert(&value).second) return true;
  return std::ranges::all_of(value.users(), [&](const llvm::User* user) {
    if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(user); call != nullptr && IsOpaque(*call)) return true;
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      return store->getValueOperand() == &value && (variable == nullptr || HoldsOnlyStored(*variable, seen));
    }
    if (!value.getType()->isFloatingPointTy()) return false;
    if (llvm::isa<llvm::FCmpInst>(user)) return true;
    const bool computes = llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::IntrinsicInst>(user);
    return computes && user->getType()->isFloatingPointTy() && IsOnlyStored(*user, seen);
  });
}

bool MayStoreToArray(const llvm::Instruction& instruction) {
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const bool is_to_variable = store != nullptr && VariableOf(store->getPointerOperand()) != nullptr;
  return instruction.mayWriteToMemory() && !is_to_variable;
}

// Finds the regions of one function by its post-dominators and variables.
class RegionFinder {
 public:
  explicit RegionFinder(const llvm::Function& function) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) has_escaped_ = has_escaped_ || Escapes(instruction);
    }
    FindPostDominators(function);
  }

  // Returns the block behind the region that the branch guards, and the blocks of the region; null if it guards none.
  // Its ways may meet before, where they have made a condition: `bool is_inside = i < M && j < N; if (is_inside) ...`.
  const llvm::BasicBlock* EndOf(const llvm::BranchInst& branch, Blocks& region) const {
    const llvm::BasicBlock* const meeting = NearestPostDominator(*branch.getParent());
    if (meeting == nullptr || IsRegion(branch, *meeting, region)) return meeting;
    const llvm::BasicBlock* const end = NearestPostDominator(*meeting);
    return end != nullptr && IsRegion(branch, *end, region) ? end : nullptr;
  }

  // Returns true if the branch guards the region in front of the block `end`, whose blocks are written to `region`.
  bool IsRegion(const llvm::BranchInst& branch, const llvm::BasicBlock& end, Blocks& region) const {
    region.clear();
    const llvm::BasicBlock& begin = *branch.getParent();
    const bool are_results_stored = HasStoredResults(end);
    for (const llvm::PHINode& phi : end.phis()) {
      std::set<const llvm::Value*> seen;
      if (!IsOnlyComputedWith(phi) && !IsOnlyStored(phi, seen)) return false;
    }
    std::vector<const llvm::BasicBlock*> open(llvm::succ_begin(&begin), llvm::succ_end(&begin));
    while (!open.empty()) {
      const llvm::BasicBlock* const block = open.back();
      open.pop_back();
      if (block == &end || !region.insert(block).second) continue;
      if (block == &begin || region.size() > kMostBlocksOfRegion) return false;
      open.insert(open.end(), llvm::succ_begin(block), llvm::succ_end(block));
    }
    if (std::ranges::all_of(region, [](const llvm::BasicBlock* block) { return IsTrap(*block); })) return false;
    // A run that leaves out a region for its results alone must not miss what it stores.
    const auto matters = [&](const llvm::Instruction& instruction) {
      return HasEffect(instruction, region, end) || (are_results_stored && MayStoreToArray(instruction));
    };
    const bool has_effect = std::ranges::any_of(
        region, [&](const llvm::BasicBlock* block) { return std::ranges::any_of(*block, matters); });
    return !has_effect;
  }

  // Returns the choice that the branch is; nothing if it is none.
  std::optional<GuardedRegions::Choice> ChoiceAt(const llvm::BranchInst& branch, const llvm::LoopInfo& loops) const {
    const llvm::BasicBlock& begin = *branch.getParent();
    const llvm::Loop* const loop = loops.getLoopFor(&begin);
    GuardedRegions::Choice choice{.end = NearestPostDominator(begin)};
    const bool is_in_loop = choice.end != nullptr && loop != nullptr && loops.getLoopFor(choice.end) == loop;
    if (!is_in_loop || loops.isLoopHeader(choice.end) || !choice.end->phis().empty() || has_escaped_)
      return std::nullopt;
    std::vector<const llvm::BasicBlock*> open(llvm::succ_begin(&begin), llvm::succ_end(&begin));
    const llvm::BasicBlock* const first = open[open[0] == choice.end ? 1 : 0];
    const bool is_one_way = std::ranges::count(open, choice.end) == 1;
    Blocks region;
    while (!open.empty()) {
      const llvm::BasicBlock* const block = open.back();
      open.pop_back();
      if (block == choice.end || !region.insert(block).second) continue;
      const bool is_plain = loops.getLoopFor(block) == loop && !loops.isLoopHeader(block) && block != &begin;
      if (!is_plain || region.size() > kMostBlocksOfRegion) return std::nullopt;
      for (const llvm::Instruction& instruction : *block) {
        if (ChoosesOnly(instruction, choice)) continue;
        if (!is_one_way || !OnlyLoads(instruction)) return std::nullopt;
        choice.body = first;
      }
      open.insert(open.end(), llvm::succ_begin(block), llvm::succ_end(block));
    }
    std::set<const llvm::Value*> seen;
    const bool are_only_stored = std::ranges::all_of(
        choice.variables, [&](const llvm::AllocaInst* variable) { return HoldsOnlyStored(*variable, seen); });
    return are_only_stored && !choice.variables.empty() ? std::optional(choice) : std::nullopt;
  }

 private:
  // Returns true if the instruction does no more than to set a variable to a value that is loaded from another one or
  // computed as floating point. Adds the variables to the choice.
  static bool ChoosesOnly(const llvm::Instruction& instruction, GuardedRegions::Choice& choice) {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
      if (variable != nullptr) choice.read.insert(variable);
      return variable != nullptr;
    }
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      if (variable != nullptr) choice.variables.insert(variable);
      return variable != nullptr;
    }
    if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) return branch->isUnconditional();
    const bool computes = llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator>(instruction);
    return computes && instruction.getType()->isFloatingPointTy();
  }

  // Returns true for a load, and for instructions with which the code computes its address.
  static bool OnlyLoads(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::LoadInst, llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator>(instruction);
  }

  // Finds the nearest post-dominator of each block as the nearest dominator in the reversed graph, by the algorithm of
  // Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"). Paths that end in a trap are left out: they have
  // no block behind them. Neither have blocks from which no path leaves the function.
  void FindPostDominators(const llvm::Function& function) {
    const std::vector<const llvm::BasicBlock*> order = ReversedPostOrder(function);
    std::map<const llvm::BasicBlock*, size_t> numbers;
    for (size_t k = 0; k < order.size(); ++k) numbers[order[k]] = k;
    const size_t behind_all = order.size();  // the number of an exit behind all exits
    std::vector<std::optional<size_t>> nearest(behind_all + 1);
    nearest[behind_all] = behind_all;
    const auto common = [&](size_t a, size_t b) {
      while (a != b) (a < b ? a : b) = *nearest[std::min(a, b)];
      return a;
    };
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (size_t k = behind_all; k-- > 0;) {
        std::optional<size_t> found;
        if (IsExit(*order[k])) found = behind_all;
        for (const llvm::BasicBlock* const next : llvm::successors(order[k])) {
          const auto number = numbers.find(next);
          if (number == numbers.end() || !nearest[number->second]) continue;
          found = found ? common(*found, number->second) : number->second;
        }
        is_changed = is_changed || found != nearest[k];
        nearest[k] = found;
      }
    }
    for (size_t k = 0; k < behind_all; ++k) {
      post_dominators_[order[k]] = *nearest[k] == behind_all ? nullptr : order[*nearest[k]];
    }
  }

  // Returns true if a path ends in the block, or all that go on end in a trap.
  static bool IsExit(const llvm::BasicBlock& block) {
    return std::all_of(llvm::succ_begin(&block), llvm::succ_end(&block),
                       [](const llvm::BasicBlock* next) { return IsTrap(*next); });
  }

  // Returns the blocks from which a path leads to an exit, each behind all that a search from the exits backward visits
  // after it.
  static std::vector<const llvm::BasicBlock*> ReversedPostOrder(const llvm::Function& function) {
    std::vector<const llvm::BasicBlock*> order;
    Blocks seen;
    std::vector<std::pair<const llvm::BasicBlock*, bool>> open;  // with true, all before it are in the order
    for (const llvm::BasicBlock& block : function) {
      if (!IsTrap(block) && IsExit(block)) open.emplace_back(&block, false);
    }
    while (!open.empty()) {
      const auto [block, is_visited] = open.back();
      open.pop_back();
      if (is_visited) {
        order.push_back(block);
      } else if (seen.insert(block).second) {
        open.emplace_back(block, true);
        for (const llvm::BasicBlock* const before : llvm::predecessors(block)) open.emplace_back(before, false);
      }
    }
    return order;
  }

  const llvm::BasicBlock* NearestPostDominator(const llvm::BasicBlock& block) const {
    const auto found = post_dominators_.find(&block);
    return found == post_dominators_.end() ? nullptr : found->second;
  }

  bool HasEffect(const llvm::Instruction& instruction, const Blocks& region, const llvm::BasicBlock& end) const {
    const auto is_outside = [&](const llvm::User* user) {
      const auto* const used = llvm::dyn_cast<llvm::Instruction>(user);
      const bool is_result = used != nullptr && llvm::isa<llvm::PHINode>(used) && used->getParent() == &end;
      return used == nullptr || !(is_result || region.contains(used->getParent()));
    };
    if (llvm::isa<llvm::ReturnInst>(instruction) || std::ranges::any_of(instruction.users(), is_outside)) return true;
    const auto writes_variable = [&](const llvm::Value* address) {
      const llvm::AllocaInst* const variable = VariableOf(address);
      if (variable == nullptr) return has_escaped_;
      return std::ranges::any_of(variable->users(), [&](const llvm::User* user) {
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        return is_outside(user) && (call == nullptr || !call->isLifetimeStartOrEnd());
      });
    };
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      return writes_variable(store->getPointerOperand());
    }
    if (const auto* const copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      return writes_variable(copy->getDest());
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) return false;
    const auto gets_variable = [&](const llvm::Use& argument) {
      return argument->getType()->isPointerTy() && writes_variable(argument);
    };
    return MayWait(*call, 0) || std::ranges::any_of(call->args(), gets_variable);
  }

  // The nearest post-dominator of each block; null if there is none.
  std::map<const llvm::BasicBlock*, const llvm::BasicBlock*> post_dominators_;
  bool has_escaped_ = false;  // pointers may point to a variable
};

}  // namespace

GuardedRegions::GuardedRegions(const llvm::Function& function) {
  const RegionFinder finder(function);
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));  // NOLINT: LLVM only reads it
  const llvm::LoopInfo loops(dominators);
  std::map<const llvm::BranchInst*, Blocks> regions;
  for (const llvm::BasicBlock& block : function) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional()) continue;
    if (auto choice = finder.ChoiceAt(*branch, loops)) choices_.emplace(branch, *std::move(choice));
    Blocks region;
    const llvm::BasicBlock* const end = finder.EndOf(*branch, region);
    const bool is_in_one_loop = end != nullptr && loops.getLoopFor(end) == loops.getLoopFor(&block);
    if (!is_in_one_loop || loops.isLoopHeader(end)) continue;
    ends_[branch] = end;
    regions[branch] = std::move(region);
    if (HasStoredResults(*end)) with_stored_results_.insert(branch);
  }
  // A condition that guards a loop is decided, and regions in the loop are found. Of regions one in another, the outer
  // one is kept.
  std::erase_if(regions, [&](const auto& entry) {
    const llvm::Loop* const loop = loops.getLoopFor(entry.first->getParent());
    return std::ranges::any_of(entry.second, [&](const auto* block) { return loops.getLoopFor(block) != loop; });
  });
  std::erase_if(ends_, [&](const auto& entry) {
    return !regions.contains(entry.first) || std::ranges::any_of(regions, [&](const auto& other) {
      return other.first != entry.first && other.second.contains(entry.first->getParent());
    });
  });
  for (const auto& [branch, end] : ends_) {
    const bool may_store = std::ranges::any_of(
        regions.at(branch), [](const llvm::BasicBlock* block) { return std::ranges::any_of(*block, MayStoreToArray); });
    if (may_store) storing_.insert(branch);
  }
  const auto are_many = [&](bool counts_results) {
    size_t count = 0;
    for (const auto& [branch, end] : ends_) {
      if (!counts_results && IsResultStored(*branch)) continue;
      count += loops.getLoopFor(branch->getParent()) == nullptr ? 1U : 2U;
    }
    return count > 1;
  };
  are_many_ = are_many(/*counts_results=*/false);
  are_many_with_results_ = are_many(/*counts_results=*/true);
}

}  // namespace layoutcheck
