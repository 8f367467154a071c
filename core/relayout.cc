#include "layoutcheck/core/relayout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "layoutcheck/core/bit_packing.h"
#include "layoutcheck/core/block_transpose.h"
#include "layoutcheck/core/sizes.h"
#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/core/tiled_index.h"

namespace layoutcheck {
namespace {

// The pieces, over all loops, that a plan may be made of (3 GiB of them).
constexpr int64_t kMaxPieces = int64_t{1} << 27;
// Loops of at least two indices each: no array of int64 elements has more.
constexpr size_t kMaxLoops = 64;
constexpr int64_t kCacheLineBytes = 64;
// Indices of the source-contiguous loop that are walked before the next rows: enough for long reads, few enough that
// the pages written to stay in the translation buffer.
constexpr int64_t kGroupLength = 1024;

// A number of indices of a dimension such that the linear index is linear within every block [k * n, (k + 1) * n), or 0
// if it is linear over the whole dimension; 1, which is always right, where a `*` mixes or scales digits of the
// dimension. Without it a dimension of 2^30 elements would take 2^30 evaluations.
int64_t LinearBlock(const TiledIndex& index, size_t dimension) {
  // A value is constant on blocks of `unit` indices and goes up by 1 from one to the next, except at multiples of
  // `jump` (0: nowhere), which is a multiple of unit; it is congruent to floor(index / unit) modulo jump / unit. unit
  // 0: the value does not depend on the dimension.
  struct Digit {
    int64_t unit = 0;
    int64_t jump = 0;
  };
  std::vector<Digit> digits(index.value_count());
  digits[dimension] = {1, 0};
  for (const TiledIndex::Step& step : index.steps()) {
    const Digit& a = digits[step.a];
    if (step.combine) {
      const bool scaled = a.unit != 0 && step.size != 1;
      if (scaled || (a.unit != 0 && digits[step.b].unit != 0)) return 1;
      digits[step.result] = a.unit != 0 ? a : digits[step.b];
      continue;
    }
    if (a.unit == 0) continue;
    const int64_t period = a.unit * step.size;
    const int64_t block = std::gcd(period, a.jump);
    const bool exact = a.jump % period == 0;
    const Digit quotient = {block, exact ? a.jump : block};
    const Digit remainder = step.size == 1 ? Digit{} : Digit{a.unit, block};  // mod 1 is 0
    digits[step.result] = quotient;
    digits[step.result + 1] = remainder;
  }
  int64_t block = 0;
  for (const TiledIndex::Term& term : index.terms()) {
    const Digit& digit = digits[term.value];
    if (digit.unit != 0) block = std::gcd(block, digit.unit == 1 ? digit.jump : digit.unit);
  }
  return block;
}

// Walks a group of dimensions as one loop, its most minor dimension of the source layout fastest, and appends the
// segments.
class LoopBuilder {
 public:
  LoopBuilder(const TiledIndex& source, const TiledIndex& destination, std::span<const int64_t> dimensions)
      : source_(source), destination_(destination), dimensions_(dimensions), index_(dimensions.size(), 0) {}

  // `group` lists dimensions from major to minor. Errors: more than `budget` pieces, which goes down by those used.
  Expected<RelayoutLoop> Build(std::span<const size_t> group, int64_t& budget) {
    RelayoutLoop loop;
    CheckedInt64 product = 1;
    for (const size_t d : group) product = product * dimensions_[d];
    const int64_t count = product.value;  // a divisor of the element count, which fits
    int64_t block = 1;
    if (group.size() == 1) {
      block = std::gcd(LinearBlock(source_, group[0]), LinearBlock(destination_, group[0]));
      if (block == 0) block = count;
    }
    budget -= CeilDiv(count, block);
    if (budget < 0) {
      return MakeError(ErrorKind::kUnsupported,
                       StrCat("the layouts' tables would have more than ", kMaxPieces, " entries"));
    }
    const auto [second_source, second_destination] = At(group, 1);
    loop.source_stride = second_source;
    loop.destination_stride = second_destination;
    for (int64_t first = 0; first < count; first += block) {
      const auto [source, destination] = At(group, first);
      const int64_t length = std::min(block, count - first);
      if (!loop.segments.empty()) {
        RelayoutSegment& last = loop.segments.back();
        if (source == last.source + last.length * loop.source_stride &&
            destination == last.destination + last.length * loop.destination_stride) {
          last.length += length;
          continue;
        }
      }
      loop.segments.push_back({source, destination, length});
    }
    return loop;
  }

