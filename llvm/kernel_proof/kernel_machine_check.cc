// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/kernel_machine_check.h"
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/host_run.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/solver/paths/followed_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostArrayBytes = 64 << 20;  // of an array whose elements are looked at

// Returns the kernel's name in the source, with its namespaces.
std::string SourceName(const llvm::Function& function, const std::string& fallback) {
  const llvm::DISubprogram* const program = function.getSubprogram();
  if (program == nullptr) return fallback;
  std::string name = program->getName().str();
  for (const llvm::DIScope* scope = program->getScope(); scope != nullptr; scope = scope->getScope()) {
    const auto* const space = llvm::dyn_cast<llvm::DINamespace>(scope);
    if (space != nullptr && !space->getName().empty()) name = StrCat(space->getName().str(), "::", name);
  }
  return name;
}

std::string ArgumentText(const CodeArgument& argument, const KernelModel& model, const SymbolicValues& values) {
  if (argument.kind == CodeArgument::Kind::kUnused) return "layoutcheck_any{}";
  const bool is_value = argument.kind == CodeArgument::Kind::kValue;
  if (is_value && std::ranges::find(model.array_names(), argument.values[0]) != model.array_names().end()) {
    return "layoutcheck_array_" + argument.values[0];
  }
  const auto is_number = [](char c) { return c == '-' || (c >= '0' && c <= '9'); };
  std::string text;
  for (const std::string& value : argument.values) {
    const auto known = values.find(value);
    if (known == values.end() && is_value && !is_number(value[0])) return "layoutcheck_any{}";  // a name of a float
    StrAppend(text, text.empty() ? "" : ", ", known == values.end() ? value : StrCat(NumberOf(known->second)));
  }
  if (is_value) return text;
  return StrCat(argument.kind == CodeArgument::Kind::kArray ? "layoutcheck_list" : "", "{", text, "}");
}

// Returns the call of the kernel as C++.
std::string CallText(const KernelRequest& request, const KernelModel& model, const SymbolicValues& values) {
  const auto arguments = ParseCodeArguments(request.arguments, "");
  std::string text = StrCat(SourceName(model.function(), request.function), "(");
  for (size_t k = 0; arguments && k < arguments->size(); ++k) {
    StrAppend(text, k == 0 ? "" : ", ", ArgumentText((*arguments)[k], model, values));
  }
  return text + ")";
}

// Returns true if the fault is that of a read or write, and names one of the arrays between the two texts.
bool IsAccess(const KernelModel& model, std::string_view fault, std::string_view before, std::string_view after) {
  return std::ranges::any_of(model.array_names(), [&](const std::string& name) {
    return fault.starts_with(StrCat("a read", before, name, after)) ||
           fault.starts_with(StrCat("a write", before, name, after));
  });
}

// An element that a thread stores.
struct StoredElement {
  KernelStore store;               // the store, which may be one of several elements
  int64_t at = 0;                  // number of places of the element behind the store's first one
  int64_t place = 0;               // place of the element
  std::optional<ArrayPlace> from;  // place from which it is brought
};

// Returns the last element that is stored wrongly, unless a later store covers its place. A value that cannot be
// followed is the last choice.
std::optional<StoredElement> WrongElement(const KernelModel& model, const KernelModel::Point& point,
                                          const SymbolicValues& values) {
  std::optional<StoredElement> wrong;
  const KernelRun run = model.RunRegions(point, values, KernelModel::Bounds::kChecked, std::nullopt);
  for (const KernelStore& store : run.stores) {
    const KernelTensor& tensor = point.tensors[static_cast<size_t>(store.array)];
    ForEachElementOf(tensor, store.offset, store.bytes, [&](const SymbolicInteger& place, int64_t at) {
      const int64_t number = NumberOf(place);
      if (wrong && wrong->store.array == store.array && wrong->place == number) wrong.reset();
      try {
        CheckElement(model, point, values, store, at, run.element_reader);
      } catch (const FunctionFault&) {
        const bool is_better = !wrong || !wrong->store.unknown.empty() || store.unknown.empty();
        if (is_better) wrong = {store, at, number, SourceAt(point.tensors, store, at)};
      }
    });
  }
  return wrong;
}

