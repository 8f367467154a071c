// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/bounded_question.h"

namespace layoutcheck {
namespace {

constexpr int kMaxWidth = 128;

// Returns the number of bits of the least vector that holds the value as a signed number.
int SignedWidth(Int128 value) {
  int width = 1;
  for (Int128 rest = value < 0 ? -(value + 1) : value; rest > 0; rest /= 2) ++width;
  return width;
}

// Returns the text with each "#n#" replaced by n as a vector of this width, and each "$w$" by the width less w.
std::string WithWidth(const std::string& text, int width) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const char mark = text[at];
    if (mark != '#' && mark != '$') {
      result.push_back(text[at++]);
      continue;
    }
    const size_t end = text.find(mark, at + 1);
    const std::string digits = text.substr(at + 1, end - at - 1);
    if (mark == '$') {
      StrAppend(result, width - std::atoi(digits.c_str()));
    } else if (digits.starts_with('-')) {
      StrAppend(result, "(bvneg (_ bv", digits.substr(1), " ", width, "))");
    } else {
      StrAppend(result, "(_ bv", digits, " ", width, ")");
    }
    at = end + 1;
  }
  return result;
}

// Returns the predicate that is a comparison, or null.
const char* ComparisonOf(FormulaOp op) {
  constexpr const char* kPredicates[] = {"bvslt", "bvsle", "bvsgt", "bvsge", "=", "distinct"};
  const bool is_comparison = op >= FormulaOp::kLess && op <= FormulaOp::kNotEqual;
  return is_comparison ? kPredicates[static_cast<size_t>(op) - static_cast<size_t>(FormulaOp::kLess)] : nullptr;
}

}  // namespace

BitVectorQuery::BitVectorQuery(const FormulaQuestion& question, FiniteBox box)
    : question_(question), box_(std::move(box)) {
  for (size_t k = 0; k < question.variables.size(); ++k) {
    const std::string symbol = SmtSymbol(question.variables[k].name);
    width_ = std::max({width_, SignedWidth(box_.least[k]), SignedWidth(box_.most[k])});
    StrAppend(text_, "(declare-const ", symbol, " (_ BitVec $0$))\n(assert (bvsle #", box_.least[k], "# ", symbol,
              "))\n(assert (bvsle ", symbol, " #", box_.most[k], "#))\n");
  }
  for (const FormulaIndex& index : question.indices) {
    if (!index.size || !index.size->variable) continue;
    StrAppend(text_, "(assert (bvslt ", SmtSymbol(question.variables[index.variable].name), " ",
              SmtSymbol(question.variables[*index.size->variable].name), "))\n");
  }
  for (const FormulaQuestion::BoundFormula& assumption : question.assumptions) {
    const std::optional<Part> part = Read(assumption);
    if (part) StrAppend(text_, "(assert (distinct ", part->symbol, " #0#))\n");
  }
}

void BitVectorQuery::Require(const char* relation, const FormulaQuestion::BoundFormula& a,
                             const FormulaQuestion::BoundFormula& b) {
  const std::optional<Part> first = Read(a);
  const std::optional<Part> second = Read(b);
  if (first && second) StrAppend(text_, "(assert (", relation, " ", first->symbol, " ", second->symbol, "))\n");
}

void BitVectorQuery::RequireDifferentIndices() {
  const size_t rank = question_.indices.size() / 2;
  StrAppend(text_, "(assert (or false");
  for (size_t k = 0; k < rank; ++k) {
    StrAppend(text_, " (distinct ", SmtSymbol(question_.variables[question_.indices[k].variable].name), " ",
              SmtSymbol(question_.variables[question_.indices[rank + k].variable].name), ")");
  }
  StrAppend(text_, "))\n");
}

std::optional<SmtQuery> BitVectorQuery::Finish(const std::string& title) const {
  if (!is_readable_ || width_ > kMaxWidth) return std::nullopt;
  const std::string head =
      SmtHeader("QF_BV", title, "Nothing wraps in vectors of this width; the claim is wrong by the last assertions.",
                SolverAnswer::kUnsat);
  return SmtQuery{.text = StrCat(head, WithWidth(text_, width_), "(check-sat)\n"),
                  .expected = SolverAnswer::kUnsat,
                  .vector_width = width_};
}

