// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as the text of a shape, a layout or an instruction, as LAYOUTCHECK_FUZZED_KIND says.
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/fuzz/text/text_properties.h"

layoutcheck::TextKind LayoutcheckFuzzedKind() { return layoutcheck::TextKind::LAYOUTCHECK_FUZZED_KIND; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenTextProperty(LayoutcheckFuzzedKind(), layoutcheck::InputText(data, size)));
  return 0;
}
