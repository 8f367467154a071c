// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/line_reader.h"

namespace layoutcheck {

// The text of one module of a file, or of a whole log.
struct ModuleText {
  std::string file;  // as the user named it, or found in the user's folder; "-" for standard input
  int64_t first_line = 1;
  std::string text;
  bool is_log = false;
  std::vector<int64_t> cut_lines;  // numbers of the lines that are longer than the reader's limit, and end there
};

// Returns true for a line `HloModule ...`, with which a module begins.
bool BeginsModule(std::string_view line);

// Cuts the lines of a file into modules; a log is not cut. Lines before the first `HloModule` belong to the first
// module.
class ModuleSplitter {
 public:
  ModuleSplitter(std::string file, bool is_log) : module_{.file = std::move(file), .is_log = is_log} {}

  // Adds the next line. Returns the module that ended before it, if one did.
  std::optional<ModuleText> Add(const Line& line);
  // Returns the last module, of the lines since then. Ends the use of this object.
  ModuleText TakeLast() { return std::move(module_); }
  const std::string& file() const { return module_.file; }

 private:
  ModuleText module_;   // the module that is being collected
  bool begun_ = false;  // its line `HloModule` has been read
};

// Calls visit() for each module of a text in the memory, or once for a log. A byte order mark at its beginning is no
// part of it.
void ForEachModuleOf(const std::string& file, std::string_view text, bool is_log,
                     const std::function<void(ModuleText module)>& visit);

}  // namespace layoutcheck
