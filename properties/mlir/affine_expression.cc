#include "layoutcheck/properties/mlir/affine_expression.h"

#include <charconv>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

using Kind = AffineExpression::Kind;

constexpr std::pair<Kind, std::string_view> kTight[] = {
    {Kind::kMultiply, "*"}, {Kind::kFloorDiv, "floordiv"}, {Kind::kCeilDiv, "ceildiv"}, {Kind::kMod, "mod"}};

std::string_view OperatorName(Kind kind) {
  for (const auto& [tight, name] : kTight) {
    if (tight == kind) return name;
  }
  return "+";
}

std::unexpected<Error> Invalid(std::string message) {
  return MakeError(ErrorKind::kInvalidArgument, std::move(message));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : cursor_(text, " ") {}

  Expected<AffineExpression> Whole() {
    auto expression = Sum(0);
    if (expression && !cursor_.AtEnd()) return Fail("an operator or the end");
    return expression;
  }

 private:
  static constexpr int kMaxDepth = 64;

  std::unexpected<Error> Fail(std::string_view expected) { return cursor_.Fail(StrCat("expected ", expected)); }

  Expected<AffineExpression> Sum(int depth) {
    auto left = Term(depth);
    while (left) {
      const bool plus = cursor_.Take("+");
      const bool minus = !plus && cursor_.Take("-");
      if (!plus && !minus) break;
      auto right = Term(depth);
      if (!right) return right;
      if (minus) *right = {Kind::kMultiply, 0, {*std::move(right), {Kind::kConstant, -1, {}}}};
      *left = {Kind::kAdd, 0, {*std::move(left), *std::move(right)}};
    }
    return left;
  }

  Expected<AffineExpression> Term(int depth) {
    auto left = Factor(depth);
    for (bool again = true; left && again;) {
      again = false;
      for (const auto& [kind, name] : kTight) {
        if (!cursor_.Take(name)) continue;
        auto right = Factor(depth);
        if (!right) return right;
        *left = {kind, 0, {*std::move(left), *std::move(right)}};
        again = true;
      }
    }
    return left;
  }

  Expected<AffineExpression> Factor(int depth) {
    if (depth > kMaxDepth) return Fail("less nesting");
    if (cursor_.Take("(")) {
      auto inner = Sum(depth + 1);
      if (inner && !cursor_.Take(")")) return Fail("')'");
      return inner;
    }
    AffineExpression leaf;
    const bool signed_factor = cursor_.Sees("-") && cursor_.rest().size() > 1 && !IsDigit(cursor_.rest()[1]);
    if (signed_factor) {
      cursor_.Take("-");
      auto operand = Factor(depth + 1);
      if (!operand) return operand;
      return AffineExpression{Kind::kMultiply, 0, {*std::move(operand), {Kind::kConstant, -1, {}}}};
    }
    if (cursor_.Take("d")) {
      leaf.kind = Kind::kDimension;
    } else if (cursor_.Take("s")) {
      leaf.kind = Kind::kSymbol;
    }
    const Expected<int64_t> value = cursor_.AtBlank() ? cursor_.Unexpected("an integer") : cursor_.TakeInteger();
    if (!value || (leaf.kind != Kind::kConstant && *value < 0)) return Fail("an integer, d0, s0 or '('");
    leaf.value = *value;
    return leaf;
  }

  TextCursor cursor_;
};

// floor(a / b) for b >= 1.
int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

