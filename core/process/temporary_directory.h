// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace layoutcheck {

// A new empty directory, removed with the object. path() is empty if none could be made.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::error_code ignored;
    std::string name = (std::filesystem::temp_directory_path(ignored) / "layoutcheck-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  // Returns the path of a file in the directory that does not exist, in a folder that does not exist either.
  std::string MissingFile() const { return path_ + "/missing/file"; }

 private:
  std::string path_;
};

}  // namespace layoutcheck
