// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck algebra FUNCTION ARGUMENT...
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"

namespace layoutcheck {
namespace {

constexpr const char* kAlgebra = "algebra";

struct AlgebraCommandLine {
  std::string function;
  std::vector<std::string> arguments;
  bool json = false;
};

// Short names of functions.
constexpr std::pair<const char*, const char*> kShort[] = {
    {"compose", "composition"}, {"divide", "logical_divide"}, {"product", "logical_product"}};

// Returns CuTe's name of the function.
std::string FunctionName(const std::string& given) {
  const auto found = std::ranges::find(kShort, given, &std::pair<const char*, const char*>::first);
  return found == std::end(kShort) ? given : found->second;
}

// Returns the names that FUNCTION may be.
std::vector<std::string> FunctionWords() {
  std::vector<std::string> words = NamesOf(AlgebraFunctions(), &AlgebraFunction::name);
  for (const auto& [name, of_cute] : kShort) words.emplace_back(name);
  return words;
}

std::string FunctionNames() {
  std::vector<std::string> names;
  for (const AlgebraFunction& function : AlgebraFunctions()) {
    names.push_back(StrCat(function.name, "/", function.argument_count));
  }
  return StrJoin(names, ", ");
}

ExitCode RunAlgebraCommand(const AlgebraCommandLine& options) {
  const std::vector<std::string> words = FunctionWords();
  if (std::ranges::find(words, options.function) == words.end()) {
    return Unusable(kAlgebra, StrCat("no function '", options.function, "'",
                                     DidYouMean(options.function, {words.begin(), words.end()}),
                                     "; layoutcheck algebra --help=all lists all"));
  }
  const auto answer = ApplyReference(FunctionName(options.function), options.arguments);
  if (const auto* declined = std::get_if<Declined>(&answer)) return Unusable(kAlgebra, declined->why);
  if (const auto* failed = std::get_if<Failed>(&answer)) return Unusable(kAlgebra, failed->what);
  const auto& result = std::get<ApplyAnswer>(answer);
  if (options.json) {
    PrintJson(result.rejected ? Json{{"rejected", *result.rejected}}
              : result.layout ? Json{{"layout", *result.layout}}
                              : Json{{"value", *result.value}});
  } else {
    PrintText(StrCat(result.rejected ? "rejected: " + *result.rejected
                     : result.layout ? *result.layout
                                     : StrCat(*result.value),
                     "\n"));
  }
  return result.rejected ? ExitCode::kRejected : ExitCode::kAccepted;
}

}  // namespace

Command AlgebraCommand() {
  auto options = std::make_shared<AlgebraCommandLine>();
  return {.name = kAlgebra,
          .description = R"(compute with layouts: compose, divide, product, inverses

FUNCTION is one of CuTe's by its name, and compose, divide and product stand for composition, logical_divide and
logical_product; `layoutcheck algebra --help=all` lists all. Where a layout has no result, which CuTe does not always
notice, the answer says why, and the exit code is 1.)",
          .details = StrCat(R"(
Functions, with the number of their arguments: )",
                            FunctionNames(), ".\n"),
          .example = R"(
  $ layoutcheck algebra compose '(6,2):(8,2)' '(4,3):(3,1)'
  ((2,2),3):((24,2),8)
  $ layoutcheck algebra zipped_divide 'Sw<3,3,3> o 0 o (8,64):(64,1)' '(4,16)'
  $ layoutcheck algebra right_inverse '(4,8):(8,1)')",
          .options = {{.usage = "FUNCTION",
                       .description = "the name of the function",
                       .target = &options->function,
                       .traits = kRequired,
                       .names = FunctionWords},
                      {"ARGUMENT",
                       "layouts, with a swizzle or without, tilers such as (4,16), tuples, numbers, layouts in bits",
                       &options->arguments, kRequired},
                      {"--json", "print one JSON document: layout, value or rejected", &options->json}},
          .run = [options] { return RunAlgebraCommand(*options); }};
}

}  // namespace layoutcheck
