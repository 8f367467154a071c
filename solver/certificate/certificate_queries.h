// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queries about certificates and lemmas as SMT-LIB 2 text, for Z3 in the process and other solvers.
#pragma once

#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// Returns hypotheses, instances and negated goals, in QF_LIA. Unsat means that the goals follow.
SmtQuery CertificateQuery(const Certificate& certificate);
// Returns the same without the goals. Sat means that the hypotheses and instances are consistent, so that the
// certificate does not prove everything.
SmtQuery VacuityQuery(const Certificate& certificate);
// Returns the query, in QF_NIA, whether each normal form equals, in every ring, what it stands for: a term that the
// code computed or a side of a lemma instance. Unsat means that all are equal, so that the certificate does not rest on
// the arithmetic of Ring.
SmtQuery RingQuery(Certificate& certificate);
// Returns hypotheses and negated goals with real products, quotients and remainders, without lemmas. Unsat means that
// the goals follow; a model is a counterexample. If there are late hypotheses, the first query is about the goals that
// have them.
std::vector<SmtQuery> StatementQueries(const Certificate& certificate);
// Returns the hypotheses alone. A model is a point that the statement covers.
SmtQuery HypothesesQuery(const Certificate& certificate);
// Returns a lemma's closed statement with real products, quotients and remainders. Unsat means that it holds.
SmtQuery LemmaQuery(const Lemma& lemma);

}  // namespace layoutcheck
