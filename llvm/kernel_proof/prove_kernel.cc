// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include <algorithm>
#include <functional>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/llvm/kernel_proof/kernel_machine_check.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/solver/formula_proof/bind_function.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// Checks a claim about one thread or element; throws FunctionFault where it is false.
using Claim = std::function<void(const KernelModel::Point& point, const SymbolicValues& values)>;

constexpr const char* kAccesses = "accesses";

class KernelProver {
 public:
  // `any_launch` is the model without the launch.
  KernelProver(const KernelRequest& request, KernelModel& model, KernelModel& any_launch, const ProveOptions& options)
      : request_(request), model_(model), any_launch_(any_launch), options_(options) {}

  Expected<std::vector<KernelProof>> Run() {
    if (auto has = HasThread(); !has) return Failed(has);
    if (auto done = LeaveOutFarThreads(); !done) return Failed(done);
    if (auto done = AskOfThreads(kAccesses, [](const auto&, const auto&, const auto&, const auto&) {}); !done)
      return Failed(done);
    if (!AllProved()) return std::move(results_);
    if (auto done = AskOfRelayout(); !done) return Failed(done);
    if (!AllProved() && !stores_nothing_) return std::move(results_);
    if (auto done = AskOfOwners(); !done) return Failed(done);
    return std::move(results_);
  }

 private:
  static std::unexpected<Error> Failed(const Expected<void>& done) { return std::unexpected(done.error()); }
  bool AllProved() const {
    return std::ranges::all_of(results_, [](const auto& r) { return r.result.verdict == ProofVerdict::kProved; });
  }

  // Proves a claim about all values of the names. With an array, also about all its elements, as i0, i1, ...
  Expected<ProofResult> Ask(const KernelModel& model, const std::string& law, const std::vector<std::string>& names,
                            const SymbolicLayout* array, const Claim& claim) {
    FormulaRequest texts{
        .layout = array == nullptr ? "" : array->text, .equals = "0", .assumptions = request_.assumptions};
    std::vector<std::string> arguments = names;
    const size_t rank = array == nullptr ? 0 : array->layout.dimensions.size();
    for (size_t d = 0; d < rank; ++d) arguments.push_back(StrCat("i", d));
    if (array != nullptr) {
      for (const std::string& name : names) {
        if (std::ranges::find(array->names, name) == array->names.end()) texts.more_names.push_back(name);
      }
    }
    // Numbers of threads are searched like indices: after the sizes, and small.
    std::vector<std::string> asked = arguments;
    for (size_t k = 0, index = 0; k < asked.size(); ++k) {
      if (array == nullptr && std::ranges::find(model.thread_names(), asked[k]) != model.thread_names().end()) {
        asked[k] = StrCat("i", index++);
      }
    }
    texts.formula = asked.empty() ? "0" : StrJoin(asked, "+");
    auto question = MakeFormulaQuestion(texts);
    if (!question) return std::unexpected(question.error());
    for (FormulaVariable& variable : question->variables) {
      variable.name = arguments[static_cast<size_t>(std::ranges::find(asked, variable.name) - asked.begin())];
    }
    const SymbolicFunction function{.symbolic = [&](std::span<const SymbolicInteger> given) -> SymbolicInteger {
                                      SymbolicValues values;
                                      for (size_t k = 0; k < arguments.size(); ++k)
                                        values.emplace(arguments[k], given[k]);
                                      if (const auto point = model.At(values)) claim(*point, values);
                                      return 0;
                                    },
                                    .numeric = nullptr};
    std::vector<FormulaSize> sizes = question->formula.names;
    question->formula = BindFunction(*question, function, std::move(sizes), StrCat("the kernel ", request_.function));
    EqualityGoal goal(*question);
    auto result = ProveGoal(goal, options_);
    if (!result) return result;
    result->layout = request_.function;
    result->law = law;
    if (!result->no_certificate.empty()) result->no_certificate = "the format has no claims about kernels";
    result->for_all = names;
    std::erase_if(result->counterexample, [](const auto& value) { return value.first == "expected"; });
    for (const auto& [side, why] : result->without_value) result->subexpression = why;
    result->without_value.clear();
    return result;
  }

