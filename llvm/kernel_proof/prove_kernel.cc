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
  KernelProver(const KernelRequest& request, const KernelModel& model, const KernelModel& any_launch,
               const ProveOptions& options)
      : request_(request), model_(model), any_launch_(any_launch), options_(options) {}

  Expected<std::vector<KernelProof>> Run() {
    if (auto has = HasThread(); !has) return Failed(has);
    if (auto done = AskOfThreads(kAccesses, [](const auto&, const auto&, const auto&, const auto&) {}); !done)
      return Failed(done);
    if (!AllProved()) return std::move(results_);
    if (auto done = AskOfRelayout(); !done) return Failed(done);
    if (!AllProved()) return std::move(results_);
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
        StrCat("no thread of such a launch was found: a block has 1 to 1024 threads, a grid 1 block or more, "
               "and each array takes at most ",
               request_.max_bytes, " bytes"));
  }

  // Asks about any launch first: such a claim is easier to show, and it covers this launch.
  Expected<ProofResult> AskOfEachThread(const std::string& law, const ThreadClaim& claim) {
    if (asks_any_launch_) {
      auto result = AskOfEachThread(any_launch_, law, claim);
      if (!model_.has_launch() || !result || result->verdict == ProofVerdict::kProved) return result;
      if (law == kAccesses) asks_any_launch_ = false;
    }
    return AskOfEachThread(model_, law, claim);
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
    std::set<int64_t> written;
    auto result =
        AskOfEachThread("relayout", [&](const auto& model, const auto& point, const auto&, const auto& stores) {
          for (const KernelStore& store : stores) {
            if (store.from >= 0) read.insert(store.from);
            written.insert(store.array);
          }
          CheckRelayout(model, point, stores);
        });
    if (!result) return std::unexpected(result.error());
    for (const int64_t array : read) {
      if (!written.contains(array) || result->verdict != ProofVerdict::kProved) continue;
      result->verdict = ProofVerdict::kUnknown;
      result->reason =
          StrCat("what is read of ", model_.array_names()[static_cast<size_t>(array)], ", to which threads store, too");
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
    simulation_ = Simulate(model_);
    std::vector<std::pair<std::string, const std::optional<SimulationFault>*>> laws{
        {"distinct-stores", &simulation_.stored_twice}};
    if (model_.has_launch()) laws.emplace_back("complete", &simulation_.not_stored);
    for (const auto& [law, fault] : laws) {
      auto result = *fault ? Refuted(law, **fault) : ProveByGuess(law);
      if (!result) return std::unexpected(result.error());
      Add(*std::move(result), *fault ? &**fault : nullptr);
    }
    return {};
  }

  Expected<ProofResult> Refuted(const std::string& law, const SimulationFault& fault) const {
    ProofResult result{.layout = request_.function, .law = law, .verdict = ProofVerdict::kRefuted, .method = "witness"};
    result.counterexample = fault.values;
    result.subexpression = fault.text;
    return result;
  }

  Expected<ProofResult> ProveByGuess(const std::string& law) {
    ProofResult unknown{.layout = request_.function, .law = law};
    unknown.reason = "no number of a thread was found for each element";
    for (const ThreadGuess& guess : ThreadGuesses(simulation_.per_thread)) {
      auto result = law == "complete" ? AskAllComplete(guess) : AskOwner(law, guess);
      if (!result || result->verdict == ProofVerdict::kProved) return result;
      unknown.seconds += result->seconds;
    }
    return unknown;
  }

  Expected<ProofResult> AskOwner(const std::string& law, const ThreadGuess& guess) {
    return AskOfEachThread(law, [&](const auto& model, const auto& point, const auto& values, const auto& stores) {
      CheckOwner(guess, model, point, values, stores);
    });
  }

  // Asks of each array that the kernel writes.
  Expected<ProofResult> AskAllComplete(const ThreadGuess& guess) {
    Expected<ProofResult> result = ProofResult{.layout = request_.function, .law = "complete"};
    for (const size_t array : simulation_.written) {
      result = AskComplete(guess, array);
      if (!result || result->verdict != ProofVerdict::kProved) return result;
    }
    return result;
  }

  const KernelRequest& request_;
  const KernelModel& model_;
  const KernelModel& any_launch_;
  const ProveOptions& options_;
  bool asks_any_launch_ = true;  // unless the accesses are not shown to be right for any launch
  Simulation simulation_;
  std::vector<KernelProof> results_;
};

}  // namespace

Expected<std::vector<KernelProof>> ProveKernel(const KernelRequest& request, const ProveOptions& options) {
  const auto module = CodeModule::Read(request.file, {.flags = request.compiler_flags, .for_device = true});
  if (!module) return std::unexpected(module.error());
  const auto model = KernelModel::Make(request, *module);
  if (!model) return std::unexpected(model.error());
  KernelRequest without_launch = request;
  without_launch.grid.clear();
  without_launch.block.clear();
  const auto any_launch = KernelModel::Make(without_launch, *module);
  if (!any_launch) return std::unexpected(any_launch.error());
  return KernelProver(request, *model, *any_launch, options).Run();
}

}  // namespace layoutcheck
