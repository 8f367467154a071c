// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/loop_follower.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/closed_forms.h"
#include "layoutcheck/llvm/ir/instructions.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr size_t kIterationsRun = 2;
constexpr int kMostUnrolled = 16;  // a loop with at most so many further iterations is run to its end
// In a run on numbers, so many iterations are run before others are stepped over, and before a variable would wrap.
constexpr int64_t kLeastOnNumbers = 16;

// Returns true if the value found is the one expected.
bool IsAsExpected(const MachineValue& expected, const MachineValue& found) {
  if (expected.kind == MachineValue::Kind::kUnknown) return true;
  if (found.kind != expected.kind || found.width != expected.width || found.object != expected.object) return false;
  if (found.unwritten != expected.unwritten || found.exact) return false;
  return expected.integer == found.integer;
}

// Returns the integer modulo 2^width.
MachineValue Wrapped(MachineValue integer) {
  integer.integer = Wrap(integer.integer, integer.width);
  return integer;
}

// Returns the block behind the loop to which an edge leads. Follows branches and switches that constants decide: a
// `break` out of a block with variables stores the number of its way out, and `&&` and `||` pass a constant on. Returns
// null if the edge leads to the next iteration, or if something else decides where it leads.
const llvm::BasicBlock* ExitOf(const llvm::Loop& loop, const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
  constexpr int kMostBlocks = 32;
  std::map<const llvm::Value*, const llvm::ConstantInt*> stored;
  const auto after = [&](const llvm::BasicBlock& block) -> const llvm::BasicBlock* {
    for (const llvm::Instruction& instruction : block) {
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr) continue;
      stored[store->getPointerOperand()] = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
    }
    if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator())) {
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(choice->getCondition());
      const auto known = load == nullptr ? stored.end() : stored.find(load->getPointerOperand());
      if (known == stored.end() || known->second == nullptr) return nullptr;
      return choice->findCaseValue(known->second)->getCaseSuccessor();
    }
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr) return nullptr;
    if (branch->isUnconditional()) return branch->getSuccessor(0);
    const BranchCondition condition(*branch, from);
    const auto* const value = llvm::dyn_cast<llvm::ConstantInt>(condition.value);
    return value == nullptr ? nullptr : branch->getSuccessor(value->isZero() == condition.is_negated ? 0 : 1);
  };
  for (int k = 0; k < kMostBlocks && to != nullptr; ++k) {
    if (!loop.contains(to)) return to;
    if (to == loop.getHeader()) return nullptr;
    const llvm::BasicBlock* const next = after(*to);
    from = std::exchange(to, next);
  }
  return nullptr;
}

}  // namespace

BranchCondition::BranchCondition(const llvm::BranchInst& branch, const llvm::BasicBlock* before)
    : value(branch.getCondition()) {
  const auto* const negation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (negation != nullptr && negation->getOpcode() == llvm::Instruction::Xor) {
    const auto* const all = llvm::dyn_cast<llvm::ConstantInt>(negation->getOperand(1));
    is_negated = all != nullptr && all->isMinusOne();
    if (is_negated) value = negation->getOperand(0);
  }
  const auto* const phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (phi != nullptr && phi->getParent() == branch.getParent()) value = phi->getIncomingValueForBlock(before);
}

LoopFollower::LoopFollower(const FunctionCode& code, IrMemory& memory, const Locals& locals, bool is_kernel,
                           const std::optional<SymbolicInteger>& iteration, LoopVariables* variables)
    : memory_(memory),
      locals_(locals),
      is_kernel_(is_kernel),
      iteration_(iteration),
      variables_(variables),
      loops_(code.loops()) {}

std::string LoopFollower::PlaceOfLoop(const llvm::Loop& loop) const {
  return PlaceOf(*loop.getHeader()->getTerminator());
}

const llvm::Value* LoopFollower::LocalOf(size_t object) const {
  const auto local = locals_.find(static_cast<int64_t>(object));
  return local == locals_.end() ? nullptr : local->second;
}

