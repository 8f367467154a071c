#include "layoutcheck/core/shape_stride/tla.h"

#include <algorithm>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

struct NamedTag {
  TlaTag tag;
  std::string_view name;
};
constexpr NamedTag kTags[] = {
    {TlaTag::kRowMajor, "RowMajor"},
    {TlaTag::kColumnMajor, "ColumnMajor"},
    {TlaTag::kVectorLayout, "VectorLayout"},
    {TlaTag::kZN, "zN"},
    {TlaTag::kNZ, "nZ"},
    {TlaTag::kZZ, "zZ"},
    {TlaTag::kNN, "nN"},
    {TlaTag::kL0C, "L0C"},
    {TlaTag::kWeight4BitnZ, "Weight4BitnZ"},
};

// Tags whose layout depends on the width of an element.
bool DependsOnElement(TlaTag tag) {
  return tag != TlaTag::kL0C && tag != TlaTag::kWeight4BitnZ && tag != TlaTag::kVectorLayout;
}

Expected<int64_t> ColumnsOfTag(TlaTag tag, int64_t element_bits) {
  return DependsOnElement(tag) ? FractalColumns(element_bits) : Expected<int64_t>(1);
}

Expected<ShapeStrideLayout> LayoutOf(const BasicStridedLayout<CheckedInt64>& modes, IntTuple origin) {
  const auto number = [](CheckedInt64 n, bool& overflow) {
    overflow |= n.overflow;
    return IntTuple(n.value);
  };
  bool overflow = false;
  std::vector<IntTuple> shape;
  std::vector<IntTuple> stride;
  for (const auto& mode : modes.modes) {
    std::vector<IntTuple> extents;
    std::vector<IntTuple> strides;
    for (const auto& leaf : mode) {
      extents.push_back(number(leaf.extent, overflow));
      strides.push_back(number(leaf.stride, overflow));
    }
    shape.push_back(extents.size() == 1 ? extents[0] : IntTuple::Tuple(extents));
    stride.push_back(strides.size() == 1 ? strides[0] : IntTuple::Tuple(strides));
  }
  if (overflow) return MakeError(ErrorKind::kOverflow, "an extent or a stride of the layout does not fit int64");
  return ShapeStrideLayout{IntTuple::Tuple(std::move(shape)), IntTuple::Tuple(std::move(stride)), std::move(origin)};
}

Expected<void> CheckSizes(int64_t rows, int64_t columns) {
  if (rows >= 0 && columns >= 0) return {};
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat("size ", rows, " x ", columns, ": expected sizes of at least 0"));
}

// The argument's integers, if it has one >= 0 for each mode of the layout.
Expected<std::vector<int64_t>> OnePerMode(const ShapeStrideLayout& layout, const IntTuple& numbers,
                                          std::string_view what) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  if (Depth(numbers) > 1 || numbers.is_leaf() != layout.shape.is_leaf() || Rank(numbers) != Rank(layout)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(what, " ", ToString(numbers), ": expected one integer for each of the ", Rank(layout),
                            " modes of ", ToString(layout)));
  }
  std::vector<int64_t> result;
  for (const IntTuple& number : Leaves(numbers)) {
    if (number.value() < 0) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat(what, " ", ToString(numbers), " has an integer below 0"));
    }
    result.push_back(number.value());
  }
  return result;
}

IntTuple LikeModes(const ShapeStrideLayout& layout, const std::vector<int64_t>& numbers) {
  if (layout.shape.is_leaf()) return numbers[0];
  return IntTuple::Tuple(std::vector<IntTuple>(numbers.begin(), numbers.end()));
}

// The sizes of the modes that hold elements.
Expected<std::vector<int64_t>> Origin(const ShapeStrideLayout& layout) {
  std::vector<int64_t> origin;
  for (int64_t i = 0; i < Rank(layout); ++i) {
    const Expected<int64_t> size =
        layout.origin_shape ? Expected<int64_t>(Get(*layout.origin_shape, i)->value()) : Product(*Get(layout.shape, i));
    if (!size) return std::unexpected(size.error());
    origin.push_back(*size);
  }
  return origin;
}

