// Whether a certificate proves its goals: the part of a proof that is trusted.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_CHECK_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_CHECK_H_

#include <cstdint>
#include <string>

#include "layoutcheck/solver/certificate/certificate.h"

namespace layoutcheck {

// Why Z3 does not confirm the certificate, empty if it does: its hypotheses and lemma instances imply its goals, each
// lemma that it uses holds, and its normal forms are equal to the terms that they stand for. `rlimit` is the budget for
// one query; the work is added to `work`.
std::string WhyNotConfirmed(Certificate& certificate, uint64_t rlimit, uint64_t& work);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_CERTIFICATE_CHECK_H_
