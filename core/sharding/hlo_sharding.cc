// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/sharding/sharding_reader.h"

namespace layoutcheck {
namespace {

using Kind = HloSharding::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kWords{{
    {"replicated", Kind::kReplicated},
    {"manual", Kind::kManual},
    {"unknown", Kind::kUnknown},
    {"unreduced", Kind::kUnreduced},
}};

constexpr int kMostNesting = 64;

// Reads one sharding.
class HloShardingReader {
 public:
  explicit HloShardingReader(TextCursor& cursor) : cursor_(cursor) {}

  Expected<HloSharding> Read(int depth = 0) {
    if (!cursor_.Take("{")) return cursor_.Unexpected("'{' before a sharding");
    HloSharding sharding;
    if (cursor_.Sees("{") || cursor_.Sees("}")) {
      if (depth == kMostNesting) return cursor_.Fail("tuples are nested too deeply");
      sharding.kind = Kind::kTuple;
      while (!cursor_.Sees("}")) {
        if (!sharding.elements.empty() && !cursor_.Take(",")) return cursor_.Unexpected("',' between shardings");
        LAYOUTCHECK_TRY(HloSharding element, Read(depth + 1));
        sharding.elements.push_back(std::move(element));
      }
    } else {
      LAYOUTCHECK_RETURN_IF_ERROR(ReadKind(sharding));
      while (!cursor_.Sees("}")) LAYOUTCHECK_RETURN_IF_ERROR(ReadMark(sharding));
    }
    cursor_.Take("}");
    return sharding;
  }

 private:
  Expected<void> ReadKind(HloSharding& sharding) {
    const int64_t column = cursor_.NextColumn();
    if (cursor_.Take("devices=")) return ReadTiles(sharding, column);
    const size_t begin = cursor_.position();
    const std::string_view word = cursor_.TakeWhile(TextCursor::IsWordByte);
    for (const auto& [name, kind] : kWords) {
      if (word != name) continue;
      sharding.kind = kind;
      return {};
    }
    if (word == "maximal") {
      sharding.kind = Kind::kMaximal;
      if (!cursor_.Take("device=")) return cursor_.Unexpected("'device='");
      LAYOUTCHECK_TRY(sharding.maximal_device, ReadCount(cursor_, "a device number", 0));
      return {};
    }
    cursor_.MoveTo(begin);
    return cursor_.Unexpected("'devices=', 'replicated', 'maximal', 'manual', 'unknown' or 'unreduced'");
  }

  Expected<void> ReadTiles(HloSharding& sharding, int64_t column) {
    sharding.kind = Kind::kTiled;
    LAYOUTCHECK_TRY(sharding.tile_dimensions, ReadSizes("the tile dimensions"));
    LAYOUTCHECK_TRY(const int64_t count, CountOf(sharding.tile_dimensions, column));
    if (cursor_.Take("<=")) {
      LAYOUTCHECK_RETURN_IF_ERROR(ReadIota(sharding));
    } else {
      std::set<int64_t> listed;
      do {
        const int64_t device_column = cursor_.NextColumn();
        LAYOUTCHECK_TRY(const int64_t device, ReadCount(cursor_, "a device number", 0));
        if (!listed.insert(device).second) {
          return MakeError(ErrorKind::kInvalidLayout, StrCat("device ", device, " occurs twice"), device_column);
        }
        sharding.devices.push_back(device);
      } while (cursor_.Take(","));
    }
    if (std::cmp_not_equal(sharding.devices.size(), count)) {
      return MakeError(
          ErrorKind::kInvalidLayout,
          StrCat("the tile dimensions have ", count, " places, and there are ", sharding.devices.size(), " devices"),
          column);
    }
    return {};
  }

  Expected<void> ReadIota(HloSharding& sharding) {
    IotaDevices iota;
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(iota.reshape, ReadSizes("the sizes of the iota"));
    LAYOUTCHECK_TRY(const int64_t count, CountOf(iota.reshape, column));
    const int64_t permutation_column = cursor_.NextColumn();
    if (cursor_.Take("T")) {
      LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("(", ")", "the permutation", [&]() -> Expected<void> {
        LAYOUTCHECK_TRY(const int64_t axis, ReadCount(cursor_, "an axis", 0));
        iota.permutation.push_back(axis);
        return {};
      }));
      std::vector<int64_t> axes(iota.reshape.size());
      std::iota(axes.begin(), axes.end(), 0);
      if (!std::ranges::is_permutation(iota.permutation, axes)) {
        return MakeError(ErrorKind::kInvalidLayout, StrCat("expected a permutation of ", axes.size(), " axes"),
                         permutation_column);
      }
    }
    sharding.devices = DevicesOf(iota, count);
    sharding.iota = std::move(iota);
    return {};
  }