  using ThreadClaim = std::function<void(const KernelModel&, const KernelModel::Point&, const SymbolicValues&,
                                         const std::vector<KernelStore>&)>;

  static std::vector<std::string> AllNames(const KernelModel& model) {
    std::vector<std::string> names = model.names();
    names.insert(names.end(), model.thread_names().begin(), model.thread_names().end());
    return names;
  }

  // Returns an error (invalid argument) unless a thread of the launch is found at some sizes: claims about none are
  // useless.
  Expected<void> HasThread() {
    const auto claim = [this](const KernelModel::Point& point, const SymbolicValues& values) {
      if (model_.IsThread(point, values)) throw FunctionFault{"a thread"};
    };
    const auto result = Ask(model_, kAccesses, AllNames(model_), nullptr, claim);
    if (!result) return std::unexpected(result.error());
    if (result->verdict == ProofVerdict::kRefuted) return {};
    return MakeError(
        ErrorKind::kInvalidArgument,
        StrCat("no thread of such a launch was found: a block has 1 to 1024 threads, a grid 1 block or more and at "
               "most as many as a GPU runs, and each array takes at most ",
               request_.max_bytes, " bytes"));
  }

  // Most launches have no thread whose number in a direction wraps. Those are easier to follow.
  Expected<void> LeaveOutFarThreads() {
    if (!model_.has_launch()) {
      any_launch_.LeaveOutFarThreads();
      return {};
    }
    const auto result = Ask(model_, kAccesses, model_.names(), nullptr, [](const auto& point, const auto&) {
      if (KernelModel::HasFarThread(point)) throw FunctionFault{"2^31 threads or more"};
    });
    if (!result) return std::unexpected(result.error());
    if (result->verdict != ProofVerdict::kProved) return {};
    model_.LeaveOutFarThreads();
    any_launch_.LeaveOutFarThreads();
    return {};
  }

  // Asks about any launch first: such a claim is easier to show, and it covers this launch. Where the launch is not
  // given, asks first without far threads: a mistake is easier to find there.
  Expected<ProofResult> AskOfEachThread(const std::string& law, const ThreadClaim& claim) {
    if (!model_.has_launch()) return AskOfAnyLaunch(law, claim);
    if (asks_any_launch_) {
      auto result = AskOfEachThread(any_launch_, law, claim);
      if (!result) return result;
      if (result->verdict == ProofVerdict::kProved) {
        result->for_all = AllNames(model_);  // threads that the launch does not have may be left out
        return result;
      }
      if (law == kAccesses) asks_any_launch_ = false;
    }
    return AskOfEachThread(model_, law, claim);
  }

  Expected<ProofResult> AskOfAnyLaunch(const std::string& law, const ThreadClaim& claim) {
    auto near = AskOfEachThread(any_launch_, law, claim);
    if (!near || near->verdict != ProofVerdict::kProved) return near;
    auto result = AskOfEachThread(model_, law, claim);
    if (!result) return result;
    result->seconds += near->seconds;
    if (result->verdict == ProofVerdict::kUnknown) {
      StrAppend(result->reason, "; proved for launches of at most 2^31 threads in each direction");
    }
    return result;
  }

  Expected<ProofResult> AskOfEachThread(const KernelModel& model, const std::string& law, const ThreadClaim& claim) {
    return Ask(model, law, AllNames(model), nullptr,
               [&](const KernelModel::Point& point, const SymbolicValues& values) {
                 if (model.IsThread(point, values))
                   claim(model, point, values, model.Run(point, values, KernelModel::Bounds::kChecked));
               });
  }

  Expected<void> AskOfThreads(const std::string& law, const ThreadClaim& claim) {
    auto result = AskOfEachThread(law, claim);
    if (!result) return std::unexpected(result.error());
    Add(*std::move(result), nullptr);
    return {};
  }

