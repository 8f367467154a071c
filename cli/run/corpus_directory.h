// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A directory of texts, one per file. A run starts from these texts and adds those that it keeps.
class CorpusDirectory {
 public:
  explicit CorpusDirectory(std::string path) : path_(std::move(path)) {}

  // Makes the directory if necessary and reads the texts. Files over 64 KiB are left out.
  Expected<std::vector<std::string>> Read() const;
  // Writes the text to a file of its own. Returns false if that fails.
  bool Add(const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace layoutcheck
