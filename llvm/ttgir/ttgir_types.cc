// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/ttgir_types.h"
#include <algorithm>
#include <charconv>
#include <system_error>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/base/trim.h"
#include "layoutcheck/llvm/ttir/ttir_types.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kBuffer = "!ttg.memdesc<";

bool IsAliasByte(char c) { return TextCursor::IsWordByte(c) || c == '$' || c == '-'; }

// Returns the parts of a text between the commas that are in no bracket.
std::vector<std::string_view> PartsOf(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::string_view part = UpToComma(text);
    parts.push_back(Trimmed(part));
    if (part.size() == text.size()) return parts;
    text.remove_prefix(part.size() + 1);
  }
}

Expected<int64_t> PaddedElements(const TtgirBufferType& type, TtgirLayouts& layouts) {
  // A buffer of several stages has one more dimension than its layout.
  const Expected<TritonLayout>* layout = &layouts.Find(type.encoding, type.shape);
  int64_t stages = 1;
  if (!*layout && type.shape.size() > 1) {
    stages = type.shape.front();
    layout = &layouts.Find(type.encoding, std::span(type.shape).subspan(1));
  }
  if (!*layout) return std::unexpected(layout->error());
  const auto* const strides = std::get_if<ShapeStrideLayout>(&**layout);
  if (strides == nullptr) return UnsupportedError("expected a layout with padding");
  LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(*strides));
  return ValueOrOverflow((CheckedInt64(range.largest) + CheckedInt64(1)) * CheckedInt64(stages), "a buffer's elements");
}

}  // namespace

std::string TtgirBufferType::ShapeText() const { return StrCat(StrJoin(shape, "x"), "x", element); }

Expected<TtgirBufferType> ParseBufferType(std::string_view text) {
  const auto fail = [&] {
    return MakeError(ErrorKind::kSyntax,
                     StrCat("expected a buffer such as ", kBuffer, "64x32xf16, #shared, #smem>, found '", text, "'"));
  };
  if (!text.starts_with(kBuffer) || !text.ends_with('>')) return fail();
  const auto parts = PartsOf(text.substr(kBuffer.size(), text.size() - kBuffer.size() - 1));
  if (parts.size() < 3) return fail();
  TtgirBufferType type;
  std::string_view element = parts[0];
  auto shape = TakeSizes(element);
  if (!shape || shape->empty() || element.empty()) return fail();
  type.shape = *std::move(shape);
  type.whole_shape = type.shape;
  type.element = element;
  type.encoding = parts[1];
  type.memory = parts[2];
  for (std::string_view part : std::span(parts).subspan(3)) {
    if (part == "mutable") continue;
    const auto whole = TakeSizes(part);
    if (!whole || !part.empty() || whole->size() < type.shape.size()) return fail();
    type.whole_shape.assign(whole->end() - std::ssize(type.shape), whole->end());
  }
  return type;
}

std::optional<int64_t> ElementBytes(std::string_view element) {
  if (element.starts_with("!tt.ptr<")) return 8;
  size_t at = 0;
  while (at < element.size() && TextCursor::IsLetter(element[at])) ++at;
  int64_t bits = 0;
  const auto [end, error] = std::from_chars(element.data() + at, element.data() + element.size(), bits);
  const bool is_number = at > 0 && error == std::errc() && std::string_view("iufbst").contains(element[0]);
  if (!is_number || bits < 1 || bits > 128) return std::nullopt;
  return (bits + 7) / 8;
}

std::optional<int64_t> ElementBytes(const TtirType& type) { return type.is_pointer ? 8 : ElementBytes(type.element); }

std::string ShapeAndLayout(const TtirType& type) {
  std::string element = type.is_pointer ? StrCat("!tt.ptr<", type.element, ">") : type.element;
  if (!type.is_tensor()) return element;
  return StrCat(StrJoin(type.shape, "x"), "x", element, type.encoding.empty() ? "" : " ", type.encoding);
}

