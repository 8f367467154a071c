// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/faults/algebra_fault.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"

namespace layoutcheck::algebra_fault {
namespace {

template <class T>
void AnswerText(ApplyAnswer& answer, const T& result) {
  answer = {};
  answer.layout = ToString(result);
}

// Sets the answer to `parsed`, which was read from it, after a change, if it could be read.
template <class T, class DoChange>
void ChangeParsed(ApplyAnswer& answer, Expected<T> parsed, DoChange change) {
  if (!parsed) return;
  change(*parsed);
  SetAnswer(answer, *parsed);
}

// Changes the answer of the function in the way that the type of the change says.
struct Changer {
  std::string_view function;
  Arguments arguments;
  ApplyAnswer& answer;

  void operator()(const std::function<void(Arguments, ApplyAnswer&)>& change) const { change(arguments, answer); }
  void operator()(std::string_view other) const { Instead(other, arguments, answer); }
  void operator()(const std::function<Texts(Arguments)>& others) const {
    if (const Texts texts = others(arguments); !texts.empty()) Instead(function, texts, answer);
  }
  void operator()(const std::function<void(Tuples&, Tuples&)>& change) const { ChangeModes(answer, change); }
  void operator()(const std::function<void(ShapeStrideLayout&)>& change) const {
    ChangeParsed(answer, ParseShapeStrideLayout(text()), change);
  }
  void operator()(const std::function<void(Swizzle&)>& change) const {
    ChangeParsed(answer, ParseSwizzle(text()), change);
  }
  void operator()(const std::function<void(ComposedLayout&)>& change) const {
    const auto composed = ParseComposedLayout(text());
    if (composed && composed->swizzle) ChangeParsed(answer, composed, change);
  }

  std::string text() const { return answer.layout.value_or(""); }
};

}  // namespace

std::vector<Fault> InFunctions(std::vector<FaultInFunction> faults) {
  std::vector<Fault> all;
  for (FaultInFunction& fault : faults) {
    all.push_back(
        {fault.name, fault.stands_for,
         [function = fault.function, change = std::move(fault.change)](const ApplyQuestion& q, ApplyAnswer& answer) {
           if (q.function == function) std::visit(Changer{function, q.arguments, answer}, change);
         }});
  }
  return all;
}

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

void Instead(std::string_view function, Arguments arguments, ApplyAnswer& answer) {
  const auto other = ApplyReference(function, arguments);
  if (const auto* value = std::get_if<ApplyAnswer>(&other)) answer = *value;
}

void ChangeModes(ApplyAnswer& answer, const std::function<void(Tuples&, Tuples&)>& change) {
  ChangeParsed(answer, ParseShapeStrideLayout(answer.layout.value_or("")), [&](ShapeStrideLayout& layout) {
    Tuples extents = Leaves(layout.shape);
    Tuples strides = Leaves(layout.stride);
    change(extents, strides);
    layout = {Unflatten(layout.shape, extents), Unflatten(layout.stride, strides)};
  });
}

Texts Swapped(Arguments arguments) { return {arguments[1], arguments[0]}; }

}  // namespace layoutcheck::algebra_fault
