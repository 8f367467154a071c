// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file findings.jsonl, which loses nothing when a run is killed, and the findings that `replay` and `report` read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {

// Holds a lock on an open file until its end. Several processes share it by their own descriptors.
class FileLock {
 public:
  explicit FileLock(int descriptor);
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  int descriptor_;
};

// The file findings.jsonl of a directory, open for adding findings. A run that is killed at any moment and restarted
// with the same directory neither loses nor doubles a finding: Add returns after a line is complete and synced, opening
// the file cuts off an incomplete last line, and a finding of the file is not added again. Several processes may add to
// one file. The path always has a whole file, because SetCounts replaces it at once.
class FindingsFile {
 public:
  // Opens or makes DIRECTORY/findings.jsonl. Error (unavailable): a directory or file that cannot be made, read or
  // written.
  static Expected<FindingsFile> Open(const std::string& directory);

  FindingsFile(FindingsFile&& other) noexcept;
  FindingsFile& operator=(FindingsFile&&) = delete;
  ~FindingsFile();

  // Writes the finding, unless the file has one of the same cause. Sets `reproduce` to the command that replays it from
  // this file. Returns its line, counted from 1. Errors: those of Open.
  Expected<int64_t> Add(Finding& finding);

  // Writes the counts of these findings into their lines. Errors: those of Open.
  Expected<void> SetCounts(std::span<const Finding> findings);

  const std::string& path() const { return path_; }

 private:
  FindingsFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  // Locks the file that has the path now, and opens it first if another process has replaced it.
  Expected<FileLock> Lock();
  // Reads the lines that any process has added since the last call. Cuts off an incomplete last line.
  Expected<void> ReadOn();

  std::string path_;
  int descriptor_;
  int64_t position_ = 0;           // end of the part that was read, in bytes
  std::vector<std::string> keys_;  // Finding::Key() of each line; empty for a line that is no finding
};

// A finding from a line of a file, counted from 1. The path is empty for a finding that was given as text.
struct SavedFinding {
  Finding finding;
  std::string path;
  int64_t line = 0;
};

// Reads findings from FILE (all lines), FILE:N (line N, from 1), DIR (those of DIR/findings.jsonl and of
// DIR/*/findings.jsonl), or the JSON text of a finding. Errors: a missing file or line (unavailable), a line that is no
// finding (syntax, with the line number).
Expected<std::vector<SavedFinding>> ReadFindings(const std::string& argument);

}  // namespace layoutcheck
