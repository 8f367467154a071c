// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/manual/topics.h"
#include <algorithm>
#include <cctype>
#include <utility>
#include "layoutcheck/cli/manual/markdown.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {
namespace {

// Pages for who changes layoutcheck: they are topics, their sections are not.
constexpr std::string_view kInternalPages[] = {"architecture", "certificates", "extending", "performance", "page"};

std::string WithoutCodeMarks(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return c == '`' || c == '\\'; });
  return out;
}

// Returns the parts of a heading or a cell between its commas: "declined, never answered" are two names.
std::vector<std::string> NamesIn(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(", ", begin), text.size());
    names.push_back(WithoutCodeMarks(Trimmed(text.substr(begin, end - begin))));
    begin = end + 2;
  }
  return names;
}

std::string LowerCase(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Returns true for a name, not a piece of a layout or of a program.
bool IsName(std::string_view text) { return text.find_first_of("{}[]()") == std::string_view::npos; }

// Returns the words in code marks with which a sentence of an item begins: "- `complete`: each. `onto`, if ..." has
// two.
std::vector<std::string> NamesOfItem(std::string_view item) {
  std::vector<std::string> names;
  for (size_t at = item.find('`'); at != std::string_view::npos; at = item.find('`', at + 1)) {
    const size_t end = item.find('`', at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view before = item.substr(0, at);
    if (before == "- " || before.ends_with(". ")) names.emplace_back(item.substr(at + 1, end - at - 1));
    at = end;
  }
  return names;
}

// Returns lines as a text.
std::string TextOf(const std::vector<std::string_view>& lines, size_t begin, size_t end) {
  std::string text;
  for (size_t k = begin; k < end; ++k) StrAppend(text, lines[k], "\n");
  return text;
}

// Finds the topics of one page.
class PageReader {
 public:
  PageReader(const ManualPageText& page, std::vector<Topic>& topics)
      : page_(page), topics_(topics), lines_(MarkdownLines(page.text)) {
    bool in_code = false;
    for (size_t k = 0; k < lines_.size(); ++k) {
      if (lines_[k].starts_with("```")) in_code = !in_code;
      if (!in_code && HeadingLevel(lines_[k]) > 0) headings_.push_back(k);
    }
  }

  void Read() {
    for (size_t number = 0; number < headings_.size(); ++number) {
      const size_t begin = headings_[number];
      const std::string_view heading = HeadingOf(lines_[begin]);
      const size_t level = HeadingLevel(lines_[begin]);
      const bool is_verdict = page_.name == "verdicts" && level == 3;
      if (is_verdict) {
        AddAll(NamesIn(heading), TopicKind::kVerdict, Section(number));
      } else if (level > 1) {
        AddAll({WithoutCodeMarks(heading)}, TopicKind::kSection, Section(number));
      }
      const size_t end = number + 1 < headings_.size() ? headings_[number + 1] : lines_.size();
      AddRows(begin, end);
      if (page_.name == "prove-kernel" && heading == "The laws") AddItems(begin, end);
    }
  }

 private:
  void AddAll(const std::vector<std::string>& names, TopicKind kind, const std::string& text) {
    for (const std::string& name : names) topics_.push_back({name, kind, page_.name, text});
  }

  // Returns a heading with all below it.
  std::string Section(size_t number) const {
    size_t next = number + 1;
    while (next < headings_.size() && HeadingLevel(lines_[headings_[next]]) > HeadingLevel(lines_[headings_[number]])) {
      ++next;
    }
    return TextOf(lines_, headings_[number], next < headings_.size() ? headings_[next] : lines_.size());
  }

  // Adds the rows of the tables below a heading, on the pages whose rows are explanations.
  void AddRows(size_t heading, size_t end) {
    const TopicKind kind = page_.name == "laws"        ? TopicKind::kLaw
                           : page_.name == "verdicts"  ? TopicKind::kVerdict
                           : page_.name == "notations" ? TopicKind::kNotation
                                                       : TopicKind::kPage;
    if (kind == TopicKind::kPage) return;
    for (size_t head = heading; head < end; ++head) {
      if (!lines_[head].starts_with("|")) continue;
      size_t row = head + 2;
      for (; row < end && lines_[row].starts_with("|"); ++row) {
        const std::vector<std::string> cells = CellsOf(lines_[row]);
        if (cells.empty() || (kind != TopicKind::kLaw && !cells[0].starts_with("`"))) continue;
        std::string text =
            StrCat(lines_[heading], "\n\n", lines_[head], "\n", lines_[head + 1], "\n", lines_[row], "\n");
        for (const std::string& cell : cells) text += LinkedSections(cell);
        std::vector<std::string> names = NamesIn(cells[0]);
        std::erase_if(names, [](const std::string& name) { return !IsName(name); });
        AddAll(names, kind, text);
      }
      head = row;
    }
  }

  // Adds the laws that the items below a heading explain.
  void AddItems(size_t heading, size_t end) {
    for (size_t k = heading; k < end; ++k) {
      if (!lines_[k].starts_with("- ")) continue;
      size_t next = k + 1;
      while (next < end && lines_[next].starts_with("  ")) ++next;
      const std::string item = TextOf(lines_, k, next);
      AddAll(NamesOfItem(item), TopicKind::kLaw, StrCat(lines_[heading], "\n\n", item));
    }
  }

  // Returns the sections of this page to which a cell links.
  std::string LinkedSections(std::string_view cell) const {
    std::string sections;
    for (size_t k = 0; k < cell.size(); ++k) {
      const auto link = LinkAt(cell, k);
      if (!link || !link->target.starts_with("#")) continue;
      for (size_t number = 0; number < headings_.size(); ++number) {
        if (AnchorOf(HeadingOf(lines_[headings_[number]])) == link->target.substr(1)) {
          StrAppend(sections, "\n", Section(number));
        }
      }
    }
    return sections;
  }

  const ManualPageText& page_;
  std::vector<Topic>& topics_;
  std::vector<std::string_view> lines_;
  std::vector<size_t> headings_;  // numbers of the lines that are headings
};

}  // namespace

std::string_view TopicKindName(TopicKind kind) {
  constexpr std::string_view kNames[] = {"page", "verdict", "notation", "law", "section"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<Topic> TopicsOf(std::span<const ManualPageText> pages) {
  std::vector<Topic> topics;
  for (const ManualPageText& page : pages) {
    topics.push_back({std::string(page.name), TopicKind::kPage, page.name, std::string(page.text)});
  }
  for (const ManualPageText& page : pages) {
    if (std::ranges::find(kInternalPages, page.name) == std::end(kInternalPages)) PageReader(page, topics).Read();
  }
  return topics;
}

std::vector<const Topic*> FindTopics(const std::vector<Topic>& topics, std::string_view name) {
  const std::string wanted = LowerCase(name);
  std::vector<const Topic*> found;
  for (const Topic& topic : topics) {
    if (LowerCase(topic.name) == wanted) found.push_back(&topic);
  }
  const bool has_other =
      std::ranges::any_of(found, [](const Topic* topic) { return topic->kind != TopicKind::kSection; });
  if (has_other) std::erase_if(found, [](const Topic* topic) { return topic->kind == TopicKind::kSection; });
  return found;
}

}  // namespace layoutcheck