  static std::vector<int64_t> DevicesOf(const IotaDevices& iota, int64_t count) {
    std::vector<int64_t> strides(iota.reshape.size(), 1);  // row major
    for (size_t k = strides.size(); k-- > 1;) strides[k - 1] = strides[k] * iota.reshape[k];
    std::vector<int64_t> devices;
    for (int64_t number = 0; number < count; ++number) {
      int64_t rest = number;
      int64_t device = 0;
      for (size_t k = strides.size(); k-- > 0;) {
        const size_t axis = iota.permutation.empty() ? k : static_cast<size_t>(iota.permutation[k]);
        device += rest % iota.reshape[axis] * strides[axis];
        rest /= iota.reshape[axis];
      }
      devices.push_back(device);
    }
    return devices;
  }

  Expected<void> ReadMark(HloSharding& sharding) {
    const size_t begin = (cursor_.SkipBlanks(), cursor_.position());
    const std::string_view word = cursor_.TakeWhile(TextCursor::IsWordByte);
    if (word == "last_tile_dim_replicate" && sharding.kind == Kind::kTiled) {
      sharding.last_tile_dim_replicate = true;
      return {};
    }
    if (word == "last_tile_dims" && sharding.kind == Kind::kTiled && cursor_.Take("=")) {
      return cursor_.TakeList("{", "}", "the types of the last tile dimensions", [&]() -> Expected<void> {
        const size_t type_begin = (cursor_.SkipBlanks(), cursor_.position());
        const std::string_view type = cursor_.TakeWhile(TextCursor::IsWordByte);
        if (type != "replicated" && type != "manual" && type != "unreduced") {
          cursor_.MoveTo(type_begin);
          return cursor_.Unexpected("'replicated', 'manual' or 'unreduced'");
        }
        sharding.last_tile_dims.emplace_back(type);
        return {};
      });
    }
    if (word == "metadata" && cursor_.Take("=")) return SkipBraces();
    if (word == "shard_as" || word == "shard_like") {
      LAYOUTCHECK_RETURN_IF_ERROR(ReadCount(cursor_, "a shard group", 0));
      return {};
    }
    cursor_.MoveTo(begin);
    return cursor_.Unexpected("'}'");
  }

  Expected<void> SkipBraces() {
    if (!cursor_.Sees("{")) return cursor_.Unexpected("'{'");
    int64_t depth = 0;
    bool is_quoted = false;
    do {
      const char byte = cursor_.byte();
      if (cursor_.rest().empty()) return cursor_.Unexpected("'}'");
      if (byte == '"') is_quoted = !is_quoted;
      if (!is_quoted && byte == '{') ++depth;
      if (!is_quoted && byte == '}') --depth;
      cursor_.MoveTo(cursor_.position() + (is_quoted && byte == '\\' && cursor_.rest().size() > 1 ? 2 : 1));
    } while (depth > 0);
    return {};
  }

  Expected<std::vector<int64_t>> ReadSizes(std::string_view what) {
    std::vector<int64_t> sizes;
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.TakeList("[", "]", what, [&]() -> Expected<void> {
      LAYOUTCHECK_TRY(const int64_t size, ReadCount(cursor_, "a size", 1));
      sizes.push_back(size);
      return {};
    }));
    return sizes;
  }

  static Expected<int64_t> CountOf(const std::vector<int64_t>& sizes, int64_t column) {
    const CheckedInt64 count = ProductOfSizes(sizes);
    if (count.overflow || count.value > Sharding::kMaxDevices) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("expected at most ", Sharding::kMaxDevices, " devices"),
                       column);
    }
    return count.value;
  }

  TextCursor& cursor_;
};

std::string Joined(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) StrAppend(text, text.empty() ? "" : ",", number);
  return text;
}

