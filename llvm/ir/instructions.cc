// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/instructions.h"
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <algorithm>
#include <cstdlib>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/bit_fields.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/ir/composite_values.h"
#include "layoutcheck/llvm/ir/unwritten_bits.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kMostObjectBytes = uint64_t{1} << 47;  // as of the memory of a process

// Returns true for a value of which at most the place in an array is known.
bool IsUnknown(const MachineValue& value) {
  return value.kind == MachineValue::Kind::kUnknown || value.kind == MachineValue::Kind::kElement;
}
bool IsUsable(const MachineValue& value) { return !value.IsPoison() && !IsUnknown(value); }

// Returns the first operand that makes every result of them poison or unknown, or null.
const MachineValue* FirstUnusable(std::span<const MachineValue> operands) {
  const MachineValue* unknown = nullptr;
  for (const MachineValue& operand : operands) {
    if (operand.IsPoison()) return &operand;
    if (IsUnknown(operand) && unknown == nullptr) unknown = &operand;
  }
  return unknown;
}

// Returns true if the instruction needs the number that an element is.
bool ReadsNumbers(const llvm::Instruction& instruction) {
  const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
  if (cast != nullptr) return llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(cast);
  return llvm::isa<llvm::ICmpInst, llvm::GetElementPtrInst>(instruction) || MachineOpOf(instruction).has_value();
}

// Returns the pointer of an access, or throws where it cannot be followed.
const MachineValue& PlaceOfAccess(const MachineValue& pointer, const IrMemory& memory, const std::string& place) {
  if (pointer.kind == MachineValue::Kind::kUnknown && pointer.object >= 0) memory.NotePlaceOf(pointer.object);
  return Use(pointer, place);
}

// Returns about how many numbers a value of the type has.
double NumbersIn(const llvm::Type& type) {
  if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    return static_cast<double>(array->getNumElements()) * NumbersIn(*array->getElementType());
  }
  double sum = type.isStructTy() ? 0 : 1;
  for (const llvm::Type* const element : type.subtypes()) sum += NumbersIn(*element);
  return sum;
}

MachineValue Binary(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                    const std::string& place) {
  const std::optional<MachineOp> op = MachineOpOf(instruction);
  if (!op || !instruction.getType()->isIntegerTy() || !operands[0].IsInteger() || !operands[1].IsInteger()) {
    return MachineValue::Unknown(StrCat("a value that is no integer, at ", place));
  }
  MachineValue result = Apply(*op, operands[0], operands[1], ClaimsOf(instruction), place);
  return IsOfSource(instruction) ? Use(result, place) : result;
}

bool Holds(llvm::CmpInst::Predicate predicate, const SymbolicInteger& a, const SymbolicInteger& b) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return a == b;
    case llvm::CmpInst::ICMP_NE: return !(a == b);
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT: return a < b;
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE: return a <= b;
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_UGT: return a > b;
    default: return a >= b;
  }
}

MachineValue Compare(const llvm::ICmpInst& compare, std::span<const MachineValue> operands, const IrMemory& memory,
                     const std::string& place) {
  const MachineValue& a = operands[0];
  const MachineValue& b = operands[1];
  if (a.kind == MachineValue::Kind::kPointer && b.kind == MachineValue::Kind::kPointer) {
    if (a.object == b.object) return MachineValue::Bool(Holds(compare.getPredicate(), a.integer, b.integer));
    // The end of an object may be where another begins.
    const bool differ = a.object < 0 || b.object < 0 || (memory.IsInside(a) && memory.IsInside(b));
    if (differ && compare.isEquality()) {
      return MachineValue::Bool(compare.getPredicate() == llvm::CmpInst::ICMP_NE);
    }
  }
  if (!a.IsInteger() || !b.IsInteger()) return MachineValue::Unknown(StrCat("a comparison of pointers at ", place));
  if (!compare.isUnsigned()) return MachineValue::Bool(Holds(compare.getPredicate(), a.integer, b.integer));
  return MachineValue::Bool(Holds(compare.getPredicate(), Unsigned(a.integer, a.width), Unsigned(b.integer, b.width)));
}