Expected<std::vector<int64_t>> Sum(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> sum;
  for (size_t i = 0; i < a.size(); ++i) {
    const Expected<int64_t> term = ValueOrOverflow(CheckedInt64(a[i]) + b[i], "the coordinate");
    if (!term) return std::unexpected(term.error());
    sum.push_back(*term);
  }
  return sum;
}

Expected<IntTuple> TileShapeOf(const ShapeStrideLayout& layout, const std::vector<int64_t>& tile) {
  std::vector<IntTuple> shape;
  for (size_t i = 0; i < tile.size(); ++i) {
    const IntTuple mode = *Get(layout.shape, static_cast<int64_t>(i));
    if (mode.is_leaf()) {
      shape.emplace_back(tile[i]);
      continue;
    }
    if (Depth(mode) != 1 || Rank(mode) != 2 || mode.elements()[0].value() < 1) {
      return MakeError(ErrorKind::kUnsupported,
                       StrCat("mode ", i, " is ", ToString(mode), ": expected an integer or (inner,outer)"));
    }
    const IntTuple& inner = mode.elements()[0];
    shape.push_back(IntTuple::Tuple({inner, CeilDiv(tile[i], inner.value())}));
  }
  return layout.shape.is_leaf() ? shape[0] : IntTuple::Tuple(std::move(shape));
}

void SkipDigits(std::string_view text, size_t& at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
}

}  // namespace

std::string_view TlaTagName(TlaTag tag) { return std::ranges::find(kTags, tag, &NamedTag::tag)->name; }

std::optional<TlaTag> TlaTagFromName(std::string_view name) {
  const auto* const found = std::ranges::find(kTags, name, &NamedTag::name);
  return found == std::end(kTags) ? std::nullopt : std::optional(found->tag);
}

Expected<int64_t> FractalColumns(int64_t element_bits) {
  for (const int64_t bits : {4, 8, 16, 32, 64}) {
    if (element_bits == bits) return 256 / bits;
  }
  return MakeError(ErrorKind::kInvalidArgument,
                   StrCat("elements of ", element_bits, " bits: expected 4, 8, 16, 32 or 64"));
}

Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns) {
  const Expected<void> sizes = CheckSizes(rows, columns);
  if (!sizes) return std::unexpected(sizes.error());
  const Expected<int64_t> c0 = ColumnsOfTag(tag, element_bits);
  if (!c0) return std::unexpected(c0.error());
  IntTuple origin = tag == TlaTag::kVectorLayout ? IntTuple::Tuple({columns}) : IntTuple::Tuple({rows, columns});
  return LayoutOf(TlaModes<CheckedInt64>(tag, *c0, element_bits == 4, rows, columns), std::move(origin));
}

Expected<ShapeStrideLayout> MakeMxScaleLayout(TlaTag tag, bool is_b, int64_t rows, int64_t columns) {
  const Expected<void> sizes = CheckSizes(rows, columns);
  if (!sizes) return std::unexpected(sizes.error());
  const BasicStridedLayout<CheckedInt64> modes = MxScaleModes<CheckedInt64>(tag, is_b, rows, columns);
  if (modes.modes.empty()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(TlaTagName(tag), " has no layout of scales: expected RowMajor, ColumnMajor, zZ or nN"));
  }
  return LayoutOf(modes, IntTuple::Tuple({rows, columns}));
}

