// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/source_types.h"
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {
namespace {

constexpr int kMostTypes = 100;  // one inside another; broken debug information may have a circle
constexpr size_t kMostIntegers = 4096;

bool IsIntegerSize(uint64_t bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64; }

bool IsPointer(const llvm::DIDerivedType& type) {
  const unsigned tag = type.getTag();
  return tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_reference_type ||
         tag == llvm::dwarf::DW_TAG_rvalue_reference_type;
}

// Returns the integer type that has the values of an enumeration, or the type itself.
const llvm::DIType* OfEnumeration(const llvm::DIType* type) {
  const auto* const composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr || composite->getTag() != llvm::dwarf::DW_TAG_enumeration_type) return type;
  return Stripped(composite->getBaseType());
}

bool IsFloatingPoint(const llvm::DIBasicType& type) {
  return type.getEncoding() == llvm::dwarf::DW_ATE_float || type.getEncoding() == llvm::dwarf::DW_ATE_complex_float;
}

// Adds the integers of types. Its functions return false if there is anything else.
class IntegerCollector {
 public:
  bool Add(const llvm::DIType* type, uint64_t offset, int depth) {
    type = OfEnumeration(Stripped(type));
    if (type == nullptr || depth > kMostTypes || found.size() > kMostIntegers) return false;
    if (const auto* const basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
      if (!IsIntegerSize(basic->getSizeInBits()) || IsFloatingPoint(*basic)) return false;
      found.push_back(IntegerOf(basic, 32));
      found.back().offset = static_cast<int64_t>(offset) / kBitsPerByte;
      return true;
    }
    const auto* const composite = llvm::dyn_cast<llvm::DICompositeType>(type);
    if (composite == nullptr) return false;
    switch (composite->getTag()) {
      case llvm::dwarf::DW_TAG_array_type: return AddArray(*composite, offset, depth);
      case llvm::dwarf::DW_TAG_structure_type:
      case llvm::dwarf::DW_TAG_class_type: return AddMembers(*composite, offset, depth);
      default: return false;
    }
  }

  std::vector<SourceInteger> found;

 private:
  bool AddArray(const llvm::DICompositeType& array, uint64_t offset, int depth) {
    uint64_t count = 1;
    for (const llvm::DINode* const element : array.getElements()) {
      const auto* const range = llvm::dyn_cast<llvm::DISubrange>(element);
      const auto* const number =
          range == nullptr ? nullptr : llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
      if (number == nullptr || number->isNegative() || number->getZExtValue() > kMostIntegers) return false;
      count *= number->getZExtValue();
      if (count > kMostIntegers) return false;
    }
    const llvm::DIType* const base = Stripped(array.getBaseType());
    if (base == nullptr) return false;
    for (uint64_t k = 0; k < count; ++k) {
      if (!Add(base, offset + k * base->getSizeInBits(), depth + 1)) return false;
    }
    return true;
  }

  bool AddMembers(const llvm::DICompositeType& type, uint64_t offset, int depth) {
    for (const llvm::DINode* const element : type.getElements()) {
      const auto* const member = llvm::dyn_cast<llvm::DIDerivedType>(element);
      if (member == nullptr || member->isStaticMember()) continue;
      const unsigned tag = member->getTag();
      if (tag != llvm::dwarf::DW_TAG_member && tag != llvm::dwarf::DW_TAG_inheritance) continue;
      if (member->isBitField() || member->isVirtual()) return false;
      if (!Add(member->getBaseType(), offset + member->getOffsetInBits(), depth + 1)) return false;
    }
    return true;
  }
};

// Collects the widths of the integers that are read and written through a pointer.
class AccessCollector {
 public:
  // Returns false if there are accesses that cannot be seen.
  bool Follow(const llvm::Value& pointer) {
    if (!seen_.insert(&pointer).second) return true;
    for (const llvm::Use& use : pointer.uses()) {
      if (!FollowUse(use)) return false;
    }
    return true;
  }

  std::set<unsigned> widths;

 private:
  bool AddType(const llvm::Type& type) {
    const llvm::Type& scalar = *type.getScalarType();
    if (!scalar.isIntegerTy()) return false;
    widths.insert(scalar.getIntegerBitWidth());
    return true;
  }

  bool FollowUse(const llvm::Use& use) {
    const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (user == nullptr) return false;
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) return AddType(*load->getType());
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex())
        return AddType(*store->getValueOperand()->getType());
      return FollowVariable(*store->getPointerOperand());
    }
    if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(user)) {
      return user->getType()->isPointerTy() && Follow(*user);
    }
    if (llvm::isa<llvm::ICmpInst>(user)) return true;
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call == nullptr || !call->isArgOperand(&use)) return false;
    const llvm::Function* const callee = call->getCalledFunction();
    const unsigned number = call->getArgOperandNo(&use);
    return callee != nullptr && !callee->isDeclaration() && number < callee->arg_size() &&
           Follow(*callee->getArg(number));
  }

  // Follows the pointer from a local variable in which it is kept.
  bool FollowVariable(const llvm::Value& variable) {
    if (!llvm::isa<llvm::AllocaInst>(variable)) return false;
    for (const llvm::User* const user : variable.users()) {
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user);
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (load != nullptr && load->getType()->isPointerTy() && Follow(*load)) continue;
      if (store != nullptr && store->getPointerOperand() == &variable) continue;
      return false;
    }
    return true;
  }

  std::set<const llvm::Value*> seen_;
};

}  // namespace

