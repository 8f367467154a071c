// Laws about what is read and printed.
#include <array>
#include <vector>

#include "layoutcheck/core/lexer.h"
#include "layoutcheck/core/parser.h"
#include "layoutcheck/core/printer.h"
#include "layoutcheck/properties/law.h"
#include "layoutcheck/properties/laws_internal.h"

namespace layoutcheck {
namespace {

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof && lexer.kind() != TokenKind::kError; lexer.Advance()) {
    tokens.push_back(lexer.token());
  }
  return tokens;
}

// The text with white space or a comment between all tokens.
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

// Whether the subject's verdict on a shape's text is the reference's, canonical text included.
std::optional<LawResult> VerdictDiffers(Subject& subject, const std::string& text) {
  const Answer<ParseAnswer> answer = subject.Parse("shape", text);
  if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
  if (const auto* failed = std::get_if<Failed>(&answer)) {
    LawResult result = NotAnswered(*failed);
    result.text = text;
    return result;
  }
  const auto& actual = std::get<ParseAnswer>(answer);
  const auto expected = ParseShape(text);
  if (expected ? actual.ok && actual.text == ToString(*expected) : !actual.ok) return std::nullopt;
  LawResult result = LawResult::Disagree(
      expected ? ToString(*expected)
               : std::string(expected.error().kind == ErrorKind::kSyntax ? "rejected as malformed: "
                                                                         : "rejected as invalid: ") +
                     expected.error().ToString(),
      actual.ok ? "accepted as " + actual.text : "rejected: " + actual.error);
  result.text = text;
  return result;
}

class TextRoundTripLaw final : public Law {
 public:
  std::string_view name() const override { return "text-round-trip"; }
  std::string_view statement() const override {
    return "The canonical text of a valid shape is accepted and printed back unchanged.";
  }
  std::string_view domain() const override { return "every layout"; }
  LawResult Check(Subject& subject, const LayoutCase& layout_case) const override {
    return VerdictDiffers(subject, layout_case.text).value_or(LawResult::Agree());
  }
  LawResult CheckHuge(Subject& subject, const HugeCase& huge_case) const override {
    return VerdictDiffers(subject, huge_case.text).value_or(LawResult::Agree());
  }
};

class TextBlanksLaw final : public Law {
 public:
  std::string_view name() const override { return "text-blanks"; }
  std::string_view statement() const override {
    return "White space and comments between the tokens of a shape change nothing, and printing what was read is "
           "idempotent.";
  }
  std::string_view domain() const override { return "every layout"; }
  LawResult Check(Subject& subject, const LayoutCase& layout_case) const override {
    return VerdictDiffers(subject, WithBlanks(layout_case.text)).value_or(LawResult::Agree());
  }
};

class TextRejectedLaw final : public Law {
 public:
  std::string_view name() const override { return "text-rejected"; }
  std::string_view statement() const override {
    return "A shape with one or two tokens left out, one doubled or one put at the end is rejected where the grammar "
           "or a rule of validation is broken, "
           "also with "
           "blanks and comments added, and otherwise read as it stands.";
  }
  std::string_view domain() const override { return "every layout"; }
  LawResult Check(Subject& subject, const LayoutCase& layout_case) const override {
    const std::vector<Token> tokens = TokensOf(layout_case.text);
    // Four places a layout, spread over the text; all of them are reached over many layouts.
    const size_t first = std::hash<std::string>()(layout_case.text);
    for (size_t k = 0; k < 4; ++k) {
      const Token& token = tokens[(first + k * (tokens.size() / 4 + 1)) % tokens.size()];
      const auto begin = static_cast<size_t>(token.column) - 1;
      std::string text = layout_case.text;
      if (k % 2 == 0) {
        text.erase(begin, token.text.size());
      } else {
        text.insert(begin, std::string(token.text) + (token.text.size() > 1 ? " " : ""));
      }
      if (const auto differs = VerdictDiffers(subject, text)) return *differs;
      if (const auto differs = VerdictDiffers(subject, WithBlanks(text))) return *differs;
    }
    // A list that is one entry shorter has lost two tokens.
    if (tokens.size() > 1) {
      const size_t k = first % (tokens.size() - 1);
      const auto begin = static_cast<size_t>(tokens[k].column) - 1;
      const auto end = static_cast<size_t>(tokens[k + 1].column) - 1 + tokens[k + 1].text.size();
      std::string text = layout_case.text;
      text.erase(begin, end - begin);
      if (const auto differs = VerdictDiffers(subject, text)) return *differs;
    }
    const std::string longer = layout_case.text + " " + std::string(tokens[first % tokens.size()].text);
    return VerdictDiffers(subject, longer).value_or(LawResult::Agree());
  }
};

}  // namespace

std::span<const Law* const> TextLaws() {
  static const TextRoundTripLaw round_trip;
  static const TextBlanksLaw blanks;
  static const TextRejectedLaw rejected;
  static const Law* const laws[] = {&round_trip, &blanks, &rejected};
  return laws;
}

}  // namespace layoutcheck
