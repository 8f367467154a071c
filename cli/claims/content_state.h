// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of files and of this program by their content, in which each change shows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace layoutcheck {

// Returns "file HASH", or "folder HASH" with the names and contents of all files below, or "none" if there is nothing
// of that name. Returns nothing for what cannot be read to its end, such as a pipe. Links are followed to files.
std::optional<std::string> ContentState(const std::filesystem::path& path);

// Returns the version of this program with a hash of the build IDs of it and of the libraries that it has loaded. Of a
// file without a build ID, the size and the time count.
const std::string& ProgramState();

}  // namespace layoutcheck
