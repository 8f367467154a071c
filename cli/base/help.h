// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's help as plain data, and the pages made from it: --help, the manual page, shell completions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

struct HelpEntry {
  std::vector<std::string> names;  // "--help", "-h"; for an argument, only its name
  std::string value;               // "FILE", or a choice of words "shape|layout"; empty for a flag
  std::string description;
  bool required = false;
  bool repeated = false;

  // Returns "--help, -h" or "--kind shape|layout".
  std::string Text() const;
  // Returns the words that the value may be, or nothing if it is free text.
  std::vector<std::string> Choices() const;
  bool TakesFile() const { return value == "FILE" || value == "DIR"; }
};

// The help of the program or a command. Blank lines separate paragraphs; lines that begin with a blank stay unwrapped.
struct CommandHelp {
  std::string name;  // empty for the program
  std::string description;
  std::vector<CommandHelp> commands;  // commands of the program; empty for a command
  std::vector<HelpEntry> arguments;
  std::vector<HelpEntry> options;
  std::string footer;  // examples; for the program, the exit codes

  std::string Summary() const { return description.substr(0, description.find('\n')); }
  // Returns the description without its summary and the blank line after it.
  std::string Details() const;
  // Returns a text such as "layoutcheck show LAYOUT [OPTION]...".
  std::string Usage() const;
};

// Returns the text that --help prints, wrapped to at most `width` columns where lines may be rewrapped.
std::string HelpText(const CommandHelp& help, size_t width);

// Returns the program's manual page in roff.
std::string ManualPage(const CommandHelp& program);

inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
// Returns the completion script for one of kShells.
std::string CompletionScript(const CommandHelp& program, std::string_view shell);

}  // namespace layoutcheck
