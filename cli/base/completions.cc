// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <vector>
#include "layoutcheck/cli/base/help.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns `text` with a backslash before each character of `special`.
std::string Escape(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Returns the text for use in single quotes in bash and zsh, where a quote ends the string.
std::string InQuotes(std::string_view text) {
  std::string out;
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out;
}

// Returns the description up to its first ';', ':' or '(', to be short enough for a menu.
std::string_view Brief(std::string_view description) {
  const std::string_view brief = description.substr(0, description.find_first_of(";:("));
  return brief.substr(0, brief.find_last_not_of(' ') + 1);
}

std::vector<Option> OptionsOf(const Command& command) { return command.Options(/*with_details=*/true); }

std::string OptionNames(const Command& command) {
  std::string names;
  for (const Option& option : OptionsOf(command)) {
    StrAppend(names, names.empty() ? "" : " ", StrJoin(option.Names(), " "));
  }
  return names;
}

// Calls `use(command, option)` for each option of the program and of each command.
template <class Use>
void ForEachOption(const Command& program, Use use) {
  for (const Option& option : OptionsOf(program)) use(program, option);
  for (const Command& command : program.commands) {
    for (const Option& option : OptionsOf(command)) use(command, option);
  }
}

std::string CommandNames(const Command& program) {
  std::vector<std::string> names;
  for (const Command& command : program.commands) names.push_back(command.name);
  return StrJoin(names, " ");
}

// Returns the first argument of the command, or an option without values if it has none.
Option FirstArgument(const Command& command) {
  const std::vector<Option> arguments = command.Arguments();
  return arguments.empty() ? Option{.usage = "", .description = "", .target = Page::kHelp} : arguments.front();
}

std::string BashScript(const Command& program) {
  std::string choices;
  std::string free;  // pattern of the options whose value is free text
  ForEachOption(program, [&](const Command& command, const Option& option) {
    if (option.Value().empty()) return;
    const std::string place = StrCat("'", command.name, " ", option.Name(), "'");
    if (const std::vector<std::string> words = option.Completions(); words.empty()) {
      StrAppend(free, free.empty() ? "    " : " | \\\n    ", place);
    } else {
      StrAppend(choices, "    ", place, ") words='", StrJoin(words, " "), "' ;;\n");
    }
  });
  std::string arguments;
  for (const Command& command : program.commands) {
    const std::vector<std::string> words = FirstArgument(command).Completions();
    if (!words.empty()) StrAppend(arguments, "          ", command.name, ") words='", StrJoin(words, " "), "' ;;\n");
  }
  std::string words;
  for (const Command& command : program.commands) {
    StrAppend(words, "        ", command.name, ") words='", OptionNames(command), "' ;;\n");
  }
  return StrCat(R"(# Completion of layoutcheck for bash. Words that match nothing are completed as files.
_layoutcheck() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' words=''
  ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}
  case "$command $previous" in
)",
                choices, free, R"() ;;
    *)
      case $command in
        '') words=')",
                CommandNames(program), " ", OptionNames(program), "' ;;\n", words, R"(      esac
      if [[ -n $command && $word != -* ]]; then
        words=''
        case $command in
)",
                arguments, R"(        esac
      fi ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o bashdefault -o default -F _layoutcheck layoutcheck
)");
}

// Returns an option as an argument of zsh's _arguments.
std::string ZshOption(const Option& option) {
  std::string out;
  for (const std::string& name : option.Names()) {
    StrAppend(out, " \\\n        '", option.IsRepeated() ? "*" : "", name, "[",
              InQuotes(Escape(Brief(option.description), "[]\\")), "]");
    if (!option.Value().empty()) {
      const std::string choices = StrJoin(option.Completions(), " ");
      StrAppend(out, ":value:", option.TakesFile() ? "_files" : choices.empty() ? " " : StrCat("(", choices, ")"));
    }
    out += "'";
  }
  return out;
}

std::string ZshScript(const Command& program) {
  std::string commands;
  std::string cases;
  for (const Command& command : program.commands) {
    StrAppend(commands, "    '", command.name, ":", InQuotes(Escape(command.Summary(), ":\\")), "'\n");
    StrAppend(cases, "    ", command.name, ")\n      _arguments");
    for (const Option& option : OptionsOf(command)) cases += ZshOption(option);
    if (const std::string words = StrJoin(FirstArgument(command).Completions(), " "); !words.empty()) {
      StrAppend(cases, " \\\n        '1:argument:(", words, ")'");
    }
    StrAppend(cases, command.Arguments().empty() ? "" : " \\\n        '*:argument:_files'", " ;;\n");
  }
  std::string options;
  for (const Option& option : OptionsOf(program)) options += ZshOption(option);
  return StrCat("#compdef layoutcheck\n# Completion of layoutcheck for zsh.\nlocal -a commands\ncommands=(\n", commands,
                ")\nif ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n  _describe command commands\n  return\nfi\n",
                "shift words\n((CURRENT -= 1))\ncase $words[1] in\n", cases,
                "    *)\n      words=(layoutcheck $words)\n      ((CURRENT += 1))\n      _arguments", options,
                " ;;\nesac\n");
}

std::string FishScript(const Command& program) {
  std::string out = "# Completion of layoutcheck for fish.\n";
  const auto quoted = [](std::string_view text) { return StrCat("'", Escape(text, "'\\"), "'"); };
  for (const Command& command : program.commands) {
    StrAppend(out, "complete -c layoutcheck -n __fish_use_subcommand -f -a ", command.name, " -d ",
              quoted(command.Summary()), "\n");
  }
  for (const Command& command : program.commands) {
    const std::vector<std::string> words = FirstArgument(command).Completions();
    if (words.empty()) continue;
    StrAppend(out, "complete -c layoutcheck -n ", quoted("__fish_seen_subcommand_from " + command.name), " -f -a ",
              quoted(StrJoin(words, " ")), "\n");
  }
  ForEachOption(program, [&](const Command& command, const Option& option) {
    StrAppend(out, "complete -c layoutcheck -n ",
              command.name.empty() ? "__fish_use_subcommand" : quoted("__fish_seen_subcommand_from " + command.name));
    for (const std::string& name : option.Names()) {
      StrAppend(out, name.starts_with("--") ? " -l " : " -s ", name.substr(name.find_first_not_of('-')));
    }
    if (option.TakesFile()) {
      out += " -r";
    } else if (!option.Value().empty()) {
      const std::vector<std::string> words = option.Completions();
      StrAppend(out, " -x", words.empty() ? "" : " -a ", words.empty() ? "" : quoted(StrJoin(words, " ")));
    }
    StrAppend(out, " -d ", quoted(Brief(option.description)), "\n");
  });
  return out;
}

}  // namespace

std::string CompletionScript(const Command& program, std::string_view shell) {
  return shell == "bash" ? BashScript(program) : shell == "zsh" ? ZshScript(program) : FishScript(program);
}

}  // namespace layoutcheck
