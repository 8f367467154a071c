// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The topics of the pages in docs/, which are compiled into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// A page of docs/: its name without .md, and its Markdown.
struct ManualPageText {
  std::string_view name;
  std::string_view text;
};

// Returns all pages in the order of their names.
std::span<const ManualPageText> ManualPages();

enum class TopicKind { kPage, kVerdict, kNotation, kLaw, kSection };

// Returns the word for a kind in lists and in JSON: "page", "verdict", "notation", "law" or "section".
std::string_view TopicKindName(TopicKind kind);

// Something that a page explains: the page itself, a section, or a row of a table or an item about a law, a rule, a
// family of layouts or a notation.
struct Topic {
  std::string name;  // "prove", "unknown", "zN", "race-free", "bank conflicts"
  TopicKind kind = TopicKind::kPage;
  std::string_view page;  // name of the page
  std::string text;       // its Markdown; of a row the section's heading, the table's head and the row
};

// Returns the topics of pages: first the pages, then the others in the order of the pages. Several may have one name.
std::vector<Topic> TopicsOf(std::span<const ManualPageText> pages);

// Returns the topics with this name, whatever the case of its letters. Of sections only those without another topic of
// the name.
std::vector<const Topic*> FindTopics(const std::vector<Topic>& topics, std::string_view name);

}  // namespace layoutcheck
