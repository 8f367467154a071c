// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with its arrays and its launch, as functions of the names in them and of the numbers of a thread.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include "layoutcheck/llvm/kernel/array_layout.h"
#include "layoutcheck/llvm/kernel/array_numbers.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"
#include "layoutcheck/llvm/kernel/kernel_tensor.h"
#include "layoutcheck/llvm/kernel/launch_limits.h"
#include "layoutcheck/llvm/kernel/source_map.h"

namespace layoutcheck {

// Key of the number of the iteration of a loop in which a thread stores an element. No name in a request has a blank.
inline constexpr const char* kIteration = "loop iteration";

struct SharedWriters;

// Returns the name of a number of a thread: "thread_x", "block_x", "block_dim_x", "grid_dim_x".
std::string ThreadName(std::string_view what, size_t axis);

// Returns true for the name of a size of the launch, such as "block_dim_x".
inline bool IsSizeOfLaunch(std::string_view name) {
  return name.starts_with("block_dim_") || name.starts_with("grid_dim_");
}

class KernelModel {
 public:
  // Reads the request. `module` must outlive the model.
  static Expected<KernelModel> Make(const KernelRequest& request, const CodeModule& module);

  // Names of the arrays' sizes and other arguments, then those of the thread that the kernel reads and the launch does
  // not fix.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& thread_names() const { return thread_names_; }
  const std::vector<ArrayLayout>& layouts() const { return layouts_; }
  // Names of the arrays: first the `own_arrays()` of the kernel, then those of kernels that run before it
  // (KernelRequest::earlier_arrays).
  const std::vector<std::string>& array_names() const { return array_names_; }
  size_t own_arrays() const { return own_arrays_; }
  const std::vector<Formula>& assumptions() const { return assumptions_; }
  const std::vector<std::string>& assumption_texts() const { return assumption_texts_; }
  // Returns the name of the kernel in the request.
  const std::string& name() const { return name_; }
  // Returns "tile.cu: unpack(tiles,out,M,N), after pack": the file, the call in the request and the kernels before it.
  const std::string& title() const { return title_; }
  int64_t max_bytes() const { return max_bytes_; }
  bool has_launch() const { return !grid_.empty(); }
  const std::vector<Formula>& grid() const { return grid_; }
  const std::vector<Formula>& block() const { return block_; }
  const LaunchLimits& limits() const { return limits_; }
  // Returns the source of the kernel as it was compiled; empty if LLVM text was read.
  const std::string& source() const { return source_; }
  const llvm::Function& function() const { return *call_.code.function; }
  // Returns the integers in [2, 4096] in the code, and the sizes of its arrays.
  const std::set<int64_t>& literals() const { return literals_; }

  // One set of values of all names.
  struct Point {
    std::vector<KernelTensor> tensors;
    LaunchSizes block;
    LaunchSizes grid;
    std::string why_no_thread_runs;  // text of WhyNoThreadRuns()
  };
  // Returns the arrays and the launch. Returns nothing if an array takes too many bytes, an argument does not fit its
  // type, or the launch is not given and no GPU runs one with these values.
  std::optional<Point> At(const SymbolicValues& given) const;
  // Returns the values with those of the names that stand for formulas (KernelRequest::derived); nothing if the size of
  // an array is negative, or a name has another value already.
  std::optional<SymbolicValues> WithDerived(SymbolicValues values) const;
  // Leaves out threads whose number in a direction, over all blocks, is 2^31 or more. This is for launches that are
  // proved to have none.
  void LeaveOutFarThreads() { leaves_out_far_threads_ = true; }
  // Returns true if a thread of the launch has such a number.
  static bool HasFarThread(const Point& point);
  // Returns true if the values have a thread of the launch.
  bool IsThread(const Point& point, const SymbolicValues& values) const;
  // Returns the number of a thread in its block, the first direction fastest.
  static SymbolicInteger NumberInBlock(const Point& point, const SymbolicValues& values);
  // Returns the values with those of the thread of the same block that has the number.
  static SymbolicValues ThreadOfBlock(const Point& point, SymbolicValues values, SymbolicInteger number);
  // Returns what the thread stores. Accesses outside of arrays throw FunctionFault if they are checked; the stores are
  // then those of each path, otherwise all of them, or those up to the iteration kIteration.
  enum class Bounds : uint8_t { kChecked, kProved };
  std::vector<KernelStore> Run(const Point& point, const SymbolicValues& values, Bounds bounds) const {
    return RunRegions(point, values, bounds, std::nullopt).stores;
  }
  // Returns all that the thread does, of the guarded regions with these numbers on the path alone
  // (KernelThread::regions). With `ends_behind`, what follows them is left out, too.
  KernelRun RunRegions(const Point& point, const SymbolicValues& values, Bounds bounds,
                       const std::optional<std::set<size_t>>& regions, bool ends_behind = false) const;
  // Returns true if claims about one guarded region alone may have far fewer paths than claims about all.
  bool has_many_regions() const;
  // Returns all that the thread does, on numbers. Conditions that cannot be followed have the value
  // `unknown_condition`.
  KernelRun RunGuessed(const Point& point, const SymbolicValues& values, bool unknown_condition) const;
  // Members of KernelThread, for another thread of the block.
  struct OtherThread {
    std::optional<int64_t> last_barrier = std::nullopt;
    SharedReader reader = nullptr;
    std::optional<std::set<size_t>> regions = std::nullopt;
    std::optional<int64_t> regions_interval = std::nullopt;
  };
  // Returns all that another thread of the block does, without checks of its accesses.
  KernelRun RunOther(const Point& point, const SymbolicValues& values, OtherThread other) const;

