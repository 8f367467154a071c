// The tokens of HLO text as a list: what mutators insert, and the dictionary of the fuzzing engines.
#ifndef LAYOUTCHECK_FUZZ_MUTATOR_GRAMMAR_TOKENS_H_
#define LAYOUTCHECK_FUZZ_MUTATOR_GRAMMAR_TOKENS_H_

#include <span>
#include <string>
#include <string_view>

namespace layoutcheck {

// Every element type, punctuation mark, attribute and keyword, comments and a string, and integers at the limits of
// machine types.
std::span<const std::string_view> GrammarTokens();

// Tokens as a dictionary file of libFuzzer and AFL++; `source` is the file that has them.
std::string DictionaryText(std::string_view source, std::span<const std::string_view> tokens);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_MUTATOR_GRAMMAR_TOKENS_H_