Expected<ShapeStrideLayout> MakePaddingLayout(TlaTag tag, int64_t block_rows, int64_t block_columns, int64_t rows,
                                              int64_t columns) {
  const Expected<void> sizes = CheckSizes(rows, columns);
  if (!sizes) return std::unexpected(sizes.error());
  if (block_rows < 1 || block_columns < 1 || (tag != TlaTag::kRowMajor && tag != TlaTag::kColumnMajor)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("blocks of ", block_rows, " x ", block_columns, " in ", TlaTagName(tag),
                            ": expected sizes above 0, row or column major"));
  }
  using Int = CheckedInt64;
  const Int down = CeilDiv(Int(rows), Int(block_rows));
  const Int across = CeilDiv(Int(columns), Int(block_columns));
  const Int block = Int(block_rows) * block_columns;
  const bool row_major = tag == TlaTag::kRowMajor;
  const BasicStridedLayout<Int> modes = {
      {{{block_rows, row_major ? Int(block_columns) : Int(1)}, {down, row_major ? block * across : block}},
       {{block_columns, row_major ? Int(1) : Int(block_rows)}, {across, row_major ? block : block * down}}}};
  return LayoutOf(modes, IntTuple::Tuple({rows, columns}));
}

Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate) {
  const Expected<std::vector<int64_t>> tile = OnePerMode(layout, tile_shape, "tile shape");
  if (!tile) return std::unexpected(tile.error());
  const Expected<std::vector<int64_t>> start = OnePerMode(layout, coordinate, "coordinate");
  if (!start) return std::unexpected(start.error());
  Expected<std::vector<int64_t>> origin = Origin(layout);
  if (!origin) return std::unexpected(origin.error());
  Expected<IntTuple> shape = TileShapeOf(layout, *tile);
  if (!shape) return std::unexpected(shape.error());
  for (size_t i = 0; i < origin->size(); ++i) {
    (*origin)[i] = std::min((*tile)[i], std::max<int64_t>((*origin)[i] - (*start)[i], 0));
  }
  return ShapeStrideLayout{*std::move(shape), layout.stride, LikeModes(layout, *origin)};
}

Expected<ShapeStrideLayout> MakeLayoutTile(const ShapeStrideLayout& layout, const IntTuple& tile_shape) {
  const Expected<std::vector<int64_t>> tile = OnePerMode(layout, tile_shape, "tile shape");
  if (!tile) return std::unexpected(tile.error());
  Expected<IntTuple> shape = TileShapeOf(layout, *tile);
  if (!shape) return std::unexpected(shape.error());
  return ShapeStrideLayout{*std::move(shape), layout.stride, LikeModes(layout, *tile)};
}

Expected<void> CheckBlockAligned(const ShapeStrideLayout& layout, const IntTuple& coordinate) {
  const Expected<std::vector<int64_t>> start = OnePerMode(layout, coordinate, "coordinate");
  if (!start) return std::unexpected(start.error());
  for (size_t i = 0; i < start->size(); ++i) {
    const std::vector<IntTuple> leaves = Leaves(*Get(layout.shape, static_cast<int64_t>(i)));
    CheckedInt64 block = 1;
    for (size_t leaf = 0; leaf + 1 < leaves.size(); ++leaf) block = block * leaves[leaf].value();
    // A block past int64 holds every coordinate, of which only 0 starts it.
    const int64_t size = block.overflow ? (*start)[i] + 1 : std::max<int64_t>(block.value, 1);
    if ((*start)[i] % size != 0) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("coordinate ", (*start)[i], " of mode ", i, " does not start a block of ", block.value));
    }
  }
  return {};
}

Expected<int64_t> OffsetIn(const TensorView& view, const IntTuple& coordinate) {
  const Expected<std::vector<int64_t>> start = OnePerMode(view.layout, view.coordinate, "view coordinate");
  if (!start) return std::unexpected(start.error());
  const Expected<std::vector<int64_t>> relative = OnePerMode(view.layout, coordinate, "coordinate");
  if (!relative) return std::unexpected(relative.error());
  const Expected<std::vector<int64_t>> absolute = Sum(*start, *relative);
  if (!absolute) return std::unexpected(absolute.error());
  const Expected<int64_t> offset = Crd2Idx(LikeModes(view.layout, *absolute), view.layout);
  if (!offset) return offset;
  return ValueOrOverflow(CheckedInt64(*offset) + view.base_offset, "the offset");
}

