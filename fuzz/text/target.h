// What every fuzz target does with a broken property, and how it sees its input.
#ifndef LAYOUTCHECK_FUZZ_TEXT_TARGET_H_
#define LAYOUTCHECK_FUZZ_TEXT_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

inline std::string_view InputText(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process with what is broken on stderr, which is what engines take for a crash; nothing where all holds.
void Require(const std::optional<std::string>& broken);

}  // namespace layoutcheck

// The texts that the target takes, for the mutator. Every text target defines it. With the linkage of C, as the mutator
// of a fuzzing engine is in another namespace.
extern "C" layoutcheck::TextKind LayoutcheckFuzzedKind();

// The entry point that libFuzzer, AFL++'s driver and the replay program call. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif  // LAYOUTCHECK_FUZZ_TEXT_TARGET_H_
