// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of elements in shared memory: swizzled_shared, amd_rotating_shared, nvmma_shared, partitioned_shared.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {
namespace {

// Returns the offsets of an array, fastest dimension first, in which the bits of a row also exchange vectors of its
// columns: `vec` elements times the phase of the row.
template <class Phase>
Expected<LinearLayout> Swizzled(const std::vector<size_t>& order, const TritonSizes& sizes, uint64_t vec, Phase phase) {
  Factors factors;
  for (const size_t d : order) factors.MultiplyIdentity(sizes[d], "offset", d);
  if (!factors.product() || order.size() < 2) return factors.product();
  const LinearLayout& plain = *factors.product();
  const uint64_t columns = sizes[order[0]];
  std::vector<LinearInput> inputs = plain.inputs();
  for (uint64_t& image : inputs.front().images) {
    std::vector<int64_t> parts = plain.OutputParts(image);  // in the order of the layout, columns first
    const auto row = static_cast<uint64_t>(parts[1]);
    parts[0] ^= static_cast<int64_t>(vec * phase(row) % columns);
    image = plain.OutputIndex(parts);
  }
  return LinearLayout::Create(std::move(inputs), plain.outputs());
}

struct SwizzleParameters {
  std::vector<size_t> order;
  uint64_t vec = 1;
  uint64_t per_phase = 1;
  uint64_t max_phase = 1;
};

SwizzleParameters ReadSwizzle(TritonEntries& entries, size_t rank) {
  return {entries.Order("order", rank), entries.PowerOfTwo("vec"), entries.PowerOfTwo("perPhase"),
          entries.PowerOfTwo("maxPhase")};
}

struct NvmmaParameters {
  uint64_t swizzle_bytes = 0;
  uint64_t element_bits = 8;
  bool is_transposed = false;
  bool is_padded = false;  // eight elements of 4 bits are followed by as much that holds nothing

  // Bytes of a row that stay together in a core matrix of eight rows.
  uint64_t RowBytes() const { return std::max(swizzle_bytes, uint64_t{16}); }
};

// Returns the column of a padded row without its padding. The offset of padding has the column of an element.
uint64_t Packed(uint64_t column) { return column / 16 * 8 + column % 8; }

// Returns the eight rows that the swizzle of the tensor memory accelerator repeats: from the offset to row and column.
Expected<LinearLayout> CoreMatrix(const NvmmaParameters& nvmma) {
  constexpr uint64_t kRows = 8;
  const uint64_t columns = 8 * nvmma.RowBytes() / nvmma.element_bits;
  const uint64_t vec = 128 / nvmma.element_bits;
  const uint64_t max_phase = nvmma.RowBytes() / 16;
  const uint64_t per_phase = kRows / max_phase;
  std::vector<TritonSizes> images;
  for (uint64_t column = 1; column < columns; column *= 2) {
    images.push_back({0, nvmma.is_padded ? Packed(column) : column});
  }
  for (uint64_t row = 1; row < kRows; row *= 2) {
    const uint64_t column = vec * (row / per_phase % max_phase);
    images.push_back({row, nvmma.is_padded ? Packed(column) : column});
  }
  uint64_t width = 1;
  for (const TritonSizes& image : images) width = std::max(width, std::bit_ceil(image[1] + 1));
  LinearInput offset{"offset", {}};
  for (const TritonSizes& image : images) offset.images.push_back(image[0] * width + image[1]);
  return LinearLayout::Create({std::move(offset)},
                              {{DefaultOutputName(0), 3}, {DefaultOutputName(1), size_t(std::countr_zero(width))}});
}

size_t BitsOf(uint64_t size) { return static_cast<size_t>(std::countr_zero(size)); }

// Returns the block of an array that the accelerator copies at a time.
Expected<TritonSizes> CopiedBlock(const NvmmaParameters& nvmma, TritonSizes part) {
  constexpr uint64_t kMostPerDimension = 256;
  uint64_t& row = nvmma.is_transposed ? part.front() : part.back();
  if (nvmma.is_padded) row *= 2;
  for (uint64_t& size : part) size = std::min(size, kMostPerDimension);
  if (nvmma.swizzle_bytes != 0) {
    const uint64_t expected = 8 * nvmma.swizzle_bytes / nvmma.element_bits;
    if (row < expected) {
      return LayoutError("expected at least ", nvmma.is_padded ? expected / 2 : expected,
                         " contiguous elements in a block for a swizzle of ", nvmma.swizzle_bytes, " bytes, found ",
                         nvmma.is_padded ? row / 2 : row);
    }
    row = expected;
  }
  if (nvmma.is_padded) row /= 2;
  return part;
}

// Returns the offsets within one copied block, of two dimensions or more.
Expected<LinearLayout> SwizzledBlock(const NvmmaParameters& nvmma, const TritonSizes& block) {
  const size_t rank = block.size();
  std::vector<LinearOutput> outputs;  // of a matrix whose rows are contiguous
  for (size_t d = 0; d < rank; ++d) {
    const size_t dimension = nvmma.is_transposed ? (d + 1) % rank : d;
    outputs.push_back({DefaultOutputName(dimension), BitsOf(block[dimension])});
  }
  if (auto fits = LinearLayout::Create({}, outputs); !fits) return fits;
  // The rows and columns of the matrix. Triton takes the rows of a transposed block from its last dimension alone.
  TritonSizes matrix = {1, block.back()};
  for (size_t d = 0; d + 1 < rank; ++d) matrix[0] *= block[d];
  if (nvmma.is_transposed) std::swap(matrix[0], matrix[1]);
  LAYOUTCHECK_TRY(const LinearLayout core, CoreMatrix(nvmma));
  const uint64_t columns = core.outputs()[1].size();
  if (matrix[0] < 8 || matrix[1] * (nvmma.is_padded ? 2 : 1) < columns) {
    return LayoutError("expected at least 8 rows and ", nvmma.is_padded ? columns / 2 : columns,
                       " columns in the block that is copied at a time, found ", matrix[0], " and ", matrix[1]);
  }
  LAYOUTCHECK_TRY(const LinearLayout whole, NotSmallerThan(core, matrix));
  size_t bits = 0;
  for (const LinearOutput& output : outputs) bits += output.bits;
  if (bits != whole.output_bits()) {
    return LayoutError("expected a block of as many elements as its core matrices, found ", bits, " bits instead of ",
                       whole.output_bits());
  }
  return InStandardOrder(LinearLayout::Create(whole.inputs(), std::move(outputs)));
}

// Returns the offsets of a block without swizzle. Triton mixes up the dimensions of transposed blocks of three
// dimensions or more, so that offsets can be copies of each other.
Expected<LinearLayout> PlainBlock(const NvmmaParameters& nvmma, const TritonSizes& block) {
  const size_t rank = block.size();
  Factors factors(RowMajorOrder(rank), "offset");
  for (size_t d = rank; d-- > 0;) {
    if (nvmma.is_transposed) {
      factors.MultiplyIdentity(block[(d + 1) % rank], "offset", (d + rank - 1) % rank);
    } else {
      factors.MultiplyIdentity(block[d], "offset", d);
    }
  }
  return factors.product();
}

}  // namespace

