// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/interpreter.h"
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/deferred_conditions.h"
#include "layoutcheck/llvm/ir/exact_numbers.h"
#include "layoutcheck/llvm/ir/function_code.h"
#include "layoutcheck/llvm/ir/guarded_regions.h"
#include "layoutcheck/llvm/ir/instructions.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/loop_decisions.h"
#include "layoutcheck/llvm/ir/loop_follower.h"
#include "layoutcheck/llvm/ir/region_steps.h"
#include "layoutcheck/llvm/ir/run_memory.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostInstructions = 200'000;
constexpr int64_t kMostOfWholeRun = 80'000'000;
constexpr int kMostCalls = 64;  // one inside another

// Throws FunctionUnknown if the run has stepped over iterations, so that not all that the code does is known.
void RequireWholeLoops() {
  if (FunctionRun::HasSteppedOver()) throw FunctionUnknown{"what the iterations do that were stepped over"};
}

class Interpreter {
 public:
  // `code` must outlive the interpreter.
  explicit Interpreter(const BoundCode& code)
      : code_(code), memory_(code.function->getParent()->getDataLayout()), regions_(memory_) {}

  SymbolicInteger Run(std::span<const SymbolicInteger> arguments);
  KernelRun RunThread(const KernelThread& thread);

 private:
  MachineValue Call(const llvm::Function& function, std::vector<MachineValue> arguments);
  // One call of a function.
  struct Activation {
    explicit Activation(const FunctionCode& of) : code(of), frame(of) {}

    const FunctionCode& code;
    Frame frame;
    std::optional<LoopFollower> loops;  // in a run on expressions, or on numbers that is shortened
    MachineValue result;
  };

  // Runs the block to its end. Returns the next block, or null with the value returned in the result.
  const llvm::BasicBlock* RunBlock(const llvm::BasicBlock& block, const llvm::BasicBlock* before, Activation& call);
  void EnterPhis(const llvm::BasicBlock& block, const llvm::BasicBlock* before, Frame& frame);
  const llvm::BasicBlock* Leave(const FunctionCode::Line& last, const llvm::BasicBlock* before, Activation& call);
  const llvm::BasicBlock* Branch(const FunctionCode::Line& line, const llvm::BasicBlock* before, Activation& call);
  // Returns the result of the line, which is no terminator or phi; nothing if it has none.
  std::optional<MachineValue> RunLine(const FunctionCode::Line& line, Frame& frame);
  std::optional<MachineValue> CallFrom(const FunctionCode::Line& line, const llvm::CallBase& call, Frame& frame);
  // Returns the result of a line that is no call either.
  std::optional<MachineValue> Compute(const FunctionCode::Line& line, std::span<const MachineValue> operands);
  // Returns the values of the line's first operands.
  std::vector<MachineValue> OperandsOf(const FunctionCode::Line& line, size_t count, Frame& frame);
  // Returns the values of all operands of the line, until the frame changes or the next call.
  std::span<const MachineValue> OperandsIn(const FunctionCode::Line& line, Frame& frame);
  MachineValue ValueOf(const llvm::Value& value, Frame& frame) {
    return ValueOf(value, frame.code().NumberOf(value), frame);
  }
  // Returns the value with this number in the frame, or that of a constant. Decides a condition that is open.
  MachineValue ValueOf(const llvm::Value& value, std::optional<size_t> number, Frame& frame);
  MachineValue Decide(const FunctionCode::Line& condition, Frame& frame);

