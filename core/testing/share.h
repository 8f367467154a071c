// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The share of a large set of questions that a test asks.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace layoutcheck {

// Returns the n of a test that asks every n-th question: 1, which is all of them, if LAYOUTCHECK_NIGHTLY is set, as
// targets of ./run do; otherwise what CI has the time for, in a build without and in one with sanitizers.
inline size_t EveryNth(size_t n, size_t n_with_sanitizers) {
#ifdef LAYOUTCHECK_SANITIZED
  constexpr bool kSanitized = true;
#else
  constexpr bool kSanitized = false;
#endif
  if (std::getenv("LAYOUTCHECK_NIGHTLY") != nullptr) return 1;
  return kSanitized ? n_with_sanitizers : n;
}

}  // namespace layoutcheck
