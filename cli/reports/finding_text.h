// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

// A request of the subject protocol and the right answer to it, as lines of JSON.
struct PastedTest {
  std::string request;
  std::string answer;
};

// The parts of a finding that reports show. Values are not escaped: they may hold any characters.
struct FindingParts {
  std::vector<Fact> facts;         // the law's statement, the layout, the place, expected and actual
  std::vector<Fact> repeat;        // the command that repeats the finding, and a test to paste
  std::optional<PastedTest> test;  // the same test
  std::unique_ptr<AnyLayout> layout;
  std::optional<MemoryBoxes> boxes;  // correct memory, if small enough to draw; refers to `layout`
};
FindingParts PartsOf(const Finding& finding);

// Returns "S breaks LAW on LAYOUT at element (0,1): expected 6, actual 3", with " (flaky)" if it does not repeat.
std::string FindingSentence(const Finding& finding);

// Returns the statement of a law of `check` or `fuzz`, or an empty text for another name.
std::string_view StatementOf(std::string_view law_name);

// Returns the facts (see FindingParts), the picture of correct memory, the command that repeats the finding, and a test
// to paste: a request with its correct answer.
std::string FindingText(const Finding& finding, const TextStyle& style);

}  // namespace layoutcheck
