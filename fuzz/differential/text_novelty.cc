// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/text_novelty.h"
#include <algorithm>
#include <bit>
#include <map>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/fuzz/differential/judge.h"

namespace layoutcheck {

bool TextNovelty::AddFeature(std::string_view feature) { return features_.insert(HashText(feature)).second; }

bool TextNovelty::AddNumber(std::string_view name, uint64_t number) {
  return AddFeature(StrCat(name, " up to 2^", std::bit_width(number)));
}

bool TextNovelty::AddTokens(std::string_view text) {
  bool is_new = false;
  std::map<TokenKind, uint64_t> counts;
  uint64_t depth = 0;
  uint64_t deepest = 0;
  TokenKind before = TokenKind::kEof;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    const Token& token = lexer.token();
    ++counts[token.kind];
    is_new |= AddFeature(StrCat("tokens ", static_cast<int>(before), " ", static_cast<int>(token.kind)));
    before = token.kind;
    const std::string_view word = token.text;
    if (token.kind == TokenKind::kPrimitiveType) is_new |= AddFeature(StrCat("type ", word));
    if (token.kind == TokenKind::kIdent) is_new |= AddFeature(StrCat("word ", word.substr(0, 1)));
    if (token.kind == TokenKind::kInt) {
      is_new |= token.integer < 0 ? AddNumber("negative", -static_cast<uint64_t>(token.integer))
                                  : AddNumber("number", static_cast<uint64_t>(token.integer));
    }
    if (word == "(" || word == "[" || word == "{") deepest = std::max(deepest, ++depth);
    if ((word == ")" || word == "]" || word == "}") && depth > 0) --depth;
  }
  for (const auto& [kind, count] : counts) is_new |= AddNumber(StrCat("count of ", static_cast<int>(kind)), count);
  is_new |= AddFeature(StrCat("last ", static_cast<int>(before)));
  return AddNumber("depth", deepest) || is_new;
}

bool TextNovelty::Add(std::string_view text, std::string_view answer) {
  const Expected<std::string> canonical = CanonicalText(kind_, text);
  const std::string reading =
      canonical ? "accepted"
                : StrCat(ErrorKindName(canonical.error().kind), " ", WithoutDetails(canonical.error().message));
  bool is_new = AddFeature(StrCat("reading ", reading, "\n", answer));
  is_new |= AddNumber("length", text.size());
  return AddTokens(text) || is_new;
}

}  // namespace layoutcheck