  // Threads may store an element before others read it. So no array may be both read and written.
  Expected<void> AskOfRelayout() {
    std::set<int64_t> read;
    auto result =
        AskOfEachThread("relayout", [&](const auto& model, const auto& point, const auto&, const auto& stores) {
          for (const KernelStore& store : stores) {
            if (store.from >= 0) read.insert(store.from);
            written_.insert(static_cast<size_t>(store.array));
          }
          CheckRelayout(model, point, stores);
        });
    if (!result) return std::unexpected(result.error());
    for (const int64_t array : read) {
      if (!written_.contains(static_cast<size_t>(array)) || result->verdict != ProofVerdict::kProved) continue;
      result->verdict = ProofVerdict::kUnknown;
      result->reason =
          StrCat("what is read of ", model_.array_names()[static_cast<size_t>(array)], ", to which threads store, too");
    }
    stores_nothing_ = result->verdict == ProofVerdict::kProved && written_.empty();
    if (stores_nothing_) {
      result->verdict = ProofVerdict::kUnknown;
      result->reason = "the kernel stores nothing";
      written_.insert(model_.array_names().size() - 1);  // an output, most likely
    }
    Add(*std::move(result), nullptr);
    return {};
  }

  // Adds a result, after a run on the machine if it refutes.
  void Add(ProofResult result, const SimulationFault* fault) {
    results_.push_back({std::move(result), ""});
    CheckKernelOnMachine(request_, model_, fault, results_.back());
  }

  // Returns the names that an element's question is about: without the numbers of the thread.
  std::vector<std::string> NamesOfElements() const {
    std::vector<std::string> names = model_.names();
    for (const std::string& name : model_.thread_names()) {
      if (name.starts_with("block_dim") || name.starts_with("grid_dim")) names.push_back(name);
    }
    return names;
  }

  // Asks after it is proved that all accesses are inside.
  Expected<ProofResult> AskComplete(const ThreadGuess& guess, size_t array) {
    return Ask(model_, "complete", NamesOfElements(), &model_.layouts()[array],
               [&](const KernelModel::Point& point, SymbolicValues values) {
                 if (!point.why_no_thread_runs.empty()) return;  // AskIfThreadsRun
                 std::vector<SymbolicInteger> element;
                 for (size_t d = 0; d < point.tensors[array].sizes().size(); ++d)
                   element.push_back(values.at(StrCat("i", d)));
                 const auto thread = ThreadOf(guess, model_, point, point.tensors[array], element);
                 if (!thread) throw FunctionFault{"the guess does not fit the launch"};
                 for (const auto& [name, number] : *thread) values[name] = number;
                 if (!model_.IsThread(point, values)) throw FunctionFault{"no thread of the launch has this number"};
                 if (!IsStored(point, model_.Run(point, values, KernelModel::Bounds::kProved), array, element)) {
                   throw FunctionFault{"the thread does not store the element"};
                 }
               });
  }

  // Proves that each element is stored by one thread, with a guess of which.
  Expected<void> AskOfOwners() {
    simulation_ = Simulate(model_, written_);
    if (!stores_nothing_) {
      std::optional<SimulationFault> fault = simulation_.stored_twice;
      auto result = fault ? Refuted("distinct-stores", *fault) : AskDistinct(fault);
      if (!result) return std::unexpected(result.error());
      Add(*std::move(result), fault ? &*fault : nullptr);
    }
    if (!model_.has_launch()) return {};
    const std::optional<SimulationFault>& missing = simulation_.not_stored;
    auto result = missing ? Refuted("complete", *missing) : AskAllComplete();
    if (!result) return std::unexpected(result.error());
    Add(*std::move(result), missing ? &*missing : nullptr);
    return {};
  }

  Expected<ProofResult> Refuted(const std::string& law, const SimulationFault& fault) const {
    ProofResult result{.layout = request_.function, .law = law, .verdict = ProofVerdict::kRefuted, .method = "witness"};
    result.counterexample = fault.values;
    result.subexpression = fault.text;
    return result;
  }