  const BoundCode& code_;
  IrMemory memory_;
  Locals locals_;
  RegionSteps regions_;
  const ModuleRegions* guarded_regions_ = nullptr;  // KernelThread::guarded_regions
  std::optional<SymbolicInteger> iteration_;        // KernelThread::iteration
  // The end and the branch of each choice in whose body the run is.
  std::vector<std::pair<const llvm::BasicBlock*, const llvm::BranchInst*>> choices_;
  LoopVariables* loop_variables_ = nullptr;  // KernelThread::loop_variables
  int64_t instructions_ = 0;
  int64_t most_instructions_ = FunctionRun::HasLength(RunLength::kWhole) ? kMostOfWholeRun : kMostInstructions;
  LoopDecisions loop_decisions_;
  int calls_ = 0;
  std::vector<MachineValue> operands_;  // of OperandsIn()
  const bool is_on_names_ = FunctionRun::IsOnNames();
  bool is_kernel_ = false;
  bool is_guessed_ = false;                // KernelRun::is_guessed
  std::optional<bool> unknown_condition_;  // KernelThread::unknown_condition
};

MachineValue Interpreter::ValueOf(const llvm::Value& value, std::optional<size_t> number, Frame& frame) {
  if (const MachineValue* const known = frame.Find(number)) return *known;
  if (number && frame.OpenDepth(*number) > 0) {
    MachineValue decided = Decide(frame.code().LineOf(*number), frame);
    frame.Set(*number, decided);
    return decided;
  }
  if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(&value)) return memory_.ValueOf(*constant);
  return MachineValue::Unknown("an operand that is no value");  // such as metadata
}

SymbolicInteger Interpreter::Run(std::span<const SymbolicInteger> arguments) {
  std::vector<MachineValue> values;
  MachineValue out;
  for (size_t k = 0; k < code_.parameters.size(); ++k) {
    values.push_back(
        BindParameter(code_.parameters[k], *code_.function->getArg(static_cast<unsigned>(k)), arguments, memory_));
    if (code_.parameters[k].kind == ParameterBinding::Kind::kResult) out = values.back();
  }
  MachineValue result = Call(*code_.function, std::move(values));
  RequireWholeLoops();
  if (code_.result_element) {
    result = memory_.object(out).Written(code_.result_element->offset, code_.result_element->width,
                                         StrCat("element ", code_.result_element->number));
  }
  if (result.kind == MachineValue::Kind::kUnknown) throw FunctionUnknown{StrCat("the result depends on ", result.text)};
  const std::string name = code_.function->getName().str();
  if (!Use(result, StrCat("the end of ", name)).IsInteger()) throw FunctionUnknown{"the result is no integer"};
  return code_.is_unsigned ? Unsigned(result.integer, result.width) : result.integer;
}

KernelRun Interpreter::RunThread(const KernelThread& thread) {
  memory_.registers() = thread.registers;
  iteration_ = thread.iteration;
  loop_variables_ = thread.loop_variables;
  regions_.Begin(thread);
  guarded_regions_ = thread.guarded_regions;
  memory_.position() = CodePosition(thread.records_positions ? code_.code.get() : nullptr);
  unknown_condition_ = thread.unknown_condition;
  memory_.SetSharedReader(thread.shared_reader);
  memory_.SetDynamicBytes(thread.shared_bytes);
  if (!thread.checks_shared) memory_.LeaveSharedUnchecked();
  memory_.SetAccessFilter(thread.access_filter);
  if (thread.follows_exact) memory_.FollowExact();
  if (thread.last_barrier) memory_.StopBehindBarrier(*thread.last_barrier);
  is_kernel_ = true;
  std::map<int64_t, int64_t> arrays;  // number by object
  std::vector<MachineValue> values;
  for (size_t k = 0; k < code_.parameters.size(); ++k) {
    const ParameterBinding& binding = code_.parameters[k];
    const llvm::Argument& parameter = *code_.function->getArg(static_cast<unsigned>(k));
    if (binding.kind != ParameterBinding::Kind::kTensor) {
      values.push_back(BindParameter(binding, parameter, thread.arguments, memory_));
      continue;
    }
    const size_t number = binding.fields[0].argument;
    values.push_back(memory_.AllocateArray(thread.array_names[number], thread.array_bytes[number]));
    arrays[values.back().object] = static_cast<int64_t>(number);
  }
  if (thread.element_reader) {
    memory_.SetElementReader([&](int64_t object, const SymbolicInteger& offset,
                                 int width) { return thread.element_reader(arrays.at(object), offset, width); },
                             [&](int64_t object) { thread.note_place(arrays.at(object)); });
  }
  bool is_whole = true;
  try {
    Call(*code_.function, std::move(values));
    RequireWholeLoops();
  } catch (const FunctionEnd& end) {
    // Behind an iteration of a loop, other paths go on. What is claimed of stores is claimed of those of the iteration.
    const bool is_asked = !thread.needs_all_stores || memory_.loop_position().is_given;
    if (!end.unless_unreachable.empty() || !is_asked) throw;
    is_whole = false;
  }
  KernelRun run = RecordedRun(memory_, arrays);
  run.is_guessed = is_guessed_;
  run.is_whole = is_whole && !regions_.IsDone();
  run.element_reader = thread.element_reader;
  return run;
}