const llvm::DIType* Stripped(const llvm::DIType* type) {
  for (int k = 0; k < kMostTypes; ++k) {
    const auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (derived == nullptr || IsPointer(*derived)) return type;
    type = derived->getBaseType();
  }
  return nullptr;
}

const llvm::DIType* PointedTo(const llvm::DIType* type) {
  const auto* const pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(Stripped(type));
  return pointer == nullptr ? nullptr : Stripped(pointer->getBaseType());
}

std::string TypeText(const llvm::DIType* type) {
  if (type == nullptr) return "void";
  const auto* const derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
  if (derived != nullptr && derived->getName().empty() && IsPointer(*derived)) {
    return StrCat(TypeText(Stripped(derived->getBaseType())), " *");
  }
  return type->getName().empty() ? "a type without a name" : type->getName().str();
}

SourceInteger IntegerOf(const llvm::DIType* type, int bits) {
  SourceInteger integer{.bits = bits, .is_sign_known = false};
  if (const auto* const basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(OfEnumeration(Stripped(type)))) {
    if (IsIntegerSize(basic->getSizeInBits())) integer.bits = static_cast<int>(basic->getSizeInBits());
    const unsigned encoding = basic->getEncoding();
    integer.is_unsigned = encoding == llvm::dwarf::DW_ATE_unsigned || encoding == llvm::dwarf::DW_ATE_unsigned_char ||
                          encoding == llvm::dwarf::DW_ATE_boolean || encoding == llvm::dwarf::DW_ATE_UTF;
    integer.is_sign_known = true;
  }
  return integer;
}

std::vector<SourceInteger> IntegersOf(const llvm::DIType* type) {
  IntegerCollector collector;
  return collector.Add(type, 0, 0) ? std::move(collector.found) : std::vector<SourceInteger>();
}

std::optional<int> AccessedBits(const llvm::Argument& pointer) {
  AccessCollector collector;
  if (!collector.Follow(pointer) || collector.widths.size() > 1) return std::nullopt;
  if (collector.widths.empty()) return 64;  // No width matters, and any value fits.
  const unsigned bits = *collector.widths.begin();
  return IsIntegerSize(bits) ? std::optional(static_cast<int>(bits)) : std::nullopt;
}

}  // namespace layoutcheck
