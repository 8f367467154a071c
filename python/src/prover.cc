// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module layoutcheck._prover: questions to the prover as texts, answers as dicts. It is apart from _core because it
// needs Z3.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "errors.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "proof_dict.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

ProveOptions OptionsOf(std::optional<uint64_t> rlimit, bool certificates) {
  ProveOptions options;
  if (rlimit) options.rlimit = *rlimit;
  options.certificates = certificates;
  return options;
}

// Returns the names of the layout with "dimension" or "tile", and the size of each dimension, a name or a number.
nb::dict Describe(const std::string& layout) {
  // The layout is read by itself first: an error of the question has its column only in the message.
  if (IsOffsetText(layout)) {
    ValueOrRaise(ReadOffsetFormula(layout));
  } else {
    ValueOrRaise(ParseSymbolicLayout(layout));
  }
  FormulaRequest request;
  request.layout = layout;
  request.formula = "0";
  const FormulaRequest resolved = ValueOrRaise(WithOffsetFormula(request));
  const FormulaQuestion question = ValueOrRaise(MakeFormulaQuestion(resolved));
  nb::list names;
  for (const FormulaVariable& variable : question.variables) {
    if (variable.kind == FormulaVariable::Kind::kIndex) continue;
    names.append(nb::make_tuple(variable.name, variable.least));
  }
  nb::list sizes;
  for (const FormulaIndex& index : question.indices) {
    if (!index.size) {
      sizes.append(nb::none());
    } else if (index.size->variable) {
      sizes.append(question.variables[*index.size->variable].name);
    } else {
      sizes.append(index.size->number);
    }
  }
  nb::dict dict;
  dict["names"] = names;
  dict["sizes"] = sizes;
  dict["over"] = resolved.over;
  return dict;
}

// Returns the error of a question with the arguments of layoutcheck.prove and equivalent in place of the command line's
// options.
Error WithArguments(Error error) {
  constexpr std::pair<std::string_view, std::string_view> kArguments[] = {
      {"--formula: ", "function: "}, {"--equals: ", "second: "}, {"--assume: ", "assume: "}};
  for (const auto& [option, argument] : kArguments) {
    if (error.message.starts_with(option)) error.message.replace(0, option.size(), argument);
  }
  constexpr std::string_view kSigned = "--signed ";
  for (size_t at = error.message.find(kSigned); at != std::string::npos; at = error.message.find(kSigned, at)) {
    error.message.replace(at, kSigned.size(), "signed=");
  }
  return error;
}

nb::dict ProveText(const std::string& layout, const std::string& formula, const std::optional<std::string>& equals,
                   const std::vector<std::string>& assumptions, const std::optional<std::string>& integers,
                   std::optional<uint64_t> rlimit, bool certificates, const std::vector<std::string>& signed_names) {
  std::optional<MachineInteger> integer;
  if (integers) {
    auto known = MachineIntegerOf(*integers);
    if (!known) RaiseLayoutError({known.error().kind, StrCat("integers: ", known.error().message)});
    integer = *known;
  }
  Expected<ProofResult> result = [&] {
    const nb::gil_scoped_release release;
    FormulaRequest request;
    request.layout = layout;
    request.formula = formula;
    request.equals = equals;
    request.assumptions = assumptions;
    request.signed_names = signed_names;
    if (!equals) {
      const Expected<size_t> components = ComponentCount(request);
      if (components && *components != 1) {
        return Expected<ProofResult>(MakeError(
            ErrorKind::kInvalidArgument, StrCat("function: expected one formula, found ", *components, " components")));
      }
    }
    const auto resolved = WithOffsetFormula(std::move(request));
    if (!resolved) return Expected<ProofResult>(std::unexpected(resolved.error()));
    const ProveOptions options = OptionsOf(rlimit, certificates);
    return integer ? ProveNoOverflow(*resolved, *integer, options) : ProveFormula(*resolved, options);
  }();
  if (!result) RaiseLayoutError(WithArguments(std::move(result.error())));
  return ProofDict(*result);
}

nb::list ProveLaws(const std::string& layout, const std::vector<std::string>& laws, std::optional<uint64_t> rlimit,
                   bool certificates) {
  const auto results = [&] {
    const nb::gil_scoped_release release;
    const ProveOptions options = OptionsOf(rlimit, certificates);
    return IsNamedStridedText(layout) ? ProveStridedFormula(layout, laws, options) : ProveLayout(layout, laws, options);
  }();
  nb::list list;
  for (const ProofResult& result : ValueOrRaise(results)) list.append(ProofDict(result));
  return list;
}

// Returns the value as a Python int of any size.
nb::object ToPython(Int128 value) {
  if (value >= std::numeric_limits<int64_t>::min() && value <= std::numeric_limits<int64_t>::max()) {
    return nb::int_(static_cast<int64_t>(value));
  }
  const auto high = static_cast<int64_t>(value >> 64);
  const auto low = static_cast<uint64_t>(value);
  return nb::object((nb::int_(high) << nb::int_(64)) | nb::int_(low));
}

nb::list Evaluate(const std::string& formula, const std::vector<std::string>& names,
                  const std::vector<std::vector<int64_t>>& points) {
  const Formula parsed = ValueOrRaise(ParseFormula(formula));
  std::vector<size_t> positions;
  for (const std::string& name : parsed.names) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      RaiseLayoutError({ErrorKind::kInvalidArgument, "expected a value for the name '" + name + "'"});
    }
    positions.push_back(static_cast<size_t>(found - names.begin()));
  }
  FormulaEvaluator<Int128> evaluator(parsed);
  nb::list values;
  for (const std::vector<int64_t>& point : points) {
    if (point.size() != names.size()) {
      RaiseLayoutError({ErrorKind::kInvalidArgument, "expected a value for each name"});
    }
    std::vector<Int128> arguments;
    for (const size_t position : positions) arguments.push_back(point[position]);
    const FormulaValue<Int128> value = evaluator(arguments);
    if (value.ok()) {
      values.append(ToPython(value.value));
    } else {
      values.append(FormulaFaultText(value.fault));
    }
  }
  return values;
}

void RegisterProver(nb::module_& module) {
  module.def(
      "describe", &Describe, "layout"_a,
      "Returns a dict of the layout's `names`, (name, least value) each, and the `sizes` of its dimensions, each "
      "a name or a number. Raises LayoutError for a text that is no layout.");
  module.def("prove", &ProveText, "layout"_a, "formula"_a, "equals"_a.none() = nb::none(), "assumptions"_a,
             "integers"_a.none() = nb::none(), "rlimit"_a.none() = nb::none(), "certificates"_a = false,
             "signed"_a = std::vector<std::string>(),
             "Proves or refutes that a formula equals another one, or the offset of the layout; or, with `integers`, "
             "that it does not overflow them. Returns a dict. Raises LayoutError for texts that cannot be read.");
  module.def("prove_laws", &ProveLaws, "layout"_a, "laws"_a, "rlimit"_a.none() = nb::none(), "certificates"_a = false,
             "Proves or refutes the laws with these names, or all, of a layout. Returns a list of dicts.");
  module.def("evaluate", &Evaluate, "formula"_a, "names"_a, "points"_a,
             "Returns the value of the formula at each point, a list with one integer per name: an int, or the reason "
             "why there is no value.");
}

}  // namespace
}  // namespace layoutcheck::python

NB_MODULE(_prover, module) {
  module.doc() = "The prover of layoutcheck, which layoutcheck._proving calls.";
  layoutcheck::python::RegisterProver(module);
}
