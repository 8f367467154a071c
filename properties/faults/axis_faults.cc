// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the analysis of contiguity, divisibility and constancy.
#include <algorithm>
#include <utility>
#include "layoutcheck/properties/axis/axis_analysis.h"
#include "layoutcheck/properties/faults/algebra_fault.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using OperandFacts = std::span<const AxisFacts>;

// Changes the claim about one dimension of the result of an operation on operands with the claims `a` and `b`.
using ChangeClaim = void (*)(const AxisClaim& a, const AxisClaim& b, AxisClaim& claim);

// Returns a fault that answers as the reference does after a change of the facts of each part.
Change<AxisInfoQuestion> InAxes(ChangeAxisFacts change) {
  return [change = std::move(change)](const AxisInfoQuestion& asked, AxisInfo& answer) {
    if (const auto expression = AxisExpression::Parse(asked.expression)) answer = AnalyzeAxes(*expression, change);
  };
}

// Returns a fault in one operation, in its last two operands where it has three.
Change<AxisInfoQuestion> InAxisOp(AxisOp op, ChangeClaim change) {
  return InAxes([op, change](const AxisExpression& e, OperandFacts operands, AxisFacts& facts) {
    if (e.op != op || facts.constant) return;
    const AxisFacts& y = operands.back();
    const AxisFacts& x = operands.size() > 1 ? operands[operands.size() - 2] : y;
    for (size_t d = 0; d < facts.claims.size(); ++d) change(x.claims[d], y.claims[d], facts.claims[d]);
  });
}

int64_t EvenGroup(const AxisClaim& a, const AxisClaim& b) {
  return std::min({a.AlignedRun(), b.constancy, b.DivisorOfAll()});
}

std::vector<Fault> NegativeNumberFaults() {
  return {
      {"axis-quotient-of-negatives", "triton#7749: a truncating division of negative numbers has uneven groups",
       InAxisOp(AxisOp::kDivSI,
                [](const AxisClaim& a, const AxisClaim& b, AxisClaim& claim) {
                  claim.constancy = std::max(claim.constancy, EvenGroup(a, b));
                })},
      {"axis-remainder-of-negatives", "triton#7749: a remainder of negative numbers does not count up",
       InAxisOp(AxisOp::kRemSI,
                [](const AxisClaim& a, const AxisClaim& b, AxisClaim& claim) {
                  claim.contiguity = std::max(claim.contiguity, EvenGroup(a, b));
                })},
      {"axis-extension-of-negatives", "a run through 0 is taken for one after it was extended without its sign",
       InAxisOp(AxisOp::kExtUI, [](const AxisClaim& a, const AxisClaim&, AxisClaim& claim) { claim = a; })},
      {"axis-subtrahend-counts-up", "a constant minus a run counts down",
       InAxisOp(AxisOp::kSubI,
                [](const AxisClaim& a, const AxisClaim& b, AxisClaim& claim) {
                  claim.contiguity = std::max(claim.contiguity, std::min(a.constancy, b.contiguity));
                })},
      {"axis-extremum-of-wrapped-runs", "a run that wraps around changes its place in the order",
       InAxes([](const AxisExpression& e, OperandFacts operands, AxisFacts& facts) {
         if (e.op < AxisOp::kMinSI || e.op > AxisOp::kMaxUI || facts.constant) return;
         for (size_t d = 0; d < facts.claims.size(); ++d) {
           facts.claims[d].contiguity = std::min(operands[0].claims[d].contiguity, operands[1].claims[d].contiguity);
         }
       })},
  };
}

