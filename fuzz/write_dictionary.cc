// Prints the dictionary of the fuzz targets: write_dictionary > fuzz/hlo.dict
#include <cstdio>

#include "layoutcheck/fuzz/grammar_tokens.h"

int main() {
  const std::string text = layoutcheck::DictionaryText();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
