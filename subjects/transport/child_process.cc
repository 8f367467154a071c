#include "layoutcheck/subjects/transport/child_process.h"

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
#include <fstream>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every <unistd.h>

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kChunk = size_t{64} << 10;
constexpr size_t kErrorsKept = size_t{16} << 10;
constexpr size_t kErrorLineShown = 300;
constexpr milliseconds kPatienceAtEnd{300};

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  bool Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  void CloseBoth() {
    if (read_end >= 0) close(read_end);
    if (write_end >= 0) close(write_end);
  }
};

void SetNonBlocking(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

// Writes what the pipe takes. A reader that is gone gives EPIPE and no signal, whatever the program does with SIGPIPE.
ssize_t WriteWithoutSignal(int descriptor, const char* data, size_t size) {
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = write(descriptor, data, size);
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

// Shortened, with unprintable bytes replaced.
std::string Shown(std::string_view line) {
  std::string shown(line.substr(0, kErrorLineShown));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return shown;
}

// The last line that is not blank.
std::string LastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  if (const size_t newline = text.rfind('\n'); newline != std::string_view::npos) text.remove_prefix(newline + 1);
  return Shown(text);
}

// Why a program ended, out of what it wrote to stderr: the fatal message of Google's logging, which a stack trace
// follows, without its time and thread, so that it is the same each time; otherwise the last line.
std::string ReasonIn(std::string_view errors) {
  for (size_t begin = 0; begin < errors.size();) {
    const std::string_view line = errors.substr(begin, errors.find('\n', begin) - begin);
    begin += line.size() + 1;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (line.size() < 6 || line[0] != 'F' || !std::ranges::all_of(line.substr(1, 4), is_digit)) continue;
    const size_t bracket = line.find("] ");
    if (bracket == std::string_view::npos) continue;
    return Shown(line.substr(line.rfind(' ', bracket) + 1));
  }
  return LastLine(errors);
}

}  // namespace

Expected<std::unique_ptr<ChildProcess>> ChildProcess::Start(const std::string& command) {
  std::array<Pipe, 3> pipes;
  const auto fail = [&](int error) {
    for (Pipe& pipe : pipes) pipe.CloseBoth();
    return MakeError(ErrorKind::kUnavailable, StrCat("cannot start a process: ", std::strerror(error)));
  };
  for (Pipe& pipe : pipes) {
    if (!pipe.Open()) return fail(errno);
  }
  auto& [input, output, errors] = pipes;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input.read_end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end, STDERR_FILENO);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string shell = "sh";
  std::string flag = "-c";
  std::string text = command;
  char* arguments[] = {shell.data(), flag.data(), text.data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail(error);

  close(input.read_end);
  close(output.write_end);
  close(errors.write_end);
  for (const int descriptor : {input.write_end, output.read_end, errors.read_end}) SetNonBlocking(descriptor);
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, input.write_end, output.read_end, errors.read_end));  // the constructor is private
}

ChildProcess::~ChildProcess() {
  close(input_);
  if (!failed_) ReapWithin(kPatienceAtEnd);
  if (!ended_) KillAndReap();
  close(output_);
  close(errors_);
}

std::optional<Failed> ChildProcess::Exchange(std::span<const std::string> requests, milliseconds timeout,
                                             size_t max_answer_bytes, const OnAnswer& on_answer) {
  std::array<char, kChunk> chunk;
  if (received_.empty()) {
    const ssize_t got = read(output_, chunk.data(), chunk.size());
    if (got > 0) received_.assign(chunk.data(), static_cast<size_t>(got));
  }
  if (!received_.empty()) {
    return Fail(Failed::Kind::kProtocol, StrCat("output that nothing asked for: ", LastLine(received_.substr(0, 200))));
  }
  size_t sent = 0;  // requests handed to `pending`
  size_t answered = 0;
  size_t in_flight = 0;  // bytes written whose answers are to come
  size_t scanned = 0;    // bytes of received_ that hold no newline
  std::string pending;
  size_t pending_position = 0;
  bool input_open = true;
  Clock::time_point deadline = Clock::now() + timeout;

  while (answered < requests.size()) {
    // Whole requests are put together up to the limit; one that is larger than the limit goes alone.
    while (pending_position == pending.size() && sent < requests.size() &&
           (in_flight == 0 || in_flight + requests[sent].size() <= kMaxBytesInFlight)) {
      pending.clear();
      pending_position = 0;
      do {
        in_flight += requests[sent].size();
        pending += requests[sent++];
      } while (sent < requests.size() && in_flight + requests[sent].size() <= kMaxBytesInFlight);
    }
    if (input_open && pending_position < pending.size()) {
      const ssize_t written =
          WriteWithoutSignal(input_, pending.data() + pending_position, pending.size() - pending_position);
      if (written > 0) pending_position += static_cast<size_t>(written);
      // A child that reads no more may still have answers on their way; its end of output tells.
      if (written < 0 && errno != EAGAIN && errno != EINTR) input_open = false;
    }

    std::array<pollfd, 3> events{pollfd{output_, POLLIN, 0}, pollfd{errors_open_ ? errors_ : -1, POLLIN, 0},
                                 pollfd{input_open && pending_position < pending.size() ? input_ : -1, POLLOUT, 0}};
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      return Fail(Failed::Kind::kTimeout,
                  StrCat("no answer within ", timeout.count(), " ms to ", LastLine(requests[answered])));
    }
    const int ready = poll(events.data(), events.size(), static_cast<int>(std::min<int64_t>(left, 1 << 30)));
    if (ready < 0 && errno != EINTR) return Fail(Failed::Kind::kProtocol, std::strerror(errno));
    if (ready <= 0) continue;
    if (events[1].revents != 0) ReadErrors();
    if (events[0].revents == 0) continue;
    const ssize_t got = read(output_, chunk.data(), chunk.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return FailEnded();
    received_.append(chunk.data(), static_cast<size_t>(got));

    size_t begin = 0;
    for (size_t newline = 0; (newline = received_.find('\n', std::max(begin, scanned))) != std::string::npos;
         begin = newline + 1) {
      if (answered == sent) break;
      in_flight -= requests[answered].size();
      std::string_view line(received_.data() + begin, newline - begin);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line.size() > max_answer_bytes) {
        return Fail(Failed::Kind::kProtocol, StrCat("an answer of more than ", max_answer_bytes, " bytes"));
      }
      if (auto failed = on_answer(answered, line)) return Fail(failed->kind, std::move(failed->what));
      ++answered;
      deadline = Clock::now() + timeout;
    }
    received_.erase(0, begin);
    if (answered == sent && answered < requests.size() && !received_.empty()) {
      return Fail(Failed::Kind::kProtocol,
                  StrCat("output that nothing asked for: ", LastLine(received_.substr(0, 200))));
    }
    scanned = received_.size();
    if (received_.size() > max_answer_bytes && answered < requests.size()) {
      return Fail(Failed::Kind::kProtocol, StrCat("an answer of more than ", max_answer_bytes, " bytes"));
    }
  }
  return std::nullopt;
}

