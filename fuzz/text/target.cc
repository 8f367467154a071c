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

// AddressSanitizer asks for its options here. Walking the stack at every allocation takes a sixth of the time of a run;
// two callers tell most allocations apart, and for one finding ASAN_OPTIONS=malloc_context_size=30 shows them all.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "malloc_context_size=2"; }
