// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include <algorithm>
#include <functional>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/solver/formula_proof/bind_function.h"
#include "layoutcheck/solver/formula_proof/function_run.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

// Checks a claim about one thread or element; throws FunctionFault where it is false.
using Claim = std::function<void(const KernelModel::Point& point, const SymbolicValues& values)>;

class KernelProver {
 public:
  KernelProver(const KernelRequest& request, const KernelModel& model, const ProveOptions& options)
      : request_(request), model_(model), options_(options) {}

  Expected<std::vector<ProofResult>> Run() {
    if (auto done = AskOfThreads("accesses", [](const auto&, const auto&, const auto&) {}); !done) return Failed(done);
    if (!AllProved()) return std::move(results_);
    if (auto done = AskOfThreads("relayout", [this](const auto& point, const auto&,
                                                    const auto& stores) { CheckRelayout(model_, point, stores); });
        !done) {
      return Failed(done);
    }
    if (!AllProved()) return std::move(results_);
    if (auto done = AskOfOwners(); !done) return Failed(done);
    return std::move(results_);
  }

 private:
  static std::unexpected<Error> Failed(const Expected<void>& done) { return std::unexpected(done.error()); }
  bool AllProved() const {
    return std::ranges::all_of(results_, [](const auto& r) { return r.verdict == ProofVerdict::kProved; });
  }

  // Proves a claim about all values of the names. With an array, also about all its elements, as i0, i1, ...
  Expected<ProofResult> Ask(const std::string& law, const std::vector<std::string>& names, const SymbolicLayout* array,
                            const Claim& claim) {
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
    texts.formula = arguments.empty() ? "0" : StrJoin(arguments, "+");
    auto question = MakeFormulaQuestion(texts);
    if (!question) return std::unexpected(question.error());
    const SymbolicFunction function{.symbolic = [&](std::span<const SymbolicInteger> given) -> SymbolicInteger {
                                      SymbolicValues values;
                                      for (size_t k = 0; k < arguments.size(); ++k)
                                        values.emplace(arguments[k], given[k]);
                                      if (const auto point = model_.At(values)) claim(*point, values);
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
    std::erase_if(result->counterexample, [](const auto& value) { return value.first == "expected"; });
    return result;
  }

  using ThreadClaim =
      std::function<void(const KernelModel::Point&, const SymbolicValues&, const std::vector<KernelStore>&)>;

  Claim OfThread(const ThreadClaim& claim) const {
    return [this, claim](const KernelModel::Point& point, const SymbolicValues& values) {
      if (model_.IsThread(point, values)) claim(point, values, model_.Run(point, values));
    };
  }

  std::vector<std::string> AllNames() const {
    std::vector<std::string> names = model_.names();
    names.insert(names.end(), model_.thread_names().begin(), model_.thread_names().end());
    return names;
  }

  Expected<void> AskOfThreads(const std::string& law, const ThreadClaim& claim) {
    auto result = Ask(law, AllNames(), nullptr, OfThread(claim));
    if (!result) return std::unexpected(result.error());
    results_.push_back(*std::move(result));
    return {};
  }

  // Returns the names that an element's question is about: without the numbers of the thread.
  std::vector<std::string> NamesOfElements() const {
    std::vector<std::string> names = model_.names();
    for (const std::string& name : model_.thread_names()) {
      if (name.starts_with("block_dim") || name.starts_with("grid_dim")) names.push_back(name);
    }
    return names;
  }

  Expected<ProofResult> AskComplete(const ThreadGuess& guess, size_t array) {
    return Ask("complete", NamesOfElements(), &model_.layouts()[array],
               [&](const KernelModel::Point& point, SymbolicValues values) {
                 std::vector<SymbolicInteger> element;
                 for (size_t d = 0; d < point.tensors[array].sizes().size(); ++d)
                   element.push_back(values.at(StrCat("i", d)));
                 const auto thread = ThreadOf(guess, model_, point, point.tensors[array], element);
                 if (!thread) throw FunctionFault{"the guess does not fit the launch"};
                 for (const auto& [name, number] : *thread) values[name] = number;
                 if (!model_.IsThread(point, values)) throw FunctionFault{"no thread of the launch has this number"};
                 if (!IsStored(point, model_.Run(point, values), array, element)) {
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
      results_.push_back(*std::move(result));
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
      auto result = law == "complete" ? AskAllComplete(guess)
                                      : Ask(law, AllNames(), nullptr,
                                            OfThread([&](const auto& point, const auto& values, const auto& stores) {
                                              CheckOwner(guess, model_, point, values, stores);
                                            }));
      if (!result || result->verdict == ProofVerdict::kProved) return result;
      unknown.seconds += result->seconds;
    }
    return unknown;
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
  const ProveOptions& options_;
  Simulation simulation_;
  std::vector<ProofResult> results_;
};

}  // namespace

Expected<std::vector<ProofResult>> ProveKernel(const KernelRequest& request, const ProveOptions& options) {
  const auto module =
      CodeModule::Read(request.file, {.flags = request.compiler_flags, .for_device = request.file.ends_with(".cu")});
  if (!module) return std::unexpected(module.error());
  const auto model = KernelModel::Make(request, *module);
  if (!model) return std::unexpected(model.error());
  return KernelProver(request, *model, options).Run();
}

}  // namespace layoutcheck
