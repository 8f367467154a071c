// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file in which `prove --results` keeps its results, so that an interrupted run can continue.
#pragma once

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// A file with one JSON line per entry, {"asked":...,"entry":...,"results":[...]}, written as soon as the results are
// known. Each result is a line of `prove --json`.
class ProveResultsFile {
 public:
  // Constructs a file that keeps no results.
  ProveResultsFile() = default;
  ~ProveResultsFile();
  ProveResultsFile(const ProveResultsFile&) = delete;
  ProveResultsFile& operator=(const ProveResultsFile&) = delete;

  // Opens the file, which need not exist. May be called once. `asked` is the question apart from the entries; results
  // of other questions stay in the file but are not found. Skips lines that are not JSON, which interrupted runs leave.
  // Errors: a file that cannot be written (unavailable); unexpected JSON (syntax, with the line number).
  Expected<void> Open(const std::string& path, std::string asked);
  // Reads the file, which need not exist, and keeps no results. Errors: unexpected JSON, as of Open.
  Expected<void> OpenToRead(const std::string& path, std::string asked);

  // Returns null if the entry has no results.
  const std::vector<Json>* Find(const std::string& entry) const;
  // Thread-safe. Error (unavailable): the results are not on disk.
  Expected<void> Write(const std::string& entry, const std::vector<Json>& results);

 private:
  Expected<void> Read(const std::string& path);

  std::string path_;
  std::string asked_;
  std::map<std::string, std::vector<Json>> known_;  // results by entry
  std::FILE* file_ = nullptr;
  std::mutex mutex_;
};

}  // namespace layoutcheck