MachineValue Interpreter::Call(const llvm::Function& function, std::vector<MachineValue> arguments) {
  if (++calls_ > kMostCalls) throw FunctionUnknown{StrCat("more than ", kMostCalls, " calls one inside another")};
  Activation call(code_.code->At(function));
  for (size_t k = 0; k < arguments.size() && k < function.arg_size(); ++k) {
    call.frame.Set(*function.getArg(static_cast<unsigned>(k)), std::move(arguments[k]));
  }
  if (is_on_names_ || FunctionRun::HasLength(RunLength::kShortened)) {
    call.loops.emplace(call.code, memory_, locals_, is_kernel_ && calls_ == 1, iteration_, loop_variables_);
  }
  const size_t first_local = memory_.object_count();
  memory_.position().BeginCall(function);
  const llvm::BasicBlock* before = nullptr;
  const llvm::BasicBlock* block = &function.getEntryBlock();
  while (block != nullptr) {
    const llvm::BasicBlock* const next = RunBlock(*block, before, call);
    before = std::exchange(block, next);
  }
  memory_.position().EndCall();
  memory_.EndLocals(first_local);
  --calls_;
  return std::move(call.result);
}

void Interpreter::EnterPhis(const llvm::BasicBlock& block, const llvm::BasicBlock* before, Frame& frame) {
  // All phis of a block take their values at once. Those behind a region that was stepped over are its results.
  const std::optional<MachineValue> result = regions_.TakeResult();
  std::vector<std::pair<const llvm::Value*, MachineValue>> values;
  for (const llvm::PHINode& phi : block.phis()) {
    values.emplace_back(&phi, result ? *result : ValueOf(*phi.getIncomingValueForBlock(before), frame));
  }
  for (auto& [phi, value] : values) frame.Set(*phi, std::move(value));
}

const llvm::BasicBlock* Interpreter::RunBlock(const llvm::BasicBlock& block, const llvm::BasicBlock* before,
                                              Activation& call) {
  Frame& frame = call.frame;
  regions_.Enter(block);
  // An iteration that stands for all others goes on to its end, which shows that it does.
  if (regions_.IsDone() && calls_ == 1 && !(call.loops && call.loops->IsInIteration())) return nullptr;
  if (!choices_.empty() && choices_.back().first == &block) {
    LeaveChoice(*choices_.back().second, *guarded_regions_, locals_, memory_);
    choices_.pop_back();
  }
  if (calls_ == 1) memory_.barriers().Enter(block);
  memory_.position().EnterBlock(block, before);
  EnterPhis(block, before, frame);
  if (call.loops) call.loops->Enter(block, before, frame);
  for (const FunctionCode::Line& line : call.code.LinesOf(block)) {
    const llvm::Instruction& instruction = *line.instruction;
    if (++instructions_ > most_instructions_) {
      throw FunctionUnknown{StrCat("the code runs more than ", most_instructions_, " instructions, at ", line.place)};
    }
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    memory_.position().EnterInstruction(instruction);
    if (is_on_names_) FunctionRun::SetPlace([&line] { return line.place; });
    try {
      std::optional<MachineValue> value = RunLine(line, frame);
      if (memory_.is_stopped()) return nullptr;
      if (value) frame.Set(line.number, std::move(*value));
      if (instruction.isTerminator()) return Leave(line, before, call);
    } catch (...) {
      FunctionRun::AddPlace(line.place);
      throw;
    }
  }
  return nullptr;
}

