// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks certificates of the prover (docs/certificates.md). Shares no code with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/name_ranges.h"

namespace layoutcheck::verify {

// The verdict on one certificate of a file.
struct Verdict {
  std::string claim;    // the claim in one line; if it is not readable, the part that is
  std::string subject;  // layout and formulas that the claim is about
  std::string law;
  std::vector<std::string> for_all;  // names that stand for every value in their range
  NameRanges ranges;
  std::vector<std::string> assumptions;
  std::string integer;  // the type that does not overflow; empty for other claims
  bool proved = false;
  int64_t first_line = 0;  // first line of the certificate, counted from 1
  int64_t line = 0;        // last line of the certificate if proved, otherwise the line that is wrong
  std::string reason;      // why it is refused; empty if proved
  int64_t steps = 0;       // checked steps and goals
};

// Checks each certificate of a file. Errors: the file is none (kSyntax), because its first line is not that of one.
Expected<std::vector<Verdict>> VerifyCertificates(std::string_view content);

}  // namespace layoutcheck::verify
