// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/command.h"
#include <unistd.h>
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

std::FILE* own_output = nullptr;  // of SeparateOutput

HelpEntry EntryOf(const CLI::Option* option) {
  HelpEntry entry;
  if (option->get_positional()) {
    entry.names = {option->get_name(true)};
  } else {
    for (const std::string& name : option->get_lnames()) entry.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) entry.names.push_back("-" + name);
    if (option->get_type_size() != 0) entry.value = option->get_type_name();
  }
  entry.description = option->get_description();
  entry.required = option->get_required();
  entry.repeated = option->get_items_expected_max() > 1;
  return entry;
}

}  // namespace

CommandHelp HelpOf(const CLI::App& app) {
  const bool is_program = app.get_parent() == nullptr;
  CommandHelp help{.name = is_program ? "" : app.get_name(), .description = app.get_description()};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    help.commands.push_back(HelpOf(*command));
  }
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? help.arguments : help.options).push_back(EntryOf(option));
  }
  help.footer = app.get_footer();
  return help;
}

CLI::App* AddCommand(CLI::App& program, std::string name, std::string description, std::string example) {
  CLI::App* command = program.add_subcommand(std::move(name), std::move(description));
  command->footer("Example:\n" + std::move(example));
  command->set_help_flag("--help,-h", "print this text");
  return command;
}

void TakeOneOf(CLI::Option* option, std::span<const std::string_view> words) {
  option->type_name(StrJoin(words, "|"))
      ->check([words = std::vector(words.begin(), words.end())](const std::string& text) {
        if (std::ranges::find(words, text) != words.end()) return std::string();
        const std::span<const std::string_view> first(words.begin(), words.end() - 1);
        return StrCat("expected ", StrJoin(first, ", "), " or ", words.back(), ", got '", text, "'");
      });
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

void PrintText(std::string_view text) {
  std::FILE* const file = own_output == nullptr ? stdout : own_output;
  std::fwrite(text.data(), 1, text.size(), file);
  // A library may end this process at any time.
  if (own_output != nullptr) std::fflush(own_output);
}

bool SeparateOutput() {
  std::fflush(stdout);
  const int output = dup(STDOUT_FILENO);
  std::FILE* const file = output < 0 ? nullptr : fdopen(output, "w");
  if (file == nullptr) return false;
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    std::fclose(file);
    return false;
  }
  own_output = file;
  return true;
}

void PrintJson(const Json& document) {
  PrintText(document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace layoutcheck
