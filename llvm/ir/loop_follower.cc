// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/loop_follower.h"
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/instructions.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

using Kind = MachineValue::Kind;
using Predicate = llvm::CmpInst::Predicate;

constexpr size_t kIterationsRun = 2;
constexpr int kMostUnrolled = 16;  // a loop with at most so many further iterations is run to its end

// Returns the number after `count` more steps. `past` are the numbers after the last two steps and before them, the
// newest first; the oldest may be missing.
SymbolicInteger AfterSteps(std::span<const SymbolicInteger> past, const SymbolicInteger& count) {
  const SymbolicInteger step = FunctionRun::Simplify(past[0] - past[1]);
  const SymbolicInteger growth =
      past.size() < 3 ? SymbolicInteger(0) : FunctionRun::Simplify(step - (past[1] - past[2]));
  const bool is_linear = growth.number() == Int128{0};
  if (is_linear && step.number() == Int128{0}) return past[0];
  const SymbolicInteger linear = past[0] + count * step;
  return is_linear ? linear : linear + FloorDiv(count * (count + 1), 2) * growth;
}

// Returns the value after `count` more iterations; unknown, for the reason `why`, if there is no guess. `before` may be
// null.
MachineValue AfterIterations(const MachineValue* before, const MachineValue& middle, const MachineValue& now,
                             const SymbolicInteger& count, const std::string& why) {
  const auto is_alike = [&](const MachineValue& value) {
    return value.kind == now.kind && value.width == now.width && value.object == now.object;
  };
  const bool is_number = now.kind == Kind::kInteger || now.kind == Kind::kPointer;
  if (!is_number || !is_alike(middle)) return MachineValue::Unknown(why);
  std::vector<SymbolicInteger> past{now.integer, middle.integer};
  if (before != nullptr && is_alike(*before)) past.push_back(before->integer);
  MachineValue result = now;
  result.integer = AfterSteps(past, count);
  return result;
}

// Returns true if the value found is the one expected.
bool IsAsExpected(const MachineValue& expected, const MachineValue& found) {
  if (expected.kind == Kind::kUnknown) return true;
  if (found.kind != expected.kind || found.width != expected.width || found.object != expected.object) return false;
  return expected.integer == found.integer;
}

// Returns the number of further times that a comparison holds, which held for the differences d - step and d of its
// sides; nothing if that is no number of steps.
std::optional<SymbolicInteger> TimesThatHold(Predicate predicate, SymbolicInteger d, SymbolicInteger step) {
  switch (predicate) {
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_UGT:
    case Predicate::ICMP_SGE:
    case Predicate::ICMP_UGE:
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
      d = -d;
      step = -step;
      break;
    default: break;
  }
  const auto number = step.number();
  switch (predicate) {
    case Predicate::ICMP_SLE:
    case Predicate::ICMP_ULE: d -= 1; [[fallthrough]];
    case Predicate::ICMP_SLT:
    case Predicate::ICMP_ULT:
      if (!FunctionRun::CanShowAtMost(1, step)) return std::nullopt;
      return FunctionRun::Simplify(number == Int128{1} ? -d - 1 : CeilDiv(-d, step) - 1);
    case Predicate::ICMP_NE: {
      if (!number || *number == 0) return std::nullopt;
      if (*number < 0) return TimesThatHold(predicate, -d, -step);
      if (!(-d >= step)) return std::nullopt;
      if (*number != 1 && !(Mod(-d, step) == 0)) return std::nullopt;
      return FunctionRun::Simplify(FloorDiv(-d, step) - 1);
    }
    default: return std::nullopt;
  }
}

}  // namespace

LoopFollower::LoopFollower(const llvm::Function& function, IrMemory& memory, const Locals& locals)
    : memory_(memory),
      locals_(locals),
      dominators_(const_cast<llvm::Function&>(function)),  // NOLINT: LLVM only reads it
      loops_(dominators_) {}

