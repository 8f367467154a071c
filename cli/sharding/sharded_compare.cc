// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/cli/sharding/sharded_picture.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/resharding.h"
#include "layoutcheck/core/sharding/view_sharding.h"
#include "layoutcheck/core/tiling/same_positions.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Bytes of one device, without padding.
struct TrafficBytes {
  int64_t before = 0;
  int64_t after = 0;
  int64_t received = 0;
  int64_t sent = 0;

  auto operator<=>(const TrafficBytes&) const = default;
};

// An element that is at different linear indices on a device that holds it in A and in B.
struct OtherOffset {
  Integers coordinate;
  int64_t device = 0;
  int64_t in_a = 0;
  int64_t in_b = 0;
};

// Dimensions of A and of B that correspond: an element of A is that of B with the same row-major number in each group.
class ElementMap {
 public:
  ElementMap(const Integers& a, const Integers& b, std::vector<DimensionGroup> groups)
      : a_(a), b_(b), groups_(std::move(groups)) {}

  const std::vector<DimensionGroup>& groups() const { return groups_; }
  // Returns true unless the dimensions of A are those of B.
  bool IsView() const {
    return a_ != b_ || std::ranges::any_of(groups_, [](const DimensionGroup& group) { return group.a != group.b; });
  }
  // Returns the coordinate in B of an element of A.
  Integers InB(const Integers& coordinate) const {
    Integers result(b_.size());
    for (const DimensionGroup& group : groups_) {
      int64_t number = 0;
      for (const int64_t d : group.a) number = number * a_[static_cast<size_t>(d)] + coordinate[static_cast<size_t>(d)];
      for (const int64_t d : group.b | std::views::reverse) {
        result[static_cast<size_t>(d)] = number % b_[static_cast<size_t>(d)];
        number /= b_[static_cast<size_t>(d)];
      }
    }
    return result;
  }

 private:
  const Integers& a_;
  const Integers& b_;
  std::vector<DimensionGroup> groups_;
};

struct ShardedComparison {
  const ShardedText& a;
  const ShardedText& b;
  ElementMap elements;
  Resharding resharding;
  std::vector<TrafficBytes> bytes;  // of resharding.devices
  int64_t received = 0;             // bytes that all devices receive
  // Set if no element changes devices: an element with another linear index, nothing if all keep theirs, or the reason
  // why that is not known.
  std::optional<Expected<std::optional<OtherOffset>>> other_offset;

  std::string Relation() const {
    if (resharding.collective == Collective::kNone) {
      return elements.IsView() && other_offset && *other_offset && !**other_offset ? "free" : "same devices";
    }
    return std::string(CollectiveName(resharding.collective));
  }
};

// Returns the positions in a device's array of its elements, of which it has `sizes`.
Expected<PositionedArray> HeldArray(const ShardedArray::Local& local, const Integers& sizes) {
  if (local.layout() == nullptr && sizes == local.shape.dimensions) {
    LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(local.shape));
    return PositionedArrayOf(layout);
  }
  const auto position = [&local](std::span<const int64_t> coordinate) { return local.OffsetOf(coordinate); };
  if (local.layout() != nullptr && local.layout()->strides() != nullptr) {
    return StridedArray(*local.layout()->strides(), sizes, position);
  }
  return UnstridedArray(sizes, position);
}

// Returns the number of elements per dimension that a device holds.
Integers HeldSizes(const Sharding& sharding, int64_t device) {
  Integers sizes;
  const auto ranges = sharding.RangesOf(device);
  for (const std::vector<IndexRange>& dimension : *ranges) {
    sizes.push_back(0);
    for (const IndexRange& range : dimension) sizes.back() += range.end - range.begin;
  }
  return sizes;
}

