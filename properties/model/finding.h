// A finding: the smallest layout on which a subject breaks a law, as a value and as the JSON line of contract.md
// section 3.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_FINDING_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_FINDING_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct Finding {
  std::string subject;
  std::string law;
  std::string layout;  // canonical text
  // The witness: what the law gave of these.
  std::optional<std::vector<int64_t>> coordinate;
  std::optional<int64_t> offset;
  std::optional<std::string> text;
  // What kind of text it is ("shape", "layout", "instruction"), where the law is about any text, not about a layout.
  std::optional<std::string> kind;
  std::string expected;
  std::string actual;
  uint64_t seed = 0;
  int64_t count = 1;  // cases with the same cause
  std::string reproduce;

  // Findings with equal keys have one cause: the same subject, law and shrunk layout.
  std::string Key() const;
};

// As one object; a caller that uses it includes <nlohmann/json.hpp>.
nlohmann::json ToJson(const Finding& finding);

// Errors: a line that is not JSON, or lacks a member (kSyntax, naming it).
Expected<Finding> FindingFromJson(std::string_view line);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_FINDING_H_
