// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a dictionary for the fuzz targets:
//   write_dictionary hlo > fuzz/mutator/hlo.dict
//   write_dictionary formula > fuzz/mutator/formula.dict
#include <cstdio>
#include <string_view>
#include "layoutcheck/fuzz/mutator/grammar_tokens.h"
#include "layoutcheck/fuzz/text/formula_tokens.h"

int main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  if (name != "hlo" && name != "formula") {
    std::fputs("usage: write_dictionary hlo|formula\n", stderr);
    return 2;
  }
  const std::string text =
      name == "hlo" ? layoutcheck::DictionaryText("fuzz/mutator/grammar_tokens.cc", layoutcheck::GrammarTokens())
                    : layoutcheck::DictionaryText("fuzz/text/formula_tokens.cc", layoutcheck::FormulaTokens());
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
