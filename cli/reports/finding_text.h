// A finding as a person sees it.
#ifndef LAYOUTCHECK_CLI_REPORTS_FINDING_TEXT_H_
#define LAYOUTCHECK_CLI_REPORTS_FINDING_TEXT_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {

// A finding taken apart. Values are as the finding has them: they may hold any characters.
struct FindingParts {
  std::vector<Fact> facts;   // the law in words, the layout, the place, expected and actual
  std::vector<Fact> repeat;  // the command that repeats it, a test to paste
  // Memory as it should be, where it is small enough to be drawn; refers to `layout`.
  std::unique_ptr<AnyLayout> layout;
  std::optional<MemoryBoxes> boxes;
};
FindingParts PartsOf(const Finding& finding);

// "S breaks LAW on LAYOUT at element (0,1): expected 6, actual 3".
std::string FindingSentence(const Finding& finding);

// The sentence of a law, whether the laws or the fuzzer have it; empty for a name that neither knows.
std::string_view StatementOf(std::string_view law_name);

// The law in words, the smallest layout, expected and actual at the first difference, the picture of memory as it
// should be, the command that repeats it, and a test to paste: a request with the answer that it should have.
std::string FindingText(const Finding& finding, const TextStyle& style);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_REPORTS_FINDING_TEXT_H_
