// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/axis/axis_analysis.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/properties/axis/axis_value.h"

namespace layoutcheck {
namespace {

int64_t DivisorOfProduct(int64_t a, int64_t b) { return a > kLargestAxisDivisor / b ? kLargestAxisDivisor : a * b; }

// Returns the claim of a result whose groups of `contiguity` elements are those of one operand or of the other.
AxisClaim Join(const AxisClaim& a, const AxisClaim& b, int64_t contiguity) {
  return {contiguity, std::min(a.DivisorAt(contiguity), b.DivisorAt(contiguity)), std::min(a.constancy, b.constancy)};
}

// Returns the size of groups in which x runs from a multiple of the size while y is one multiple of it.
int64_t RunAgainstConstant(const AxisClaim& x, const AxisClaim& y) {
  return std::min({x.AlignedRun(), y.constancy, y.DivisorOfAll()});
}

AxisClaim Add(const AxisClaim& a, const AxisClaim& b) {
  return Join(a, b, std::max(std::min(a.contiguity, b.constancy), std::min(a.constancy, b.contiguity)));
}

AxisClaim Multiply(const AxisClaim& a, const AxisClaim& b) {
  return {1, DivisorOfProduct(a.DivisorOfAll(), b.DivisorOfAll()), std::min(a.constancy, b.constancy)};
}

// Returns the claim of a / b for a known divisor that every element of `a` is a multiple of, if it is a power of two.
int64_t DivisorOfQuotient(const AxisClaim& a, std::optional<int64_t> b) {
  if (!b || *b == 0) return 1;
  const int64_t divisor = AxisDivisorOf(*b);
  const bool is_power = divisor == *b || -divisor == *b;
  return is_power ? std::max<int64_t>(a.DivisorOfAll() / divisor, 1) : 1;
}

// Truncation makes the groups of a negative dividend uneven: -4, -3, -2, -1 divided by 4 are -1, 0, 0, 0.
AxisClaim Divide(const AxisClaim& a, const AxisClaim& b, std::optional<int64_t> divisor, bool rounds_down) {
  const int64_t constancy = std::min(a.constancy, b.constancy);
  return {1, DivisorOfQuotient(a, divisor), rounds_down ? std::max(constancy, RunAgainstConstant(a, b)) : constancy};
}

AxisClaim Remainder(const AxisClaim& a, const AxisClaim& b, bool rounds_down) {
  AxisClaim result = Join(a, b, rounds_down ? RunAgainstConstant(a, b) : 1);
  result.divisibility = std::min(a.DivisorAt(result.contiguity), b.DivisorOfAll());
  return result;
}

AxisClaim Bitwise(AxisOp op, const AxisClaim& a, const AxisClaim& b) {
  AxisClaim result = Join(a, b, 1);
  if (op == AxisOp::kAndI) result.divisibility = std::max(a.DivisorOfAll(), b.DivisorOfAll());
  return result;
}

AxisClaim ShiftRight(const AxisClaim& a, const AxisClaim& b, std::optional<int64_t> amount) {
  AxisClaim result{1, 1, std::min(a.constancy, b.constancy)};
  if (!amount) return result;
  const int64_t divisor = *amount >= 0 && *amount < 62 ? int64_t{1} << *amount : kLargestAxisDivisor;
  result.divisibility = std::max<int64_t>(a.DivisorOfAll() / divisor, 1);
  result.constancy = std::max(result.constancy, std::min(a.AlignedRun(), divisor));
  return result;
}

AxisClaim Compare(AxisOp op, const AxisClaim& a, const AxisClaim& b) {
  AxisClaim result{1, 1, std::min(a.constancy, b.constancy)};
  switch (op) {
    case AxisOp::kSlt:
    case AxisOp::kSge:
    case AxisOp::kUlt:
    case AxisOp::kUge: result.constancy = std::max(result.constancy, RunAgainstConstant(a, b)); break;
    case AxisOp::kSgt:
    case AxisOp::kSle:
    case AxisOp::kUgt:
    case AxisOp::kUle: result.constancy = std::max(result.constancy, RunAgainstConstant(b, a)); break;
    default: break;  // eq and ne differ within a group
  }
  return result;
}

AxisClaim BinaryClaim(AxisOp op, const AxisFacts& x, const AxisFacts& y, size_t d) {
  const AxisClaim& a = x.claims[d];
  const AxisClaim& b = y.claims[d];
  if (IsComparison(op)) return Compare(op, a, b);
  switch (op) {
    case AxisOp::kAddI: return Add(a, b);
    case AxisOp::kSubI: return Join(a, b, std::min(a.contiguity, b.constancy));
    case AxisOp::kMulI: return y.constant == 1 ? a : x.constant == 1 ? b : Multiply(a, b);
    case AxisOp::kDivSI: return y.constant == 1 ? a : Divide(a, b, y.constant, x.is_non_negative);
    case AxisOp::kDivUI:
      if (y.constant == 1) return a;
      return Divide(a, b, y.constant > 0 ? y.constant : std::nullopt, true);
    case AxisOp::kRemSI: return Remainder(a, b, x.is_non_negative);
    case AxisOp::kRemUI: return Remainder(a, b, true);
    case AxisOp::kAndI:
    case AxisOp::kOrI:
    case AxisOp::kXOrI: return Bitwise(op, a, b);
    case AxisOp::kShlI:
      if (y.constant == 0) return a;
      return Multiply(a, {1, y.constant ? AxisDivisorOf(int64_t{1} << (*y.constant & 63)) : 1, b.constancy});
    case AxisOp::kShrSI:
    case AxisOp::kShrUI: return y.constant == 0 ? a : ShiftRight(a, b, y.constant);
    default: return Join(a, b, std::min(a.AlignedRun(), b.AlignedRun()));  // minima and maxima
  }
}

bool IsNonNegative(AxisOp op, const AxisFacts& x, const AxisFacts& y) {
  const bool both = x.is_non_negative && y.is_non_negative;
  const bool one = x.is_non_negative || y.is_non_negative;
  switch (op) {
    case AxisOp::kDivSI:
    case AxisOp::kOrI:
    case AxisOp::kXOrI:
    case AxisOp::kMinSI: return both;
    case AxisOp::kAndI:
    case AxisOp::kMaxSI: return one;
    case AxisOp::kRemSI:
    case AxisOp::kShrSI: return x.is_non_negative;
    default: return IsComparison(op);
  }
}

class AxisAnalysis {
 public:
  explicit AxisAnalysis(const ChangeAxisFacts& change) : change_(change) {}

