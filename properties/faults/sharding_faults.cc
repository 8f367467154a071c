// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the shardings of arrays.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/properties/faults/algebra_fault.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"

namespace layoutcheck {
namespace {

using Indices = std::vector<int64_t>;

// Returns the indices that part number `part` of a cut takes, of those that it cuts.
using TakePart = std::function<Indices(const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part)>;

// Returns indices number `begin` to `end` - 1 of the list, as far as the list has them.
Indices Slice(const Indices& indices, int64_t begin, int64_t end) {
  const int64_t size = std::ssize(indices);
  return {indices.begin() + std::clamp<int64_t>(begin, 0, size), indices.begin() + std::clamp<int64_t>(end, 0, size)};
}

// Returns the part as core cuts it.
Indices RightPart(const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
  const int64_t size = std::ssize(indices);
  Indices taken;
  for (int64_t k = 0; k < SizeOfPart(size, cut, part); ++k) {
    taken.push_back(indices[static_cast<size_t>(IndexOfPlace(size, cut, {part, k}))]);
  }
  return taken;
}

std::optional<Sharding> ShardingIn(std::string_view layout) {
  const auto sharded = ParseSharded(layout);
  return sharded ? std::optional(sharded->array.sharding()) : std::nullopt;
}

// Returns the parts of the device, one per cut. Requires one of the sharding's devices.
Indices PartsOf(const Sharding& sharding, int64_t device) {
  int64_t number = *sharding.PositionOf(device) / sharding.replicas();
  Indices parts(sharding.cuts().cuts.size());
  for (size_t k = parts.size(); k-- > 0;) {
    parts[k] = number % sharding.cuts().cuts[k].parts;
    number /= sharding.cuts().cuts[k].parts;
  }
  return parts;
}

// Sets the answer to the elements and, if the sizes are exact, the shape that the device gets by this rule.
void CutBy(const TakePart& rule, const Sharding& sharding, int64_t device, ShardAnswer& answer) {
  const Indices parts = PartsOf(sharding, device);
  const Indices& sizes = sharding.cuts().dimensions;
  std::vector<std::vector<IndexRange>> ranges;
  Indices shape;
  for (size_t d = 0; d < sizes.size(); ++d) {
    Indices indices(static_cast<size_t>(sizes[d]));
    std::iota(indices.begin(), indices.end(), 0);
    for (size_t k = 0; k < parts.size(); ++k) {
      const DimensionCut<int64_t>& cut = sharding.cuts().cuts[k];
      if (std::cmp_equal(cut.dimension, d)) indices = rule(indices, cut, parts[k]);
    }
    shape.push_back(std::ssize(indices));
    auto& dimension = ranges.emplace_back();
    for (const int64_t index : indices) dimension.push_back({index, index + 1});
  }
  if (sharding.sizes() == ShardSizes::kExact) answer.shape = shape;
  answer.elements = NumbersIn(sizes, ranges);
}

// Returns a fault that cuts each dimension by another rule.
Change<ShardQuestion> CuttingBy(TakePart rule) {
  return [rule = std::move(rule)](const ShardQuestion& asked, ShardAnswer& answer) {
    const auto sharding = ShardingIn(asked.layout);
    if (sharding && answer.has_part) CutBy(rule, *sharding, asked.device, answer);
  };
}

// A sharding before it is made of its pieces.
struct ShardingPieces {
  ShardCuts<int64_t> cuts;
  int64_t replicas = 1;
  Indices devices;
  ShardSizes sizes = ShardSizes::kPadded;
};

// Returns a fault that takes a sharding for the one with other pieces.
Change<ShardQuestion> WithPieces(std::function<void(ShardingPieces&)> change) {
  return [change = std::move(change)](const ShardQuestion& asked, ShardAnswer& answer) {
    const auto right = ShardingIn(asked.layout);
    if (!right) return;
    ShardingPieces pieces{right->cuts(), right->replicas(), right->devices_by_part(), right->sizes()};
    change(pieces);
    const auto wrong =
        Sharding::Create(std::move(pieces.cuts), pieces.replicas, std::move(pieces.devices), pieces.sizes);
    if (wrong) answer = PartOfDevice(*wrong, asked.device);
  };
}

// Returns a fault that takes the form of a sharding for another one.
template <class Form>
Change<ShardQuestion> WithForm(void (*change)(Form&)) {
  return [change](const ShardQuestion& asked, ShardAnswer& answer) {
    auto sharded = ParseSharded(asked.layout);
    if (!sharded || !std::holds_alternative<Form>(sharded->sharding.form)) return;
    change(std::get<Form>(sharded->sharding.form));
    const auto wrong = MakeSharding(sharded->sharding, sharded->array.shape().dimensions);
    if (wrong) answer = PartOfDevice(*wrong, asked.device);
  };
}

std::vector<Fault> ChunkFaults() {
  return {
      {"shard-floor-for-ceil", "parts of floor(size / parts) elements: the last elements are on no device",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         if (cut.blocks > 1) return RightPart(indices, cut, part);
         const int64_t length = std::ssize(indices) / cut.parts;
         return Slice(indices, part * length, (part + 1) * length);
       })},
      {"shard-rest-to-the-last", "the last part takes what floor(size / parts) leaves",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         if (cut.blocks > 1) return RightPart(indices, cut, part);
         const int64_t length = std::ssize(indices) / cut.parts;
         const bool is_last = part + 1 == cut.parts;
         return Slice(indices, part * length, is_last ? std::ssize(indices) : (part + 1) * length);
       })},
      {"shard-balanced", "sizes of parts differ by at most one, as numpy.array_split has them",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         if (cut.blocks > 1) return RightPart(indices, cut, part);
         const int64_t length = std::ssize(indices) / cut.parts;
         const int64_t longer = std::ssize(indices) % cut.parts;
         const int64_t begin = part * length + std::min(part, longer);
         return Slice(indices, begin, begin + length + (part < longer ? 1 : 0));
       })},
      {"shard-overlaps-at-the-end", "the last part is moved back so that it is a full one",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         if (cut.blocks > 1) return RightPart(indices, cut, part);
         const int64_t length = CeilDiv(std::ssize(indices), cut.parts);
         const int64_t begin = std::min(part * length, std::ssize(indices) - length);
         return Slice(indices, begin, begin + length);
       })},
      {"shard-even-for-given", "parts of ceil(size / parts) elements where the notation gives their size",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         return RightPart(indices, {cut.dimension, cut.parts, cut.blocks}, part);
       })},
  };
}

