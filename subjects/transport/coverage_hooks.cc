// The functions that code calls which was compiled with -fsanitize-coverage=..., or with -fsanitize=fuzzer-no-link, as
// clang's document of SanitizerCoverage names them. A program that links this file and exports them (see
// CMakeLists.txt) can load such libraries and see what they count.
#include <cstddef>
#include <cstdint>

#include "layoutcheck/subjects/transport/coverage_counters.h"

extern "C" {

// inline-8bit-counters: once for each library as it is loaded.
void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end) {
  if (begin < end) layoutcheck::AddCounters({begin, static_cast<size_t>(end - begin)});
}

// trace-pc-guard: once or more for each library, then at each edge.
void __sanitizer_cov_trace_pc_guard_init(uint32_t* begin, uint32_t* end) {
  if (begin == end || *begin != 0) return;
  uint32_t number = layoutcheck::TakeEdgeNumbers(static_cast<uint32_t>(end - begin));
  for (; begin != end; ++begin) *begin = number++;
}
void __sanitizer_cov_trace_pc_guard(const uint32_t* guard) { layoutcheck::CountEdge(*guard); }

// trace-pc: at each block.
void __sanitizer_cov_trace_pc() {
  layoutcheck::CountBlock(reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0))));
}

// What the flag fuzzer-no-link adds: where the counters are in the code, and operands of comparisons. Nothing is made
// of it, but a library that has it must find these names to be loaded.
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
