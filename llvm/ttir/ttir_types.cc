// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttir/ttir_types.h"
#include <charconv>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 40;
constexpr std::string_view kTensor = "tensor<";
constexpr std::string_view kPointer = "!tt.ptr<";

// Returns the text up to a comma that is in no bracket, such as the one before an encoding or an address space.
std::string_view UpToComma(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    if (depth == 0 && text[at] == ',') return text.substr(0, at);
  }
  return text;
}

}  // namespace

std::string TypeText(const TtirType& type) {
  std::string element = type.is_pointer ? StrCat(kPointer, type.element, ">") : type.element;
  if (!type.is_tensor()) return element;
  std::string sizes;
  for (const int64_t size : type.shape) StrAppend(sizes, size, "x");
  return StrCat(kTensor, sizes, element, ">");
}

Expected<TtirType> ParseTtirType(std::string_view text) {
  TtirType type;
  const auto fail = [&] {
    return MakeError(ErrorKind::kSyntax, StrCat("expected a tensor of constant sizes, found '", text, "'"));
  };
  std::string_view element = Trimmed(text);
  if (element.starts_with(kTensor)) {
    element = UpToComma(element.substr(kTensor.size(), element.size() - kTensor.size() - 1));
    int64_t elements = 1;
    while (!element.empty() && (TextCursor::IsDigit(element[0]) || element[0] == '?')) {
      int64_t size = 0;
      const auto [end, error] = std::from_chars(element.data(), element.data() + element.size(), size);
      if (error != std::errc() || size < 1 || size > kMostElements / elements) return fail();
      elements *= size;
      element.remove_prefix(static_cast<size_t>(end - element.data()));
      if (!element.starts_with('x')) return fail();
      element.remove_prefix(1);
      type.shape.push_back(size);
    }
    if (type.shape.empty()) return fail();
  }
  type.is_pointer = element.starts_with(kPointer) && element.ends_with('>');
  if (type.is_pointer) element = UpToComma(element.substr(kPointer.size(), element.size() - kPointer.size() - 1));
  type.element = element;
  return type;
}

std::vector<TtirType> ResultTypes(const TtirOp& op, size_t count) {
  if (count != 1) return {};
  if (op.operand_types.empty()) {
    // MLIR prints no type behind `arith.constant true`.
    return op.name == "arith.constant" ? std::vector{TtirType{.shape = {}, .element = "i1"}} : std::vector<TtirType>();
  }
  TtirType type = op.name.ends_with("select") ? op.operand_types.back() : op.operand_types[0];
  if (op.name == "arith.cmpi" || op.name == "arith.cmpf") {
    type.element = "i1";
    type.is_pointer = false;
  } else if (op.name == "tt.load") {
    type.is_pointer = false;
    // A pointer to a tensor, as block pointers are.
    if (auto pointee = ParseTtirType(type.element); pointee && pointee->is_tensor()) type = *std::move(pointee);
  }
  return {type};
}

}  // namespace layoutcheck
