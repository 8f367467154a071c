// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every command under every signal that asks a program to end: what was found so far is reported, and the program ends
// soon, by itself. docs/cluster.md has the table.
#include <gtest/gtest.h>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A command that goes on for minutes, and what it says when it is interrupted. It runs in a directory with the pipe
// `never`, to which nobody writes, the tile set `many`, and the folder `modules`.
struct LongCommand {
  std::string arguments;
  int exit_code;
  std::string says;  // a part of its output
};

std::vector<LongCommand> LongCommands() {
  const std::string undecided = "the run was interrupted; what was not printed is undecided";
  const std::string wrong = StrCat("--subject 'exec:", kFaulty, " --fault tiles-ignored' ");
  return {
      {"check --cases 1000000000 --jobs 2", 3, "the run was interrupted before everything was checked"},
      {StrCat("check --law linear-index --jobs 1 --cases 1000000000 ", wrong), 1, "FOUND: "},
      {"check --jobs 1 --cases 1000000000 --subject lib:" LAYOUTCHECK_TEST_LIBRARY, 1,
       "the run was interrupted before everything was checked"},
      {"fuzz --time 1h --jobs 2", 3, "the run was interrupted"},
      {"prove --tiles many --jobs 2", 3, "the run was interrupted"},
      {"prove --tiles many --jobs 1", 3, "the run was interrupted"},
      {"prove $(cat many)", 3, "the run was interrupted"},
      {"prove --formula 'i0*N+i1' $(yes 'f32[M,N]{1,0}' | head -n 2000)", 3, "the run was interrupted"},
      {"scan never", 3, undecided},
      {"replay never", 3, undecided},
      {"verify never", 3, undecided},
      {"report never --html page.html", 3, undecided},
      {"merge share", 3, undecided},
      {"parse -", 3, undecided},
      {"serve", 3, undecided},
  };
}

struct Ended {
  std::string out;     // and err
  int exit_code = -1;  // above 128: by a signal
  int64_t milliseconds = 0;
};

// Runs the command, does `disturb` when it handles signals and, if it is to find something, has found it, and returns
// how it ended after that.
Ended RunAndDisturb(const std::string& arguments, bool finds, const std::string& disturb) {
  const TemporaryDirectory directory;
  std::string many;
  for (int k = 1; k < 2000; ++k) StrAppend(many, "f32[A,M,N]{2,1,0:T(", 2 * k, ",128)(2,1)}\n");
  WriteFile(directory, "many", many);
  // The masks of /proc say when the program has its handler of SIGTERM, signal 15.
  const std::string script = StrCat(
      "mkfifo never; mkdir share; ln -s ../never share/manifest.json\n"
      "layoutcheck ",
      arguments,
      " <> never > out 2>&1 &\n"
      "for wait in $(seq 1000); do\n"
      "  caught=$(sed -n 's/^SigCgt:[^0-9a-f]*//p' /proc/$!/status)\n"
      "  [ $((0x${caught:-0} >> 14 & 1)) = 1 ] && ",
      finds ? "[ -s layoutcheck-out/*/findings.jsonl ] && " : "",
      "break\n"
      "  sleep 0.02\n"
      "done\n"
      "sleep 0.2\n"
      "begin=$(date +%s%N)\n",
      disturb,
      "\n"
      "wait $!\n"
      "code=$?\n"
      "cat out; echo $code $((($(date +%s%N) - begin) / 1000000))\n");
  Ended ended;
  ended.out = RunShell(script, directory.path()).out;
  const size_t last = ended.out.rfind('\n', ended.out.size() - 2) + 1;
  std::istringstream(ended.out.substr(last)) >> ended.exit_code >> ended.milliseconds;
  return ended;
}

// Calls run(row) for each row in several threads.
template <class Row, class RunRow>
void InParallel(const std::vector<Row>& rows, RunRow run) {
  constexpr size_t kThreads = 12;
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> threads;
  for (size_t k = 0; k < kThreads; ++k) {
    threads.emplace_back([&] {
      for (size_t row = next++; row < rows.size(); row = next++) run(rows[row]);
    });
  }
}

TEST(Signals, EveryCommandEndsSoonAndReportsWhatItHas) {
  struct Row {
    std::string signal;
    LongCommand command;
  };
  std::vector<Row> rows;
  for (const LongCommand& command : LongCommands()) {
    for (const char* signal : {"INT", "TERM", "HUP"}) rows.push_back({signal, command});
    rows.push_back({"PIPE", {command.arguments, 128 + SIGPIPE, ""}});
  }
  InParallel(rows, [](const Row& row) {
    const bool finds = row.command.exit_code == 1;
    const Ended ended = RunAndDisturb(row.command.arguments, finds, StrCat("kill -", row.signal, " $!"));
    const std::string all = StrCat("SIG", row.signal, ": ", row.command.arguments, "\n", ended.out);
    EXPECT_EQ(ended.exit_code, row.command.exit_code) << all;
    EXPECT_LT(ended.milliseconds, 5000) << all;  // 2000, where the machine has nothing else to do
    EXPECT_NE(ended.out.find(row.command.says), std::string::npos) << all;
  });
}

}  // namespace
}  // namespace layoutcheck