std::vector<Fault> SizeOfShardFaults() {
  return {
      {"shard-size-of-a-full-one", "the array of the last device is as large as that of the first",
       [](const ShardQuestion& asked, ShardAnswer& answer) {
         const auto sharding = ShardingIn(asked.layout);
         if (sharding && answer.has_part)
           answer.shape = SizesOfShard<int64_t>(sharding->cuts(), Indices(sharding->cuts().cuts.size()));
       }},
      {"shard-padding-forgotten", "the array of the last device has the size of its part, where others have padding",
       [](const ShardQuestion& asked, ShardAnswer& answer) {
         const auto sharding = ShardingIn(asked.layout);
         if (sharding && answer.has_part)
           answer.shape = SizesOfShard<int64_t>(sharding->cuts(), PartsOf(*sharding, asked.device));
       }},
      {"shard-empty-forgotten", "torch.chunk returns fewer chunks than asked for: the last devices have none",
       [](const ShardQuestion&, ShardAnswer& answer) {
         const auto* ranges = answer.elements ? std::get_if<std::vector<IndexRange>>(&*answer.elements) : nullptr;
         if (ranges == nullptr) return;
         if (std::ranges::any_of(*ranges, [](const IndexRange& range) { return range.begin == range.end; })) {
           answer = {false, {}, {}};
         }
       }},
      {"shard-range-past-the-end", "the range of the last part is not cut off at the size of the array",
       [](const ShardQuestion& asked, ShardAnswer& answer) {
         auto* ranges = answer.elements ? std::get_if<std::vector<IndexRange>>(&*answer.elements) : nullptr;
         const auto sharding = ShardingIn(asked.layout);
         if (ranges == nullptr || !sharding) return;
         const Indices full = SizesOfShard<int64_t>(sharding->cuts(), Indices(sharding->cuts().cuts.size()));
         for (size_t d = 0; d < full.size(); ++d) (*ranges)[d].end = (*ranges)[d].begin + full[d];
       }},
  };
}

