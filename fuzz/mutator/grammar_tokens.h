// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of HLO text, for mutators and for the dictionaries of fuzzing engines.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns all element types, punctuation marks, attributes and keywords, with comments, a string, and integers at the
// limits of machine types.
std::span<const std::string_view> GrammarTokens();

// Returns the grammar tokens, and the words of modules and of logs. The mutators do not draw from these words, so that
// a seed gives the same texts as without them.
std::span<const std::string_view> ModuleTokens();

// Returns a dictionary file for libFuzzer and AFL++; `source` is the file that lists the tokens.
std::string DictionaryText(std::string_view source, std::span<const std::string_view> tokens);

}  // namespace layoutcheck
