// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_texts.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool MayHaveModule(const fs::path& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return true;
  std::string head(size_t{64} << 10, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (std::ferror(file.get()) != 0) return true;
  std::string_view lines = head;
  if (lines.starts_with(kByteOrderMark)) lines.remove_prefix(kByteOrderMark.size());
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    if (BeginsModule(lines.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

namespace {

using IsWanted = std::function<bool(const fs::path& file)>;

// Adds the wanted files of a folder and of all below it. Returns false if there are none.
bool AddFolder(const std::string& folder, const IsWanted& is_wanted, ScannedFiles& files) {
  std::vector<std::string> found;
  std::vector<fs::path> folders = {folder};
  while (!folders.empty()) {
    const fs::path path = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    for (auto entry = fs::directory_iterator(path, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      std::error_code unknown;
      const bool is_file = entry->is_regular_file(unknown);
      if (!unknown && entry->is_directory(unknown)) {
        if (entry->is_symlink(unknown)) {
          ++files.links;
        } else {
          folders.push_back(entry->path());
        }
      } else if ((unknown || is_file) && is_wanted(entry->path())) {
        found.push_back(entry->path().string());
      } else {
        files.left_out += is_file ? 1 : 0;
      }
    }
    if (error) found.push_back(path.string());
  }
  std::ranges::sort(found);
  std::ranges::move(found, std::back_inserter(files.names));
  return !found.empty();
}

}  // namespace

Expected<ScannedFiles> FindFiles(std::span<const std::string> paths, const IsWanted& is_wanted,
                                 std::string_view expected) {
  ScannedFiles files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      files.names.push_back(path);
    } else if (!AddFolder(path, is_wanted, files)) {
      return UnavailableError(path, ": expected ", expected);
    }
  }
  return files;
}

Expected<ScannedFiles> FindModuleFiles(std::span<const std::string> paths, bool are_logs) {
  return FindFiles(
      paths, [are_logs](const fs::path& file) { return are_logs || MayHaveModule(file); },
      "files with HLO text, which have a line 'HloModule NAME'; found none; --kind log reads other text");
}

Expected<void> ModuleTexts::Open(const std::string& name) {
  stream_.reset(name == "-" ? stdin : std::fopen(name.c_str(), "rb"));
  if (stream_ == nullptr) return MakeError(ErrorKind::kUnavailable, StrCat(name, ": ", std::strerror(errno)));
  lines_ = std::make_unique<LineReader>(stream_.get());
  splitter_.emplace(name, are_logs_);
  return {};
}

Expected<std::optional<ModuleText>> ModuleTexts::Next() {
  while (stream_ != nullptr || next_file_ < files_.size()) {
    if (stream_ == nullptr) {
      if (auto open = Open(files_[next_file_++]); !open) return std::unexpected(open.error());
    }
    while (const std::optional<Line> line = lines_->Next()) {
      if (std::optional<ModuleText> complete = splitter_->Add(*line)) return complete;
    }
    const bool failed = lines_->failed();
    stream_.reset();
    if (failed) {
      return MakeError(ErrorKind::kUnavailable, StrCat(splitter_->file() == "-" ? "standard input" : splitter_->file(),
                                                       ": it cannot be read to its end"));
    }
    return splitter_->TakeLast();
  }
  return std::nullopt;
}

Expected<std::vector<Tiling>> ReadTilings(const std::string& name_or_file) {
  if (name_or_file == "tpu") return std::vector<Tiling>(TpuTilings().begin(), TpuTilings().end());
  std::ifstream file(name_or_file);
  if (!file) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat(name_or_file, ": expected tpu, or a file with one tiling per line; it cannot be opened"));
  }
  std::vector<Tiling> tilings;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    const std::string_view text = Trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    Expected<Tiling> tiling = ParseTiling(text);
    if (!tiling) {
      return MakeError(ErrorKind::kSyntax, StrCat(name_or_file, ":", number, ": ", tiling.error().message));
    }
    tilings.push_back(*std::move(tiling));
  }
  if (file.bad()) return MakeError(ErrorKind::kUnavailable, StrCat(name_or_file, ": it cannot be read to its end"));
  if (tilings.empty()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(name_or_file, ": expected a tiling such as T(8,128)(2,1) per line, found none"));
  }
  return tilings;
}

}  // namespace layoutcheck
