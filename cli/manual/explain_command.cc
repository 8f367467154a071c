// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck explain [TOPIC]
#include "layoutcheck/cli/manual/explain_command.h"
#include <algorithm>
#include <memory>
#include <utility>
#include "layoutcheck/cli/base/help.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/manual/terminal_text.h"
#include "layoutcheck/cli/manual/topics.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

struct ExplainCommandLine {
  std::vector<std::string> words;  // of the topic
  bool json = false;
};

void PrintNames(std::string_view title, std::vector<std::string> names) {
  std::vector<std::string> listed;
  for (std::string& name : names) {
    if (std::ranges::find(listed, name) == listed.end()) listed.push_back(std::move(name));
  }
  PrintText(TerminalText(StrCat("\n**", title, "**\n\n- ", StrJoin(listed, ", "), "\n"), ColumnsForProse(),
                         StyleOfTerminal().colors) +
            "\n");
}

ExitCode ListTopics(const std::vector<Topic>& topics, const std::vector<Command>& commands, bool json) {
  if (json) {
    for (const Topic& topic : topics) {
      PrintJson({{"topic", topic.name}, {"kind", TopicKindName(topic.kind)}, {"page", topic.page}});
    }
    for (const Command& command : commands) {
      PrintJson({{"topic", command.name}, {"kind", "command"}, {"page", nullptr}});
    }
    return ExitCode::kAccepted;
  }
  const auto names = [&](TopicKind kind) {
    std::vector<std::string> found;
    for (const Topic& topic : topics) {
      if (topic.kind == kind) found.push_back(topic.name);
    }
    return found;
  };
  std::vector<std::string> of_commands;
  for (const Command& command : commands) of_commands.push_back(command.name);
  PrintNames("pages, of which each heading is a topic, too", names(TopicKind::kPage));
  PrintNames("commands", of_commands);
  PrintNames("verdicts", names(TopicKind::kVerdict));
  PrintNames("notations and tags", names(TopicKind::kNotation));
  PrintNames("laws, rules and families", names(TopicKind::kLaw));
  return ExitCode::kAccepted;
}

ExitCode UnknownTopic(const std::string& name, const std::vector<Topic>& topics, const std::vector<Command>& commands) {
  std::vector<std::string_view> names;
  for (const Topic& topic : topics) names.push_back(topic.name);
  for (const Command& command : commands) names.push_back(command.name);
  return Unusable("explain",
                  StrCat("no topic '", name, "'", DidYouMean(name, names), "; layoutcheck explain lists all topics"));
}

ExitCode RunExplainCommand(const ExplainCommandLine& options, const std::vector<Command>& commands) {
  const std::vector<Topic> topics = TopicsOf(ManualPages());
  if (options.words.empty()) return ListTopics(topics, commands, options.json);
  const std::string name = StrJoin(options.words, " ");
  const std::vector<const Topic*> found = FindTopics(topics, name);
  const auto command = std::ranges::find(commands, name, &Command::name);
  if (found.empty() && command == commands.end()) return UnknownTopic(name, topics, commands);
  const bool bold = StyleOfTerminal().colors;
  for (const Topic* const topic : found) {
    if (options.json) {
      PrintJson(
          {{"topic", topic->name}, {"kind", TopicKindName(topic->kind)}, {"page", topic->page}, {"text", topic->text}});
    } else {
      PrintText(StrCat(topic == found.front() ? "" : "\n", TerminalText(topic->text, ColumnsForProse(), bold)));
    }
  }
  if (!found.empty()) return ExitCode::kAccepted;
  // A command without a page has its help.
  const std::string help = HelpText(*command, ColumnsForProse(), /*with_details=*/true);
  if (options.json) {
    PrintJson({{"topic", name}, {"kind", "command"}, {"page", nullptr}, {"text", help}});
  } else {
    PrintText(help);
  }
  return ExitCode::kAccepted;
}

}  // namespace

Command ExplainCommand(std::vector<Command> commands) {
  auto options = std::make_shared<ExplainCommandLine>();
  // The headings of pages are left out: most are sentences.
  const auto names = [of_commands = NamesOf(commands, &Command::name)] {
    std::vector<std::string> topics = of_commands;
    for (const Topic& topic : TopicsOf(ManualPages())) {
      if (topic.kind != TopicKind::kSection) topics.push_back(topic.name);
    }
    return topics;
  };
  return {.name = "explain",
          .description = R"(print what the documentation says about a topic

A topic is a law, rule or family of `laws`, a verdict, a notation, a tag, a command, or a page of the
documentation or a heading in one. Without a topic, the topics are listed.)",
          .example = R"(
  $ layoutcheck explain unknown
  $ layoutcheck explain bank conflicts
  $ layoutcheck explain unit-tile
  Laws of tiled layouts

  unit-tile
      statement: A further tile of ones moves nothing.
      applies to: layouts of arrays that have elements
      commands: check)",
          .options = {{.usage = "TOPIC",
                       .description = "the topic, as one word or several",
                       .target = &options->words,
                       .names = names},
                      {"--json",
                       "print one JSON line per place that explains the topic: topic, kind, page, and text in "
                       "Markdown; without TOPIC one per topic",
                       &options->json}},
          .run = [options, others = std::move(commands)] { return RunExplainCommand(*options, others); }};
}

}  // namespace layoutcheck
