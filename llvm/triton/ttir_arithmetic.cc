// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/triton/ttir_arithmetic.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include "layoutcheck/llvm/ir/code_module.h"

namespace layoutcheck {
namespace {

using llvm::CmpInst;
using llvm::Instruction;

const std::map<std::string_view, Instruction::BinaryOps> kBinary = {
    {"arith.addi", Instruction::Add},   {"arith.subi", Instruction::Sub},   {"arith.muli", Instruction::Mul},
    {"arith.divsi", Instruction::SDiv}, {"arith.divui", Instruction::UDiv}, {"arith.remsi", Instruction::SRem},
    {"arith.remui", Instruction::URem}, {"arith.andi", Instruction::And},   {"arith.ori", Instruction::Or},
    {"arith.xori", Instruction::Xor},   {"arith.shli", Instruction::Shl},   {"arith.shrsi", Instruction::AShr},
    {"arith.shrui", Instruction::LShr}, {"arith.addf", Instruction::FAdd},  {"arith.subf", Instruction::FSub},
    {"arith.mulf", Instruction::FMul},  {"arith.divf", Instruction::FDiv},  {"arith.remf", Instruction::FRem},
};

// The predicate of the comparison by which the first operand is chosen.
const std::map<std::string_view, CmpInst::Predicate> kChoices = {
    {"arith.minsi", CmpInst::ICMP_SLT},
    {"arith.maxsi", CmpInst::ICMP_SGT},
    {"arith.minui", CmpInst::ICMP_ULT},
    {"arith.maxui", CmpInst::ICMP_UGT},
};

const std::map<std::string_view, CmpInst::Predicate> kPredicates = {
    {"eq", CmpInst::ICMP_EQ},   {"ne", CmpInst::ICMP_NE},   {"slt", CmpInst::ICMP_SLT}, {"sle", CmpInst::ICMP_SLE},
    {"sgt", CmpInst::ICMP_SGT}, {"sge", CmpInst::ICMP_SGE}, {"ult", CmpInst::ICMP_ULT}, {"ule", CmpInst::ICMP_ULE},
    {"ugt", CmpInst::ICMP_UGT}, {"uge", CmpInst::ICMP_UGE},
};

// Returns the number of `dense<0>`, `-1` and `true`; nothing if it is none or several.
std::optional<int64_t> NumberOf(std::string_view word) {
  constexpr std::string_view kDense = "dense<";
  if (word.starts_with(kDense)) word = word.substr(kDense.size(), word.size() - kDense.size() - 1);
  if (word == "true") return 1;
  if (word == "false") return 0;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

// Returns the operation on one operand; null if it is none on integers or pointers.
llvm::Value* BuildUnary(const TtirOp& op, llvm::Value* value, llvm::Type* type, TtirBuilder& builder) {
  const std::string_view name = op.name;
  if (!value->getType()->isIntOrPtrTy() || !type->isIntOrPtrTy()) return nullptr;
  if (name == "arith.index_cast" || name == "arith.extsi" || name == "arith.trunci") {
    return builder.CreateSExtOrTrunc(value, type);
  }
  if (name == "arith.extui" || name == "arith.index_castui") return builder.CreateZExtOrTrunc(value, type);
  if (name == "math.absi" && value->getType()->isIntegerTy()) {
    llvm::Value* const zero = llvm::ConstantInt::get(value->getType(), 0);
    return builder.CreateSelect(builder.CreateICmpSLT(value, zero), builder.CreateSub(zero, value), value);
  }
  if (name == "tt.ptr_to_int") return builder.CreatePtrToInt(value, type);
  if (name == "tt.int_to_ptr") return builder.CreateIntToPtr(value, type);
  return nullptr;
}

}  // namespace

TtirBuilder::TtirBuilder(llvm::Instruction* before, const std::string& place)
    : IRBuilder(before->getContext(), llvm::NoFolder(),
                llvm::IRBuilderCallbackInserter([place](llvm::Instruction* built) {
                  llvm::LLVMContext& context = built->getContext();
                  if (place.empty()) return;
                  built->setMetadata(kPlaceMetadata, llvm::MDNode::get(context, llvm::MDString::get(context, place)));
                })) {
  SetInsertPoint(before);
}

int64_t ElementBytes(const std::string& element) {
  if (element == "index") return 8;
  const size_t digit = element.find_first_of("0123456789");
  if (digit == std::string::npos || (element[0] != 'i' && element[0] != 'f' && !element.starts_with("bf"))) return 0;
  int64_t bits = 0;
  std::from_chars(element.data() + digit, element.data() + element.size(), bits);
  return bits == 1 ? 1 : bits % 8 == 0 && bits <= 64 ? bits / 8 : 0;
}

llvm::Type* LlvmTypeOf(const TtirType& type, llvm::LLVMContext& context) {
  if (type.is_pointer) return llvm::PointerType::get(context, 0);
  const std::string& element = type.element;
  if (element == "f32") return llvm::Type::getFloatTy(context);
  if (element == "f16") return llvm::Type::getHalfTy(context);
  if (element == "bf16") return llvm::Type::getBFloatTy(context);
  if (element == "f64") return llvm::Type::getDoubleTy(context);
  if (element == "i1") return llvm::Type::getInt1Ty(context);
  const int64_t bytes = ElementBytes(element);
  return bytes == 0 ? nullptr : llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * bytes));
}