std::vector<Fault> DeviceFaults() {
  return {
      {"shard-axis-order", "the axes of a dimension are taken minor to major",
       WithForm<MeshSharding>([](MeshSharding& mesh) {
         for (MeshCut& cut : mesh.cuts) std::ranges::reverse(cut.axes);
       })},
      {"shard-sub-axis-order", "the major part of an axis is taken for its minor one",
       WithForm<MeshSharding>([](MeshSharding& mesh) {
         for (MeshCut& cut : mesh.cuts) {
           for (AxisPart& part : cut.axes) {
             if (!part.is_whole) part.pre = mesh.axes[part.axis].size.value / part.size / part.pre;
           }
         }
       })},
      {"shard-mesh-order", "the first axis of a mesh is taken for the fastest",
       WithForm<MeshSharding>([](MeshSharding& mesh) {
         if (!mesh.device_ids.empty()) return;
         int64_t count = 1;
         for (const MeshAxis& axis : mesh.axes) count *= axis.size.value;
         for (int64_t position = 0; position < count; ++position) {
           int64_t rest = position;
           int64_t inner = count;
           int64_t weight = 1;
           int64_t device = 0;
           for (const MeshAxis& axis : mesh.axes) {
             inner /= axis.size.value;
             device += rest / inner * weight;
             rest %= inner;
             weight *= axis.size.value;
           }
           mesh.device_ids.push_back(device);
         }
       })},
      {"shard-device-ids-ignored", "the devices of a mesh are taken for 0, 1, 2, ...",
       WithForm<MeshSharding>([](MeshSharding& mesh) { mesh.device_ids.clear(); })},
      {"shard-iota-untransposed", "the transposition of an iota is ignored",
       WithForm<HloSharding>([](HloSharding& hlo) {
         if (hlo.iota) std::iota(hlo.devices.begin(), hlo.devices.end(), 0);
       })},
      {"shard-list-sorted", "a list of devices is taken for an ascending one",
       WithForm<HloSharding>([](HloSharding& hlo) {
         if (!hlo.iota) std::ranges::sort(hlo.devices);
       })},
      {"shard-replicas-first", "the replicas of a part are one after another, not the parts of a replica",
       WithPieces([](ShardingPieces& pieces) {
         const Indices right = pieces.devices;
         const int64_t parts = std::ssize(right) / pieces.replicas;
         for (int64_t part = 0; part < parts; ++part) {
           for (int64_t replica = 0; replica < pieces.replicas; ++replica) {
             pieces.devices[static_cast<size_t>(part * pieces.replicas + replica)] =
                 right[static_cast<size_t>(replica * parts + part)];
           }
         }
       })},
      {"shard-one-replica", "only the first replica of a part has it",
       [](const ShardQuestion& asked, ShardAnswer& answer) {
         const auto sharding = ShardingIn(asked.layout);
         if (!sharding || !answer.has_part || *sharding->PositionOf(asked.device) % sharding->replicas() == 0) return;
         answer.elements = Indices();
       }},
      {"shard-everywhere", "a device that is not named holds the whole array",
       [](const ShardQuestion& asked, ShardAnswer& answer) {
         const auto sharding = ShardingIn(asked.layout);
         if (!sharding || answer.has_part) return;
         std::vector<IndexRange> all;
         for (const int64_t size : sharding->cuts().dimensions) all.push_back({0, size});
         answer = {true, sharding->cuts().dimensions, all};
       }},
  };
}

std::vector<Fault> NestedShardFaults() {
  return {
      {"shard-split-factor-ignored", "a strided shard is taken for one chunk", WithPieces([](ShardingPieces& pieces) {
         for (DimensionCut<int64_t>& cut : pieces.cuts.cuts) cut.blocks = 1;
       })},
      {"shard-strided-as-nested",
       "the parts of a strided shard take its blocks in turn, as if the blocks were the parts",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         if (cut.blocks == 1) return RightPart(indices, cut, part);
         Indices taken;
         for (int64_t block = part; block < cut.blocks; block += cut.parts) {
           const Indices one = RightPart(indices, {cut.dimension, cut.blocks, 1}, block);
           taken.insert(taken.end(), one.begin(), one.end());
         }
         return taken;
       })},
      {"shard-strided-blocks-as-the-first", "each block of a strided shard is cut as the first, longest one is",
       CuttingBy([](const Indices& indices, const DimensionCut<int64_t>& cut, int64_t part) {
         if (cut.blocks == 1) return RightPart(indices, cut, part);
         const int64_t block = CeilDiv(std::ssize(indices), cut.blocks);
         const int64_t length = CeilDiv(block, cut.parts);
         Indices taken;
         for (int64_t begin = 0; begin < std::ssize(indices); begin += block) {
           const Indices one = Slice(Slice(indices, begin, begin + block), part * length, (part + 1) * length);
           taken.insert(taken.end(), one.begin(), one.end());
         }
         return taken;
       })},
      {"shard-nested-in-full-chunk", "pytorch#161368: offsets within a short chunk are those within a full one",
       [](const ShardQuestion& asked, ShardAnswer& answer) {
         const auto sharding = ShardingIn(asked.layout);
         auto* ranges = answer.elements ? std::get_if<std::vector<IndexRange>>(&*answer.elements) : nullptr;
         if (!sharding || ranges == nullptr) return;
         const Indices parts = PartsOf(*sharding, asked.device);
         if (std::ranges::any_of(sharding->cuts().cuts, [](const auto& cut) { return cut.blocks > 1; })) return;
         Indices full = sharding->cuts().dimensions;
         Indices offset(full.size());
         for (size_t k = 0; k < parts.size(); ++k) {
           const DimensionCut<int64_t>& cut = sharding->cuts().cuts[k];
           const auto d = static_cast<size_t>(cut.dimension);
           full[d] = CeilDiv(full[d], cut.parts);
           offset[d] += parts[k] * full[d];
         }
         for (size_t d = 0; d < offset.size(); ++d) {
           IndexRange& range = (*ranges)[d];
           range = {offset[d], offset[d] + range.end - range.begin};
         }
       }},
      {"shard-nested-order", "the last placement of a dimension is applied first",
       WithPieces([](ShardingPieces& pieces) {
         std::vector<DimensionCut<int64_t>>& cuts = pieces.cuts.cuts;
         if (pieces.sizes != ShardSizes::kExact || cuts.size() < 2) return;
         if (cuts.front().dimension == cuts.back().dimension) std::swap(cuts.front(), cuts.back());
       })},
  };
}

