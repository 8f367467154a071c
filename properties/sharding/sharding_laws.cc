// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_laws.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/sharding/shard_arrays.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include "layoutcheck/core/sharding/view_sharding.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;
using Arguments = std::span<const std::string>;

constexpr size_t kMostDevices = 4096;  // that a law asks about
constexpr std::string_view kWitnessDevice = "device=";

// Returns the array, or nothing if a law cannot ask for the elements of all devices.
std::optional<ShardedText> ReadSharded(Arguments arguments) {
  if (arguments.size() != 1) return std::nullopt;
  auto sharded = ParseSharded(arguments[0]);
  if (!sharded) return std::nullopt;
  const Sharding& sharding = sharded->array.sharding();
  const auto devices = static_cast<int64_t>(sharding.devices().size());
  const int64_t elements = CountedElements(sharding.cuts().dimensions);
  if (sharding.devices().size() > kMostDevices || elements > kMostListedElements / devices) return std::nullopt;
  return *std::move(sharded);
}

// Returns the argument as a subject is asked: without a local layout, which changes the elements of no device.
std::string AskedText(const std::string& argument, const ShardedText& sharded) {
  if (sharded.array.local_layout() == nullptr) return argument;
  const auto shape = ParseShape(ToString(sharded.array.shape()));
  return StrCat(ToString(*shape), " ", sharded.sharding.text);
}

std::string NumbersText(const Numbers& numbers) {
  constexpr size_t kShown = 16;
  if (numbers.empty()) return "no elements";
  const auto shown = std::span(numbers).first(std::min(kShown, numbers.size()));
  return StrCat(numbers.size() == 1 ? "element " : "elements ", StrJoin(shown, ","),
                numbers.size() > kShown ? StrCat(", ... (", numbers.size(), ")") : "");
}

std::string ElementsText(const HeldElements& elements) {
  if (const auto* numbers = std::get_if<Numbers>(&elements)) return NumbersText(*numbers);
  std::string text;
  for (const IndexRange& range : std::get<std::vector<IndexRange>>(elements)) {
    StrAppend(text, text.empty() ? "[" : " x [", range.begin, ",", range.end, ")");
  }
  return text;
}

// Returns the numbers of these elements, or nothing if they are not elements of an array of these sizes.
std::optional<Numbers> NumbersOf(const HeldElements& elements, const Numbers& sizes) {
  if (const auto* numbers = std::get_if<Numbers>(&elements)) {
    const int64_t count = CountedElements(sizes);
    const bool are_inside = std::ranges::all_of(*numbers, [&](int64_t n) { return n >= 0 && n < count; });
    return are_inside ? std::optional(*numbers) : std::nullopt;
  }
  const auto& ranges = std::get<std::vector<IndexRange>>(elements);
  if (ranges.size() != sizes.size()) return std::nullopt;
  // A dimension without indices may have its range anywhere.
  if (std::ranges::any_of(ranges, [](const IndexRange& range) { return range.begin == range.end; })) return Numbers();
  std::vector<std::vector<IndexRange>> of_dimensions;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (ranges[d].begin < 0 || ranges[d].end < ranges[d].begin || ranges[d].end > sizes[d]) return std::nullopt;
    of_dimensions.push_back({ranges[d]});
  }
  return NumbersIn(sizes, of_dimensions);
}

LawResult OnDevice(LawResult result, int64_t device) { return std::move(result).On(StrCat(kWitnessDevice, device)); }

// Asks for the parts of these devices, and returns the first result of judge(device, part), or that of the first answer
// without a part. Asks about the first device alone, because a subject that declines it mostly declines all.
template <class Judge>
std::optional<LawResult> JudgeParts(Subject& subject, const std::string& layout, std::span<const int64_t> devices,
                                    Judge judge) {
  for (const auto& asked : {devices.first(1), devices.subspan(1)}) {
    const std::vector<Answer<ShardAnswer>> answers = subject.ShardsOf(layout, asked);
    for (size_t k = 0; k < answers.size(); ++k) {
      if (auto unanswered = Unanswered(answers[k])) {
        if (unanswered->verdict != LawResult::Verdict::kDisagree) return unanswered;
        return OnDevice(*std::move(unanswered), asked[k]);
      }
      if (std::optional<LawResult> result = judge(asked[k], std::get<ShardAnswer>(answers[k]))) return result;
    }
  }
  return std::nullopt;
}

// Asks for the part of each device that the sharding names, and returns the first result of judge(sharding, device,
// part).
template <class Judge>
LawResult CheckParts(Subject& subject, Arguments arguments, Judge judge) {
  const auto sharded = ReadSharded(arguments);
  if (!sharded) return LawResult::OutsideDomain();
  const Sharding& sharding = sharded->array.sharding();
  const auto judge_member = [&](int64_t device, const ShardAnswer& part) {
    if (part.has_part) return judge(sharding, device, part);
    return std::optional(OnDevice(LawResult::Disagree("a part of the array", "no part"), device));
  };
  return JudgeParts(subject, AskedText(arguments[0], *sharded), sharding.devices(), judge_member)
      .value_or(LawResult::Agree());
}