VariableForm LoopFollower::FormOf(const llvm::Loop& loop, const llvm::Value* variable, int64_t offset) const {
  if (variables_ == nullptr || variable == nullptr) return VariableForm::kClosed;
  const auto known = variables_->forms.find({loop.getHeader(), variable, offset});
  return known == variables_->forms.end() ? VariableForm::kClosed : known->second;
}

// Returns true for a local variable that only the loop's body uses.
bool LoopFollower::IsInside(const llvm::Loop& loop, size_t object) const {
  const llvm::Value* const local = LocalOf(object);
  if (local == nullptr) return false;
  return std::ranges::all_of(local->users(), [&](const llvm::User* user) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction != nullptr && loop.contains(instruction);
  });
}

bool LoopFollower::HasUnequalSteps(const LoopRun& run, std::span<const State> states) const {
  for (const auto& [branch, test] : run.tests) {
    for (const llvm::Use& side : test.compare->operands()) {
      const llvm::Value* value = side.get();
      while (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
      if (load == nullptr) continue;
      for (size_t k = 0; k < states[0].objects.size(); ++k) {
        if (LocalOf(k) != load->getPointerOperand()->stripPointerCasts()) continue;
        std::vector<Int128> numbers;
        for (const State& state : states) {
          const auto& scalars = state.objects[k].scalars();
          const bool is_integer = scalars.size() == 1 && scalars.begin()->second.value.IsInteger();
          const auto number = is_integer ? scalars.begin()->second.value.integer.number() : std::nullopt;
          if (number) numbers.push_back(*number);
        }
        if (numbers.size() == 3 && numbers[2] - numbers[1] != numbers[1] - numbers[0]) return true;
      }
    }
  }
  return false;
}

LoopFollower::State LoopFollower::Now(const llvm::BasicBlock& header, const Frame& frame) const {
  State state;
  for (const llvm::PHINode& phi : header.phis()) state.phis.push_back(*frame.Find(phi));
  for (size_t k = 0; k < memory_.object_count(); ++k) state.objects.push_back(memory_.contents(k));
  state.stores = memory_.stores().size();
  state.barriers = memory_.barriers().Counts();
  state.stepped_over = memory_.regions_stepped_over();
  state.operations = FunctionRun::OperationsOfRun();
  return state;
}

void LoopFollower::RecordTest(const llvm::BranchInst& branch, const llvm::ICmpInst& compare, bool is_negated,
                              const MachineValue& a, const MachineValue& b) {
  const bool are_numbers =
      (a.kind == MachineValue::Kind::kInteger || a.kind == MachineValue::Kind::kPointer) && a.kind == b.kind;
  if (!are_numbers || a.object != b.object) return;
  for (auto& [loop, run] : runs_) {
    if (run.mode != Mode::kCollecting || run.states.empty() || !loop->contains(&branch)) continue;
    const llvm::BasicBlock* const if_true = ExitOf(*loop, branch.getParent(), branch.getSuccessor(0));
    const llvm::BasicBlock* const if_false = ExitOf(*loop, branch.getParent(), branch.getSuccessor(1));
    if ((if_true == nullptr) == (if_false == nullptr)) continue;
    // A check that ends in a trap says nothing about the number of iterations.
    const llvm::BasicBlock& exit = if_true == nullptr ? *if_false : *if_true;
    if (llvm::isa<llvm::UnreachableInst>(exit.getTerminator())) continue;
    Test& test = run.tests.try_emplace(&branch, Test{&compare, (if_true == nullptr) != is_negated}).first->second;
    if (test.compare != &compare) continue;
    const bool is_unsigned = compare.isUnsigned() && a.kind == MachineValue::Kind::kInteger;
    test.sides.emplace_back(is_unsigned ? Unsigned(a.integer, a.width) : a.integer,
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
    if (found == run.tests.end() || found->second.sides.size() != kIterationsRun) continue;
    const auto& [compare, stays_if_it_holds, sides] = found->second;
    const llvm::CmpInst::Predicate stays = stays_if_it_holds ? compare->getPredicate() : compare->getInversePredicate();
    const SymbolicInteger last = sides[1].first - sides[1].second;
    const SymbolicInteger step = FunctionRun::Simplify(last - (sides[0].first - sides[0].second));
    const auto times = TimesThatHold(stays, last, step);
    if (times && (!least || *times < *least)) least = times;
  }
  return least;
}

void LoopFollower::EnterOnNumbers(const llvm::BasicBlock& block, Frame& frame) {
  std::erase_if(runs_, [&](const auto& entry) { return !entry.first->contains(&block); });
  if (!loops_.isLoopHeader(&block)) return;
  const llvm::Loop& loop = *loops_.getLoopFor(&block);
  LoopRun& run = runs_[&loop];
  if (run.mode == Mode::kPlain || ++run.entries <= kLeastOnNumbers) return;
  run.states.push_back(Now(block, frame));
  if (run.states.size() > kIterationsRun) StepOver(loop, run, frame);
}

void LoopFollower::StepOver(const llvm::Loop& loop, LoopRun& run, Frame& frame) {
  const std::vector<State> states = std::exchange(run.states, {});
  const std::optional<SymbolicInteger> remaining = Remaining(loop, run);
  run = {};
  Int128 steps = remaining ? *remaining->number() : 0;
  const auto keep_in_range = [&](const MachineValue* first, const MachineValue* middle, const MachineValue& now) {
    const auto most = StepsInRange(std::array{&now, middle, first});
    if (most) steps = std::min(steps, *most);
  };
  for (size_t k = 0; k < states[2].phis.size(); ++k) {
    keep_in_range(&states[0].phis[k], &states[1].phis[k], states[2].phis[k]);
  }
  for (size_t k = 0; k < states[0].objects.size(); ++k) {
    if (IsInside(loop, k)) continue;
    for (const auto& [offset, scalar] : states[2].objects[k].scalars()) {
      keep_in_range(states[0].objects[k].Find(offset, scalar.bytes), states[1].objects[k].Find(offset, scalar.bytes),
                    scalar.value);
    }
  }
  const int64_t operations = (states[2].operations - states[0].operations) / static_cast<int64_t>(kIterationsRun);
  const Int128 needed = steps * operations;
  if (steps <= kLeastOnNumbers || needed < FunctionRun::OperationsLeft(RunLength::kShortened) / 2) {
    run.mode = Mode::kPlain;
    return;
  }
  FunctionRun::SetSteppedOver();
  if (needed > FunctionRun::OperationsLeft(RunLength::kWhole)) {
    throw FunctionUnknown{StrCat("the loop at ", PlaceOfLoop(loop), " takes too many operations")};
  }
  GoTo(loop, states, StateAfter(loop, states, static_cast<int64_t>(steps) - kLeastOnNumbers), frame);
}

void LoopFollower::Enter(const llvm::BasicBlock& block, const llvm::BasicBlock* before, Frame& frame) {
  if (!FunctionRun::IsOnNames()) return EnterOnNumbers(block, frame);
  const bool was_in_loop = !runs_.empty();
  std::erase_if(runs_, [&](const auto& entry) {
    const auto& [left, run] = entry;
    if (left->contains(&block)) return false;
    const bool is_split = run.mode == Mode::kIteration || run.mode == Mode::kAfter;
    if (run.has_stores && is_split) memory_.loop_position().is_behind_loop = true;
    return true;
  });
  if (is_kernel_ && was_in_loop && runs_.empty()) memory_.loop_position().iteration.reset();
  if (!loops_.isLoopHeader(&block)) return;
  const llvm::Loop& loop = *loops_.getLoopFor(&block);
  LoopRun& run = runs_[&loop];
  if (!loop.contains(before)) run = {};
  if (is_kernel_ && loop.isOutermost()) memory_.loop_position().iteration = run.entries;
  ++run.entries;
  switch (run.mode) {
    case Mode::kPlain: return;
    case Mode::kIteration: CheckArrival(loop, run, Now(block, frame)); throw FunctionEnd{};
    case Mode::kAfter:
      throw FunctionEnd{
          StrCat("the loop at ", PlaceOfLoop(loop), " goes on after as many iterations as its test says")};
    case Mode::kCollecting: break;
  }
  run.states.push_back(Now(block, frame));
  if (run.states.size() <= kIterationsRun) return;
  Split(loop, run, frame);
}

LoopFollower::State LoopFollower::StateAfter(const llvm::Loop& loop, std::span<const State> states,
                                             const SymbolicInteger& count) const {
  const std::string why = StrCat("what the loop at ", PlaceOfLoop(loop), " leaves in ");
  const State& now = states[2];
  State result = now;
  const auto after = [&](const llvm::Value* variable, int64_t offset, const MachineValue* before,
                         const MachineValue& middle, const MachineValue& last, const std::string& reason) {
    const VariableForm form = FormOf(loop, variable, offset);
    if (form == VariableForm::kUnknown) return NotFollowed(middle, last, reason);
    MachineValue value = AfterIterations(before, middle, last, count, reason);
    return form == VariableForm::kWrapped && value.IsInteger() ? Wrapped(std::move(value)) : value;
  };
  for (size_t k = 0; const llvm::PHINode& phi : loop.getHeader()->phis()) {
    result.phis[k] = after(&phi, 0, &states[0].phis[k], states[1].phis[k], now.phis[k], StrCat(why, "a value"));
    ++k;
  }
  for (auto& [group, barriers] : result.barriers) {
    barriers = AfterSteps(std::array{barriers, states[1].BarriersOf(group), states[0].BarriersOf(group)}, count);
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
                                       : after(LocalOf(k), offset, before, *middle, scalar.value, reason);
    }
  }
  return result;
}

void LoopFollower::GoTo(const llvm::Loop& loop, std::span<const State> states, const State& state, Frame& frame) {
  const IntervalClass entered = memory_.CurrentInterval();
  size_t number = 0;
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) frame.Set(phi, state.phis[number++]);
  for (size_t k = 0; k < state.objects.size(); ++k) memory_.contents(k) = state.objects[k];
  const auto interval = [](const State& of) { return of.BarriersOf({}); };
  const auto step = FunctionRun::Simplify(interval(states[2]) - interval(states[1])).number();
  const auto before = FunctionRun::Simplify(interval(states[1]) - interval(states[0])).number();
  if (!interval(state).number() && step && *step > 0 && step == before) {
    const auto period = std::gcd(static_cast<int64_t>(*step), entered.period);
    memory_.SetIntervalClass(interval(state), {period, entered.residue % period});
  }
  memory_.barriers().SetCounts(state.barriers);
}