std::vector<Fault> DivisibilityFaults() {
  return {
      {"axis-sum-of-larger-divisor", "the divisibility of a sum is the larger one",
       InAxisOp(AxisOp::kAddI,
                [](const AxisClaim& a, const AxisClaim& b, AxisClaim& claim) {
                  claim.divisibility = std::max(a.divisibility, b.divisibility);
                })},
      {"axis-remainder-of-first-elements", "triton#11544: the divisor of the first elements is taken for one of all",
       InAxisOp(AxisOp::kRemSI,
                [](const AxisClaim& a, const AxisClaim& b, AxisClaim& claim) {
                  claim.divisibility = std::min(a.divisibility, b.divisibility);
                })},
      {"axis-select-keeps-divisor", "triton#2711, #10067: groups became smaller, and begin at smaller multiples",
       InAxisOp(AxisOp::kSelect,
                [](const AxisClaim& a, const AxisClaim& b, AxisClaim& claim) {
                  claim.divisibility = std::min(a.divisibility, b.divisibility);
                })},
      {"axis-shifted-run", "triton#9325: the divisibility of a run is kept by a shift to the left",
       InAxisOp(AxisOp::kShlI,
                [](const AxisClaim& a, const AxisClaim&, AxisClaim& claim) {
                  claim.divisibility = std::max(claim.divisibility, a.divisibility);
                })},
      {"axis-range-from-zero", "a range is taken for one that begins at 0",
       InAxes([](const AxisExpression& e, OperandFacts, AxisFacts& facts) {
         if (e.op == AxisOp::kRange) facts.claims[0].divisibility = kLargestAxisDivisor;
       })},
      {"axis-expansion-of-first-elements", "a new dimension has the divisibility of the first element of a run",
       InAxes([](const AxisExpression& e, OperandFacts operands, AxisFacts& facts) {
         if (e.op != AxisOp::kExpandDims) return;
         facts.claims[static_cast<size_t>(e.number)].divisibility = operands[0].claims[0].divisibility;
       })},
      {"axis-divisor-of-zero", "the greatest power of two that divides 0 comes out as 0",
       [](const AxisInfoQuestion&, AxisInfo& answer) {
         std::ranges::replace(answer.divisibility, kLargestAxisDivisor, int64_t{0});
       }},
  };
}

std::vector<Fault> GroupFaults() {
  return {
      {"axis-product-keeps-run", "a multiple of a run counts up by more than one",
       InAxisOp(AxisOp::kMulI, [](const AxisClaim& a, const AxisClaim&,
                                  AxisClaim& claim) { claim.contiguity = std::max(claim.contiguity, a.contiguity); })},
      {"axis-select-ignores-condition", "both values are runs, and the condition changes within one",
       InAxisOp(AxisOp::kSelect, [](const AxisClaim& a, const AxisClaim& b,
                                    AxisClaim& claim) { claim.contiguity = std::min(a.contiguity, b.contiguity); })},
      {"axis-broadcast-of-all-dimensions", "every dimension is constant after a broadcast, not only the new ones",
       InAxes([](const AxisExpression& e, OperandFacts, AxisFacts& facts) {
         if (e.op != AxisOp::kBroadcast) return;
         for (size_t d = 0; d < e.sizes.size(); ++d) facts.claims[d].constancy = e.sizes[d];
       })},
      {"axis-at-most-is-less-than", "4 <= 4 and 5 <= 4 differ within a group where 4 < 4 and 5 < 4 do not",
       InAxisOp(AxisOp::kSle, [](const AxisClaim& a, const AxisClaim& b,
                                 AxisClaim& claim) { claim.constancy = std::max(claim.constancy, EvenGroup(a, b)); })},
      {"axis-loop-runs-once", "a variable of a loop keeps the facts that it has before the loop",
       InAxes([](const AxisExpression& e, OperandFacts operands, AxisFacts& facts) {
         if (e.op == AxisOp::kLoop) facts = operands[0];
       })},
      {"axis-branch-takes-the-first", "after a branch, only the values of one side count",
       InAxes([](const AxisExpression& e, OperandFacts operands, AxisFacts& facts) {
         if (e.op == AxisOp::kBranch) facts = operands[0];
       })},
  };
}

}  // namespace

std::vector<Fault> AxisFaults() { return JoinFaults({NegativeNumberFaults(), DivisibilityFaults(), GroupFaults()}); }

}  // namespace layoutcheck
