// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/axis/axis_expression.h"
#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

struct OpRow {
  std::string_view name;
  AxisForm form;
};

// The operations in the order of AxisOp.
constexpr OpRow kOps[] = {
    {"range", AxisForm::kRange},         {"constant", AxisForm::kConstant},
    {"argument", AxisForm::kArgument},   {"expand_dims", AxisForm::kExpandDims},
    {"broadcast", AxisForm::kBroadcast}, {"extsi", AxisForm::kUnary},
    {"extui", AxisForm::kUnary},         {"trunci", AxisForm::kUnary},
    {"addi", AxisForm::kBinary},         {"subi", AxisForm::kBinary},
    {"muli", AxisForm::kBinary},         {"divsi", AxisForm::kBinary},
    {"divui", AxisForm::kBinary},        {"remsi", AxisForm::kBinary},
    {"remui", AxisForm::kBinary},        {"andi", AxisForm::kBinary},
    {"ori", AxisForm::kBinary},          {"xori", AxisForm::kBinary},
    {"shli", AxisForm::kBinary},         {"shrsi", AxisForm::kBinary},
    {"shrui", AxisForm::kBinary},        {"minsi", AxisForm::kBinary},
    {"maxsi", AxisForm::kBinary},        {"minui", AxisForm::kBinary},
    {"maxui", AxisForm::kBinary},        {"eq", AxisForm::kBinary},
    {"ne", AxisForm::kBinary},           {"slt", AxisForm::kBinary},
    {"sle", AxisForm::kBinary},          {"sgt", AxisForm::kBinary},
    {"sge", AxisForm::kBinary},          {"ult", AxisForm::kBinary},
    {"ule", AxisForm::kBinary},          {"ugt", AxisForm::kBinary},
    {"uge", AxisForm::kBinary},          {"select", AxisForm::kSelect},
    {"branch", AxisForm::kNamed},        {"loop", AxisForm::kNamed},
};
static_assert(std::size(kOps) == static_cast<size_t>(AxisOp::kLoop) + 1);

constexpr int64_t kLargestDivisor = int64_t{1} << 30;
constexpr int kMostNested = 64;

std::optional<AxisOp> OpOfName(std::string_view name) {
  const auto* const found = std::ranges::find(kOps, name, &OpRow::name);
  return found == std::end(kOps) ? std::nullopt : std::optional(static_cast<AxisOp>(found - std::begin(kOps)));
}

bool IsBitwise(AxisOp op) { return op == AxisOp::kAndI || op == AxisOp::kOrI || op == AxisOp::kXOrI; }

bool IsPowerOfTwo(int64_t n) { return n > 0 && std::has_single_bit(static_cast<uint64_t>(n)); }

std::string TypeText(const AxisExpression& e) { return StrCat("i", e.bits, "[", StrJoin(e.sizes, ","), "]"); }

Expected<void> CheckSizes(const std::vector<int64_t>& sizes) {
  if (sizes.empty()) return ArgumentError("expected at least one dimension");
  for (const int64_t size : sizes) {
    if (!IsPowerOfTwo(size)) return ArgumentError("size ", size, ": expected a power of two");
  }
  const CheckedInt64 elements = ProductOfSizes(sizes);
  if (!elements.overflow && elements.value <= AxisExpression::kMostElements) return {};
  return ArgumentError("more elements than ", AxisExpression::kMostElements);
}

Expected<void> CheckOperand(const AxisExpression& e, size_t k, const AxisExpression& like, bool is_condition) {
  const AxisExpression& operand = e.operands[k];
  const bool fits = operand.sizes == like.sizes && operand.bits == (is_condition ? 1 : like.bits);
  if (fits) return {};
  const std::string expected = is_condition ? StrCat("i1[", StrJoin(like.sizes, ","), "]") : TypeText(like);
  return ArgumentError("operand ", k + 1, " of ", AxisOpName(e.op), " is ", TypeText(operand), ", expected ", expected);
}

Expected<void> TypeLeaf(AxisExpression& e) {
  if (e.number < std::numeric_limits<int32_t>::min() || e.number > std::numeric_limits<int32_t>::max()) {
    return ArgumentError("the number ", e.number, " does not fit 32 bits");
  }
  if (e.op == AxisOp::kRange && (e.number < 0 || e.sizes.size() != 1)) {
    return ArgumentError("expected a range with one size that begins at 0 or above");
  }
  if (e.op == AxisOp::kArgument && (!IsPowerOfTwo(e.number) || e.number > kLargestDivisor)) {
    return ArgumentError("divisor ", e.number, ": expected a power of two up to ", kLargestDivisor);
  }
  LAYOUTCHECK_RETURN_IF_ERROR(CheckSizes(e.sizes));
  if (e.op == AxisOp::kRange && e.number > std::numeric_limits<int32_t>::max() - e.sizes[0] + 1) {
    return ArgumentError("the range ends past 32 bits");
  }
  return {};
}

