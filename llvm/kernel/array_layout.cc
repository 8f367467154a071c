// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/array_layout.h"
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kBeginStrides = ":(";

// Returns the text as an operand of a product.
std::string Factor(std::string_view text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c == '_' || std::isalnum(c) != 0; });
  return is_plain ? std::string(text) : StrCat("(", text, ")");
}

std::string Product(const std::string& a, const std::string& b) {
  return a == "1" ? b : b == "1" ? a : StrCat(a, " * ", b);
}

}  // namespace

Expected<ArrayLayout> ParseArrayLayout(std::string_view text) {
  const size_t begin = text.find(kBeginStrides);
  LAYOUTCHECK_TRY(SymbolicLayout plain, ParseSymbolicLayout(text.substr(0, begin)));
  ArrayLayout layout{std::move(plain), {}};
  const auto type = ElementTypeFromName(text.substr(0, text.find('[')));
  const int64_t bits = layout.element_bits;
  const bool is_narrow = type && IsSubByteNonPred(*type);
  layout.value_bits = is_narrow ? std::min(BitWidth(*type), bits) : bits;
  if (bits <= 0 || (bits % kBitsPerByte != 0 && kBitsPerByte % bits != 0)) {
    return MakeError(ErrorKind::kUnsupported,
                     StrCat("expected elements of whole bytes, or of 1, 2 or 4 bits, found ", bits, " bits"));
  }
  if (begin == std::string_view::npos) return layout;
  auto strides = ParseFormulas(text.substr(begin + 1));
  if (!strides) return MakeError(strides.error().kind, StrCat("strides: ", strides.error().ToString()));
  const size_t rank = layout.layout.dimensions.size();
  if (strides->size() != rank) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected one stride per dimension, of which there are ", rank, ", found ", strides->size(),
                            " in '", text.substr(begin + 1), "'"));
  }
  if (!layout.layout.tiles.empty()) {
    return MakeError(ErrorKind::kUnsupported, StrCat("expected strides or tiles, found both in '", text, "'"));
  }
  layout.strides = *std::move(strides);
  return layout;
}

Expected<KernelRequest> AssumeNestedStrides(KernelRequest request) {
  std::vector<std::string> assumptions;
  auto arrays = request.arrays;
  arrays.insert(arrays.end(), request.earlier_arrays.begin(), request.earlier_arrays.end());
  for (const auto& [name, text] : arrays) {
    auto layout = ParseArrayLayout(text);
    if (!layout) return MakeError(layout.error().kind, StrCat("--array ", name, ": ", layout.error().ToString()));
    if (layout->strides.empty()) continue;
    // The number of places of an element of the dimensions so far, which are the minor ones.
    std::string places = "1";
    for (const int64_t dimension : layout->layout.minor_to_major) {
      const std::string stride = FormulaText(layout->strides[static_cast<size_t>(dimension)]);
      if (stride != places) assumptions.push_back(StrCat(places, " <= ", stride));
      const SymbolicSize& size = layout->layout.dimensions[static_cast<size_t>(dimension)];
      const auto derived = std::ranges::find(request.derived, size.name, &std::pair<std::string, std::string>::first);
      const std::string text_of = size.name.empty()                  ? StrCat(size.value)
                                  : derived != request.derived.end() ? derived->second
                                                                     : size.name;
      places = Product(Factor(text_of), Factor(stride));
    }
  }
  for (std::string& assumption : assumptions) {
    if (std::ranges::find(request.assumptions, assumption) == request.assumptions.end()) {
      request.assumptions.push_back(std::move(assumption));
    }
  }
  return request;
}

}  // namespace layoutcheck
