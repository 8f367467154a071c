// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/kernel_truth.h"
#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;
using Events = std::vector<ThreadEvent>;

constexpr int64_t kMostOrders = 120;  // of the events of a block between two barriers that are all tried

bool IsAccess(const ThreadEvent& event) {
  return event.kind == Kind::kLoad || event.kind == Kind::kStore || event.kind == Kind::kAtomicAdd;
}

bool IsMeeting(const ThreadEvent& event) {
  return event.kind == Kind::kBarrier || event.kind == Kind::kWarpBarrier || event.kind == Kind::kShuffle;
}

// Lists the events of one thread.
class ThreadTrace {
 public:
  ThreadTrace(int64_t thread, int64_t block, const KernelLaunch& launch) {
    numbers_[static_cast<size_t>(KernelNumber::kThread)] = thread;
    numbers_[static_cast<size_t>(KernelNumber::kBlock)] = block;
    numbers_[static_cast<size_t>(KernelNumber::kBlocks)] = launch.blocks;
    numbers_[static_cast<size_t>(KernelNumber::kArgument)] = launch.argument;
  }

  // `returned` is set to the return statement that ends the thread, or null.
  Events Of(const RandomKernel& kernel, const KernelStatement*& returned) {
    Run(kernel.body);
    returned = returned_;
    return std::move(events_);
  }

 private:
  // Returns false if the thread has returned.
  bool Run(const std::vector<KernelStatement>& statements) {
    return std::ranges::all_of(statements, [this](const KernelStatement& statement) { return Run(statement); });
  }

  bool Run(const KernelStatement& statement) {
    const int64_t value = statement.formula.Value(numbers_);
    switch (statement.kind) {
      case Kind::kReturn: returned_ = &statement; return false;
      case Kind::kIf: return Run(value != 0 ? statement.body : statement.otherwise);
      case Kind::kLoop: {
        int64_t& counter = numbers_[static_cast<size_t>(statement.counter)];
        for (counter = 0; counter < value; ++counter) {
          if (!Run(statement.body)) return false;
        }
        return true;
      }
      default: break;
    }
    ThreadEvent event{
        .kind = statement.kind, .barriers = barriers_, .warp_barriers = warp_barriers_, .statement = &statement};
    event.literal = value;
    if (IsAccess(event)) {
      event.array = statement.array;
      event.count = statement.is_pair ? 2 : 1;
      event.index = value * event.count;
    }
    events_.push_back(std::move(event));
    if (statement.kind == Kind::kWarpBarrier) ++warp_barriers_;
    if (statement.kind != Kind::kBarrier) return true;
    ++barriers_;
    warp_barriers_ = 0;
    return true;
  }

  KernelNumbers numbers_{};
  int64_t barriers_ = 0;
  int64_t warp_barriers_ = 0;
  const KernelStatement* returned_ = nullptr;
  Events events_;
};

// Returns the number of the memory that a name of an array names.
size_t MemoryOf(const RandomKernel& kernel, int array) {
  const bool is_alias = array == 3 && kernel.shared_memory == RandomKernel::SharedMemory::kAliased;
  return is_alias ? 2 : static_cast<size_t>(array);
}

std::map<size_t, std::string> RacesOf(const RandomKernel& kernel, const std::vector<Events>& threads) {
  struct Access {
    size_t thread = 0;
    const ThreadEvent* event = nullptr;
  };
  const auto block_of = [&](size_t thread) { return static_cast<int64_t>(thread) / kernel.threads(); };
  std::map<std::array<int64_t, 3>, std::vector<Access>> places;
  std::map<size_t, std::string> races;
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    for (const ThreadEvent& event : threads[thread]) {
      if (!IsAccess(event)) continue;
      const size_t memory = MemoryOf(kernel, event.array);
      for (int64_t k = 0; k < event.count; ++k) {
        const int64_t block = memory >= 2 ? block_of(thread) : 0;
        std::vector<Access>& known = places[{static_cast<int64_t>(memory), block, event.index + k}];
        for (const Access& other : known) {
          const bool is_behind =
              other.event->barriers != event.barriers || other.event->warp_barriers != event.warp_barriers;
          const bool is_ordered = block_of(other.thread) == block_of(thread) && is_behind;
          const bool are_alike = other.event->kind == event.kind && event.kind != Kind::kStore;
          if (other.thread == thread || is_ordered || are_alike) continue;
          races.try_emplace(memory, StrCat("threads ", other.thread, " and ", thread, " meet at element ",
                                           event.index + k, " of array ", memory));
        }
        known.push_back({thread, &event});
      }
    }
  }
  return races;
}

// Returns true if the statement `first` stands before `second` and neither is in a loop.
bool StandsBefore(const std::vector<KernelStatement>& body, const KernelStatement* first,
                  const KernelStatement* second) {
  std::vector<const KernelStatement*> order;
  const auto list = [&](const auto& self, const std::vector<KernelStatement>& statements) -> void {
    for (const KernelStatement& statement : statements) {
      if (statement.kind == Kind::kLoop) continue;
      order.push_back(&statement);
      self(self, statement.body);
      self(self, statement.otherwise);
    }
  };
  list(list, body);
  const auto found = std::ranges::find(order, first);
  return found != order.end() && std::find(found, order.end(), second) != order.end();
}

// `returned` are the statements with which the threads return, or null.
KernelTruth::Barriers BarriersOf(const RandomKernel& kernel, const std::vector<Events>& threads,
                                 const std::vector<const KernelStatement*>& returned) {
  const auto passed = [&](size_t thread, bool are_all) {
    std::vector<const KernelStatement*> statements;
    for (const ThreadEvent& event : threads[thread]) {
      if (event.kind == Kind::kBarrier || (are_all && IsMeeting(event))) statements.push_back(event.statement);
    }
    return statements;
  };
  auto result = KernelTruth::Barriers::kUniform;
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    for (size_t other = thread - thread % static_cast<size_t>(kernel.threads()); other < thread; ++other) {
      if (passed(thread, true) == passed(other, true)) continue;
      const auto a = passed(thread, false);
      const auto b = passed(other, false);
      const auto& longer = a.size() < b.size() ? b : a;
      const size_t common = std::min(a.size(), b.size());
      const bool has_returned =
          a.size() != b.size() &&
          StandsBefore(kernel.body, returned[a.size() < b.size() ? thread : other], longer[common]);
      result = std::max(result, has_returned ? KernelTruth::Barriers::kReturned : KernelTruth::Barriers::kSomeEnd);
      if (!std::equal(a.begin(), a.begin() + static_cast<int64_t>(common), b.begin())) {
        return KernelTruth::Barriers::kDiverge;
      }
    }
  }
  return result;
}

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
    std::optional<Kind> kind;
    bool are_alike = true;
    const Machine before = machine;
    for (size_t thread = block * count; thread < (block + 1) * count; ++thread) {
      const ThreadEvent* const next = NextOf(before, thread);
      if (next == nullptr) continue;
      are_alike = are_alike && kind.value_or(next->kind) == next->kind;
      kind = next->kind;
      ++machine.threads[thread].at;
      if (*kind != Kind::kShuffle) continue;
      const size_t other = block * count + ((thread - block * count) ^ static_cast<size_t>(next->literal));
      machine.threads[thread].single = before.threads[other].single;
    }
    if (!are_alike) truth_.has_ended = false;
    return kind && are_alike;
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
      truth.threads.push_back(ThreadTrace(thread, block, launch).Of(kernel, returned.emplace_back()));
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
