// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class or mapping that ends the process is named with its question before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <csignal>
#include <variant>
#include "layoutcheck/properties/cxx/implementation.h"
#include "layoutcheck/properties/cxx/mapping.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

// Accepts the end of a process by the signal, or by a sanitizer's handler of it.
auto EndedBy(int signal) {
#ifdef LAYOUTCHECK_SANITIZED
  return [signal](int status) { return status != 0 && signal != 0; };
#else
  return testing::KilledBySignal(signal);
#endif
}

// Raises a signal, if it has one, for the second element of a layout with tiles.
struct Crashing {
  int signal = 0;
  int64_t offset(const Shape& shape, std::span<const int64_t> coordinate) {
    if (signal != 0 && !shape.layout->tiles.empty() && !coordinate.empty() && coordinate.back() == 1) raise(signal);
    const Answer<int64_t> answer = ReferenceSubject().Offset(shape, coordinate);
    return std::get<int64_t>(answer);
  }
};

TEST(CrashNotice, NamesTheLayoutAndTheCallBeforeTheProcessEnds) {
  for (const int signal : {SIGSEGV, SIGFPE, SIGABRT}) {
    EXPECT_EXIT(Check(Crashing{signal}), EndedBy(signal),
                "FOUND: implementation breaks subject-crash\n"
                "  asked      offset\n"
                "  layout     [a-z0-9]+\\[.*T\\(.*\n"
                "  at element \\(.*1\\)\n"
                "  expected   an answer\n"
                "  actual     killed by signal [0-9]+ \\(.*\\)\n"
                "  repeat     implementation.offset\\(\\*layoutcheck::ParseShape\\(\".*T\\(.*\"\\), "
                "std::vector<int64_t>\\{.*1\\}\\)\n");
  }
}

// Uses up the stack.
struct Recursing {
  int64_t Deeper(int64_t depth) {
    volatile char room[4096] = {};
    room[0] = static_cast<char>(depth);
    return depth < 0 ? room[0] : Deeper(depth + 1) + room[0];
  }
  int64_t offset(const Shape&, std::span<const int64_t>) { return Deeper(0); }
};

TEST(CrashNotice, NamesTheCallThatUsesUpTheStack) {
  EXPECT_EXIT(Check(Recursing{}), EndedBy(SIGSEGV), "  asked      offset\n  layout ");
}

TEST(CrashNotice, GoesOnWithTheHandlerThatWasThere) {
  struct sigaction own{};
  own.sa_handler = [](int) { _exit(99); };
  struct sigaction before{};
  sigaction(SIGSEGV, &own, &before);
  EXPECT_EXIT(Check(Crashing{SIGSEGV}), testing::ExitedWithCode(99), "  layout ");
  EXPECT_TRUE(Check(Crashing{}, {.cases = 20}));
  struct sigaction after{};
  sigaction(SIGSEGV, &before, &after);
  EXPECT_EQ(after.sa_handler, own.sa_handler);
}

// A crash of the test itself is none of the class's.
TEST(CrashNotice, IsSilentBetweenCalls) {
  const auto crash = [] {
    const CrashNotice notice;
    std::fputs("of the test\n", stderr);
    raise(SIGSEGV);
  };
  EXPECT_EXIT(crash(), EndedBy(SIGSEGV), testing::Not(testing::HasSubstr("FOUND")));
}

struct CrashingMapping {
  struct Extents {
    static constexpr size_t rank() { return 2; }
    static int64_t extent(size_t d) { return d == 0 ? 2 : 3; }
  };
  static Extents extents() { return {}; }
  int64_t operator()(int64_t i, int64_t j) const {
    if (i == 1 && j == 2) raise(SIGSEGV);
    return 3 * i + j;
  }
};

TEST(CrashNotice, NamesTheIndexOfAMapping) {
  EXPECT_EXIT(Check(CrashingMapping()), EndedBy(SIGSEGV),
              "FOUND: mapping breaks subject-crash\n  extents    \\(2,3\\)\n  at element \\(1,2\\)\n(.*\n)*"
              "  repeat     mapping\\(1,2\\)\n");
}

}  // namespace
}  // namespace layoutcheck
