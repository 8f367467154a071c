// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims that a formula is the linear index of a layout, or equals another formula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/claim.h"
#include "layoutcheck/verify/formula.h"
#include "layoutcheck/verify/layout.h"
#include "layoutcheck/verify/lines.h"
#include "layoutcheck/verify/outcomes.h"
#include "layoutcheck/verify/statement.h"
#include "layoutcheck/verify/tiling.h"

namespace layoutcheck::verify {

class FormulaPath;

class FormulaClaim {
 public:
  // Reads the texts of a claim, which must outlive the result. The error says what was expected.
  static std::expected<FormulaClaim, std::string> Read(const Claim& claim);

  // Checks the paths, from the present line on, and returns the number of steps.
  Checked<int64_t> Check(Lines& lines) const;

  // Returns the names that stand for every size.
  std::vector<std::string> names() const;

 private:
  // A name of the claim, and its least value.
  struct Variable {
    std::string name;
    int64_t least;
  };
  // An index i<number> with its size, if there is a bound that is a name or a number.
  struct Index {
    size_t number;
    std::optional<Size> size;
  };

  std::string ReadTexts(const Claim& claim);
  void BindToLayout();
  std::string BindToBounds();
  std::string CheckLets() const;
  Checked<void> StatePath(Statement& statement, Outcomes& outcomes) const;
  Checked<bool> AssumptionsHold(FormulaPath& path) const;
  SizedLayout LayoutOf(const FormulaPath& path, Statement& statement) const;
  void StateDomain(Statement& statement, FormulaPath& path, std::vector<Polynomial>& index) const;
  size_t NodeCount() const;

  std::optional<Layout> layout_;
  std::vector<Formula> over_;  // the bounds of indices, "i0 < M"
  Formula formula_;
  std::optional<Formula> equals_;
  std::vector<Formula> assumptions_;
  std::vector<Variable> variables_;
  std::vector<Index> indices_;
};

}  // namespace layoutcheck::verify
