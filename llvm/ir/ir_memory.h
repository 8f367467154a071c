// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory as instructions of LLVM IR see it: pointers are checked, types are read by the layout of the module.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "layoutcheck/llvm/ir/code_position.h"
#include "layoutcheck/llvm/ir/machine_memory.h"
#include "layoutcheck/llvm/ir/machine_value.h"
#include "layoutcheck/llvm/ir/thread_barriers.h"

namespace llvm {
class Constant;
class DataLayout;
class GlobalVariable;
class Type;
}  // namespace llvm

namespace layoutcheck {

// The address space of memory that the threads of a block share, of NVPTX and AMDGPU.
inline constexpr unsigned kSharedSpace = 3;

// The text of a constant of which nothing else is known.
inline constexpr const char* kOtherConstant = "a constant that is no integer";
inline constexpr const char* kResultOfRegion = "the result of a condition";  // that was not asked about
// Number of the first guarded region on a path whose results may be stored.
inline constexpr size_t kFirstWithResult = 1'000'000;

// A store to an array of the caller.
struct ArrayStore {
  int64_t object = 0;      // number of the array's object
  SymbolicInteger offset;  // offset in bytes
  int64_t bytes = 0;       // number of bytes stored
  MachineValue value;
  std::string_view place;      // place in the source, for messages
  LoopPosition position = {};  // loop_position() at the store
  bool is_atomic = false;
  SymbolicInteger interval = 0;                 // number of barriers of its block that the thread has passed
  WarpBarriers warp_barriers = {};              // those of its warp
  std::optional<size_t> region = std::nullopt;  // number of the guarded region that it is in
};

// The numbers that the barriers passed before an access may have: `residue` modulo `period`, or exactly `residue` if
// the period is 0.
struct IntervalClass {
  int64_t period = 1;
  int64_t residue = 0;
  auto operator<=>(const IntervalClass&) const = default;
};

// An access to memory that the threads of a block share.
struct SharedAccess {
  enum class Kind : uint8_t { kRead, kWrite, kAtomic };
  Kind kind = Kind::kRead;
  std::string_view memory;                      // name of the variable in the code, which no other one has
  std::string name;                             // its name in the source, for messages
  SymbolicInteger offset;                       // in bytes
  int64_t bytes = 0;                            // number of bytes
  SymbolicInteger interval;                     // number of barriers of its block that the thread has passed
  IntervalClass interval_class;                 // what is known of the interval if it is no number
  WarpBarriers warp_barriers = {};              // barriers of its warp that the thread has passed
  MachineValue value;                           // what is written
  std::optional<size_t> region = std::nullopt;  // number of the guarded region that it is in
  std::string_view place;                       // place in the source, for messages
  std::vector<int64_t> position = {};           // CodePosition::Now() at the access
};

// Returns the value of a read of shared memory, or nothing if it is not known. `earlier` are the accesses of the thread
// before it.
using SharedReader =
    std::function<std::optional<MachineValue>(const SharedAccess& read, const std::vector<SharedAccess>& earlier)>;

// Returns the number that an element of an array of integers is; nothing if the array's numbers are not followed.
// `offset` is its place in bytes, `width` its size in bits.
using ElementReader =
    std::function<std::optional<SymbolicInteger>(int64_t array, const SymbolicInteger& offset, int width)>;

// Returns true if the access is to be checked. `memory` is the name of the array or variable, `subject` the beginning
// of the message: "a read", "a write" or "an atomic operation".
using AccessFilter = std::function<bool(std::string_view memory, std::string_view subject, std::string_view place)>;

// A read of an array of the caller.
struct ArrayRead {
  int64_t object = 0;      // number of the array's object
  SymbolicInteger offset;  // offset in bytes
  int64_t bytes = 0;
  std::string_view place;
  SymbolicInteger interval;         // number of barriers of its block that the thread has passed
  WarpBarriers warp_barriers = {};  // those of its warp
};

// Throws FunctionUnknown if a value of the type has more parts than are followed.
void CheckScalars(const llvm::Type& type, std::string_view place);

class IrMemory {
 public:
  explicit IrMemory(const llvm::DataLayout& layout) : layout_(layout) {}

