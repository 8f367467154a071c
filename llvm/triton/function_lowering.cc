// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/triton/function_lowering.h"
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <algorithm>
#include <optional>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/triton/memory_ops.h"

namespace layoutcheck {
namespace {

using llvm::AtomicRMWInst;

std::optional<AtomicRMWInst::BinOp> AtomicOf(const TtirOp& op) {
  const std::map<std::string_view, AtomicRMWInst::BinOp> known = {
      {"add", AtomicRMWInst::Add},   {"fadd", AtomicRMWInst::FAdd}, {"and", AtomicRMWInst::And},
      {"or", AtomicRMWInst::Or},     {"xor", AtomicRMWInst::Xor},   {"max", AtomicRMWInst::Max},
      {"min", AtomicRMWInst::Min},   {"umax", AtomicRMWInst::UMax}, {"umin", AtomicRMWInst::UMin},
      {"exch", AtomicRMWInst::Xchg},
  };
  const auto found = op.words.empty() ? known.end() : known.find(op.words[0]);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

// Returns true for an operation that passes pointers on and accesses nothing through them.
bool PassesPointers(const TtirOp& op) {
  constexpr std::string_view kKnown[] = {"tt.addptr", "tt.splat",   "tt.broadcast",  "tt.expand_dims", "tt.trans",
                                         "tt.join",   "tt.cat",     "tt.reshape",    "tt.bitcast",     "tt.split",
                                         "tt.gather", "tt.unsplat", "tt.ptr_to_int", "arith.select"};
  return std::ranges::find(kKnown, op.name) != std::end(kKnown);
}

// Returns true for an operation without effects, or whose effects matter to nobody.
bool IsHarmless(const TtirOp& op) {
  constexpr std::string_view kIgnored[] = {"tt.assert", "tt.print", "gpu.barrier", "ttg.barrier", "ttg.local_barrier"};
  if (std::ranges::find(kIgnored, op.name) != std::end(kIgnored)) return true;
  constexpr std::string_view kWithRegions[] = {"tt.reduce", "tt.scan", "tt.map_elementwise"};
  if (!op.regions.empty()) return std::ranges::find(kWithRegions, op.name) != std::end(kWithRegions);
  const bool has_pointer =
      std::ranges::any_of(op.operands, [](const auto* operand) { return operand->type.is_pointer; });
  if (has_pointer) return PassesPointers(op);
  if (op.name.starts_with("arith.") || op.name.starts_with("math.")) return true;
  // Assembly and functions of libraries say if they have effects.
  if (const auto pure = op.attributes.find("pure"); pure != op.attributes.end() && pure->second != "true") return false;
  const bool may_access = op.name == "tt.call" || op.name.contains("descriptor") || op.name.contains("atomic") ||
                          op.name.contains("async") || op.name == "tt.load" || op.name == "tt.store";
  return op.name.starts_with("tt.") && !op.results.empty() && !may_access;
}

}  // namespace

Expected<void> FunctionLowering::Lower(const TtirFunction& source, llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  std::vector<llvm::Type*> types;
  for (const TtirValue* const argument : source.arguments) {
    llvm::Type* const type = argument->type.is_tensor() ? nullptr : LlvmTypeOf(argument->type, context);
    if (type == nullptr) {
      return MakeError(ErrorKind::kUnsupported,
                       StrCat("an argument of type ", TypeText(argument->type), ": expected numbers and pointers"));
    }
    types.push_back(type);
  }
  auto* const function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, /*isVarArg=*/false),
                             llvm::GlobalValue::ExternalLinkage, source.name, module);
  try {
    FunctionLowering lowering(source, *function);
    lowering.LowerBlocks();
    const auto& threads = lowering.values_.threads();
    std::string block = StrCat(threads[0]);
    if (threads[1] * threads[2] > 1) StrAppend(block, ",", threads[1]);
    if (threads[2] > 1) StrAppend(block, ",", threads[2]);
    function->addFnAttr(kBlockAttribute, block);
    std::string programs;
    for (size_t axis = 0; axis <= lowering.last_program_; ++axis) {
      StrAppend(programs, axis == 0 ? "" : ",", "programs_", std::string_view("xyz").substr(axis, 1));
    }
    function->addFnAttr(kGridAttribute, programs);
  } catch (const LoweringError& error) {
    function->deleteBody();
    return MakeError(ErrorKind::kUnsupported, error.message);
  }
  return {};
}