LawResult CheckShape(Subject& subject, Arguments arguments) {
  const auto judge = [](const Sharding& sharding, int64_t device, const ShardAnswer& part) -> std::optional<LawResult> {
    if (!part.shape) return LawResult::Decline("no shape of a device's array");
    const Numbers expected = *sharding.LocalSizes(device);
    if (*part.shape == expected) return std::nullopt;
    return OnDevice(LawResult::Disagree(StrCat("sizes [", StrJoin(expected, ","), "]"),
                                        StrCat("[", StrJoin(*part.shape, ","), "]")),
                    device);
  };
  return CheckParts(subject, arguments, judge);
}

LawResult CheckElements(Subject& subject, Arguments arguments) {
  const auto judge = [](const Sharding& sharding, int64_t device, const ShardAnswer& part) -> std::optional<LawResult> {
    if (!part.elements) return LawResult::Decline("no elements of a device");
    const HeldElements expected = *PartOfDevice(sharding, device).elements;
    const Numbers& sizes = sharding.cuts().dimensions;
    if (NumbersOf(*part.elements, sizes) == NumbersOf(expected, sizes)) return std::nullopt;
    return OnDevice(LawResult::Disagree(ElementsText(expected), ElementsText(*part.elements)), device);
  };
  return CheckParts(subject, arguments, judge);
}

std::vector<int64_t> CoordinateOfNumber(int64_t number, const Numbers& sizes) {
  Numbers coordinate(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; number /= sizes[d]) coordinate[d] = number % sizes[d];
  return coordinate;
}

LawResult CheckCover(Subject& subject, Arguments arguments) {
  const auto sharded = ReadSharded(arguments);
  if (!sharded) return LawResult::OutsideDomain();
  const Sharding& sharding = sharded->array.sharding();
  const Numbers& sizes = sharding.cuts().dimensions;
  std::vector<Numbers> holders(static_cast<size_t>(CountedElements(sizes)));
  const auto note_holder = [&](int64_t device, const ShardAnswer& part) -> std::optional<LawResult> {
    if (!part.has_part) return std::nullopt;
    if (!part.elements) return LawResult::Decline("no elements of a device");
    const auto numbers = NumbersOf(*part.elements, sizes);
    if (!numbers) return OnDevice(LawResult::Disagree("elements of the array", ElementsText(*part.elements)), device);
    for (const int64_t number : *numbers) holders[static_cast<size_t>(number)].push_back(device);
    return std::nullopt;
  };
  if (auto result = JudgeParts(subject, AskedText(arguments[0], *sharded), sharding.devices(), note_holder)) {
    return *std::move(result);
  }
  for (size_t number = 0; number < holders.size(); ++number) {
    if (std::ssize(holders[number]) == sharding.replicas()) continue;
    const std::string expected = StrCat("on ", sharding.replicas(), sharding.replicas() == 1 ? " device" : " devices");
    const std::string actual =
        holders[number].empty() ? "on none" : StrCat("on devices ", StrJoin(holders[number], ","));
    return LawResult::Disagree(expected, actual).At(CoordinateOfNumber(static_cast<int64_t>(number), sizes));
  }
  return LawResult::Agree();
}

// Asks about the first device that the sharding does not name.
LawResult CheckOutside(Subject& subject, Arguments arguments) {
  const auto sharded = ReadSharded(arguments);
  if (!sharded) return LawResult::OutsideDomain();
  int64_t device = 0;
  for (const int64_t member : sharded->array.sharding().devices()) device += member == device ? 1 : 0;
  const auto judge = [&](int64_t, const ShardAnswer& part) -> std::optional<LawResult> {
    if (!part.has_part) return std::nullopt;
    if (part.elements) {
      const auto numbers = NumbersOf(*part.elements, sharded->array.shape().dimensions);
      if (numbers && numbers->empty()) return std::nullopt;
    }
    return OnDevice(LawResult::Disagree("no part", part.elements ? ElementsText(*part.elements) : "a part"), device);
  };
  return JudgeParts(subject, AskedText(arguments[0], *sharded), std::span(&device, 1), judge)
      .value_or(LawResult::Agree());
}

LawResult CheckReceived(Subject& subject, Arguments arguments) {
  if (arguments.size() != 2) return LawResult::OutsideDomain();
  const auto from = ReadSharded(arguments.first(1));
  const auto to = ReadSharded(arguments.last(1));
  if (!from || !to || from->array.shape().dimensions != to->array.shape().dimensions) {
    return LawResult::OutsideDomain();
  }
  const std::string before = AskedText(arguments[0], *from);
  const std::string after = AskedText(arguments[1], *to);
  Numbers devices;
  std::ranges::set_union(from->array.sharding().devices(), to->array.sharding().devices(), std::back_inserter(devices));
  for (const int64_t device : devices) {
    const auto expected = ReshardReference(before, after, device);
    const Answer<Numbers> answer = subject.Reshard(before, after, device);
    if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
    if (std::get<Numbers>(answer) == std::get<Numbers>(expected)) continue;
    return OnDevice(LawResult::Disagree(NumbersText(std::get<Numbers>(expected)), NumbersText(std::get<0>(answer))),
                    device);
  }
  return LawResult::Agree();
}

