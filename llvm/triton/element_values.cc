// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/triton/element_values.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <algorithm>
#include <charconv>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/triton/memory_ops.h"

namespace layoutcheck {
namespace {

// Returns the integers of `array<i32: 1, 0>` and `1 : i32`.
std::vector<int64_t> AttributeIntegers(const TtirOp& op, const std::string& attribute) {
  std::vector<int64_t> integers;
  const auto known = op.attributes.find(attribute);
  if (known == op.attributes.end()) return integers;
  const std::string& text = known->second;
  const size_t colon = text.find(':');
  const bool is_array = text.starts_with("array<");
  const std::string_view list = std::string_view(text).substr(is_array && colon != std::string::npos ? colon + 1 : 0);
  for (size_t at = 0; at < list.size();) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(list.data() + at, list.data() + list.size(), number);
    if (error == std::errc()) {
      integers.push_back(number);
      at = static_cast<size_t>(end - list.data());
      if (!is_array) break;
    } else {
      ++at;
    }
  }
  return integers;
}

constexpr int kMostOperands = 1000;  // one computed of another

// Returns the threads that have an element of tensors of this shape, in each direction.
std::array<int64_t, 3> SizesOf(const std::vector<int64_t>& shape) {
  std::array<int64_t, 3> sizes{1, 1, 1};
  for (size_t k = 0; k < shape.size(); ++k) sizes[std::min<size_t>(k, 2)] *= shape[shape.size() - 1 - k];
  return sizes;
}

}  // namespace

ElementValues::ElementValues(const TtirFunction& source, llvm::Function& function)
    : function_(function), roots_(source) {
  ForEachOp(source.blocks, [&](const TtirOp& op) {
    if (!IsMemoryOp(op)) return;
    const std::array<int64_t, 3> sizes = SizesOf(op.operands[0]->type.shape);
    for (size_t axis = 0; axis < sizes.size(); ++axis) threads_[axis] = std::max(threads_[axis], sizes[axis]);
    if (op.name != "tt.load") stored_.insert(roots_.Of(*op.operands[0]));
  });
  llvm::BasicBlock* const begin = llvm::BasicBlock::Create(function.getContext(), "", &function);
  index_end_ = new llvm::UnreachableInst(function.getContext(), begin);
  TtirBuilder builder(index_end_);
  for (size_t axis = 0; axis < thread_.size(); ++axis) {
    const std::string name = StrCat("llvm.nvvm.read.ptx.sreg.tid.", std::string_view("xyz").substr(axis, 1));
    thread_[axis] = threads_[axis] == 1
                        ? Number(0)
                        : builder.CreateCall(function.getParent()->getOrInsertFunction(name, builder.getInt32Ty()));
  }
}

void ElementValues::EndIndices(llvm::BasicBlock& begin) {
  auto* const jump = llvm::BranchInst::Create(&begin, index_end_->getIterator());
  index_end_->eraseFromParent();
  index_end_ = jump;
}

llvm::Value* ElementValues::Number(int64_t value) {
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(function_.getContext()), static_cast<uint64_t>(value), true);
}

llvm::Type* ElementValues::TypeOf(const TtirValue& value) {
  llvm::Type* const type = LlvmTypeOf(value.type, function_.getContext());
  if (type != nullptr) return type;
  const std::string place = value.definition == nullptr ? "" : StrCat(", at ", value.definition->place);
  throw LoweringError{StrCat("a value of type ", TypeText(value.type), place)};
}

ElementIndex ElementValues::OwnIndex(const std::vector<int64_t>& shape) {
  const auto known = own_indices_.find(shape);
  if (known != own_indices_.end()) return known->second;
  ElementIndex index(shape.size());
  TtirBuilder builder(index_end_);
  int64_t behind = 1;  // elements of the dimensions that thread_z counts, behind this one
  for (size_t k = 0; k < shape.size(); ++k) {
    const size_t d = shape.size() - 1 - k;
    llvm::Value* number = thread_[std::min<size_t>(k, 2)];
    if (shape.size() > 3 && k >= 2) {
      if (behind > 1) number = builder.CreateUDiv(number, Number(behind));
      if (d > 0) number = builder.CreateURem(number, Number(shape[d]));
      behind *= shape[d];
    }
    index[d] = shape[d] == 1 ? Number(0) : number;
  }
  return own_indices_[shape] = index;
}

