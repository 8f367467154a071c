// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/thread_registers.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <algorithm>
#include <array>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kAxisNames = "xyz";

// An intrinsic per axis, whose name is the prefix with "x", "y" or "z".
struct AxisIntrinsic {
  std::string_view prefix;
  std::string_view what;  // before ".x"; empty if the rest of the name is the register
};
constexpr std::array<AxisIntrinsic, 3> kIntrinsics{
    {{"llvm.nvvm.read.ptx.sreg.", ""}, {"llvm.amdgcn.workitem.id.", "tid"}, {"llvm.amdgcn.workgroup.id.", "ctaid"}}};

// A function of OpenCL, or of AMD's device libraries, whose argument is the number of the axis.
struct AxisFunction {
  std::string_view opencl;
  std::string_view ockl;
  std::array<std::string_view, 3> what;  // a, or a * b, or a * b + c
};
constexpr std::array<AxisFunction, 6> kFunctions{{
    {"_Z12get_local_idj", "__ockl_get_local_id", {"tid", "", ""}},
    {"_Z12get_group_idj", "__ockl_get_group_id", {"ctaid", "", ""}},
    {"_Z14get_local_sizej", "__ockl_get_local_size", {"ntid", "", ""}},
    {"_Z14get_num_groupsj", "__ockl_get_num_groups", {"nctaid", "", ""}},
    {"_Z15get_global_sizej", "__ockl_get_global_size", {"nctaid", "ntid", ""}},
    {"_Z13get_global_idj", "__ockl_get_global_id", {"ctaid", "ntid", "tid"}},
}};

// A number in the memory that a pointer to the launch points to: a, or a * b, or 0.
struct LaunchField {
  std::string_view pointer;
  int64_t offset = 0;  // of x, in bytes; y and z follow
  int64_t bytes = 0;
  std::array<std::string_view, 2> what;
};
constexpr std::string_view kDispatch = "llvm.amdgcn.dispatch.ptr";     // hsa_kernel_dispatch_packet_t
constexpr std::string_view kImplicit = "llvm.amdgcn.implicitarg.ptr";  // of code object version 5
constexpr std::array<LaunchField, 6> kFields{{
    {kDispatch, 4, 2, {"ntid", ""}},
    {kDispatch, 12, 4, {"nctaid", "ntid"}},
    {kImplicit, 0, 4, {"nctaid", ""}},
    {kImplicit, 12, 2, {"ntid", ""}},
    {kImplicit, 18, 2, {"", ""}},  // threads of a last block that is smaller
    {kImplicit, 40, 8, {"", ""}},  // the number of the first thread
}};

std::string Register(std::string_view what, size_t axis) { return StrCat(what, ".", kAxisNames.substr(axis, 1)); }

std::string_view NameOf(const llvm::CallBase& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  return callee == nullptr || !callee->isDeclaration() ? "" : std::string_view(callee->getName());
}

// Returns the register of an intrinsic that has one, or "".
std::string IntrinsicRegister(std::string_view name) {
  for (const AxisIntrinsic& intrinsic : kIntrinsics) {
    if (!name.starts_with(intrinsic.prefix)) continue;
    const std::string rest(name.substr(intrinsic.prefix.size()));
    return intrinsic.what.empty() ? rest : StrCat(intrinsic.what, ".", rest);
  }
  return "";
}

