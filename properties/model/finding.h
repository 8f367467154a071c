// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding as `check` and `fuzz` report it, as a line of findings.jsonl stores it, and as `replay` reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The smallest layout found on which a subject breaks a law (docs/findings.md).
struct Finding {
  std::string subject;
  std::string law;
  std::string layout;  // canonical text in the notation that it was drawn in
  // The witness: the members that the law fills.
  std::optional<std::vector<int64_t>> coordinate;
  std::optional<int64_t> offset;
  std::optional<std::string> text;
  // The kind of text ("shape", "layout", "instruction") if the law is about texts and not layouts.
  std::optional<std::string> kind;
  std::optional<std::string> request;  // the line of the protocol at which the subject died or hung
  std::string asked_by;                // the law that asked when the subject died or hung; else empty
  std::string asked_about;             // the layout for which that law asked about `layout`, if it is another one
  std::string expected;
  std::string actual;
  // The tilings with which a shrunk layout breaks the law, "only with T(8,128)(2,1): ..."; empty without tiles.
  std::string tilings;
  uint64_t seed = 0;
  int64_t count = 1;  // number of cases with the same cause
  // Says that the question alone, asked again of a fresh subject, does not always show the finding: "flaky" or "not
  // reproduced alone, after 51 requests". Empty if it does.
  std::string repeats;
  // Says that the run ended before the smallest layout was found: "not shrunk, because the time was up" or "not shrunk
  // to the end, because the run was interrupted". Empty if nothing smaller was left to try.
  std::string shrinking;
  std::string directory;  // directory in which the run and its subject were started; empty if unknown
  std::string reproduce;  // command that shows the finding again

  // Returns a text that is the same for findings of one cause: equal subject, law and shrunk layout.
  std::string Key() const;
};

// Returns the finding as a JSON object, whose members are sorted by name.
Json ToJson(const Finding& finding);

// Parses one line. Errors (syntax): no JSON object; a missing member, which is named.
Expected<Finding> FindingFromJson(std::string_view line);

}  // namespace layoutcheck
