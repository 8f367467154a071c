// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queries about certificates and lemmas as SMT-LIB 2 text. Z3 in the process and other solvers read the same text.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_QUERIES_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_QUERIES_H_

#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// Returns hypotheses, instances and negated goals, in QF_LIA. Unsat means that the goals follow.
SmtQuery CertificateQuery(const Certificate& certificate);
// Returns the same without the goals. Sat means that the hypotheses and instances do not contradict each other, so that
// the certificate does not prove everything.
SmtQuery VacuityQuery(const Certificate& certificate);
// Returns the query, in QF_NIA, whether each normal form of the certificate is equal, in every ring, to what it stands
// for: to a term that the code computed, or to a side of a lemma instance. Unsat means that all are equal. With it, a
// certificate does not rest on the arithmetic of Ring.
SmtQuery RingQuery(Certificate& certificate);
// Returns hypotheses and negated goals with real products, quotients and remainders, and no lemma. Unsat means that the
// goals follow; a model of sat is a counterexample.
SmtQuery StatementQuery(const Certificate& certificate);
// Returns the hypotheses alone. A model of sat is a point that the statement is about.
SmtQuery HypothesesQuery(const Certificate& certificate);
// Returns the closed statement of a lemma, with real products, quotients and remainders. Unsat means that it holds.
SmtQuery LemmaQuery(const Lemma& lemma);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_QUERIES_H_
