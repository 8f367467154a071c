// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/ir_memory.h"
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/exact_numbers.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostPlaces = 128;     // that one access may have
constexpr uint64_t kMostScalars = 4096;  // of one value

int64_t BytesOf(llvm::Type& type, const llvm::DataLayout& layout) {
  return static_cast<int64_t>(layout.getTypeStoreSize(&type).getFixedValue());
}

// Calls visit(number of the element, type, offset in bytes) for the elements of a struct or array.
template <class Visit>
void ForEachElement(llvm::Type& type, const llvm::DataLayout& layout, Visit visit) {
  if (auto* const fields = llvm::dyn_cast<llvm::StructType>(&type)) {
    const llvm::StructLayout* const places = layout.getStructLayout(fields);
    for (unsigned k = 0; k < fields->getNumElements(); ++k) {
      visit(k, *fields->getElementType(k), static_cast<int64_t>(places->getElementOffset(k).getFixedValue()));
    }
    return;
  }
  auto& array = llvm::cast<llvm::ArrayType>(type);
  const auto stride = static_cast<int64_t>(layout.getTypeAllocSize(array.getElementType()).getFixedValue());
  for (unsigned k = 0; k < array.getNumElements(); ++k) visit(k, *array.getElementType(), k * stride);
}

// Returns "tile" for a variable that the source calls so, wherever it is.
std::string SourceNameOf(const llvm::GlobalVariable& global) {
  const std::string name = llvm::demangle(global.getName().str());
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

bool IsAggregate(const llvm::Type& type) { return type.isStructTy() || type.isArrayTy(); }

// Returns the number of elements of elements of the type, or a number above kMostScalars if there are as many.
uint64_t ScalarsOf(const llvm::Type& type) {
  if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    const uint64_t elements = std::min(array->getNumElements(), kMostScalars);
    return std::min(1 + elements * ScalarsOf(*array->getElementType()), kMostScalars + 1);
  }
  uint64_t sum = 1;
  if (!type.isStructTy()) return sum;
  for (const llvm::Type* const element : type.subtypes()) {
    sum += ScalarsOf(*element);
    if (sum > kMostScalars) break;
  }
  return std::min(sum, kMostScalars + 1);
}

}  // namespace

void CheckScalars(const llvm::Type& type, std::string_view place) {
  if (ScalarsOf(type) > kMostScalars) {
    throw FunctionUnknown{StrCat("a value with more than ", kMostScalars, " parts at ", place)};
  }
}

MachineValue IrMemory::Allocate(std::string name, std::optional<int64_t> size, bool is_callers) {
  objects_.push_back({MachineObject(std::move(name), size, is_callers)});
  return MachineValue::Pointer(static_cast<int64_t>(objects_.size()) - 1, 0);
}

void IrMemory::SetAlignment(const MachineValue& pointer, uint64_t bytes) {
  objects_[static_cast<size_t>(pointer.object)].alignment = bytes;
}

void IrMemory::CheckAligned(const MachineValue& pointer, uint64_t bytes, std::string_view place) const {
  if (pointer.kind != MachineValue::Kind::kPointer || pointer.object < 0) return;
  const Object& object = objects_[static_cast<size_t>(pointer.object)];
  if (object.alignment == 0 || bytes <= 1) return;
  const auto common = static_cast<int64_t>(std::min(bytes, object.alignment));
  const auto number = pointer.integer.number();  // Arithmetic on numbers would count as work of the code.
  if (common > 1 && (number ? *number % common != 0 : !(Mod(pointer.integer, common) == 0))) {
    throw FunctionFault{
        StrCat("an access to ", object.contents.name(), " that is not aligned to ", bytes, " bytes at ", place)};
  }
  if (common >= static_cast<int64_t>(bytes)) return;
  throw FunctionUnknown{StrCat("the code depends on the address of ", object.contents.name(),
                               ", which need not be a multiple of ", bytes, " bytes, at ", place)};
}

void IrMemory::EndLocals(size_t first) {
  for (size_t k = first; k < objects_.size(); ++k) {
    if (objects_[k].global == nullptr) objects_[k].contents.End();
  }
}

