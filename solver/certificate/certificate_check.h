// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of certificates, on which every verdict of `prove` on a layout rests, and its queries as SMT-LIB 2 text,
// which other solvers can answer, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {

// Returns hypotheses, instances and negated goals, in QF_LIA. Unsat means that the goals follow.
SmtQuery CertificateQuery(const Certificate& certificate);
// Returns the same without the goals. Sat means that hypotheses and instances are consistent.
SmtQuery VacuityQuery(const Certificate& certificate);
// Returns the query, in QF_NIA, whether each normal form equals, in every ring, what it stands for: a term that the
// code computed or a side of a lemma instance. Unsat means that they are, so nothing rests on Ring's arithmetic.
SmtQuery RingQuery(Certificate& certificate);
// Returns hypotheses and negated goals with real products, quotients and remainders, without lemmas. Unsat means that
// the goals follow; a model is a counterexample. The first query is about goals with late hypotheses.
std::vector<SmtQuery> StatementQueries(const Certificate& certificate);
// Returns the hypotheses alone. A model is a point that the statement covers.
SmtQuery HypothesesQuery(const Certificate& certificate);
// Returns a lemma's closed statement with real products, quotients and remainders. Unsat means that it holds.
SmtQuery LemmaQuery(const Lemma& lemma);

// Returns the reason why the certificate does not prove its statement, or an empty text if it does. Z3 must confirm
// that
//   each lemma that the certificate uses holds,
//   its hypotheses and lemma instances imply its goals, and
//   each of its normal forms is equal to the term that it stands for,
// and no coefficient may have overflowed. If there is a sample, the certificate's relations must hold there. `work` is
// what Z3 has done for the question so far, in its units; the check adds to it and ends when it reaches `rlimit`.
// Lemmas are proved once per process, each within `rlimit`, and do not count.
std::string WhyNotConfirmed(Certificate& certificate, uint64_t rlimit, uint64_t& work);

}  // namespace layoutcheck