 private:
  // The two offsets of index `position` of the group, counted row major.
  std::pair<int64_t, int64_t> At(std::span<const size_t> group, int64_t position) {
    for (size_t k = group.size(); k > 0; --k) {
      const size_t d = group[k - 1];
      index_[d] = position % dimensions_[d];
      position /= dimensions_[d];
    }
    const std::pair<int64_t, int64_t> offsets = {source_(index_), destination_(index_)};
    for (const size_t d : group) index_[d] = 0;
    return offsets;
  }

  const TiledIndex& source_;
  const TiledIndex& destination_;
  std::span<const int64_t> dimensions_;
  std::vector<int64_t> index_;
};

// The dimensions of size > 1, in groups such that each side's linear index is a sum of functions of one group; each
// group from major to minor in the source.
std::vector<std::vector<size_t>> CommonGroups(const Shape& from, const TiledIndex& source,
                                              const TiledIndex& destination) {
  const size_t rank = from.dimensions.size();
  std::vector<size_t> parent(rank);
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto find = [&parent](size_t d) {
    while (parent[d] != d) d = parent[d] = parent[parent[d]];
    return d;
  };
  for (const TiledIndex* index : {&source, &destination}) {
    const std::vector<size_t> group = index->Groups();
    std::vector<size_t> first(rank, rank);
    for (size_t d = 0; d < rank; ++d) {
      size_t& representative = first[group[d]];
      if (representative == rank) representative = d;
      parent[find(d)] = find(representative);
    }
  }
  std::vector<std::vector<size_t>> groups(rank);
  for (int64_t p = 0; p < from.rank(); ++p) {
    const auto d = static_cast<size_t>(from.layout->Major(p));
    if (from.dimensions[d] > 1) groups[find(d)].push_back(d);
  }
  std::erase_if(groups, [](const std::vector<size_t>& group) { return group.empty(); });
  return groups;
}

Expected<void> CheckWidths(int64_t source_bits, int64_t destination_bits) {
  const auto packed = [](int64_t bits) { return bits == 1 || bits == 2 || bits == 4; };
  const auto whole = [](int64_t bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128; };
  if (source_bits == destination_bits && (packed(source_bits) || whole(source_bits))) return {};
  if ((packed(source_bits) && destination_bits == 8) || (source_bits == 8 && packed(destination_bits))) return {};
  return MakeError(ErrorKind::kUnsupported,
                   StrCat("moving elements of ", source_bits, " bits to elements of ", destination_bits, " bits"));
}

// Steps through all combinations of the loops' indices, the last loop fastest.
class Odometer {
 public:
  explicit Odometer(std::span<const RelayoutLoop> loops) : loops_(loops) {}

  int64_t source() const { return source_; }
  int64_t destination() const { return destination_; }

  // Goes to the next combination; false after the last one.
  bool Next() {
    for (size_t k = loops_.size(); k > 0; --k) {
      const RelayoutLoop& loop = loops_[k - 1];
      Position& at = positions_[k - 1];
      if (++at.in_segment < loop.segments[at.segment].length) {
        source_ += loop.source_stride;
        destination_ += loop.destination_stride;
        return true;
      }
      const RelayoutSegment& left = loop.segments[at.segment];
      source_ -= left.source + (left.length - 1) * loop.source_stride;
      destination_ -= left.destination + (left.length - 1) * loop.destination_stride;
      at.in_segment = 0;
      if (++at.segment < loop.segments.size()) {
        source_ += loop.segments[at.segment].source;
        destination_ += loop.segments[at.segment].destination;
        return true;
      }
      at.segment = 0;  // segment 0 begins at offset 0 on both sides
    }
    return false;
  }

