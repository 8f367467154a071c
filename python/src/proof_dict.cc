// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof_dict.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include "layoutcheck/core/base/name_ranges.h"

namespace nb = nanobind;

namespace layoutcheck::python {

nb::dict ProofDict(const ProofResult& result) {
  nb::dict dict;
  dict["law"] = result.law;
  dict["verdict"] = ProofVerdictName(result.verdict);
  dict["for_all"] = nb::cast(result.for_all);
  nb::dict ranges;
  for (const std::string& name : result.for_all) ranges[name.c_str()] = RangeOf(name, result.ranges);
  dict["ranges"] = ranges;
  dict["scope"] = ForAllText(result.for_all, result.ranges);
  dict["method"] = result.method;
  dict["seconds"] = result.seconds;
  nb::dict counterexample;
  for (const auto& [name, value] : result.counterexample) counterexample[name.c_str()] = value;
  dict["counterexample"] = counterexample;
  nb::dict without_value;
  for (const auto& [side, reason] : result.without_value) without_value[side.c_str()] = reason;
  dict["without_value"] = without_value;
  dict["subexpression"] = result.subexpression;
  dict["reason"] = result.disagreement.empty() ? result.reason : result.disagreement;
  dict["certificate"] = result.certificate;
  dict["no_certificate"] = result.no_certificate;
  return dict;
}

}  // namespace layoutcheck::python
