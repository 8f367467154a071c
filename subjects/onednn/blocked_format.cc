#include "layoutcheck/subjects/onednn/blocked_format.h"

#include "layoutcheck/core/str_cat.h"

namespace layoutcheck {
namespace {

// A digit of the expanded layout: what is outside of all tiles of a dimension (size 0), or a block.
struct Digit {
  int64_t dimension = 0;
  int64_t size = 0;
};

Error NoBlocking(std::string_view why) {
  return Error{ErrorKind::kInvalidArgument, StrCat("no blocked format: ", why)};
}

}  // namespace

Expected<BlockedFormat> ToBlockedFormat(const Shape& shape) {
  if (!shape.IsArray() || !shape.layout) return std::unexpected(NoBlocking("not an array with a layout"));
  if (shape.HasDynamicDimension()) return std::unexpected(NoBlocking("a dynamic dimension"));
  const Layout& layout = *shape.layout;
  if (!(layout == Layout(layout.minor_to_major, layout.tiles))) {
    return std::unexpected(NoBlocking("an attribute besides tiles"));
  }

  BlockedFormat format;
  std::vector<Digit> digits;
  for (int64_t p = 0; p < layout.rank(); ++p) {
    format.outer_order.push_back(layout.Major(p));
    digits.push_back({layout.Major(p), 0});
  }
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const std::vector<int64_t>& sizes = layout.tiles[t].dimensions;
    if (sizes.size() > digits.size()) return std::unexpected(NoBlocking("a tile of more dimensions than there are"));
    const size_t first = digits.size() - sizes.size();
    for (size_t k = 0; k < sizes.size(); ++k) {
      const int64_t size = sizes[k];
      if (size < 1) return std::unexpected(NoBlocking("a combined dimension"));
      // A reference into the list would not survive the push_back.
      Digit digit = digits[first + k];
      if (digit.size == 0) {
        if (t > 0 && size > 1) return std::unexpected(NoBlocking("a later tile divides an outer dimension"));
      } else {
        if (digit.size % size != 0) return std::unexpected(NoBlocking("a block divided with remainder"));
        digits[first + k].size = digit.size / size;
      }
      digits.push_back({digit.dimension, size});
    }
  }
  for (const Digit& digit : digits) {
    if (digit.size > 1) format.inner.emplace_back(digit.dimension, digit.size);
  }
  return format;
}

}  // namespace layoutcheck