 private:
  struct Position {
    size_t segment = 0;
    int64_t in_segment = 0;
  };
  std::span<const RelayoutLoop> loops_;
  std::array<Position, kMaxLoops> positions_;
  int64_t source_ = 0;
  int64_t destination_ = 0;
};

void MoveRuns(const RelayoutLoop& inner, int64_t bytes, const std::byte* source, std::byte* destination) {
  for (const RelayoutSegment& segment : inner.segments) {
    std::memcpy(destination + segment.destination, source + segment.source,
                static_cast<size_t>(segment.length * bytes));
  }
}

template <class T>
void MoveStrided(const RelayoutLoop& inner, const std::byte* source, std::byte* destination) {
  for (const RelayoutSegment& segment : inner.segments) {
    const std::byte* in = source + segment.source;
    std::byte* out = destination + segment.destination;
    for (int64_t i = 0; i < segment.length; ++i) {
      CopyElement<T>(in + i * inner.source_stride, out + i * inner.destination_stride);
    }
  }
}

template <class T>
void MoveBlock(const RelayoutLoop& columns, const RelayoutSegment& column, const RelayoutLoop& rows,
               const RelayoutSegment& row, const std::byte* source, std::byte* destination) {
  TransposeBlock<T>(source + row.source + column.source, destination + row.destination + column.destination,
                    {column.length, row.length, rows.source_stride, columns.destination_stride});
}

// `columns` is contiguous in the source, `rows` in the destination.
template <class T>
void MoveBlocks(const RelayoutLoop& columns, const RelayoutLoop& rows, const std::byte* source,
                std::byte* destination) {
  if (rows.source_stride <= kCacheLineBytes) {
    // The source is read nearly in order either way, so the order is that of the writes.
    for (const RelayoutSegment& column : columns.segments) {
      for (const RelayoutSegment& row : rows.segments) MoveBlock<T>(columns, column, rows, row, source, destination);
    }
    return;
  }
  // A group of columns at a time: a few rows are read along all its columns before the next rows.
  size_t group = 0;
  while (group < columns.segments.size()) {
    size_t group_end = group;
    int64_t length = 0;
    do length += columns.segments[group_end++].length;
    while (group_end < columns.segments.size() && length + columns.segments[group_end].length <= kGroupLength);
    for (const RelayoutSegment& row : rows.segments) {
      for (size_t c = group; c < group_end; ++c) {
        MoveBlock<T>(columns, columns.segments[c], rows, row, source, destination);
      }
    }
    group = group_end;
  }
}

// Elements of `bits` bits (1, 2, 4 or 8), numbered from the low bits of byte 0.
unsigned GetBits(const std::byte* bytes, int64_t bits, int64_t element) {
  const int64_t bit = element * bits;
  return (std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & ((1U << bits) - 1);
}
void SetBits(std::byte* bytes, int64_t bits, int64_t element, unsigned value) {
  const int64_t bit = element * bits;
  const unsigned mask = ((1U << bits) - 1) << (bit % 8);
  std::byte& byte = bytes[bit / 8];
  byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~mask) | ((value << (bit % 8)) & mask));
}

// Moves elements that may be packed; offsets count elements.
void MoveBits(const RelayoutLoop& inner, int64_t source_bits, int64_t destination_bits, const std::byte* source,
              int64_t source_offset, std::byte* destination, int64_t destination_offset) {
  const int64_t bits = std::min(source_bits, destination_bits);
  const unsigned mask = (1U << bits) - 1;
  for (const RelayoutSegment& segment : inner.segments) {
    const int64_t from = source_offset + segment.source;
    const int64_t to = destination_offset + segment.destination;
    int64_t i = 0;
    const int64_t per_byte = 8 / bits;
    if (inner.source_stride == 1 && inner.destination_stride == 1 && (from * source_bits) % 8 == 0 &&
        (to * destination_bits) % 8 == 0 && segment.length >= per_byte) {
      i = segment.length - segment.length % per_byte;
      const std::byte* in = source + from * source_bits / 8;
      std::byte* out = destination + to * destination_bits / 8;
      const auto count = static_cast<size_t>(i);
      const auto packed = static_cast<size_t>(i / per_byte);
      if (source_bits == destination_bits) {
        std::memcpy(out, in, packed);
      } else if (source_bits == 8) {
        (void)PackIntN(bits, {in, count}, {out, packed});
      } else {
        (void)UnpackIntN(bits, {in, packed}, {out, count});
      }
    }
    for (; i < segment.length; ++i) {
      SetBits(destination, destination_bits, to + i * inner.destination_stride,
              GetBits(source, source_bits, from + i * inner.source_stride) & mask);
    }
  }
}

int64_t LongestSegment(const RelayoutLoop& loop) {
  int64_t longest = 0;
  for (const RelayoutSegment& segment : loop.segments) longest = std::max(longest, segment.length);
  return longest;
}

// Cuts segments into parts of at most `length`.
void CutSegments(RelayoutLoop& loop, int64_t length) {
  std::vector<RelayoutSegment> cut;
  for (const RelayoutSegment& segment : loop.segments) {
    for (int64_t i = 0; i < segment.length; i += length) {
      cut.push_back({segment.source + i * loop.source_stride, segment.destination + i * loop.destination_stride,
                     std::min(length, segment.length - i)});
    }
  }
  loop.segments = std::move(cut);
}

void ScaleLoop(RelayoutLoop& loop, int64_t factor) {
  loop.source_stride *= factor;
  loop.destination_stride *= factor;
  for (RelayoutSegment& segment : loop.segments) {
    segment.source *= factor;
    segment.destination *= factor;
  }
}

// Calls function(T()) for the element type of `bytes` bytes: 1, 2, 4, 8 or 16.
template <class Function>
void WithElementOf(int64_t bytes, Function function) {
  switch (bytes) {
    case 1: return function(uint8_t());
    case 2: return function(uint16_t());
    case 4: return function(uint32_t());
    case 8: return function(uint64_t());
    default: return function(Bytes16());
  }
}

}  // namespace