Expected<TensorView> GetTile(const TensorView& view, const IntTuple& coordinate, const IntTuple& tile_shape) {
  // The origin shape of the view's layout counts from the start of the view, as GetTileLayout leaves it.
  Expected<ShapeStrideLayout> layout = GetTileLayout(view.layout, tile_shape, coordinate);
  if (!layout) return std::unexpected(layout.error());
  const Expected<std::vector<int64_t>> start = OnePerMode(view.layout, view.coordinate, "view coordinate");
  if (!start) return std::unexpected(start.error());
  const Expected<std::vector<int64_t>> absolute = Sum(*start, *OnePerMode(view.layout, coordinate, "coordinate"));
  if (!absolute) return std::unexpected(absolute.error());
  return TensorView{*std::move(layout), LikeModes(view.layout, *absolute), view.base_offset};
}

Expected<TensorView> TileAt(const TensorView& view, const IntTuple& tile_number, const IntTuple& tile_shape) {
  const Expected<std::vector<int64_t>> number = OnePerMode(view.layout, tile_number, "tile number");
  if (!number) return std::unexpected(number.error());
  const Expected<std::vector<int64_t>> tile = OnePerMode(view.layout, tile_shape, "tile shape");
  if (!tile) return std::unexpected(tile.error());
  std::vector<int64_t> start;
  for (size_t i = 0; i < tile->size(); ++i) {
    const Expected<int64_t> first = ValueOrOverflow(CheckedInt64((*number)[i]) * (*tile)[i], "the tile's start");
    if (!first) return std::unexpected(first.error());
    start.push_back(*first);
  }
  return GetTile(view, LikeModes(view.layout, start), tile_shape);
}

Expected<TensorView> SliceView(const TensorView& view, const IntTuple& coordinate, const std::vector<bool>& keep) {
  Expected<std::vector<int64_t>> fixed = OnePerMode(view.layout, coordinate, "coordinate");
  if (!fixed) return std::unexpected(fixed.error());
  const Expected<std::vector<int64_t>> start = OnePerMode(view.layout, view.coordinate, "view coordinate");
  if (!start) return std::unexpected(start.error());
  if (keep.size() != fixed->size() || std::ranges::find(keep, true) == keep.end()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("a slice needs a choice for each of the ", fixed->size(), " modes, and one that is kept"));
  }
  const Expected<std::vector<int64_t>> origin = Origin(view.layout);
  if (!origin) return std::unexpected(origin.error());
  std::vector<int64_t> kept_start(fixed->size(), 0);
  std::vector<ShapeStrideLayout> kept;
  std::vector<IntTuple> kept_origin;
  const std::vector<ShapeStrideLayout> modes = Modes(view.layout);
  for (size_t i = 0; i < fixed->size(); ++i) {
    if (!keep[i]) continue;
    (*fixed)[i] = 0;
    kept_start[i] = (*start)[i];
    kept.push_back(modes[i]);
    kept_origin.emplace_back((*origin)[i]);
  }
  const Expected<void> aligned = CheckBlockAligned(view.layout, LikeModes(view.layout, kept_start));
  if (!aligned) return std::unexpected(aligned.error());
  const Expected<int64_t> offset = OffsetIn(view, LikeModes(view.layout, *fixed));
  if (!offset) return std::unexpected(offset.error());
  ShapeStrideLayout layout = view.layout.shape.is_leaf() ? kept[0] : ConcatenateModes(kept);
  std::vector<IntTuple> zeros(kept.size(), IntTuple(0));
  if (layout.shape.is_leaf()) {
    layout.origin_shape = kept_origin[0];
    return TensorView{std::move(layout), 0, *offset};
  }
  layout.origin_shape = IntTuple::Tuple(std::move(kept_origin));
  return TensorView{std::move(layout), IntTuple::Tuple(std::move(zeros)), *offset};
}

