// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results and operands of products of matrices: nvidia_mma, and dot_op of all parents. The fragments of the
// instructions are in the PTX ISA; Triton says how they are repeated.
#include <algorithm>
#include <array>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {
namespace {

// The generations of tensor cores: mma from Turing on, and wgmma of Hopper. Tensor cores of Blackwell have their
// results in tensor memory.
constexpr uint64_t kMma = 2;
constexpr uint64_t kWgmma = 3;

struct MmaParameters {
  uint64_t version = kMma;
  TritonSizes warps;
  uint64_t rows = 0;     // rows of the result of one instruction, per warp
  uint64_t columns = 0;  // columns of it
};

// Reads the parameters that the result and the operands share.
MmaParameters ReadMma(TritonEntries& entries, size_t rank) {
  static constexpr std::array kVersions = {kMma, kWgmma};
  MmaParameters mma;
  mma.version = entries.OneOf("versionMajor", kVersions);
  if (entries.Has("versionMinor")) entries.Number("versionMinor");
  mma.warps = entries.PowersOfTwo("warpsPerCTA", rank);
  const bool has_inner_size = mma.version == kWgmma;  // rows, columns and the size of the sum
  const bool fits = has_inner_size ? rank == 2 : rank == 2 || rank == 3;
  if (!fits) {
    entries.Wrong("versionMajor", StrCat("expected an array of 2 ", has_inner_size ? "" : "or 3 ",
                                         "dimensions for version ", mma.version, ", found ", rank));
  }
  const TritonSizes shape = entries.PowersOfTwo("instrShape", std::nullopt);
  if (entries.error()) return mma;
  const bool has_sizes = has_inner_size ? shape.size() == 2 || shape.size() == 3 : shape.size() == rank;
  if (!has_sizes) {
    entries.Wrong("instrShape", StrCat("expected ", has_inner_size ? "2 or 3" : StrCat(rank), " sizes for version ",
                                       mma.version, " and ", rank, " dimensions, found ", shape.size()));
    return mma;
  }
  mma.rows = has_inner_size ? shape[0] : shape[rank - 2];
  mma.columns = has_inner_size ? shape[1] : shape[rank - 1];
  if (mma.rows < 8 || mma.columns < 8) {
    entries.Wrong("instrShape", StrCat("expected at least 8 rows and columns, found ", mma.rows, " and ", mma.columns));
  }
  return mma;
}

std::vector<size_t> WarpOrder(const MmaParameters& mma, size_t rank) {
  return mma.version == kWgmma ? ColumnMajorOrder(rank) : RowMajorOrder(rank);
}

// Multiplies by the elements that the threads of a warp hold of a matrix: four threads have `width` elements each side
// by side, and eight groups of four threads lie next to each other in the outer dimension. Registers repeat this.
void MultiplyFragment(Factors& factors, uint64_t width, size_t outer, uint64_t outer_size, size_t inner,
                      uint64_t inner_repeats) {
  factors.MultiplyIdentity(width, "register", inner);
  factors.MultiplyIdentity(4, "lane", inner);
  factors.MultiplyIdentity(8, "lane", outer);
  factors.MultiplyIdentity(outer_size / 8, "register", outer);
  factors.MultiplyIdentity(inner_repeats, "register", inner);
}

// Multiplies by threads or warps that are arranged as for the result: those next to each other in the inner dimension
// have copies.
void MultiplyBroadcast(Factors& factors, std::string_view input, const TritonSizes& counts,
                       const std::vector<size_t>& order, size_t inner) {
  for (const size_t d : order) {
    if (d == inner) {
      factors.MultiplyZero(counts[d], input, d);
    } else {
      factors.MultiplyIdentity(counts[d], input, d);
    }
  }
}

Expected<LinearLayout> NvidiaOperand(TritonEntries& parent, const TritonSizes& sizes, const TritonOperand& operand) {
  const size_t rank = sizes.size();
  const MmaParameters mma = ReadMma(parent, rank);
  if (mma.version == kWgmma && operand.index == 1) {
    parent.Wrong("versionMajor", "expected version 2 for operand B, which version 3 has in shared memory");
  }
  const Expected<LinearLayout> cluster = OperandCluster(parent, operand, rank);
  if (parent.error() || !cluster) return cluster;
  // m8n8k4 of f64 has half the elements along the inner dimension.
  const uint64_t repeats = mma.rows == 8 ? 1 : 2;
  Factors factors(operand.Order(rank), "register");
  MultiplyFragment(factors, operand.width, operand.outer, operand.index == 0 ? mma.rows : 8, operand.inner, repeats);
  MultiplyBroadcast(factors, "warp", mma.warps, WarpOrder(mma, rank), operand.inner);
  return Joined(factors.product(), *cluster, sizes);
}

// Every thread has the whole inner dimension.
Expected<LinearLayout> BlockedOperand(TritonEntries& parent, const TritonSizes& sizes, const TritonOperand& operand) {
  const size_t rank = sizes.size();
  const std::vector<size_t> order = parent.Order("order", rank);
  TritonSizes elements = parent.PowersOfTwo("sizePerThread", rank);
  elements[operand.inner] = sizes[operand.inner];
  const TritonSizes threads = parent.PowersOfTwo("threadsPerWarp", rank);
  const TritonSizes warps = parent.PowersOfTwo("warpsPerCTA", rank);
  const Expected<LinearLayout> cluster = OperandCluster(parent, operand, rank);
  if (parent.error() || !cluster) return cluster;
  Factors factors(order, "register");
  for (const size_t d : order) factors.MultiplyIdentity(elements[d], "register", d);
  MultiplyBroadcast(factors, "lane", threads, order, operand.inner);
  MultiplyBroadcast(factors, "warp", warps, order, operand.inner);
  return Joined(factors.product(), *cluster, sizes);
}

// A parent of dot_op, and whether a thread's number of elements side by side must be given or must not.
struct OperandKind {
  std::string_view parent;
  bool has_width;
  Expected<LinearLayout> (*layout)(TritonEntries& parent, const TritonSizes& sizes, const TritonOperand& operand);
};
constexpr OperandKind kOperandKinds[] = {
    {"blocked", false, BlockedOperand},
    {"nvidia_mma", true, NvidiaOperand},
    {"amd_mfma", true, MfmaOperandLayout},
    {"amd_wmma", true, WmmaOperandLayout},
};

}  // namespace

