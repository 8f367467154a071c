// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions called by code compiled with -fsanitize-coverage=... or -fsanitize=fuzzer-no-link (defined in clang's
// SanitizerCoverage document). A program that links and exports them (CMakeLists.txt) can load such libraries and read
// their counters.
#include <cstddef>
#include <cstdint>
#include "layoutcheck/subjects/transport/coverage_counters.h"

extern "C" {

// inline-8bit-counters: called once per library when it is loaded.
void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end) {
  if (begin < end) layoutcheck::AddCounters({begin, static_cast<size_t>(end - begin)});
}

// trace-pc-guard: called at least once per library when it is loaded, then at each edge.
void __sanitizer_cov_trace_pc_guard_init(uint32_t* begin, uint32_t* end) {
  if (begin == end || *begin != 0) return;
  uint32_t number = layoutcheck::TakeEdgeNumbers(static_cast<uint32_t>(end - begin));
  for (; begin != end; ++begin) *begin = number++;
}
void __sanitizer_cov_trace_pc_guard(const uint32_t* guard) { layoutcheck::CountEdge(*guard); }

// trace-pc: called at each block.
void __sanitizer_cov_trace_pc() {
  layoutcheck::CountBlock(reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0))));
}

// fuzzer-no-link adds calls of these. They do nothing, but libraries that call them cannot be loaded without them.
void __sanitizer_cov_pcs_init(const uintptr_t*, const uintptr_t*) {}
void __sanitizer_cov_trace_pc_indir(uintptr_t) {}
void __sanitizer_cov_trace_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_cmp2(uint16_t, uint16_t) {}
void __sanitizer_cov_trace_cmp4(uint32_t, uint32_t) {}
void __sanitizer_cov_trace_cmp8(uint64_t, uint64_t) {}
void __sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_const_cmp2(uint16_t, uint16_t) {}
void __sanitizer_cov_trace_const_cmp4(uint32_t, uint32_t) {}
void __sanitizer_cov_trace_const_cmp8(uint64_t, uint64_t) {}
void __sanitizer_cov_trace_switch(uint64_t, const uint64_t*) {}
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
extern thread_local uintptr_t __sancov_lowest_stack;
thread_local uintptr_t __sancov_lowest_stack = 0;

}  // extern "C"