llvm::Value* ElementValues::IsInside(const ElementIndex& index, const std::vector<int64_t>& shape,
                                     llvm::Instruction* before) {
  TtirBuilder builder(before);
  llvm::Value* condition = nullptr;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (llvm::isa<llvm::ConstantInt>(index[d])) continue;
    const auto own = std::ranges::find(thread_, index[d]);
    if (own != thread_.end() && threads_[static_cast<size_t>(own - thread_.begin())] <= shape[d]) continue;
    llvm::Value* const is_below = builder.CreateICmpULT(index[d], Number(shape[d]));
    condition = condition == nullptr ? is_below : builder.CreateAnd(condition, is_below);
  }
  return condition;
}

llvm::Value* ElementValues::HasElement(const std::vector<int64_t>& shape, llvm::Instruction* before) {
  const std::array<int64_t, 3> sizes = SizesOf(shape);
  return IsInside(ElementIndex(thread_.begin(), thread_.end()), std::vector(sizes.begin(), sizes.end()), before);
}

llvm::Value* ElementValues::At(const TtirValue& value, const ElementIndex& index, InsertPoint& point) {
  if (index.size() != value.type.shape.size()) {
    throw LoweringError{StrCat("%", value.name, " is ", TypeText(value.type),
                               " where an operation needs a tensor of rank ", index.size())};
  }
  const ElementScope* scope = point.scope;
  do {
    const auto known = scope->known.find({&value, index});
    if (known != scope->known.end() && known->second.time < point.time) return known->second.element;
    scope = scope->outer;
  } while (scope != nullptr);
  if (++depth_ > kMostOperands) throw LoweringError{StrCat("more than ", kMostOperands, " operations one of another")};
  llvm::Value* element = nullptr;
  bool is_of_scope = true;
  if (const auto alias = aliases_.find(&value); alias != aliases_.end()) {
    element = At(*alias->second.first, index, *alias->second.second);
    is_of_scope = false;
  } else if (const auto merge = merges_.find(&value); merge != merges_.end()) {
    element = MergeAt(value, merge->second, index);
    is_of_scope = false;
  } else {
    element = Build(value, index, point);
  }
  --depth_;
  const int64_t time = point.time == InsertPoint::kEnd ? clock_ : point.time - 1;
  if (is_of_scope) point.scope->known[{&value, index}] = {.element = element, .time = time};
  return element;
}

llvm::Value* ElementValues::MergeAt(const TtirValue& value, Merge& merge, const ElementIndex& index) {
  if (const auto known = merge.phis.find(index); known != merge.phis.end()) return known->second;
  llvm::PHINode* const phi = llvm::PHINode::Create(TypeOf(value), 2, "", merge.block->begin());
  merge.phis[index] = phi;
  for (size_t k = 0; k < merge.from.size(); ++k) {
    if (merge.points[k] == nullptr) continue;
    llvm::Value* const element = At(*merge.from[k], index, *merge.points[k]);
    phi->addIncoming(element, merge.points[k]->before->getParent());
  }
  return phi;
}

void ElementValues::CloseMerge(const TtirValue& value, InsertPoint& point) {
  Merge& merge = merges_.at(&value);
  const auto open = merge.phis;
  merge.points[1] = &point;
  for (const auto& [index, phi] : open) {
    llvm::Value* const element = At(*merge.from[1], index, point);
    phi->addIncoming(element, point.before->getParent());
  }
}

