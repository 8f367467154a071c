// Questions to a solver as standard SMT-LIB 2 text. Z3 in the process and any other solver read the same text.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_QUERIES_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_QUERIES_H_

#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// Hypotheses, instances and the negated goals, in QF_LIA: unsat says that the goals follow.
SmtQuery CertificateQuery(const Certificate& certificate);
// The same without the goals: sat says that the hypotheses and instances do not contradict each other, so that the
// certificate does not prove just anything.
SmtQuery VacuityQuery(const Certificate& certificate);
// That the normal forms of the certificate are equal to what they stand for by the laws of a ring, with real products:
// each term that the code computed, and both sides of each lemma instance. The other half of the trust in a
// certificate, and independent of the arithmetic on polynomials here. In QF_NIA; unsat says that all are equal.
SmtQuery RingQuery(Certificate& certificate);
// Hypotheses and negated goals as they are, with real products, quotients and remainders, and no lemma: unsat says that
// the goals follow; a model of sat is a counterexample.
SmtQuery StatementQuery(const Certificate& certificate);
// The hypotheses alone: a model of sat is a point that the statement is about.
SmtQuery HypothesesQuery(const Certificate& certificate);
// The closed statement of a lemma, with real products, quotients and remainders: unsat says that it holds.
SmtQuery LemmaQuery(const Lemma& lemma);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_QUERIES_H_
