// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as a dump, each line of which is an instruction.
#include "layoutcheck/fuzz/text/target.h"
#include "layoutcheck/fuzz/text/text_properties.h"

layoutcheck::TextKind LayoutcheckFuzzedKind() { return layoutcheck::TextKind::kInstruction; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest = layoutcheck::InputText(data, size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    layoutcheck::Require(layoutcheck::BrokenTextProperty(LayoutcheckFuzzedKind(), line));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return 0;
}
