// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bank conflicts of shared memory, which has 32 banks of 4 bytes: word w, the bytes 4 w to 4 w + 3, is in bank w
// mod 32. One pass reads or writes at most one word per bank. The numbers of passes are those that an NVIDIA H200
// counts for the patterns in corpus/vectors/bank_passes.jsonl.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

inline constexpr int64_t kWarpLanes = 32;
inline constexpr int64_t kBanks = 32;
inline constexpr int64_t kBankBytes = 4;

// A bank in which a phase needs several words.
struct BankConflict {
  int64_t bank = 0;
  std::vector<int64_t> words;               // in increasing order
  std::vector<std::vector<int64_t>> lanes;  // per word, the lanes that access it
};

enum class AccessKind { kLoad, kStore };

// Lanes that are served together.
struct AccessPhase {
  int64_t first_lane = 0;
  int64_t lane_count = 0;
  // 1 or 2 if two phases of a load are merged because every lane l accesses the address of lane l ^ merged_by;
  // otherwise 0.
  int64_t merged_by = 0;
  int64_t passes = 0;  // the largest number of words of one bank
  std::vector<BankConflict> conflicts;
};

struct BankConflicts {
  std::vector<AccessPhase> phases;
  int64_t degree = 0;  // the largest number of passes of a phase; 1 without conflicts
  int64_t passes = 0;  // sum over all phases
};

// Returns true if a lane may access so many bytes at once: 1, 2, 4, 8 or 16.
bool IsAccessSize(int64_t bytes);

// Returns the conflicts of lanes that each load or store `bytes` bytes from their address on. A phase has as many lanes
// as together access the 128 bytes that all banks have, at most 32: 32 lanes for up to 4 bytes, 16 for 8 bytes and 8
// for 16. Neighboring phases of a load of a warp are merged two by two, into the lanes 0 to 31 for 8 bytes and into 0
// to 15 and 16 to 31 for 16 bytes, if every lane l of the warp accesses the address of lane l ^ 1, or every one that of
// lane l ^ 2. Phases of a warp of which a lane is missing are not merged; the hardware was not asked about these. Lanes
// that access the same word do
// not conflict. Errors (invalid argument): `bytes` is no access size; an address that is negative or no multiple of
// `bytes`; no lane.
Expected<BankConflicts> FindBankConflicts(std::span<const int64_t> addresses, int64_t bytes, AccessKind kind);

// Returns the bits of the lane that move an address by a multiple of 128 bytes other than 0, so that lanes that differ
// in such a bit alone meet in their banks. Requires a power of two of addresses.
std::vector<int64_t> LaneBitsWithinBanks(std::span<const int64_t> addresses);

}  // namespace layoutcheck
