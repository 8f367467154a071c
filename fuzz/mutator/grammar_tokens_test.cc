// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/grammar_tokens.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "layoutcheck/fuzz/text/formula_tokens.h"

namespace layoutcheck {
namespace {

std::string Dictionary(const std::string& name) {
  std::ifstream file(std::string(LAYOUTCHECK_FUZZ_FOLDER "/mutator/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GrammarTokensTest, TheDictionaryFilesAreWhatTheyGive) {
  EXPECT_EQ(Dictionary("hlo.dict"), DictionaryText("fuzz/mutator/grammar_tokens.cc", GrammarTokens()))
      << "run: write_dictionary hlo > fuzz/mutator/hlo.dict";
  EXPECT_EQ(Dictionary("module.dict"), DictionaryText("fuzz/mutator/grammar_tokens.cc", ModuleTokens()))
      << "run: write_dictionary module > fuzz/mutator/module.dict";
  EXPECT_EQ(Dictionary("formula.dict"), DictionaryText("fuzz/text/formula_tokens.cc", FormulaTokens()))
      << "run: write_dictionary formula > fuzz/mutator/formula.dict";
}

TEST(GrammarTokensTest, NoTokenTwice) {
  for (const std::span<const std::string_view> list : {ModuleTokens(), FormulaTokens()}) {
    std::vector<std::string_view> tokens(list.begin(), list.end());
    std::ranges::sort(tokens);
    EXPECT_EQ(std::ranges::adjacent_find(tokens), tokens.end());
  }
}

}  // namespace
}  // namespace layoutcheck