// Returns an element that a device has at another linear index in B, or nothing. Requires that each device holds the
// same elements in both: then their local coordinates correspond as the coordinates do.
Expected<std::optional<OtherOffset>> FindOtherOffset(const ShardedArray& a, const ShardedArray& b,
                                                     const std::vector<DimensionGroup>& groups) {
  using Locals = std::tuple<const ShardedArray::Local*, const ShardedArray::Local*, Integers, Integers>;
  std::set<Locals> compared;
  for (const int64_t device : a.sharding().devices()) {
    const ShardedArray::Local* of_a = a.LocalOf(device);
    const ShardedArray::Local* of_b = b.LocalOf(device);
    if (of_b == nullptr) continue;  // a device without elements in A
    const Integers sizes = HeldSizes(a.sharding(), device);
    const Integers sizes_b = HeldSizes(b.sharding(), device);
    if (std::ranges::find(sizes, 0) != sizes.end() || !compared.emplace(of_a, of_b, sizes, sizes_b).second) continue;
    LAYOUTCHECK_TRY(const PositionedArray in_a, HeldArray(*of_a, sizes));
    LAYOUTCHECK_TRY(const PositionedArray in_b, HeldArray(*of_b, sizes_b));
    LAYOUTCHECK_TRY(const std::optional<MovedElement> moved, FindMovedElement(in_a, in_b, groups));
    if (!moved) continue;
    return OtherOffset{*a.sharding().GlobalCoordinate(device, moved->a), device, of_a->OffsetOf(moved->a),
                       of_b->OffsetOf(moved->b)};
  }
  return std::nullopt;
}

