#include "layoutcheck/cli/base/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kHelpWidth = 96;

// The name in one column and its text, wrapped, in the next; the text starts on a line of its own after a long name.
void AppendEntry(std::string& out, std::string_view name, std::string_view text) {
  constexpr size_t kColumn = 20;
  const std::string margin(kColumn, ' ');
  std::string line = StrCat("  ", name);
  if (line.size() + 2 > kColumn) {
    StrAppend(out, line, "\n");
    line = margin;
  } else {
    line.resize(kColumn, ' ');
  }
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (line.size() > kColumn && line.size() + word.size() > kHelpWidth) {
      line.erase(line.find_last_not_of(' ') + 1);
      StrAppend(out, line, "\n");
      line = margin;
    }
    StrAppend(line, word, " ");
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  StrAppend(out, line, "\n");
}

std::string UsageOf(const CLI::Option* argument) {
  const std::string& name = argument->get_name(true);
  const std::string repeated = argument->get_items_expected_max() > 1 ? "..." : "";
  return argument->get_required() ? StrCat(name, repeated) : StrCat("[", name, repeated, "]");
}

std::string NameOf(const CLI::Option* option) {
  std::string name = option->get_name(false, true);
  if (const size_t comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
  if (option->get_type_size() != 0) StrAppend(name, " ", option->get_type_name());
  return name;
}

}  // namespace

std::string HelpText(const CLI::App* app) {
  const bool is_program = app->get_parent() == nullptr;
  std::string out = "usage: layoutcheck";
  if (!is_program) StrAppend(out, " ", app->get_name());
  const auto arguments = app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  const auto options = app->get_options([](const CLI::Option* option) { return option->nonpositional(); });
  if (is_program) StrAppend(out, " COMMAND ...");
  for (const CLI::Option* argument : arguments) StrAppend(out, " ", UsageOf(argument));
  if (!options.empty()) StrAppend(out, " [OPTION]...");
  StrAppend(out, "\n\n", app->get_description(), "\n");
  if (is_program) {
    StrAppend(out, "\nCommands:\n");
    for (const CLI::App* command : app->get_subcommands({})) {
      const std::string description = command->get_description();
      AppendEntry(out, command->get_name(), std::string_view(description).substr(0, description.find('\n')));
    }
  }
  if (!arguments.empty()) {
    StrAppend(out, "\nArguments:\n");
    for (const CLI::Option* argument : arguments) {
      AppendEntry(out, argument->get_name(true), argument->get_description());
    }
  }
  if (!options.empty()) {
    StrAppend(out, "\nOptions:\n");
    for (const CLI::Option* option : options) AppendEntry(out, NameOf(option), option->get_description());
  }
  if (!app->get_footer().empty()) StrAppend(out, "\n", app->get_footer(), "\n");
  return out;
}

CLI::App* AddCommand(CLI::App& program, std::string name, std::string description, std::string example) {
  CLI::App* command = program.add_subcommand(std::move(name), std::move(description));
  command->footer("Example:\n" + std::move(example));
  command->set_help_flag("--help,-h", "print this text");
  return command;
}

CLI::Validator WholeNumber() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size()) return "";
        return StrCat("expected an integer from 0 to 2^64 - 1, got '", text, "'");
      },
      "");
}

std::string OneLine(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      StrAppend(out, "\\x", kHex[byte / 16], kHex[byte % 16]);
    } else {
      out += c;
    }
  }
  return out;
}

ExitCode Unusable(std::string_view command, std::string_view message) {
  const std::string line = StrCat("layoutcheck ", command, ": ", OneLine(message), "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return ExitCode::kUnusable;
}

ExitCode Unusable(std::string_view command, std::string_view argument, const Error& error) {
  return Unusable(command, StrCat(argument, ": ", error.ToString()));
}

Expected<void> WriteFile(const std::string& name, const std::string& content) {
  FILE* const file = std::fopen(name.c_str(), "wb");
  bool written = file != nullptr;
  if (written) {
    written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    written = std::fclose(file) == 0 && written;
  }
  if (!written) return MakeError(ErrorKind::kUnavailable, StrCat("cannot write ", name, ": ", std::strerror(errno)));
  return {};
}

void PrintJson(const Json& document) {
  const std::string line = document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
}

}  // namespace layoutcheck
