// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include <algorithm>
#include <unordered_map>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include "layoutcheck/llvm/kernel/thread_synthesis.h"
#include "layoutcheck/llvm/kernel_proof/block_recorder.h"
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/llvm/kernel_proof/store_guesses.h"
#include "layoutcheck/llvm/kernel_proof/warp_recorder.h"
#include "layoutcheck/solver/paths/followed_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostThreads = 10'000;

// Limits of the threads that are run.
struct ThreadBudget {
  int64_t most_threads;     // in launches with equal sizes, and in those in which one size varies
  int64_t sampled_threads;  // of a launch of which not all are run
  int64_t whole_launch;     // threads of the largest launch that is run as a whole
};
constexpr ThreadBudget kAllThreads{kMostThreads, 512, kMostThreads};
constexpr ThreadBudget kFewThreads{2'500, 192, 320};  // for guesses, whose examples are a sample anyway

constexpr int64_t kSizeOfSample = 1'050'003;
constexpr size_t kMostAccesses = 1'000'000;  // by all threads of these
// Sizes that fill less than a block and more, first those that tell most.
constexpr std::array<int64_t, 15> kSizes{1, 33, 3, 130, 2, 64, 17, 300, 4, 8, 9, 32, 132, 1024, 2052};
// Above this size, launches without a thread are left out: a search finds the smallest.
constexpr int64_t kLargeSize = 1024;

// Returns true if a launch has the size, such as "block_dim_x", and the model takes it from the values.
bool IsFree(const KernelModel& model, const std::string& size) {
  return std::ranges::find(model.thread_names(), size) != model.thread_names().end();
}

// Returns the values of the sizes and of a launch that is not given.
std::vector<std::pair<std::string, int64_t>> Sizes(const KernelModel& model, const SymbolicValues& values) {
  std::vector<std::pair<std::string, int64_t>> sizes;
  for (const std::string& name : model.names()) sizes.emplace_back(name, NumberOf(values.at(name)));
  for (const std::string& name : model.thread_names()) {
    if (IsSizeOfLaunch(name)) sizes.emplace_back(name, NumberOf(values.at(name)));
  }
  if (model.numbers().are_followed()) sizes.emplace_back(kPattern, NumberOf(values.at(kPattern)));
  return sizes;
}

SimulationFault StoredTwice(const KernelModel& model, const SymbolicValues& values, const KernelStore& store,
                            std::span<const SymbolicInteger> element, int64_t place,
                            const std::array<HostThread, 2>& threads) {
  SimulationFault fault{
      .values = Sizes(model, values), .text = "", .array = static_cast<size_t>(store.array), .place = place};
  fault.storing = threads;
  std::vector<std::string> index;
  for (const SymbolicInteger& coordinate : element) index.push_back(StrCat(NumberOf(coordinate)));
  fault.text = StrCat("element (", StrJoin(index, ","), ") of ", model.array_names()[fault.array], " is stored ",
                      threads[0] == threads[1] ? "twice " : "", "by ", threads[0].ToString(),
                      threads[0] == threads[1] ? "" : " and by " + threads[1].ToString(), ", at ", store.place);
  return fault;
}

class Launches {
 public:
  // `budget` must outlive the object.
  Launches(const KernelModel& model, const std::set<size_t>& written, const ThreadBudget& budget)
      : model_(model), written_(written), budget_(budget), recorder_(model), warps_(model) {
    for (const std::string& name : model.names()) {
      if (std::ranges::find(model.thread_names(), name) == model.thread_names().end()) sizes_.push_back(name);
    }
  }

  Simulation Run() {
    // All sizes equal, then one size among small ones. A fault at smaller sizes replaces another.
    const std::vector<int64_t> assumed = AssumedSizes();
    std::vector<int64_t> sizes(kSizes.begin(), kSizes.end());
    sizes.insert(sizes.end(), assumed.begin(), assumed.end());
    std::vector<int64_t> small_sizes{3, 1};
    small_sizes.insert(small_sizes.end(), assumed.begin(), assumed.end());
    for (const int64_t size : sizes) {
      Try(size, size, 0);
      if (sizes_.empty()) break;
    }
    // Where a launch has many threads whatever the sizes are, each stores several elements of large arrays only.
    if (has_sample_) Try(kSizeOfSample, kSizeOfSample, 0);
    for (size_t name = 0; name < sizes_.size() && sizes_.size() > 1; ++name) {
      threads_ = 0;
      work_ = 0;
      for (const int64_t small : small_sizes) {
        for (const int64_t size : sizes) Try(size, small, name);
      }
    }
    result_.guesses = examples_.Guess(model_);
    result_.writers = recorder_.Writers();
    result_.banks = warps_.measures();
    return std::move(result_);
  }

 private:
  // Returns the numbers in the assumptions and their doubles: sizes that meet `T % 16 == 0` or `H == 48`.
  std::vector<int64_t> AssumedSizes() const {
    std::set<int64_t> sizes;
    for (const Formula& assumption : model_.assumptions()) {
      for (const FormulaNode& node : assumption.nodes) {
        if (node.op != FormulaOp::kLiteral || node.value < 2 || node.value > kLargeSize) continue;
        sizes.insert(static_cast<int64_t>(node.value));
        sizes.insert(2 * static_cast<int64_t>(node.value));
      }
    }
    constexpr size_t kMostAssumed = 6;
    return {sizes.begin(), std::next(sizes.begin(), static_cast<ptrdiff_t>(std::min(sizes.size(), kMostAssumed)))};
  }

  void Try(int64_t size, int64_t others, size_t name) {
    is_large_ = size > kLargeSize;
    for (size_t k = 0; k < sizes_.size(); ++k) values_[sizes_[k]] = k == name ? size : others;
    if (!AssumptionsHold()) return;
    for (int64_t pattern = 0; pattern < (model_.numbers().are_followed() ? kPatterns : 1); ++pattern) {
      values_[kPattern] = pattern;
      RunLaunch();
    }
  }

  bool AssumptionsHold() const {
    return std::ranges::all_of(model_.assumptions(), [&](const Formula& assumption) {
      std::vector<int64_t> names;
      for (const std::string& name : assumption.names) names.push_back(NumberOf(values_.at(name)));
      const FormulaValue<int64_t> value = FormulaEvaluator<int64_t>(assumption)(names);
      return value.ok() && value.value != 0;
    });
  }

  void RunLaunch() {
    if (!model_.has_launch()) {
      for (size_t axis = 0; axis < kAxes.size(); ++axis) {
        // Different numbers, so that an example tells which of them matters.
        const std::string threads = ThreadName("block_dim", axis);
        const std::string blocks = ThreadName("grid_dim", axis);
        if (IsFree(model_, threads)) values_[threads] = kSimulatedThreads - static_cast<int64_t>(axis);
        if (IsFree(model_, blocks)) values_[blocks] = kSimulatedThreads + 1 + static_cast<int64_t>(axis);
      }
    }
    IsFollowed([&] {
      const auto point = model_.At(values_);
      if (!point || work_ > kMostAccesses) return;
      const int64_t threads = ThreadsOf(*point);
      const bool is_sampled = threads_ + threads > budget_.most_threads || threads > budget_.whole_launch;
      if (threads_ + (is_sampled ? budget_.sampled_threads : threads) > budget_.most_threads) return;
      stored_.assign(model_.array_names().size(), {});
      has_guesses_ = false;
      recorder_.BeginLaunch();
      warps_.BeginLaunch();
      const bool has_threads = point->why_no_thread_runs.empty();
      has_sample_ = has_sample_ || (has_threads && threads > kMostThreads);
      if (has_threads) is_sampled ? RunSample(*point) : RunThreads(*point, 0);
      if (model_.has_launch() && !has_guesses_ && !is_sampled && (has_threads || !is_large_)) FindMissing(*point);
      if (!is_sampled) warps_.EndLaunch(Sizes(model_, values_));
      recorder_.EndLaunch();
      KeepConflict(recorder_.race(), result_.race);
      KeepConflict(recorder_.divergence(), result_.divergence);
    });
  }

  // Returns how many values the number of a thread or block has.
  static int64_t CountOf(const KernelModel::Point& point, const std::string& name) {
    const size_t axis = kAxes.find(name.back());
    const auto& bound = name.starts_with("thread") ? point.block[axis] : point.grid[axis];
    return bound ? NumberOf(*bound) : kSimulatedThreads;
  }

  int64_t ThreadsOf(const KernelModel::Point& point) const {
    if (!point.why_no_thread_runs.empty()) return 0;
    int64_t threads = 1;
    for (const std::string& name : model_.thread_names()) {
      if (!IsSizeOfLaunch(name))
        threads = std::min(threads * std::min(CountOf(point, name), kMostThreads), 2 * kMostThreads);
    }
    return threads;
  }

  // Runs all threads whose numbers from `number` on are free, if their names begin so.
  void RunThreads(const KernelModel::Point& point, size_t number, std::string_view begin = "") {
    const std::vector<std::string>& names = model_.thread_names();
    while (number < names.size() && (IsSizeOfLaunch(names[number]) || !names[number].starts_with(begin))) ++number;
    if (number == names.size()) return RunThread(point);
    const int64_t count = CountOf(point, names[number]);
    for (int64_t k = 0; k < count; ++k) {
      values_[names[number]] = k;
      RunThreads(point, number + 1, begin);
    }
  }

  // Runs some threads of a launch that has too many, and the first block if it is small. They show which thread stores
  // an element, and no gap.
  void RunSample(const KernelModel::Point& point) {
    for (const std::string& name : model_.thread_names()) {
      if (!IsSizeOfLaunch(name)) values_[name] = 0;
    }
    if (model_.has_barrier()) RunThreads(point, 0, "thread_");
    // Where the arrays are small, the threads with small numbers store.
    constexpr std::array<int64_t, 4> kNumbersBelow{4, 32, 1024, INT64_MAX};
    std::set<std::vector<int64_t>> seen;
    for (int64_t k = 0; k < budget_.sampled_threads * 5 / 4; ++k) {
      std::vector<int64_t> numbers;
      uint64_t hash = HashCombine(0, static_cast<uint64_t>(k));
      for (const std::string& name : model_.thread_names()) {
        if (IsSizeOfLaunch(name)) continue;
        hash = HashCombine(hash, numbers.size());
        // In the last fifth of the threads, one number may be small and another one large.
        const auto scale = static_cast<size_t>(k < budget_.sampled_threads ? static_cast<uint64_t>(k) : hash >> 40);
        const int64_t count = std::min(CountOf(point, name), kNumbersBelow[scale % kNumbersBelow.size()]);
        numbers.push_back(static_cast<int64_t>(hash >> 8) % count);
        values_[name] = numbers.back();
      }
      if (model_.has_barrier() && ThreadIn(values_).block == HostThread().block) continue;
      if (seen.insert(numbers).second) RunThread(point);
    }
  }

  void RunThread(const KernelModel::Point& point) {
    ++threads_;
    if (!model_.IsThread(point, values_)) return;
    KernelRun run = model_.RunGuessed(point, values_, true);
    work_ += run.stores.size() + run.reads.size() + run.shared.size();
    AddStores(point, run);
    if (!run.is_guessed) {
      warps_.Add(point.block, ThreadIn(values_), run);
      return recorder_.Add(point, values_, ThreadIn(values_), run);
    }
    has_guesses_ = true;
    AddStores(point, model_.RunGuessed(point, values_, false));
  }

  void AddStores(const KernelModel::Point& point, const KernelRun& run) {
    int64_t elements = 0;  // that the thread stores
    const HostThread thread = ThreadIn(values_);
    for (const KernelStore& store : run.stores) {
      const KernelTensor& tensor = point.tensors[static_cast<size_t>(store.array)];
      ForEachElementOf(tensor, store.offset, store.bytes, [&](const SymbolicInteger& at, int64_t) {
        ++elements;
        const auto element = tensor.ElementAt(at);
        if (!element) return;
        const int64_t place = NumberOf(at);
        const auto array = static_cast<size_t>(store.array);
        const auto [first, is_new] = stored_[array].try_emplace(place, thread);
        if (is_new) examples_.Add(array, store, [&] { return ExampleOf(point, store, *element); });
        if (is_new || run.is_guessed || has_guesses_) return;
        Keep(result_.stored_twice, StoredTwice(model_, values_, store, *element, place, {first->second, thread}));
      });
    }
    examples_.AddThread(elements);
  }

  StoreExample ExampleOf(const KernelModel::Point& point, const KernelStore& store,
                         std::span<const SymbolicInteger> element) const {
    StoreExample example;
    const KernelTensor& tensor = point.tensors[static_cast<size_t>(store.array)];
    for (const auto& [name, value] : NamesOfElement(point, values_, tensor, element)) {
      const bool is_sought =
          std::ranges::find(model_.thread_names(), name) != model_.thread_names().end() && !IsSizeOfLaunch(name);
      if (name != kPattern) (is_sought ? example.thread : example.names).emplace(name, NumberOf(value));
    }
    if (store.region) example.thread.emplace(kGuardedRegion, static_cast<int64_t>(*store.region));
    return example;
  }

  void KeepConflict(const std::optional<ThreadConflict>& conflict, std::optional<SimulationFault>& kept) const {
    if (!conflict) return;
    SimulationFault fault{.values = Sizes(model_, values_), .text = conflict->text};
    fault.storing = conflict->threads;
    Keep(kept, std::move(fault));
  }

  // Keeps the fault with the smaller sum of sizes.
  void Keep(std::optional<SimulationFault>& kept, SimulationFault fault) const {
    const auto sum = [&](const SimulationFault& f) {
      int64_t total = 0;
      for (size_t k = 0; k < sizes_.size(); ++k) total += f.values[k].second;
      return total;
    };
    if (!kept || sum(fault) < sum(*kept)) kept = std::move(fault);
  }

  void FindMissing(const KernelModel::Point& point) {
    for (const size_t array : written_) {
      const KernelTensor& tensor = point.tensors[array];
      const int64_t places = NumberOf(tensor.PlaceOfByte(tensor.bytes()));
      for (int64_t place = 0; place < places; place += tensor.element_bytes()) {
        if (stored_[array].contains(place)) continue;
        const auto element = tensor.ElementAt(place);
        if (!element) continue;
        SimulationFault fault{.values = Sizes(model_, values_),
                              .text = NotStoredText(model_, point, array),
                              .array = array,
                              .place = place};
        for (size_t d = 0; d < element->size(); ++d) {
          fault.values.emplace_back(StrCat("i", d), NumberOf((*element)[d]));
        }
        Keep(result_.not_stored, std::move(fault));
        return;
      }
    }
  }

  const KernelModel& model_;
  const std::set<size_t>& written_;
  const ThreadBudget& budget_;
  std::vector<std::string> sizes_;
  SymbolicValues values_;
  std::vector<std::unordered_map<int64_t, HostThread>> stored_;  // by array and place
  StoreGuesses examples_;
  bool has_guesses_ = false;  // values decide what threads of the launch store
  BlockRecorder recorder_;
  WarpRecorder warps_;
  bool has_sample_ = false;  // a launch had too many threads
  bool is_large_ = false;    // a size of the launch is above kLargeSize
  Simulation result_;
  int64_t threads_ = 0;
  size_t work_ = 0;  // accesses of all threads
};

}  // namespace

