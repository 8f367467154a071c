// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/causes.h"
#include <algorithm>
#include <bitset>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

using Features = std::bitset<16>;

Features FeaturesOf(const Shape& shape) {
  const Layout layout = shape.layout.value_or(MakeDescendingLayout(shape.rank()));
  const auto combines = [](const Tile& tile) {
    return std::ranges::count(tile.dimensions, Tile::kCombineDimension) > 0;
  };
  Features features;
  size_t next = 0;
  const auto add = [&](bool has) { features[next++] = has; };
  add(!layout.tiles.empty());
  add(layout.tiles.size() > 1);
  add(std::ranges::any_of(layout.tiles, combines));
  add(layout.minor_to_major != MakeDescendingLayout(shape.rank()).minor_to_major);
  add(std::ranges::any_of(shape.dimensions, [](int64_t size) { return size == 0; }));
  add(std::ranges::any_of(shape.dimensions, [](int64_t size) { return size > int64_t{1} << 30; }));
  add(std::ranges::any_of(shape.dynamic_dimensions, [](bool dynamic) { return dynamic; }));
  add(shape.element_type != ElementType::kF32);
  add(layout.element_size_in_bits != 0);
  add(layout.tail_padding_alignment_in_elements != 1);
  add(layout.memory_space != 0);
  add(!layout.split_configs.empty());
  add(layout.dynamic_shape_metadata_prefix_bytes != 0);
  return features;
}

}  // namespace

bool MayHaveOneCause(const Shape& a, const Shape& b) {
  const Features of_a = FeaturesOf(a);
  const Features of_b = FeaturesOf(b);
  const Features both = of_a & of_b;
  return both == of_a || both == of_b;
}

CauseRule CauseRule::OfShare() const {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const CheckedInt64 product = CheckedInt64(static_cast<int64_t>(causes)) * CheckedInt64(repetitions);
  // With more than one cause, each is followed by fewer than `repetitions` other failures until the whole run is done.
  return {.causes = causes == 1 ? 1 : std::numeric_limits<size_t>::max(),
          .repetitions = kMost,
          .by_features = false,
          .shrunk = product.overflow ? kMost : product.value};
}

std::string CausesKey(const std::string& name, const std::string& layout) {
  const size_t end = layout.find(';');
  const std::string_view tag = std::string_view(layout).substr(0, std::min(end, layout.find('<')));
  if (end == std::string::npos || !TlaTagFromName(tag)) return name;
  return StrCat(name, " ", tag);
}

std::optional<size_t> Causes::first() const {
  return causes_.empty() ? std::nullopt : std::optional(causes_.front().finding);
}

bool Causes::HaveOneCause(const std::string& layout, const std::string& other) const {
  if (layout == other || !rule_.by_features) return layout == other;
  const auto a = ParseShape(layout);
  const auto b = ParseShape(other);
  return a && b && MayHaveOneCause(*a, *b);
}

std::optional<size_t> Causes::Find(const Shrunk& shrunk) const {
  const auto same = std::ranges::find_if(causes_, [&](const Cause& cause) {
    return cause.shrunk.is_alone == shrunk.is_alone &&
           (!shrunk.is_alone || HaveOneCause(cause.shrunk.layout, shrunk.layout));
  });
  return same == causes_.end() ? std::nullopt : std::optional(same->finding);
}

Causes::Judged Causes::Judge(const Work& work, size_t finding) {
  if (causes_.size() >= rule_.causes || repetitions_ >= rule_.repetitions || shrunk_ >= rule_.shrunk) {
    return {Outcome::kNotShrunk, first()};
  }
  ++shrunk_;
  const Shrunk smallest{work.shrink()};
  auto same = Find(smallest);
  if (!same) {
    if (work.is_known()) {
      ++repetitions_;
      return {Outcome::kKnown, std::nullopt};
    }
    Shrunk confirmed = work.confirm();
    same = Find(confirmed);
    if (!same) {
      causes_.push_back({std::move(confirmed), finding});
      repetitions_ = 0;
      return {Outcome::kNew, finding};
    }
  }
  ++repetitions_;
  return {Outcome::kCounted, same};
}

bool CountedCases::Count(const std::string& name, uint64_t case_number) {
  const auto [latest, is_first] = latest_.try_emplace(name, case_number);
  return std::exchange(latest->second, case_number) != case_number || is_first;
}

}  // namespace layoutcheck
