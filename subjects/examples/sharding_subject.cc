// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An example of a shared library that answers for HLO's tile assignments whose devices count 0, 1, ...: it says which
// elements a device holds, and which it receives when the sharding changes. It shows how to answer with ranges of
// indices, with a list, and for a device without a part.
//
//   c++ -std=c++20 -O2 -shared -fPIC -I INSTALLED/include sharding_subject.cc -o sharding_subject.so
//   layoutcheck check --subject lib:sharding_subject.so
#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>
#include "layoutcheck/subject.h"

namespace {

int Say(int status, layoutcheck_text* text, std::string_view words) {
  text->size = words.size();
  std::memcpy(text->data, words.data(), std::min(words.size(), text->capacity));
  return status;
}

// Removes the prefix from the text. Returns false if the text does not have it.
bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool TakeNumber(std::string_view& text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc();
}

// Reads "sharding={devices=[2,1,3]<=[6] last_tile_dim_replicate}" as the numbers of parts, one per dimension, and, if
// there are replicas, their number. Returns false for other texts.
bool ReadTiles(std::string_view text, std::vector<int64_t>& tiles) {
  if (!Take(text, "sharding={devices=[")) return false;
  do {
    if (!TakeNumber(text, tiles.emplace_back())) return false;
  } while (Take(text, ","));
  int64_t devices = 0;
  if (!Take(text, "]<=[") || !TakeNumber(text, devices) || !Take(text, "]")) return false;
  Take(text, " last_tile_dim_replicate");
  return text == "}";
}

// Sets the shape and the ranges of the device. Returns a status.
int Shard(const layoutcheck_shard* shard, layoutcheck_shard_answer* answer, layoutcheck_text* why) {
  std::vector<int64_t> tiles;
  if (!ReadTiles(shard->sharding, tiles)) return Say(LAYOUTCHECK_UNSUPPORTED, why, "only {devices=[...]<=[n]}");
  // The device's number is that of its part, the last dimension of the tile assignment fastest.
  int64_t rest = shard->device;
  for (auto d = static_cast<int64_t>(tiles.size()); d-- > 0;) {
    const int64_t parts = tiles[static_cast<size_t>(d)];
    const int64_t part = rest % parts;
    rest /= parts;
    if (d >= shard->rank) continue;  // replicas
    const int64_t size = shard->dimensions[d];
    const int64_t chunk = (size + parts - 1) / parts;
    answer->shape[d] = chunk;
    answer->ranges[2 * d] = std::min(size, part * chunk);
    answer->ranges[2 * d + 1] = std::min(size, (part + 1) * chunk);
  }
  return rest == 0 ? LAYOUTCHECK_OK : LAYOUTCHECK_NO_PART;
}

// The indices that a device holds, none if `status` is LAYOUTCHECK_NO_PART.
struct Part {
  std::vector<int64_t> shape;
  std::vector<int64_t> ranges;
  int status;

  Part(const layoutcheck_shard* shard, layoutcheck_text* why)
      : shape(static_cast<size_t>(shard->rank)), ranges(2 * shape.size()) {
    layoutcheck_shard_answer answer{shape.data(), ranges.data(), nullptr, 0, 0};
    status = Shard(shard, &answer, why);
  }
  bool Holds(const std::vector<int64_t>& index) const {
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] < ranges[2 * d] || index[d] >= ranges[2 * d + 1]) return false;
    }
    return status == LAYOUTCHECK_OK;
  }
};

int Reshard(const layoutcheck_shard* from, const layoutcheck_shard* to, layoutcheck_shard_answer* answer,
            layoutcheck_text* why) {
  const Part before(from, why);
  const Part after(to, why);
  if (before.status == LAYOUTCHECK_UNSUPPORTED || after.status == LAYOUTCHECK_UNSUPPORTED) {
    return LAYOUTCHECK_UNSUPPORTED;
  }
  std::vector<int64_t> index(after.shape.size());
  for (size_t number = 0; number < answer->capacity; ++number) {
    auto rest = static_cast<int64_t>(number);
    for (size_t d = index.size(); d-- > 0;) {
      index[d] = rest % to->dimensions[d];
      rest /= to->dimensions[d];
    }
    if (after.Holds(index) && !before.Holds(index)) answer->elements[answer->count++] = static_cast<int64_t>(number);
  }
  return LAYOUTCHECK_ELEMENTS;
}

}  // namespace

const layoutcheck_subject* layoutcheck_get_subject() {
  static constexpr layoutcheck_subject kSubject = {
      .abi = LAYOUTCHECK_SUBJECT_ABI,
      .struct_size = sizeof(layoutcheck_subject),
      .name = "sharding_subject",
      .version = "1",
      .shard = Shard,
      .reshard = Reshard,
  };
  return &kSubject;
}