llvm::Value* ComputedValue(llvm::Type* type, TtirBuilder& builder) {
  if (type->isPointerTy()) return llvm::UndefValue::get(type);
  if (type->isFloatingPointTy()) return builder.CreateSIToFP(builder.getInt32(0), type);
  return builder.CreateFPToSI(llvm::ConstantFP::get(builder.getFloatTy(), 0), type);
}

llvm::Value* BuildArithmetic(const TtirOp& op, std::span<llvm::Value* const> operands, llvm::Type* type,
                             TtirBuilder& builder) {
  const std::string_view name = op.name;
  if (name == "arith.constant") {
    if (type->isFloatingPointTy()) return llvm::ConstantFP::get(type, 0);  // no law depends on it
    const auto number = op.words.empty() || !type->isIntegerTy() ? std::nullopt : NumberOf(op.words[0]);
    return number ? llvm::ConstantInt::get(type, static_cast<uint64_t>(*number), /*IsSigned=*/true) : nullptr;
  }
  if (operands.size() == 1) return BuildUnary(op, operands[0], type, builder);
  if (operands.size() == 3 && name == "arith.select") {
    return builder.CreateSelect(operands[0], operands[1], operands[2]);
  }
  if (operands.size() != 2) return nullptr;
  if (const auto known = kBinary.find(name); known != kBinary.end()) {
    llvm::Value* const result = builder.CreateBinOp(known->second, operands[0], operands[1]);
    const auto claims = [&](const char* what) {
      return std::ranges::any_of(
          op.words, [&](const auto& word) { return word.starts_with("overflow<") && word.contains(what); });
    };
    if (type->isIntegerTy() && claims("nsw")) llvm::cast<llvm::BinaryOperator>(result)->setHasNoSignedWrap();
    if (type->isIntegerTy() && claims("nuw")) llvm::cast<llvm::BinaryOperator>(result)->setHasNoUnsignedWrap();
    return result;
  }
  if (const auto known = kChoices.find(name); known != kChoices.end()) {
    return builder.CreateSelect(builder.CreateICmp(known->second, operands[0], operands[1]), operands[0], operands[1]);
  }
  if (name == "arith.cmpi" && !op.words.empty()) {
    const auto known = kPredicates.find(op.words[0]);
    return known == kPredicates.end() ? nullptr : builder.CreateICmp(known->second, operands[0], operands[1]);
  }
  if (name == "arith.cmpf") return builder.CreateFCmp(CmpInst::FCMP_OEQ, operands[0], operands[1]);
  return nullptr;
}

}  // namespace layoutcheck