std::optional<BitVectorQuery::Part> BitVectorQuery::Read(const FormulaQuestion::BoundFormula& bound) {
  std::vector<Part> parts;
  for (const FormulaNode& node : bound.formula.nodes) {
    std::optional<Part> part;
    if (bound.function) {
      part = std::nullopt;
    } else if (node.op == FormulaOp::kName) {
      const FormulaSize& size = bound.names[node.name];
      part = size.variable ? Part{SmtSymbol(question_.variables[*size.variable].name), box_.least[*size.variable],
                                  box_.most[*size.variable]}
                           : Number(size.number);
    } else {
      part = ReadNode(bound.formula, node, parts);
    }
    if (!part) {
      is_readable_ = false;
      return std::nullopt;
    }
    parts.push_back(std::move(*part));
  }
  return parts.back();
}

BitVectorQuery::Part BitVectorQuery::Number(Int128 value) {
  width_ = std::max(width_, SignedWidth(value));
  return {StrCat("#", ToDecimal(value), "#"), value, value};
}

std::optional<BitVectorQuery::Part> BitVectorQuery::Define(std::string text, WideInteger least, WideInteger most) {
  if (least.overflow || most.overflow) return std::nullopt;
  width_ = std::max({width_, SignedWidth(least.value), SignedWidth(most.value)});
  Part part{StrCat("part!", parts_++), least.value, most.value};
  StrAppend(text_, "(define-fun ", part.symbol, " () (_ BitVec $0$) ", text, ")\n");
  return part;
}

std::optional<BitVectorQuery::Part> BitVectorQuery::DefineTruth(const std::string& claim) {
  return Define(StrCat("(ite ", claim, " #1# #0#)"), 0, 1);
}

std::optional<BitVectorQuery::Part> BitVectorQuery::ReadNode(const Formula& formula, const FormulaNode& node,
                                                             const std::vector<Part>& parts) {
  const auto operand = [&](size_t k) -> const Part& { return parts[node.operands[k]]; };
  const auto is_true = [&](size_t k) { return StrCat("(distinct ", operand(k).symbol, " #0#)"); };
  switch (node.op) {
    case FormulaOp::kLiteral: return Number(node.value);
    case FormulaOp::kLetName: return operand(0);
    case FormulaOp::kLet: return operand(1);
    case FormulaOp::kNegate: return ReadBinary(FormulaOp::kSubtract, Number(0), operand(0));
    case FormulaOp::kComplement: return ReadBinary(FormulaOp::kSubtract, Number(-1), operand(0));
    case FormulaOp::kNot: return DefineTruth(StrCat("(= ", operand(0).symbol, " #0#)"));
    case FormulaOp::kToSigned:
    case FormulaOp::kToUnsigned: return ReadCast(node, operand(0));
    case FormulaOp::kAnd: return DefineTruth(StrCat("(and ", is_true(0), " ", is_true(1), ")"));
    case FormulaOp::kOr: return DefineTruth(StrCat("(or ", is_true(0), " ", is_true(1), ")"));
    case FormulaOp::kConditional:
      return Define(StrCat("(ite ", is_true(0), " ", operand(1).symbol, " ", operand(2).symbol, ")"),
                    std::min(operand(1).least, operand(2).least), std::max(operand(1).most, operand(2).most));
    case FormulaOp::kTable: {
      std::vector<Part> elements;
      for (const uint32_t element : TableElements(formula, node)) elements.push_back(parts[element]);
      return ReadTable(elements, operand(0));
    }
    default: return ReadBinary(node.op, operand(0), operand(1));
  }
}

std::optional<BitVectorQuery::Part> BitVectorQuery::ReadBinary(FormulaOp op, const Part& a, const Part& b) {
  const WideInteger a_least = a.least, a_most = a.most, b_least = b.least, b_most = b.most;
  const auto call = [&](const char* function) { return StrCat("(", function, " ", a.symbol, " ", b.symbol, ")"); };
  if (const char* const comparison = ComparisonOf(op)) return DefineTruth(call(comparison));
  switch (op) {
    case FormulaOp::kAdd: return Define(call("bvadd"), a_least + b_least, a_most + b_most);
    case FormulaOp::kSubtract: return Define(call("bvsub"), a_least - b_most, a_most - b_least);
    case FormulaOp::kMultiply: {
      WideInteger least = a_least * b_least;
      WideInteger most = least;
      for (const WideInteger corner : {a_least * b_most, a_most * b_least, a_most * b_most}) {
        if (corner.overflow || least.overflow) return std::nullopt;
        least = std::min(least.value, corner.value);
        most = std::max(most.value, corner.value);
      }
      return Define(call("bvmul"), least, most);
    }
    case FormulaOp::kMin:
      return Define(StrCat("(ite ", call("bvslt"), " ", a.symbol, " ", b.symbol, ")"), std::min(a.least, b.least),
                    std::min(a.most, b.most));
    case FormulaOp::kMax:
      return Define(StrCat("(ite ", call("bvslt"), " ", b.symbol, " ", a.symbol, ")"), std::max(a.least, b.least),
                    std::max(a.most, b.most));
    case FormulaOp::kFloorDiv:
    case FormulaOp::kCeilDiv:
    case FormulaOp::kMod:
    case FormulaOp::kDivide:
    case FormulaOp::kRemainder: return ReadDivision(op, a, b);
    default: return ReadBits(op, a, b);
  }
}

