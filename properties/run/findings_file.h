// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// findings.jsonl in a directory: what a run has found, on disk before the run goes on.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_FINDINGS_FILE_H_
#define LAYOUTCHECK_PROPERTIES_RUN_FINDINGS_FILE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {

// A run that was killed at any moment and is started again with the same directory neither loses nor doubles a finding:
// a line is complete and synced when Add returns, a line that was torn is cut off when the file is opened, and a
// finding that is there already is not added. Several processes may add to the same file.
class FindingsFile {
 public:
  // Opens or makes DIRECTORY/findings.jsonl. Errors: a directory or file that cannot be made, read or written
  // (kUnavailable).
  static Expected<FindingsFile> Open(const std::string& directory);

  FindingsFile(FindingsFile&& other) noexcept;
  FindingsFile& operator=(FindingsFile&&) = delete;
  ~FindingsFile();

  // Writes the finding, unless one of the same cause is there. Sets `reproduce` of the finding to the command that
  // replays it from this file. Errors: as Open.
  Expected<void> Add(Finding& finding);

  const std::string& path() const { return path_; }

 private:
  FindingsFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  // Reads what was added since the last time, by this or another process; cuts off a torn last line.
  Expected<void> ReadOn();

  std::string path_;
  int descriptor_;
  int64_t position_ = 0;           // up to which the file was read
  std::vector<std::string> keys_;  // of the findings, a line each
};

// A finding and where it was read: line `line`, from 1, of the file; no path for one that was given as text.
struct SavedFinding {
  Finding finding;
  std::string path;
  int64_t line = 0;
};

// Reads findings: FILE (all of its lines), FILE:N (line N, from 1), or the JSON text of one. Errors: no such file or
// line (kUnavailable), a line that is no finding (kSyntax, with the line number).
Expected<std::vector<SavedFinding>> ReadFindings(const std::string& argument);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_FINDINGS_FILE_H_