std::string NotStoredText(const KernelModel& model, const KernelModel::Point& point, size_t array) {
  return StrCat("no thread stores this element of ", model.array_names()[array],
                point.why_no_thread_runs.empty() ? "" : ", because ", point.why_no_thread_runs);
}

ProofResult RefutedBy(const SimulationFault& fault, const KernelModel& model, const std::string& law) {
  ProofResult result{.layout = model.name(), .law = law, .verdict = ProofVerdict::kRefuted, .method = "witness"};
  result.counterexample = fault.values;
  result.subexpression = fault.text;
  return result;
}

namespace {

// Inserts the guess that the request gives, if it gives one.
void InsertGivenGuess(const KernelModel& model, const std::set<size_t>& written, std::vector<ThreadGuess>& guesses) {
  if (model.thread_formulas().empty()) return;
  ThreadGuess given;
  for (const size_t array : written) given[array].push_back({.formulas = model.thread_formulas()});
  guesses.insert(guesses.begin(), std::move(given));
}

}  // namespace

Simulation Simulate(const KernelModel& model, const std::set<size_t>& written) {
  Simulation simulation = Launches(model, written, kAllThreads).Run();
  InsertGivenGuess(model, written, simulation.guesses);
  return simulation;
}

std::vector<ThreadGuess> GuessThreads(const KernelModel& model, const std::set<size_t>& written) {
  std::vector<ThreadGuess> guesses = Launches(model, written, kFewThreads).Run().guesses;
  InsertGivenGuess(model, written, guesses);
  return guesses;
}