  // Returns a pointer to a new object.
  MachineValue Allocate(std::string name, std::optional<int64_t> size, bool is_callers = false);
  // Sets the alignment of a new object: its address is a multiple of `bytes`, and nothing else is known about it.
  void SetAlignment(const MachineValue& pointer, uint64_t bytes);
  // Checks that a pointer through which the code has read or written is a multiple of `bytes`.
  void CheckAligned(const MachineValue& pointer, uint64_t bytes, std::string_view place) const;
  // Returns true if the pointer points to a byte of its object.
  bool IsInside(const MachineValue& pointer) const {
    const MachineObject& contents = objects_[static_cast<size_t>(pointer.object)].contents;
    return contents.size() && pointer.integer >= 0 && pointer.integer < *contents.size();
  }
  // Returns a pointer to an array of the caller that has `bytes` bytes, or any number of them. A load from it gives an
  // element (MachineValue::Kind::kElement) until something is stored in it. Its stores are recorded in stores().
  MachineValue AllocateArray(std::string name, const std::optional<SymbolicInteger>& bytes);
  // Sets the numbers of elements by the numbers of their objects. Elements of other arrays stay elements.
  // note_place(object) is called if an access has a place that is computed of such an element.
  void SetElementReader(ElementReader reader, std::function<void(int64_t object)> note_place) {
    element_reader_ = std::move(reader);
    note_place_ = std::move(note_place);
  }
  // Follows the exact numbers of integers from now on (exact_numbers.h).
  void FollowExact() { follows_exact_ = true; }
  bool follows_exact() const { return follows_exact_; }
  // Returns the number as an integer of `width` bits: an argument, or an element of an array.
  MachineValue Given(const SymbolicInteger& number, int width) const;
  // Returns the integer that the element is, or the element if its number is not known.
  MachineValue WithNumber(MachineValue element) const;
  // Says that the place of an access is computed of an element of the object's array.
  void NotePlaceOf(int64_t object) const {
    if (note_place_) note_place_(object);
  }
  size_t object_count() const { return objects_.size(); }
  // Ends the life of the local variables among the objects from number `first` on.
  void EndLocals(size_t first);
  const std::vector<ArrayStore>& stores() const { return stores_; }

  // Returns what was recorded, at the end of the run.
  std::vector<ArrayRead> TakeReads() { return std::move(reads_); }
  std::vector<SharedAccess> TakeSharedAccesses() { return std::move(shared_accesses_); }

  // Shared memory of the threads of a block: the values of reads, and the size in bytes of memory whose size the launch
  // says.
  CodePosition& position() { return position_; }
  void SetSharedReader(SharedReader reader) { shared_reader_ = std::move(reader); }
  void LeaveSharedUnchecked() { checks_shared_ = false; }
  // Leaves accesses to arrays and shared memory unchecked for which the filter, unless it is null, returns false.
  void SetAccessFilter(AccessFilter filter) { access_filter_ = std::move(filter); }
  void SetDynamicBytes(std::optional<SymbolicInteger> bytes) { dynamic_bytes_ = std::move(bytes); }
  // The barriers that the thread has passed. The run stops behind barrier number `last` of the block, from 1.
  BarrierTrace& barriers() { return barriers_; }
  // Says that `barriers`, an expression, are of the class: those at the entry of an iteration.
  void SetIntervalClass(SymbolicInteger barriers, const IntervalClass& of) {
    known_barriers_ = std::move(barriers);
    known_class_ = of;
  }
  IntervalClass CurrentInterval() const;
  void StopBehindBarrier(int64_t last) { last_barrier_ = last; }
  void PassBarrier(const BarrierGroup& group, std::string_view place);
  // Says if copies that the thread has begun (cp.async) may not have ended. They are followed as if they were made at
  // once, so the thread may neither read shared memory nor wait for others before they end: FunctionUnknown.
  void SetCopiesUnderWay(bool are_under_way) { copies_are_under_way_ = are_under_way; }
  bool is_stopped() const { return is_stopped_; }

  // Count the guarded regions on the path, and those whose accesses the run steps over. The first returns the number of
  // the region: from 0, or from kFirstWithResult for those whose results may be stored. The second says that the
  // accesses from now on are in a region, or in none.
  size_t EnterRegion(bool is_result_stored) {
    const size_t number = NextRegion(is_result_stored);
    ++(is_result_stored ? results_entered_ : regions_entered_);
    return number;
  }
  size_t NextRegion(bool is_result_stored) const {
    return is_result_stored ? kFirstWithResult + results_entered_ : regions_entered_;
  }
  void RunRegion(std::optional<size_t> number) { region_ = number; }
  void StepOverRegion() { ++regions_stepped_over_; }
  size_t regions_entered() const { return regions_entered_; }
  size_t results_entered() const { return results_entered_; }
  size_t regions_stepped_over() const { return regions_stepped_over_; }
  // The place of the run among the loops.
  LoopPosition& loop_position() { return loop_position_; }
  // The numbers of the thread and its launch, by the names of their registers: "tid.x", "ctaid.x", "ntid.x",
  // "nctaid.x".
  std::map<std::string, SymbolicInteger>& registers() { return registers_; }
  MachineObject& contents(size_t object) { return objects_[object].contents; }
  MachineObject& object(const MachineValue& pointer) { return objects_[static_cast<size_t>(pointer.object)].contents; }

  MachineValue ValueOf(const llvm::Constant& constant);
  // Load or store a value of the type. They throw FunctionFault where the pointer leaves its object, and
  // FunctionUnknown where the place is not known. `place`, which ends messages, must outlive what the run records.
  MachineValue Load(const MachineValue& pointer, llvm::Type& type, std::string_view place);
  void Store(const MachineValue& pointer, llvm::Type& type, const MachineValue& value, std::string_view place);
  // A place of a copy. Its address is a multiple of `alignment` bytes, as the code claims.
  struct CopiedPlace {
    const MachineValue& pointer;
    int64_t alignment = 1;
  };
  void Copy(const CopiedPlace& to, const CopiedPlace& from, int64_t bytes, std::string_view place);
  void Fill(const MachineValue& to, const MachineValue& byte, int64_t bytes, std::string_view place);
  // Changes the value at the pointer to one that is not known, as an atomic operation does. Throws FunctionUnknown for
  // a local variable, whose value would matter.
  void ChangeAtomically(const MachineValue& pointer, llvm::Type& type, std::string_view place);
  // Returns the pointer moved by so many bytes. It is poison if `inbounds` claims that it stays in its object, and it
  // does not.
  MachineValue Move(const MachineValue& pointer, const SymbolicInteger& bytes, bool inbounds, std::string_view place);

