// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The help of the program as plain data, and the pages made from it: --help, the manual page, shell completions.
#ifndef LAYOUTCHECK_CLI_BASE_HELP_H_
#define LAYOUTCHECK_CLI_BASE_HELP_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// One argument or option.
struct HelpEntry {
  std::vector<std::string> names;  // "--help", "-h"; for an argument its name alone
  std::string value;               // "FILE", or "shape|layout" for one of these words; empty for a flag
  std::string description;
  bool required = false;
  bool repeated = false;

  // Returns "--help, -h" or "--kind shape|layout".
  std::string Text() const;
  // Returns the words that the value may be, or nothing if it is free text.
  std::vector<std::string> Choices() const;
  bool TakesFile() const { return value == "FILE" || value == "DIR"; }
};

// The help of one command, or of the whole program. Texts are paragraphs with a blank line between them; a line that
// begins with a blank keeps its place.
struct CommandHelp {
  std::string name;  // empty for the program
  std::string description;
  std::vector<CommandHelp> commands;  // of the program
  std::vector<HelpEntry> arguments;
  std::vector<HelpEntry> options;
  std::string footer;  // examples; for the program the exit codes

  std::string Summary() const { return description.substr(0, description.find('\n')); }
  // Returns the description without the summary and the blank line after it.
  std::string Details() const;
  // Returns "layoutcheck show LAYOUT [OPTION]...".
  std::string Usage() const;
};

// Returns the text that --help prints, with at most `width` columns where lines may be broken.
std::string HelpText(const CommandHelp& help, size_t width);

// Returns the manual page of the program in roff.
std::string ManualPage(const CommandHelp& program);

// The shells that have completions.
inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
// Returns the completion script for one of kShells.
std::string CompletionScript(const CommandHelp& program, std::string_view shell);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_BASE_HELP_H_