std::string LoopFollower::PlaceOfLoop(const llvm::Loop& loop) const {
  return PlaceOf(*loop.getHeader()->getTerminator());
}

// Returns true for a local variable that only the loop's body uses.
bool LoopFollower::IsInside(const llvm::Loop& loop, size_t object) const {
  const auto local = locals_.find(static_cast<int64_t>(object));
  if (local == locals_.end()) return false;
  return std::ranges::all_of(local->second->users(), [&](const llvm::User* user) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction != nullptr && loop.contains(instruction);
  });
}

LoopFollower::State LoopFollower::Now(const llvm::BasicBlock& header, const Frame& frame) const {
  State state;
  for (const llvm::PHINode& phi : header.phis()) state.phis.push_back(frame.at(&phi));
  for (size_t k = 0; k < memory_.object_count(); ++k) state.objects.push_back(memory_.contents(k));
  state.stores = memory_.stores().size();
  return state;
}

void LoopFollower::RecordTest(const llvm::BranchInst& branch, const llvm::ICmpInst& compare, const MachineValue& a,
                              const MachineValue& b) {
  const bool are_numbers = (a.kind == Kind::kInteger || a.kind == Kind::kPointer) && a.kind == b.kind;
  if (!are_numbers || a.object != b.object) return;
  for (auto& [loop, run] : runs_) {
    if (run.mode != Mode::kCollecting || !loop->contains(&branch)) continue;
    const llvm::BasicBlock& first = *branch.getSuccessor(0);
    const llvm::BasicBlock& second = *branch.getSuccessor(1);
    if (loop->contains(&first) == loop->contains(&second)) continue;
    // A check that ends in a trap says nothing about the number of iterations.
    if (llvm::isa<llvm::UnreachableInst>(loop->contains(&first) ? second.getTerminator() : first.getTerminator())) {
      continue;
    }
    const bool is_unsigned = compare.isUnsigned() && a.kind == Kind::kInteger;
    run.tests[&branch].emplace_back(is_unsigned ? Unsigned(a.integer, a.width) : a.integer,
                                    is_unsigned ? Unsigned(b.integer, b.width) : b.integer);
  }
}

// Returns the number of iterations that the loop still makes, or nothing if no comparison says so.
std::optional<SymbolicInteger> LoopFollower::Remaining(const llvm::Loop& loop, const LoopRun& run) const {
  std::optional<SymbolicInteger> least;
  // In the order of the blocks, which is the same in each run.
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const auto found = branch == nullptr ? run.tests.end() : run.tests.find(branch);
    if (found == run.tests.end() || found->second.size() != kIterationsRun) continue;
    const auto* const compare = llvm::cast<llvm::ICmpInst>(branch->getCondition());
    const Predicate stays =
        loop.contains(branch->getSuccessor(0)) ? compare->getPredicate() : compare->getInversePredicate();
    const Tests& tests = found->second;
    const SymbolicInteger last = tests[1].first - tests[1].second;
    const SymbolicInteger step = FunctionRun::Simplify(last - (tests[0].first - tests[0].second));
    const auto times = TimesThatHold(stays, last, step);
    if (times && (!least || *times < *least)) least = times;
  }
  return least;
}

void LoopFollower::Enter(const llvm::BasicBlock& block, const llvm::BasicBlock* before, Frame& frame) {
  std::erase_if(runs_, [&](const auto& run) { return !run.first->contains(&block); });
  if (!loops_.isLoopHeader(&block)) return;
  const llvm::Loop& loop = *loops_.getLoopFor(&block);
  LoopRun& run = runs_[&loop];
  if (!loop.contains(before)) run = {};
  switch (run.mode) {
    case Mode::kPlain: return;
    case Mode::kIteration: CheckArrival(loop, run.states[0], Now(block, frame)); throw FunctionEnd{};
    case Mode::kAfter:
      throw FunctionEnd{
          StrCat("the loop at ", PlaceOfLoop(loop), " goes on after as many iterations as its test says")};
    case Mode::kCollecting: break;
  }
  run.states.push_back(Now(block, frame));
  if (run.states.size() <= kIterationsRun) return;
  Split(loop, run, frame);
}