ElementIndex ElementValues::Reshaped(const ElementIndex& index, const std::vector<int64_t>& shape,
                                     const std::vector<int64_t>& to) {
  const auto key = std::tuple(index, shape, to);
  if (const auto known = reshaped_.find(key); known != reshaped_.end()) return known->second;
  TtirBuilder builder(index_end_);
  llvm::Value* linear = Number(0);
  for (size_t d = 0; d < shape.size(); ++d) {
    linear = builder.CreateAdd(builder.CreateMul(linear, Number(shape[d])), index[d]);
  }
  ElementIndex result(to.size());
  int64_t behind = 1;
  for (size_t d = to.size(); d-- > 0;) {
    llvm::Value* const part = behind == 1 ? linear : builder.CreateUDiv(linear, Number(behind));
    result[d] = to[d] == 1 ? Number(0) : d == 0 ? part : builder.CreateURem(part, Number(to[d]));
    behind *= to[d];
  }
  return reshaped_[key] = result;
}

bool ElementValues::MovesElements(const TtirOp& op, const ElementIndex& index, ElementIndex& from) {
  if (op.operands.size() != 1) return false;
  const std::vector<int64_t>& shape = op.operands[0]->type.shape;
  const std::vector<int64_t>& to = op.results[0]->type.shape;
  from = index;
  if (op.name == "tt.splat" || op.name == "tt.unsplat") {
    from.assign(shape.size(), Number(0));
  } else if (op.name == "tt.broadcast" && shape.size() == to.size()) {
    for (size_t d = 0; d < shape.size(); ++d) from[d] = shape[d] == 1 ? Number(0) : index[d];
  } else if (op.name == "tt.trans") {
    const std::vector<int64_t> order = AttributeIntegers(op, "order");
    if (order.size() != index.size()) return false;
    for (size_t d = 0; d < order.size(); ++d) {
      if (order[d] < 0 || order[d] >= static_cast<int64_t>(from.size())) return false;
      from[static_cast<size_t>(order[d])] = index[d];
    }
  } else if (op.name == "tt.expand_dims") {
    const std::vector<int64_t> axis = AttributeIntegers(op, "axis");
    if (axis.size() != 1 || axis[0] < 0 || axis[0] >= static_cast<int64_t>(from.size())) return false;
    from.erase(from.begin() + axis[0]);
  } else if (op.name == "tt.reshape" && !op.attributes.contains("allow_reorder") &&
             std::ranges::find(op.words, "allow_reorder") == op.words.end()) {
    from = Reshaped(index, to, shape);
  } else {
    return false;
  }
  return from.size() == shape.size();
}

llvm::Value* ElementValues::AddPointer(const TtirOp& op, llvm::Value* pointer, llvm::Value* offset,
                                       TtirBuilder& builder) {
  const int64_t bytes = ElementBytes(op.results[0]->type.element);
  if (bytes == 0) throw LoweringError{StrCat("a pointer to ", op.results[0]->type.element, ", at ", op.place)};
  llvm::Value* const wide = builder.CreateSExtOrTrunc(offset, builder.getInt64Ty());
  return builder.CreateGEP(builder.getIntNTy(static_cast<unsigned>(8 * bytes)), pointer, wide);
}

llvm::Value* ElementValues::Load(const TtirOp& op, const ElementIndex& index, llvm::Value* condition,
                                 InsertPoint& point) {
  llvm::Type* const type = TypeOf(*op.results[0]);
  llvm::Value* other = op.operands.size() > 2 ? At(*op.operands[2], index, point) : llvm::UndefValue::get(type);
  llvm::Value* mask = op.operands.size() > 1 ? At(*op.operands[1], index, point) : nullptr;
  if (mask != nullptr && condition != nullptr) mask = TtirBuilder(point.before, op.place).CreateAnd(condition, mask);
  if (mask == nullptr) mask = condition;
  InsertPoint then = point;
  llvm::BasicBlock* before = nullptr;
  ElementScope inner{.outer = point.scope};
  if (mask != nullptr) {
    then = {.before = llvm::SplitBlockAndInsertIfThen(mask, point.before, /*Unreachable=*/false),
            .scope = &inner,
            .time = point.time};
    before = then.before->getParent()->getSinglePredecessor();
  }
  llvm::Value* const pointer = At(*op.operands[0], index, then);
  TtirBuilder builder(then.before, op.place);
  llvm::Value* loaded =
      builder.CreateAlignedLoad(type->isIntegerTy(1) ? builder.getInt8Ty() : type, pointer, llvm::Align(1));
  if (type->isIntegerTy(1)) loaded = builder.CreateTrunc(loaded, type);
  if (mask == nullptr) return loaded;
  llvm::PHINode* const phi = llvm::PHINode::Create(type, 2, "", point.before->getParent()->begin());
  phi->addIncoming(other, before);
  phi->addIncoming(loaded, then.before->getParent());
  return phi;
}