Expected<std::string> TtgirLayouts::Expanded(std::string_view encoding) const { return Expanded(encoding, 0); }

Expected<std::string> TtgirLayouts::Expanded(std::string_view encoding, int depth) const {
  constexpr int kMostDepth = 8;
  constexpr size_t kMostText = size_t{64} << 10;
  std::string text;
  for (size_t at = 0; at < encoding.size();) {
    size_t end = at + 1;
    if (encoding[at] == '#') {
      while (end < encoding.size() && IsAliasByte(encoding[end])) ++end;
    }
    const std::string_view part = encoding.substr(at, end - at);
    at = end;
    if (part[0] != '#' || (end < encoding.size() && encoding[end] == '.')) {  // the `#ttg` of `#ttg.slice`
      text += part;
      continue;
    }
    const auto alias = aliases_.find(part);
    if (alias == aliases_.end()) return MakeError(ErrorKind::kSyntax, StrCat("'", part, "' is not defined"));
    if (depth == kMostDepth) {
      return MakeError(ErrorKind::kSyntax, StrCat("'", part, "': aliases of aliases more than ", kMostDepth, " deep"));
    }
    LAYOUTCHECK_TRY(const std::string expanded, Expanded(alias->second, depth + 1));
    text += expanded;
    if (text.size() > kMostText) {
      return MakeError(ErrorKind::kSyntax, StrCat("'", part, "': expected a layout of at most ", kMostText, " bytes"));
    }
  }
  return text;
}

const Expected<TritonLayout>& TtgirLayouts::Find(std::string_view encoding, std::span<const int64_t> shape) {
  auto key = std::pair(std::string(encoding), std::vector<int64_t>(shape.begin(), shape.end()));
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(std::move(key), Read(encoding, shape)).first->second;
}

Expected<TritonLayout> TtgirLayouts::Read(std::string_view encoding, std::span<const int64_t> shape) const {
  if (encoding.empty()) return UnsupportedError("expected a layout behind the shape, found none");
  LAYOUTCHECK_TRY(const std::string text, Expanded(encoding));
  LAYOUTCHECK_TRY(TritonLayout layout, ParseTritonLayout(StrCat(text, " [", StrJoin(shape, ","), "]")));
  const auto* const linear = std::get_if<LinearLayout>(&layout);
  if (linear != nullptr && linear->input_bits() > kMostBits) {
    return UnsupportedError("expected a layout with at most 2^", kMostBits, " places, found 2^", linear->input_bits());
  }
  return layout;
}

Expected<LinearLayout> TtgirLayouts::OfTensor(std::string_view encoding, std::span<const int64_t> shape) {
  const Expected<TritonLayout>& layout = Find(encoding, shape);
  if (!layout) return std::unexpected(layout.error());
  const auto* const linear = std::get_if<LinearLayout>(&*layout);
  if (linear == nullptr || !linear->FindInput("register")) {
    return UnsupportedError("expected a layout of registers, found ", encoding);
  }
  return *linear;
}

Expected<int64_t> BufferBytes(const TtgirBufferType& type, TtgirLayouts& layouts) {
  const auto element_bytes = ElementBytes(type.element);
  if (!element_bytes) return UnsupportedError("the size of '", type.element, "' is not known");
  CheckedInt64 bytes = *element_bytes;
  LAYOUTCHECK_TRY(const std::string layout, layouts.Expanded(type.encoding));
  if (layout.starts_with("#ttg.padded_shared")) {
    LAYOUTCHECK_TRY(const int64_t elements, PaddedElements(type, layouts));
    return ValueOrOverflow(bytes * CheckedInt64(elements), "a buffer's bytes");
  }
  for (const int64_t size : type.shape) bytes = bytes * CheckedInt64(size);
  return ValueOrOverflow(bytes, "a buffer's bytes");
}

}  // namespace layoutcheck