FunctionLowering::FunctionLowering(const TtirFunction& source, llvm::Function& function)
    : source_(source), function_(function), scope_(&scopes_.emplace_back()), values_(source, function) {
  for (size_t k = 0; k < source.arguments.size(); ++k) {
    llvm::Argument* const argument = function.getArg(static_cast<unsigned>(k));
    argument->setName(source.arguments[k]->name);
    values_.SetKnown(*source.arguments[k], {}, argument, scopes_.front());
  }
}

void FunctionLowering::Enter(llvm::BasicBlock& block) {
  end_ = new llvm::UnreachableInst(function_.getContext(), &block);
}

llvm::Instruction* FunctionLowering::Jump(llvm::BasicBlock& to) {
  llvm::Instruction* const jump = llvm::BranchInst::Create(&to, end_->getIterator());
  end_->eraseFromParent();
  end_ = nullptr;
  return jump;
}

llvm::Instruction* FunctionLowering::Branch(llvm::Value* condition, llvm::BasicBlock& then, llvm::BasicBlock& other,
                                            const std::string& place) {
  InsertPoint here = Here();
  llvm::Instruction* const branch = TtirBuilder(here.before, place).CreateCondBr(condition, &then, &other);
  end_->eraseFromParent();
  end_ = nullptr;
  return branch;
}

llvm::Value* FunctionLowering::Scalar(const TtirValue& value) {
  InsertPoint here = Here();
  return values_.At(value, {}, here);
}

void FunctionLowering::LowerBlocks() {
  for (const TtirBlock& block : source_.blocks) {
    blocks_by_name_[block.name] = &block;
    llvm::BasicBlock* const lowered = NewBlock();
    blocks_[&block] = lowered;
    for (const TtirValue* const argument : block.arguments) {
      if (argument->type.is_tensor()) continue;
      auto* const phi = llvm::PHINode::Create(values_.TypeOf(*argument), 2, "", lowered);
      values_.SetKnown(*argument, {}, phi, scopes_.front());
    }
  }
  values_.EndIndices(*blocks_.at(&source_.blocks.front()));
  for (const TtirBlock& block : source_.blocks) {
    scope_ = &scopes_.emplace_back(ElementScope{.outer = &scopes_.front()});
    since_barrier_ = all_;
    Enter(*blocks_.at(&block));
    for (const auto& op : block.ops) LowerOp(*op);
    if (end_ != nullptr) throw LoweringError{StrCat("the end of ", source_.name, ": expected tt.return or a branch")};
  }
}

void FunctionLowering::LowerRegion(const std::vector<TtirBlock>& region) {
  if (region.size() != 1) throw LoweringError{"a region of several blocks"};
  for (const auto& op : region[0].ops) LowerOp(*op);
}

void FunctionLowering::LowerOp(const TtirOp& op) {
  if (end_ == nullptr) throw LoweringError{StrCat(op.name, " behind the end of a block, at ", op.place)};
  if (op.name == "scf.for") return LowerFor(op);
  if (op.name == "scf.while") return LowerWhile(op);
  if (op.name == "scf.if") return LowerIf(op);
  if (op.name == "scf.yield" || op.name == "scf.condition") return;
  if (op.name.starts_with("cf.")) return LowerJump(op);
  InsertPoint here = Here();
  if (op.name == "tt.return") {
    TtirBuilder(here.before, op.place).CreateRetVoid();
    end_->eraseFromParent();
    end_ = nullptr;
    return;
  }
  if (IsMemoryOp(op)) return op.name == "tt.load" ? LowerLoad(op) : LowerStore(op);
  const bool is_program = op.name == "tt.get_program_id";
  if ((is_program || op.name == "tt.get_num_programs") && op.results.size() == 1 && !op.words.empty()) {
    last_program_ = std::max(last_program_, std::min(std::string_view("xyz").find(op.words[0]), size_t{2}));
    const std::string name = StrCat("llvm.nvvm.read.ptx.sreg.", is_program ? "ctaid." : "nctaid.", op.words[0]);
    TtirBuilder builder(here.before, op.place);
    llvm::Value* const number =
        builder.CreateCall(function_.getParent()->getOrInsertFunction(name, builder.getInt32Ty()));
    return values_.SetKnown(*op.results[0], {}, number, scopes_.front());
  }
  if (op.name == "llvm.intr.assume" && !op.operands.empty()) {
    llvm::Value* const condition = Scalar(*op.operands[0]);
    TtirBuilder(here.before, op.place).CreateAssumption(condition);
    return;
  }
  if (!IsHarmless(op)) throw LoweringError{StrCat("the operation ", op.name, ", at ", op.place)};
  for (const TtirValue* const result : op.results) {
    if (!result->type.is_tensor()) values_.SetKnown(*result, {}, values_.At(*result, {}, here), scopes_.front());
  }
}

