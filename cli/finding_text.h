// A finding as a person sees it.
#ifndef LAYOUTCHECK_CLI_FINDING_TEXT_H_
#define LAYOUTCHECK_CLI_FINDING_TEXT_H_

#include <string>

#include "layoutcheck/cli/draw_text.h"
#include "layoutcheck/properties/finding.h"

namespace layoutcheck {

// The law in words, the smallest layout, expected and actual at the first difference, the picture of memory as it
// should be, the command that repeats it, and a test to paste: a request with the answer that it should have.
std::string FindingText(const Finding& finding, const TextStyle& style);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_FINDING_TEXT_H_
