// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of certificates, on which every verdict of `prove` on a layout rests.
#pragma once

#include <cstdint>
#include <string>
#include "layoutcheck/solver/certificate/certificate.h"

namespace layoutcheck {

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