// Returns "element (2,130) of in", or "padding of in".
std::string Text(const KernelModel::Point& point, const HostRun& run, const std::pair<size_t, int64_t>& place) {
  const auto element = point.tensors[place.first].ElementAt(place.second);
  std::vector<std::string> numbers;
  for (size_t d = 0; element && d < element->size(); ++d) numbers.push_back(StrCat(NumberOf((*element)[d])));
  return StrCat(element ? StrCat("element (", StrJoin(numbers, ","), ")") : "padding", " of ",
                run.arrays[place.first].first);
}

// Returns the bits of a byte at a place that are the value of its element.
uint8_t ValueIn(uint8_t byte, const KernelTensor& tensor, int64_t place) {
  if (tensor.value_bits() >= kBitsPerByte) return byte;
  const int64_t first = place % tensor.places_per_byte() * tensor.place_bits();
  return static_cast<uint8_t>(byte >> first & ((1 << tensor.value_bits()) - 1));
}

// Returns true if the element at `to` holds that of an array at `from`.
bool HoldsElement(const KernelModel::Point& point, const HostResult& result, const std::pair<size_t, int64_t>& to,
                  const std::pair<size_t, int64_t>& from) {
  const KernelTensor& to_tensor = point.tensors[to.first];
  const KernelTensor& from_tensor = point.tensors[from.first];
  const int64_t byte = from.second / from_tensor.places_per_byte();
  for (size_t filling = 0; filling < HostResult::kFillings; ++filling) {
    for (size_t k = 0; k < result.values[filling].size(); ++k) {
      const uint8_t mark = HostMark(filling, from.first, static_cast<uint64_t>(byte) + k);
      const uint8_t value = ValueIn(result.values[filling][k], to_tensor, to.second);
      if (value != ValueIn(mark, from_tensor, from.second)) return false;
    }
  }
  return true;
}

// Returns the array and the place of the element that is found at the place `to`, or nothing.
std::optional<std::pair<size_t, int64_t>> FindElement(const KernelModel::Point& point, const HostResult& result,
                                                      const std::pair<size_t, int64_t>& to) {
  for (size_t array = 0; array < point.tensors.size(); ++array) {
    const KernelTensor& tensor = point.tensors[array];
    if (tensor.value_bits() != point.tensors[to.first].value_bits()) continue;
    const int64_t places = NumberOf(tensor.PlaceOfByte(tensor.bytes()));
    for (int64_t place = 0; place < places; place += tensor.element_bytes()) {
      const std::pair from{array, place};
      if (from == to) continue;  // it holds what was stored
      if (HoldsElement(point, result, to, from)) return from;
    }
  }
  return std::nullopt;
}

class MachineCheck {
 public:
  MachineCheck(const KernelRequest& request, const KernelModel& model, const KernelModel::Point& point,
               const SymbolicValues& values, KernelProof& proof)
      : request_(request), model_(model), point_(point), values_(values), proof_(proof) {
    run_ = {.file = request.file,
            .source = model.source(),
            .call = CallText(request, model, values),
            .compiler_flags = request.compiler_flags,
            .arrays = {},
            .only = {ThreadIn(values)}};
    for (size_t k = 0; k < point.tensors.size(); ++k) {
      run_.arrays.emplace_back(model.array_names()[k], NumberOf(point.tensors[k].bytes()));
    }
    const auto pattern = values.find(kPattern);
    for (const size_t array : model.numbers().arrays()) {
      const int64_t bytes = point.tensors[array].element_bytes();
      const int64_t number = pattern == values.end() ? 0 : NumberOf(pattern->second);
      run_.numbers[array] = {bytes,
                             model.numbers().PatternOf(array, number, run_.arrays[array].second / bytes, values)};
    }
    for (size_t axis = 0; axis < kAxes.size(); ++axis) {
      run_.threads[axis] = SizeOf(point.block[axis], "thread", axis);
      run_.blocks[axis] = SizeOf(point.grid[axis], "block", axis);
    }
  }

