#include "layoutcheck/fuzz/grammar_tokens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace layoutcheck {
namespace {

TEST(GrammarTokensTest, TheDictionaryFileIsWhatTheyGive) {
  std::ifstream file(LAYOUTCHECK_FUZZ_DICTIONARY, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, DictionaryText()) << "run: write_dictionary > fuzz/hlo.dict";
}

TEST(GrammarTokensTest, NoTokenTwice) {
  std::vector<std::string_view> tokens(GrammarTokens().begin(), GrammarTokens().end());
  std::ranges::sort(tokens);
  EXPECT_EQ(std::ranges::adjacent_find(tokens), tokens.end());
}

}  // namespace
}  // namespace layoutcheck
