// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a dictionary for the fuzz targets:
//   write_dictionary hlo > fuzz/mutator/hlo.dict
//   write_dictionary module > fuzz/mutator/module.dict
//   write_dictionary formula > fuzz/mutator/formula.dict
#include <cstdio>
#include <string>
#include <string_view>
#include "layoutcheck/fuzz/mutator/grammar_tokens.h"
#include "layoutcheck/fuzz/text/formula_tokens.h"

namespace layoutcheck {
namespace {

// Returns the text of the dictionary of this name; empty if there is none.
std::string Dictionary(std::string_view name) {
  if (name == "hlo") return DictionaryText("fuzz/mutator/grammar_tokens.cc", GrammarTokens());
  if (name == "module") return DictionaryText("fuzz/mutator/grammar_tokens.cc", ModuleTokens());
  if (name == "formula") return DictionaryText("fuzz/text/formula_tokens.cc", FormulaTokens());
  return "";
}

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) {
  const std::string text = layoutcheck::Dictionary(argc == 2 ? argv[1] : "");
  if (text.empty()) {
    std::fputs("usage: write_dictionary hlo|module|formula\n", stderr);
    return 2;
  }
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