std::optional<BitVectorQuery::Part> BitVectorQuery::ReadDivision(FormulaOp op, const Part& a, const Part& b) {
  if (a.least < 0 || b.least < 1) return std::nullopt;
  if (op == FormulaOp::kCeilDiv) {
    const std::optional<Part> last = ReadBinary(FormulaOp::kSubtract, b, Number(1));
    const std::optional<Part> sum = last ? ReadBinary(FormulaOp::kAdd, a, *last) : std::nullopt;
    return sum ? ReadDivision(FormulaOp::kFloorDiv, *sum, b) : std::nullopt;
  }
  const auto call = [&](const char* function) { return StrCat("(", function, " ", a.symbol, " ", b.symbol, ")"); };
  if (op == FormulaOp::kMod || op == FormulaOp::kRemainder) {
    return Define(call("bvurem"), 0, std::min(a.most, b.most - 1));
  }
  return Define(call("bvudiv"), a.least / b.most, a.most / b.least);
}

std::optional<BitVectorQuery::Part> BitVectorQuery::ReadBits(FormulaOp op, const Part& a, const Part& b) {
  const auto call = [&](const char* function) { return StrCat("(", function, " ", a.symbol, " ", b.symbol, ")"); };
  if (op == FormulaOp::kShiftLeft || op == FormulaOp::kShiftRight) {
    if (b.least < 0 || b.most > 63) return std::nullopt;
    const auto power = [](Int128 exponent) { return WideInteger(Int128{1} << static_cast<int>(exponent)); };
    if (op == FormulaOp::kShiftLeft) {
      return Define(call("bvshl"), WideInteger(a.least) * power(a.least < 0 ? b.most : b.least),
                    WideInteger(a.most) * power(a.most < 0 ? b.least : b.most));
    }
    return Define(call("bvashr"), FloorDiv(WideInteger(a.least), power(a.least < 0 ? b.least : b.most)),
                  FloorDiv(WideInteger(a.most), power(a.most < 0 ? b.most : b.least)));
  }
  // The result has no more bits than the wider operand, and is negative only if an operand is.
  const int width = std::max({SignedWidth(a.least), SignedWidth(a.most), SignedWidth(b.least), SignedWidth(b.most)});
  if (width >= kMaxWidth - 1) return std::nullopt;
  const Int128 past = Int128{1} << (width - 1);
  const bool may_be_negative = a.least < 0 || b.least < 0;
  const char* const function = op == FormulaOp::kBitAnd ? "bvand" : op == FormulaOp::kBitXor ? "bvxor" : "bvor";
  Int128 most = past - 1;
  if (op == FormulaOp::kBitAnd && !may_be_negative) most = std::min(a.most, b.most);
  return Define(call(function), may_be_negative ? -past : 0, most);
}

std::optional<BitVectorQuery::Part> BitVectorQuery::ReadCast(const FormulaNode& node, const Part& a) {
  const int width = static_cast<int>(node.value);
  const Int128 modulus = Int128{1} << width;
  const bool is_signed = node.op == FormulaOp::kToSigned;
  const Int128 least = is_signed ? -(modulus / 2) : 0;
  const Int128 most = is_signed ? modulus / 2 - 1 : modulus - 1;
  if (a.least >= least && a.most <= most) return a;
  width_ = std::max(width_, width + 1);
  const std::string low = StrCat("((_ extract ", width - 1, " 0) ", a.symbol, ")");
  return Define(StrCat("((_ ", is_signed ? "sign" : "zero", "_extend $", width, "$) ", low, ")"), least, most);
}

std::optional<BitVectorQuery::Part> BitVectorQuery::ReadTable(const std::vector<Part>& elements, const Part& index) {
  if (index.least < 0 || index.most >= std::ssize(elements)) return std::nullopt;
  Part result = elements.back();
  for (size_t k = elements.size() - 1; k-- > 0;) {
    const auto next =
        Define(StrCat("(ite (= ", index.symbol, " #", k, "#) ", elements[k].symbol, " ", result.symbol, ")"),
               std::min(result.least, elements[k].least), std::max(result.most, elements[k].most));
    if (!next) return std::nullopt;
    result = *next;
  }
  return result;
}

}  // namespace layoutcheck
