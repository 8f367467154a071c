// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands and the test that a refutation in JSON offers its reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {

// An element of a layout: the layout's text and the element's coordinate.
struct LayoutElement {
  std::string layout;
  std::vector<int64_t> coordinate;
};

// Returns the member `next` of a finding: {"commands":[...],"test":{"send":...,"expect":...}}, with the commands of
// this program that show the layout and the place of the refutation, and the test that the text of a finding has. Each
// command answers: its layout and place were read here. A member without content is left out, and without any the
// result is null.
Json NextSteps(const Finding& finding);
// Returns the member `next` of a law of `prove` or `prove-kernel`, given the document of its --json. `others` are other
// layouts that the question is about, with the same names. The result is null unless the law is refuted.
Json NextStepsOfProof(const Json& proof, const std::vector<std::string>& others = {});
// Returns the member `next` about elements of layouts that are not where they should be.
Json NextStepsAt(const std::vector<LayoutElement>& elements);

// Returns the member `next` about two XLA layouts that are equal at their sizes: the command that compares both at
// other sizes, at which an element moves. The result is null if the few other sizes that are tried tell none apart.
Json NextStepsToTellApart(const std::string& a, const std::string& b);

// Adds the member `next` to a document unless it is null.
void AddNextSteps(Json& document, Json next);

}  // namespace layoutcheck
