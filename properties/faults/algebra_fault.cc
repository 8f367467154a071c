// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/faults/algebra_fault.h"
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"

namespace layoutcheck::algebra_fault {
namespace {

template <class T>
void AnswerText(ApplyAnswer& answer, const T& result) {
  answer = {};
  answer.layout = ToString(result);
}

}  // namespace

StridedModes LeavesOf(const std::string& text) {
  const auto layout = ParseShapeStrideLayout(text);
  const auto modes = layout ? FlatModes(*layout) : Expected<StridedModes>(StridedModes{});
  StridedModes kept;
  for (const StridedMode& mode : modes.value_or(StridedModes{})) {
    if (mode.extent != 1) kept.push_back(mode);
  }
  return kept;
}

void SetAnswer(ApplyAnswer& answer, const ShapeStrideLayout& layout) { AnswerText(answer, layout); }
void SetAnswer(ApplyAnswer& answer, const ComposedLayout& composed) { AnswerText(answer, composed); }
void SetAnswer(ApplyAnswer& answer, const Swizzle& swizzle) { AnswerText(answer, swizzle); }

Plant In(std::string_view function, void (*change)(Arguments, ApplyAnswer&)) {
  return [function, change](FaultHooks& hooks) {
    hooks.apply = [function, change](std::string_view name, Arguments arguments, ApplyAnswer& answer) {
      if (name == function) change(arguments, answer);
    };
  };
}

void Instead(std::string_view function, Arguments arguments, ApplyAnswer& answer) {
  const auto other = ApplyReference(function, arguments);
  if (const auto* value = std::get_if<ApplyAnswer>(&other)) answer = *value;
}

void Swapped(std::string_view function, Arguments arguments, ApplyAnswer& answer) {
  const std::string swapped[] = {arguments[1], arguments[0]};
  Instead(function, swapped, answer);
}

void ChangeModes(ApplyAnswer& answer,
                 const std::function<void(std::vector<IntTuple>&, std::vector<IntTuple>&)>& change) {
  if (!answer.layout) return;
  const auto layout = ParseShapeStrideLayout(*answer.layout);
  if (!layout) return;
  std::vector<IntTuple> extents = Leaves(layout->shape);
  std::vector<IntTuple> strides = Leaves(layout->stride);
  change(extents, strides);
  SetAnswer(answer, {Unflatten(layout->shape, extents), Unflatten(layout->stride, strides)});
}

}  // namespace layoutcheck::algebra_fault
