// Reads nothing of a text: what the engine and the mutator cost by themselves, for fuzz/measure_rates.sh. libFuzzer
// keeps a text for what it covers, and would mutate one text of no length if none covered anything: so that each is as
// good as another, a text counts as one place of a thousand.
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
