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

// Return the member `next`: {"commands":[...],"test":{"send":...,"expect":...}}, with the commands of this program that
// show the layout and the place of the refutation, and the test that the text of a finding has. Each command
// answers: its layout and place were read here. A member without content is left out, and without any the result is
// null.
Json NextSteps(const Finding& finding);
// The same for a law of `prove`, a document of its --json. It is null unless the law is refuted.
Json NextStepsOfProof(const Json& proof);
// The same for elements of layouts that are not where they should be.
Json NextStepsAt(const std::vector<LayoutElement>& elements);

// Adds the member `next` to a document unless it is null.
void AddNextSteps(Json& document, Json next);

}  // namespace layoutcheck
