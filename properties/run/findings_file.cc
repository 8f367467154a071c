// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/findings_file.h"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

std::unexpected<Error> Unavailable(const std::string& path, int error) {
  return MakeError(ErrorKind::kUnavailable, fmt::format("{}: {}", path, std::strerror(error)));
}

bool WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

int OpenToAppend(const std::string& path) { return open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }

// Syncs the entries of the directory, such as that of a new file.
void SyncDirectory(const std::filesystem::path& directory) {
  if (const int parent = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); parent >= 0) {
    fsync(parent);
    close(parent);
  }
}

// Returns the finding as a line. A subject's text may be invalid UTF-8.
std::string LineOf(const Finding& finding) { return ToJson(finding).Dump() + "\n"; }

Expected<std::string> ReadFrom(int descriptor, int64_t position, const std::string& path) {
  std::string text;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t got = pread(descriptor, chunk, sizeof(chunk), position + static_cast<int64_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unavailable(path, errno);
    if (got == 0) return text;
    text.append(chunk, static_cast<size_t>(got));
  }
}

// Returns DIRECTORY/findings.jsonl, whether it exists or not, and the existing DIRECTORY/*/findings.jsonl, sorted.
// Where only the latter exist, they are all.
std::vector<std::string> FilesIn(const std::filesystem::path& directory) {
  std::error_code code;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(directory, code), end; !code && entry != end; entry.increment(code)) {
    const std::filesystem::path file = entry->path() / "findings.jsonl";
    if (std::error_code none; std::filesystem::is_regular_file(file, none)) files.push_back(file.string());
  }
  std::ranges::sort(files);
  const std::filesystem::path own = directory / "findings.jsonl";
  if (files.empty() || std::filesystem::exists(own, code)) files.insert(files.begin(), own.string());
  return files;
}

}  // namespace

FileLock::FileLock(int descriptor) : descriptor_(descriptor) {
  while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) flock(descriptor_, LOCK_UN);
}

Expected<FindingsFile> FindingsFile::Open(const std::string& directory) {
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) return Unavailable(directory, code.value());
  std::string path = (std::filesystem::path(directory) / "findings.jsonl").string();
  const int descriptor = OpenToAppend(path);
  if (descriptor < 0) return Unavailable(path, errno);
  FindingsFile file(std::move(path), descriptor);
  SyncDirectory(directory);
  LAYOUTCHECK_TRY(const auto lock, file.Lock());
  LAYOUTCHECK_RETURN_IF_ERROR(file.ReadOn());
  return file;
}

