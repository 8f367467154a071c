// Precedence climbing over the text itself: formulas are short, and an operator is at most eight letters.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula/formula.h"
#include "layoutcheck/solver/formula/formula_operators.h"

namespace layoutcheck {
namespace {

constexpr const char* kOperand = "an operand (a number, a name, '(', '-', '!', min or max)";
constexpr std::array<std::string_view, 5> kWords = {"floordiv", "ceildiv", "mod", "min", "max"};

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { formula_.text = std::string(text); }

  Expected<Formula> Run() {
    const Expected<Tree> root = Conditional(0);
    if (!root) return std::unexpected(root.error());
    if (SkipBlanks() < text_.size()) return Wrong("an operator or end of text");
    return std::move(formula_);
  }

 private:
  struct Tree {
    uint32_t node;
    int depth;
  };

  Expected<Tree> Conditional(int nesting) {
    Expected<Tree> condition = Binary(kLoosestBinaryLevel, nesting);
    if (!condition) return condition;
    const size_t at = SkipBlanks();
    if (!Take("?")) return condition;
    const Expected<Tree> chosen = Conditional(nesting + 1);
    if (!chosen) return chosen;
    SkipBlanks();
    if (!Take(":")) return Wrong("an operator or ':', the other half of '?'");
    const Expected<Tree> other = Conditional(nesting + 1);
    if (!other) return other;
    return Make(FormulaOp::kConditional, at, {*condition, *chosen, *other});
  }

  // Operators of this level and tighter ones.
  Expected<Tree> Binary(int level, int nesting) {
    Expected<Tree> left = Unary(nesting);
    while (left) {
      const size_t at = SkipBlanks();
      const FormulaOperator* op = OperatorHere();
      if (op == nullptr || op->level < level) return left;
      position_ += op->spelling.size();
      const Expected<Tree> right = Binary(op->level + 1, nesting + 1);
      if (!right) return right;
      left = Make(op->op, at, {*left, *right});
    }
    return left;
  }

  Expected<Tree> Unary(int nesting) {
    if (nesting > kMaxFormulaDepth) return TooDeep(position_);
    const size_t at = SkipBlanks();
    if (Take("+")) return Unary(nesting + 1);
    const bool minus = Take("-");
    if (!minus && (Here("!=") || !Take("!"))) return Primary(nesting);
    const Expected<Tree> operand = Unary(nesting + 1);
    if (!operand) return operand;
    return Make(minus ? FormulaOp::kNegate : FormulaOp::kNot, at, {*operand});
  }