std::optional<int64_t> ChildProcess::ResidentBytes() const {
  if (ended_) return std::nullopt;
  const auto resident_of = [](pid_t pid) -> int64_t {
    std::ifstream file(StrCat("/proc/", pid, "/statm"));
    int64_t size = 0;
    int64_t resident = 0;
    return file >> size >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
  };
  int64_t sum = resident_of(pid_);
  if (sum == 0) return std::nullopt;
  // The shell runs the command itself or in a process of its own.
  std::ifstream children(StrCat("/proc/", pid_, "/task/", pid_, "/children"));
  for (pid_t child = 0; children >> child;) sum += resident_of(child);
  return sum;
}

bool ChildProcess::CommandNotFound() const {
  return ended_ && WIFEXITED(status_) && (WEXITSTATUS(status_) == 127 || WEXITSTATUS(status_) == 126);
}

Failed ChildProcess::Fail(Failed::Kind kind, std::string what) {
  failed_ = true;
  ReadErrors();
  if (const std::string line = ReasonIn(last_errors_); !line.empty()) StrAppend(what, "; stderr: ", line);
  return {kind, std::move(what)};
}

Failed ChildProcess::FailEnded() {
  const bool partial = !received_.empty();
  std::string what;
  if (!ReapWithin(kPatienceAtEnd)) {
    what = "closed its output";
  } else if (WIFSIGNALED(status_)) {
    what = StrCat("killed by signal ", WTERMSIG(status_), " (", strsignal(WTERMSIG(status_)), ")");
  } else if (WEXITSTATUS(status_) > 128 && WEXITSTATUS(status_) < 128 + NSIG) {
    // What a shell makes of a signal.
    what = StrCat("killed by signal ", WEXITSTATUS(status_) - 128, " (", strsignal(WEXITSTATUS(status_) - 128), ")");
  } else {
    what = StrCat("ended with status ", WEXITSTATUS(status_));
  }
  what += partial ? " in the middle of an answer" : " without an answer";
  return Fail(Failed::Kind::kCrash, std::move(what));
}

void ChildProcess::ReadErrors() {
  std::array<char, 4096> chunk;
  // Bounded, so that a flood does not keep the reader here.
  for (int round = 0; round < 16; ++round) {
    const ssize_t got = read(errors_, chunk.data(), chunk.size());
    if (got == 0) errors_open_ = false;
    if (got <= 0) break;
    last_errors_.append(chunk.data(), static_cast<size_t>(got));
    if (last_errors_.size() > kErrorsKept) last_errors_.erase(0, last_errors_.size() - kErrorsKept);
  }
}

bool ChildProcess::ReapWithin(milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  for (long nanoseconds = 50'000;; nanoseconds = std::min(nanoseconds * 2, 10'000'000L)) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_) {
      KillAndReap();
      return true;
    }
    if (Clock::now() >= deadline) return false;
    const timespec pause{0, nanoseconds};
    nanosleep(&pause, nullptr);
  }
}

void ChildProcess::KillAndReap() {
  // Killed before it is reaped: until then no other process group can have its number. The shell may have ended and
  // left others of its group behind.
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
}

}  // namespace layoutcheck