// Compares B with A, or with A transposed. Errors: elements of another type or size, no permutation (invalid argument);
// those of CompareShardings; overflow.
Expected<ShardedComparison> Compare(const ShardedText& a, const ShardedText& b,
                                    const std::optional<Integers>& transpose) {
  const int64_t bits = ElementSizeInBits(a.array.shape());
  if (a.array.shape().element_type != b.array.shape().element_type || bits != ElementSizeInBits(b.array.shape())) {
    return ArgumentError("expected elements of the type and size that A has");
  }
  Integers order(a.array.shape().dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  if (transpose) order = *transpose;
  LAYOUTCHECK_TRY(const Sharding before, ShardingOfTranspose(a.array.sharding(), order));
  LAYOUTCHECK_TRY(Resharding resharding, CompareShardings(before, b.array.sharding()));
  LAYOUTCHECK_TRY(std::vector<DimensionGroup> groups,
                  GroupsOfReshape(before.cuts().dimensions, b.array.shape().dimensions));
  for (DimensionGroup& group : groups) {
    for (int64_t& dimension : group.a) dimension = order[static_cast<size_t>(dimension)];
  }
  if (resharding.first_moved) {
    const Integers transposed = *resharding.first_moved;
    for (size_t d = 0; d < order.size(); ++d) (*resharding.first_moved)[static_cast<size_t>(order[d])] = transposed[d];
  }
  ElementMap elements(a.array.shape().dimensions, b.array.shape().dimensions, std::move(groups));
  ShardedComparison comparison{a, b, std::move(elements), std::move(resharding), {}, 0, {}};
  for (const DeviceTraffic& device : comparison.resharding.devices) {
    TrafficBytes& bytes = comparison.bytes.emplace_back();
    LAYOUTCHECK_TRY(bytes.before, PackedBytes(device.before, bits));
    LAYOUTCHECK_TRY(bytes.after, PackedBytes(device.after, bits));
    LAYOUTCHECK_TRY(bytes.received, PackedBytes(device.received, bits));
    LAYOUTCHECK_TRY(bytes.sent, PackedBytes(device.sent, bits));
  }
  LAYOUTCHECK_TRY(comparison.received, PackedBytes(comparison.resharding.Received(), bits));
  if (comparison.resharding.collective == Collective::kNone) {
    comparison.other_offset = FindOtherOffset(a.array, b.array, comparison.elements.groups());
  }
  return comparison;
}

std::string ElementText(const Integers& coordinate) { return StrCat("element (", StrJoin(coordinate, ","), ")"); }

std::vector<Fact> FactsOf(const ShardedComparison& comparison) {
  const auto& [a, b, elements, resharding, bytes, received, other_offset] = comparison;
  std::vector<Fact> facts{{"A", a.Text()}, {"B", b.Text()}};
  if (resharding.first_moved) {
    const Integers from = a.array.sharding().DevicesOf(*resharding.first_moved);
    const Integers in_b = elements.InB(*resharding.first_moved);
    const Integers to = b.array.sharding().DevicesOf(in_b);
    facts.push_back(
        {"first that moves",
         StrCat(ElementText(*resharding.first_moved),
                elements.IsView() ? StrCat(", which is (", StrJoin(in_b, ","), ") in B,") : "", " to device ",
                resharding.first_receiver, ": on ", DevicesText(from), " in A, on ", DevicesText(to), " in B")});
  }
  facts.push_back({"received", StrCat(RoundedBytes(received), " on all devices")});
  if (!other_offset) return facts;
  if (!*other_offset) {
    facts.push_back({"local offsets", StrCat("undecided: ", other_offset->error().message)});
  } else if (const std::optional<OtherOffset>& other = **other_offset) {
    facts.push_back({"local offsets", StrCat("differ: ", ElementText(other->coordinate), " of device ", other->device,
                                             " is at ", other->in_a, " in A, at ", other->in_b, " in B")});
  } else {
    facts.push_back({"local offsets", "the same"});
  }
  return facts;
}

// Returns a table with a line per group of devices with the same numbers.
std::string TableText(const ShardedComparison& comparison) {
  std::vector<std::pair<TrafficBytes, Integers>> rows;  // in the order of their first devices
  std::map<TrafficBytes, size_t> numbers;
  for (size_t k = 0; k < comparison.bytes.size(); ++k) {
    const auto [row, is_new] = numbers.emplace(comparison.bytes[k], rows.size());
    if (is_new) rows.emplace_back(comparison.bytes[k], Integers());
    rows[row->second].second.push_back(comparison.resharding.devices[k].device);
  }
  const auto line = [](std::string_view before, std::string_view after, std::string_view received,
                       std::string_view sent, std::string_view devices) {
    std::string text;
    for (const std::string_view column : {before, after, received, sent}) {
      StrAppend(text, std::string(12 - std::min<size_t>(12, column.size()), ' '), column);
    }
    return StrCat(text, "  ", devices, "\n");
  };
  std::string text = line("before", "after", "received", "sent", "per device");
  for (const auto& [bytes, devices] : rows) {
    text += line(RoundedBytes(bytes.before), RoundedBytes(bytes.after), RoundedBytes(bytes.received),
                 RoundedBytes(bytes.sent), DevicesText(devices));
  }
  return text;
}

Json ArrayJson(const ShardedText& sharded) {
  return {{"layout", sharded.Text()},
          {"devices", static_cast<int64_t>(sharded.array.sharding().devices().size())},
          {"replicas", sharded.array.sharding().replicas()}};
}

Json JsonOf(const ShardedComparison& comparison) {
  const auto& [a, b, elements, resharding, bytes, received, other_offset] = comparison;
  Json document{{"relation", comparison.Relation()}, {"a", ArrayJson(a)}, {"b", ArrayJson(b)}};
  if (resharding.first_moved) {
    document["moved"] = {{"element", *resharding.first_moved},
                         {"device", resharding.first_receiver},
                         {"devices_a", a.array.sharding().DevicesOf(*resharding.first_moved)},
                         {"devices_b", b.array.sharding().DevicesOf(elements.InB(*resharding.first_moved))}};
    if (elements.IsView()) document["moved"]["element_b"] = elements.InB(*resharding.first_moved);
  }
  if (other_offset && !*other_offset) document["same_offsets"] = nullptr;  // undecided
  if (other_offset && *other_offset) {
    document["same_offsets"] = !(*other_offset)->has_value();
    if (const std::optional<OtherOffset>& other = **other_offset) {
      document["other_offset"] = {{"element", other->coordinate},
                                  {"device", other->device},
                                  {"offset_a", other->in_a},
                                  {"offset_b", other->in_b}};
    }
  }
  document["received_bytes"] = received;
  Json devices = Json::array();
  for (size_t k = 0; k < bytes.size(); ++k) {
    devices.push_back({{"device", resharding.devices[k].device},
                       {"before", bytes[k].before},
                       {"after", bytes[k].after},
                       {"received", bytes[k].received},
                       {"sent", bytes[k].sent}});
  }
  document["devices"] = std::move(devices);
  return document;
}

// Returns the number of devices of a program that uses the devices of the array.
int64_t DeviceCount(const ShardedText& sharded) {
  return std::min(sharded.array.sharding().devices().back(), Sharding::kMaxDevices) + 1;
}

// Draws both arrays to the file of --svg, and returns them as text for --picture.
Expected<std::string> DrawGrids(const ShardedComparison& comparison, const ShardedCompareArguments& arguments) {
  const Sharding& before = comparison.a.array.sharding();
  const Sharding& after = comparison.b.array.sharding();
  const Integers& sizes = before.cuts().dimensions;
  const bool has_elements = std::ranges::find(sizes, 0) == sizes.end();
  if (comparison.elements.IsView() && (arguments.picture || !arguments.svg.empty())) {
    return ArgumentError("--picture and --svg are for shardings of arrays of the same sizes, without --transpose");
  }
  std::optional<CellGrid> a;
  std::optional<CellGrid> b;
  if (has_elements) {
    a = MarkedShardedGrid(comparison.a.array, before, after);
    b = MarkedShardedGrid(comparison.b.array, before, after);
    a->focus = comparison.resharding.first_moved;
    b->focus = comparison.resharding.first_moved;
  }
  if (!arguments.svg.empty()) {
    const PicturePair pair{comparison.Relation(),       FactsOf(comparison), "A: " + comparison.a.Text(),
                           "B: " + comparison.b.Text(), a ? &*a : nullptr,   b ? &*b : nullptr};
    LAYOUTCHECK_RETURN_IF_ERROR(WriteFile(arguments.svg, DrawPairSvg(pair)));
  }
  if (!arguments.picture || !has_elements) return std::string();
  return "\n" + DrawPairText(*a, "A", *b, "B", StyleOfTerminal());
}

}  // namespace

