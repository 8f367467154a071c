// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/fractal.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {
namespace {

constexpr int64_t kC0 = 0;  // stands for the number of elements in 32 bytes

// The first letter of a tag says how elements lie in a block, the second how the blocks lie in memory: z and Z row by
// row, n and N column by column.
struct Tag {
  std::string_view name;
  std::optional<Fractal::Block> block;
  bool is_row_major;  // of blocks, or else of elements
};

constexpr Tag kTags[] = {
    {"RowMajor", std::nullopt, true},  {"ColumnMajor", std::nullopt, false}, {"VectorLayout", std::nullopt, true},
    {"zN", {{16, kC0, true}}, false},  {"nZ", {{kC0, 16, false}}, true},     {"zZ", {{16, kC0, true}}, true},
    {"nN", {{kC0, 16, false}}, false}, {"L0C", {{16, 16, true}}, false},     {"Weight4BitnZ", {{32, 16, false}}, true},
};

bool IsWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Returns true for a number and for a name.
bool IsSize(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return IsWord(text) && (!is_digit(text[0]) || std::ranges::all_of(text, is_digit));
}

// The parts of TAG:TYPE[ROWS,COLUMNS].
struct Parts {
  std::string_view tag;
  std::string_view type;
  std::string_view rows;
  std::string_view columns;
};

std::optional<Parts> PartsOf(std::string_view text) {
  const size_t colon = text.find(':');
  const size_t bracket = text.find('[');
  const size_t comma = text.find(',');
  const bool has_marks = colon < bracket && bracket < comma && comma < text.size() && text.ends_with(']');
  if (!has_marks) return std::nullopt;
  const Parts parts{text.substr(0, colon), text.substr(colon + 1, bracket - colon - 1),
                    text.substr(bracket + 1, comma - bracket - 1), text.substr(comma + 1, text.size() - comma - 2)};
  return IsWord(parts.type) && IsSize(parts.rows) && IsSize(parts.columns) ? std::optional(parts) : std::nullopt;
}

// Returns the tiles of the XLA layout. A tile's first entry is of the major dimension.
std::string TilesOf(const Fractal& fractal) {
  if (!fractal.block) return fractal.packs_two ? "T(1,2)" : "";
  const auto [height, width, is_row_major] = *fractal.block;
  const int64_t major = fractal.is_row_major ? height : width;
  const int64_t minor = fractal.is_row_major ? width : height;
  std::string tiles = StrCat("T(", major, ",", minor, ")");
  // Where a block has another order, its minor dimension comes before its major one.
  if (is_row_major != fractal.is_row_major) StrAppend(tiles, "(", major, ",1)");
  return tiles;
}

std::expected<Layout, std::string> ReadFractal(std::string_view text) {
  const auto parts = PartsOf(text);
  if (!parts) return std::unexpected("expected a fractal layout, such as zN:f16[M,N]");
  const auto* const tag = std::ranges::find(kTags, parts->tag, &Tag::name);
  if (tag == std::end(kTags)) return std::unexpected("expected the tag of a fractal layout, such as zN");
  const int64_t bits = BitsOf(parts->type);
  if (bits != 4 && bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    return std::unexpected("expected elements of 4, 8, 16, 32 or 64 bits");
  }
  Fractal fractal{tag->block, tag->is_row_major, bits == 4};
  if (fractal.block && fractal.block->height == kC0) fractal.block->height = 256 / bits;
  if (fractal.block && fractal.block->width == kC0) fractal.block->width = 256 / bits;
  const bool is_vector = tag->name == "VectorLayout";
  std::string attributes = is_vector ? "" : TilesOf(fractal);
  if (fractal.packs_two) attributes += "E(4)";
  if (!attributes.empty()) attributes.insert(0, ":");
  const std::string xla = is_vector ? StrCat(parts->type, "[", parts->columns, "]{0", attributes, "}")
                                    : StrCat(parts->type, "[", parts->rows, ",", parts->columns, "]{",
                                             fractal.is_row_major ? "1,0" : "0,1", attributes, "}");
  auto layout = ReadLayout(xla);
  if (!layout) return std::unexpected(StrCat("as the XLA layout ", xla, ": ", layout.error()));
  layout->fractal = fractal;
  return layout;
}

}  // namespace

std::expected<Layout, std::string> ReadTiledOrFractal(std::string_view text) {
  const bool is_fractal = text.find(':') < text.find('[');
  return is_fractal ? ReadFractal(text) : ReadLayout(text);
}

Placed PlaceInFractal(Ring& ring, const Fractal& fractal, std::span<const Polynomial> sizes,
                      std::span<const Polynomial> point) {
  const Polynomial one = ring.Constant(1);
  Placed placed{ring.Constant(0), one};  // no element and the place of the first
  const auto add = [&](Polynomial digit, Polynomial size, Polynomial stride) {
    placed.index = ring.Sum(placed.index, ring.Product(digit, stride));
    placed.elements = ring.Sum(placed.elements, ring.Product(ring.Difference(size, one), stride));
  };
  if (sizes.size() == 1) {
    add(point[0], sizes[0], one);
    return placed;
  }
  const size_t major = fractal.is_row_major ? 0 : 1;
  const size_t minor = 1 - major;
  if (!fractal.block) {
    // Two elements of 4 bits share a byte, and a row, or a column, begins with a byte.
    const Polynomial two = ring.Constant(2);
    const Polynomial pitch = fractal.packs_two ? ring.Product(ring.CeilDiv(sizes[minor], two), two) : sizes[minor];
    add(point[major], sizes[major], pitch);
    add(point[minor], sizes[minor], one);
    placed.elements = ring.Sum(placed.elements, ring.Difference(pitch, sizes[minor]));
    return placed;
  }
  const auto [height, width, is_row_major] = *fractal.block;
  const std::array<Polynomial, 2> block = {ring.Constant(height), ring.Constant(width)};
  const Polynomial area = ring.Constant(Int128{height} * width);
  const std::array<Polynomial, 2> inside = {is_row_major ? block[1] : one, is_row_major ? one : block[0]};
  std::array<Polynomial, 2> between = {area, area};
  between[major] = ring.Product(ring.CeilDiv(sizes[minor], block[minor]), area);
  for (const size_t d : {size_t{0}, size_t{1}}) {
    add(ring.Mod(point[d], block[d]), block[d], inside[d]);
    add(ring.FloorDiv(point[d], block[d]), ring.CeilDiv(sizes[d], block[d]), between[d]);
  }
  return placed;
}

}  // namespace layoutcheck::verify
