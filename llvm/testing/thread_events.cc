// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/thread_events.h"
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;
using Events = std::vector<ThreadEvent>;

constexpr int64_t kWarpThreads = 32;

// Returns true if a barrier of their warp with this mask is one of both threads, by their numbers in the block.
bool AreNamed(int64_t mask, int64_t a, int64_t b) {
  const auto is_named = [mask](int64_t thread) { return (mask >> thread % kWarpThreads & 1) != 0; };
  return a / kWarpThreads == b / kWarpThreads && is_named(a) && is_named(b);
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
    if (statement.kind == Kind::kWarpBarrier) ++warp_barriers_[value];
    if (statement.kind == Kind::kBarrier) ++barriers_;
    return true;
  }

  KernelNumbers numbers_{};
  int64_t barriers_ = 0;
  std::map<int64_t, int64_t> warp_barriers_;
  const KernelStatement* returned_ = nullptr;
  Events events_;
};

// The order that barriers make between the events of the threads of one block. Each thread knows of how many barriers
// the others have come to; at a barrier, those that wait for each other tell each other what they know.
class BlockOrder {
 public:
  // `threads` are those of the block.
  explicit BlockOrder(std::span<const Events> threads) : threads_(threads.size()) {
    for (size_t k = 0; k < threads.size(); ++k) {
      threads_[k].known.emplace_back(threads.size());
      for (const ThreadEvent& event : threads[k]) {
        if (event.kind == Kind::kBarrier || event.kind == Kind::kWarpBarrier) threads_[k].barriers.push_back(&event);
      }
    }
    while (Pass()) {
    }
  }

  // Returns true if an event of thread a, in front of its barrier number `barrier`, is in front of one of thread b.
  bool IsBefore(size_t a, size_t barrier, size_t b, size_t barrier_of_b) const {
    const auto& known = threads_[b].known;
    return barrier_of_b < known.size() && known[barrier_of_b][a] > barrier;
  }

 private:
  struct Thread {
    std::vector<const ThreadEvent*> barriers;
    // Per number of barriers that it has passed, how many barriers it knows each thread to have come to.
    std::vector<std::vector<size_t>> known;

    const ThreadEvent* next() const {
      const size_t passed = known.size() - 1;
      return passed < barriers.size() ? barriers[passed] : nullptr;
    }
  };

  // Lets the threads pass a barrier at which all have come that wait for each other. Returns false if there is none.
  bool Pass() {
    for (size_t k = 0; k < threads_.size(); ++k) {
      const ThreadEvent* const barrier = threads_[k].next();
      if (barrier == nullptr) continue;
      std::vector<size_t> waiting;
      bool are_there = true;
      for (size_t other = 0; other < threads_.size(); ++other) {
        const ThreadEvent* const next = threads_[other].next();
        if (next == nullptr || !WaitsFor(*barrier, static_cast<int64_t>(k), static_cast<int64_t>(other))) continue;
        are_there = are_there && next->kind == barrier->kind && next->literal == barrier->literal;
        waiting.push_back(other);
      }
      if (!are_there || waiting.empty()) continue;
      std::vector<size_t> known(threads_.size());
      for (const size_t other : waiting) {
        const auto& of_other = threads_[other].known;
        std::ranges::transform(known, of_other.back(), known.begin(), std::ranges::max);
        known[other] = std::max(known[other], of_other.size());
      }
      for (const size_t other : waiting) threads_[other].known.push_back(known);
      return true;
    }
    return false;
  }

  std::vector<Thread> threads_;
};

// Returns the number of barriers that a thread has passed before the event.
size_t BarriersBefore(const ThreadEvent& event) {
  int64_t count = event.barriers;
  for (const auto& [mask, passed] : event.warp_barriers) count += passed;
  return static_cast<size_t>(count);
}

// Returns true if one of the events is in front of a barrier of their warp, and the other behind it.
bool AreOrderedInWarp(int64_t thread, const ThreadEvent& event, int64_t other_thread, const ThreadEvent& other) {
  const auto count = [](const ThreadEvent& of, int64_t mask) {
    const auto found = of.warp_barriers.find(mask);
    return found == of.warp_barriers.end() ? 0 : found->second;
  };
  std::map<int64_t, int64_t> masks = event.warp_barriers;
  masks.insert(other.warp_barriers.begin(), other.warp_barriers.end());
  return std::ranges::any_of(masks, [&](const auto& entry) {
    return AreNamed(entry.first, thread, other_thread) && count(event, entry.first) != count(other, entry.first);
  });
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

}  // namespace

bool IsAccess(const ThreadEvent& event) {
  return event.kind == Kind::kLoad || event.kind == Kind::kStore || event.kind == Kind::kAtomicAdd;
}

