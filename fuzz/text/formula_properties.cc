// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/formula_properties.h"
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::optional<std::string> BrokenByRejection(const Error& error, std::string_view text) {
  if (error.kind != ErrorKind::kSyntax) return StrCat("an error of kind ", ErrorKindName(error.kind));
  if (error.column < 1 || error.column > static_cast<int64_t>(text.size()) + 1) {
    return StrCat("an error at column ", error.column, " of a text of ", text.size(), " bytes: ", error.message);
  }
  if (error.message.empty()) return "an error without a message";
  return std::nullopt;
}

// Compares everything except the columns of nodes.
bool SameTree(const Formula& a, const Formula& b) {
  if (a.names != b.names || a.let_names != b.let_names || a.elements != b.elements) return false;
  if (a.nodes.size() != b.nodes.size()) return false;
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    FormulaNode node = b.nodes[i];
    node.column = a.nodes[i].column;
    if (!(node == a.nodes[i])) return false;
  }
  return true;
}

template <class Int>
bool Same(const FormulaValue<Int>& a, const FormulaValue<Int>& b) {
  return a.fault == b.fault && (a.ok() ? a.value == b.value : a.node == b.node);
}

// Returns a random value of a name: usually small, like sizes and indices, otherwise close to an overflow.
int64_t ValueOfName(Random& random) {
  constexpr int64_t kEnds[] = {-1, -8, 63, 64, 1 << 16, int64_t{1} << 31, int64_t{1} << 62, kMax, kMin, kMin + 1};
  return random.OneIn(4) ? random.Pick(kEnds) : random.Between(0, 130);
}

// Evaluates a formula and its printed text in 64 and 128 bits.
class Evaluation {
 public:
  Evaluation(const Formula& formula, const Formula& printed)
      : formula_(formula), narrow_(formula), printed_(printed), wide_(formula) {}

  std::optional<std::string> BrokenAt(const std::vector<int64_t>& point) {
    const FormulaValue<int64_t> value = narrow_(point);
    if (!Same(value, printed_(point))) return StrCat("another value once it is printed, at ", StrJoin(point, ", "));
    const std::vector<Int128> wide_point(point.begin(), point.end());
    const FormulaValue<Int128> wide = wide_(wide_point);
    if (value.ok()) {
      if (wide.ok() && wide.value == Int128{value.value}) return std::nullopt;
      return StrCat("in 64 bits it is ", value.value, ", in 128 it is not, at ", StrJoin(point, ", "));
    }
    if (value.node >= formula_.nodes.size()) return StrCat("a fault at node ", value.node);
    if (FaultText(formula_, value.node, value.fault).empty()) return "a fault without a text";
    // Nothing overflowed before the fault, so both widths compute this part from the same operands.
    const FormulaValue<Int128>& part = wide_.nodes()[value.node];
    const bool same = value.fault == FormulaFault::kOverflow
                          ? part.ok() && (part.value < Int128{kMin} || part.value > Int128{kMax})
                          : part.fault == value.fault && part.node == value.node;
    if (same) return std::nullopt;
    return StrCat("'", FaultText(formula_, value.node, value.fault), "' in 64 bits only, at ", StrJoin(point, ", "));
  }

 private:
  const Formula& formula_;
  FormulaEvaluator<int64_t> narrow_;
  FormulaEvaluator<int64_t> printed_;
  FormulaEvaluator<Int128> wide_;
};

}  // namespace

std::optional<std::string> BrokenFormulaProperty(std::string_view text) {
  const Expected<Formula> formula = ParseFormula(text);
  if (!formula) return BrokenByRejection(formula.error(), text);
  const std::string printed = FormulaText(*formula);
  const Expected<Formula> again = ParseFormula(printed);
  if (!again) return StrCat("prints '", printed, "', which is rejected: ", again.error().ToString());
  if (!SameTree(*formula, *again)) return StrCat("prints '", printed, "', which is another tree");
  if (const std::string reprinted = FormulaText(*again); reprinted != printed) {
    return StrCat("prints '", printed, "', then '", reprinted, "'");
  }
  constexpr int kPoints = 4;
  Random random(HashText(text));
  Evaluation evaluation(*formula, *again);
  std::vector<int64_t> point(formula->names.size(), 0);
  for (int i = 0; i < kPoints; ++i) {
    if (auto broken = evaluation.BrokenAt(point)) return broken;
    for (int64_t& value : point) value = ValueOfName(random);
  }
  return std::nullopt;
}

}  // namespace layoutcheck
