// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/process/child_process.h"
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace layoutcheck {
namespace {

using std::chrono::milliseconds;

std::vector<std::string> Shell(const std::string& command) { return {"sh", "-c", command}; }

TEST(RunProgram, GivesBothStreamsAndTheExitCode) {
  const auto result = RunProgram(Shell("cat; echo no >&2; exit 3"), "yes", ErrorStream::kPipe);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->out, "yes");
  EXPECT_EQ(result->err, "no\n");
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(RunProgram(Shell("echo a; echo b >&2"), "", ErrorStream::kWithOutput)->out, "a\nb\n");
  EXPECT_EQ(RunProgram(Shell("echo b >&2"), "", ErrorStream::kDiscard)->err, "");
  EXPECT_EQ(RunProgram(Shell("kill -9 $$"), "", ErrorStream::kDiscard)->exit_code, -1);
}

TEST(RunProgram, NoProgramIsAnError) {
  const auto result = RunProgram(std::vector<std::string>{"layoutcheck-no-such-program"}, "", ErrorStream::kDiscard);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(result.error().message, "No such file or directory");
}

TEST(RunProgram, PipesThatFillUpDoNotBlock) {
  const std::string input(1 << 22, 'x');
  const auto result = RunProgram(Shell("cat; cat /dev/zero | head -c 1000000 >&2"), input, ErrorStream::kPipe);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, input);
  EXPECT_EQ(result->err.size(), 1'000'000U);
}

TEST(RunProgram, SilenceAndFloodsAreEnded) {
  const auto silent =
      RunProgram(Shell("echo one; exec sleep 1000"), "", ErrorStream::kDiscard, {.silence = milliseconds(200)});
  EXPECT_EQ(silent->out, "one\n");
  EXPECT_EQ(silent->exit_code, -1);
  const auto flood = RunProgram(Shell("exec cat /dev/zero"), "", ErrorStream::kDiscard, {.output = 100'000});
  EXPECT_GT(flood->out.size(), 100'000U);
  EXPECT_LT(flood->out.size(), 1'000'000U);
}

// A program that does not read its input must not raise SIGPIPE in any thread of this one.
TEST(RunProgram, AReaderThatIsGoneRaisesNoSignal) {
  const std::string input(1 << 20, 'x');
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        const auto result = RunProgram(Shell("exec <&-; echo done"), input, ErrorStream::kDiscard);
        EXPECT_EQ(result->out, "done\n");
        EXPECT_EQ(result->exit_code, 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  struct sigaction action{};
  sigaction(SIGPIPE, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(ChildProcess, AGroupIsKilledWithItsLeader) {
  auto child = ChildProcess::Start(Shell("sleep 1000 & echo $!; exit 5"), {.own_group = true});
  ASSERT_TRUE(child) << child.error().ToString();
  EXPECT_TRUE((*child)->ReapWithin(std::chrono::seconds(10)));
  EXPECT_EQ(WEXITSTATUS(*(*child)->wait_status()), 5);
  // The descendant held the pipe open, so the end of the pipe shows that the descendant is dead.
  std::string output;
  while ((*child)->output_open() && (*child)->Wait(std::chrono::seconds(10), false)) (*child)->ReadOutput(output);
  EXPECT_GT(std::stoi(output), 0);
  EXPECT_EQ((*child)->ResidentBytes(), std::nullopt);
}

TEST(ChildProcess, AReapedChildIsNotKilledAgain) {
  auto child = ChildProcess::Start(Shell("exit 5"), {});
  ASSERT_TRUE(child);
  ASSERT_TRUE((*child)->ReapWithin(std::chrono::seconds(10)));
  const std::optional<int> status = (*child)->wait_status();
  (*child)->KillAndReap();
  EXPECT_EQ((*child)->wait_status(), status);
  EXPECT_EQ(WEXITSTATUS(*status), 5);
}

}  // namespace
}  // namespace layoutcheck