void IrMemory::CheckWritable(const Object& object, std::string_view place) {
  const std::string& name = object.contents.name();
  if (object.global != nullptr && object.global->isConstant()) {
    throw FunctionFault{StrCat("a write to the constant ", name, " at ", place)};
  }
  if (object.contents.has_ended()) throw FunctionFault{StrCat("a write to ", name, ", which has ended, at ", place)};
}

MachineValue IrMemory::AllocateArray(std::string name, const std::optional<SymbolicInteger>& bytes) {
  const MachineValue pointer = Allocate(std::move(name), std::nullopt, /*is_callers=*/true);
  objects_.back().is_array = true;
  objects_.back().array_bytes = bytes;
  return pointer;
}

void IrMemory::CheckAccess(const std::string& memory, const SymbolicInteger& size, const SymbolicInteger& offset,
                           const CheckedAccess& access) {
  const auto& [bytes, alignment, place, verb] = access;
  const auto at_byte = [&] {
    const auto number = offset.number();
    return number ? StrCat(", at byte ", ToDecimal(*number)) : std::string();
  };
  FunctionRun::SetPlace(verb, memory, place);
  if (offset < 0 || offset > size - bytes) {
    throw FunctionFault{StrCat(verb, " outside of ", memory, " at ", place, at_byte())};
  }
  if (alignment > 1 && !(offset % alignment == 0)) {
    throw FunctionFault{
        StrCat(verb, " of ", memory, " that is not aligned to ", alignment, " bytes at ", place, at_byte())};
  }
}

const IrMemory::Object* IrMemory::CheckArray(const MachineValue& pointer, int64_t bytes, int64_t alignment,
                                             std::string_view place, std::string_view verb) const {
  if (pointer.kind != MachineValue::Kind::kPointer || pointer.object < 0) return nullptr;
  const Object& array = objects_[static_cast<size_t>(pointer.object)];
  if (!array.is_array) return nullptr;
  if (!array.array_bytes || (access_filter_ && !access_filter_(array.contents.name(), verb, place))) return &array;
  CheckAccess(array.contents.name(), *array.array_bytes, pointer.integer, {bytes, alignment, place, verb});
  return &array;
}

MachineValue IrMemory::LoadArray(const MachineValue& pointer, int64_t bytes, std::string_view place) {
  const std::string& name = object(pointer).name();
  reads_.push_back({pointer.object, pointer.integer, bytes, place, barriers_.interval(), barriers_.warp_barriers()});
  if (objects_[static_cast<size_t>(pointer.object)].is_stored) {
    return MachineValue::Unknown(StrCat("what was written to ", name, ", at ", place));
  }
  return {.kind = MachineValue::Kind::kElement,
          .width = static_cast<int>(bytes * kBitsPerByte),
          .integer = pointer.integer,
          .object = pointer.object,
          .text = StrCat("an element of ", name)};
}

void IrMemory::RecordStore(const MachineValue& pointer, int64_t bytes, const MachineValue& value,
                           std::string_view place) {
  if (objects_[static_cast<size_t>(pointer.object)].is_shared) {
    RecordShared(SharedAccess::Kind::kWrite, pointer, bytes, place).value = value;
    return;
  }
  AddStore(pointer, bytes, value, place, /*is_atomic=*/false);
}

void IrMemory::AddStore(const MachineValue& pointer, int64_t bytes, const MachineValue& value, std::string_view place,
                        bool is_atomic) {
  objects_[static_cast<size_t>(pointer.object)].is_stored = true;
  stores_.push_back({pointer.object, pointer.integer, bytes, value, place, loop_position_, is_atomic,
                     barriers_.interval(), barriers_.warp_barriers(), region_});
}

MachineValue IrMemory::Given(const SymbolicInteger& number, int width) const {
  return follows_exact_ ? WithExact(number, width) : MachineValue::Integer(Wrap(number, width), width);
}

MachineValue IrMemory::WithNumber(MachineValue element) const {
  if (!element_reader_ || element.kind != MachineValue::Kind::kElement) return element;
  const auto number = element_reader_(element.object, element.integer, element.width);
  return number ? Given(*number, element.width) : std::move(element);
}

