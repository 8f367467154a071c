// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostThreads = 8'000;
constexpr std::array<int64_t, 12> kSizes{1, 2, 3, 4, 8, 9, 17, 32, 33, 64, 130, 132};

int64_t NumberOf(const SymbolicInteger& value) { return static_cast<int64_t>(value.number().value_or(-1)); }

class Launches {
 public:
  explicit Launches(const KernelModel& model) : model_(model) {
    for (const std::string& name : model.names()) {
      if (std::ranges::find(model.thread_names(), name) == model.thread_names().end()) sizes_.push_back(name);
    }
  }

  Simulation Run() {
    // All sizes equal, then one size among small ones; a fault at smaller sizes replaces another.
    for (const int64_t size : kSizes) Try(size, size, 0);
    for (const int64_t small : {3, 1}) {
      for (size_t name = 0; name < sizes_.size(); ++name) {
        for (const int64_t size : kSizes) Try(size, small, name);
      }
    }
    return std::move(result_);
  }

 private:
  void Try(int64_t size, int64_t others, size_t name) {
    for (size_t k = 0; k < sizes_.size(); ++k) values_[sizes_[k]] = k == name ? size : others;
    if (AssumptionsHold()) RunLaunch();
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
        values_[ThreadName("block_dim", axis)] = kSimulatedThreads;
        values_[ThreadName("grid_dim", axis)] = kSimulatedThreads;
      }
    }
    try {
      const auto point = model_.At(values_);
      if (!point || threads_ + ThreadsOf(*point) > kMostThreads) return;
      stored_.clear();
      RunThreads(*point, 0);
      if (model_.has_launch()) FindMissing(*point);
    } catch (const FunctionFault&) {
    } catch (const FunctionUnknown&) {
    } catch (const std::logic_error&) {  // a number takes more than 128 bits
    }
  }

  static int64_t ThreadsOf(const KernelModel::Point& point) {
    int64_t threads = 1;
    for (const auto& sizes : {point.block, point.grid}) {
      for (const auto& size : sizes) threads = std::min(threads * (size ? NumberOf(*size) : 1), 2 * kMostThreads);
    }
    return threads;
  }

  // Runs all threads whose numbers from `number` on are free.
  void RunThreads(const KernelModel::Point& point, size_t number) {
    const std::vector<std::string>& names = model_.thread_names();
    while (number < names.size() && !names[number].starts_with("thread") &&
           (!names[number].starts_with("block") || names[number].starts_with("block_dim"))) {
      ++number;
    }
    if (number == names.size()) return RunThread(point);
    const size_t axis = kAxes.find(names[number].back());
    const auto& bound = names[number].starts_with("thread") ? point.block[axis] : point.grid[axis];
    const int64_t count = bound ? NumberOf(*bound) : kSimulatedThreads;
    for (int64_t k = 0; k < count; ++k) {
      values_[names[number]] = k;
      RunThreads(point, number + 1);
    }
  }

  void RunThread(const KernelModel::Point& point) {
    ++threads_;
    if (!model_.IsThread(point, values_)) return;
    int64_t elements = 0;
    for (const KernelStore& store : model_.Run(point, values_, KernelModel::Bounds::kChecked)) {
      const KernelTensor& tensor = point.tensors[static_cast<size_t>(store.array)];
      for (int64_t at = 0; at < store.bytes; at += tensor.element_bytes()) {
        ++elements;
        result_.written.insert(static_cast<size_t>(store.array));
        if (!tensor.ElementAt(store.offset + at)) continue;
        const int64_t place = NumberOf(store.offset) + at;
        const auto [first, is_new] = stored_.try_emplace({store.array, place}, threads_);
        if (is_new) continue;
        const bool is_one = first->second == threads_;
        SimulationFault fault{Values(model_.names()),
                              StrCat(is_one ? "this thread stores an element twice, at "
                                            : "this thread stores an element that another stores, too, at ",
                                     store.place),
                              static_cast<size_t>(store.array), place, is_one};
        for (auto& value : Values(ThreadNumbers())) fault.values.push_back(std::move(value));
        Keep(result_.stored_twice, std::move(fault));
      }
    }
    result_.per_thread = std::max(result_.per_thread, elements);
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

  std::vector<std::pair<std::string, int64_t>> Values(const std::vector<std::string>& names) const {
    std::vector<std::pair<std::string, int64_t>> values;
    for (const std::string& name : names) values.emplace_back(name, NumberOf(values_.at(name)));
    return values;
  }

  // Returns the names of a thread's numbers, without those of the sizes of its launch.
  std::vector<std::string> ThreadNumbers() const {
    std::vector<std::string> numbers;
    for (const std::string& name : model_.thread_names()) {
      if (name.find("_dim_") == std::string::npos) numbers.push_back(name);
    }
    return numbers;
  }

  void FindMissing(const KernelModel::Point& point) {
    for (const size_t array : result_.written) {
      const KernelTensor& tensor = point.tensors[array];
      for (int64_t place = 0; place < NumberOf(tensor.bytes()); place += tensor.element_bytes()) {
        const auto element = tensor.ElementAt(place);
        if (!element || stored_.contains({static_cast<int64_t>(array), place})) continue;
        SimulationFault fault{Values(sizes_), StrCat("no thread stores this element of ", model_.array_names()[array]),
                              array, place, false};
        for (size_t d = 0; d < element->size(); ++d) {
          fault.values.emplace_back(StrCat("i", d), NumberOf((*element)[d]));
        }
        Keep(result_.not_stored, std::move(fault));
        return;
      }
    }
  }

  const KernelModel& model_;
  std::vector<std::string> sizes_;
  SymbolicValues values_;
  std::map<std::pair<int64_t, int64_t>, int64_t> stored_;  // number of the thread by array and byte
  Simulation result_;
  int64_t threads_ = 0;
};

}  // namespace

Simulation Simulate(const KernelModel& model) { return Launches(model).Run(); }

}  // namespace layoutcheck