  AxisFacts FactsOf(const AxisExpression& e) const {
    std::vector<AxisFacts> operands;
    for (const AxisExpression& operand : e.operands) operands.push_back(FactsOf(operand));
    AxisFacts facts = Derived(e, operands);
    if (change_) change_(e, operands, facts);
    return facts;
  }

 private:
  static AxisFacts Constant(const std::vector<int64_t>& sizes, int64_t value) {
    AxisFacts facts{{}, value, value >= 0};
    for (const int64_t size : sizes) facts.claims.push_back({1, AxisDivisorOf(value), size});
    return facts;
  }

  static AxisFacts Derived(const AxisExpression& e, const std::vector<AxisFacts>& operands) {
    switch (AxisFormOf(e.op)) {
      case AxisForm::kRange: return {{{e.sizes[0], AxisDivisorOf(e.number), 1}}, {}, true};
      case AxisForm::kConstant: return Constant(e.sizes, e.number);
      case AxisForm::kArgument: {
        AxisFacts facts;
        for (const int64_t size : e.sizes) facts.claims.push_back({1, e.number, size});
        return facts;
      }
      case AxisForm::kExpandDims: return ExpandDims(e, operands[0]);
      case AxisForm::kBroadcast: {
        AxisFacts facts = operands[0];
        for (size_t d = 0; d < e.sizes.size(); ++d) {
          if (e.operands[0].sizes[d] == 1) facts.claims[d] = {1, facts.claims[d].divisibility, e.sizes[d]};
        }
        return facts;
      }
      case AxisForm::kUnary: return Cast(e, operands[0]);
      case AxisForm::kBinary: return Binary(e, operands[0], operands[1]);
      case AxisForm::kSelect: return Select(operands[0], operands[1], operands[2]);
      case AxisForm::kNamed:
        return e.op == AxisOp::kBranch ? Branch(operands[0], operands[1]) : Loop(e, operands[0], operands[1]);
    }
    std::unreachable();
  }