Expected<LinearLayout> SwizzledSharedLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const SwizzleParameters swizzle = ReadSwizzle(entries, sizes.size());
  const Expected<LinearLayout> cluster = ClusterLayout(entries, sizes.size());
  if (entries.error() || !cluster) return cluster;
  const auto phase = [&](uint64_t row) { return row / swizzle.per_phase % swizzle.max_phase; };
  return Joined(Swizzled(swizzle.order, PartSizes(*cluster, sizes), swizzle.vec, phase), *cluster, sizes);
}

// Each block of rows begins with another phase.
Expected<LinearLayout> RotatingSharedLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const SwizzleParameters swizzle = ReadSwizzle(entries, sizes.size());
  const Expected<LinearLayout> cluster = ClusterLayout(entries, sizes.size());
  if (entries.error() || !cluster) return cluster;
  const auto phase = [&](uint64_t row) {
    const uint64_t block = row / swizzle.per_phase / swizzle.max_phase;
    return row / swizzle.per_phase % swizzle.max_phase ^ block % swizzle.max_phase;
  };
  // Triton swizzles the whole array if it has two dimensions or more, and cuts it for the blocks of a cluster.
  const TritonSizes swizzled = sizes.size() < 2 ? PartSizes(*cluster, sizes) : sizes;
  return Joined(Swizzled(swizzle.order, swizzled, swizzle.vec, phase), *cluster, sizes);
}

Expected<LinearLayout> NvmmaSharedLayout(TritonEntries& entries, const TritonSizes& sizes) {
  static constexpr std::array<uint64_t, 4> kSwizzles = {0, 32, 64, 128};
  static constexpr std::array<uint64_t, 8> kElementBits = {1, 2, 4, 8, 16, 32, 64, 128};
  const size_t rank = sizes.size();
  const NvmmaParameters nvmma{entries.OneOf("swizzlingByteWidth", kSwizzles),
                              entries.OneOf("elementBitWidth", kElementBits), entries.Flag("transposed"),
                              entries.Flag("fp4Padded")};
  // An attribute that says nothing is one of two dimensions.
  const bool says_rank = entries.Has("rank") || entries.Has("CGALayout");
  if (entries.Has("rank")) entries.OneOf("rank", std::array{uint64_t{rank}});
  if (!says_rank && rank != 2) {
    entries.Wrong("rank", StrCat("expected rank = ", rank, " for an array of ", rank, " dimensions"));
  }
  if (rank == 0) entries.Wrong("rank", "expected an array of at least 1 dimension");
  if (rank < 2 && nvmma.swizzle_bytes != 0) {
    entries.Wrong("swizzlingByteWidth", "expected 0 for an array of fewer than 2 dimensions");
  }
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  if (entries.error() || !cluster) return cluster;
  LAYOUTCHECK_TRY(const TritonSizes block, CopiedBlock(nvmma, PartSizes(*cluster, sizes)));
  return Joined(nvmma.swizzle_bytes == 0 ? PlainBlock(nvmma, block) : SwizzledBlock(nvmma, block), *cluster, sizes);
}

Expected<LinearLayout> PartitionedSharedLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const uint64_t partitions = entries.PowerOfTwo("numPartitions");
  const uint64_t groups = entries.PowerOfTwo("numGroups");
  const size_t split = entries.Dimension("partitionDim", sizes.size());
  if (partitions == 1) entries.Wrong("numPartitions", "expected at least 2 partitions, found 1");
  const TritonAttribute* const within = entries.Attribute("partitionLayout");
  if (entries.error()) return std::unexpected(*entries.error());
  TritonSizes piece = sizes;
  piece[split] = sizes[split] / partitions / groups;
  if (piece[split] == 0) {
    entries.Wrong("numPartitions", StrCat("expected at most ", sizes[split], " pieces of dimension ", split, ", found ",
                                          partitions, " partitions of ", groups, " groups"));
    return std::unexpected(*entries.error());
  }
  Factors factors;
  factors.Multiply(LayoutOfTritonAttribute(*within, piece, TritonMemory::kShared));
  factors.MultiplyIdentity(partitions, "partition", split);
  factors.MultiplyIdentity(groups, "offset", split);
  return factors.product();
}

}  // namespace layoutcheck