std::vector<Fault> ReshardFaults() {
  return {
      {"reshard-all-that-is-needed", "a device receives also what it holds",
       [](const ReshardQuestion& asked, Indices& received) {
         const auto sharding = ShardingIn(asked.to_layout);
         const auto ranges = sharding ? sharding->RangesOf(asked.device) : std::nullopt;
         if (ranges) received = NumbersIn(sharding->cuts().dimensions, *ranges);
       }},
      {"reshard-backwards", "a device receives what it gives away",
       [](const ReshardQuestion& asked, Indices& received) {
         auto other = ReshardReference(asked.to_layout, asked.from_layout, asked.device);
         if (auto* numbers = std::get_if<0>(&other)) received = std::move(*numbers);
       }},
      {"reshard-last-of-each", "the last element of what a device receives is left out",
       [](const ReshardQuestion&, Indices& received) {
         if (!received.empty()) received.pop_back();
       }},
  };
}

// Returns a fault in the sharding of a view.
using ViewChange = std::function<void(const ShardedText& array, const Indices& sizes, ApplyAnswer& answer)>;
Change<ApplyQuestion> InView(ViewChange change) {
  return [change = std::move(change)](const ApplyQuestion& asked, ApplyAnswer& answer) {
    if (asked.function != kShardViewFunction || asked.arguments.size() != 2) return;
    const auto array = ParseSharded(asked.arguments[0]);
    const auto sizes = ReadSizes(asked.arguments[1]);
    if (array && sizes) change(*array, *sizes, answer);
  };
}

std::vector<Fault> ShardViewFaults() {
  return {
      {"shard-view-keeps-its-text", "the view has the sharding of the array, if it has as many dimensions",
       InView([](const ShardedText& array, const Indices& sizes, ApplyAnswer& answer) {
         if (sizes.size() != array.array.shape().dimensions.size()) return;
         answer = {StrCat("f32[", StrJoin(sizes, ","), "] ", array.sharding.text), {}, {}};
       })},
      {"shard-view-strided-as-chunk", "a shard of an inner dimension is one chunk of the flattened dimension",
       InView([](const ShardedText&, const Indices&, ApplyAnswer& answer) {
         constexpr std::string_view kStrided = "_StridedShard(";
         if (!answer.layout) return;
         std::string& text = *answer.layout;
         for (size_t at = text.find(kStrided); at != std::string::npos; at = text.find(kStrided)) {
           const size_t comma = text.find(',', at);
           text.replace(comma, text.find(')', comma) - comma, "");
           text.replace(at, kStrided.size(), "S(");
         }
       })},
      {"shard-view-uneven-as-even", "a flattened dimension is cut evenly although its rows are not",
       InView([](const ShardedText& array, const Indices& sizes, ApplyAnswer& answer) {
         const auto* mesh = std::get_if<MeshSharding>(&array.sharding.form);
         if (!answer.rejected || sizes.size() != 1 || mesh == nullptr || mesh->axes.size() != 1) return;
         answer = {StrCat("f32[", sizes[0], "] mesh[", mesh->axes[0].size.value, "] S(0)"), {}, {}};
       })},
  };
}

}  // namespace

std::vector<Fault> ShardingFaults() {
  return JoinFaults(
      {ChunkFaults(), SizeOfShardFaults(), DeviceFaults(), NestedShardFaults(), ReshardFaults(), ShardViewFaults()});
}

}  // namespace layoutcheck
