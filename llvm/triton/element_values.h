// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of Triton's tensors as values of LLVM, each of which is built where it is needed.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/triton/memory_ops.h"
#include "layoutcheck/llvm/triton/ttir_arithmetic.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// The index of an element, one number of 32 bits per dimension. All are computed where the function begins.
using ElementIndex = std::vector<llvm::Value*>;

// The elements that are known where a part of the function runs, and where the parts around it do.
struct ElementScope {
  struct Known {
    llvm::Value* element = nullptr;
    int64_t time = 0;  // when it was built, by the clock of ElementValues
  };
  ElementScope* outer = nullptr;
  std::map<std::pair<const TtirValue*, ElementIndex>, Known> known = {};
};

// A place in the function, for new instructions. Elements that were built at `time` or later are not known there,
// because their code stands behind the place.
struct InsertPoint {
  static constexpr int64_t kEnd = INT64_MAX;  // the time of the end of all code so far, where all elements are known

  llvm::Instruction* before = nullptr;
  ElementScope* scope = nullptr;
  int64_t time = kEnd;
};

// An operation that cannot be lowered: its place and the reason.
struct LoweringError {
  std::string message;
};

class ElementValues {
 public:
  // Finds how many threads a block has in each direction.
  ElementValues(const TtirFunction& source, llvm::Function& function);

  const std::array<int64_t, 3>& threads() const { return threads_; }
  // Ends the numbers of indices, behind which the function begins.
  void EndIndices(llvm::BasicBlock& begin);
  // Returns the element that the thread has of tensors of this shape.
  ElementIndex OwnIndex(const std::vector<int64_t>& shape);
  // Returns the condition that the index is one of the shape; null if it always is.
  llvm::Value* IsInside(const ElementIndex& index, const std::vector<int64_t>& shape, llvm::Instruction* before);
  // Returns the condition that the thread is the one for an element of tensors of this shape: each of its numbers is
  // below the size in its direction, which is 1 where the shape has no dimension. Null if that always holds.
  llvm::Value* HasElement(const std::vector<int64_t>& shape, llvm::Instruction* before);

  // Returns the element, or the scalar for an index without dimensions. Code for it is put at the point.
  llvm::Value* At(const TtirValue& value, const ElementIndex& index, InsertPoint& point);
  void SetKnown(const TtirValue& value, const ElementIndex& index, llvm::Value* element, ElementScope& scope) {
    scope.known[{&value, index}] = {.element = element, .time = clock_};
  }
  // Returns the time of a place at the end of the code that is built, where elements may be needed later.
  int64_t Tick() { return clock_ += 2; }
  // Has the elements of a value be those of another at a point.
  void SetAlias(const TtirValue& value, const TtirValue& of, InsertPoint& point) { aliases_[&value] = {&of, &point}; }

  // A value that depends on where control comes from: it is `from[k]`, as at `points[k]`, if it comes from there.
  struct Merge {
    std::array<const TtirValue*, 2> from{};
    std::array<InsertPoint*, 2> points{};  // null while the code of that place is not built
    llvm::BasicBlock* block = nullptr;
    std::map<ElementIndex, llvm::PHINode*> phis = {};
  };
  void SetMerge(const TtirValue& value, Merge merge) { merges_[&value] = std::move(merge); }
  // Sets the second place, and builds the elements there that were needed so far.
  void CloseMerge(const TtirValue& value, InsertPoint& point);

  // Returns the arguments of the function of which pointers are computed.
  const PointerRoots& roots() const { return roots_; }
  // Returns one element of a load: that of memory where the mask of the operation and the condition hold, which may be
  // null for one that always does, and its operand `other` elsewhere.
  llvm::Value* Load(const TtirOp& op, const ElementIndex& index, llvm::Value* condition, InsertPoint& point);
  llvm::Type* TypeOf(const TtirValue& value);

 private:
  // Returns the element of a value that is no argument and that nothing is known of at the point.
  llvm::Value* Build(const TtirValue& value, const ElementIndex& index, InsertPoint& point);
  // Returns an element of a load for a thread that does not have it: it is loaded once more, if nothing stores to the
  // memory.
  llvm::Value* BuildReloaded(const TtirOp& op, const ElementIndex& index, InsertPoint& point);
  llvm::Value* BuildJoined(const TtirOp& op, const ElementIndex& index, InsertPoint& point);
  llvm::Value* MergeAt(const TtirValue& value, Merge& merge, const ElementIndex& index);
  llvm::Value* AddPointer(const TtirOp& op, llvm::Value* pointer, llvm::Value* offset, TtirBuilder& builder);
  // Returns true for an operation whose result has the elements of its operand in another order. Sets `from` to the
  // index in the operand of the element at `index` of the result.
  bool MovesElements(const TtirOp& op, const ElementIndex& index, ElementIndex& from);
  ElementIndex Reshaped(const ElementIndex& index, const std::vector<int64_t>& shape, const std::vector<int64_t>& to);
  llvm::Value* Number(int64_t value);

  llvm::Function& function_;
  llvm::Instruction* index_end_ = nullptr;  // behind the numbers of indices
  std::array<int64_t, 3> threads_{1, 1, 1};
  std::array<llvm::Value*, 3> thread_{};
  std::map<std::vector<int64_t>, ElementIndex> own_indices_;
  std::map<std::tuple<ElementIndex, std::vector<int64_t>, std::vector<int64_t>>, ElementIndex> reshaped_;
  std::map<const TtirValue*, std::pair<const TtirValue*, InsertPoint*>> aliases_;
  std::map<const TtirValue*, Merge> merges_;
  PointerRoots roots_;
  Roots stored_;  // through which the function stores
  // Counts places, by twos: an element that is built at an earlier place has the odd time before that of the place.
  int64_t clock_ = 0;
  int depth_ = 0;
};

}  // namespace layoutcheck
