// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes that communicate over pipes. Requires POSIX.
#pragma once

#include <sys/types.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The destination of a child's standard error stream.
enum class ErrorStream {
  kDiscard,     // to /dev/null
  kPipe,        // to a pipe of its own
  kWithOutput,  // to the same pipe as its standard output
};

// A started program whose standard input and output are pipes to this process. Only Wait and ReapWithin block.
class ChildProcess {
 public:
  struct Options {
    ErrorStream errors = ErrorStream::kDiscard;
    bool own_group = false;  // the child leads a process group of its own, which is killed with it
  };

  // Starts the program arguments[0], found in PATH. Error (kUnavailable), with the system's reason: no pipe or process.
  static Expected<std::unique_ptr<ChildProcess>> Start(std::span<const std::string> arguments, const Options& options);

  // Kills the child unless it has been reaped.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes the bytes that the pipe takes now, and returns their number. Closes the input if the child has closed it,
  // without raising SIGPIPE.
  size_t Write(std::string_view bytes);
  void CloseInput();
  bool input_open() const { return input_ >= 0; }
  bool output_open() const { return output_ >= 0; }
  bool errors_open() const { return errors_ >= 0; }

  // Waits until output can be read (with `to_write`, also: input can be written) or the time has passed. Returns false,
  // with errno set, if the system refuses to wait.
  bool Wait(std::chrono::milliseconds timeout, bool to_write);

  // Appends the bytes that can be read now, up to 64 KiB, and returns their number. Closes the stream at its end.
  size_t ReadOutput(std::string& bytes) { return Read(output_, bytes); }
  size_t ReadErrors(std::string& bytes) { return Read(errors_, bytes); }

  // Returns true if the child ends within `patience`. In that case, the rest of its own group is killed.
  bool ReapWithin(std::chrono::milliseconds patience);
  // Kills the child and its own group, and waits for its end. Does nothing once the child is reaped: its number may
  // then belong to another process.
  void KillAndReap();
  // Sends a signal to the child and its own group, which go on until they take it. Does nothing once the child is
  // reaped.
  void Signal(int number);
  // Returns the child's status as waitpid gives it, or nothing before the child is reaped.
  std::optional<int> wait_status() const { return status_; }

  // Returns the memory in bytes of the child and its child processes, or nothing if the system does not tell.
  std::optional<int64_t> ResidentBytes() const;

 private:
  ChildProcess() = default;
  static size_t Read(int& descriptor, std::string& bytes);

  pid_t pid_ = 0;
  bool own_group_ = false;
  int input_ = -1;   // descriptor of the child's stdin; -1: closed
  int output_ = -1;  // descriptor of the child's stdout; -1: closed
  int errors_ = -1;  // descriptor of the child's stderr; -1: closed or not a pipe
  std::optional<int> status_;
};

// Returns the path of the file of this program. Error (kUnavailable): it is not known.
Expected<std::string> PathOfThisProgram();

struct ProgramResult {
  int exit_code = -1;  // -1 if the program did not exit by itself
  std::string out;
  std::string err;
};

struct RunLimits {
  // The program is killed after this time without output.
  std::chrono::milliseconds silence = std::chrono::hours(24);
  // The program is killed after more than this much output, in bytes.
  size_t output = SIZE_MAX;
};

// Runs a program to its end with `input` as its standard input. Error (kUnavailable): it cannot be started.
Expected<ProgramResult> RunProgram(std::span<const std::string> arguments, std::string_view input, ErrorStream errors,
                                   const RunLimits& limits = {});

}  // namespace layoutcheck