  static AxisFacts ExpandDims(const AxisExpression& e, AxisFacts facts) {
    AxisClaim added;
    for (const AxisClaim& claim : facts.claims) added.divisibility = std::max(added.divisibility, claim.DivisorOfAll());
    facts.claims.insert(facts.claims.begin() + e.number, added);
    return facts;
  }

  // A run that begins at a multiple of its length keeps its place in the range of the narrower type, whether signed or
  // not, so that it is a run in the wider one.
  static AxisFacts Cast(const AxisExpression& e, AxisFacts facts) {
    if (facts.constant) return Constant(e.sizes, ApplyAxisOp(e.op, e.bits, *facts.constant, 0).value);
    facts.is_non_negative = e.op == AxisOp::kExtUI || (e.op == AxisOp::kExtSI && facts.is_non_negative);
    if (e.op == AxisOp::kTruncI) return facts;
    for (AxisClaim& claim : facts.claims) {
      const int64_t run = claim.AlignedRun();
      claim = {run, claim.DivisorAt(run), claim.constancy};
    }
    return facts;
  }

  static AxisFacts Binary(const AxisExpression& e, const AxisFacts& x, const AxisFacts& y) {
    if (x.constant && y.constant) {
      const AxisValue value = ApplyAxisOp(e.op, e.operands[0].bits, *x.constant, *y.constant);
      if (value.outcome != AxisOutcome::kUndefined) return Constant(e.sizes, value.value);
    }
    AxisFacts facts{{}, {}, IsNonNegative(e.op, x, y)};
    for (size_t d = 0; d < e.sizes.size(); ++d) facts.claims.push_back(BinaryClaim(e.op, x, y, d));
    return facts;
  }

  static AxisFacts Select(const AxisFacts& condition, const AxisFacts& x, const AxisFacts& y) {
    if (condition.constant) return *condition.constant != 0 ? x : y;
    AxisFacts facts{{}, {}, x.is_non_negative && y.is_non_negative};
    for (size_t d = 0; d < x.claims.size(); ++d) {
      const AxisClaim& a = x.claims[d];
      const AxisClaim& b = y.claims[d];
      const int64_t same = condition.claims[d].constancy;
      AxisClaim claim = Join(a, b, std::min({a.contiguity, b.contiguity, same}));
      claim.constancy = std::min(claim.constancy, same);
      facts.claims.push_back(claim);
    }
    return facts;
  }

  static AxisFacts Branch(const AxisFacts& x, const AxisFacts& y) {
    AxisFacts facts{{}, x.constant == y.constant ? x.constant : std::nullopt, x.is_non_negative && y.is_non_negative};
    for (size_t d = 0; d < x.claims.size(); ++d) {
      const int64_t contiguity = std::min(x.claims[d].contiguity, y.claims[d].contiguity);
      facts.claims.push_back(Join(x.claims[d], y.claims[d], contiguity));
    }
    return facts;
  }

  // Joins the facts of x, x + y, x + y + y, ... until one more sum changes nothing. Each step makes a claim smaller.
  static AxisFacts Loop(const AxisExpression& e, const AxisFacts& x, const AxisFacts& y) {
    AxisExpression sum = e;
    sum.op = AxisOp::kAddI;
    AxisFacts facts = x;
    for (;;) {
      AxisFacts next = Branch(facts, Binary(sum, facts, y));
      if (next == facts) return facts;
      facts = std::move(next);
    }
  }

  const ChangeAxisFacts& change_;
};

}  // namespace

int64_t AxisClaim::DivisorAt(int64_t group) const {
  return group >= contiguity ? divisibility : std::min(divisibility, group);
}

int64_t AxisClaim::AlignedRun() const { return std::min(contiguity, divisibility); }

int64_t AxisDivisorOf(int64_t value) {
  if (value == 0) return kLargestAxisDivisor;
  const auto bits = static_cast<uint64_t>(value);
  return static_cast<int64_t>(std::min(bits & (~bits + 1), static_cast<uint64_t>(kLargestAxisDivisor)));
}

AxisInfo AnalyzeAxes(const AxisExpression& expression, const ChangeAxisFacts& change) {
  AxisInfo info;
  for (const AxisClaim& claim : AxisAnalysis(change).FactsOf(expression).claims) {
    info.contiguity.push_back(claim.contiguity);
    info.divisibility.push_back(claim.divisibility);
    info.constancy.push_back(claim.constancy);
  }
  return info;
}

}  // namespace layoutcheck
