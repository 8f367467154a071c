// What `show` says about a layout in words and numbers.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_SUMMARY_H_
#define LAYOUTCHECK_CLI_NOTATIONS_SUMMARY_H_

#include <string>
#include <vector>

#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {

// Elements, padded elements, bytes (with a rounded human unit where large), waste, and the layout's own facts.
std::vector<Fact> SummaryOf(const AnyLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_SUMMARY_H_