std::string TilesText(const HloSharding& sharding) {
  std::string text = StrCat("devices=[", Joined(sharding.tile_dimensions), "]");
  if (sharding.iota) {
    StrAppend(text, "<=[", Joined(sharding.iota->reshape), "]");
    if (!sharding.iota->permutation.empty()) StrAppend(text, "T(", Joined(sharding.iota->permutation), ")");
  } else {
    StrAppend(text, Joined(sharding.devices));
  }
  if (sharding.last_tile_dim_replicate) text += " last_tile_dim_replicate";
  for (size_t k = 0; k < sharding.last_tile_dims.size(); ++k) {
    StrAppend(text, k == 0 ? " last_tile_dims={" : ", ", sharding.last_tile_dims[k]);
  }
  return sharding.last_tile_dims.empty() ? text : text + "}";
}

}  // namespace

size_t HloSharding::CutDimensions() const {
  const size_t last = last_tile_dims.size() + (last_tile_dim_replicate ? 1 : 0);
  return tile_dimensions.size() - std::min(last, tile_dimensions.size());
}

Expected<HloSharding> ReadHloSharding(TextCursor& cursor) { return HloShardingReader(cursor).Read(); }

std::string ToString(const HloSharding& sharding) {
  std::string text;
  switch (sharding.kind) {
    case Kind::kMaximal: return StrCat("{maximal device=", sharding.maximal_device, "}");
    case Kind::kTiled: return StrCat("{", TilesText(sharding), "}");
    case Kind::kTuple:
      for (const HloSharding& element : sharding.elements) StrAppend(text, text.empty() ? "" : ", ", ToString(element));
      return StrCat("{", text, "}");
    default: break;
  }
  return StrCat("{", std::ranges::find(kWords, sharding.kind, &std::pair<std::string_view, Kind>::second)->first, "}");
}

Expected<Sharding> MakeSharding(const HloSharding& sharding, std::span<const int64_t> dimensions,
                                std::optional<int64_t> device_count) {
  ShardCuts<int64_t> cuts{{dimensions.begin(), dimensions.end()}, {}};
  if (sharding.kind == Kind::kMaximal) {
    return Sharding::Create(std::move(cuts), 1, {sharding.maximal_device}, ShardSizes::kPadded);
  }
  if (sharding.kind == Kind::kReplicated) {
    if (!device_count) {
      return UnsupportedError("{replicated} does not say how many devices there are; {devices=[",
                              Joined(std::vector<int64_t>(dimensions.size(), 1)), dimensions.empty() ? "" : ",",
                              "8]<=[8] last_tile_dim_replicate} is the same for 8 devices");
    }
    if (*device_count < 1 || *device_count > Sharding::kMaxDevices) {
      return LayoutError("expected 1 to ", Sharding::kMaxDevices, " devices, found ", *device_count);
    }
    std::vector<int64_t> devices(static_cast<size_t>(*device_count));
    std::iota(devices.begin(), devices.end(), 0);
    return Sharding::Create(std::move(cuts), *device_count, std::move(devices), ShardSizes::kPadded);
  }
  if (sharding.kind == Kind::kTuple)
    return UnsupportedError("expected the sharding of one array, found that of a tuple");
  if (sharding.kind != Kind::kTiled) {
    return UnsupportedError(ToString(sharding), " does not say which device holds which element");
  }
  for (const std::string& type : sharding.last_tile_dims) {
    if (type != "replicated") {
      return UnsupportedError("devices of a last tile dimension that is ", type, " do not hold the same elements");
    }
  }
  const size_t rank = sharding.CutDimensions();
  if (rank != dimensions.size()) {
    return LayoutError("the sharding has ", rank, " dimensions, and the array has ", dimensions.size());
  }
  int64_t replicas = 1;
  for (size_t k = 0; k < sharding.tile_dimensions.size(); ++k) {
    const int64_t parts = sharding.tile_dimensions[k];
    if (k >= rank) {
      replicas *= parts;
    } else if (parts > 1) {
      cuts.cuts.push_back({static_cast<int64_t>(k), parts, 1});
    }
  }
  return Sharding::Create(std::move(cuts), replicas, sharding.devices, ShardSizes::kPadded);
}

}  // namespace layoutcheck
