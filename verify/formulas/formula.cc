// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/formula.h"
#include <algorithm>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck::verify {
namespace {

constexpr int kMaxDepth = 400;        // of operators and parentheses
constexpr size_t kMaxNodes = 20'000;  // per text
constexpr std::string_view kReserved[] = {"let", "min", "max", "floordiv", "ceildiv", "mod"};

struct BinaryOperator {
  std::string_view spelling;  // a longer one before its start
  int level;                  // a larger one binds tighter
  Operator op;
};
constexpr BinaryOperator kBinaryOperators[] = {
    {"||", 1, Operator::kOr},
    {"&&", 2, Operator::kAnd},
    {"|", 3, Operator::kBitOr},
    {"^", 4, Operator::kBitXor},
    {"&", 5, Operator::kBitAnd},
    {"==", 6, Operator::kEqual},
    {"!=", 6, Operator::kNotEqual},
    {"<<", 8, Operator::kShiftLeft},
    {">>", 8, Operator::kShiftRight},
    {"<=", 7, Operator::kLessEqual},
    {">=", 7, Operator::kGreaterEqual},
    {"<", 7, Operator::kLess},
    {">", 7, Operator::kGreater},
    {"+", 9, Operator::kAdd},
    {"-", 9, Operator::kSubtract},
    {"*", 10, Operator::kMultiply},
    {"/", 10, Operator::kDivide},
    {"%", 10, Operator::kRemainder},
    {"floordiv", 10, Operator::kFloorDiv},
    {"ceildiv", 10, Operator::kCeilDiv},
    {"mod", 10, Operator::kMod},
};

struct Cast {
  std::string_view name;
  int bits;
  bool is_signed;
};
constexpr Cast kCasts[] = {{"int8", 8, true},   {"int16", 16, true},   {"int32", 32, true},   {"int64", 64, true},
                           {"uint8", 8, false}, {"uint16", 16, false}, {"uint32", 32, false}, {"uint64", 64, false}};

const Cast* FindCast(std::string_view word) {
  const auto* const cast = std::ranges::find(kCasts, word, &Cast::name);
  return cast == std::end(kCasts) ? nullptr : cast;
}

class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : cursor_(text, " \t\r\n") {}

  // Reads formulas with commas between them, all within these parentheses.
  Expected<std::vector<Formula>> Run(std::string_view opening, std::string_view closing) {
    std::vector<Formula> formulas;
    if (!opening.empty() && !cursor_.Take(opening)) return cursor_.Unexpected(opening);
    do {
      LAYOUTCHECK_TRY(formula_.root, TakeConditional(0));
      formulas.push_back(std::exchange(formula_, {}));
      depths_.clear();
    } while (cursor_.Take(","));
    const bool is_closed = closing.empty() || cursor_.Take(closing);
    if (!is_closed || !cursor_.AtEnd()) return cursor_.Unexpected("an operator or the end of the formula");
    return formulas;
  }

 private:
  using Node = Expected<uint32_t>;

  Node Add(FormulaNode node) {
    if (++count_ > kMaxNodes) return cursor_.Fail(StrCat("expected at most ", kMaxNodes, " operators and operands"));
    // The tree of a long sum is deep, though its text has no parentheses.
    int depth = 0;
    for (const uint32_t operand : node.operands)
      depth = std::max(depth, operand < depths_.size() ? depths_[operand] : 0);
    for (const uint32_t element : node.elements) depth = std::max(depth, depths_[element]);
    if (depth >= kMaxDepth) return TooDeep();
    depths_.push_back(depth + 1);
    formula_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(formula_.nodes.size() - 1);
  }
  std::unexpected<Error> TooDeep() const {
    return cursor_.Fail(StrCat("expected at most ", kMaxDepth, " levels of operators and parentheses"));
  }
  Node Add(Operator op, uint32_t a, uint32_t b = 0, uint32_t c = 0) { return Add({.op = op, .operands = {a, b, c}}); }

