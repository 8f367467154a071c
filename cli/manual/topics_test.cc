// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/manual/topics.h"
#include <gtest/gtest.h>
#include "layoutcheck/cli/manual/terminal_text.h"

namespace layoutcheck {
namespace {

TEST(Topics, ArePagesSectionsAndRows) {
  const ManualPageText pages[] = {
      {"laws",
       "# Laws\n\n## Of one kind\n\n| law | statement |\n| --- | --- |\n| injective | No \\< two. |\n"
       "\n## Of another kind\n\n| law | statement |\n| --- | --- |\n| injective | None. |\n"},
      {"verdicts",
       "# Verdicts\n\n## Of proofs\n\nText.\n\n### `proved`\n\nAll.\n\n```console\n# no heading\n```\n\n### declined, "
       "never answered\n\nNone.\n"},
      {"prove-kernel",
       "# Kernels\n\n## The laws\n\nOf kernels.\n\n- `accesses`: each is\n  inside. `complete`, only then: A `warp`.\n"
       "- other\n\n## Next\n\n- `none`: x\n"},
      {"notations",
       "# Notations\n\n| name | is |\n|---|---|\n| `zN` | a [tag](#tags-of-all) |\n\n## Tags of all\n\nMany.\n"}};
  const std::vector<Topic> topics = TopicsOf(pages);
  const auto texts = [&](std::string_view name) {
    std::string out;
    for (const Topic* topic : FindTopics(topics, name)) out += topic->text;
    return out;
  };
  EXPECT_EQ(FindTopics(topics, "INJECTIVE").size(), 2u);
  EXPECT_NE(texts("injective").find("## Of another kind\n"), std::string::npos);
  EXPECT_EQ(texts("proved"), "### `proved`\n\nAll.\n\n```console\n# no heading\n```\n\n");
  EXPECT_EQ(texts("never answered"), texts("declined"));
  EXPECT_EQ(texts("of proofs").find("## Of proofs\n\nText.\n\n### `proved`"), 0u);
  EXPECT_TRUE(texts("zn").ends_with("| `zN` | a [tag](#tags-of-all) |\n\n## Tags of all\n\nMany.\n"));
  EXPECT_EQ(texts("accesses"), "## The laws\n\n- `accesses`: each is\n  inside. `complete`, only then: A `warp`.\n");
  EXPECT_EQ(texts("complete"), texts("accesses"));
  EXPECT_EQ(texts("none"), "");
  EXPECT_EQ(texts("verdicts"), pages[1].text);
  EXPECT_EQ(texts("no heading"), "");
}

TEST(TerminalText, WrapsAndLeavesCode) {
  const std::string text =
      "# A *b*\n\nOne two three\nfour **five** [six](x.md) `a|b` \\< [seven](https://x.y).\n\n- an item that is "
      "wrapped here\n"
      "- two\n\n```\n  code   stays\n```\n\n| name | is | of |\n|---|---|---|\n| `x` | a\\|b | c |\n";
  EXPECT_EQ(
      TerminalText(text, 20, false),
      "A *b*\n\nOne two three four\nfive six `a|b` <\nseven (https://x.y).\n\n- an item that is\n  wrapped here\n- "
      "two\n\n      code   stays\n\n`x`\n    is: a|b\n    of: c\n");
  const std::string bold = TerminalText("# Title\n\n**a** b\n", 80, true);
  EXPECT_EQ(bold, "\033[1mTitle\033[0m\n\n\033[1ma\033[0m b\n");
}

// Whatever the text is, each line that is not code fits, unless a word is longer.
TEST(TerminalText, FitsTheWidth) {
  for (const ManualPageText& page : ManualPages()) {
    const std::string text = TerminalText(page.text, 60, false);
    EXPECT_GT(text.size(), page.text.size() / 2) << page.name;
    EXPECT_EQ(text.find('\033'), std::string::npos) << page.name;
  }
}

}  // namespace
}  // namespace layoutcheck
