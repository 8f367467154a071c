// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/kernel_truth.h"
#include <algorithm>
#include <optional>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/testing/thread_events.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;
using Events = std::vector<ThreadEvent>;

constexpr int64_t kMostOrders = 120;  // of the events of a block between two barriers that are all tried

// Runs the events of all threads in one order after another.
class LaunchRun {
 public:
  LaunchRun(const RandomKernel& kernel, const KernelLaunch& launch, KernelTruth& truth)
      : kernel_(kernel), truth_(truth), elements_(kernel.elements * launch.blocks), blocks_(launch.blocks) {}

  void Run() {
    const Machine first = RunAll(/*backward=*/false, /*alternates=*/false, &truth_);
    truth_.out = first.memory.at(1);
    for (const bool alternates : {false, true}) Compare(first, RunAll(/*backward=*/true, alternates, nullptr));
  }

 private:
  struct Machine {
    std::map<size_t, std::vector<KernelValue>> memory;  // 1 is out, 2 and more are those of the blocks
    struct Thread {
      size_t at = 0;  // number of the next event
      KernelValue single{.kind = KernelValue::Kind::kConstant, .number = kFirstValue};
      std::array<KernelValue, 2> pair{single, single};
      bool operator==(const Thread&) const = default;
    };
    std::vector<Thread> threads;
    bool operator==(const Machine&) const = default;
  };

  std::vector<KernelValue>& MemoryIn(Machine& machine, size_t thread, int array) const {
    const size_t memory = MemoryOf(kernel_, array);
    return machine.memory[memory < 2 ? memory : 2 * (thread / static_cast<size_t>(kernel_.threads())) + memory];
  }

  const ThreadEvent* NextOf(const Machine& machine, size_t thread) const {
    const Events& events = truth_.threads[thread];
    return machine.threads[thread].at == events.size() ? nullptr : &events[machine.threads[thread].at];
  }

  bool CanGoOn(const Machine& machine, size_t thread) const {
    const ThreadEvent* const next = NextOf(machine, thread);
    return next != nullptr && !IsMeeting(*next);
  }

  // Runs the next event of the thread, which is no meeting.
  void Step(Machine& machine, size_t thread, KernelTruth* record) const {
    const ThreadEvent& event = *NextOf(machine, thread);
    Machine::Thread& state = machine.threads[thread];
    ++state.at;
    if (event.kind == Kind::kSet) {
      state.single = {.kind = KernelValue::Kind::kConstant, .number = event.literal};
      return;
    }
    for (int64_t k = 0; k < event.count; ++k) {
      KernelValue& value = event.count == 2 ? state.pair[static_cast<size_t>(k)] : state.single;
      const int64_t index = event.index + k;
      if (event.array == 0) {
        value = {.kind = KernelValue::Kind::kElement, .index = index, .number = FirstNumber(0, index)};
        continue;
      }
      KernelValue& place = MemoryIn(machine, thread, event.array)[static_cast<size_t>(index)];
      if (event.kind == Kind::kLoad) {
        value = place;
      } else if (event.kind == Kind::kStore) {
        place = value;
        if (record != nullptr) record->threads[thread][state.at - 1].values.push_back(value);
      } else if (place.kind != KernelValue::Kind::kGarbage) {
        place = {.kind = KernelValue::Kind::kComputed, .number = place.number + 1};
      }
    }
  }

  // Runs the threads of the block up to where each of them waits or has ended.
  void RunSegment(Machine& machine, size_t block, bool backward, KernelTruth* record) {
    const auto count = static_cast<size_t>(kernel_.threads());
    const bool tries_all = record != nullptr && truth_.races.empty() && OrdersOf(machine, block) <= kMostOrders;
    std::optional<Machine> before;
    if (tries_all) before = machine;
    for (size_t k = 0; k < count; ++k) {
      const size_t thread = block * count + (backward ? count - 1 - k : k);
      while (CanGoOn(machine, thread)) Step(machine, thread, record);
    }
    ++truth_.orders_tried;
    if (tries_all) TryOrders(*before, machine, block);
  }

  // Returns in how many orders the accesses of the block may come up to where its threads wait, or a number above
  // kMostOrders.
  int64_t OrdersOf(const Machine& machine, size_t block) const {
    int64_t orders = 1;
    int64_t all = 0;
    for (size_t k = 0; k < static_cast<size_t>(kernel_.threads()); ++k) {
      const Events& events = truth_.threads[block * static_cast<size_t>(kernel_.threads()) + k];
      int64_t own = 0;
      for (size_t at = machine.threads[block * static_cast<size_t>(kernel_.threads()) + k].at;
           at < events.size() && !IsMeeting(events[at]); ++at) {
        orders = orders * ++all / ++own;  // a binomial coefficient after each step
        if (orders > kMostOrders) return orders;
      }
    }
    return orders;
  }