MachineValue Cast(const llvm::CastInst& cast, const MachineValue& value, const std::string& place) {
  if (cast.getOpcode() == llvm::Instruction::AddrSpaceCast || cast.getSrcTy() == cast.getDestTy()) return value;
  if (cast.getSrcTy()->isFPOrFPVectorTy() || cast.getDestTy()->isFPOrFPVectorTy()) {
    return MachineValue::Computed(FloatingPointText(cast.getOpcodeName(), place));
  }
  if (!value.IsInteger() || !cast.getDestTy()->isIntegerTy()) {
    return MachineValue::Unknown(StrCat("a conversion that is none between integers, at ", place));
  }
  const auto width = static_cast<int>(cast.getDestTy()->getIntegerBitWidth());
  if (width > 64) return MachineValue::Unknown(StrCat("an integer of ", width, " bits at ", place));
  switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc: {
      const auto& truncation = llvm::cast<llvm::TruncInst>(cast);
      if ((truncation.hasNoSignedWrap() && !FitsSigned(value.integer, width)) ||
          (truncation.hasNoUnsignedWrap() && !FitsUnsigned(Unsigned(value.integer, value.width), width))) {
        return MachineValue::Poison(StrCat("a value does not fit ", width, " bits at ", place));
      }
      return MachineValue::Integer(Wrap(value.integer, width), width);
    }
    case llvm::Instruction::ZExt:
      if (cast.hasNonNeg() && value.integer < 0) {
        return MachineValue::Poison(StrCat("a value that is claimed to be >= 0 is negative at ", place));
      }
      return MachineValue::Integer(Unsigned(value.integer, value.width), width);
    case llvm::Instruction::SExt: return MachineValue::Integer(value.integer, width);
    default: return MachineValue::Unknown(StrCat("a conversion that is none between integers, at ", place));
  }
}

MachineValue ElementPointer(const llvm::GetElementPtrInst& gep, std::span<const MachineValue> operands,
                            IrMemory& memory, const std::string& place) {
  const MachineValue& base = operands[0];
  const auto width = static_cast<int>(memory.layout().getIndexSizeInBits(gep.getAddressSpace()));
  const auto known = OffsetOf(gep, memory.layout());
  if (base.kind != MachineValue::Kind::kPointer || !known) {
    return MachineValue::Unknown(StrCat("the address of an element at ", place));
  }
  SymbolicInteger offset = known->constant;
  for (size_t k = 0; k < known->factors.size(); ++k) {
    const MachineValue& index = operands[k + 1];
    if (known->factors[k] == 0) continue;
    if (index.width > width && !FitsSigned(index.integer, width)) {
      return MachineValue::Unknown(StrCat("an index that does not fit ", width, " bits at ", place));
    }
    offset += index.integer * SymbolicInteger(known->factors[k]);
  }
  if ((gep.hasNoUnsignedSignedWrap() || width < 64) && !FitsSigned(offset, width)) {
    const std::string text = StrCat("the address of an element overflows at ", place);
    return gep.hasNoUnsignedSignedWrap() ? MachineValue::Poison(text) : MachineValue::Unknown(text);
  }
  if (gep.hasNoUnsignedWrap() && offset < 0) {
    return MachineValue::Poison(StrCat("the address of an element wraps at ", place));
  }
  return memory.Move(base, offset, gep.isInBounds(), place);
}

MachineValue Select(std::span<const MachineValue> operands, const std::string& place) {
  if (!IsUsable(operands[0])) {
    if (operands[0].IsPoison()) return MachineValue::Whole(operands[0]);
    MachineValue chosen = MachineValue::Unknown(operands[0].text);
    chosen.is_computed = std::ranges::all_of(operands.subspan(1), [](const MachineValue& value) {
      return value.is_computed || value.IsInteger() || value.text == kOtherConstant;
    });
    return chosen;
  }
  if (!operands[0].IsInteger()) return MachineValue::Unknown(StrCat("a choice among vectors at ", place));
  return operands[0].integer == 0 ? operands[2] : operands[1];
}

// Returns true if the code reads a unit of bit-fields, as clang names it, or only copies the value.
bool MayHaveUnwrittenBits(const llvm::LoadInst& load) {
  if (load.getName().starts_with("bf.load")) return true;
  return std::ranges::all_of(load.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::StoreInst, llvm::ReturnInst, llvm::CallBase>(user);
  });
}

// Returns true if the code takes some bits of the value: perhaps of a unit of bit-fields, which is read as a whole.
bool IsUnitOfBitFields(const llvm::LoadInst& load) {
  return !load.use_empty() && std::ranges::all_of(load.users(), [](const llvm::User* user) {
    const auto* const instruction = llvm::dyn_cast<llvm::BinaryOperator>(user);
    return instruction != nullptr && llvm::isa<llvm::ConstantInt>(instruction->getOperand(1)) &&
           (instruction->getOpcode() == llvm::Instruction::And || instruction->isShift());
  });
}

MachineValue LoadFrom(const llvm::LoadInst& load, const MachineValue& pointer, IrMemory& memory,
                      const std::string& place) {
  MachineValue value = memory.Load(pointer, *load.getType(), place);
  memory.CheckAligned(pointer, load.getAlign().value(), place);
  if (value.kind != MachineValue::Kind::kPartial || MayHaveUnwrittenBits(load)) return value;
  // Some bits of the unit may have been written.
  if (IsUnitOfBitFields(load)) {
    return MachineValue::Unknown(StrCat("bits of a unit of bit-fields of which some may not be written, at ", place));
  }
  return MachineValue::Whole(std::move(value));
}

