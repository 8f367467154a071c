// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the pages that the program writes about itself: the manual page, shell completions, and docs/laws.md.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

// Returns the first words of the lines between `title` and the next blank line, without commas.
std::vector<std::string> EntriesUnder(const std::string& help, const std::string& title) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line == title) {
      inside = line == title;
    } else if (inside && line.starts_with("  ") && line[2] != ' ') {
      const std::string name = line.substr(2, line.find_first_of(" ,", 2) - 2);
      names.push_back(name);
    }
  }
  return names;
}

// Returns every command with its options. The program itself has an empty name.
std::map<std::string, std::vector<std::string>> OptionsOfCommands() {
  const std::string help = RunLayoutcheck({"--help"}).out;
  std::map<std::string, std::vector<std::string>> options = {{"", EntriesUnder(help, "Options:")}};
  for (const std::string& command : EntriesUnder(help, "Commands:")) {
    options[command] = EntriesUnder(RunLayoutcheck({command, "--help=all"}).out, "Options:");
  }
  return options;
}

std::string ReplaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(GeneratedPages, NameEveryCommandAndOption) {
  const std::string manual = ReplaceAll(RunLayoutcheck({"--man"}).out, "\\-", "-");
  const std::string bash = RunLayoutcheck({"--completion", "bash"}).out;
  const std::string zsh = RunLayoutcheck({"--completion", "zsh"}).out;
  const std::string fish = RunLayoutcheck({"--completion", "fish"}).out;
  size_t names = 0;
  const auto options = OptionsOfCommands();
  EXPECT_GE(options.size(), 13u);
  for (const auto& [command, own] : options) {
    EXPECT_GE(own.size(), 2u) << command;
    const size_t section = manual.find(command.empty() ? ".SH OPTIONS" : ".SS layoutcheck " + command);
    ASSERT_NE(section, std::string::npos) << command;
    const std::string page = manual.substr(section, manual.find("\n.S", section) - section);
    const size_t words = bash.find(command.empty() ? "'') words=" : "\n        " + command + ") words=");
    ASSERT_NE(words, std::string::npos) << command;
    const std::string bash_line = bash.substr(words, bash.find(";;", words) - words);
    const size_t zsh_case = command.empty() ? zsh.rfind("*)") : zsh.find("\n    " + command + ")");
    ASSERT_NE(zsh_case, std::string::npos) << command;
    const std::string zsh_options = zsh.substr(zsh_case, zsh.find(";;", zsh_case) - zsh_case);
    EXPECT_TRUE(command.empty() || fish.find(" -a " + command + " -d ") != std::string::npos) << command;
    for (const std::string& option : own) {
      ++names;
      EXPECT_NE(page.find("\\fB" + option), std::string::npos) << command << " " << option;
      EXPECT_NE(bash_line.find(option), std::string::npos) << command << " " << option;
      EXPECT_NE(zsh_options.find(option + "["), std::string::npos) << command << " " << option;
      const std::string condition =
          command.empty() ? "__fish_use_subcommand" : "'__fish_seen_subcommand_from " + command + "'";
      EXPECT_NE(fish.find("-n " + condition + " -l " + option.substr(2)), std::string::npos) << command << option;
    }
  }
  std::printf("%zu commands, %zu options\n", options.size() - 1, names);
}

TEST(GeneratedPages, HelpFitsOnAScreenAndHasAllOnRequest) {
  size_t shortened = 0;
  for (const auto& [command, options] : OptionsOfCommands()) {
    const std::string help = command.empty() ? RunLayoutcheck({"--help"}).out : RunLayoutcheck({command, "--help"}).out;
    EXPECT_LE(std::ranges::count(help, '\n'), command.empty() ? 60 : 50) << help;
    const std::vector<std::string> shown = EntriesUnder(help, "Options:");
    for (const std::string& option : shown) EXPECT_NE(std::ranges::find(options, option), options.end()) << option;
    const bool is_shortened = shown.size() < options.size();
    EXPECT_TRUE(!is_shortened || help.find("--help=all") != std::string::npos) << help;
    if (is_shortened) ++shortened;
  }
  EXPECT_GE(shortened, 3u);
  EXPECT_EQ(RunLayoutcheck({"index", "--help=all"}).out, RunLayoutcheck({"index", "-h"}).out);
}

TEST(GeneratedPages, OlderSpellingsAreNotListed) {
  for (const std::string page : {"--help=all", "--man", "--completion=bash"}) {
    const bool is_help = page == "--help=all";
    const ProgramResult result = is_help ? RunLayoutcheck({"prove", page}) : RunLayoutcheck({page});
    EXPECT_EQ(result.exit_code, 0) << page;
    for (const char* option : {"--kernel", "\\-\\-kernel"}) {
      EXPECT_EQ(result.out.find(option), std::string::npos) << page << " " << option;
    }
    // The other pages list the option --code of find.
    EXPECT_TRUE(!is_help || result.out.find("--code") == std::string::npos);
  }
}

TEST(GeneratedPages, AreWellFormed) {
  const TemporaryDirectory directory;
  const auto run = [&](const std::string& command) {
    const ProgramResult result = RunShell(command, directory.path());
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.out;
    EXPECT_EQ(result.out, "") << command;
  };
  run("layoutcheck --completion bash > page.bash && bash -n page.bash");
  run("layoutcheck --man > page.1");
  run("if command -v groff > /dev/null; then groff -man -Tutf8 -ww page.1 > page.txt; fi");
  const std::string complete =
      "source ./page.bash; complete_words() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _layoutcheck; "
      "echo \"${COMPREPLY[*]}\"; }; ";
  EXPECT_EQ(RunShell("bash -c '" + complete + "complete_words layoutcheck con'", directory.path()).out, "convert\n");
  EXPECT_EQ(RunShell("bash -c '" + complete + "complete_words layoutcheck convert --to on'", directory.path()).out,
            "onednn\n");
  EXPECT_EQ(RunShell("bash -c '" + complete + "complete_words layoutcheck show --sv'", directory.path()).out,
            "--svg\n");
}

TEST(GeneratedPages, TheLawsAreThoseOfTheProgram) {
  EXPECT_EQ(RunLayoutcheck({"laws", "--markdown"}).out, ReadFile(std::string(LAYOUTCHECK_SOURCE) + "/docs/laws.md"))
      << "docs/laws.md is stale: layoutcheck laws --markdown > docs/laws.md";
}

TEST(GeneratedPages, FamiliesAreListedApartFromLaws) {
  const std::string families = RunLayoutcheck({"laws", "--families", "--json"}).out;
  EXPECT_TRUE(families.starts_with("{\"family\":\"tpu\",\"description\":")) << families;
  EXPECT_EQ(RunLayoutcheck({"laws", "--json"}).out.find("\"family\""), std::string::npos);
  EXPECT_TRUE(RunLayoutcheck({"laws"}).out.ends_with(RunLayoutcheck({"laws", "--families"}).out));
}

}  // namespace
}  // namespace layoutcheck
