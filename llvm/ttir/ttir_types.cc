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

}  // namespace

std::string_view UpToComma(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (std::string_view("<[({").contains(text[at])) ++depth;
    if (std::string_view(">])}").contains(text[at])) --depth;
    if (depth == 0 && text[at] == ',') return text.substr(0, at);
  }
  return text;
}

std::optional<std::vector<int64_t>> TakeSizes(std::string_view& text) {
  std::vector<int64_t> sizes;
  int64_t elements = 1;
  while (!text.empty() && TextCursor::IsDigit(text[0])) {
    int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 1 || size > kMostElements / elements) return std::nullopt;
    elements *= size;
    sizes.push_back(size);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.starts_with('x')) text.remove_prefix(1);
  }
  return sizes;
}

std::string TypeText(const TtirType& type) {
  std::string element = type.is_pointer ? StrCat(kPointer, type.element, ">") : type.element;
  if (!type.is_tensor()) return element;
  std::string sizes;
  for (const int64_t size : type.shape) StrAppend(sizes, size, "x");
  return StrCat(kTensor, sizes, element, type.encoding.empty() ? "" : ", ", type.encoding, ">");
}

Expected<TtirType> ParseTtirType(std::string_view text) {
  TtirType type;
  const auto fail = [&] {
    return MakeError(ErrorKind::kSyntax, StrCat("expected a tensor of constant sizes, found '", text, "'"));
  };
  std::string_view element = Trimmed(text);
  if (element.starts_with(kTensor)) {
    const std::string_view inside = element.substr(kTensor.size(), element.size() - kTensor.size() - 1);
    element = UpToComma(inside);
    if (element.size() < inside.size()) type.encoding = Trimmed(inside.substr(element.size() + 1));
    auto shape = TakeSizes(element);
    if (!shape || shape->empty() || element.empty() || element.starts_with('?')) return fail();
    type.shape = *std::move(shape);
  }
  type.is_pointer = element.starts_with(kPointer) && element.ends_with('>');
  if (type.is_pointer) element = UpToComma(element.substr(kPointer.size(), element.size() - kPointer.size() - 1));
  type.element = element;
  return type;
}

std::vector<TtirType> ResultTypes(const TtirOp& op, size_t count) {
  if (count != 1) {
    // Operations of TTGIR such as ttng.warp_group_dot_wait pass their operands on.
    const bool passes_on = op.name.starts_with("ttng.") && op.operand_types.size() == count;
    return passes_on ? op.operand_types : std::vector<TtirType>();
  }
  if (op.operand_types.empty()) {
    // MLIR prints no type behind `arith.constant true`, and none of a token.
    if (op.name == "arith.constant") return {TtirType{.shape = {}, .element = "i1"}};
    if (op.name.contains(".async_")) return {TtirType{.shape = {}, .element = "!ttg.async.token"}};
    return {};
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
