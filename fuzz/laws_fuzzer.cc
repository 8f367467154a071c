// Any bytes as the choices of the layout generator: every law must hold for the reference on what they draw.
#include <span>

#include "layoutcheck/core/printer.h"
#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/core/validate.h"
#include "layoutcheck/fuzz/target.h"
#include "layoutcheck/properties/choices.h"
#include "layoutcheck/properties/law.h"
#include "layoutcheck/properties/layout_generator.h"

namespace layoutcheck {
namespace {

// Small enough for the rate of a fuzzer; `layoutcheck check` goes further.
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
      return StrCat("law ", law->name(), " on '", layout_case->text, "': expected ", result.expected, ", actual ",
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