void FunctionLowering::Separate(const TtirValue& pointer, bool is_store) {
  const TtirValue* const root = values_.roots().Of(pointer);
  if (MayShareMemory(root, is_store ? since_barrier_.loaded : since_barrier_.stored)) {
    TtirBuilder(end_, "the order of two operations").CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
    since_barrier_ = {};
  }
  for (Accesses* const accesses : {&since_barrier_, &all_}) {
    (is_store ? accesses->stored : accesses->loaded).insert(root);
  }
}

void FunctionLowering::LowerLoad(const TtirOp& op) {
  if (op.results.size() != 1 || op.results[0]->type.shape != op.operands[0]->type.shape) {
    throw LoweringError{StrCat("the operation ", op.name, ", at ", op.place)};
  }
  Separate(*op.operands[0], /*is_store=*/false);
  InsertPoint here = Here();
  const std::vector<int64_t>& shape = op.results[0]->type.shape;
  const ElementIndex index = values_.OwnIndex(shape);
  llvm::Value* const element = values_.Load(op, index, values_.IsInside(index, shape, here.before), here);
  values_.SetKnown(*op.results[0], index, element, shape.empty() ? scopes_.front() : *scope_);
}

void FunctionLowering::LowerStore(const TtirOp& op) {
  Separate(*op.operands[0], /*is_store=*/true);
  InsertPoint here = Here();
  const bool is_exchange = op.name == "tt.atomic_cas";
  const size_t mask_operand = is_exchange ? 3 : 2;
  if (op.operands.size() < mask_operand) throw LoweringError{StrCat("the operation ", op.name, ", at ", op.place)};
  const ElementIndex index = values_.OwnIndex(op.operands[0]->type.shape);
  llvm::Value* condition = values_.HasElement(op.operands[0]->type.shape, here.before);
  if (op.operands.size() > mask_operand) {
    llvm::Value* const mask = values_.At(*op.operands[mask_operand], index, here);
    condition = condition == nullptr ? mask : TtirBuilder(here.before, op.place).CreateAnd(condition, mask);
  }
  ElementScope inner{.outer = scope_};
  InsertPoint then{.before = here.before, .scope = &inner};
  if (condition != nullptr) then.before = llvm::SplitBlockAndInsertIfThen(condition, here.before, false);
  llvm::Value* const pointer = values_.At(*op.operands[0], index, then);
  llvm::Value* value = values_.At(*op.operands[1], index, then);
  TtirBuilder builder(then.before, op.place);
  if (value->getType()->isIntegerTy(1)) value = builder.CreateZExt(value, builder.getInt8Ty());
  const auto order = llvm::AtomicOrdering::Monotonic;
  if (op.name == "tt.store") {
    builder.CreateAlignedStore(value, pointer, llvm::Align(1));
  } else if (const auto kind = AtomicOf(op); kind && !is_exchange) {
    builder.CreateAtomicRMW(*kind, pointer, value, llvm::MaybeAlign(), order);
  } else if (is_exchange && value->getType()->isIntegerTy()) {
    llvm::Value* const other = values_.At(*op.operands[2], index, then);
    TtirBuilder(then.before, op.place).CreateAtomicCmpXchg(pointer, value, other, llvm::MaybeAlign(), order, order);
  } else {
    throw LoweringError{StrCat("the operation ", op.name, ", at ", op.place)};
  }
  for (const TtirValue* const result : op.results) {
    values_.SetKnown(*result, index, llvm::UndefValue::get(values_.TypeOf(*result)),
                     index.empty() ? scopes_.front() : *scope_);
  }
}

}  // namespace layoutcheck
