// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that `show` prints beside the picture of a layout.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_SUMMARY_H_
#define LAYOUTCHECK_CLI_NOTATIONS_SUMMARY_H_

#include <string>
#include <vector>

#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {

// Returns elements, padded elements, bytes (if large, also rounded in KiB to EiB), waste, and the layout's own facts.
std::vector<Fact> SummaryOf(const AnyLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_SUMMARY_H_