  std::string_view WordHere() {
    cursor_.SkipBlanks();
    const std::string_view rest = cursor_.rest();
    return rest.substr(0, static_cast<size_t>(std::ranges::find_if_not(rest, TextCursor::IsWordByte) - rest.begin()));
  }
  bool TakeWord(std::string_view word) { return WordHere() == word && cursor_.Take(word); }

  Expected<std::string_view> TakeName() {
    const std::string_view word = WordHere();
    const bool is_reserved = std::ranges::find(kReserved, word) != std::end(kReserved) || FindCast(word) != nullptr;
    if (word.empty() || TextCursor::IsDigit(word[0]) || is_reserved) return cursor_.Unexpected("an operand");
    cursor_.Take(word);
    return word;
  }

  Expected<void> Expect(std::string_view token) {
    if (!cursor_.Take(token)) return cursor_.Unexpected(StrCat("an operator or '", token, "'"));
    return {};
  }

  Node TakeConditional(int depth) {
    if (depth > kMaxDepth) return TooDeep();
    if (TakeWord("let")) return TakeLet(depth);
    const Node condition = TakeBinary(1, depth);
    if (!condition || !cursor_.Take("?")) return condition;
    LAYOUTCHECK_TRY(const auto chosen, TakeConditional(depth + 1));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(":"));
    const Node other = TakeConditional(depth + 1);
    return other ? Add(Operator::kConditional, *condition, chosen, *other) : other;
  }

  // Reads "NAME = VALUE in BODY".
  Node TakeLet(int depth) {
    LAYOUTCHECK_TRY(const auto name, TakeName());
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("="));
    LAYOUTCHECK_TRY(const auto value, TakeConditional(depth + 1));
    if (!TakeWord("in")) return cursor_.Unexpected("an operator or 'in'");
    const Node body = TakeConditional(depth + 1);
    return body ? Add({.op = Operator::kLet, .operands = {value, *body}, .name = name}) : body;
  }

  const BinaryOperator* OperatorHere() {
    const std::string_view word = WordHere();
    const auto* const op = std::ranges::find_if(kBinaryOperators, [&](const BinaryOperator& candidate) {
      return TextCursor::IsWordByte(candidate.spelling[0]) ? word == candidate.spelling
                                                           : cursor_.Sees(candidate.spelling);
    });
    return op == std::end(kBinaryOperators) ? nullptr : op;
  }

  Node TakeBinary(int level, int depth) {
    Node left = TakeUnary(depth);
    while (left) {
      const BinaryOperator* const op = OperatorHere();
      if (op == nullptr || op->level < level) return left;
      cursor_.Take(op->spelling);
      LAYOUTCHECK_TRY(const auto right, TakeBinary(op->level + 1, depth + 1));
      left = Add(op->op, *left, right);
    }
    return left;
  }

  Node TakeUnary(int depth) {
    if (depth > kMaxDepth) return TooDeep();
    if (cursor_.Take("+")) return TakeUnary(depth + 1);
    std::optional<Operator> op;
    if (cursor_.Take("-")) op = Operator::kNegate;
    if (!op && cursor_.Take("~")) op = Operator::kComplement;
    if (!op && !cursor_.Sees("!=") && cursor_.Take("!")) op = Operator::kNot;
    if (!op) return TakePrimary(depth);
    const Node operand = TakeUnary(depth + 1);
    return operand ? Add(*op, *operand) : operand;
  }

  Node TakePrimary(int depth) {
    if (cursor_.Take("(")) {
      LAYOUTCHECK_TRY(const auto inside, TakeConditional(depth + 1));
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(")"));
      return inside;
    }
    if (cursor_.Take("[")) return TakeTable(depth);
    const std::string_view word = WordHere();
    if (!word.empty() && TextCursor::IsDigit(word[0])) return TakeNumber(word);
    if (const Cast* const cast = FindCast(word)) {
      cursor_.Take(word);
      LAYOUTCHECK_TRY(const auto operands, TakeArguments(1, depth));
      return Add(
          {.op = Operator::kCast, .operands = {operands.front()}, .number = cast->bits, .is_signed = cast->is_signed});
    }
    if (word == "min" || word == "max") {
      cursor_.Take(word);
      LAYOUTCHECK_TRY(const auto operands, TakeArguments(2, depth));
      return Add(word == "min" ? Operator::kMin : Operator::kMax, operands.front(), operands.back());
    }
    LAYOUTCHECK_TRY(const auto name, TakeName());
    return Add({.op = Operator::kName, .name = name});
  }

  // Reads "(A, B)".
  Expected<std::vector<uint32_t>> TakeArguments(size_t count, int depth) {
    std::vector<uint32_t> arguments;
    for (size_t k = 0; k < count; ++k) {
      LAYOUTCHECK_RETURN_IF_ERROR(Expect(k == 0 ? "(" : ","));
      LAYOUTCHECK_TRY(const auto argument, TakeConditional(depth + 1));
      arguments.push_back(argument);
    }
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(")"));
    return arguments;
  }

  // Reads "A, B][INDEX]".
  Node TakeTable(int depth) {
    FormulaNode table{.op = Operator::kTable};
    do {
      LAYOUTCHECK_TRY(const auto element, TakeConditional(depth + 1));
      table.elements.push_back(element);
    } while (cursor_.Take(","));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("]"));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("["));
    LAYOUTCHECK_TRY(const auto index, TakeConditional(depth + 1));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("]"));
    table.operands[0] = index;
    return Add(std::move(table));
  }

  // Reads a decimal number without leading zeros, or a hexadecimal one after 0x.
  Node TakeNumber(std::string_view word) {
    const bool is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    const size_t begin = cursor_.position();
    if (!is_hexadecimal && word.size() > 1 && word[0] == '0')
      return cursor_.Unexpected("a number without leading zeros");
    if (is_hexadecimal) cursor_.MoveTo(begin + 2);
    if (is_hexadecimal && (word.size() == 2 || !TextCursor::IsWordByte(word[2]))) return cursor_.Unexpected("digits");
    LAYOUTCHECK_TRY(const int64_t number, cursor_.TakeInteger(is_hexadecimal ? 16 : 10));
    if (cursor_.position() != begin + word.size()) return cursor_.Unexpected("an operator after the number");
    return Add({.op = Operator::kNumber, .number = number});
  }

  TextCursor cursor_;
  Formula formula_;
  std::vector<int> depths_;  // of the nodes
  size_t count_ = 0;         // of nodes in all formulas
};

}  // namespace

std::expected<std::vector<Formula>, std::string> ReadFormulas(std::string_view text) {
  Expected<std::vector<Formula>> formulas = FormulaReader(text).Run("(", ")");
  // The parentheses are those of one formula, or there are none around all.
  if (!formulas || formulas->size() == 1) formulas = FormulaReader(text).Run("", "");
  if (!formulas) return std::unexpected(formulas.error().ToString());
  return std::move(*formulas);
}

std::set<std::string_view> BoundNames(const Formula& formula) {
  std::set<std::string_view> names;
  for (const FormulaNode& node : formula.nodes) {
    if (node.op == Operator::kLet) names.insert(node.name);
  }
  return names;
}

// Names are in the order of the nodes, which is that of the text.
void AppendFreeNames(const Formula& formula, std::vector<std::string_view>& names) {
  std::set<std::string_view> known = BoundNames(formula);
  known.insert(names.begin(), names.end());
  for (const FormulaNode& node : formula.nodes) {
    if (node.op == Operator::kName && known.insert(node.name).second) names.push_back(node.name);
  }
}

}  // namespace layoutcheck::verify
