// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options and the result of one question to the prover.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/name_ranges.h"

namespace layoutcheck {

enum class ProofVerdict : uint8_t { kProved, kRefuted, kUnknown };

constexpr const char* ProofVerdictName(ProofVerdict verdict) {
  return verdict == ProofVerdict::kProved ? "proved" : verdict == ProofVerdict::kRefuted ? "refuted" : "unknown";
}

// Reasons of a verdict kUnknown that depend on the machine.
inline constexpr const char* kOutOfMemory = "memory did not suffice";
inline constexpr const char* kOutOfTime = "time did not suffice: Z3 did work for five minutes that it does not count";
inline constexpr const char* kRunInterrupted = "the run was interrupted";

// The reason of a verdict kUnknown for which Z3's budget does not suffice.
inline constexpr const char* kBudgetSpent = "Z3's budget is spent";

// Receivers of a proof's queries besides Z3 in the process.
struct ExportOptions {
  std::string emit_directory;  // directory for each query as SMT-LIB 2, made if missing; empty to write none
  std::string second_solver;   // command of a second solver, such as "cvc5 --lang smt2"; empty for none

  bool IsWanted() const { return !emit_directory.empty() || !second_solver.empty(); }
};

struct ProveOptions {
  // Z3's budget per question (a law or a formula) in units of work, so that the verdict is the same on every machine.
  // Queries that search for a proof or a counterexample have smaller budgets, which they share, too.
  uint64_t rlimit = 50'000'000;
  ExportOptions exports;
  // Returns the text that checkers read with each verdict `proved` (ProofResult::certificate).
  bool certificates = false;
};

// The verdict on one law of one layout or on one formula.
struct ProofResult {
  std::string layout;  // text of the layout, as it was given
  std::string law;
  ProofVerdict verdict = ProofVerdict::kUnknown;
  // Names for all values of which the verdict holds, and the range of each. It holds for all indices or offsets.
  std::vector<std::string> for_all;
  NameRanges ranges;
  // "mixed-radix" for a certificate of mixed-radix lemmas, "witness" for a counterexample, and others.
  std::string method;
  double seconds = 0;  // time on the wall clock, without the second solver
  // Counterexample to a refuted law: the names, the index or offset, and the expected and actual values.
  std::vector<std::pair<std::string, int64_t>> counterexample;
  // Sides of a refuted formula ("expected", "actual") without a value at the counterexample, with the reason.
  std::vector<std::pair<std::string, std::string>> without_value;
  std::string subexpression;  // part of the formula that overflows, if no-overflow is refuted
  std::string reason;         // reason of verdict kUnknown
  uint64_t rlimit = 0;        // Z3's work, in its units
  int64_t obligations = 0;
  int64_t lemma_instances = 0;
  // Reason why a second solver was asked nothing about a proof; empty if it was, or was not wanted.
  std::string no_query;
  // The proof in the format of docs/certificates.md, if one was wanted, or why there is none.
  std::string certificate;
  std::string no_certificate;
  double certificate_seconds = 0;  // time on the wall clock of making the certificate
  std::string disagreement;  // query on which two solvers disagree, with their answers; the verdict is then unknown
};

}  // namespace layoutcheck
