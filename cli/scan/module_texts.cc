// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/module_texts.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

bool BeginsModule(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("HloModule ") || line.starts_with("HloModule\t");
}

// Returns true if one of the first lines begins a module.
bool HasModule(const fs::path& path) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return false;
  std::string head(size_t{64} << 10, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  for (size_t at = 0; at < head.size();) {
    const size_t end = std::min(head.find('\n', at), head.size());
    if (BeginsModule(std::string_view(head).substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

Expected<void> AddFolder(const std::string& folder, bool are_logs, ModuleFiles& files) {
  std::vector<std::string> found;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    if (are_logs || HasModule(entry->path())) {
      found.push_back(entry->path().string());
    } else {
      ++files.left_out;
    }
  }
  if (error) return MakeError(ErrorKind::kUnavailable, StrCat(folder, ": ", error.message()));
  if (found.empty()) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat(folder, ": expected files with HLO text, which have a line 'HloModule NAME'; found none"));
  }
  std::ranges::sort(found);
  std::ranges::move(found, std::back_inserter(files.names));
  return {};
}

}  // namespace

Expected<ModuleFiles> FindModuleFiles(std::span<const std::string> paths, bool are_logs) {
  ModuleFiles files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path != "-" && fs::is_directory(path, error)) {
      if (auto added = AddFolder(path, are_logs, files); !added) return std::unexpected(added.error());
    } else {
      files.names.push_back(path);
    }
  }
  return files;
}

Expected<void> ModuleTexts::Open(const std::string& name) {
  std::error_code error;
  stream_.reset(name == "-"                                  ? stdin
                : std::filesystem::is_directory(name, error) ? nullptr
                                                             : std::fopen(name.c_str(), "rb"));
  if (stream_ == nullptr) return MakeError(ErrorKind::kUnavailable, StrCat(name, ": ", std::strerror(errno)));
  lines_ = std::make_unique<LineReader>(stream_.get());
  module_ = {.file = name, .is_log = are_logs_};
  begun_ = false;
  return {};
}

Expected<std::optional<ModuleText>> ModuleTexts::Next() {
  while (stream_ != nullptr || next_file_ < files_.size()) {
    if (stream_ == nullptr) {
      if (auto open = Open(files_[next_file_++]); !open) return std::unexpected(open.error());
    }
    while (const std::optional<Line> line = lines_->Next()) {
      const bool begins = !are_logs_ && BeginsModule(line->text);
      if (begins && begun_) {
        ModuleText complete = std::exchange(module_, {.file = module_.file, .first_line = line->number});
        StrAppend(module_.text, line->text, '\n');
        return complete;
      }
      begun_ = begun_ || begins;
      StrAppend(module_.text, line->text, '\n');
    }
    const bool failed = lines_->failed();
    stream_.reset();
    if (failed) return MakeError(ErrorKind::kUnavailable, StrCat(module_.file, ": it cannot be read to its end"));
    return std::move(module_);
  }
  return std::nullopt;
}

}  // namespace layoutcheck
