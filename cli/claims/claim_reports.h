// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of a run as a table, and as documents for CI systems.
#pragma once

#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/claims/claim_result.h"
#include "layoutcheck/cli/claims/claims_file.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The results of a run in the order of the file.
struct ClaimReport {
  std::string file;    // the file of the claims, as a path from the directory in which the user is
  std::string folder;  // its folder in the same way; empty for that directory itself
  std::vector<std::pair<Claim, ClaimResult>> results;

  // Returns the worst exit code of the claims.
  ExitCode code() const;
  // Returns the number of claims by verdict, then `unchanged`, those with the verdict of an earlier run.
  Json Totals() const;
  // Returns "5 claims: 3 proved, 1 accepted, 1 refuted; 2 unchanged".
  std::string TotalsText() const;
};

// Writes the table of a run, one row per claim.
class ClaimTable {
 public:
  // `folder` is that of ClaimReport: commands that repeat a result begin there.
  ClaimTable(const std::vector<Claim>& claims, std::string folder);

  std::string Head() const;
  // Returns the row of a claim and, below it, its problems and the command that repeats them.
  std::string Row(const Claim& claim, const ClaimResult& result) const;

 private:
  std::string Cells(const std::string& name, std::string_view kind, const std::string& verdict,
                    const std::string& seconds) const;

  std::string folder_;
  size_t name_width_;
  size_t kind_width_;
};

// Returns JUnit's XML with one testcase per claim: undecided and unusable claims are errors.
std::string ClaimsJunit(const ClaimReport& report);
// Returns SARIF 2.1.0 with one result per problem, at the place in the file that it names, or at the claim's line.
std::string ClaimsSarif(const ClaimReport& report);
// Returns a table in Markdown, such as the summary of a GitHub Action.
std::string ClaimsMarkdown(const ClaimReport& report);

}  // namespace layoutcheck
