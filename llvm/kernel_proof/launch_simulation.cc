// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostThreads = 30'000;
constexpr std::array<int64_t, 7> kSizes{1, 2, 3, 9, 17, 33, 130};

int64_t NumberOf(const SymbolicInteger& value) { return static_cast<int64_t>(value.number().value_or(-1)); }

class Launches {
 public:
  explicit Launches(const KernelModel& model) : model_(model) {
    for (const std::string& name : model.names()) {
      if (std::ranges::find(model.thread_names(), name) == model.thread_names().end()) sizes_.push_back(name);
    }
  }

  Simulation Run() {
    // Sizes that are near each other first: all combinations of the first two, of the first three, and so on.
    for (size_t most = 1; most <= kSizes.size() && threads_ < kMostThreads; ++most) TryAll(most, 0, false);
    return std::move(result_);
  }

 private:
  // Tries all combinations of the first `most` sizes that use the last of them.
  void TryAll(size_t most, size_t name, bool has_last) {
    if (threads_ >= kMostThreads) return;
    if (name == sizes_.size()) {
      if (has_last || sizes_.empty()) RunLaunch();
      return;
    }
    for (size_t k = 0; k < most; ++k) {
      values_[sizes_[name]] = kSizes[k];
      TryAll(most, name + 1, has_last || k + 1 == most);
    }
  }

  void RunLaunch() {
    if (!model_.has_launch()) {
      for (size_t axis = 0; axis < kAxes.size(); ++axis) {
        constexpr int64_t kThreads = 4;
        values_[ThreadName("block_dim", axis)] = kThreads;
        values_[ThreadName("grid_dim", axis)] = kThreads;
      }
    }
    try {
      const auto point = model_.At(values_);
      if (!point) return;
      stored_.clear();
      RunThreads(*point, 0);
      if (model_.has_launch() && !result_.not_stored) FindMissing(*point);
    } catch (const FunctionFault&) {
    } catch (const FunctionUnknown&) {
    } catch (const std::logic_error&) {  // a number takes more than 128 bits
    }
  }

  // Runs all threads whose numbers from `number` on are free.
  void RunThreads(const KernelModel::Point& point, size_t number) {
    if (threads_ >= kMostThreads) throw FunctionUnknown{"enough"};
    const std::vector<std::string>& names = model_.thread_names();
    while (number < names.size() && !names[number].starts_with("thread") &&
           (!names[number].starts_with("block") || names[number].starts_with("block_dim"))) {
      ++number;
    }
    if (number == names.size()) return RunThread(point);
    const size_t axis = kAxes.find(names[number].back());
    const auto& bound = names[number].starts_with("thread") ? point.block[axis] : point.grid[axis];
    const int64_t count = bound ? NumberOf(*bound) : 4;
    for (int64_t k = 0; k < count; ++k) {
      values_[names[number]] = k;
      RunThreads(point, number + 1);
    }
  }

  void RunThread(const KernelModel::Point& point) {
    ++threads_;
    if (!model_.IsThread(point, values_)) return;
    int64_t elements = 0;
    for (const KernelStore& store : model_.Run(point, values_)) {
      const KernelTensor& tensor = point.tensors[static_cast<size_t>(store.array)];
      for (int64_t at = 0; at < store.bytes; at += tensor.element_bytes()) {
        ++elements;
        result_.written.insert(static_cast<size_t>(store.array));
        if (!tensor.ElementAt(store.offset + at)) continue;
        const bool is_new = stored_.insert({store.array, NumberOf(store.offset) + at}).second;
        if (is_new || result_.stored_twice) continue;
        result_.stored_twice = SimulationFault{
            Values(model_.names()), StrCat("this thread stores an element that another stores, too, at ", store.place)};
      }
    }
    result_.per_thread = std::max(result_.per_thread, elements);
  }

  std::vector<std::pair<std::string, int64_t>> Values(const std::vector<std::string>& names) const {
    std::vector<std::pair<std::string, int64_t>> values;
    for (const std::string& name : names) values.emplace_back(name, NumberOf(values_.at(name)));
    return values;
  }

  void FindMissing(const KernelModel::Point& point) {
    for (const size_t array : result_.written) {
      const KernelTensor& tensor = point.tensors[array];
      for (int64_t place = 0; place < NumberOf(tensor.bytes()); place += tensor.element_bytes()) {
        const auto element = tensor.ElementAt(place);
        if (!element || stored_.contains({static_cast<int64_t>(array), place})) continue;
        result_.not_stored =
            SimulationFault{Values(sizes_), StrCat("no thread stores this element of ", model_.array_names()[array])};
        for (size_t d = 0; d < element->size(); ++d) {
          result_.not_stored->values.emplace_back(StrCat("i", d), NumberOf((*element)[d]));
        }
        return;
      }
    }
  }

  const KernelModel& model_;
  std::vector<std::string> sizes_;
  SymbolicValues values_;
  std::set<std::pair<int64_t, int64_t>> stored_;  // array and byte
  Simulation result_;
  int64_t threads_ = 0;
};

}  // namespace

Simulation Simulate(const KernelModel& model) { return Launches(model).Run(); }

}  // namespace layoutcheck
