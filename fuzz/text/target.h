// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts that all fuzz targets share.
#pragma once

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

// Prints the broken property, if any, and aborts, which engines take for a crash.
void Require(const std::optional<std::string>& broken);

}  // namespace layoutcheck

// Returns the kind of text that the target takes, for the mutator. Every text target defines it. C linkage, because the
// mutator of a fuzzing engine is compiled in another namespace.
extern "C" layoutcheck::TextKind LayoutcheckFuzzedKind();

// Runs the target on one input and returns 0. Called by libFuzzer, AFL++'s driver and the replay program.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
