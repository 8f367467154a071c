// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as a shape:stride layout, a composed layout and a tiler. An accepted value must be
// printed, read back equal and printed the same again; its sizes and algebra must be values or errors.
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/fuzz/text/target.h"

namespace layoutcheck {
namespace {

// Maximum number of coordinates, which determines the time of the algebra.
constexpr int64_t kMaxSize = 4096;

template <class Value, class Parse>
std::optional<std::string> BrokenRoundTrip(const char* what, std::string_view text, Parse parse) {
  const Expected<Value> value = parse(text);
  if (!value) {
    const auto last = static_cast<int64_t>(text.size()) + 1;
    if (value.error().kind == ErrorKind::kSyntax && (value.error().column < 1 || value.error().column > last)) {
      return StrCat(what, " '", text, "': the error is at column ", value.error().column);
    }
    return std::nullopt;
  }
  const std::string printed = ToString(*value);
  const Expected<Value> again = parse(printed);
  if (!again) return StrCat(what, " '", text, "' is printed as '", printed, "': ", again.error().ToString());
  if (ToString(*again) != printed) return StrCat(what, " '", printed, "' is printed as '", ToString(*again), "'");
  return std::nullopt;
}

std::optional<std::string> BrokenProperty(std::string_view text) {
  if (auto broken = BrokenRoundTrip<ShapeStrideLayout>("layout", text, ParseShapeStrideLayout)) return broken;
  if (auto broken = BrokenRoundTrip<ComposedLayout>("composed layout", text, ParseComposedLayout)) return broken;
  if (auto broken = BrokenRoundTrip<Tiler>("tiler", text, ParseTiler)) return broken;
  const Expected<ShapeStrideLayout> layout = ParseShapeStrideLayout(text);
  if (!layout) return std::nullopt;
  const Expected<int64_t> size = Size(*layout);
  const Expected<int64_t> cosize = Cosize(*layout);
  if (!size || *size > kMaxSize || !cosize) return std::nullopt;
  if (const Expected<ShapeStrideLayout> coalesced = Coalesce(*layout)) {
    for (int64_t i = 0; i < *size; ++i) {
      const Expected<int64_t> before = Crd2Idx(i, *layout);
      const Expected<int64_t> after = Crd2Idx(i, *coalesced);
      if (!before) break;  // a basis stride, which coalescing may drop
      if (!after || *before != *after) {
        return StrCat("coalesce changes '", text, "' at ", i);
      }
    }
  }
  return std::nullopt;
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::InputText(data, size)));
  return 0;
}