  // The numbers in arrays that the kernel uses as indices. The copies of a model share them.
  const ArrayNumbers& numbers() const { return *numbers_; }
  // Shares with the other model what runs have shown.
  void ShareKnown(const KernelModel& other) {
    numbers_ = other.numbers_;
    wanted_ = other.wanted_;
    loop_variables_ = other.loop_variables_;
  }
  // Follows the numbers of arrays that runs since the last call have used as indices, and no more the variables of
  // loops for which they found no closed form. Returns true if there are any.
  bool LearnFromRuns();
  // Returns the elements, as "idx[5]", whose numbers the thread uses, with these, in a run on numbers.
  std::vector<std::pair<std::string, int64_t>> NumbersRead(const Point& point, const SymbolicValues& values) const;

  // Returns what belongs in the array by the request, or null if it is the element of the same index.
  const SourceMap* SourceOf(size_t array) const;

  // Returns the formulas of the request for the thread that stores an element; none if it has none.
  const std::map<std::string, Formula>& thread_formulas() const { return thread_formulas_; }

  // Makes reads of shared memory give what the guessed writers have stored; with null, nothing is known of them.
  // `writers` must outlive the model.
  void SetSharedWriters(const SharedWriters* writers) { shared_writers_ = writers; }
  // Leaves accesses unchecked for which the filter returns false, unless they read numbers of arrays that are followed.
  // With null, all are checked.
  void SetAccessFilter(AccessFilter filter) { access_filter_ = std::move(filter); }
  // Makes runs follow the exact numbers of integers (KernelThread::follows_exact).
  void SetFollowsExact(bool follows_exact) { follows_exact_ = follows_exact; }
  bool follows_exact() const { return follows_exact_; }
  // Makes runs follow the values that are stored, also where they ask about some guarded regions alone and about other
  // threads (KernelThread::steps_over_results).
  void SetFollowsStoredValues(bool follows) { follows_stored_values_ = follows; }
  bool follows_stored_values() const { return follows_stored_values_; }
  // Return true if the kernel may access memory that the threads of a block share, or wait at a barrier, or at one of
  // threads of a warp.
  bool has_shared_memory() const { return has_shared_memory_; }
  bool has_barrier() const { return has_barrier_; }
  bool has_warp_barrier() const { return has_warp_barrier_; }

 private:
  Expected<void> AddArray(const std::pair<std::string, std::string>& array);
  Expected<void> BindArguments(const KernelRequest& request, const llvm::Function& function);
  Expected<void> ReadLaunch(const KernelRequest& request);
  Expected<std::vector<Formula>> ReadFormulas(std::string_view option, const std::string& text);
  void AddName(const std::string& name);
  // Returns the run with what its stores of parts of elements bring (SettleStore).
  static KernelRun Settled(KernelRun run, const Point& point);
  KernelThread ThreadAt(const Point& point, const SymbolicValues& given, Bounds bounds) const;

  std::string name_;
  std::string title_;
  std::string source_;
  CodeCall call_;
  std::vector<std::string> array_names_;  // those of the kernel are in the order of its arguments
  size_t own_arrays_ = 0;
  std::vector<ArrayLayout> layouts_;
  std::vector<Formula> assumptions_;
  std::vector<std::string> assumption_texts_;
  std::vector<Formula> grid_;
  std::vector<Formula> block_;
  std::vector<std::string> names_;
  std::vector<std::string> thread_names_;
  int64_t max_bytes_ = 0;
  LaunchLimits limits_ = kCudaLimits;
  std::set<int64_t> literals_;
  ModuleRegions guarded_regions_;
  const SharedWriters* shared_writers_ = nullptr;
  AccessFilter access_filter_;
  bool follows_exact_ = false;
  bool follows_stored_values_ = false;
  std::shared_ptr<ArrayNumbers> numbers_ = std::make_shared<ArrayNumbers>();
  std::shared_ptr<std::set<size_t>> wanted_ = std::make_shared<std::set<size_t>>();  // arrays used as indices
  std::shared_ptr<LoopVariables> loop_variables_ = std::make_shared<LoopVariables>();
  std::vector<SourceMap> sources_;
  std::vector<std::pair<std::string, Formula>> derived_;
  std::map<std::string, Formula> thread_formulas_;
  std::vector<Formula> shared_bytes_;  // the formula of --shared, or none
  bool has_shared_memory_ = false;
  bool has_barrier_ = false;
  bool has_warp_barrier_ = false;
  bool leaves_out_far_threads_ = false;
};

}  // namespace layoutcheck