  // A refuted claim about one thread: its accesses and what else it must not do.
  void CheckAccesses() {
    const std::string& fault = proof_.result.subexpression;
    const bool is_alignment = IsAccess(model_, fault, " of ", " that is not aligned ");
    const bool is_access = is_alignment || IsAccess(model_, fault, " outside of ", " at ");
    if (is_alignment) run_.question = HostRun::Question::kAlignment;
    const auto result = Run();
    if (!result) return;
    const bool is_seen = is_alignment ? result->is_trap : !result->stopped.empty();
    proof_.machine = result->stopped.empty() ? StrCat("returned from ", run_.only[0].ToString()) : result->stopped;
    // C leaves more undefined than a compiler traps.
    if (is_access && !is_seen) Disagree(fault);
  }

  // A refuted claim about the elements that one thread stores.
  void CheckElements() {
    const std::optional<StoredElement> wrong = WrongElement(model_, point_, values_);
    if (!wrong) return NotRun("another store of the thread hides it");
    const KernelStore& store = wrong->store;
    if (store.is_garbage) return NotRun("its threads wait for each other");
    if (std::ranges::any_of(run_.arrays, [](const auto& array) { return array.second > kMostArrayBytes; })) {
      return store.unknown.empty() ? NotRun("its arrays are too large") : CannotFollow(store);
    }
    run_.question = HostRun::Question::kValue;
    AskAt(static_cast<size_t>(store.array), wrong->place);
    const auto result = Run();
    if (!result) {
      if (!store.unknown.empty()) CannotFollow(store);
      return;
    }
    if (!result->stopped.empty()) {
      proof_.machine = result->stopped;
      return Disagree(proof_.result.subexpression);
    }
    const std::string place = StrCat("at byte ", run_.place, " of ", run_.arrays[run_.array].first);
    const auto found = FindElement(point_, *result, {run_.array, wrong->place});
    proof_.machine = StrCat("stored ", found ? Text(point_, run_, *found) : "no element of an array", " ", place);
    const bool is_seen = !wrong->from ? !found
                                      : found && found->first == static_cast<size_t>(wrong->from->array) &&
                                            found->second == NumberOf(wrong->from->place);
    if (!is_seen && !store.unknown.empty()) return CannotFollow(store);
    if (!is_seen) Disagree(proof_.result.subexpression);
  }

  // A refuted claim about the threads that store one element.
  void CheckThreads(const SimulationFault& fault) {
    const bool is_missing = proof_.result.law == "complete";
    if (!is_missing && fault.storing[0] == fault.storing[1])
      return NotRun("memory does not show that one thread stores twice");
    run_.question = HostRun::Question::kStores;
    run_.only.clear();
    if (!is_missing) run_.only.assign(fault.storing.begin(), fault.storing.end());
    AskAt(fault.array, fault.place);
    const auto result = Run();
    if (!result) return;
    if (!result->stopped.empty()) {
      proof_.machine = result->stopped;
    } else if (result->storing_threads < 2) {
      proof_.machine = result->storing_threads == 0 ? "was stored by no thread"
                                                    : StrCat("was stored by ", result->storing[0].ToString());
    } else {
      proof_.machine =
          StrCat("was stored by ", result->storing[0].ToString(), " and by ", result->storing[1].ToString());
    }
    const bool is_seen =
        result->stopped.empty() && (is_missing ? result->storing_threads == 0 : result->storing_threads >= 2);
    if (!is_seen) Disagree(proof_.result.subexpression);
  }

