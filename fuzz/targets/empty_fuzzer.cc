// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target that does nothing, for fuzz/measure_rates.sh: its rate is the cost of engine and mutator. Each text
// counts as one of a thousand places by its hash, because libFuzzer keeps a text for the code that it covers and would
// mutate only the empty text otherwise.
#include <array>
#include <cstdint>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/fuzz/text/random.h"
#include "layoutcheck/fuzz/text/target.h"

layoutcheck::TextKind LayoutcheckFuzzedKind() { return layoutcheck::TextKind::kShape; }

namespace {
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]] std::array<uint8_t, 1024> places;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++places[layoutcheck::HashText(layoutcheck::InputText(data, size)) % places.size()];
  return 0;
}