  void TryOrders(const Machine& machine, const Machine& expected, size_t block) {
    bool has_ended = true;
    for (size_t k = 0; k < static_cast<size_t>(kernel_.threads()); ++k) {
      const size_t thread = block * static_cast<size_t>(kernel_.threads()) + k;
      if (!CanGoOn(machine, thread)) continue;
      has_ended = false;
      Machine next = machine;
      Step(next, thread, nullptr);
      TryOrders(next, expected, block);
    }
    if (!has_ended) return;
    ++truth_.orders_tried;
    truth_.are_orders_alike = truth_.are_orders_alike && machine == expected;
  }

  // Lets the threads of the block go on that wait for each other. Returns false if all have ended or none can go on.
  bool PassMeeting(Machine& machine, size_t block) const {
    const auto count = static_cast<size_t>(kernel_.threads());
    const Machine before = machine;
    bool is_passed = false;
    bool have_ended = true;
    for (size_t number = 0; number < count; ++number) {
      const ThreadEvent* const next = NextOf(before, block * count + number);
      if (next == nullptr) continue;
      have_ended = false;
      bool are_there = true;
      for (size_t other = 0; other < count; ++other) {
        const ThreadEvent* const event = NextOf(before, block * count + other);
        const bool is_awaited =
            event != nullptr && WaitsFor(*next, static_cast<int64_t>(number), static_cast<int64_t>(other));
        are_there = are_there && (!is_awaited || (event->kind == next->kind && event->literal == next->literal));
      }
      if (!are_there) continue;
      is_passed = true;
      Machine::Thread& thread = machine.threads[block * count + number];
      ++thread.at;
      if (next->kind != Kind::kShuffle) continue;
      thread.single = before.threads[block * count + (number ^ static_cast<size_t>(next->literal))].single;
    }
    if (!is_passed && !have_ended) truth_.has_ended = false;
    return is_passed;
  }

  Machine RunAll(bool backward, bool alternates, KernelTruth* record) {
    Machine machine;
    machine.threads.resize(truth_.threads.size());
    for (int64_t k = 0; k < elements_; ++k) {
      machine.memory[1].push_back(
          {.kind = KernelValue::Kind::kElement, .array = 1, .index = k, .number = FirstNumber(1, k)});
    }
    const auto most = static_cast<size_t>(std::max(kernel_.shared[0], kernel_.shared[1]));
    for (size_t k = 0; k < 2 * static_cast<size_t>(blocks_); ++k) machine.memory[k + 2].resize(most);
    const auto blocks = static_cast<size_t>(blocks_);
    std::vector<bool> goes_on(blocks, true);
    // Blocks run one after another, or take turns.
    while (std::ranges::find(goes_on, true) != goes_on.end()) {
      for (size_t k = 0; k < blocks; ++k) {
        const size_t block = backward ? blocks - 1 - k : k;
        while (goes_on[block]) {
          RunSegment(machine, block, backward, record);
          goes_on[block] = PassMeeting(machine, block);
          if (alternates) break;
        }
      }
    }
    return machine;
  }

  void Compare(const Machine& first, const Machine& other) {
    truth_.are_orders_alike = truth_.are_orders_alike && first == other;
  }

  const RandomKernel& kernel_;
  KernelTruth& truth_;
  int64_t elements_;
  int64_t blocks_;
};

}  // namespace

int64_t FirstNumber(int array, int64_t index) { return array == 0 ? 20 + index : -1 - index; }

KernelTruth TruthOf(const RandomKernel& kernel, const KernelLaunch& launch) {
  KernelTruth truth;
  std::vector<const KernelStatement*> returned;
  for (int64_t block = 0; block < launch.blocks; ++block) {
    for (int64_t thread = 0; thread < kernel.threads(); ++thread) {
      truth.threads.push_back(EventsOf(kernel, thread, block, launch, returned.emplace_back()));
    }
  }
  truth.races = RacesOf(kernel, truth.threads);
  truth.barriers = BarriersOf(kernel, truth.threads, returned);
  truth.stores.resize(static_cast<size_t>(kernel.elements * launch.blocks));
  for (const Events& events : truth.threads) {
    for (const ThreadEvent& event : events) {
      if (event.kind != Kind::kStore || event.array != 1) continue;
      for (int64_t k = 0; k < event.count; ++k) ++truth.stores[static_cast<size_t>(event.index + k)];
    }
  }
  LaunchRun(kernel, launch, truth).Run();
  return truth;
}

SeededKernel::SeededKernel(uint64_t number) : seed(number) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  kernel = DrawKernel(StrCat("k", seed), random);
  launch = {.blocks = 1 + static_cast<int64_t>(random() % 3 != 0), .argument = static_cast<int64_t>(random() % 4)};
  truth = TruthOf(kernel, launch);
}

std::string SeededKernel::Text() const {
  return StrCat(SourceOf(kernel), "with ", launch.blocks, " blocks of ", kernel.block[0], " x ", kernel.block[1],
                " threads, n = ", launch.argument, "; again: LAYOUTCHECK_KERNEL=", seed, " thread_model_test");
}

}  // namespace layoutcheck