std::optional<MachineValue> Interpreter::RunLine(const FunctionCode::Line& line, Frame& frame) {
  const llvm::Instruction& instruction = *line.instruction;
  if (const auto* const inner = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    std::optional<MachineValue> result = CallFrom(line, *inner, frame);
    if (calls_ == 1) memory_.barriers().EndCall();
    return result;
  }
  if (instruction.isTerminator()) return std::nullopt;
  if (is_kernel_ && is_on_names_) {
    if (DeferCondition(line, frame)) return std::nullopt;
    if (auto selected = SelectUndecided(line, frame)) return selected;
  }
  return Compute(line, OperandsIn(line, frame));
}

std::optional<MachineValue> Interpreter::Compute(const FunctionCode::Line& line,
                                                 std::span<const MachineValue> operands) {
  const llvm::Instruction& instruction = *line.instruction;
  const bool is_counted = is_on_names_ && llvm::isa<llvm::ICmpInst>(instruction);
  const size_t before_it = is_counted ? SymbolicInteger::DecisionsOfRun() : 0;
  std::optional<MachineValue> value =
      (memory_.follows_exact() ? ExecuteExactly : Execute)(instruction, operands, memory_, line.place);
  if (is_counted) loop_decisions_.AddCompared(SymbolicInteger::DecisionsOfRun() - before_it);
  if (llvm::isa<llvm::AllocaInst>(instruction)) locals_[value->object] = &instruction;
  return value;
}

MachineValue Interpreter::Decide(const FunctionCode::Line& condition, Frame& frame) {
  std::vector<MachineValue> operands;
  for (const llvm::Use& operand : condition.instruction->operands()) {
    operands.push_back(ValueOf(*operand, frame));
    if (DecidesAlone(*condition.instruction, operands.back())) return operands.back();
  }
  return *Compute(condition, operands);
}

std::vector<MachineValue> Interpreter::OperandsOf(const FunctionCode::Line& line, size_t count, Frame& frame) {
  std::vector<MachineValue> operands;
  operands.reserve(count);
  for (size_t k = 0; k < count; ++k) {
    operands.push_back(ValueOf(*line.instruction->getOperand(static_cast<unsigned>(k)), line.operands[k], frame));
  }
  return operands;
}

// Most instructions of code that is not optimized load or convert one value, which need not be copied.
std::span<const MachineValue> Interpreter::OperandsIn(const FunctionCode::Line& line, Frame& frame) {
  if (line.operands.size() == 1) {
    if (const MachineValue* const known = frame.Find(line.operands[0])) return {known, 1};
  }
  operands_.resize(line.operands.size());
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (const MachineValue* const known = frame.Find(line.operands[k])) {
      operands_[k] = *known;
    } else {
      operands_[k] = ValueOf(*line.instruction->getOperand(static_cast<unsigned>(k)), line.operands[k], frame);
    }
  }
  return operands_;
}