Expected<LinearLayout> NvidiaMmaLayout(TritonEntries& entries, const TritonSizes& sizes) {
  const size_t rank = sizes.size();
  const MmaParameters mma = ReadMma(entries, rank);
  const Expected<LinearLayout> cluster = ClusterLayout(entries, rank);
  if (entries.error() || !cluster) return cluster;
  Factors factors(RowMajorOrder(rank), "register");
  MultiplyFragment(factors, 2, rank - 2, mma.rows, rank - 1, mma.columns / 8);
  for (const size_t d : WarpOrder(mma, rank)) factors.MultiplyIdentity(mma.warps[d], "warp", d);
  return Joined(factors.product(), *cluster, sizes);
}

Expected<LinearLayout> OperandCluster(TritonEntries& parent, const TritonOperand& operand, size_t rank) {
  LAYOUTCHECK_TRY(const LinearLayout cluster, ClusterLayout(parent, rank));
  return WithoutDimension(cluster, operand.inner);
}

Expected<LinearLayout> DotOperandLayout(TritonEntries& entries, const TritonSizes& sizes) {
  static constexpr std::array<uint64_t, 2> kIndices = {0, 1};
  const TritonAttribute* const parent = entries.Attribute("parent");
  const size_t index = entries.OneOf("opIdx", kIndices);
  if (entries.error()) return std::unexpected(*entries.error());
  const auto* const kind = std::ranges::find(kOperandKinds, parent->name, &OperandKind::parent);
  if (kind == std::end(kOperandKinds)) {
    std::vector<std::string_view> names;
    for (const OperandKind& known : kOperandKinds) names.push_back(known.parent);
    return ErrorAt(parent->name_column, UnsupportedError("expected one of the parents ", StrJoin(names, ", "),
                                                         " of dot_op, found '", parent->name, "'"));
  }
  if (sizes.size() < 2) {
    return ErrorAt(parent->name_column, LayoutError("expected an array of 2 or 3 dimensions, found ", sizes.size()));
  }
  static constexpr std::array<uint64_t, 1> kNone = {0};
  const bool inner_is_last = index == 0;
  const TritonOperand operand{index, sizes.size() - (inner_is_last ? 1 : 2), sizes.size() - (inner_is_last ? 2 : 1),
                              kind->has_width ? entries.PowerOfTwo("kWidth")
                                              : entries.OneOf("kWidth", kNone, TritonEntries::Absent::kIsTheFirst)};
  if (entries.error()) return std::unexpected(*entries.error());
  TritonEntries of_parent(*parent);
  const Expected<LinearLayout> layout = kind->layout(of_parent, sizes, operand);
  if (of_parent.error()) return std::unexpected(*of_parent.error());
  return layout;
}

}  // namespace layoutcheck
