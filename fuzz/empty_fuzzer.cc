// Does nothing: what the engine and the mutator cost by themselves, for fuzz/measure_rates.sh.
#include "layoutcheck/fuzz/target.h"

layoutcheck::TextKind LayoutcheckFuzzedKind() { return layoutcheck::TextKind::kShape; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) { return 0; }