void LoopFollower::Split(const llvm::Loop& loop, LoopRun& run, Frame& frame) {
  run.mode = Mode::kPlain;
  const std::vector<State> states = std::exchange(run.states, {});
  const std::optional<SymbolicInteger> remaining = Remaining(loop, run);
  if (!remaining || FunctionRun::CanShowAtMost(*remaining, kMostUnrolled)) return;
  const std::string place = PlaceOfLoop(loop);
  if (states.front().stores != states.back().stores) {
    throw FunctionUnknown{StrCat("the loop at ", place, " writes to an array as often as ",
                                 FunctionRun::Text(*remaining + static_cast<int>(kIterationsRun)), " says")};
  }
  if (!(*remaining >= 0)) throw FunctionEnd{StrCat("the number of iterations of the loop at ", place)};
  const std::string why = StrCat("what the loop at ", place, " leaves in ");
  const auto after = [&](const SymbolicInteger& count) {
    const State& now = states[2];
    State result = now;
    for (size_t k = 0; k < now.phis.size(); ++k) {
      result.phis[k] =
          AfterIterations(&states[0].phis[k], states[1].phis[k], now.phis[k], count, StrCat(why, "a value"));
    }
    result.objects.erase(result.objects.begin() + std::ssize(states[0].objects), result.objects.end());
    for (size_t k = 0; k < result.objects.size(); ++k) {
      MachineObject& contents = result.objects[k];
      if (IsInside(loop, k)) contents.MakeUnknown(StrCat(why, contents.name()));
      for (auto& [offset, scalar] : contents.scalars()) {
        const MachineValue* const before = states[0].objects[k].Find(offset, scalar.bytes);
        const MachineValue* const middle = states[1].objects[k].Find(offset, scalar.bytes);
        const std::string reason = StrCat(why, contents.name());
        scalar.value = middle == nullptr ? MachineValue::Unknown(reason)
                                         : AfterIterations(before, *middle, scalar.value, count, reason);
      }
    }
    return result;
  };
  const auto go_to = [&](const State& state) {
    size_t number = 0;
    for (const llvm::PHINode& phi : loop.getHeader()->phis()) frame[&phi] = state.phis[number++];
    for (size_t k = 0; k < state.objects.size(); ++k) memory_.contents(k) = state.objects[k];
  };
  const SymbolicInteger iteration = FunctionRun::NewCount();
  if (iteration < *remaining) {
    run.mode = Mode::kIteration;
    run.states = {after(iteration + 1)};
    go_to(after(iteration));
  } else {
    run.mode = Mode::kAfter;
    go_to(after(*remaining));
  }
}

void LoopFollower::CheckArrival(const llvm::Loop& loop, const State& expected, const State& found) const {
  const auto expect = [&](bool is_as_expected, const std::string& name) {
    if (is_as_expected) return;
    throw FunctionEnd{StrCat("the loop at ", PlaceOfLoop(loop), " changes ", name,
                             " by amounts that do not follow from the number of the iteration alone")};
  };
  expect(expected.stores == found.stores, "an array");
  for (size_t k = 0; k < expected.phis.size(); ++k) expect(IsAsExpected(expected.phis[k], found.phis[k]), "a value");
  for (size_t k = 0; k < expected.objects.size(); ++k) {
    if (IsInside(loop, k)) continue;
    const MachineObject& before = expected.objects[k];
    const MachineObject& after = found.objects[k];
    expect(before.is_forgotten() == after.is_forgotten() && before.scalars().size() == after.scalars().size(),
           after.name());
    for (const auto& [offset, scalar] : before.scalars()) {
      const MachineValue* const value = after.Find(offset, scalar.bytes);
      expect(value != nullptr && IsAsExpected(scalar.value, *value), after.name());
    }
  }
}

}  // namespace layoutcheck
