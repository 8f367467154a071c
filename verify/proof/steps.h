// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a certificate: atoms, lemma instances and cuts, and the combinations of facts that show the goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/proof/lemmas.h"
#include "layoutcheck/verify/proof/lines.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {

// A combination of facts: the sum of multiples of facts.
class Combination {
 public:
  // Reads "4 2*7 -1/3*2" after a keyword, each item with a blank before it, and perhaps a second combination after "
  // |". Facts have the numbers 1 to fact_count. Returns what is wrong, or nothing.
  std::string Read(std::string_view text, size_t fact_count);

  // Checks that the combination shows a claim, whose polynomial add_claim(factor) adds, times the factor, to the
  // present sum of the ring. Returns what is wrong, or nothing.
  template <class AddClaim>
  std::string Show(Statement& statement, bool is_equation, AddClaim&& add_claim) const;

 private:
  // A fact times a rational number in lowest terms.
  struct Item {
    Int128 numerator = 1;
    Int128 denominator = 1;
    size_t fact = 0;  // from 0
  };
  enum class Side : uint8_t { kEqual, kNotNegative, kNotPositive };

  static std::string ReadItem(std::string_view& text, Item& item);
  template <class AddClaim>
  std::string ShowSide(Statement& statement, Side side, size_t begin, size_t end, AddClaim&& add_claim) const;

  std::vector<Item> items_;
  std::optional<size_t> second_;  // index of the first item of the second combination
};

// Follows the steps of one statement, from the present line on.
class StepChecker {
 public:
  StepChecker(Statement& statement, Lines& lines) : statement_(statement), lines_(lines), reader_(statement) {}

  // Checks all steps and then all goals, and moves to the line after them. Returns their number.
  Checked<int64_t> Run();

  // Checks the text "NAME floordiv POLYNOMIAL ; POLYNOMIAL" of the present line, and defines the name.
  Checked<void> CheckAtom(std::string_view text);
  // Returns what the present line, "split POLYNOMIAL Y" or "split POLYNOMIAL N", decides.
  Checked<Relation> ReadSplit();

 private:
  Checked<void> CheckLemma(std::string_view text);
  Checked<void> CheckCut(std::string_view text);
  Checked<void> CheckGoals();
  // Reads the arguments of a lemma or an atom, separated by " ; ", into values_.
  Checked<void> TakeValues(std::string_view text, size_t count);
  // Checks that the combination after the keyword of the present line shows the claim, and moves to the next line.
  // `what` names the claim in messages and is called only for them.
  template <class AddClaim, class What>
  Checked<void> CheckShown(std::string_view keyword, bool is_equation, AddClaim&& add_claim, What&& what);
  Checked<void> CheckFault() const;

  Statement& statement_;
  Lines& lines_;
  PolynomialReader reader_;
  Combination combination_;
  std::vector<Polynomial> values_;
};

}  // namespace layoutcheck::verify
