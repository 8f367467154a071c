// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as choices of the layout generator. The reference must keep every law on that layout.
#include <span>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

// Small layouts keep the rate of the fuzzer high; `layoutcheck check` draws larger ones.
constexpr LayoutScope kScope = {.max_elements = 64, .max_padded_elements = 256};

std::optional<std::string> BrokenLaw(std::span<const uint8_t> bytes) {
  ByteChoices choices(bytes);
  const Shape shape = DrawLayout(choices, kScope);
  if (const Expected<void> valid = ValidateShape(shape, MissingLayout::kRejected); !valid) {
    return StrCat("the generator drew '", ToString(shape), "': ", valid.error().message);
  }
  const Expected<LayoutCase> layout_case = LayoutCase::Create(shape);
  if (!layout_case) return StrCat("'", ToString(shape), "' has no meaning: ", layout_case.error().ToString());
  ReferenceSubject reference;
  for (const Law* law : AllLaws()) {
    const LawResult result = law->Check(reference, *layout_case);
    if (result.verdict == LawResult::Verdict::kDisagree) {
      return StrCat("law ", law->name, " on '", layout_case->text, "': expected ", result.expected, ", actual ",
                    result.actual);
    }
  }
  return std::nullopt;
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenLaw({data, size}));
  return 0;
}
