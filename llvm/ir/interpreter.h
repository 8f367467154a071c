// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function of LLVM IR on symbolic integers, along one path or on numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/ir/guarded_regions.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/loop_variables.h"
#include "layoutcheck/llvm/ir/machine_value.h"
#include "layoutcheck/llvm/ir/thread_barriers.h"
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace llvm {
class BasicBlock;
}  // namespace llvm

namespace layoutcheck {

class ModuleCode;

// The source of the value of one IR parameter. Offsets are in the memory that the parameter has or points to.
struct ParameterBinding {
  enum class Kind : uint8_t {
    kInteger,        // an integer whose bytes hold the fields: one field, or several of a struct passed in registers
    kArray,          // a pointer to an array or struct that holds the fields
    kResult,         // a pointer to memory that the function writes
    kUnknownMemory,  // a pointer to memory of which nothing is known
    kUnknown,        // a value that is no integer and of which nothing is known
    kTensor,         // a pointer to the caller's array whose number is the field's `argument`
  };
  struct Field {
    size_t argument = 0;  // number of the argument that the field holds
    int64_t offset = 0;   // in bytes
    int width = 0;        // width in bits
  };

  Kind kind = Kind::kInteger;
  std::vector<Field> fields;
};

// A function with its parameters bound.
struct BoundCode {
  const llvm::Function* function = nullptr;
  std::shared_ptr<const ModuleCode> code;    // of the function and those that it calls
  std::vector<ParameterBinding> parameters;  // one per parameter of the IR
  // The element of the kResult parameter's memory that is the result, or nothing for the value returned.
  struct Element {
    int64_t number = 0;
    int64_t offset = 0;  // in bytes
    int width = 0;       // width in bits
  };
  std::optional<Element> result_element;
  bool is_unsigned = false;  // true if the result's type in the source is unsigned
};

// Runs the function on the arguments, of which no two point to the same memory, and returns its result as a number of
// its type. May be called only within a SymbolicFunction. Throws FunctionFault, with the place in the source, for
// undefined behavior, a failed assertion and abort(); throws FunctionUnknown for instructions that it cannot follow:
// floating point, vectors, atomics, variables that change between calls, calls of functions without a body, and more
// than 200,000 instructions.
SymbolicInteger RunCode(const BoundCode& code, std::span<const SymbolicInteger> arguments);

// The inputs of one thread: arguments, sizes of arrays, and the registers with its numbers.
struct KernelThread {
  std::vector<SymbolicInteger> arguments;
  std::span<const std::string> array_names;  // for messages, in the order of the arrays' numbers
  // Sizes of the arrays in the order of their numbers; none if accesses are not to be checked.
  std::vector<std::optional<SymbolicInteger>> array_bytes;
  std::map<std::string, SymbolicInteger> registers;  // values of IrMemory::registers()
  // The iteration of a loop that stores, if one alone is to be followed; otherwise, all are.
  std::optional<SymbolicInteger> iteration;
  const ModuleRegions* guarded_regions = nullptr;  // of the functions of the kernel
  bool records_positions = false;                  // of accesses to shared memory
  // Numbers of the guarded regions on the path whose accesses are asked about; all if there is no set.
  // On expressions, the run steps over the others without deciding their conditions.
  std::optional<std::set<size_t>> regions = std::nullopt;
  // Steps over the guarded regions whose results may be stored, too, but for those in `regions`. Otherwise, all of them
  // are followed.
  bool steps_over_results = false;
  // On expressions, the run ends behind the last of `regions`, which is not empty then, because nobody asks what
  // follows.
  bool ends_behind_regions = false;
  // Guarded regions in other intervals between barriers than this one are stepped over, too.
  std::optional<int64_t> regions_interval = std::nullopt;
  SharedReader shared_reader = nullptr;  // the values of reads of shared memory
  // Gives the numbers of elements. `note_place` is called with the number of each array of whose elements the place of
  // an access is computed. Both are set, or neither is.
  ElementReader element_reader = nullptr;
  std::function<void(int64_t array)> note_place = nullptr;
  AccessFilter access_filter = nullptr;  // accesses that are checked; null for all
  // Throws AddressFault, and takes no overflow for undefined behavior, as ExecuteExactly does.
  bool follows_exact = false;
  bool checks_shared = true;                                   // accesses to shared memory are checked
  std::optional<SymbolicInteger> shared_bytes = std::nullopt;  // size of shared memory whose size the launch says
  std::optional<int64_t> last_barrier = std::nullopt;          // number of the barrier at which the run ends
  // Result of a branch on a value that cannot be followed in a run on numbers; without it, the run ends there.
  std::optional<bool> unknown_condition = std::nullopt;
  LoopVariables* loop_variables = nullptr;  // what runs know of the variables of loops; may be null
  bool needs_all_stores = false;  // a path that ends behind an iteration of a loop counts only if it is `iteration`
};

// A store of a kernel to an array.
struct KernelStore {
  int64_t array = 0;       // number of the array
  SymbolicInteger offset;  // offset in bytes
  int64_t bytes = 0;
  // Number of the array from which the stored bytes were loaded, and their offset in it, in bytes. -1 if they are
  // anything else.
  int64_t from = -1;
  SymbolicInteger from_offset;
  // The fields of the stored integer, if some of its bits are those of arrays, whose numbers are `object`.
  std::vector<BitField> bits = {};
  std::string unknown;       // description of the stored value, if it cannot be followed
  bool is_computed = false;  // the stored value is the result of arithmetic, and no element
  bool is_constant = false;
  bool is_of_shared = false;                    // the stored value is one read of shared memory
  bool is_garbage = false;                      // no thread has written the stored value
  std::string_view place;                       // place in the source, for messages; it is one of BoundCode::code
  LoopPosition position = {};                   // place among the loops; in a run on numbers, none is known
  bool is_atomic = false;                       // an atomic operation, which may follow others at the same place
  SymbolicInteger interval;                     // number of barriers of its block that the thread has passed
  WarpBarriers warp_barriers = {};              // those of its warp
  std::optional<size_t> region = std::nullopt;  // number of the guarded region that it is in
};

// The accesses of one thread of a kernel.
struct KernelRun {
  std::vector<KernelStore> stores;
  std::vector<ArrayRead> reads;  // `object` is the number of the array
  std::vector<SharedAccess> shared;
  BarrierTrace barriers;            // the barriers that the thread has passed
  bool is_whole = true;             // false if the path ends behind one iteration of a loop, or behind the regions
  size_t regions = 0;               // number of guarded regions on the path without results that are stored
  size_t regions_with_results = 0;  // number of those with them
  ElementReader element_reader;     // KernelThread::element_reader
  bool is_guessed = false;          // KernelThread::unknown_condition said where a branch leads
};

// Runs one thread of a kernel, whose arrays have one number each, and returns what it stores in them. Of a loop that a
// name bounds it returns the stores of the first two iterations and of any other one. On expressions, a branch on a
// value that cannot be followed, such as an element of an array, goes both ways. Throws as RunCode does; an access
// outside of an array, or not aligned, is undefined behavior.
KernelRun RunKernel(const BoundCode& code, const KernelThread& thread);

}  // namespace layoutcheck