Expected<void> TypeBroadcast(AxisExpression& e) {
  const std::vector<int64_t>& from = e.operands[0].sizes;
  LAYOUTCHECK_RETURN_IF_ERROR(CheckSizes(e.sizes));
  bool fits = from.size() == e.sizes.size();
  for (size_t d = 0; fits && d < from.size(); ++d) fits = from[d] == e.sizes[d] || from[d] == 1;
  if (fits) return {};
  return ArgumentError("cannot broadcast ", TypeText(e.operands[0]), " to [", StrJoin(e.sizes, ","), "]");
}

Expected<void> TypeCast(AxisExpression& e) {
  const int from = e.op == AxisOp::kTruncI ? 64 : 32;
  if (e.operands[0].bits != from) {
    return ArgumentError("operand 1 of ", AxisOpName(e.op), " is ", TypeText(e.operands[0]), ", expected i", from);
  }
  e.bits = from == 64 ? 32 : 64;
  return {};
}

Expected<void> TypeOperands(AxisExpression& e) {
  const bool is_select = e.op == AxisOp::kSelect;
  const AxisExpression& like = e.operands[is_select ? 1 : 0];
  for (size_t k = 0; k < e.operands.size(); ++k) {
    LAYOUTCHECK_RETURN_IF_ERROR(CheckOperand(e, k, like, is_select && k == 0));
  }
  if (like.bits == 1 && !IsBitwise(e.op)) {
    return ArgumentError(AxisOpName(e.op), " takes no single bits, expected i32 or i64");
  }
  e.bits = IsComparison(e.op) ? 1 : like.bits;
  return {};
}

Expected<void> SetType(AxisExpression& e) {
  switch (AxisFormOf(e.op)) {
    case AxisForm::kRange:
    case AxisForm::kConstant:
    case AxisForm::kArgument: e.bits = 32; return TypeLeaf(e);
    case AxisForm::kExpandDims: {
      e.sizes = e.operands[0].sizes;
      const auto rank = std::ssize(e.sizes);
      if (e.number < 0 || e.number > rank) return ArgumentError("place ", e.number, ": expected 0 to ", rank);
      e.sizes.insert(e.sizes.begin() + e.number, 1);
      e.bits = e.operands[0].bits;
      return {};
    }
    case AxisForm::kBroadcast: e.bits = e.operands[0].bits; return TypeBroadcast(e);
    case AxisForm::kUnary: e.sizes = e.operands[0].sizes; return TypeCast(e);
    case AxisForm::kBinary:
    case AxisForm::kSelect:
    case AxisForm::kNamed: e.sizes = e.operands[0].sizes; return TypeOperands(e);
  }
  std::unreachable();
}

class AxisParser {
 public:
  explicit AxisParser(std::string_view text) : at_(text) {}

  Expected<AxisExpression> Parse() {
    LAYOUTCHECK_TRY(auto expression, Read(kMostNested));
    if (!at_.AtEnd()) return at_.Unexpected("the end of the expression");
    return expression;
  }

 private:
  Expected<void> Expect(std::string_view token) {
    if (at_.Take(token)) return {};
    return at_.Unexpected(StrCat("'", token, "'"));
  }

  Expected<void> ReadNumber(int64_t& number) {
    LAYOUTCHECK_TRY(number, at_.TakeInteger());
    return {};
  }

  Expected<void> ReadSizes(std::vector<int64_t>& sizes) {
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
    return at_.TakeList("[", "]", "sizes", [&] { return ReadNumber(sizes.emplace_back()); });
  }

  Expected<void> ReadName(std::string& name) {
    at_.SkipBlanks();
    if (!TextCursor::IsLetter(at_.byte())) return at_.Unexpected("a name");
    name = at_.TakeWhile(TextCursor::IsWordByte);
    return {};
  }

  Expected<void> ReadOperands(AxisExpression& e, size_t count, int depth) {
    for (size_t k = 0; k < count; ++k) {
      if (k > 0) LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
      LAYOUTCHECK_TRY(e.operands.emplace_back(), Read(depth - 1));
    }
    return {};
  }

  Expected<void> ReadRange(AxisExpression& e) {
    LAYOUTCHECK_RETURN_IF_ERROR(ReadNumber(e.number));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
    int64_t end = 0;
    LAYOUTCHECK_RETURN_IF_ERROR(ReadNumber(end));
    const CheckedInt64 size = CheckedInt64(end) - CheckedInt64(e.number);
    if (size.overflow) return at_.Fail("the range does not fit 32 bits");
    e.sizes = {size.value};
    return {};
  }