  Expected<Tree> Primary(int nesting) {
    const size_t at = position_;
    if (Take("(")) {
      const Expected<Tree> inside = Conditional(nesting + 1);
      if (!inside) return inside;
      return Close(*inside);
    }
    if (at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at]))) return Literal();
    if (at >= text_.size() || !IsLetter(text_[at])) return Wrong(kOperand);
    const std::string_view word = WordHere();
    if (word == "min" || word == "max") {
      position_ += word.size();
      return Function(word == "min" ? FormulaOp::kMin : FormulaOp::kMax, at, nesting);
    }
    if (std::ranges::find(kWords, word) != kWords.end()) return Wrong(kOperand);
    position_ += word.size();
    const auto known = std::ranges::find(formula_.names, word);
    const auto number = static_cast<uint32_t>(known - formula_.names.begin());
    if (known == formula_.names.end()) formula_.names.emplace_back(word);
    Expected<Tree> name = Make(FormulaOp::kName, at, {});
    if (name) formula_.nodes.back().name = number;
    return name;
  }

  Expected<Tree> Function(FormulaOp op, size_t at, int nesting) {
    SkipBlanks();
    if (!Take("(")) return Wrong("'(' after min or max");
    const Expected<Tree> first = Conditional(nesting + 1);
    if (!first) return first;
    SkipBlanks();
    if (!Take(",")) return Wrong("an operator or ',' and the second of two arguments");
    const Expected<Tree> second = Conditional(nesting + 1);
    if (!second) return second;
    const Expected<Tree> call = Make(op, at, {*first, *second});
    if (!call) return call;
    return Close(*call);
  }

  Expected<Tree> Literal() {
    const size_t at = position_;
    const bool hexadecimal = Here("0x") || Here("0X");
    const char* begin = text_.data() + at + (hexadecimal ? 2 : 0);
    const char* end = text_.data() + text_.size();
    int64_t value = 0;
    const auto read = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
    if (read.ec == std::errc::result_out_of_range) {
      return Error(at, StrCat("expected an integer of at most ", std::numeric_limits<int64_t>::max(), ", found ",
                              std::string_view(text_.data() + at, read.ptr)));
    }
    // "-5" is a negation: from_chars would read the sign.
    if (read.ec != std::errc() || *begin == '-') return Error(at, "expected hexadecimal digits after '0x'");
    if (!hexadecimal && *begin == '0' && read.ptr > begin + 1) {
      return Error(at, "expected a decimal integer without leading zeros, or 0x and hexadecimal digits");
    }
    position_ = static_cast<size_t>(read.ptr - text_.data());
    if (position_ < text_.size() && IsWordCharacter(text_[position_])) {
      return Wrong("an operator or end of text after the integer");
    }
    Expected<Tree> literal = Make(FormulaOp::kLiteral, at, {});
    if (literal) formula_.nodes.back().value = value;
    return literal;
  }

  Expected<Tree> Close(Tree tree) {
    SkipBlanks();
    if (!Take(")")) return Wrong("an operator or ')'");
    return tree;
  }

  Expected<Tree> Make(FormulaOp op, size_t at, std::initializer_list<Tree> operands) {
    FormulaNode node{.op = op, .column = static_cast<int64_t>(at) + 1};
    int depth = 0;
    size_t k = 0;
    for (const Tree& operand : operands) {
      node.operands[k++] = operand.node;
      depth = std::max(depth, operand.depth);
    }
    // A long sum leans to the left: its tree is deep although its text has no parentheses.
    if (depth >= kMaxFormulaDepth) return TooDeep(at);
    if (formula_.nodes.size() == kMaxFormulaNodes) {
      return Error(at, StrCat("expected at most ", kMaxFormulaNodes, " operators and operands"));
    }
    formula_.nodes.push_back(node);
    return Tree{formula_.root(), depth + 1};
  }

  size_t SkipBlanks() {
    while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
    return position_;
  }

  bool Here(std::string_view token) const { return text_.substr(position_).starts_with(token); }
  bool Take(std::string_view token) {
    if (!Here(token)) return false;
    position_ += token.size();
    return true;
  }

  std::string_view WordHere() const {
    size_t end = position_;
    while (end < text_.size() && IsWordCharacter(text_[end])) ++end;
    return text_.substr(position_, end - position_);
  }

  const FormulaOperator* OperatorHere() const {
    for (const FormulaOperator& op : FormulaOperators()) {
      if (IsLetter(op.spelling[0]) ? WordHere() == op.spelling : Here(op.spelling)) return &op;
    }
    return nullptr;
  }

  std::unexpected<layoutcheck::Error> Error(size_t at, std::string message) const {
    return MakeError(ErrorKind::kSyntax, std::move(message), static_cast<int64_t>(at) + 1);
  }
  std::unexpected<layoutcheck::Error> TooDeep(size_t at) const {
    return Error(at, StrCat("expected at most ", kMaxFormulaDepth, " levels of operators and parentheses"));
  }

  // What was expected at the current position, and what stands there.
  std::unexpected<layoutcheck::Error> Wrong(std::string_view expected) {
    const size_t at = SkipBlanks();
    std::string found = "end of text";
    if (at < text_.size()) {
      const std::string_view word = WordHere();
      const auto byte = static_cast<unsigned char>(text_[at]);
      if (!word.empty()) {
        found = StrCat("'", word.substr(0, 40), "'");
      } else if (byte >= ' ' && byte < 0x7f) {
        found = StrCat("'", text_[at], "'");
      } else {
        found = StrCat("byte ", static_cast<int>(byte));
      }
    }
    return Error(at, StrCat("expected ", expected, ", found ", found));
  }

  std::string_view text_;
  size_t position_ = 0;
  Formula formula_;
};

}  // namespace

Expected<Formula> ParseFormula(std::string_view text) { return Parser(text).Run(); }

}  // namespace layoutcheck