llvm::Value* ElementValues::BuildReloaded(const TtirOp& op, const ElementIndex& index, InsertPoint& point) {
  if (MayShareMemory(roots_.Of(*op.operands[0]), stored_)) return llvm::UndefValue::get(TypeOf(*op.results[0]));
  return Load(op, index, IsInside(index, op.results[0]->type.shape, point.before), point);
}

llvm::Value* ElementValues::BuildJoined(const TtirOp& op, const ElementIndex& index, InsertPoint& point) {
  const ElementIndex from(index.begin(), index.end() - 1);
  llvm::Value* const first = At(*op.operands[0], from, point);
  llvm::Value* const second = At(*op.operands[1], from, point);
  TtirBuilder builder(point.before, op.place);
  return builder.CreateSelect(builder.CreateICmpEQ(index.back(), Number(0)), first, second);
}

llvm::Value* ElementValues::Build(const TtirValue& value, const ElementIndex& index, InsertPoint& point) {
  const TtirOp* const op = value.definition;
  llvm::Type* const type = TypeOf(value);
  if (op == nullptr) return llvm::UndefValue::get(type);  // an argument of a block that is a tensor
  if (op->name == "tt.make_range" && index.size() == 1) {
    const std::vector<int64_t> start = AttributeIntegers(*op, "start");
    const int64_t first = start.empty() ? 0 : start[0];
    return first == 0 ? index[0] : TtirBuilder(index_end_).CreateAdd(index[0], Number(first));
  }
  ElementIndex from;
  if (MovesElements(*op, index, from)) return At(*op->operands[0], from, point);
  if (op->name == "tt.split" && op->operands.size() == 1) {
    from = index;
    from.push_back(Number(static_cast<int64_t>(value.number)));
    return At(*op->operands[0], from, point);
  }
  if (op->name == "tt.load" && IsMemoryOp(*op)) return BuildReloaded(*op, index, point);
  if (IsMemoryOp(*op)) return llvm::UndefValue::get(type);
  if (op->name == "tt.join" && op->operands.size() == 2 && !index.empty()) return BuildJoined(*op, index, point);
  const bool is_elementwise = op->regions.empty() && std::ranges::all_of(op->operands, [&](const TtirValue* operand) {
                                return !operand->type.is_tensor() || operand->type.shape == value.type.shape;
                              });
  if (is_elementwise && op->name != "tt.dot" && op->name != "tt.gather") {
    std::vector<llvm::Value*> operands;
    for (const TtirValue* const operand : op->operands) {
      operands.push_back(At(*operand, operand->type.is_tensor() ? index : ElementIndex(), point));
    }
    TtirBuilder builder(point.before, op->place);
    if (op->name == "tt.addptr" && operands.size() == 2) return AddPointer(*op, operands[0], operands[1], builder);
    if (op->name == "tt.bitcast" && value.type.is_pointer && operands.size() == 1) return operands[0];
    if (llvm::Value* const result = BuildArithmetic(*op, operands, type, builder)) return result;
  }
  // The elements of these are moved, which is not followed.
  const bool may_move = op->name == "tt.gather" || op->name == "tt.cat" || op->name == "tt.reshape";
  if (may_move) return llvm::UndefValue::get(type);
  TtirBuilder builder(point.before, op->place);
  return ComputedValue(type, builder);
}

}  // namespace layoutcheck
