// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims that a formula is the linear index of a layout, or equals another formula, or has different values at
// different indices, or is within bounds, or does not overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/verify/formulas/formula.h"
#include "layoutcheck/verify/formulas/formula_path.h"
#include "layoutcheck/verify/formulas/outcomes.h"
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/layouts/tiling.h"
#include "layoutcheck/verify/proof/lines.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {

// A claim of one of these kinds, with its formulas read and bound to names.
class FormulaClaim {
 public:
  // Reads the texts of a claim, which must outlive the result. The error says what was expected.
  static std::expected<FormulaClaim, std::string> Read(const Claim& claim);

  // Returns true if claims of this class have the law.
  static bool HasLaw(std::string_view law);

  // Checks the paths or the points, from the present line on, and returns the number of steps. `late_lines`, if it is
  // given, gets per path of the law injective the line from which on the values of both points are known to be equal,
  // or 0 where the path has no such line.
  Checked<int64_t> Check(Lines& lines, std::vector<int64_t>* late_lines = nullptr) const;

  // Returns the names that stand for every value in their range.
  std::vector<std::string> names() const;
  NameRanges ranges() const;

  // A name of the claim, and its least value, or nothing if it may be any integer.
  struct Variable {
    std::string name;
    std::optional<int64_t> least;
  };
  // An index i<number> with its size, if there is a bound that is a name or a number.
  struct Index {
    size_t number;
    std::optional<Size> size;
  };

  enum class Law : uint8_t { kFormula, kInjective, kInBounds, kNoOverflow };
  using Point = std::vector<Polynomial>;  // one value per index

  // Evaluates the claim at a point, where the path's names are, and adds its goals if the point is in the domain.
  // Requires a claim about one point, which the law injective is not.
  Checked<void> StateAt(Statement& statement, FormulaPath& path, const Point& point) const;
  // Returns the number of operators and operands that one path evaluates.
  size_t NodeCount() const;

  Law law() const { return law_; }
  const std::optional<Layout>& layout() const { return layout_; }
  const std::vector<Formula>& over() const { return over_; }
  const std::vector<Formula>& formulas() const { return formulas_; }
  const std::optional<Formula>& equals() const { return equals_; }
  const std::vector<Formula>& assumptions() const { return assumptions_; }
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<Index>& indices() const { return indices_; }
  // Returns the type of the law no-overflow, or nothing for other laws.
  std::optional<MachineInteger> integer() const {
    return law_ == Law::kNoOverflow ? std::optional(integer_) : std::nullopt;
  }
  // Returns true if the value of the formula must be the layout's linear index, too, under the law no-overflow.
  bool is_own() const { return is_own_; }

 private:
  static std::optional<Law> LawOf(std::string_view law);
  std::string ReadTexts(const Claim& claim);
  std::string CheckParts(const Claim& claim) const;
  std::string ReadInteger(const Claim& claim);
  void BindToLayout();
  std::string BindToBounds();
  std::string MakeSigned(std::string_view name);
  std::string CheckLets() const;
  std::vector<const Formula*> AllFormulas() const;
  // The relations that are left to show once the path is known to be the one that two points take.
  struct Injectivity {
    std::vector<Relation> equal_values;
    std::vector<Relation> equal_indices;
  };
  Checked<Injectivity> StatePath(Statement& statement, Outcomes& outcomes) const;
  static Checked<int64_t> CheckPath(Statement& statement, const Injectivity& injectivity, Lines& lines,
                                    int64_t& late_line);
  std::vector<Point> StateDomain(Statement& statement, FormulaPath& path) const;
  void SetPoint(FormulaPath& path, const Point& point) const;
  void StateScope(Statement& statement, const FormulaPath& path) const;
  Checked<bool> AssumptionsHold(FormulaPath& path) const;
  Checked<void> StateValue(Statement& statement, FormulaPath& path, const Point& point) const;
  Checked<void> StateNoOverflow(Statement& statement, FormulaPath& path, const Point& point) const;
  Checked<Injectivity> StateInjective(Statement& statement, FormulaPath& path, const std::vector<Point>& points) const;
  SizedLayout LayoutOf(const FormulaPath& path, Statement& statement) const;

  Law law_ = Law::kFormula;
  std::optional<Layout> layout_;
  std::vector<Formula> over_;      // the bounds of indices, "i0 < M"
  std::vector<Formula> formulas_;  // one formula; the law injective may have several
  std::optional<Formula> equals_;  // the formula that the first one equals; under the law in-bounds, its bound
  std::vector<Formula> assumptions_;
  MachineInteger integer_ = {};  // the type that must not overflow
  bool is_own_ = false;          // the formula must be the layout's linear index, too
  std::vector<Variable> variables_;
  std::vector<Index> indices_;
};

}  // namespace layoutcheck::verify