FindingsFile::FindingsFile(FindingsFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      position_(other.position_),
      keys_(std::move(other.keys_)) {}

FindingsFile::~FindingsFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Expected<FileLock> FindingsFile::Lock() {
  for (;;) {
    {
      FileLock lock(descriptor_);
      struct stat open_file{};
      struct stat named_file{};
      if (fstat(descriptor_, &open_file) != 0) return Unavailable(path_, errno);
      if (stat(path_.c_str(), &named_file) == 0 && open_file.st_ino == named_file.st_ino &&
          open_file.st_dev == named_file.st_dev) {
        return lock;
      }
    }
    const int descriptor = OpenToAppend(path_);
    if (descriptor < 0) return Unavailable(path_, errno);
    close(std::exchange(descriptor_, descriptor));
    position_ = 0;
    keys_.clear();
  }
}

Expected<void> FindingsFile::ReadOn() {
  LAYOUTCHECK_TRY(const auto read, ReadFrom(descriptor_, position_, path_));
  const std::string& text = read;
  const size_t complete = text.rfind('\n') + 1;  // npos + 1 is 0
  for (size_t begin = 0; begin < complete;) {
    const size_t newline = text.find('\n', begin);
    const auto finding = FindingFromJson(std::string_view(text).substr(begin, newline - begin));
    keys_.push_back(finding ? finding->Key() : std::string());
    begin = newline + 1;
  }
  position_ += static_cast<int64_t>(complete);
  if (complete < text.size() && ftruncate(descriptor_, position_) != 0) return Unavailable(path_, errno);
  return {};
}

Expected<int64_t> FindingsFile::Add(Finding& finding) {
  LAYOUTCHECK_TRY(const auto lock, Lock());
  LAYOUTCHECK_RETURN_IF_ERROR(ReadOn());
  const auto known = std::ranges::find(keys_, finding.Key());
  const int64_t line = known - keys_.begin() + 1;
  finding.reproduce = "layoutcheck replay " + ShellWord(fmt::format("{}:{}", path_, line));
  if (known != keys_.end()) return line;
  const std::string text = LineOf(finding);
  if (!WriteAll(descriptor_, text) || fsync(descriptor_) != 0) return Unavailable(path_, errno);
  keys_.push_back(finding.Key());
  position_ += static_cast<int64_t>(text.size());
  return line;
}

Expected<void> FindingsFile::SetCounts(std::span<const Finding> findings) {
  LAYOUTCHECK_TRY(const auto lock, Lock());
  if (auto read = ReadOn(); !read) return read;
  LAYOUTCHECK_TRY(const auto text, ReadFrom(descriptor_, 0, path_));
  std::string changed;
  bool is_changed = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    auto saved = FindingFromJson(line);
    const auto of_run = saved ? std::ranges::find(findings, saved->Key(), &Finding::Key) : findings.end();
    if (of_run != findings.end() && of_run->count != saved->count) {
      saved->count = of_run->count;
      changed += LineOf(*saved);
      is_changed = true;
    } else {
      changed += line;
    }
    begin = end;
  }
  if (!is_changed) return {};
  // A new file takes the place of the old one, so that no moment has half a line.
  const std::string path = path_ + ".new";
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return Unavailable(path, errno);
  const bool is_written = WriteAll(descriptor, changed) && fsync(descriptor) == 0;
  const int error = errno;
  close(descriptor);
  if (!is_written) {
    unlink(path.c_str());
    return Unavailable(path, error);
  }
  if (rename(path.c_str(), path_.c_str()) != 0) return Unavailable(path_, errno);
  SyncDirectory(std::filesystem::path(path_).parent_path());
  return {};
}

Expected<std::vector<SavedFinding>> ReadFindings(const std::string& argument) {
  const auto one = [](std::string_view text, const std::string& where) -> Expected<Finding> {
    auto finding = FindingFromJson(text);
    if (!finding) return MakeError(ErrorKind::kSyntax, fmt::format("{}: {}", where, finding.error().message));
    return finding;
  };
  if (argument.starts_with('{')) {
    LAYOUTCHECK_TRY(auto finding, one(argument, "the text"));
    return std::vector{SavedFinding{std::move(finding), "", 0}};
  }
  std::string path = argument;
  std::optional<int64_t> only;
  const size_t colon = argument.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(argument)) {
    int64_t number = 0;
    const char* end = argument.data() + argument.size();
    const auto [rest, error] = std::from_chars(argument.data() + colon + 1, end, number);
    if (error == std::errc() && rest == end) {
      only = number;
      path.resize(colon);
    }
  }
  if (std::filesystem::is_directory(path)) {
    std::vector<SavedFinding> findings;
    for (const std::string& file : FilesIn(path)) {
      LAYOUTCHECK_TRY(auto read, ReadFindings(file));
      std::ranges::move(read, std::back_inserter(findings));
    }
    return findings;
  }
  std::ifstream file(path);
  if (!file) {
    return MakeError(ErrorKind::kUnavailable, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  std::vector<SavedFinding> findings;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (only && number != *only) continue;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    LAYOUTCHECK_TRY(auto finding, one(line, fmt::format("{}:{}", path, number)));
    findings.push_back({std::move(finding), path, number});
  }
  if (only && findings.empty()) {
    return MakeError(ErrorKind::kUnavailable, fmt::format("{} has no line {}", path, *only));
  }
  return findings;
}

}  // namespace layoutcheck
