// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of HLO text: mutators insert them, and fuzzing engines have them as a dictionary.
#ifndef LAYOUTCHECK_FUZZ_MUTATOR_GRAMMAR_TOKENS_H_
#define LAYOUTCHECK_FUZZ_MUTATOR_GRAMMAR_TOKENS_H_

#include <span>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns every element type, punctuation mark, attribute and keyword, comments, a string, and integers at the limits
// of machine types.
std::span<const std::string_view> GrammarTokens();

// Returns the tokens as a dictionary file for libFuzzer and AFL++; `source` is the file that lists them.
std::string DictionaryText(std::string_view source, std::span<const std::string_view> tokens);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_MUTATOR_GRAMMAR_TOKENS_H_
