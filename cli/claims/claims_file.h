// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims of a project: layoutcheck.toml, whose entries are arguments of the commands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

inline constexpr const char* kClaimsFile = "layoutcheck.toml";
// The folder beside it with what was found and what is remembered.
inline constexpr const char* kClaimsFolder = ".layoutcheck";

// An entry [KIND.NAME] of the file, as the command KIND with its arguments.
struct Claim {
  std::string kind;
  std::string name;
  int64_t line = 0;
  std::vector<std::string> arguments;  // of the command, as a user would type them
  std::vector<std::string> values;     // values of all keys, any of which may name a file
  // The verdict depends on nothing but the entry, the files that it names and this program: no program or library is
  // under test or asked, no time is set, and nothing is written.
  bool can_be_remembered = false;
  bool takes_jobs = false;  // the command has the option --jobs

  // Returns the command for a shell: layoutcheck prove 'f32[M,N]{1,0}' --formula 'i0*N+i1'.
  std::string ShellCommand() const;
};

// Reads the text of a file. Its tables are named after the commands, and their keys after the options and arguments of
// the command: "--law NAME" is the key law, and LAYOUT the key layout. Errors (syntax), which begin with line and
// column: no TOML; an unknown kind or key, with the nearest one; a missing key; a value that does not fit its key.
Expected<std::vector<Claim>> ReadClaims(std::string_view text, std::span<const Command> commands);

}  // namespace layoutcheck
