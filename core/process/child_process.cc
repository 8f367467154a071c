// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/process/child_process.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to the program

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kChunk = size_t{64} << 10;

void Close(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() = default;
  ~Pipe() {
    Close(read_end);
    Close(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
};

// Takes ownership of a pipe's descriptor and makes it nonblocking.
int Take(int& descriptor) {
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  return std::exchange(descriptor, -1);
}

// Calls write(2) with SIGPIPE blocked in this thread only, and consumes the signal if the write raised it.
ssize_t WriteWithoutSignal(int descriptor, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = write(descriptor, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && !was_pending) {
    const timespec now{};
    while (sigtimedwait(&pipe_signal, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

// Starts the program with these ends of the pipes. Returns 0, or the error number of posix_spawnp.
int Spawn(std::span<const std::string> arguments, const ChildProcess::Options& options, int input, int output,
          int errors, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (options.errors == ErrorStream::kDiscard) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, options.errors == ErrorStream::kPipe ? errors : output, STDERR_FILENO);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                           (options.own_group ? POSIX_SPAWN_SETPGROUP : 0)));
  std::vector<std::string> texts(arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Expected<std::unique_ptr<ChildProcess>> ChildProcess::Start(std::span<const std::string> arguments,
                                                            const Options& options) {
  Pipe input;
  Pipe output;
  Pipe errors;
  int error = 0;
  if (!input.Open() || !output.Open() || (options.errors == ErrorStream::kPipe && !errors.Open())) error = errno;
  std::unique_ptr<ChildProcess> child(new ChildProcess);  // std::make_unique cannot call the private constructor
  if (error == 0) error = Spawn(arguments, options, input.read_end, output.write_end, errors.write_end, child->pid_);
  if (error != 0) {
    child->status_ = 0;  // no process to reap
    return UnavailableError(std::strerror(error));
  }
  child->own_group_ = options.own_group;
  child->input_ = Take(input.write_end);
  child->output_ = Take(output.read_end);
  child->errors_ = Take(errors.read_end);
  return child;
}

ChildProcess::~ChildProcess() {
  KillAndReap();
  for (int* descriptor : {&input_, &output_, &errors_}) Close(*descriptor);
}

size_t ChildProcess::Write(std::string_view bytes) {
  if (!input_open()) return 0;
  const ssize_t written = WriteWithoutSignal(input_, bytes);
  if (written < 0 && errno != EAGAIN && errno != EINTR) CloseInput();
  return written < 0 ? 0 : static_cast<size_t>(written);
}

void ChildProcess::CloseInput() { Close(input_); }

bool ChildProcess::Wait(milliseconds timeout, bool to_write) {
  std::array<pollfd, 3> events{pollfd{output_, POLLIN, 0}, pollfd{errors_, POLLIN, 0},
                               pollfd{to_write ? input_ : -1, POLLOUT, 0}};
  const int64_t limit = std::clamp<int64_t>(timeout.count(), 0, 1 << 30);
  return poll(events.data(), events.size(), static_cast<int>(limit)) >= 0 || errno == EINTR;
}

size_t ChildProcess::Read(int& descriptor, std::string& bytes) {
  if (descriptor < 0) return 0;
  std::array<char, kChunk> chunk;
  const ssize_t got = read(descriptor, chunk.data(), chunk.size());
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) Close(descriptor);
  if (got > 0) bytes.append(chunk.data(), static_cast<size_t>(got));
  return got > 0 ? static_cast<size_t>(got) : 0;
}

bool ChildProcess::ReapWithin(milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  for (long nanoseconds = 50'000; !status_; nanoseconds = std::min(nanoseconds * 2, 10'000'000L)) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_) {
      KillAndReap();
      return true;
    }
    if (Clock::now() >= deadline) return false;
    const timespec pause{0, nanoseconds};
    nanosleep(&pause, nullptr);
  }
  return true;
}

void ChildProcess::KillAndReap() {
  if (status_) return;
  // A group may outlive its leader.
  Signal(SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
}

void ChildProcess::Signal(int number) {
  // Until the child is reaped, no other process or group can have its number.
  if (!status_) kill(own_group_ ? -pid_ : pid_, number);
}

std::optional<int64_t> ChildProcess::ResidentBytes() const {
  if (status_) return std::nullopt;
  const auto resident_of = [](pid_t pid) -> int64_t {
    std::ifstream file(StrCat("/proc/", pid, "/statm"));
    int64_t size = 0;
    int64_t resident = 0;
    return file >> size >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
  };
  int64_t sum = resident_of(pid_);
  if (sum == 0) return std::nullopt;
  // If the child is a shell, its command may run in the child itself or in a process below it.
  std::ifstream children(StrCat("/proc/", pid_, "/task/", pid_, "/children"));
  for (pid_t child = 0; children >> child;) sum += resident_of(child);
  return sum;
}

Expected<std::string> PathOfThisProgram() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return UnavailableError("/proc/self/exe: ", error.message());
  return path.string();
}

Expected<ProgramResult> RunProgram(std::span<const std::string> arguments, std::string_view input, ErrorStream errors,
                                   const RunLimits& limits) {
  LAYOUTCHECK_TRY(auto started, ChildProcess::Start(arguments, {.errors = errors}));
  ChildProcess& child = *started;
  ProgramResult result;
  Clock::time_point deadline = Clock::now() + limits.silence;
  while (child.output_open() || child.errors_open()) {
    input.remove_prefix(child.Write(input));
    if (input.empty()) child.CloseInput();
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left <= milliseconds(0) || !child.Wait(left, true)) return result;
    if (child.ReadOutput(result.out) + child.ReadErrors(result.err) == 0) continue;
    if (result.out.size() + result.err.size() > limits.output) return result;
    deadline = Clock::now() + limits.silence;
  }
  child.CloseInput();
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  if (child.ReapWithin(left) && WIFEXITED(*child.wait_status())) result.exit_code = WEXITSTATUS(*child.wait_status());
  return result;
}

}  // namespace layoutcheck
