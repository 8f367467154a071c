// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a fuzz target on files, and on all files of folders, without a fuzzing engine: the tests replay the corpus, and
// people run a finding in a debugger. An input that breaks a property ends the process; its name is the last line
// printed.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>
#include "layoutcheck/fuzz/text/target.h"

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

bool Replay(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return false;
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  // A buffer of the exact size lets AddressSanitizer detect a read past the end.
  const auto exact = std::make_unique<uint8_t[]>(content.size());
  if (!content.empty()) std::memcpy(exact.get(), content.data(), content.size());
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(exact.get(), content.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    // Arguments that begin with a dash are options for fuzzing engines.
    if (argv[i][0] == '-') continue;
    if (!AppendFiles(argv[i], files)) {
      std::fprintf(stderr, "cannot read %s\n", argv[i]);
      return 2;
    }
  }
  for (const fs::path& file : files) {
    if (!Replay(file)) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      return 2;
    }
  }
  std::printf("%zu inputs, 0 failures\n", files.size());
  return files.empty() ? 2 : 0;
}