// Returns a pointer to a local variable.
MachineValue Allocate(const llvm::AllocaInst& local, IrMemory& memory, const std::string& place) {
  const auto size = local.getAllocationSize(memory.layout());
  // The size of a type is taken modulo 2^64.
  if (!size || size->isScalable() || size->getFixedValue() > kMostObjectBytes ||
      NumbersIn(*local.getAllocatedType()) > static_cast<double>(kMostObjectBytes)) {
    throw FunctionUnknown{StrCat("a local array of unknown size at ", place)};
  }
  MachineValue pointer = memory.Allocate(local.getName().empty() ? "a local variable" : local.getName().str(),
                                         static_cast<int64_t>(size->getFixedValue()));
  memory.SetAlignment(pointer, local.getAlign().value());
  return pointer;
}

// Returns the result of an instruction of which an operand is poison or unknown.
MachineValue ResultOfUnusable(const llvm::Instruction& instruction, const MachineValue& unusable,
                              const std::string& place) {
  // A conversion of the bits alone, such as from float to int, keeps an element.
  const bool keeps_bits = instruction.getOpcode() == llvm::Instruction::BitCast;
  MachineValue result = unusable.kind != MachineValue::Kind::kElement || keeps_bits
                            ? MachineValue::Whole(unusable)
                            : MachineValue::Unknown(StrCat("what is computed of ", unusable.text, " at ", place));
  result.elements.clear();  // the parts of a vector
  if (keeps_bits) return result;
  result.object = unusable.object;
  result.fields.clear();
  const bool computes = instruction.isBinaryOp() || instruction.isUnaryOp() || instruction.isCast();
  if (result.kind == MachineValue::Kind::kUnknown && computes) result.is_computed = true;
  return result;
}

// Returns the result of an instruction that reads and writes nothing but its operands.
MachineValue Compute(const llvm::Instruction& instruction, std::span<const MachineValue> operands, IrMemory& memory,
                     const std::string& place) {
  if (instruction.isIntDivRem()) (void)Use(operands[1], place);
  if (auto bits = WithUnwrittenBits(instruction, operands, place)) return *std::move(bits);
  if (auto bits = MoveBits(instruction, operands, place)) return *std::move(bits);
  if (const MachineValue* const unusable = FirstUnusable(operands)) {
    return ResultOfUnusable(instruction, *unusable, place);
  }
  if (const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    return Compare(*compare, operands, memory, place);
  }
  if (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return Cast(*cast, operands[0], place);
  if (const auto* const gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    return ElementPointer(*gep, operands, memory, place);
  }
  if (instruction.isBinaryOp()) return Binary(instruction, operands, place);
  const std::string name = instruction.getOpcodeName();
  return instruction.getType()->isFPOrFPVectorTy() || llvm::isa<llvm::FCmpInst>(instruction)
             ? MachineValue::Computed(FloatingPointText(name, place))
             : MachineValue::Unknown(StrCat("the result of ", name, " at ", place));
}

}  // namespace

std::string PlaceOf(const llvm::Instruction& instruction) {
  if (const llvm::DebugLoc& place = instruction.getDebugLoc()) {
    return StrCat(place->getFilename().str(), ":", place.getLine());
  }
  const llvm::MDNode* const text = instruction.getMetadata(kPlaceMetadata);
  if (text == nullptr) return instruction.getOpcodeName();
  return llvm::cast<llvm::MDString>(text->getOperand(0))->getString().str();
}

std::string SourceName(const llvm::Function& function) {
  if (const llvm::DISubprogram* const program = function.getSubprogram()) return program->getName().str();
  llvm::ItaniumPartialDemangler demangler;
  std::string name = function.getName().str();
  if (demangler.partialDemangle(name.c_str())) return name;
  char* const base = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string result = base == nullptr ? name : base;
  std::free(base);
  return result;
}

std::string FloatingPointText(std::string_view operation, std::string_view place) {
  return StrCat(kFloatingPoint, operation, "), which is not followed, at ", place);
}

