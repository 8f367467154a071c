// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/process/ordered_work.h"
#include <gtest/gtest.h>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace layoutcheck {
namespace {

constexpr size_t kJobs[] = {1, 2, 3, 8};

// Returns the next number below `count`, starting at 0.
auto Counter(int& next, int count) {
  return [&next, count]() -> std::optional<int> {
    if (next == count) return std::nullopt;
    return next++;
  };
}

// Spends a time that differs from item to item, so that threads finish in another order than they began.
void Dawdle(int item) { std::this_thread::sleep_for(std::chrono::microseconds((item * 37) % 11 * 50)); }

TEST(WorkInOrder, ConsumesEveryResultOnceInTheOrderOfTheItems) {
  for (const size_t jobs : kJobs) {
    int next = 0;
    std::vector<int> consumed;
    WorkInOrder(
        {.jobs = jobs}, Counter(next, 300),
        [&](size_t worker, int item) {
          EXPECT_LT(worker, jobs);
          Dawdle(item);
          return 2 * item;
        },
        [&](int result) {
          consumed.push_back(result);
          return true;
        });
    std::vector<int> expected(300);
    for (int k = 0; k < 300; ++k) expected[static_cast<size_t>(k)] = 2 * k;
    EXPECT_EQ(consumed, expected) << jobs << " jobs";
  }
}

TEST(WorkInOrder, OneJobComputesInTheCallingThreadAndOnlyWhatIsConsumed) {
  int next = 0;
  int computed = 0;
  WorkInOrder(
      {.jobs = 1}, Counter(next, 100),
      [&, caller = std::this_thread::get_id()](size_t, int item) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        ++computed;
        return item;
      },
      [](int result) { return result < 4; });
  EXPECT_EQ(computed, 5);
  EXPECT_EQ(next, 5);
}

TEST(WorkInOrder, AWorkerHasOneItemAtATimeAndSeveralWork) {
  std::atomic<int> inside[3] = {};
  std::atomic<int> all = 0;
  std::atomic<int> most = 0;
  int next = 0;
  WorkInOrder(
      {.jobs = 3}, Counter(next, 200),
      [&](size_t worker, int item) {
        EXPECT_EQ(++inside[worker], 1);
        const int together = ++all;
        for (int seen = most; seen < together && !most.compare_exchange_weak(seen, together);) {
        }
        Dawdle(item + 1);
        --all;
        --inside[worker];
        return item;
      },
      [](int) { return true; });
  EXPECT_GT(most, 1);
}

TEST(WorkInOrder, TheConsumerEndsTheWorkAtTheSameItemForEveryNumberOfJobs) {
  for (const size_t jobs : kJobs) {
    int next = 0;
    int sum = 0;
    WorkInOrder(
        {.jobs = jobs}, Counter(next, 1'000'000), [](size_t, int item) { return item; },
        [&](int result) {
          sum += result;
          return result < 50;
        });
    EXPECT_EQ(sum, 51 * 50 / 2) << jobs << " jobs";
    EXPECT_LE(next, 51 + static_cast<int>(8 * jobs)) << jobs << " jobs";
  }
}

TEST(WorkInOrder, NoMoreItemsThanAllowedAreAhead) {
  std::atomic<int> next = 0;
  int consumed = 0;
  WorkInOrder(
      {.jobs = 4, .items_ahead = 2},
      [&]() -> std::optional<int> {
        if (next == 100) return std::nullopt;
        return next++;
      },
      [](size_t, int item) { return item; },
      [&](int) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        EXPECT_LE(next, ++consumed + 4 * 2);
        return true;
      });
  EXPECT_EQ(consumed, 100);
}

TEST(WorkInOrder, AnExceptionReachesTheCallerAfterTheResultsBeforeIt) {
  for (const size_t jobs : kJobs) {
    int next = 0;
    int consumed = 0;
    EXPECT_THROW(WorkInOrder(
                     {.jobs = jobs}, Counter(next, 100),
                     [](size_t, int item) {
                       if (item == 20) throw std::runtime_error("twenty");
                       return item;
                     },
                     [&](int) {
                       ++consumed;
                       return true;
                     }),
                 std::runtime_error)
        << jobs << " jobs";
    EXPECT_EQ(consumed, 20) << jobs << " jobs";
  }
}

TEST(WorkInOrder, WaitingIsReported) {
  int next = 0;
  int waits = 0;
  WorkInOrder(
      {.jobs = 2, .on_wait = [&] { ++waits; }}, Counter(next, 1),
      [](size_t, int item) {
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        return item;
      },
      [](int) { return true; });
  EXPECT_GE(waits, 1);
}

}  // namespace
}  // namespace layoutcheck