bool IsMeeting(const ThreadEvent& event) {
  return event.kind == Kind::kBarrier || event.kind == Kind::kWarpBarrier || event.kind == Kind::kShuffle;
}

bool WaitsFor(const ThreadEvent& event, int64_t thread, int64_t other) {
  if (event.kind == Kind::kBarrier) return true;
  return AreNamed(event.kind == Kind::kWarpBarrier ? event.literal : kFullMask, thread, other);
}

size_t MemoryOf(const RandomKernel& kernel, int array) {
  const bool is_alias = array == 3 && kernel.shared_memory == RandomKernel::SharedMemory::kAliased;
  return is_alias ? 2 : static_cast<size_t>(array);
}

Events EventsOf(const RandomKernel& kernel, int64_t thread, int64_t block, const KernelLaunch& launch,
                const KernelStatement*& returned) {
  return ThreadTrace(thread, block, launch).Of(kernel, returned);
}

std::map<size_t, std::string> RacesOf(const RandomKernel& kernel, const std::vector<Events>& threads) {
  struct Access {
    size_t thread = 0;
    const ThreadEvent* event = nullptr;
  };
  const auto block_of = [&](size_t thread) { return static_cast<int64_t>(thread) / kernel.threads(); };
  const auto in_block = static_cast<size_t>(kernel.threads());
  std::vector<BlockOrder> orders;
  for (size_t first = 0; first < threads.size(); first += in_block) {
    orders.emplace_back(std::span(threads).subspan(first, in_block));
  }
  // Returns true if barriers put the event of one thread of a block in front of the event of another.
  const auto is_before = [&](size_t thread, const ThreadEvent& event, size_t other, const ThreadEvent& next) {
    return orders[thread / in_block].IsBefore(thread % in_block, BarriersBefore(event), other % in_block,
                                              BarriersBefore(next));
  };
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
          const auto number = [&](size_t of) { return static_cast<int64_t>(of) % kernel.threads(); };
          // Where barriers wait forever for threads that do not come, each counts by itself.
          const bool is_behind = other.event->barriers != event.barriers ||
                                 AreOrderedInWarp(number(thread), event, number(other.thread), *other.event) ||
                                 is_before(thread, event, other.thread, *other.event) ||
                                 is_before(other.thread, *other.event, thread, event);
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

KernelTruth::Barriers BarriersOf(const RandomKernel& kernel, const std::vector<Events>& threads,
                                 const std::vector<const KernelStatement*>& returned) {
  std::set<int64_t> masks;
  for (const Events& events : threads) {
    for (const ThreadEvent& event : events) {
      if (event.kind == Kind::kWarpBarrier) masks.insert(event.literal);
    }
  }
  // Returns the barriers of the block, or those of the warp with the mask.
  const auto passed = [&](size_t thread, std::optional<int64_t> mask) {
    std::vector<const KernelStatement*> statements;
    for (const ThreadEvent& event : threads[thread]) {
      const bool is_meant =
          mask ? event.kind == Kind::kWarpBarrier && event.literal == *mask : event.kind == Kind::kBarrier;
      if (is_meant) statements.push_back(event.statement);
    }
    return statements;
  };
  auto result = KernelTruth::Barriers::kUniform;
  const auto compare = [&](size_t thread, size_t other, std::optional<int64_t> mask) {
    const auto a = passed(thread, mask);
    const auto b = passed(other, mask);
    if (a == b || (mask && a.size() == b.size())) return;  // barriers of a mask may stand at several places
    const auto& longer = a.size() < b.size() ? b : a;
    const size_t common = std::min(a.size(), b.size());
    const bool has_returned = a.size() != b.size() &&
                              StandsBefore(kernel.body, returned[a.size() < b.size() ? thread : other], longer[common]);
    result = std::max(result, has_returned ? KernelTruth::Barriers::kReturned : KernelTruth::Barriers::kSomeEnd);
    const bool is_beginning = mask || std::equal(a.begin(), a.begin() + static_cast<int64_t>(common), b.begin());
    if (!is_beginning) result = KernelTruth::Barriers::kDiverge;
  };
  const auto count = static_cast<size_t>(kernel.threads());
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    const auto number = static_cast<int64_t>(thread % count);
    for (const int64_t mask : masks) {
      const bool is_other = !AreNamed(mask, number, number) && !passed(thread, mask).empty();
      if (is_other) result = KernelTruth::Barriers::kDiverge;
    }
    for (size_t other = thread - thread % count; other < thread; ++other) {
      compare(thread, other, std::nullopt);
      for (const int64_t mask : masks) {
        if (AreNamed(mask, number, static_cast<int64_t>(other % count))) compare(thread, other, mask);
      }
    }
  }
  return result;
}

}  // namespace layoutcheck