MachineValue IrMemory::ValueOf(const llvm::Constant& constant) {
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    const llvm::APInt& bits = number->getValue();
    if (bits.getBitWidth() > 64) return MachineValue::Unknown("an integer of more than 64 bits");
    return MachineValue::Integer(bits.getSExtValue(), static_cast<int>(bits.getBitWidth()));
  }
  // Elements of a vector are set one by one.
  if (constant.getType()->isVectorTy()) return MachineValue::Unknown("a vector");
  if (llvm::isa<llvm::PoisonValue>(constant)) return MachineValue::Poison("a poison value");
  if (llvm::isa<llvm::UndefValue>(constant)) return MachineValue::Unknown("a value that is never set");
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return MachineValue::Pointer(-1, 0);
  if (const auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    const bool is_shared = global->getAddressSpace() == kSharedSpace;
    const auto size = static_cast<int64_t>(layout_.getTypeAllocSize(global->getValueType()).getFixedValue());
    // The launch says the size of shared memory that has none. All names of such memory begin at the same place.
    const bool is_dynamic = is_shared && size == 0;
    if (is_dynamic && dynamic_object_) return MachineValue::Pointer(*dynamic_object_, 0);
    const auto [known, is_new] = globals_.try_emplace(global, static_cast<int64_t>(objects_.size()));
    if (is_new) {
      if (is_dynamic) dynamic_object_ = known->second;
      objects_.push_back(
          {MachineObject(SourceNameOf(*global), is_dynamic ? std::nullopt : std::optional(size), false), global});
      objects_.back().is_shared = is_shared;
      if (!is_shared) objects_.back().alignment = global->getPointerAlignment(layout_).value();
    }
    return MachineValue::Pointer(known->second, 0);
  }
  if (const auto* const gep = llvm::dyn_cast<llvm::GEPOperator>(&constant)) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(gep->getType()), 0);
    const auto* const base = llvm::dyn_cast<llvm::Constant>(gep->getPointerOperand());
    if (base != nullptr && gep->accumulateConstantOffset(layout_, offset)) {
      return Move(ValueOf(*base), offset.getSExtValue(), gep->isInBounds(), "a constant");
    }
  }
  if (IsAggregate(*constant.getType()) && constant.getAggregateElement(0U) != nullptr) {
    CheckScalars(*constant.getType(), "a constant");
    MachineValue value{.kind = MachineValue::Kind::kAggregate};
    for (unsigned k = 0; const llvm::Constant* const element = constant.getAggregateElement(k); ++k) {
      value.elements.push_back(ValueOf(*element));
    }
    return value;
  }
  if (const auto* const expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    if (expression->getOpcode() == llvm::Instruction::AddrSpaceCast) return ValueOf(*expression->getOperand(0));
  }
  return MachineValue::Unknown(kOtherConstant);
}

MachineValue IrMemory::Move(const MachineValue& pointer, const SymbolicInteger& bytes, bool inbounds,
                            std::string_view place) {
  if (pointer.object < 0) {
    if (bytes == 0) return pointer;
    return inbounds ? MachineValue::Poison(StrCat("arithmetic on a null pointer at ", place))
                    : MachineValue::Unknown("arithmetic on a null pointer");
  }
  const SymbolicInteger offset = pointer.integer + bytes;
  const Object& object = objects_[static_cast<size_t>(pointer.object)];
  const MachineObject& contents = object.contents;
  if (!inbounds) return MachineValue::Pointer(pointer.object, Wrap(offset, 64));
  const bool is_inside = HasBounds(object) ? offset >= 0 && offset <= *contents.size() : FitsSigned(offset, 64);
  if (is_inside) return MachineValue::Pointer(pointer.object, offset);
  return MachineValue::Poison(StrCat("a pointer leaves ", contents.name(), " at ", place));
}