  Expected<void> ReadInside(AxisExpression& e, int depth) {
    switch (AxisFormOf(e.op)) {
      case AxisForm::kRange: return ReadRange(e);
      case AxisForm::kConstant: LAYOUTCHECK_RETURN_IF_ERROR(ReadNumber(e.number)); return ReadSizes(e.sizes);
      case AxisForm::kArgument:
        LAYOUTCHECK_RETURN_IF_ERROR(ReadName(e.name));
        LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
        LAYOUTCHECK_RETURN_IF_ERROR(ReadNumber(e.number));
        return ReadSizes(e.sizes);
      case AxisForm::kExpandDims:
        LAYOUTCHECK_RETURN_IF_ERROR(ReadOperands(e, 1, depth));
        LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
        return ReadNumber(e.number);
      case AxisForm::kBroadcast: LAYOUTCHECK_RETURN_IF_ERROR(ReadOperands(e, 1, depth)); return ReadSizes(e.sizes);
      case AxisForm::kUnary: return ReadOperands(e, 1, depth);
      case AxisForm::kBinary: return ReadOperands(e, 2, depth);
      case AxisForm::kSelect: return ReadOperands(e, 3, depth);
      case AxisForm::kNamed:
        LAYOUTCHECK_RETURN_IF_ERROR(ReadName(e.name));
        LAYOUTCHECK_RETURN_IF_ERROR(Expect(","));
        return ReadOperands(e, 2, depth);
    }
    std::unreachable();
  }

  Expected<AxisExpression> Read(int depth) {
    const int64_t column = at_.NextColumn();
    if (depth == 0) return at_.Fail(StrCat("more than ", kMostNested, " operations within each other"));
    const auto op = OpOfName(at_.TakeWhile(TextCursor::IsWordByte));
    if (!op) return SyntaxErrorAt(column, "expected an operation such as addi(x,y) or range(0,8)");
    AxisExpression untyped;
    untyped.op = *op;
    LAYOUTCHECK_RETURN_IF_ERROR(Expect("("));
    LAYOUTCHECK_RETURN_IF_ERROR(ReadInside(untyped, depth));
    LAYOUTCHECK_RETURN_IF_ERROR(Expect(")"));
    auto typed = AxisExpression::Create(std::move(untyped));
    if (!typed) return ErrorAt(column, std::move(typed.error()));
    return typed;
  }

  TextCursor at_;
};

Expected<void> AddNames(const AxisExpression& e, std::map<std::string, AxisName>& names) {
  for (const AxisExpression& operand : e.operands) LAYOUTCHECK_RETURN_IF_ERROR(AddNames(operand, names));
  if (e.name.empty()) return {};
  const int64_t divisor = e.op == AxisOp::kArgument ? e.number : 1;
  const auto [entry, is_new] = names.try_emplace(e.name, AxisName{e.op, divisor});
  if (entry->second.op != e.op) {
    return ArgumentError("the name ", e.name, " is that of two things: ", AxisOpName(entry->second.op), " and ",
                         AxisOpName(e.op));
  }
  entry->second.divisor = std::max(entry->second.divisor, divisor);
  return {};
}

}  // namespace

std::string_view AxisOpName(AxisOp op) { return kOps[static_cast<size_t>(op)].name; }
AxisForm AxisFormOf(AxisOp op) { return kOps[static_cast<size_t>(op)].form; }
bool IsComparison(AxisOp op) { return op >= AxisOp::kEq && op <= AxisOp::kUge; }

Expected<AxisExpression> AxisExpression::Create(AxisExpression untyped) {
  LAYOUTCHECK_RETURN_IF_ERROR(SetType(untyped));
  return untyped;
}

Expected<AxisExpression> AxisExpression::Parse(std::string_view text) {
  LAYOUTCHECK_TRY(auto expression, AxisParser(text).Parse());
  if (const auto names = AxisNames(expression); !names) return ErrorAt(1, names.error());
  return expression;
}

std::string AxisExpression::ToString() const {
  std::vector<std::string> parts;
  const AxisForm form = AxisFormOf(op);
  if (!name.empty()) parts.push_back(name);
  for (const AxisExpression& operand : operands) parts.push_back(operand.ToString());
  if (form != AxisForm::kBroadcast && operands.size() < 2 && form != AxisForm::kUnary) parts.push_back(StrCat(number));
  if (form == AxisForm::kRange) parts.push_back(StrCat(number + sizes[0]));
  if (form == AxisForm::kConstant || form == AxisForm::kArgument || form == AxisForm::kBroadcast) {
    parts.push_back(StrCat("[", StrJoin(sizes, ","), "]"));
  }
  return StrCat(AxisOpName(op), "(", StrJoin(parts, ","), ")");
}

bool IsAxisExpressionText(std::string_view text) {
  TextCursor at(text);
  at.SkipBlanks();
  return OpOfName(at.TakeWhile(TextCursor::IsWordByte)) && at.Sees("(");
}

Expected<std::map<std::string, AxisName>> AxisNames(const AxisExpression& expression) {
  std::map<std::string, AxisName> names;
  LAYOUTCHECK_RETURN_IF_ERROR(AddNames(expression, names));
  return names;
}

}  // namespace layoutcheck