void LoopFollower::Split(const llvm::Loop& loop, LoopRun& run, Frame& frame) {
  run.mode = Mode::kPlain;
  const std::vector<State> states = std::exchange(run.states, {});
  if (HasUnequalSteps(run, states)) return;
  const std::optional<SymbolicInteger> remaining = Remaining(loop, run);
  if (!remaining || FunctionRun::CanShowAtMost(*remaining, kMostUnrolled)) return;
  const std::string place = PlaceOfLoop(loop);
  const State& first = states.front();
  run.has_stores = first.stores != states.back().stores || first.stepped_over != states.back().stepped_over;
  if (run.has_stores && !(is_kernel_ && loop.isOutermost())) {
    throw FunctionUnknown{StrCat("the loop at ", place, " in another loop or function writes to an array as often as ",
                                 FunctionRun::Text(*remaining + static_cast<int>(kIterationsRun)), " says")};
  }
  if (!(*remaining >= 0)) throw FunctionEnd{StrCat("the number of iterations of the loop at ", place)};
  const auto after = [&](const SymbolicInteger& count) { return StateAfter(loop, states, count); };
  const auto go_to = [&](const State& state) { GoTo(loop, states, state, frame); };
  const bool is_given = run.has_stores && iteration_;
  const SymbolicInteger iteration = is_given ? *iteration_ - static_cast<int>(kIterationsRun) : FunctionRun::NewCount();
  if (iteration < *remaining && iteration >= 0) {
    run.mode = Mode::kIteration;
    memory_.loop_position().is_given = is_given;
    if (is_kernel_ && loop.isOutermost()) {
      memory_.loop_position().iteration = iteration + static_cast<int>(kIterationsRun);
    }
    run.states = {after(iteration + 1)};
    go_to(after(iteration));
  } else {
    run.mode = Mode::kAfter;
    if (is_kernel_ && loop.isOutermost()) {
      memory_.loop_position().iteration = *remaining + static_cast<int>(kIterationsRun);
    }
    go_to(after(*remaining));
  }
}

