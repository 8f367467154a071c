// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's answers about views: core's views of shape:stride layouts.
#pragma once

#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/model/view_question.h"

namespace layoutcheck {

// Returns the view of the layout that a question is about. Errors: those of the functions that make views.
Expected<View> ViewOf(const ViewQuestion& question);
// Returns an answer with the layout and the offset of a strided form.
ViewAnswer StridedAnswer(const StridedView& strided, const View& view);
// Answers with the strided form if it is right, and otherwise with the offsets of the elements asked for. Rejects
// numbers that name no view. Fails if the layout cannot be read.
Answer<ViewAnswer> ViewReference(const ViewQuestion& question);

}  // namespace layoutcheck
