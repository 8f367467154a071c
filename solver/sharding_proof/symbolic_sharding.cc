// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include "layoutcheck/core/sharding/sharding_reader.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

// Returns a sharding with the same parts on the same devices, over a mesh with one axis per tile dimension.
Expected<MeshSharding> MeshOf(const HloSharding& sharding, size_t rank) {
  const std::vector<int64_t> ones(rank, 1);
  LAYOUTCHECK_RETURN_IF_ERROR(MakeSharding(sharding, ones, /*device_count=*/1));
  MeshSharding mesh;
  if (sharding.kind == HloSharding::Kind::kReplicated) return mesh;
  if (sharding.kind == HloSharding::Kind::kMaximal) {
    mesh.axes.push_back({{}, {{}, 1}});
    mesh.device_ids = {sharding.maximal_device};
    return mesh;
  }
  for (size_t k = 0; k < sharding.tile_dimensions.size(); ++k) {
    mesh.axes.push_back({{}, {{}, sharding.tile_dimensions[k]}});
    if (k >= rank || sharding.tile_dimensions[k] == 1) continue;
    mesh.cuts.push_back({static_cast<int64_t>(k), {{.axis = k}}});
  }
  std::vector<int64_t> in_order(sharding.devices.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  if (sharding.devices != in_order) mesh.device_ids = sharding.devices;
  return mesh;
}

// Returns values of all names with which the sharding can be made, if it can be made at all. The size of an axis is the
// least number that its parts divide, and the size of a shard has room for any dimension.
std::map<std::string, int64_t> LeastValues(const SymbolicSharding& sharding) {
  std::map<std::string, int64_t> values;
  for (const std::string& name : sharding.names) values[name] = 1;
  const auto take = [&](const AxisPart& part) {
    const SymbolicSize& size = sharding.mesh.axes[part.axis].size;
    if (part.is_whole || size.name.empty() || part.pre > Sharding::kMaxDevices || part.size > Sharding::kMaxDevices) {
      return;
    }
    int64_t& value = values[size.name];
    value = std::min(std::lcm(value, part.pre * part.size), int64_t{1} << 30);
  };
  for (const MeshCut& cut : sharding.mesh.cuts) {
    std::ranges::for_each(cut.axes, take);
    if (cut.length && !cut.length->name.empty()) values[cut.length->name] = int64_t{1} << 40;
  }
  std::ranges::for_each(sharding.mesh.replicated, take);
  return values;
}

Expected<void> CheckNames(const SymbolicSharding& sharding, int64_t column) {
  for (const std::string& name : sharding.names) {
    for (const std::string_view kept : {"i", "d", "part", "local"}) {
      if (!name.starts_with(kept) || name.find_first_not_of("0123456789", kept.size()) != std::string::npos) continue;
      if (kept.size() == 1 && name == kept) continue;
      return ErrorAt(column, ArgumentError("the name '", name,
                                           "' is kept for an index, a dimension, a part or an index in a part: use "
                                           "another"));
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> SymbolicSharding::Conditions() const {
  std::vector<std::string> conditions;
  for (const MeshCut& cut : mesh.cuts) {
    const SymbolicSize& size = dimensions[static_cast<size_t>(cut.dimension)];
    if (!cut.length || (size.name.empty() && cut.length->name.empty())) continue;
    std::string room = layoutcheck::ToString(*cut.length);
    for (const AxisPart& part : cut.axes) {
      StrAppend(room, "*", layoutcheck::ToString(mesh.axes[part.axis].size));
    }
    conditions.push_back(StrCat(layoutcheck::ToString(size), " <= ", room));
  }
  const auto add = [&](const AxisPart& part) {
    const SymbolicSize& size = mesh.axes[part.axis].size;
    if (part.is_whole || size.name.empty()) return;
    conditions.push_back(StrCat(size.name, " mod ", part.pre * part.size, " == 0"));
  };
  for (const MeshCut& cut : mesh.cuts) std::ranges::for_each(cut.axes, add);
  std::ranges::for_each(mesh.replicated, add);
  return conditions;
}

SymbolicSharding SymbolicSharding::Only(size_t dimension) const {
  SymbolicSharding result = *this;
  result.dimensions = {dimensions[dimension]};
  std::erase_if(result.mesh.cuts, [&](const MeshCut& cut) { return !std::cmp_equal(cut.dimension, dimension); });
  for (MeshCut& cut : result.mesh.cuts) cut.dimension = 0;
  std::set<std::string> used = {dimensions[dimension].name};
  for (const MeshCut& cut : result.mesh.cuts) {
    used.insert(cut.blocks.name);
    if (cut.length) used.insert(cut.length->name);
    for (const AxisPart& part : cut.axes) used.insert(mesh.axes[part.axis].size.name);
  }
  std::erase_if(result.names, [&](const std::string& name) { return !used.contains(name); });
  return result;
}

Expected<SymbolicSharding> ParseSymbolicSharding(std::string_view text) {
  const std::optional<size_t> position = FindSharding(text);
  if (!position) return MakeError(ErrorKind::kSyntax, "expected a sharding behind the shape");
  const std::string_view shape = text.substr(0, text.find_last_not_of(" \t\r\n", *position - 1) + 1);
  LAYOUTCHECK_TRY(const SymbolicLayout layout, ParseSymbolicLayout(shape));
  SymbolicSharding result{std::string(text), std::string(shape), layout.layout.dimensions, {}, {}, {}};
  if (result.dimensions.empty())
    return UnsupportedError("expected an array with at least one dimension, found ", shape);
  const size_t rank = result.dimensions.size();
  LAYOUTCHECK_TRY(const ShardingText sharding, ReadSharding(text, *position, static_cast<int64_t>(rank)));
  if (const auto* hlo = std::get_if<HloSharding>(&sharding.form)) {
    auto mesh = MeshOf(*hlo, rank);
    if (!mesh) return ErrorAt(sharding.column, std::move(mesh.error()));
    result.mesh = *std::move(mesh);
    result.has_devices = hlo->kind != HloSharding::Kind::kReplicated;
  } else {
    result.mesh = std::get<MeshSharding>(sharding.form);
  }
  const auto add = [&](const SymbolicSize& size) {
    if (size.name.empty()) return false;
    if (std::ranges::find(result.names, size.name) == result.names.end()) result.names.push_back(size.name);
    return true;
  };
  std::ranges::for_each(result.dimensions, add);
  for (const MeshAxis& axis : result.mesh.axes) {
    if (add(axis.size)) result.positive.insert(axis.size.name);
  }
  for (const MeshCut& cut : result.mesh.cuts) {
    if (add(cut.blocks)) result.positive.insert(cut.blocks.name);
    if (cut.length && add(*cut.length)) result.positive.insert(cut.length->name);
  }
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNames(result, sharding.column));
  if (auto made = ShardingAt(result, LeastValues(result)); !made) {
    return ErrorAt(sharding.column, std::move(made.error()));
  }
  return result;
}

Expected<Sharding> ShardingAt(const SymbolicSharding& sharding, const std::map<std::string, int64_t>& values) {
  const auto at = [&](SymbolicSize& size) {
    if (!size.name.empty()) size = {{}, values.at(size.name)};
  };
  MeshSharding mesh = sharding.mesh;
  for (MeshAxis& axis : mesh.axes) at(axis.size);
  for (MeshCut& cut : mesh.cuts) {
    at(cut.blocks);
    if (cut.length) at(*cut.length);
  }
  std::vector<int64_t> dimensions;
  for (SymbolicSize size : sharding.dimensions) {
    at(size);
    dimensions.push_back(size.value);
  }
  return MakeSharding(mesh, dimensions);
}

}  // namespace layoutcheck