LawResult CheckView(Subject& subject, Arguments arguments) {
  if (arguments.size() != 2) return LawResult::OutsideDomain();
  const auto array = ReadSharded(arguments.first(1));
  const auto sizes = ReadSizes(arguments[1]);
  const bool has_local_layout = array && array->array.local_layout() != nullptr;
  if (!array || has_local_layout || !sizes ||
      CountedElements(*sizes) != CountedElements(array->array.shape().dimensions)) {
    return LawResult::OutsideDomain();
  }
  const Answer<ApplyAnswer> answer = subject.Apply(kShardViewFunction, arguments);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const ApplyAnswer& applied = std::get<ApplyAnswer>(answer);
  if (applied.rejected) {
    const auto free = TextOfView(array->sharding, array->array.sharding(), *sizes);
    return free ? LawResult::Decline("a view that is free") : LawResult::Agree();
  }
  if (!applied.layout) return LawResult::Disagree("a sharded array", "a number");
  const std::string expected = StrCat("each device keeps its elements in a view of sizes ", arguments[1]);
  const auto view = ParseSharded(*applied.layout);
  if (!view) return LawResult::Disagree(expected, StrCat(*applied.layout, ": ", view.error().ToString()));
  const auto is_free = AreSameMemories(array->array.sharding(), view->array.sharding());
  if (!is_free) return LawResult::Decline(is_free.error().message);
  if (*is_free && view->array.shape().dimensions == *sizes) return LawResult::Agree();
  return LawResult::Disagree(expected, *applied.layout);
}

constexpr std::array<ShardingLaw, 6> kShardingLaws = {{
    {"shard-shape",
     "The array of a device has the sizes that its system documents: those of the largest part in HLO, JAX and Shardy, "
     "those of its own part in DTensor, those of a shard in tt-metal.",
     "arrays with a sharding, up to 2^20 elements over all devices", CheckShape},
    {"shard-elements", "Each device holds the elements that the sharding gives it, in the order of its own array.",
     "arrays with a sharding, up to 2^20 elements over all devices", CheckElements},
    {"shard-cover", "Each element is on as many devices as its part has replicas.",
     "arrays with a sharding, up to 2^20 elements over all devices", CheckCover},
    {"shard-outside", "A device that the sharding does not name holds no element.",
     "arrays with a sharding, up to 2^20 elements over all devices", CheckOutside},
    {"reshard-received",
     "From one sharding to another, a device receives exactly the elements that it needs and does not hold.",
     "two shardings of one array, up to 2^20 elements over all devices", CheckReceived, ShardingLaw::Topic::kTwo},
    {"shard-view-free",
     "The view of a sharded array has the sharding under which each device holds the same elements at the same offsets "
     "of "
     "a row-major array, or is rejected.",
     "arrays with a sharding and sizes with the same product, up to 2^20 elements over all devices", CheckView,
     ShardingLaw::Topic::kView},
}};

// A small array in a notation.
struct Probe {
  ShardingNotation notation;
  std::string_view text;
};

constexpr Probe kProbes[] = {
    {ShardingNotation::kHlo, "f32[2] sharding={devices=[2]<=[2]}"},
    {ShardingNotation::kJax, "f32[2] mesh[x=2] P(\"x\")"},
    {ShardingNotation::kDTensor, "f32[2] mesh[2] S(0)"},
    {ShardingNotation::kShardy, "f32[2] #sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}]>"},
    {ShardingNotation::kTtMetal,
     "f32[2,1] MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,shard_spec=ShardSpec("
     "grid={[(x=0,y=0) - (x=1,y=0)]},shape={1, 1},orientation=ShardOrientation::ROW_MAJOR))"},
};

}  // namespace

std::span<const ShardingLaw> ShardingLaws() { return kShardingLaws; }

std::vector<ShardingNotation> NotationsOfShards(Subject& subject) {
  std::vector<ShardingNotation> notations;
  for (const Probe& probe : kProbes) {
    if (!std::holds_alternative<Declined>(subject.ShardOf(probe.text, 0))) notations.push_back(probe.notation);
  }
  return notations;
}

bool AnswersReshards(Subject& subject) {
  return std::ranges::any_of(kProbes, [&](const Probe& probe) {
    return !std::holds_alternative<Declined>(subject.Reshard(probe.text, probe.text, 0));
  });
}

bool AnswersShardViews(Subject& subject) {
  return std::ranges::any_of(kProbes, [&](const Probe& probe) {
    const std::string arguments[] = {std::string(probe.text), "[2]"};
    return !std::holds_alternative<Declined>(subject.Apply(kShardViewFunction, arguments));
  });
}

int64_t DeviceOfWitness(std::string_view witness) {
  int64_t device = -1;
  if (!witness.starts_with(kWitnessDevice)) return device;
  witness.remove_prefix(kWitnessDevice.size());
  std::from_chars(witness.data(), witness.data() + witness.size(), device);
  return device;
}

}  // namespace layoutcheck
