// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports the queries that a proof rests on: to files, and to a second solver, a program that reads SMT-LIB from
// standard input.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {

// Starts `command` (blank-separated words, no shell; "cvc5 --lang smt2"), writes the queries to it with (reset) between
// them, and returns its answers: the output lines sat, unsat or unknown. The answer is unknown for a query without such
// a line. A program that writes nothing for a minute is killed. Errors: it cannot be started (unavailable).
Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries);

struct NamedQuery {
  std::string name;
  std::string about;  // layout or formula; empty for a lemma
  SmtQuery query;
};

// Appends the queries of a certificate: that it implies its goals; if `satisfiable`, that its hypotheses are
// consistent; that its normal forms are right; and the lemmas that are not in `exported` yet.
void AppendQueries(Certificate& certificate, std::string_view about, std::string_view name, bool satisfiable,
                   std::set<LemmaId>& exported, std::vector<NamedQuery>& queries);

// Returns why the second solver is asked nothing about a proof by this method; empty if the options want none.
std::string NoQuery(const ExportOptions& options, std::string_view method);

// Writes the queries and has the second solver answer them, as the options say. An unexpected answer changes the
// verdict in `result` to unknown, with the reason. Errors: unavailable.
Expected<void> ExportQueries(const std::vector<NamedQuery>& queries, const ExportOptions& options, ProofResult& result);

}  // namespace layoutcheck
