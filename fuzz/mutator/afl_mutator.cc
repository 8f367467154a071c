// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AFL++'s hooks for a custom mutator, as a module for AFL_CUSTOM_MUTATOR_LIBRARY. They serve this project's targets and
// any other parser. LAYOUTCHECK_TEXT_KIND is the kind of text, by default shape. AFL++ itself mutates plain bytes.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/fuzz/mutator/mutator.h"
#include "layoutcheck/fuzz/text/random.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/fuzz/text/text_kind.h"

extern "C" {
void* afl_custom_init(void* afl, unsigned int seed);
size_t afl_custom_fuzz(void* data, uint8_t* input, size_t size, uint8_t** output, uint8_t* other, size_t other_size,
                       size_t max_size);
void afl_custom_deinit(void* data);
}

namespace {

struct Mutator {
  layoutcheck::TextKind kind;
  layoutcheck::Random random;
  std::string text;  // latest result, which afl-fuzz reads until the next call
};

}  // namespace

// Ends the process on an unknown kind, because afl-fuzz does not check the result.
void* afl_custom_init(void* /*afl*/, unsigned int seed) {
  const char* name = std::getenv("LAYOUTCHECK_TEXT_KIND");
  const std::optional kind = name == nullptr ? layoutcheck::TextKind::kShape : layoutcheck::TextKindFromName(name);
  if (!kind) {
    std::fprintf(stderr, "LAYOUTCHECK_TEXT_KIND: expected shape, layout or instruction, got '%s'\n", name);
    std::exit(2);
  }
  return new Mutator{*kind, layoutcheck::Random(seed), {}};
}

// If there is another input, one text in eight has parts of both.
size_t afl_custom_fuzz(void* data, uint8_t* input, size_t size, uint8_t** output, uint8_t* other, size_t other_size,
                       size_t max_size) {
  Mutator& mutator = *static_cast<Mutator*>(data);
  const std::string_view text = layoutcheck::InputText(input, size);
  mutator.text =
      other_size > 0 && mutator.random.OneIn(8)
          ? layoutcheck::CrossTexts(mutator.kind, text, layoutcheck::InputText(other, other_size), mutator.random)
          : layoutcheck::MutateText(mutator.kind, text, mutator.random);
  *output = reinterpret_cast<uint8_t*>(mutator.text.data());
  return std::min(mutator.text.size(), max_size);
}

void afl_custom_deinit(void* data) { delete static_cast<Mutator*>(data); }