Expected<Relayout> Relayout::Create(const Shape& from, const Shape& to) {
  const auto source = MakeTiledIndex(from);
  if (!source) return std::unexpected(source.error());
  const auto destination = MakeTiledIndex(to);
  if (!destination) return std::unexpected(destination.error());
  if (from.element_type != to.element_type) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("the element types differ: ", ElementTypeName(from.element_type), " and ",
                            ElementTypeName(to.element_type)));
  }
  if (from.dimensions != to.dimensions) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the dimensions differ: [", StrJoin(from.dimensions, ","),
                                                         "] and [", StrJoin(to.dimensions, ","), "]"));
  }
  const auto source_sizes = SizesOf(from);
  if (!source_sizes) return std::unexpected(source_sizes.error());
  const auto destination_sizes = SizesOf(to);
  if (!destination_sizes) return std::unexpected(destination_sizes.error());

  Relayout plan;
  plan.elements_ = source_sizes->elements;
  plan.padded_elements_ = destination_sizes->padded_elements;
  plan.source_bytes_ = source_sizes->bytes;
  plan.destination_bytes_ = destination_sizes->bytes;
  plan.source_bits_ = ElementSizeInBits(from);
  plan.destination_bits_ = ElementSizeInBits(to);
  if (Expected<void> widths = CheckWidths(plan.source_bits_, plan.destination_bits_); !widths) {
    return std::unexpected(widths.error());
  }
  if (plan.elements_ == 0) return plan;

  LoopBuilder builder(*source, *destination, from.dimensions);
  int64_t budget = kMaxPieces;
  for (const std::vector<size_t>& group : CommonGroups(from, *source, *destination)) {
    auto loop = builder.Build(group, budget);
    if (!loop) return std::unexpected(loop.error());
    plan.outer_.push_back(*std::move(loop));
  }
  const bool packed = plan.source_bits_ < 8 || plan.destination_bits_ < 8;
  plan.body_ = packed ? RelayoutBody::kBits : RelayoutBody::kStrided;
  plan.move_bytes_ = packed ? 1 : plan.source_bits_ / 8;
  plan.CoalesceLoops();
  if (!packed) plan.WidenElements();
  plan.ChooseBody();
  if (!packed) plan.ScaleToBytes();
  return plan;
}