int64_t IrMemory::NumberOf(const MachineValue& pointer, int64_t bytes, std::string_view place, std::string_view verb) {
  if (pointer.IsPoison()) throw FunctionFault{pointer.text};
  if (pointer.kind != MachineValue::Kind::kPointer) {
    throw FunctionUnknown{StrCat("an access through ", pointer.text, " at ", place)};
  }
  if (pointer.object < 0) throw FunctionFault{StrCat("an access through a null pointer at ", place)};
  const MachineObject& contents = objects_[static_cast<size_t>(pointer.object)].contents;
  const SymbolicInteger& offset = pointer.integer;
  if (offset < 0 || (contents.size() && offset > *contents.size() - bytes)) {
    const std::optional<Int128> number = offset.number();
    throw FunctionFault{StrCat(verb, " outside of ", contents.name(), " at ", place,
                               number ? StrCat(", at byte ", ToDecimal(*number)) : std::string())};
  }
  if (offset.number() || !contents.size()) return static_cast<int64_t>(offset);
  // Halves the places until one is left.
  if (*contents.size() / bytes > kMostPlaces) {
    throw FunctionUnknown{StrCat("one of more than ", kMostPlaces, " elements of ", contents.name(), " at ", place)};
  }
  if (!(offset % bytes == 0)) throw FunctionUnknown{StrCat("a part of an element at ", place)};
  int64_t least = 0;
  int64_t largest = *contents.size() / bytes - 1;
  while (least < largest) {
    const int64_t middle = (least + largest) / 2;
    if (offset <= middle * bytes) {
      largest = middle;
    } else {
      least = middle + 1;
    }
  }
  return least * bytes;
}

MachineValue IrMemory::LoadConstant(const llvm::GlobalVariable& global, int64_t offset, llvm::Type& type,
                                    std::string_view place) {
  if (!global.isConstant() || !global.hasInitializer() || global.isInterposable()) {
    return MachineValue::Unknown(StrCat("the variable ", global.getName().str(), ", which may change, at ", place));
  }
  auto* const initializer = const_cast<llvm::Constant*>(global.getInitializer());  // NOLINT: LLVM only reads it
  const llvm::Constant* const folded =
      llvm::ConstantFoldLoadFromConst(initializer, &type, llvm::APInt(64, static_cast<uint64_t>(offset)), layout_);
  return folded == nullptr ? MachineValue::Unknown(StrCat("the bytes of ", global.getName().str(), " at ", place))
                           : ValueOf(*folded);
}

MachineValue IrMemory::Load(const MachineValue& pointer, llvm::Type& type, std::string_view place) {
  CheckScalars(type, place);
  const int64_t bytes = BytesOf(type, layout_);
  if (bytes == 0) return MachineValue::Unknown(StrCat("an empty value at ", place));
  const bool is_pointer = pointer.kind == MachineValue::Kind::kPointer && pointer.object >= 0;
  const auto load_parts = [&](const SymbolicInteger& offset) {
    MachineValue value{.kind = MachineValue::Kind::kAggregate};
    ForEachElement(type, layout_, [&](unsigned, llvm::Type& element, int64_t at) {
      value.elements.push_back(Load(MachineValue::Pointer(pointer.object, offset + at), element, place));
    });
    return value;
  };
  const Object* const read = is_pointer ? &objects_[static_cast<size_t>(pointer.object)] : nullptr;
  const bool is_recorded = is_pointer && (read->is_array || read->is_shared);
  if (is_recorded && IsAggregate(type)) return load_parts(pointer.integer);
  if (CheckArray(pointer, bytes, bytes, place, "a read") != nullptr) return LoadArray(pointer, bytes, place);
  if (CheckShared(pointer, bytes, bytes, place, "a read")) return LoadShared(pointer, bytes, place);
  if (is_pointer && object(pointer).is_callers() && !pointer.integer.number()) {
    return MachineValue::Unknown(StrCat("what ", object(pointer).name(), " points to, at ", place));
  }
  const int64_t offset = NumberOf(pointer, bytes, place, "a read");
  const Object& from = objects_[static_cast<size_t>(pointer.object)];
  if (from.global != nullptr) return LoadConstant(*from.global, offset, type, place);
  if (from.contents.has_ended()) {
    return MachineValue::Poison(StrCat(from.contents.name(), " is read after it has ended at ", place));
  }
  if (type.isIntegerTy() && type.getIntegerBitWidth() <= 64) {
    return from.contents.LoadInteger(offset, static_cast<int>(type.getIntegerBitWidth()));
  }
  if (type.isPointerTy()) return from.contents.LoadPointer(offset, bytes);
  if (IsAggregate(type)) return load_parts(offset);
  return from.contents.LoadOther(offset, bytes);
}

