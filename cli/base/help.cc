// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/help.h"
#include <algorithm>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Calls `flowing(paragraph)` for each run of lines that may be rewrapped, joined to one line, and `fixed(line)` for
// each blank line and each line that begins with a blank.
template <class Flowing, class Fixed>
void ForEachBlock(std::string_view text, Flowing flowing, Fixed fixed) {
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) flowing(paragraph);
    paragraph.clear();
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() || line.starts_with(' ')) {
      flush();
      fixed(line);
    } else {
      StrAppend(paragraph, paragraph.empty() ? "" : " ", line);
    }
  }
  flush();
}

// Appends `text`, wrapped, from column `margin` on. Its first line begins with `line`.
void AppendWrapped(std::string& out, std::string line, std::string_view text, size_t margin, size_t width) {
  line.resize(std::max(line.size(), margin), ' ');
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (line.size() > margin && line.size() + word.size() > width) {
      line.erase(line.find_last_not_of(' ') + 1);
      StrAppend(out, line, "\n");
      line.assign(margin, ' ');
    }
    StrAppend(line, word, " ");
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  StrAppend(out, line, "\n");
}

void AppendText(std::string& out, std::string_view text, size_t width) {
  ForEachBlock(
      text, [&](const std::string& paragraph) { AppendWrapped(out, "", paragraph, 0, width); },
      [&](std::string_view line) { StrAppend(out, line, "\n"); });
}

// Appends the name in one column and the text in the next. After a long name, the text starts on a new line.
void AppendEntry(std::string& out, std::string_view name, std::string_view text, size_t width) {
  constexpr size_t kColumn = 20;
  std::string line = StrCat("  ", name);
  if (line.size() + 2 > kColumn) {
    StrAppend(out, line, "\n");
    line.clear();
  }
  AppendWrapped(out, std::move(line), text, kColumn, width);
}

void AppendEntries(std::string& out, std::string_view title, const std::vector<Option>& options, size_t width) {
  if (!options.empty()) StrAppend(out, "\n", title, ":\n");
  for (const Option& option : options) AppendEntry(out, option.usage, option.description, width);
}

// Returns text that roff prints literally: escapes backslashes, hyphens and a control character at the start of a line.
std::string Roff(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out;
}

// Appends text whose lines with a leading blank form example blocks.
void AppendRoffText(std::string& out, std::string_view text) {
  bool in_example = false;
  const auto set_example = [&](bool wanted) {
    if (in_example != wanted) out += wanted ? ".PP\n.nf\n" : ".fi\n";
    in_example = wanted;
  };
  ForEachBlock(
      text,
      [&](const std::string& paragraph) {
        set_example(false);
        StrAppend(out, ".PP\n", Roff(paragraph), "\n");
      },
      [&](std::string_view line) {
        if (line.empty()) return;
        set_example(true);
        StrAppend(out, Roff(line), "\n");
      });
  set_example(false);
}

void AppendRoffEntries(std::string& out, const std::vector<Option>& options) {
  for (const Option& option : options) {
    StrAppend(out, ".TP\n\\fB", Roff(option.usage), "\\fR\n", Roff(option.description), "\n");
  }
}

std::string FooterOf(const Command& command) {
  return command.name.empty() ? command.footer : StrCat("Example:", command.example);
}

}  // namespace

std::string HelpText(const Command& command, size_t width, bool with_details) {
  std::string out = StrCat("usage: ", command.Usage(), "\n\n");
  AppendText(out, command.description, width);
  if (with_details) AppendText(out, command.details, width);
  if (!command.commands.empty()) out += "\nCommands:\n";
  for (const Command& one : command.commands) AppendEntry(out, one.name, one.Summary(), width);
  AppendEntries(out, "Arguments", command.Arguments(), width);
  AppendEntries(out, "Options", command.Options(with_details), width);
  AppendText(out += "\n", FooterOf(command), width);
  return out;
}

std::string ManualPage(const Command& program) {
  std::string out = StrCat(".TH LAYOUTCHECK 1 \"\" \"layoutcheck ", LAYOUTCHECK_VERSION,
                           "\" \"User Commands\"\n.SH NAME\nlayoutcheck \\- ", Roff(program.Summary()),
                           "\n.SH SYNOPSIS\n", Roff(program.Usage()), "\n.SH DESCRIPTION\n");
  AppendRoffText(out, program.description.substr(program.Summary().size()));
  out += ".SH OPTIONS\n";
  AppendRoffEntries(out, program.Options(/*with_details=*/true));
  out += ".SH COMMANDS\n";
  for (const Command& command : program.commands) {
    StrAppend(out, ".SS ", Roff(command.Usage()), "\n");
    AppendRoffText(out, command.description);
    AppendRoffText(out, command.details);
    AppendRoffEntries(out, command.Arguments());
    AppendRoffEntries(out, command.Options(/*with_details=*/true));
    AppendRoffText(out, FooterOf(command));
  }
  out += ".SH EXIT STATUS\n";
  AppendRoffText(out, program.footer);
  return out;
}

}  // namespace layoutcheck
