// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include "layoutcheck/cli/commands/program.h"
#include "layoutcheck/cli/testing/json_schema.h"
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

// A file in memory that stands for a standard stream.
class StreamFile {
 public:
  explicit StreamFile(std::string_view content) : descriptor_(memfd_create("stream", 0)) {
    if (pwrite(descriptor_, content.data(), content.size(), 0) != std::ssize(content)) std::abort();
  }
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;
  ~StreamFile() { close(descriptor_); }

  void ReplaceStream(int stream) const { dup2(descriptor_, stream); }
  std::string Content() const {
    std::string content(static_cast<size_t>(lseek(descriptor_, 0, SEEK_END)), '\0');
    if (pread(descriptor_, content.data(), content.size(), 0) != std::ssize(content)) std::abort();
    return content;
  }

 private:
  int descriptor_;
};

}  // namespace

ProgramResult RunLayoutcheck(const std::vector<std::string>& arguments, std::string_view input) {
  // A library is served by the program of the process.
  const bool names_library =
      std::ranges::any_of(arguments, [](const std::string& argument) { return argument.starts_with("lib:"); });
  if (names_library) return StartLayoutcheck(arguments, input);
  setenv("LC_ALL", "C.UTF-8", 1);
  std::vector<std::string> words{"layoutcheck"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const StreamFile in(input);
  const StreamFile out("");
  const StreamFile err("");
  std::fflush(nullptr);  // what is buffered is not for the child to write
  const pid_t child = fork();
  if (child == 0) {
    in.ReplaceStream(STDIN_FILENO);
    out.ReplaceStream(STDOUT_FILENO);
    err.ReplaceStream(STDERR_FILENO);
    std::exit(static_cast<int>(RunCommandLine(static_cast<int>(words.size()), argv.data())));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return {};
  ExpectDocumented(arguments, out.Content());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.Content(), err.Content()};
}

}  // namespace layoutcheck
