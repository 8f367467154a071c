// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws whose arguments are texts: those of the algebra of shape:stride layouts (CuTe's functions and TLA's
// MakeLayout), of layouts in bits, of what a compiler claims about tensors of integers, and of arrays on several
// devices.
#pragma once

#include <functional>
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
struct AlgebraLaw {
  using Arguments = std::span<const std::string>;
  // The things that the arguments are texts of. A subject may know some of them and not the others.
  enum class Topic { kLayouts, kBits, kAxes, kShards, kReshards, kShardViews };

  std::string_view name;  // that `--law` takes and findings carry, such as "composition"
  std::string_view statement;
  std::string_view domain;    // the arguments to which the law applies, in words
  std::string_view function;  // for Subject::Apply, or empty for other operations
  // Returns the arguments of the question about a case, as texts.
  std::function<std::vector<std::string>(const AlgebraCase&)> arguments_of;
  // Checks the law on these arguments. They are outside the domain if the law cannot read them or does not apply to
  // them. A subject that rejects arguments that the reference takes has declined.
  std::function<LawResult(Subject&, Arguments)> check;
  Topic topic = Topic::kLayouts;
};

// The laws of views, whose argument is the text of a view of a shape:stride or fractal layout. A part of AlgebraLaws.
std::vector<AlgebraLaw> ViewLaws();
// The laws of Subject::AxisInfoOf, whose argument is the text of an expression. A part of AlgebraLaws.
std::vector<AlgebraLaw> AxisLaws();

// Returns all laws, in the order in which they are listed and checked.
std::span<const AlgebraLaw* const> AlgebraLaws();
// Returns the law of this name, or null.
const AlgebraLaw* FindAlgebraLaw(std::string_view name);

// Convert arguments to the `layout` of a finding, e.g. "(4,3):(3,1); 6:1", and back.
std::string ArgumentsText(std::span<const std::string> arguments);
std::vector<std::string> ReadArguments(std::string_view text);

}  // namespace layoutcheck