ExitCode RunShardedCompare(const ShardedCompareArguments& arguments) {
  auto a = ParseSharded(arguments.a);
  auto b = ParseSharded(arguments.b);
  // {replicated} is on the devices of the other.
  if (!a && b) a = ParseSharded(arguments.a, DeviceCount(*b));
  if (!b && a) b = ParseSharded(arguments.b, DeviceCount(*a));
  if (!a) return Unusable("compare", "A", a.error());
  if (!b) return Unusable("compare", "B", b.error());
  std::optional<Integers> transpose;
  if (!arguments.transpose.empty()) {
    const auto order = ReadFlatCoordinate(arguments.transpose);
    if (!order) return Unusable("compare", "--transpose", order.error());
    transpose = *order;
    if (auto valid = ValidatePermutation(*order, std::ssize(a->array.shape().dimensions)); !valid) {
      return Unusable("compare", "--transpose", valid.error());
    }
  }
  const auto comparison = Compare(*a, *b, transpose);
  if (!comparison && comparison.error().kind == ErrorKind::kUnsupported) {
    if (arguments.json) {
      PrintJson(Json{{"relation", "undecided"}, {"reason", comparison.error().message}});
    } else {
      PrintText(StrCat("undecided: ", comparison.error().message, "\n"));
    }
    return ExitCode::kUndecided;
  }
  if (!comparison) return Unusable("compare", "B", comparison.error());
  const auto pictures = DrawGrids(*comparison, arguments);
  if (!pictures) return Unusable("compare", pictures.error());
  if (arguments.json) {
    PrintJson(JsonOf(*comparison));
  } else {
    PrintText(StrCat(comparison->Relation(), "\n\n", FactsText(FactsOf(*comparison)), "\n", TableText(*comparison),
                     *pictures));
  }
  return comparison->resharding.first_moved ? ExitCode::kRejected : ExitCode::kAccepted;
}

}  // namespace layoutcheck