// Two loops without jumps are one where the outer one's stride is the inner one's length, on both sides.
void Relayout::CoalesceLoops() {
  const auto joins = [](const RelayoutLoop& outer, const RelayoutLoop& inner) {
    if (outer.segments.size() != 1 || inner.segments.size() != 1) return false;
    const int64_t length = inner.segments[0].length;
    return outer.source_stride == inner.source_stride * length &&
           outer.destination_stride == inner.destination_stride * length;
  };
  for (size_t inner = 0; inner < outer_.size();) {
    const auto outer =
        std::ranges::find_if(outer_, [&](const RelayoutLoop& loop) { return joins(loop, outer_[inner]); });
    if (outer == outer_.end()) {
      ++inner;
      continue;
    }
    outer_[inner].segments[0].length *= outer->segments[0].length;
    outer_.erase(outer);
    inner = 0;
  }
}

// Where a few neighbors stay together on both sides and everything else moves by multiples of them, they are moved as
// one wider element.
void Relayout::WidenElements() {
  const auto run = std::ranges::find_if(outer_, [](const RelayoutLoop& loop) {
    return loop.source_stride == 1 && loop.destination_stride == 1 && loop.segments.size() == 1;
  });
  if (run == outer_.end()) return;
  const int64_t length = run->segments[0].length;
  if (length * move_bytes_ > 16 || (length & (length - 1)) != 0) return;
  const auto multiple = [length](int64_t offset) { return offset % length == 0; };
  for (const RelayoutLoop& loop : outer_) {
    if (&loop == &*run) continue;
    if (!multiple(loop.source_stride) || !multiple(loop.destination_stride)) return;
    for (const RelayoutSegment& segment : loop.segments) {
      if (!multiple(segment.source) || !multiple(segment.destination)) return;
    }
  }
  outer_.erase(run);
  move_bytes_ *= length;
  for (RelayoutLoop& loop : outer_) {
    loop.source_stride /= length;
    loop.destination_stride /= length;
    for (RelayoutSegment& segment : loop.segments) {
      segment.source /= length;
      segment.destination /= length;
    }
  }
}

void Relayout::ChooseBody() {
  // The most distant writes are in the outermost loop.
  std::ranges::stable_sort(outer_, std::ranges::greater(), &RelayoutLoop::destination_stride);
  const auto take = [this](auto chosen) {
    RelayoutLoop loop = std::move(*chosen);
    outer_.erase(chosen);
    return loop;
  };
  const auto contiguous = [](const RelayoutLoop& loop) {
    return std::pair(loop.source_stride == 1, loop.destination_stride == 1);
  };
  if (outer_.empty()) {
    inner_ = {{{0, 0, 1}}, 1, 1};
    return;
  }
  const auto run = std::ranges::find(outer_, std::pair(true, true), contiguous);
  if (run != outer_.end()) {
    inner_ = take(run);
    if (body_ != RelayoutBody::kBits) body_ = RelayoutBody::kRuns;
    return;
  }
  const auto column = std::ranges::find(outer_, std::pair(true, false), contiguous);
  const auto row = std::ranges::find(outer_, std::pair(false, true), contiguous);
  if (column == outer_.end() || row == outer_.end() || body_ == RelayoutBody::kBits) {
    const auto longest = std::ranges::max_element(outer_, {}, LongestSegment);
    inner_ = take(row != outer_.end() ? row : column != outer_.end() ? column : longest);
    return;
  }
  body_ = RelayoutBody::kBlocks;
  // Taken one by one: the first removal moves the other.
  inner_of_block_ = take(row);
  inner_ = take(std::ranges::find(outer_, std::pair(true, false), contiguous));
  CutSegments(inner_, kGroupLength);
  // Rows are cut to a cache line of the destination, unless the blocks would become too small to be worth a call.
  if (LongestSegment(inner_) >= kCacheLineBytes / move_bytes_ / 2) {
    CutSegments(inner_of_block_, std::max<int64_t>(1, kCacheLineBytes / move_bytes_));
  }
}