 private:
  // Returns the size of the launch, or where it has any and the kernel asks for `what`, that of a simulation.
  int64_t SizeOf(const std::optional<SymbolicInteger>& size, std::string_view what, size_t axis) const {
    if (size) return NumberOf(*size);
    const bool is_asked =
        std::ranges::find(model_.thread_names(), ThreadName(what, axis)) != model_.thread_names().end();
    return is_asked ? kSimulatedThreads : 1;
  }

  // Asks about the element at the place, or the byte that it shares.
  void AskAt(size_t array, int64_t place) {
    run_.array = array;
    run_.place = place / point_.tensors[array].places_per_byte();
    run_.bytes = point_.tensors[array].element_bytes();
  }

  // Returns the result of the run. Without one, writes why there is none.
  std::optional<HostResult> Run() {
    if (request_.file.ends_with(".ll") || request_.file.ends_with(".bc")) {
      NotRun("this is LLVM code for a GPU");
      return std::nullopt;
    }
    if (request_.file.ends_with(".ttir")) {
      NotRun("this is a Triton kernel");
      return std::nullopt;
    }
    if (!request_.shared.empty()) {
      NotRun("the launch says how much shared memory it has");
      return std::nullopt;
    }
    const auto is_too_large = [&](const auto& array) { return run_.arrays[array.first].second > kMostArrayBytes; };
    if (std::ranges::any_of(run_.numbers, is_too_large)) {
      NotRun("its arrays of numbers are too large");
      return std::nullopt;
    }
    auto result = RunOnHost(run_);
    if (!result) {
      // Shuffles and other functions of a GPU have no body on the host.
      constexpr std::string_view kMissing = "undefined reference to ";
      const std::string& message = result.error().message;
      const size_t missing = message.find(kMissing);
      NotRun(missing == std::string::npos ? message
                                          : StrCat("the host has no ", message.substr(missing + kMissing.size())));
      return std::nullopt;
    }
    if (result->has_barrier) {
      NotRun("its threads wait for each other");
      return std::nullopt;
    }
    return *std::move(result);
  }

  void NotRun(std::string_view why) { proof_.machine = StrCat("was not run: ", why); }

  void Disagree(const std::string& refuted) {
    proof_.result.verdict = ProofVerdict::kUnknown;
    proof_.result.disagreement = StrCat("as layoutcheck reads the kernel, ", refuted, "; on the machine it ",
                                        proof_.machine, ": one of them is wrong; please report it");
    proof_.machine.clear();
  }

  // Only the machine shows that a value that cannot be followed is no element.
  void CannotFollow(const KernelStore& store) {
    proof_.result.verdict = ProofVerdict::kUnknown;
    proof_.result.reason = StrCat("what is stored in ", run_.arrays[static_cast<size_t>(store.array)].first, " at ",
                                  store.place, " is ", store.unknown);
    proof_.machine.clear();
  }

  const KernelRequest& request_;
  const KernelModel& model_;
  const KernelModel::Point& point_;
  const SymbolicValues& values_;
  KernelProof& proof_;
  HostRun run_;
};

}  // namespace

void CheckKernelOnMachine(const KernelRequest& request, const KernelModel& model, const SimulationFault* fault,
                          KernelProof& proof) {
  if (proof.result.verdict != ProofVerdict::kRefuted) return;
  SymbolicValues values;
  for (const auto& [name, value] : proof.result.counterexample) values.emplace(name, value);
  proof.machine = "was not run: its launch cannot be followed";
  IsFollowed([&] {
    const auto point = model.At(values);
    if (!point) return;
    values = model.WithDerived(values).value_or(values);
    if (!point->why_no_thread_runs.empty()) {
      proof.machine = "was not run: the launch has no thread";
      return;
    }
    MachineCheck check(request, model, *point, values, proof);
    if (fault != nullptr) {
      check.CheckThreads(*fault);
    } else if (proof.result.law == "relayout") {
      check.CheckElements();
    } else {
      check.CheckAccesses();
    }
  });
}

}  // namespace layoutcheck
