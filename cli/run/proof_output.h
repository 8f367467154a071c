// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts on laws and formulas, as JSON and for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {

// The verdict on a law that has no meaning for a kernel. It does not make a run fail.
inline constexpr const char* kNotAsked = "not asked";
// The verdict of what is no law. It does not make a run fail either.
inline constexpr const char* kAdviceVerdict = "advice";

// Returns {"M":">= 0","B":"int32"}: the range of each name.
Json RangesJson(const std::vector<std::string>& names, const NameRanges& ranges);
// Returns the line of `prove --json` for a result about the points where the assumptions hold. If solvers disagree, it
// has the member "disagreement".
Json ProofJson(const ProofResult& result, const std::vector<std::string>& assumptions = {});
// Returns "injective    proved for all M, N >= 0 and every index (mixed-radix, 0.003 s)" for a line of ProofJson.
std::string ProofText(const Json& document);
ExitCode ProofExitCode(const Json& document);
// Appends the certificates in the results to `text`, and replaces each by true.
void TakeCertificates(std::vector<Json>& results, std::string& text);
// Prints the results of one question in full: as lines of JSON, or below a title. An error goes to stderr, after the
// name of the command. Returns the worst exit code.
ExitCode PrintProofs(std::string_view command, const std::string& title, const Expected<std::vector<Json>>& results,
                     bool json);

// The results of a set of entries, printed one after another: with --json the lines of ProofJson, otherwise a table.
class ProofTable {
 public:
  // Prints the head of the table.
  explicit ProofTable(bool json);

  // Prints the results of one entry. Returns the worst exit code of them.
  ExitCode Print(const std::string& entry, const std::vector<Json>& results);
  // Prints the last line of the table.
  void PrintTotal() const;
  // Returns the numbers of entries and of verdicts so far, by name.
  Json Totals() const;

 private:
  struct Tally {
    int64_t proved = 0;
    int64_t refuted = 0;
    int64_t unknown = 0;
    double seconds = 0;
  };
  static void PrintRow(const std::string& name, const Tally& tally);

  bool json_;
  int64_t entries_ = 0;
  Tally total_;
};

// Returns a or b, whichever comes first in the order unusable (solvers disagree), rejected, undecided, accepted.
ExitCode WorseExitCode(ExitCode a, ExitCode b);

}  // namespace layoutcheck
