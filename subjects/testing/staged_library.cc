// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library for tests: a correct parser of shapes that drops the memory space of one planted shape. It recognizes that
// shape step by step, so that each closer text runs new code. Without coverage, a fuzzer would have to draw it at once.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/subject.h"

namespace {

using layoutcheck::ElementType;
using layoutcheck::Shape;

bool IsPlanted(const Shape& shape) {
  if (!shape.IsArray() || !shape.layout) return false;
  if (shape.rank() != 3) return false;
  if (shape.element_type != ElementType::kS16) return false;
  if (shape.dimensions[0] != 17) return false;
  if (shape.layout->tiles.size() != 2) return false;
  return shape.layout->memory_space == 9;
}

int Say(int status, layoutcheck_text* text, std::string_view words) {
  text->size = words.size();
  std::memcpy(text->data, words.data(), std::min(words.size(), text->capacity));
  return status;
}

int Parse(const char* kind, const char* text, size_t size, layoutcheck_text* answer) {
  if (std::string_view(kind) != "shape") return Say(LAYOUTCHECK_UNSUPPORTED, answer, "shapes only");
  auto shape = layoutcheck::ParseShape(std::string_view(text, size));
  if (!shape) return Say(LAYOUTCHECK_REJECTED, answer, shape.error().ToString());
  if (IsPlanted(*shape)) shape->layout->memory_space = 0;
  return Say(LAYOUTCHECK_OK, answer, ToString(*shape));
}

}  // namespace

const layoutcheck_subject* layoutcheck_get_subject() {
  static const layoutcheck_subject subject = {
      .abi = LAYOUTCHECK_SUBJECT_ABI, .struct_size = sizeof(layoutcheck_subject), .name = "staged", .parse = Parse};
  return &subject;
}