void Relayout::ScaleToBytes() {
  for (RelayoutLoop& loop : outer_) ScaleLoop(loop, move_bytes_);
  ScaleLoop(inner_, move_bytes_);
  ScaleLoop(inner_of_block_, move_bytes_);
}

void Relayout::FillPadding(std::span<std::byte> destination, std::span<const std::byte> padding) const {
  if (destination.empty()) return;
  if (destination_bits_ < 8) {
    unsigned byte = 0;
    for (int64_t k = 0; k < 8 / destination_bits_; ++k) {
      byte |= GetBits(padding.data(), destination_bits_, 0) << (k * destination_bits_);
    }
    std::memset(destination.data(), static_cast<int>(byte), destination.size());
    const int64_t used_bits = padded_elements_ * destination_bits_ - (destination_bytes_ - 1) * 8;
    destination.back() &= static_cast<std::byte>((1U << used_bits) - 1);
    return;
  }
  // The pattern is written once and doubled.
  std::memcpy(destination.data(), padding.data(), padding.size());
  for (size_t filled = padding.size(); filled < destination.size(); filled *= 2) {
    std::memcpy(destination.data() + filled, destination.data(), std::min(filled, destination.size() - filled));
  }
}

Expected<void> Relayout::Run(std::span<const std::byte> source, std::span<std::byte> destination,
                             std::span<const std::byte> padding) const {
  const auto expect_size = [](std::string_view what, size_t size, int64_t expected) -> Expected<void> {
    if (size == static_cast<size_t>(expected)) return {};
    return MakeError(ErrorKind::kInvalidArgument, StrCat(what, " has ", size, " bytes, expected ", expected));
  };
  const int64_t padding_bytes = CeilDiv(destination_bits_, 8);
  if (auto fits = expect_size("the source", source.size(), source_bytes_); !fits) return fits;
  if (auto fits = expect_size("the destination", destination.size(), destination_bytes_); !fits) return fits;
  if (!padding.empty()) {
    if (auto fits = expect_size("the padding value", padding.size(), padding_bytes); !fits) return fits;
    if (padded_elements_ != elements_ || destination_bits_ < 8) FillPadding(destination, padding);
  }
  if (elements_ == 0) return {};

  const std::byte* in = source.data();
  std::byte* out = destination.data();
  Odometer at(outer_);
  switch (body_) {
    case RelayoutBody::kRuns:
      do MoveRuns(inner_, move_bytes_, in + at.source(), out + at.destination());
      while (at.Next());
      break;
    case RelayoutBody::kStrided:
      WithElementOf(move_bytes_, [&]<class T>(T) {
        do MoveStrided<T>(inner_, in + at.source(), out + at.destination());
        while (at.Next());
      });
      break;
    case RelayoutBody::kBlocks:
      WithElementOf(move_bytes_, [&]<class T>(T) {
        do MoveBlocks<T>(inner_, inner_of_block_, in + at.source(), out + at.destination());
        while (at.Next());
      });
      break;
    case RelayoutBody::kBits:
      do MoveBits(inner_, source_bits_, destination_bits_, in, at.source(), out, at.destination());
      while (at.Next());
      break;
  }
  return {};
}

}  // namespace layoutcheck
