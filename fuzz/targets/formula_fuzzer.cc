// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as the text of an index formula.
#include "layoutcheck/fuzz/text/formula_properties.h"
#include "layoutcheck/fuzz/text/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenFormulaProperty(layoutcheck::InputText(data, size)));
  return 0;
}
