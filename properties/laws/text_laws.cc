// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof && lexer.kind() != TokenKind::kError; lexer.Advance()) {
    tokens.push_back(lexer.token());
  }
  return tokens;
}

// Returns the text with white space or a comment before each token.
std::string WithBlanks(std::string_view text) {
  constexpr std::array<std::string_view, 5> kBlanks = {" ", "/* , */", "\t", "// }\n", "\n"};
  std::string result;
  size_t number = 0;
  for (const Token& token : TokensOf(text)) {
    result += kBlanks[number++ % kBlanks.size()];
    result += token.text;
  }
  return result + " ";
}

// Compares the subject's verdict and canonical text for a shape with the reference's. Returns nothing if they agree.
std::optional<LawResult> Differs(const std::string& text, const ParseAnswer& actual) {
  const auto expected = ParseShape(text);
  if (expected ? actual.ok && actual.text == ToString(*expected) : !actual.ok) return std::nullopt;
  const auto rejected = [](const Error& error) {
    return StrCat("rejected as ", error.kind == ErrorKind::kSyntax ? "malformed: " : "invalid: ", error.ToString());
  };
  return LawResult::Disagree(expected ? ToString(*expected) : rejected(expected.error()),
                             actual.ok ? "accepted as " + actual.text : "rejected: " + actual.error)
      .On(text);
}

// Asks the subject to parse the texts. Returns the first difference or failure, else a declined text, else agreement.
LawResult CheckTexts(Subject& subject, std::span<const std::string> texts) {
  LawResult result = LawResult::Agree();
  size_t k = 0;
  for (const Answer<ParseAnswer>& answer : subject.Parses("shape", texts)) {
    const std::string& text = texts[k++];
    if (const auto* parsed = std::get_if<ParseAnswer>(&answer)) {
      if (auto differs = Differs(text, *parsed)) return *std::move(differs);
    } else if (const auto* declined = std::get_if<Declined>(&answer)) {
      result = NotAnswered(*declined);
    } else {
      return NotAnswered(std::get<Failed>(answer)).On(text);
    }
  }
  return result;
}

template <class Case>
LawResult CheckTextRoundTrip(Subject& subject, const Case& checked) {
  return CheckTexts(subject, std::span(&checked.text, 1));
}

LawResult CheckTextBlanks(Subject& subject, const LayoutCase& layout_case) {
  const std::string text = WithBlanks(layout_case.text);
  return CheckTexts(subject, std::span(&text, 1));
}

LawResult CheckTextRejected(Subject& subject, const LayoutCase& layout_case) {
  const std::vector<Token> tokens = TokensOf(layout_case.text);
  // Mutates the text at four places, which reach all places over many layouts.
  const uint64_t first = HashText(layout_case.text);
  std::vector<std::string> texts;
  for (size_t k = 0; k < 4; ++k) {
    const Token& token = tokens[(first + k * (tokens.size() / 4 + 1)) % tokens.size()];
    const auto begin = static_cast<size_t>(token.column) - 1;
    std::string text = layout_case.text;
    if (k % 2 == 0) {
      text.erase(begin, token.text.size());
    } else {
      text.insert(begin, std::string(token.text) + (token.text.size() > 1 ? " " : ""));
    }
    texts.push_back(text);
    texts.push_back(WithBlanks(text));
  }
  // Removing two tokens makes a list one entry shorter.
  if (tokens.size() > 1) {
    const size_t k = first % (tokens.size() - 1);
    const auto begin = static_cast<size_t>(tokens[k].column) - 1;
    const auto end = static_cast<size_t>(tokens[k + 1].column) - 1 + tokens[k + 1].text.size();
    std::string text = layout_case.text;
    text.erase(begin, end - begin);
    texts.push_back(std::move(text));
  }
  texts.push_back(layout_case.text + " " + std::string(tokens[first % tokens.size()].text));
  return CheckTexts(subject, texts);
}

}  // namespace

std::span<const Law> TextLaws() {
  static constexpr Law kLaws[] = {
      {"text-round-trip", "The canonical text of a valid shape is accepted and printed back unchanged.", "every layout",
       CheckTextRoundTrip<LayoutCase>, CheckTextRoundTrip<HugeCase>},
      {"text-blanks",
       "White space and comments between the tokens of a shape change nothing, and printing what was read is "
       "idempotent.",
       "every layout", CheckTextBlanks},
      {"text-rejected",
       "A shape text with one or two tokens left out, one doubled or one added at the end is rejected if it breaks the "
       "grammar or a rule of validation, and otherwise read as it stands; blanks and comments make no difference.",
       "every layout", CheckTextRejected},
  };
  return kLaws;
}

}  // namespace layoutcheck
