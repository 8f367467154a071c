// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of the algebra of shape:stride layouts: CuTe's functions and TLA's MakeLayout.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A law about one function. It asks for the function's result and judges per coordinate if it keeps the function's
// promise, because different layouts may be right.
class AlgebraLaw {
 public:
  virtual ~AlgebraLaw() = default;

  // Returns the name that `--law` takes and findings carry, such as "composition".
  virtual std::string_view name() const = 0;
  virtual std::string_view statement() const = 0;
  // Returns the arguments to which the law applies, in words.
  virtual std::string_view domain() const = 0;
  // Returns the function for Subject::Apply, or an empty name for Subject::Make and Subject::ViewOf.
  virtual std::string_view function() const = 0;
  // Returns the arguments of the question about a case, as texts.
  virtual std::vector<std::string> ArgumentsOf(const AlgebraCase& algebra_case) const = 0;
  // Checks the law on these arguments. They are outside the domain if the law cannot read them or does not apply to
  // them. A subject that rejects arguments that the reference takes has declined.
  virtual LawResult Check(Subject& subject, std::span<const std::string> arguments) const = 0;
};

// Returns all laws, in the order in which they are listed and checked.
std::span<const AlgebraLaw* const> AlgebraLaws();
// Returns the law of this name, or null.
const AlgebraLaw* FindAlgebraLaw(std::string_view name);

// Convert arguments to the `layout` of a finding, e.g. "(4,3):(3,1); 6:1", and back.
std::string ArgumentsText(std::span<const std::string> arguments);
std::vector<std::string> ReadArguments(std::string_view text);

}  // namespace layoutcheck