const AxisFunction* FunctionOf(std::string_view name) {
  const auto found = std::ranges::find_if(
      kFunctions, [&](const AxisFunction& function) { return function.opencl == name || function.ockl == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

bool IsLaunchPointer(std::string_view name) { return name == kDispatch || name == kImplicit; }

// Returns the register's number. Throws FunctionUnknown if the thread has none.
SymbolicInteger NumberIn(IrMemory& memory, const std::string& name, const std::string& place) {
  const auto known = memory.registers().find(name);
  if (known == memory.registers().end()) throw FunctionUnknown{StrCat("the register ", name, " at ", place)};
  return known->second;
}

MachineValue CallAxisFunction(const AxisFunction& function, int width, const MachineValue& axis, IrMemory& memory,
                              const std::string& place) {
  const auto number = axis.IsInteger() ? axis.integer.number() : std::nullopt;
  if (!number) throw FunctionUnknown{StrCat("a direction that is not known, at ", place)};
  SymbolicInteger value = function.what[0].ends_with("id") && function.what[0] != "ntid" ? 0 : 1;
  if (*number >= 0 && *number < 3) {
    const auto read = [&](size_t k) {
      return NumberIn(memory, Register(function.what[k], static_cast<size_t>(*number)), place);
    };
    value = read(0);
    if (!function.what[1].empty()) value *= read(1);
    if (!function.what[2].empty()) value += read(2);
  }
  return memory.Given(value, width);
}

// Returns a pointer to new memory with the numbers that are known.
MachineValue LaunchMemory(std::string_view pointer, IrMemory& memory) {
  constexpr int64_t kBytes = 256;
  const MachineValue result = memory.Allocate("the numbers of the launch", kBytes, /*is_callers=*/true);
  for (const LaunchField& field : kFields) {
    if (field.pointer != pointer) continue;
    const int width = static_cast<int>(field.bytes) * kBitsPerByte;
    for (size_t axis = 0; axis < kAxisNames.size(); ++axis) {
      SymbolicInteger value = field.what[0].empty() ? 0 : 1;
      bool is_known = true;
      for (const std::string_view what : field.what) {
        if (what.empty()) continue;
        const auto known = memory.registers().find(Register(what, axis));
        is_known = is_known && known != memory.registers().end();
        if (is_known) value *= known->second;
      }
      if (!is_known) continue;
      memory.object(result).Store(field.offset + static_cast<int64_t>(axis) * field.bytes, field.bytes,
                                  memory.Given(value, width));
    }
  }
  return result;
}

// Adds the registers whose numbers lie at these bytes of the launch's memory; all of them without bytes.
void AddFields(std::string_view pointer, std::optional<int64_t> at, std::vector<std::string>& registers) {
  for (const LaunchField& field : kFields) {
    for (size_t axis = 0; field.pointer == pointer && axis < kAxisNames.size(); ++axis) {
      const int64_t begin = field.offset + static_cast<int64_t>(axis) * field.bytes;
      if (at && (*at < begin || *at >= begin + field.bytes)) continue;
      for (const std::string_view what : field.what) {
        if (!what.empty()) registers.push_back(Register(what, axis));
      }
    }
  }
}

// Returns the registers that are read through the pointer that the call returns.
std::vector<std::string> RegistersBehind(const llvm::CallBase& call, std::string_view pointer) {
  std::vector<std::string> registers;
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  for (const llvm::User* const user : call.users()) {
    std::optional<int64_t> at;
    llvm::APInt offset(layout.getIndexTypeSizeInBits(call.getType()), 0);
    const auto* const gep = llvm::dyn_cast<llvm::GEPOperator>(user);
    const bool is_read_alone = gep != nullptr && std::ranges::all_of(gep->users(), [](const llvm::User* next) {
                                 return llvm::isa<llvm::LoadInst>(next);
                               });
    if (llvm::isa<llvm::LoadInst>(user)) at = 0;
    if (is_read_alone && gep->accumulateConstantOffset(layout, offset)) at = offset.getSExtValue();
    AddFields(pointer, at, registers);
  }
  return registers;
}

}  // namespace

std::vector<std::string> RegistersOf(const llvm::CallBase& call) {
  const std::string_view name = NameOf(call);
  if (const std::string known = IntrinsicRegister(name); !known.empty()) return {known};
  if (IsLaunchPointer(name)) return RegistersBehind(call, name);
  std::vector<std::string> registers;
  const AxisFunction* const function = FunctionOf(name);
  if (function == nullptr || call.arg_size() != 1) return registers;
  const auto* const axis = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  for (const std::string_view what : function->what) {
    for (size_t k = 0; !what.empty() && k < kAxisNames.size(); ++k) {
      if (axis == nullptr || axis->getZExtValue() == k) registers.push_back(Register(what, k));
    }
  }
  return registers;
}

std::optional<MachineValue> ReadRegister(const llvm::CallBase& call, std::span<const MachineValue> operands,
                                         IrMemory& memory, const std::string& place) {
  const std::string_view name = NameOf(call);
  if (const std::string known = IntrinsicRegister(name); !known.empty()) {
    constexpr int kWidth = 32;
    return memory.Given(NumberIn(memory, known, place), kWidth);
  }
  if (IsLaunchPointer(name)) return LaunchMemory(name, memory);
  const AxisFunction* const function = FunctionOf(name);
  if (function == nullptr || operands.size() != 1 || !call.getType()->isIntegerTy()) return std::nullopt;
  const auto width = static_cast<int>(call.getType()->getIntegerBitWidth());
  return CallAxisFunction(*function, width, operands[0], memory, place);
}

}  // namespace layoutcheck
