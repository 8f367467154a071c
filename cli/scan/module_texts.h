// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the files of `scan`: HLO text and lists of tilings.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/line_reader.h"
#include "layoutcheck/cli/scan/module_splitter.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tilings.h"

namespace layoutcheck {

// Files that are read one after another.
struct ScannedFiles {
  std::vector<std::string> names;  // in the order of the arguments; those of a folder sorted
  int64_t left_out = 0;            // files of folders that are not wanted
  int64_t links = 0;               // links in folders to other folders, which are not followed
};

// Returns the files that the arguments name: files, `-`, and of folders all that is wanted in them and below them.
// Folders that cannot be read are among them, so that reading them fails. Error (unavailable): a folder without any
// wanted file, "FOLDER: expected " and the text `expected`.
Expected<ScannedFiles> FindFiles(std::span<const std::string> paths,
                                 const std::function<bool(const std::filesystem::path& file)>& is_wanted,
                                 std::string_view expected);

// Returns true if one of the lines in the first 64 KiB of a file begins a module, or if the file cannot be read: the
// scan then says why.
bool MayHaveModule(const std::filesystem::path& path);

// Returns the files of HLO text, which have a line `HloModule` in their first 64 KiB or cannot be read. All files of a
// folder can be logs. Errors: those of FindFiles.
Expected<ScannedFiles> FindModuleFiles(std::span<const std::string> paths, bool are_logs);

// Cuts files into modules. Holds one module at a time.
class ModuleTexts {
 public:
  // A log is not cut.
  ModuleTexts(std::vector<std::string> files, bool are_logs) : files_(std::move(files)), are_logs_(are_logs) {}

  // Returns the next module, or nothing at the end. A module begins at a line `HloModule`; what comes before the first
  // one belongs to it. Error (unavailable): a file that cannot be read, which is named; the next call goes on behind.
  Expected<std::optional<ModuleText>> Next();

 private:
  struct CloseFile {
    void operator()(FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };
  Expected<void> Open(const std::string& name);

  std::vector<std::string> files_;
  bool are_logs_;
  size_t next_file_ = 0;
  std::unique_ptr<FILE, CloseFile> stream_;
  std::unique_ptr<LineReader> lines_;
  std::optional<ModuleSplitter> splitter_;  // of the open file
};

// Returns the tilings that `--tilings` names: `tpu`, or a file with one tiling per line, in which empty lines and those
// that begin with # are skipped. Errors: a file that cannot be read (unavailable); a line that is no tiling (syntax,
// with its number); no tiling (invalid argument).
Expected<std::vector<Tiling>> ReadTilings(const std::string& name_or_file);

}  // namespace layoutcheck