Expected<AffinePoint> AffinePoint::Parse(std::span<const std::string> values) {
  AffinePoint point;
  for (const std::string& text : values) {
    auto& list = text.starts_with('d') ? point.dimensions : point.symbols;
    const std::string name = StrCat(text.starts_with('d') ? "d" : "s", list.size(), "=");
    int64_t value = 0;
    const char* const end = text.data() + text.size();
    if (!text.starts_with(name)) return Invalid(StrCat("expected ", name, "N, got '", text, "'"));
    const auto read = std::from_chars(text.data() + name.size(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return Invalid(StrCat("expected an integer in '", text, "'"));
    list.push_back(value);
  }
  return point;
}

std::vector<std::string> AffinePoint::ToStrings() const {
  std::vector<std::string> values;
  for (size_t k = 0; k < dimensions.size(); ++k) values.push_back(StrCat("d", k, "=", dimensions[k]));
  for (size_t k = 0; k < symbols.size(); ++k) values.push_back(StrCat("s", k, "=", symbols[k]));
  return values;
}

AffineExpression AffineExpression::Draw(Choices& choices, int depth) {
  constexpr uint64_t kLargestConstant = 8;
  const auto constant = [&] {
    return AffineExpression{Kind::kConstant, 1 + static_cast<int64_t>(choices.Choose(kLargestConstant)), {}};
  };
  const uint64_t shape = choices.Choose(depth > 0 ? 12 : 4);
  switch (shape) {
    case 0: return constant();
    case 1: return {Kind::kSymbol, 0, {}};
    case 2: return {Kind::kDimension, 0, {}};
    case 3: return {Kind::kDimension, 1, {}};
    default: break;
  }
  constexpr Kind kOperators[] = {Kind::kAdd,      Kind::kAdd,     Kind::kAdd, Kind::kMultiply,
                                 Kind::kFloorDiv, Kind::kCeilDiv, Kind::kMod, Kind::kFloorDiv};
  const Kind kind = kOperators[shape - 4];
  AffineExpression left = Draw(choices, depth - 1);
  if (kind == Kind::kAdd) {
    AffineExpression right = Draw(choices, depth - 1);
    return {kind, 0, {std::move(left), std::move(right)}};
  }
  AffineExpression right = choices.Choose(2) == 0 ? constant() : AffineExpression{Kind::kSymbol, 0, {}};
  return {kind, 0, {std::move(left), std::move(right)}};
}

Expected<AffineExpression> AffineExpression::Parse(std::string_view text) { return Reader(text).Whole(); }

std::string AffineExpression::ToString() const {
  switch (kind) {
    case Kind::kConstant: return StrCat(value);
    case Kind::kDimension: return StrCat("d", value);
    case Kind::kSymbol: return StrCat("s", value);
    default: break;
  }
  const auto operand = [](const AffineExpression& part) {
    return part.operands.empty() ? part.ToString() : StrCat("(", part.ToString(), ")");
  };
  return StrCat(operand(operands[0]), " ", OperatorName(kind), " ", operand(operands[1]));
}

Expected<int64_t> AffineExpression::Evaluate(const AffinePoint& point) const {
  if (kind == Kind::kConstant) return value;
  if (kind == Kind::kDimension || kind == Kind::kSymbol) {
    const auto& values = kind == Kind::kDimension ? point.dimensions : point.symbols;
    if (static_cast<size_t>(value) < values.size()) return values[static_cast<size_t>(value)];
    return Invalid(StrCat("no value for ", ToString()));
  }
  const auto left = operands[0].Evaluate(point);
  if (!left) return left;
  const auto right = operands[1].Evaluate(point);
  if (!right) return right;
  int64_t result = 0;
  bool overflows = false;
  if (kind == Kind::kAdd) {
    overflows = __builtin_add_overflow(*left, *right, &result);
  } else if (kind == Kind::kMultiply) {
    overflows = __builtin_mul_overflow(*left, *right, &result);
  } else if (*right < 1) {
    return Invalid(StrCat("a divisor of ", *right));
  } else {
    const int64_t quotient = FloorDiv(*left, *right);
    const int64_t rest = *left % *right + (*left % *right < 0 ? *right : 0);
    result = kind == Kind::kMod ? rest : quotient + (kind == Kind::kCeilDiv && rest != 0 ? 1 : 0);
  }
  if (overflows) return MakeError(ErrorKind::kOverflow, "a value outside int64");
  return result;
}

}  // namespace layoutcheck
