// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: runs the layoutcheck program.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Path of the subject whose answers have the fault that its arguments name.
inline const std::string kFaulty = LAYOUTCHECK_FAULTY_SUBJECT;

// Starts the built program with these arguments and this standard input, in a UTF-8 locale. Expects that the output of
// --json matches docs/schema.
ProgramResult StartLayoutcheck(const std::vector<std::string>& arguments, std::string_view input = "");
// Returns the same result. It starts the program (run_started.cc) or, without a start, runs its commands in a child of
// the test (run_in_child.cc).
ProgramResult RunLayoutcheck(const std::vector<std::string>& arguments, std::string_view input = "");

// Runs a shell command in `directory`, with `layoutcheck` as the built program. `out` is stdout and stderr together.
ProgramResult RunShell(const std::string& command, const std::string& directory);

// Returns the content of a file, or an empty text if it cannot be read.
std::string ReadFile(const std::string& path);

// Writes a file of a directory and returns its path.
std::string WriteFile(const TemporaryDirectory& directory, const std::string& name, std::string_view content);

// Returns the last line of a text, without its newline.
std::string LastLine(const std::string& text);

// Returns the values of a text in JSON Lines, which must be valid.
std::vector<Json> JsonLines(const std::string& text);

}  // namespace layoutcheck