void LoopFollower::CheckArrival(const llvm::Loop& loop, const LoopRun& run, const State& found) const {
  const State& expected = run.states[0];
  const auto expect = [&](bool is_as_expected, const std::string& name) {
    if (is_as_expected) return;
    throw FunctionEnd{StrCat("the loop at ", PlaceOfLoop(loop), " changes ", name,
                             " by amounts that do not follow from the number of the iteration alone")};
  };
  // A load from an array that the path has not stored to gives an element. Behind the loop, it would do so for an array
  // to which this iteration alone stores. Where regions are stepped over, whoever asks takes care of such arrays.
  const std::span stores(memory_.stores());
  expect(run.has_stores || stores.size() == expected.stores, "an array");
  for (const ArrayStore& store : stores.subspan(expected.stores)) {
    const auto before = stores.first(expected.stores);
    if (memory_.regions_stepped_over() > 0) break;
    expect(std::ranges::find(before, store.object, &ArrayStore::object) != before.end(), "an array");
  }
  for (const auto& [group, count] : found.barriers) {
    expect(expected.BarriersOf(group) == count, "the number of barriers");
  }
  // Where the loop ends by numbers that are taken for signed ones, one that wraps is a mistake.
  const bool is_unsigned =
      std::ranges::any_of(run.tests, [](const auto& entry) { return entry.second.compare->isUnsigned(); });
  const auto expect_value = [&](const MachineValue& value, const MachineValue* now, const std::string& name,
                                const llvm::Value* variable, int64_t offset) {
    const bool is_as_expected = now != nullptr && IsAsExpected(value, *now);
    if (!is_as_expected && variables_ != nullptr && variable != nullptr) {
      const bool is_wrapped = is_unsigned && FormOf(loop, variable, offset) == VariableForm::kClosed &&
                              now != nullptr && value.IsInteger() && IsAsExpected(Wrapped(value), *now);
      variables_->wanted[{loop.getHeader(), variable, offset}] =
          is_wrapped ? VariableForm::kWrapped : VariableForm::kUnknown;
    }
    expect(is_as_expected, name);
  };
  for (size_t k = 0; const llvm::PHINode& phi : loop.getHeader()->phis()) {
    expect_value(expected.phis[k], &found.phis[k], "a value", &phi, 0);
    ++k;
  }
  for (size_t k = 0; k < expected.objects.size(); ++k) {
    if (IsInside(loop, k)) continue;
    const MachineObject& before = expected.objects[k];
    const MachineObject& after = found.objects[k];
    expect(before.is_forgotten() == after.is_forgotten() && before.scalars().size() == after.scalars().size(),
           after.name());
    for (const auto& [offset, scalar] : before.scalars()) {
      expect_value(scalar.value, after.Find(offset, scalar.bytes), after.name(), LocalOf(k), offset);
    }
  }
}

}  // namespace layoutcheck
