// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on several threads whose results do not depend on the number of threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace layoutcheck {

struct OrderedWorkOptions {
  // Number of threads. One does all work in the calling thread, each item when its turn comes.
  size_t jobs = 1;
  // Largest number of items per thread that are taken and not consumed.
  size_t items_ahead = 8;
  // Called about five times per second while the consumer waits, if there is more than one thread.
  std::function<void()> on_wait = [] {};
};

// Works on items one after another until there are none, with three functions:
//
// - next() -> std::optional<Item> returns the next item, or nothing at the end. One thread at a time calls it.
// - compute(worker, Item) -> Result is called by several threads at once. `worker` is below options.jobs, and calls
//   with the same number do not overlap.
// - consume(Result) -> bool is called in the calling thread, in the order of the items. It ends the work by returning
//   false.
//
// The end by next() loses nothing: results of all items are consumed. The end by consume() drops the results of later
// items, which one thread would not have computed. An exception of next() or compute() reaches the caller in its turn.
template <class Next, class Compute, class Consume>
void WorkInOrder(const OrderedWorkOptions& options, Next next, Compute compute, Consume consume) {
  using Item = typename std::invoke_result_t<Next&>::value_type;
  using Result = std::invoke_result_t<Compute&, size_t, Item>;
  struct WorkSlot {
    std::optional<Result> result;
    std::exception_ptr error;
    bool is_done = false;
  };

  std::mutex mutex;
  std::condition_variable room;   // `slots` became shorter, or the work is over
  std::condition_variable ready;  // the first slot is done, or the work is over
  std::deque<WorkSlot> slots;     // one per item that is taken and not consumed, in order
  bool is_over = false;
  const size_t most_slots = options.jobs * options.items_ahead;

  const auto work = [&](size_t worker) {
    std::unique_lock lock(mutex);
    for (;;) {
      room.wait(lock, [&] { return is_over || slots.size() < most_slots; });
      if (is_over) return;
      WorkSlot& slot = slots.emplace_back();  // stays where it is while others are added and removed
      try {
        std::optional<Item> item = next();
        if (!item) {
          slots.pop_back();
          break;
        }
        lock.unlock();
        slot.result.emplace(compute(worker, *std::move(item)));
      } catch (...) {
        slot.error = std::current_exception();
      }
      if (!lock.owns_lock()) lock.lock();
      slot.is_done = true;
      if (&slot == &slots.front()) ready.notify_one();
    }
    is_over = true;
    room.notify_all();
    ready.notify_one();
  };

  // Ends the threads, also when an exception leaves this function.
  struct Threads {
    ~Threads() {
      {
        const std::lock_guard lock(mutex);
        is_over = true;
      }
      room.notify_all();
      for (std::thread& thread : all) thread.join();
    }
    std::mutex& mutex;
    std::condition_variable& room;
    bool& is_over;
    std::vector<std::thread> all;
  } threads{mutex, room, is_over, {}};
  threads.all.reserve(options.jobs);
  for (size_t worker = 0; options.jobs > 1 && worker < options.jobs; ++worker) {
    try {
      threads.all.emplace_back(work, worker);
    } catch (const std::system_error&) {
      break;  // the threads that the system granted do all of the work
    }
  }
  if (threads.all.empty()) {
    while (std::optional<Item> item = next()) {
      if (!consume(compute(size_t{0}, *std::move(item)))) return;
    }
    return;
  }

  std::unique_lock lock(mutex);
  for (;;) {
    const auto first_is_done = [&] { return !slots.empty() && slots.front().is_done; };
    while (!first_is_done() && !(is_over && slots.empty())) {
      if (ready.wait_for(lock, std::chrono::milliseconds(200)) == std::cv_status::no_timeout) continue;
      lock.unlock();
      options.on_wait();
      lock.lock();
    }
    if (slots.empty()) return;
    WorkSlot slot = std::move(slots.front());
    slots.pop_front();
    room.notify_one();
    lock.unlock();
    if (slot.error) std::rethrow_exception(slot.error);
    if (!consume(*std::move(slot.result))) return;
    lock.lock();
  }
}

}  // namespace layoutcheck
