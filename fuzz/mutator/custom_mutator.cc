// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer's hooks for a custom mutator of the text targets: mutator.h makes three quarters of the mutants, the
// engine's byte mutator the others.
#include <algorithm>
#include <cstring>
#include "layoutcheck/fuzz/mutator/mutator.h"
#include "layoutcheck/fuzz/text/target.h"

extern "C" {
// Absent from engines other than libFuzzer.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                                 size_t max_out_size, unsigned int seed);
}

namespace {

// Copies the text to `out`, cut to `max_size` bytes, and returns the length.
size_t Put(const std::string& text, uint8_t* out, size_t max_size) {
  const size_t size = std::min(text.size(), max_size);
  if (size > 0) std::memcpy(out, text.data(), size);
  return size;
}

}  // namespace

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  layoutcheck::Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.OneIn(4)) return LLVMFuzzerMutate(data, size, max_size);
  return Put(layoutcheck::MutateText(LayoutcheckFuzzedKind(), layoutcheck::InputText(data, size), random), data,
             max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                                 size_t max_out_size, unsigned int seed) {
  layoutcheck::Random random(seed);
  return Put(layoutcheck::CrossTexts(LayoutcheckFuzzedKind(), layoutcheck::InputText(data1, size1),
                                     layoutcheck::InputText(data2, size2), random),
             out, max_out_size);
}
