// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that every proof takes.
#pragma once

#include <cstdint>
#include <string>

namespace layoutcheck {

// Receivers of a proof's queries besides Z3 in the process.
struct ExportOptions {
  // Directory for each query as SMT-LIB 2, made if missing; empty to write none.
  std::string emit_directory;
  // Command of a second solver, such as "cvc5 --lang smt2"; empty for none.
  std::string second_solver;

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

}  // namespace layoutcheck
