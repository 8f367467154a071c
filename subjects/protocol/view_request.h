// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answering side of view, tile_view and slice.
#pragma once

#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/model/view_question.h"

namespace layoutcheck {

// Reads a request for a view of this kind. Error (invalid argument): a member that is missing or mistyped.
Expected<ViewQuestion> ReadViewQuestion(const Json& request, ViewQuestion::Kind kind);
// Returns the line of an answer, without a newline.
std::string ViewAnswerLine(const ViewAnswer& answer);

}  // namespace layoutcheck
