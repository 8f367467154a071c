// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of the algebra of shape:stride layouts (CuTe's functions, and TLA's MakeLayout), as objects. A law asks the
// subject for one function of one case, and judges the answer by what the function promises, coordinate by coordinate:
// two implementations may answer with different layouts, and both be right.
#ifndef LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_LAW_H_
#define LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_LAW_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

class AlgebraLaw {
 public:
  virtual ~AlgebraLaw() = default;

  // "composition": what --law takes and findings carry.
  virtual std::string_view name() const = 0;
  // One sentence, for a person.
  virtual std::string_view statement() const = 0;
  // The arguments that it speaks about, in words.
  virtual std::string_view domain() const = 0;
  // The function that `apply` is asked for; empty for `make`.
  virtual std::string_view function() const = 0;
  // The arguments of the request for a case: layouts and numbers as text.
  virtual std::vector<std::string> ArgumentsOf(const AlgebraCase& algebra_case) const = 0;
  // What the law says of these arguments: outside the domain for those that it does not speak about, or are none of its
  // own; declined where the subject rejects what the reference takes.
  virtual LawResult Check(Subject& subject, std::span<const std::string> arguments) const = 0;
};

// All of them, in the order in which they are listed and checked.
std::span<const AlgebraLaw* const> AlgebraLaws();
// The law of that name, or null.
const AlgebraLaw* FindAlgebraLaw(std::string_view name);

// The arguments of a finding as its `layout`, and back: "(4,3):(3,1); 6:1".
std::string ArgumentsText(std::span<const std::string> arguments);
std::vector<std::string> ReadArguments(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_LAW_H_
