// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/corpus_directory.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

}  // namespace

Expected<std::vector<std::string>> CorpusDirectory::Read() const {
  constexpr uintmax_t kLongest = uintmax_t{1} << 16;
  std::error_code error;
  fs::create_directories(path_, error);
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_regular_file(error) && entry->file_size(error) <= kLongest) files.push_back(entry->path());
  }
  if (error) return MakeError(ErrorKind::kUnavailable, StrCat(path_, ": ", error.message()));
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    if (!stream) return MakeError(ErrorKind::kUnavailable, StrCat("cannot read ", file.string()));
  }
  return texts;
}

bool CorpusDirectory::Add(const std::string& text) const {
  std::ofstream stream(fs::path(path_) / HashDigits(HashText(text)), std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(stream.flush());
}

}  // namespace layoutcheck
