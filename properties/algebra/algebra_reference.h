// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's answers about the algebra: core's functions by CuTe's names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/model/view_question.h"

namespace layoutcheck {

// Applies a function to texts of layouts, composed layouts, swizzles, tilers, layouts in bits, tuples or numbers.
// Declines unknown functions and wrong numbers of arguments; fails if an argument cannot be read; rejects with core's
// reason if there is no result.
Answer<ApplyAnswer> ApplyReference(std::string_view function, std::span<const std::string> arguments);

// A function that ApplyReference knows.
struct AlgebraFunction {
  std::string_view name;
  size_t argument_count = 0;
};
std::vector<AlgebraFunction> AlgebraFunctions();

// Returns true if the name is meant as that of a function on layouts in bits: "linear_compose".
bool IsLinearFunction(std::string_view function);
// Reads a layout in bits by any text of ReadLinearLayout. Errors are of kind kSyntax.
Expected<LinearLayout> ReadLinearArgument(const std::string& text);

// Returns MakeTagLayout of a tag with the sizes of its blocks or without, "zN" or "zN<8,4>". The sizes of VectorLayout
// may be rows, which it ignores, and columns. Errors: no such tag (syntax); those of MakeTagLayout.
Expected<ShapeStrideLayout> MakeLayoutByTag(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes);
// Returns the text of MakeLayoutByTag. Declines unknown tags; fails with the other errors.
Answer<std::string> MakeReference(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes);

// Returns the view of the layout that a question is about. Errors: those of the functions that make views.
Expected<View> ViewOf(const ViewQuestion& question);
// Returns an answer with the layout and the offset of a strided form.
ViewAnswer StridedAnswer(const StridedView& strided, const View& view);
// Answers with the strided form if it is right, and otherwise with the offsets of the elements asked for. Rejects
// numbers that name no view. Fails if the layout cannot be read.
Answer<ViewAnswer> ViewReference(const ViewQuestion& question);

}  // namespace layoutcheck
