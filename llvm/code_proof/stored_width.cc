// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/stored_width.h"
#include <llvm/IR/Argument.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <set>
#include <vector>

namespace layoutcheck {
namespace {

// Follows a pointer through the instructions that use it.
class PointerUses {
 public:
  // Returns false if a use cannot be followed, or two stores have different types.
  bool Follow(const llvm::Value& pointer) {
    Add(pointer);
    while (!pending_.empty()) {
      const llvm::Value& next = *pending_.back();
      pending_.pop_back();
      for (const llvm::Use& use : next.uses()) {
        if (!FollowUse(use)) return false;
      }
    }
    return true;
  }
  std::optional<int> width() const { return width_; }

 private:
  void Add(const llvm::Value& pointer) {
    if (seen_.insert(&pointer).second) pending_.push_back(&pointer);
  }

  bool FollowUse(const llvm::Use& use) {
    const llvm::User& user = *use.getUser();
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::CmpInst>(user)) return true;
    if (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::PHINode>(user) ||
        llvm::isa<llvm::SelectInst>(user)) {
      if (!user.getType()->isPointerTy()) return false;
      Add(user);
      return true;
    }
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      return store->getPointerOperand() == use.get() ? AddStore(*store->getValueOperand()->getType())
                                                     : AddVariable(*store->getPointerOperand());
    }
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user);
    if (call == nullptr || call->isLifetimeStartOrEnd()) return call != nullptr;
    const llvm::Function* const callee = call->getCalledFunction();
    if (callee == nullptr || callee->isDeclaration() || !call->isArgOperand(&use)) return false;
    if (call->getArgOperandNo(&use) >= callee->arg_size()) return false;
    Add(*callee->getArg(call->getArgOperandNo(&use)));
    return true;
  }

  bool AddStore(const llvm::Type& type) {
    const llvm::Type& scalar = *type.getScalarType();
    if (!scalar.isIntegerTy()) return false;
    const auto width = static_cast<int>(scalar.getIntegerBitWidth());
    if (width_ && *width_ != width) return false;
    width_ = width;
    return true;
  }

  // Follows a pointer that is kept in a local variable, as unoptimized code does.
  bool AddVariable(const llvm::Value& variable) {
    if (!llvm::isa<llvm::AllocaInst>(variable)) return false;
    for (const llvm::User* const user : variable.users()) {
      if (llvm::isa<llvm::LoadInst>(user)) Add(*user);
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!llvm::isa<llvm::LoadInst>(user) && (store == nullptr || store->getPointerOperand() != &variable) &&
          !llvm::isa<llvm::DbgInfoIntrinsic>(user)) {
        return false;
      }
    }
    return true;
  }

  std::set<const llvm::Value*> seen_;
  std::vector<const llvm::Value*> pending_;
  std::optional<int> width_;
};

}  // namespace

std::optional<int> StoredWidth(const llvm::Argument& pointer) {
  PointerUses uses;
  if (!uses.Follow(pointer)) return std::nullopt;
  return uses.width();
}

}  // namespace layoutcheck