  ProofResult NoThreadFound(const std::string& law, size_t array, std::string_view small_launches) const {
    std::vector<std::string> index;
    for (size_t d = 0; d < model_.layouts()[array].layout.dimensions.size(); ++d) index.push_back(StrCat("i", d));
    ProofResult unknown{.layout = request_.function, .law = law};
    unknown.reason = StrCat(
        "which thread stores element (", StrJoin(index, ","), ") of ", model_.array_names()[array],
        " was not found: tried the linear index, the first and the last dimensions; small launches ", small_launches);
    return unknown;
  }

  // Writes the fault if the guess leads to two threads that store one element.
  Expected<ProofResult> AskDistinct(std::optional<SimulationFault>& fault) {
    ProofResult unknown = NoThreadFound("distinct-stores", *written_.begin(), "store no element twice");
    for (const ThreadGuess& guess : ThreadGuesses(simulation_.per_thread)) {
      auto result = AskOwner("distinct-stores", guess);
      if (!result || result->verdict == ProofVerdict::kProved) return result;
      unknown.seconds += result->seconds;
      if (result->verdict != ProofVerdict::kRefuted) continue;
      fault = FindSecondStore(model_, guess, result->counterexample);
      if (fault) return Refuted("distinct-stores", *fault);
    }
    return unknown;
  }

  Expected<ProofResult> AskOwner(const std::string& law, const ThreadGuess& guess) {
    const ThreadClaim claim = [&](const auto& model, const auto& point, const auto& values, const auto& stores) {
      CheckOwner(guess, model, point, values, stores);
    };
    // A launch may have directions of which the code reads nothing. Where it may be any, they have one thread.
    const bool is_covered = std::ranges::all_of(model_.thread_names(), [this](const std::string& name) {
      return std::ranges::find(any_launch_.thread_names(), name) != any_launch_.thread_names().end();
    });
    return is_covered ? AskOfEachThread(law, claim) : AskOfEachThread(model_, law, claim);
  }

  // Asks of each array that the kernel writes.
  Expected<ProofResult> AskAllComplete() {
    Expected<ProofResult> result = ProofResult{.layout = request_.function, .law = "complete"};
    for (const size_t array : written_) {
      result = AskIfThreadsRun(array);
      if (result && result->verdict == ProofVerdict::kProved) result = ProveComplete(array);
      if (!result || result->verdict != ProofVerdict::kProved) return result;
    }
    return result;
  }

  // Asks if the launch runs wherever the array has an element.
  Expected<ProofResult> AskIfThreadsRun(size_t array) {
    return Ask(model_, "complete", NamesOfElements(), &model_.layouts()[array],
               [&](const KernelModel::Point& point, const SymbolicValues&) {
                 if (!point.why_no_thread_runs.empty()) throw FunctionFault{NotStoredText(model_, point, array)};
               });
  }

  Expected<ProofResult> ProveComplete(size_t array) {
    ProofResult unknown = NoThreadFound("complete", array, "show no gap");
    for (const ThreadGuess& guess : ThreadGuesses(simulation_.per_thread)) {
      auto result = AskComplete(guess, array);
      if (!result || result->verdict == ProofVerdict::kProved) return result;
      unknown.seconds += result->seconds;
    }
    return unknown;
  }

  const KernelRequest& request_;
  KernelModel& model_;
  KernelModel& any_launch_;
  const ProveOptions& options_;
  bool asks_any_launch_ = true;  // unless the accesses are not shown to be right for any launch
  std::set<size_t> written_;     // the arrays that are stored to
  bool stores_nothing_ = false;
  Simulation simulation_;
  std::vector<KernelProof> results_;
};

}  // namespace

Expected<std::vector<KernelProof>> ProveKernel(const KernelRequest& request, const ProveOptions& options) {
  const auto module = CodeModule::Read(request.file, {.flags = request.compiler_flags, .for_device = true});
  if (!module) return std::unexpected(module.error());
  auto model = KernelModel::Make(request, *module);
  if (!model) return std::unexpected(model.error());
  KernelRequest without_launch = request;
  without_launch.grid.clear();
  without_launch.block.clear();
  auto any_launch = KernelModel::Make(without_launch, *module);
  if (!any_launch) return std::unexpected(any_launch.error());
  return KernelProver(request, *model, *any_launch, options).Run();
}

}  // namespace layoutcheck