std::optional<MachineOp> MachineOpOf(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add: return MachineOp::kAdd;
    case llvm::Instruction::Sub: return MachineOp::kSubtract;
    case llvm::Instruction::Mul: return MachineOp::kMultiply;
    case llvm::Instruction::SDiv: return MachineOp::kSignedDivide;
    case llvm::Instruction::UDiv: return MachineOp::kUnsignedDivide;
    case llvm::Instruction::SRem: return MachineOp::kSignedRemainder;
    case llvm::Instruction::URem: return MachineOp::kUnsignedRemainder;
    case llvm::Instruction::Shl: return MachineOp::kShiftLeft;
    case llvm::Instruction::LShr: return MachineOp::kLogicalShiftRight;
    case llvm::Instruction::AShr: return MachineOp::kArithmeticShiftRight;
    case llvm::Instruction::And: return MachineOp::kAnd;
    case llvm::Instruction::Or: return MachineOp::kOr;
    case llvm::Instruction::Xor: return MachineOp::kXor;
    default: return std::nullopt;
  }
}

MachineClaims ClaimsOf(const llvm::Instruction& instruction) {
  MachineClaims claims;
  if (const auto* const overflowing = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    claims.nsw = overflowing->hasNoSignedWrap();
    claims.nuw = overflowing->hasNoUnsignedWrap();
  }
  if (const auto* const exact = llvm::dyn_cast<llvm::PossiblyExactOperator>(&instruction)) {
    claims.exact = exact->isExact();
  }
  if (const auto* const disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction)) {
    claims.disjoint = disjoint->isDisjoint();
  }
  return claims;
}

bool IsOfSource(const llvm::Instruction& instruction) {
  const llvm::DISubprogram* const program = instruction.getFunction()->getSubprogram();
  if (program == nullptr || program->getUnit()->isOptimized()) return false;
  const auto language = static_cast<llvm::dwarf::SourceLanguage>(program->getUnit()->getSourceLanguage());
  return llvm::dwarf::isC(language) || llvm::dwarf::isCPlusPlus(language);
}

std::span<const MachineValue> WithNumbers(std::span<const MachineValue> operands, const IrMemory& memory,
                                          std::vector<MachineValue>& numbered) {
  const auto is_element = [](const MachineValue& value) { return value.kind == MachineValue::Kind::kElement; };
  if (std::ranges::none_of(operands, is_element)) return operands;
  for (const MachineValue& operand : operands) numbered.push_back(memory.WithNumber(operand));
  return numbered;
}

const MachineValue& Use(const MachineValue& value, const std::string& place) {
  if (value.IsPoison()) throw FunctionFault{value.text};
  if (IsUnknown(value)) throw FunctionUnknown{StrCat("the code depends at ", place, " on ", value.text)};
  return value;  // NOLINT(bugprone-return-const-ref-from-parameter): no caller keeps the reference
}

bool UseAsCondition(const MachineValue& value, const std::string& place) { return !(Use(value, place).integer == 0); }

std::optional<MachineValue> Execute(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                    IrMemory& memory, const std::string& place) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Alloca: return Allocate(llvm::cast<llvm::AllocaInst>(instruction), memory, place);
    case llvm::Instruction::Load:
      if (instruction.isAtomic()) {
        (void)memory.Load(PlaceOfAccess(operands[0], memory, place), *instruction.getType(), place);
        return MachineValue::Unknown(StrCat("an atomic read at ", place));
      }
      return LoadFrom(llvm::cast<llvm::LoadInst>(instruction), PlaceOfAccess(operands[0], memory, place), memory,
                      place);
    case llvm::Instruction::Store:
      memory.Store(PlaceOfAccess(operands[1], memory, place), *instruction.getOperand(0)->getType(), operands[0],
                   place);
      memory.CheckAligned(operands[1], llvm::cast<llvm::StoreInst>(instruction).getAlign().value(), place);
      return std::nullopt;
    case llvm::Instruction::Select: return Select(operands, place);
    case llvm::Instruction::ExtractValue:
      return ExtractValue(llvm::cast<llvm::ExtractValueInst>(instruction), operands[0]);
    case llvm::Instruction::InsertValue: return InsertValue(llvm::cast<llvm::InsertValueInst>(instruction), operands);
    case llvm::Instruction::Freeze:
      if (operands[0].kind == MachineValue::Kind::kAggregate)
        return MachineValue::Unknown(StrCat("a struct at ", place));
      if (!operands[0].IsPoison()) return operands[0];  // an element stays one
      return MachineValue::Unknown(StrCat("any value at ", place, ", because ", operands[0].text));
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
      memory.ChangeAtomically(PlaceOfAccess(operands[0], memory, place), *instruction.getOperand(1)->getType(), place);
      return MachineValue::Unknown(StrCat("an atomic operation at ", place));
    case llvm::Instruction::Fence: return std::nullopt;
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::ShuffleVector: return ExecuteOnVector(instruction, operands, place);
    default: break;
  }
  std::vector<MachineValue> numbered;
  if (ReadsNumbers(instruction)) operands = WithNumbers(operands, memory, numbered);
  return Compute(instruction, operands, memory, place);
}

}  // namespace layoutcheck
