// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace layoutcheck::verify {

// A hash table that maps the hash of a value to the number of the value in a table of the caller. It uses open
// addressing, because values are looked up several times per line of a certificate.
class HashIndex {
 public:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  // Returns the item with this hash for which is_it(item) holds, or kNone.
  template <class IsIt>
  uint32_t Find(uint64_t hash, IsIt&& is_it) const {
    for (size_t place = Start(hash);; place = (place + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[place];
      if (slot.item == kNone) return kNone;
      if (slot.hash == hash && is_it(slot.item)) return slot.item;
    }
  }

  // Returns the item with this key, or kNone. Requires that no two items have the same key.
  uint32_t Find(uint64_t key) const {
    return Find(key, [](uint32_t) { return true; });
  }

  // Returns the number of items.
  size_t size() const { return count_; }

  // Adds an item that is not there. Requires item != kNone.
  void Insert(uint64_t hash, uint32_t item) {
    if (2 * ++count_ > slots_.size()) Grow();
    Place({hash, item});
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t item = kNone;
  };

  // The upper bits of a product depend on all bits of the hash.
  size_t Start(uint64_t hash) const { return (hash * 0x9e3779b97f4a7c15u >> 32) & (slots_.size() - 1); }

  void Place(const Slot& slot) {
    size_t place = Start(slot.hash);
    while (slots_[place].item != kNone) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = slot;
  }

  void Grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.item != kNone) Place(slot);
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // size: a power of two, at least half of it empty
  size_t count_ = 0;
};

}  // namespace layoutcheck::verify