const llvm::BasicBlock* Interpreter::Branch(const FunctionCode::Line& line, const llvm::BasicBlock* before,
                                            Activation& call) {
  const auto& branch = llvm::cast<llvm::BranchInst>(*line.instruction);
  if (branch.isUnconditional()) return branch.getSuccessor(0);
  if (const llvm::BasicBlock* const end = regions_.StepOver(branch)) return end;
  const MachineValue decided = ValueOf(*branch.getCondition(), call.frame);
  if (is_on_names_) {
    loop_decisions_.CountBranch(branch, [&](const llvm::Value& operand) { return ValueOf(operand, call.frame); });
  }
  if (call.loops) {
    const BranchCondition condition(branch, before);
    if (const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(condition.value)) {
      call.loops->RecordTest(branch, *compare, condition.is_negated,
                             memory_.WithNumber(ValueOf(*compare->getOperand(0), call.frame)),
                             memory_.WithNumber(ValueOf(*compare->getOperand(1), call.frame)));
    }
  }
  if (decided.IsPoison() || decided.IsInteger() || !is_kernel_) {
    return branch.getSuccessor(UseAsCondition(decided, line.place) ? 0 : 1);
  }
  // In a kernel, a branch on a value that cannot be followed goes both ways.
  if (is_on_names_) {
    const auto* const next = EnterChoice(branch, *guarded_regions_, locals_, memory_);
    if (next == nullptr) return branch.getSuccessor(FunctionRun::NewCount() == 0 ? 0 : 1);
    const GuardedRegions::Choice& choice = *guarded_regions_->at(branch.getFunction()).ChoiceAt(branch);
    if (next == choice.body) choices_.emplace_back(choice.end, &branch);
    return next;
  }
  is_guessed_ = is_guessed_ || unknown_condition_;
  const bool holds = unknown_condition_ ? *unknown_condition_ : UseAsCondition(decided, line.place);
  return branch.getSuccessor(holds ? 0 : 1);
}

const llvm::BasicBlock* Interpreter::Leave(const FunctionCode::Line& line, const llvm::BasicBlock* before,
                                           Activation& call) {
  const llvm::Instruction& last = *line.instruction;
  if (llvm::isa<llvm::BranchInst>(last)) return Branch(line, before, call);
  Frame& frame = call.frame;
  const std::string& place = line.place;
  if (const auto* const end = llvm::dyn_cast<llvm::ReturnInst>(&last)) {
    if (end->getReturnValue() != nullptr) call.result = ValueOf(*end->getReturnValue(), frame);
    return nullptr;
  }
  if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(&last)) {
    const MachineValue value = Use(memory_.WithNumber(ValueOf(*choice->getCondition(), frame)), place);
    for (const auto& option : choice->cases()) {
      if (value.integer == memory_.ValueOf(*option.getCaseValue()).integer) return option.getCaseSuccessor();
    }
    return choice->getDefaultDest();
  }
  if (const auto* const invoke = llvm::dyn_cast<llvm::InvokeInst>(&last)) return invoke->getNormalDest();
  if (llvm::isa<llvm::UnreachableInst>(last))
    throw FunctionFault{StrCat("the end of a path without return at ", place)};
  throw FunctionUnknown{StrCat("a jump to a place that is not known, at ", place)};
}

std::optional<MachineValue> Interpreter::CallFrom(const FunctionCode::Line& line, const llvm::CallBase& call,
                                                  Frame& frame) {
  std::vector<MachineValue> arguments = OperandsOf(line, call.arg_size(), frame);
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr || callee->isDeclaration()) {
    return (memory_.follows_exact() ? CallExactly : CallKnown)(call, arguments, memory_, line.place);
  }
  for (unsigned k = 0; k < call.arg_size(); ++k) {
    if (call.isByValArgument(k)) throw FunctionUnknown{StrCat("a struct is passed by value at ", line.place)};
  }
  if (code_.code->At(*callee).is_interposable()) {
    throw FunctionUnknown{
        StrCat("a call of ", callee->getName().str(), ", in whose place another may be linked, at ", line.place)};
  }
  if (callee->isVarArg()) throw FunctionUnknown{StrCat("a call with any number of arguments at ", line.place)};
  MachineValue result = Call(*callee, std::move(arguments));
  if (callee->getReturnType()->isVoidTy()) return std::nullopt;
  return result;
}

}  // namespace

SymbolicInteger RunCode(const BoundCode& code, std::span<const SymbolicInteger> arguments) {
  return Interpreter(code).Run(arguments);
}

KernelRun RunKernel(const BoundCode& code, const KernelThread& thread) { return Interpreter(code).RunThread(thread); }

}  // namespace layoutcheck
