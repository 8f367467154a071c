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

// The threads and results of one call of WorkInOrder.
template <class Next, class Compute, class Consume>
class OrderedWork {
 public:
  OrderedWork(const OrderedWorkOptions& options, Next& next, Compute& compute, Consume& consume)
      : options_(options), next_(next), compute_(compute), consume_(consume) {}
  OrderedWork(const OrderedWork&) = delete;
  // Ends the threads, also when an exception leaves Run.
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void Run() {
    threads_.reserve(options_.jobs);
    for (size_t worker = 0; options_.jobs > 1 && worker < options_.jobs; ++worker) {
      try {
        threads_.emplace_back([this, worker] { Work(worker); });
      } catch (const std::system_error&) {
        break;  // the threads that the system granted do all of the work
      }
    }
    if (!threads_.empty()) return ConsumeInOrder();
    while (std::optional<Item> item = next_()) {
      if (!consume_(compute_(size_t{0}, *std::move(item)))) return;
    }
  }

 private:
  using Item = typename std::invoke_result_t<Next&>::value_type;
  struct WorkSlot {
    std::optional<std::invoke_result_t<Compute&, size_t, Item>> result;
    std::exception_ptr error;
    bool is_done = false;
  };

  void Work(size_t worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return is_over_ || slots_.size() < options_.jobs * options_.items_ahead; });
      if (is_over_) return;
      WorkSlot& slot = slots_.emplace_back();  // stays where it is while others are added and removed
      try {
        std::optional<Item> item = next_();
        if (!item) {
          slots_.pop_back();
          break;
        }
        lock.unlock();
        slot.result.emplace(compute_(worker, *std::move(item)));
      } catch (...) {
        slot.error = std::current_exception();
      }
      if (!lock.owns_lock()) lock.lock();
      slot.is_done = true;
      if (&slot == &slots_.front()) ready_.notify_one();
    }
    is_over_ = true;
    room_.notify_all();
    ready_.notify_one();
  }

  void ConsumeInOrder() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto first_is_done = [&] { return !slots_.empty() && slots_.front().is_done; };
      while (!first_is_done() && !(is_over_ && slots_.empty())) {
        if (ready_.wait_for(lock, std::chrono::milliseconds(200)) == std::cv_status::no_timeout) continue;
        lock.unlock();
        options_.on_wait();
        lock.lock();
      }
      if (slots_.empty()) return;
      WorkSlot slot = std::move(slots_.front());
      slots_.pop_front();
      room_.notify_one();
      lock.unlock();
      if (slot.error) std::rethrow_exception(slot.error);
      if (!consume_(*std::move(slot.result))) return;
      lock.lock();
    }
  }

  const OrderedWorkOptions& options_;
  Next& next_;
  Compute& compute_;
  Consume& consume_;
  std::mutex mutex_;
  std::condition_variable room_;   // `slots_` became shorter, or the work is over
  std::condition_variable ready_;  // the first slot is done, or the work is over
  std::deque<WorkSlot> slots_;     // one per item that is taken and not consumed, in order
  bool is_over_ = false;
  std::vector<std::thread> threads_;
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
  OrderedWork<Next, Compute, Consume>(options, next, compute, consume).Run();
}

}  // namespace layoutcheck