  const llvm::DataLayout& layout() const { return layout_; }

 private:
  struct Object {
    MachineObject contents;
    const llvm::GlobalVariable* global = nullptr;  // the variable whose memory this is, or null
    uint64_t alignment = 0;                        // in bytes; 0 if nothing is claimed about it
    bool is_array = false;
    bool is_stored = false;  // an array of which stores() has a store
    bool is_shared = false;  // shared by the threads of a block: values loaded from it are unknown
    std::optional<SymbolicInteger> array_bytes = std::nullopt;
  };

  // An access through a pointer that is to be checked; the last two members are for messages.
  struct CheckedAccess {
    int64_t bytes = 0;
    int64_t alignment = 1;  // in bytes
    std::string_view place;
    std::string_view verb;
  };
  // Throws FunctionFault unless an access at the offset lies in a memory of `size` bytes and is aligned.
  static void CheckAccess(const std::string& memory, const SymbolicInteger& size, const SymbolicInteger& offset,
                          const CheckedAccess& access);
  // Returns true if a pointer may not leave the object. The place of an access that is not checked may be outside.
  bool HasBounds(const Object& object) const { return object.contents.size() && !(object.is_shared && access_filter_); }
  // Returns the array that the pointer points into after checking the access to `bytes` bytes, or null if it is no
  // array.
  const Object* CheckArray(const MachineValue& pointer, int64_t bytes, int64_t alignment, std::string_view place,
                           std::string_view verb) const;
  // Records the read and returns the element. Requires an array.
  MachineValue LoadArray(const MachineValue& pointer, int64_t bytes, std::string_view place);
  // Records the write to an array or to shared memory.
  void RecordStore(const MachineValue& pointer, int64_t bytes, const MachineValue& value, std::string_view place);
  // Adds a store to an array to stores().
  void AddStore(const MachineValue& pointer, int64_t bytes, const MachineValue& value, std::string_view place,
                bool is_atomic);
  // Returns the bytes of a copy as the object that is copied.
  MachineObject BytesAt(const CopiedPlace& from, int64_t bytes, std::string_view place);

  // Returns true, after checking the access, if the pointer points into memory that the threads of a block share.
  bool CheckShared(const MachineValue& pointer, int64_t bytes, int64_t alignment, std::string_view place,
                   std::string_view verb) const;
  // Records the access. Requires that CheckShared() returned true.
  SharedAccess& RecordShared(SharedAccess::Kind kind, const MachineValue& pointer, int64_t bytes,
                             std::string_view place);
  void CheckThatCopiesEnded(std::string_view place) const;
  MachineValue LoadShared(const MachineValue& pointer, int64_t bytes, std::string_view place);
  // Throws FunctionFault if nothing may be written to the object.
  static void CheckWritable(const Object& object, std::string_view place);
  // Returns the pointer's offset as a number, and checks that an access to `bytes` bytes there stays in the object. If
  // the offset may be several numbers, each one is a path of its own.
  int64_t NumberOf(const MachineValue& pointer, int64_t bytes, std::string_view place, std::string_view verb);
  MachineValue LoadConstant(const llvm::GlobalVariable& global, int64_t offset, llvm::Type& type,
                            std::string_view place);
  void StoreConstant(MachineObject& object, int64_t offset, const llvm::Constant& constant);

  const llvm::DataLayout& layout_;
  std::deque<Object> objects_;
  std::unordered_map<const llvm::GlobalVariable*, int64_t> globals_;
  std::optional<int64_t> dynamic_object_;  // number of the shared memory whose size the launch says
  std::vector<ArrayStore> stores_;
  std::vector<ArrayRead> reads_;
  std::vector<SharedAccess> shared_accesses_;
  CodePosition position_;
  SharedReader shared_reader_;
  ElementReader element_reader_;
  std::function<void(int64_t object)> note_place_;
  bool checks_shared_ = true;
  bool follows_exact_ = false;
  AccessFilter access_filter_;
  std::optional<SymbolicInteger> dynamic_bytes_;
  BarrierTrace barriers_;
  SymbolicInteger known_barriers_ = 0;
  IntervalClass known_class_{0, 0};  // of known_barriers_
  std::optional<int64_t> last_barrier_;
  bool copies_are_under_way_ = false;
  bool is_stopped_ = false;
  size_t regions_entered_ = 0;
  size_t results_entered_ = 0;
  std::optional<size_t> region_;
  size_t regions_stepped_over_ = 0;
  LoopPosition loop_position_;
  std::map<std::string, SymbolicInteger> registers_;
};

}  // namespace layoutcheck
