// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/target.h"
#include <cstdio>
#include <cstdlib>

namespace layoutcheck {

void Require(const std::optional<std::string>& broken) {
  if (!broken) return;
  std::fprintf(stderr, "broken property: %s\n", broken->c_str());
  std::abort();
}

}  // namespace layoutcheck

// Options of AddressSanitizer. Walking the whole stack at every allocation takes a sixth of a run's time, and two
// callers distinguish most allocations. ASAN_OPTIONS=malloc_context_size=30 shows the whole stack of a finding.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "malloc_context_size=2"; }
