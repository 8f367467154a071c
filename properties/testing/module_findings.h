// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/module/rule.h"

namespace layoutcheck {

// Returns the findings of a module as "5 layout-mismatch: message", with the line and, unless it is an error, the
// severity: "5 copy-is-free (advice): message".
inline std::vector<std::string> FoundIn(std::string module_text) {
  const HloModule module = ReadModule(std::move(module_text));
  ModuleFacts facts(module);
  std::vector<std::string> found;
  for (const RuleFinding& finding : CheckModule(facts).findings) {
    const std::string severity =
        finding.severity == Severity::kError ? "" : StrCat(" (", SeverityName(finding.severity), ")");
    found.push_back(StrCat(finding.place.line, " ", finding.rule, severity, ": ", finding.message));
  }
  return found;
}

// Returns the findings of a scheduled module without their messages: "5 layout-mismatch". Line 1 is the header.
inline std::vector<std::string> RulesBrokenIn(std::string_view computations) {
  std::vector<std::string> found = FoundIn(StrCat("HloModule m, is_scheduled=true\n", computations));
  for (std::string& text : found) text.resize(text.find(':'));
  return found;
}

}  // namespace layoutcheck
