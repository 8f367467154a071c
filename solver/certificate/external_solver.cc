#include "layoutcheck/solver/certificate/external_solver.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <vector>

#include "layoutcheck/core/base/str_cat.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to the program

namespace layoutcheck {
namespace {

constexpr std::chrono::seconds kLimit{60};
constexpr size_t kMaxOutput = size_t{1} << 24;

// The two ends of a pipe, closed at the end.
class Pipe {
 public:
  Pipe() { ok_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    Close(0);
    Close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool ok() const { return ok_; }
  int end(size_t which) const { return ends_[which]; }
  void Close(size_t which) {
    if (ends_[which] >= 0) close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool ok_ = false;
};

// A write to a program that has ended must fail, not end this one.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~IgnoreBrokenPipe() { sigaction(SIGPIPE, &before_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction before_{};
};

// Writes `input` and reads until the program closes its output or says nothing for too long. What it may write is
// bounded: a program that is no solver must not fill the memory.
std::string Exchange(Pipe& to, Pipe& from, const std::string& input) {
  const IgnoreBrokenPipe ignore;
  fcntl(to.end(1), F_SETFL, O_NONBLOCK);
  std::string output;
  size_t written = 0;
  auto end = std::chrono::steady_clock::now() + kLimit;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return output;
    std::array<pollfd, 2> waits = {{{from.end(0), POLLIN, 0}, {to.end(1), POLLOUT, 0}}};
    if (poll(waits.data(), 2, static_cast<int>(left.count())) < 0 && errno != EINTR) return output;
    if ((waits[1].revents & (POLLOUT | POLLERR)) != 0) {
      const ssize_t count = write(to.end(1), input.data() + written, input.size() - written);
      if (count > 0) written += static_cast<size_t>(count);
      if (written == input.size() || (count < 0 && errno != EAGAIN && errno != EINTR)) to.Close(1);
    }
    if ((waits[0].revents & (POLLIN | POLLHUP)) != 0) {
      std::array<char, 4096> buffer{};
      const ssize_t count = read(from.end(0), buffer.data(), buffer.size());
      if (count == 0) return output;
      if (count > 0) {
        if (output.size() > kMaxOutput) return output;
        output.append(buffer.data(), static_cast<size_t>(count));
        end = std::chrono::steady_clock::now() + kLimit;
      }
    }
  }
}

std::vector<SolverAnswer> AnswersIn(const std::string& output, size_t count) {
  std::vector<SolverAnswer> answers;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line) && answers.size() < count;) {
    for (const SolverAnswer answer : {SolverAnswer::kUnsat, SolverAnswer::kSat, SolverAnswer::kUnknown}) {
      if (line == SolverAnswerName(answer)) answers.push_back(answer);
    }
  }
  answers.resize(count, SolverAnswer::kUnknown);
  return answers;
}

}  // namespace

Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries) {
  std::istringstream words(command);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  if (arguments.empty()) return MakeError(ErrorKind::kUnavailable, "expected the name of a solver");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  Pipe to;
  Pipe from;
  if (!to.ok() || !from.ok()) return MakeError(ErrorKind::kUnavailable, "no pipe to a solver can be opened");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to.end(0), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from.end(1), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat("the solver '", arguments[0], "' cannot be started: ", std::strerror(failure)));
  }
  to.Close(0);
  from.Close(1);
  std::string input;
  for (const SmtQuery& query : queries) StrAppend(input, input.empty() ? "" : "(reset)\n", query.text);
  const std::string output = Exchange(to, from, input);
  kill(child, SIGKILL);  // has no effect on one that has ended
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return AnswersIn(output, queries.size());
}

}  // namespace layoutcheck