template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns) {
  const Expected<int64_t> c0 = ColumnsOfTag(tag, element_bits);
  if (!c0) return std::unexpected(c0.error());
  if (columns < 1) return MakeError(ErrorKind::kInvalidArgument, StrCat("columns ", columns, ": expected at least 1"));
  using Int = WrappingInt<T>;
  // Every number in the computation grows with the rows, and the last element has the largest offset.
  const auto wraps = [&](int64_t rows) {
    const BasicStridedLayout<Int> layout = TlaModes<Int>(tag, Int(*c0), element_bits == 4, Int(rows), Int(columns));
    std::vector<Int> last = {Int(rows - 1), Int(columns - 1)};
    if (layout.modes.size() == 1) last.erase(last.begin());
    bool wrapped = StridedOffset<Int>(layout, last).overflow;
    for (const auto& mode : layout.modes) {
      for (const auto& leaf : mode) wrapped |= leaf.extent.overflow || leaf.stride.overflow;
    }
    return wrapped;
  };
  int64_t fine = 0;
  int64_t wrong = int64_t{1} << 40;
  if (!wraps(wrong)) return std::nullopt;
  while (wrong - fine > 1) {
    const int64_t middle = fine + (wrong - fine) / 2;
    (wraps(middle) ? wrong : fine) = middle;
  }
  return wrong;
}
template Expected<std::optional<int64_t>> FirstWrappingRows<int32_t>(TlaTag, int64_t, int64_t);
template Expected<std::optional<int64_t>> FirstWrappingRows<uint32_t>(TlaTag, int64_t, int64_t);

bool IsFractalText(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != std::string_view::npos && colon < text.find_first_of("([{,<") &&
         text.find_first_not_of(" \t\r\n0123456789-_") < colon;
}

Expected<FractalLayout> ParseFractalLayout(std::string_view text) {
  size_t at = 0;
  const auto expected = [&at](std::string_view what) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected ", what), static_cast<int64_t>(at) + 1);
  };
  const size_t colon = text.find(':');
  const std::optional<TlaTag> tag = TlaTagFromName(text.substr(0, colon));
  if (!tag) return expected("RowMajor, ColumnMajor, VectorLayout, zN, nZ, zZ, nN, L0C or Weight4BitnZ");
  at = std::min(colon, text.size());
  if (colon == std::string_view::npos) return expected("':' and an element type");
  at = colon + 1;
  const size_t bracket = std::min(text.find('[', at), text.size());
  const std::optional<ElementType> type = ElementTypeFromName(text.substr(at, bracket - at));
  if (!type) return expected("an element type");
  const Expected<int64_t> bits = FractalElementBits(*type);
  if (!bits) return MakeError(ErrorKind::kInvalidLayout, bits.error().message, static_cast<int64_t>(at) + 1);
  FractalLayout fractal{*tag, *type, 0, 0};
  at = bracket;
  for (const auto& [open, number] : {std::pair{'[', &fractal.rows}, std::pair{',', &fractal.columns}}) {
    if (at >= text.size() || text[at] != open) return expected(StrCat("'", open, "'"));
    const size_t begin = ++at;
    SkipDigits(text, at);
    CheckedInt64 value = 0;
    for (size_t i = begin; i < at; ++i) value = value * 10 + int64_t{text[i] - '0'};
    if (at == begin || value.overflow) {
      at = begin;
      return expected("a size that fits int64");
    }
    *number = value.value;
  }
  if (at >= text.size() || text[at] != ']') return expected("']'");
  ++at;
  if (at < text.size()) return expected("the end of the text");
  return fractal;
}

std::string ToString(const FractalLayout& fractal) {
  return StrCat(TlaTagName(fractal.tag), ":", ElementTypeName(fractal.element_type), "[", fractal.rows, ",",
                fractal.columns, "]");
}

Expected<int64_t> FractalElementBits(ElementType type) {
  const int64_t bits = type == ElementType::kPred ? 8 : BitWidth(type);
  const Expected<int64_t> c0 = FractalColumns(bits);
  if (c0) return bits;
  return MakeError(c0.error().kind, StrCat("element type ", ElementTypeName(type), ": ", c0.error().message));
}

Expected<ShapeStrideLayout> ShapeStrideOf(const FractalLayout& fractal) {
  const Expected<int64_t> bits = FractalElementBits(fractal.element_type);
  if (!bits) return std::unexpected(bits.error());
  return MakeTlaLayout(fractal.tag, *bits, fractal.rows, fractal.columns);
}

}  // namespace layoutcheck
