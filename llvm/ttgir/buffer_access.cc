// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/buffer_access.h"
#include <algorithm>
#include <bit>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/llvm/ttgir/data_movement.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostLaneBytes = 16;
constexpr size_t kLaneBits = 5;

// The offsets in shared memory, in elements, of the bits of the registers, lanes and warps of a tensor.
struct OffsetBits {
  std::vector<uint64_t> registers;  // without those that repeat other registers
  std::vector<uint64_t> lanes;
  std::vector<uint64_t> warps;  // of a block, then of the cluster
};

// Returns true if two blocks hold the same elements at the same offsets. `difference` is the exclusive or of their
// numbers.
bool HoldTheSame(const LinearLayout& shared, uint64_t difference) {
  uint64_t image = 0;
  if (const auto block = shared.FindInput("block")) {
    const std::vector<uint64_t>& images = shared.inputs()[*block].images;
    for (size_t k = 0; k < images.size(); ++k) {
      if ((difference >> k & 1) != 0) image ^= images[k];
    }
  }
  return image == 0;
}

// Returns true if all offsets are multiples of 2^bits.
bool AreMultiples(const std::vector<uint64_t>& offsets, size_t bits) {
  return std::ranges::all_of(offsets, [&](uint64_t offset) { return offset % (uint64_t{1} << bits) == 0; });
}

Expected<OffsetBits> OffsetsOf(const LinearLayout& registers, const LinearLayout& shared) {
  const auto lane = registers.FindInput("lane");
  if (!lane || registers.inputs()[*lane].images.size() != kLaneBits) {
    return UnsupportedError("expected 32 lanes, because passes are known for these alone");
  }
  if (!shared.FindInput("offset") || shared.FindInput("partition")) {
    return UnsupportedError("expected a buffer in one piece of shared memory");
  }
  LAYOUTCHECK_TRY(const LinearLayout places, InvertAndCompose(registers, shared));
  const size_t offset = *places.FindOutput("offset");
  const auto block = places.FindOutput("block");
  OffsetBits bits;
  for (const LinearInput& input : places.inputs()) {
    std::vector<uint64_t>& offsets = input.name == "register" ? bits.registers
                                     : input.name == "lane"   ? bits.lanes
                                                              : bits.warps;
    for (size_t k = 0; k < input.images.size(); ++k) {
      const auto parts = places.OutputParts(input.images[k]);
      const uint64_t own_block = input.name == "block" ? uint64_t{1} << k : 0;
      const uint64_t place_block = block ? static_cast<uint64_t>(parts[*block]) : 0;
      if (!HoldTheSame(shared, place_block ^ own_block)) {
        return UnsupportedError(
            "expected accesses to the block's own shared memory, because others have no known passes");
      }
      offsets.push_back(static_cast<uint64_t>(parts[offset]));
    }
  }
  const uint64_t repeated = F2Span(bits.registers).dependent();
  std::vector<uint64_t> distinct;
  for (size_t k = 0; k < bits.registers.size(); ++k) {
    if ((repeated >> k & 1) == 0) distinct.push_back(bits.registers[k]);
  }
  bits.registers = std::move(distinct);
  return bits;
}

// Returns the byte addresses of all sums of these offsets, the first one fastest.
std::vector<int64_t> AddressesOf(const std::vector<uint64_t>& offsets, int64_t element_bytes) {
  std::vector<int64_t> addresses = {0};
  for (const uint64_t offset : offsets) {
    const size_t count = addresses.size();
    for (size_t k = 0; k < count; ++k) {
      addresses.push_back(addresses[k] ^ (static_cast<int64_t>(offset) * element_bytes));
    }
  }
  return addresses;
}

// Returns the access of `count` instructions like the one with these addresses. Those of other registers and warps
// differ from it by an exclusive or with a multiple of `bytes`, which permutes banks and words.
Expected<BufferAccess> Repeated(const std::vector<int64_t>& addresses, int64_t bytes, AccessKind kind, int64_t count) {
  LAYOUTCHECK_TRY(const BankConflicts conflicts, FindBankConflicts(addresses, bytes, kind));
  return BufferAccess{.lane_bytes = bytes,
                      .passes = count * conflicts.passes,
                      .conflict_free_passes = count * std::ssize(conflicts.phases)};
}

// Returns the access by the widest runs of elements.
Expected<BufferAccess> AccessByRuns(const OffsetBits& bits, int64_t element_bytes, AccessKind kind) {
  const auto most = static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(kMostLaneBytes / element_bytes)));
  for (size_t width = std::min(most, bits.registers.size());; --width) {
    std::vector<uint64_t> others = bits.registers;
    bool is_run = AreMultiples(bits.lanes, width) && AreMultiples(bits.warps, width);
    for (size_t k = 0; k < width && is_run; ++k) is_run = std::erase(others, uint64_t{1} << k) == 1;
    if (!is_run || !AreMultiples(others, width)) continue;  // a width of 0 is always a run
    return Repeated(AddressesOf(bits.lanes, element_bytes), element_bytes << width, kind,
                    int64_t{1} << (others.size() + bits.warps.size()));
  }
}

// Returns the access by transposed 8 x 8 matrices of 16-bit elements, or nothing if the tensor's fragments are none: a
// lane holds elements (2 (lane mod 4) + register mod 2, lane / 4) of a matrix whose rows lie in memory, 8 elements
// each.
std::optional<Expected<BufferAccess>> AccessByMatrices(const OffsetBits& bits, AccessKind kind) {
  constexpr size_t kRowBits = 3;
  constexpr int64_t kElementBytes = 2;
  if (bits.registers.empty()) return std::nullopt;
  for (size_t k = 0; k < kRowBits; ++k) {
    if (bits.lanes[2 + k] != uint64_t{1} << k) return std::nullopt;
  }
  const std::vector<uint64_t> rows = {bits.registers[0], bits.lanes[0], bits.lanes[1]};
  for (const auto& offsets : {rows, bits.registers, bits.warps}) {
    if (!AreMultiples(offsets, kRowBits)) return std::nullopt;
  }
  auto access = Repeated(AddressesOf(rows, kElementBytes), kElementBytes << kRowBits, kind,
                         int64_t{1} << (bits.registers.size() - 1 + bits.warps.size()));
  if (access) access->has_matrices = true;
  return access;
}

}  // namespace

Expected<BufferAccess> FindBufferAccess(const LinearLayout& registers, const LinearLayout& shared,
                                        int64_t element_bytes, AccessKind kind, bool may_use_matrices) {
  if (!IsAccessSize(element_bytes)) {
    return UnsupportedError("expected elements of 1, 2, 4, 8 or 16 bytes, found ", element_bytes);
  }
  LAYOUTCHECK_TRY(const OffsetBits bits, OffsetsOf(registers, shared));
  LAYOUTCHECK_TRY(BufferAccess access, AccessByRuns(bits, element_bytes, kind));
  if (may_use_matrices && element_bytes == 2) {
    if (auto matrices = AccessByMatrices(bits, kind)) {
      if (!*matrices) return *std::move(matrices);
      if ((*matrices)->passes < access.passes) access = **matrices;
    }
  }
  LAYOUTCHECK_TRY(access.least_passes, LeastLoadPasses(registers, element_bytes));
  return access;
}

}  // namespace layoutcheck