void IrMemory::Store(const MachineValue& pointer, llvm::Type& type, const MachineValue& value, std::string_view place) {
  CheckScalars(type, place);
  const int64_t bytes = BytesOf(type, layout_);
  if (bytes == 0) return;
  const auto store_parts = [&](const SymbolicInteger& offset) {
    ForEachElement(type, layout_, [&](unsigned k, llvm::Type& element, int64_t at) {
      Store(MachineValue::Pointer(pointer.object, offset + at), element, value.elements[k], place);
    });
  };
  const bool is_pointer = pointer.kind == MachineValue::Kind::kPointer && pointer.object >= 0;
  const bool has_parts = IsAggregate(type) && value.kind == MachineValue::Kind::kAggregate;
  const Object* const written = is_pointer ? &objects_[static_cast<size_t>(pointer.object)] : nullptr;
  const bool is_recorded = is_pointer && (written->is_array || written->is_shared);
  if (is_recorded && has_parts) return store_parts(pointer.integer);
  const auto alignment = IsAggregate(type) ? static_cast<int64_t>(layout_.getABITypeAlign(&type).value()) : bytes;
  if (CheckArray(pointer, bytes, alignment, place, "a write") != nullptr ||
      CheckShared(pointer, bytes, alignment, place, "a write")) {
    MachineValue part = pointer;
    if (type.isVectorTy() && !value.elements.empty()) {
      for (const MachineValue& element : value.elements) {
        Store(part, *type.getScalarType(), element, place);
        part.integer = part.integer + bytes / std::ssize(value.elements);
      }
    } else {
      RecordStore(pointer, bytes, value, place);
    }
    return;
  }
  if (is_pointer && object(pointer).is_callers() && !pointer.integer.number()) return object(pointer).Forget();
  const int64_t offset = NumberOf(pointer, bytes, place, "a write");
  Object& to = objects_[static_cast<size_t>(pointer.object)];
  CheckWritable(to, place);
  // Nothing that is read of a variable that may change is known.
  if (to.global != nullptr) return;
  if (has_parts) return store_parts(offset);
  to.contents.Store(offset, bytes, value);
}

void IrMemory::StoreConstant(MachineObject& contents, int64_t offset, const llvm::Constant& constant) {
  llvm::Type& type = *constant.getType();
  if (!IsAggregate(type)) return contents.Store(offset, BytesOf(type, layout_), ValueOf(constant));
  ForEachElement(type, layout_, [&](unsigned k, llvm::Type&, int64_t at) {
    StoreConstant(contents, offset + at, *constant.getAggregateElement(k));
  });
}

void IrMemory::ChangeAtomically(const MachineValue& pointer, llvm::Type& type, std::string_view place) {
  const int64_t bytes = BytesOf(type, layout_);
  if (CheckShared(pointer, bytes, bytes, place, "an atomic operation")) {
    RecordShared(SharedAccess::Kind::kAtomic, pointer, bytes, place);
    return;
  }
  if (CheckArray(pointer, bytes, bytes, place, "an atomic operation") != nullptr) {
    const MachineValue changed = MachineValue::Unknown(StrCat("changed by an atomic operation at ", place));
    return AddStore(pointer, bytes, changed, place, /*is_atomic=*/true);
  }
  const int64_t number = pointer.kind == MachineValue::Kind::kPointer ? pointer.object : -1;
  if (number < 0) throw FunctionUnknown{StrCat("an atomic operation at ", place)};
  Object& changed = objects_[static_cast<size_t>(number)];
  // Nothing that is read of a variable that may change is known.
  if (changed.global != nullptr) return (void)NumberOf(pointer, bytes, place, "an atomic operation");
  if (!changed.contents.is_callers()) {
    throw FunctionUnknown{StrCat("an atomic operation on ", changed.contents.name(), " at ", place)};
  }
  changed.contents.Forget();
}

}  // namespace layoutcheck
