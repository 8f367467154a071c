// Combining hashes of fields into the hash of a value.
#ifndef LAYOUTCHECK_CORE_BASE_HASH_COMBINE_H_
#define LAYOUTCHECK_CORE_BASE_HASH_COMBINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace layoutcheck {

// The seed with `hash` mixed in; order matters. The multiplier is SplitMix64's.
inline size_t HashCombine(size_t seed, size_t hash) {
  uint64_t mixed =
      static_cast<uint64_t>(seed) ^ (static_cast<uint64_t>(hash) + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2));
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  return static_cast<size_t>(mixed ^ (mixed >> 31));
}

// Mixes in the length and every item of a range of integers.
template <class Range>
size_t HashCombineRange(size_t seed, const Range& items) {
  seed = HashCombine(seed, std::size(items));
  for (const auto item : items) seed = HashCombine(seed, std::hash<int64_t>()(static_cast<int64_t>(item)));
  return seed;
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_BASE_HASH_COMBINE_H_