std::optional<SimulationFault> FindSecondStore(const KernelModel& model, const ThreadGuess& guess,
                                               const std::vector<std::pair<std::string, int64_t>>& counterexample) {
  SymbolicValues values;
  for (const auto& [name, value] : counterexample) values.emplace(name, value);
  std::optional<SimulationFault> found;
  IsFollowed([&] {
    const auto point = model.At(values);
    if (!point || !model.IsThread(*point, values)) return;
    for (const KernelStore& store : model.Run(*point, values, KernelModel::Bounds::kChecked)) {
      const auto array = static_cast<size_t>(store.array);
      const KernelTensor& tensor = point->tensors[array];
      ForEachElementOf(tensor, store.offset, store.bytes, [&](const SymbolicInteger& at, int64_t) {
        const auto element = tensor.ElementAt(at);
        const auto owner = element && !found ? OwnerOf(guess, *point, values, array, *element) : std::nullopt;
        if (!owner) return;
        const SymbolicValues other = owner->In(values);
        const std::array<HostThread, 2> threads{ThreadIn(other), ThreadIn(values)};
        if (threads[0] == threads[1] || !model.IsThread(*point, other)) return;
        if (!IsStored(*point, model.Run(*point, other, KernelModel::Bounds::kChecked), array, *element)) return;
        found = StoredTwice(model, values, store, *element, NumberOf(at), threads);
      });
      if (found) return;
    }
  });
  return found;
}

}  // namespace layoutcheck
