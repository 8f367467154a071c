// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a fuzz target on files, and on all files of folders, without a fuzzing engine: the tests replay the corpus, and
// people run a finding in a debugger. An input that breaks a property ends the process; its name is the last line
// printed. With -max_total_time=SECONDS it then runs the target on mutants of these files, without feedback of
// coverage, as `./run` does; a mutant that ends the process is saved in the folder of -artifact_prefix=FOLDER/.
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>
#include "layoutcheck/fuzz/text/target.h"

// Absent from targets that take no text.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed)
    __attribute__((weak));

namespace {

namespace fs = std::filesystem;

// Appends the file, or all files below the folder ordered by name. Returns false if they cannot be read.
bool AppendFiles(const fs::path& path, std::vector<fs::path>& files) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    files.push_back(path);
    return fs::is_regular_file(path, error);
  }
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error)) found.push_back(entry->path());
  }
  std::ranges::sort(found);
  files.insert(files.end(), found.begin(), found.end());
  return !error;
}

// Returns the content, or nothing if the file cannot be read.
std::optional<std::string> ReadFile(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

void RunTarget(const std::string& input) {
  // A buffer of the exact size lets AddressSanitizer detect a read past the end.
  const auto exact = std::make_unique<uint8_t[]>(input.size());
  if (!input.empty()) std::memcpy(exact.get(), input.data(), input.size());
  LLVMFuzzerTestOneInput(exact.get(), input.size());
}

// The mutant that is being run, and where it is saved if it ends the process.
std::string mutant;
std::string artifact;

void SaveMutant(int signal) {
  const int file = open(artifact.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  [[maybe_unused]] ssize_t written = write(file, mutant.data(), mutant.size());
  written = write(STDERR_FILENO, artifact.data(), artifact.size());
  written = write(STDERR_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Changes the input with the mutator of texts, or overwrites, removes or inserts a byte.
void Mutate(std::string& input, std::mt19937& random) {
  constexpr size_t kMaxSize = 4096;
  if (LLVMFuzzerCustomMutator != nullptr) {
    const size_t size = std::min(input.size(), kMaxSize);
    input.resize(kMaxSize);
    input.resize(LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t*>(input.data()), size, kMaxSize,
                                         static_cast<unsigned>(random())));
    return;
  }
  const auto byte = static_cast<char>(random());
  const size_t place = random() % (input.size() + 1);
  const auto kind = random() % 3;
  if (kind == 0 || place == input.size()) {
    input.insert(place, 1, byte);
  } else if (kind == 1) {
    input.erase(place, 1);
  } else {
    input[place] = byte;
  }
}

// Runs the target on mutants of the inputs for this time and prints their number as libFuzzer does.
void RunMutants(const std::vector<std::string>& inputs, std::chrono::seconds time) {
  for (const int signal : {SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, SaveMutant);
  std::mt19937 random(1);
  uint64_t executions = 0;
  for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < time;) {
    alarm(10);  // seconds, after which an input counts as one that does not end
    mutant = inputs[random() % inputs.size()];
    for (auto changes = 1 + random() % 4; changes > 0; --changes, ++executions) {
      Mutate(mutant, random);
      RunTarget(mutant);
    }
  }
  std::printf("stat::number_of_executed_units: %llu\n", static_cast<unsigned long long>(executions));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  long seconds = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("-max_total_time=")) seconds = std::atol(argv[i] + std::strlen("-max_total_time="));
    if (argument.starts_with("-artifact_prefix=")) artifact = argument.substr(argument.find('=') + 1);
    // Arguments that begin with a dash are options for fuzzing engines.
    if (argument.starts_with('-')) continue;
    if (!AppendFiles(argv[i], files)) {
      std::fprintf(stderr, "cannot read %s\n", argv[i]);
      return 2;
    }
  }
  std::vector<std::string> inputs;
  for (const fs::path& file : files) {
    auto input = ReadFile(file);
    if (!input) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      return 2;
    }
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    RunTarget(*input);
    inputs.push_back(*std::move(input));
  }
  std::printf("%zu inputs, 0 failures\n", files.size());
  if (inputs.empty()) return 2;
  artifact += "crash";
  if (seconds > 0) RunMutants(inputs, std::chrono::seconds(seconds));
  return 0;
}
