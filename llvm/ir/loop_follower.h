// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows a loop that ends by a name (`i < N`) by closed forms of its variables.
//
// In a run on expressions, a loop is run twice. From the values before, between and after, each variable gets a closed
// form: the value after k more iterations, a polynomial of degree 1 or 2 in k. From the tests that end the loop comes
// their number n. Both are guesses. The path then splits by a new variable k that takes all values >= 0:
//   k < n    The iteration k runs from the closed forms of k. It must arrive at the closed forms of k + 1, and all that
//            an iteration must not do is claimed on the way. If it does arrive, the path ends.
//   n <= k   The run goes on behind the loop with the closed forms of n.
// The closed forms are then the values, by induction, so no verdict rests on the guesses. Memory without a closed form
// is unknown from then on. Stores to arrays are those of the iterations that are run; an iteration k may store to no
// other arrays than the first two.
//
// In a run on numbers that may be shortened (RunLength), a loop that takes too many operations goes on from the closed
// forms shortly before its end, or before one of its variables would wrap. Whether the iterations between do what the
// first ones do is not checked.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>
#include "layoutcheck/llvm/ir/function_code.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/loop_variables.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class BranchInst;
class ICmpInst;
}  // namespace llvm

namespace layoutcheck {

// The local variables of a run by the numbers of their objects.
using Locals = std::unordered_map<int64_t, const llvm::Value*>;

// The condition of a branch in a run that comes from the block `before`. A negation is removed from it, and a value
// that
// `&&` or `||` merges from several blocks is the one from `before`.
struct BranchCondition {
  BranchCondition(const llvm::BranchInst& branch, const llvm::BasicBlock* before);

  const llvm::Value* value;
  bool is_negated = false;
};

class LoopFollower {
 public:
  // Belongs to one call of the function. Only the outermost loops of a kernel may store to arrays as often as a name
  // says. With `iteration`, k is this number, less 2, in them. `variables` may be null.
  LoopFollower(const FunctionCode& code, IrMemory& memory, const Locals& locals, bool is_kernel,
               const std::optional<SymbolicInteger>& iteration, LoopVariables* variables);

  // Called where the run enters a block from the block `before`, with its phis set. May change them and memory. Throws
  // FunctionEnd and FunctionUnknown.
  void Enter(const llvm::BasicBlock& block, const llvm::BasicBlock* before, Frame& frame);
  // Called before a branch on a comparison of two values. With `is_negated`, the first successor is that of a
  // comparison that does not hold.
  void RecordTest(const llvm::BranchInst& branch, const llvm::ICmpInst& compare, bool is_negated, const MachineValue& a,
                  const MachineValue& b);
  // Returns true if the run is in an iteration k < n, at whose end is checked what all iterations do.
  bool IsInIteration() const {
    return std::ranges::any_of(runs_, [](const auto& entry) { return entry.second.mode == Mode::kIteration; });
  }

 private:
  enum class Mode : uint8_t {
    kCollecting,  // the first two iterations
    kPlain,       // one iteration after the other
    kIteration,   // an iteration k < n, for an unknown k
    kAfter,       // behind the last iteration
  };
  // The values that a loop may change, at one entry of its header.
  struct State {
    std::vector<MachineValue> phis;
    std::vector<MachineObject> objects;
    size_t stores = 0;                                 // number of stores to arrays so far
    std::map<BarrierGroup, SymbolicInteger> barriers;  // numbers of barriers passed so far
    size_t stepped_over = 0;                           // number of regions that may store to arrays
    int64_t operations = 0;                            // number of operations of the run so far

    SymbolicInteger BarriersOf(const BarrierGroup& group) const {
      const auto found = barriers.find(group);
      return found == barriers.end() ? SymbolicInteger(0) : found->second;
    }
  };
  // A comparison that ends the loop on one side of a branch.
  struct Test {
    const llvm::ICmpInst* compare = nullptr;
    bool stays_if_it_holds = false;
    std::vector<std::pair<SymbolicInteger, SymbolicInteger>> sides = {};  // one pair of sides per time that it was made
  };
  struct LoopRun {
    Mode mode = Mode::kCollecting;
    int64_t entries = 0;      // number of times that the header was entered
    bool has_stores = false;  // the first two iterations store to arrays
    std::vector<State> states;
    std::map<const llvm::BranchInst*, Test> tests;
  };

  State Now(const llvm::BasicBlock& header, const Frame& frame) const;
  void Split(const llvm::Loop& loop, LoopRun& run, Frame& frame);
  // Enter() in a run on numbers.
  void EnterOnNumbers(const llvm::BasicBlock& block, Frame& frame);
  // Steps over iterations if the loop takes more operations than the run may.
  void StepOver(const llvm::Loop& loop, LoopRun& run, Frame& frame);
  // Returns the closed forms after `count` further iterations. `states` are those at the first three entries.
  State StateAfter(const llvm::Loop& loop, std::span<const State> states, const SymbolicInteger& count) const;
  // Sets the values and memory of the run to the state.
  void GoTo(const llvm::Loop& loop, std::span<const State> states, const State& state, Frame& frame);
  void CheckArrival(const llvm::Loop& loop, const LoopRun& run, const State& found) const;
  std::optional<SymbolicInteger> Remaining(const llvm::Loop& loop, const LoopRun& run) const;
  bool IsInside(const llvm::Loop& loop, size_t object) const;
  // Returns true if the steps of a variable that ends the loop are no equal ones, as in `for (d = 1; d < 512; d *= 2)`.
  bool HasUnequalSteps(const LoopRun& run, std::span<const State> states) const;
  // Returns the local variable whose memory the object is, or null.
  const llvm::Value* LocalOf(size_t object) const;
  // Returns how the variable is followed behind the first iterations.
  VariableForm FormOf(const llvm::Loop& loop, const llvm::Value* variable, int64_t offset) const;
  std::string PlaceOfLoop(const llvm::Loop& loop) const;

  IrMemory& memory_;
  const Locals& locals_;
  bool is_kernel_;
  const std::optional<SymbolicInteger>& iteration_;
  LoopVariables* variables_;
  const llvm::LoopInfo& loops_;
  std::map<const llvm::Loop*, LoopRun> runs_;
};

}  // namespace layoutcheck
