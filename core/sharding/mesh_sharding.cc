// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/mesh_sharding.h"
#include <algorithm>
#include <map>
#include <utility>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {
namespace {

std::unexpected<Error> NameError(std::string_view what, const SymbolicSize& size) {
  return LayoutError("the size ", size.name, " of ", what, " is a name; expected a number");
}

// Returns the number of devices.
Expected<int64_t> DevicesOfMesh(const MeshSharding& mesh) {
  CheckedInt64 count = 1;
  for (const MeshAxis& axis : mesh.axes) {
    if (!axis.size.name.empty()) return NameError("a mesh axis", axis.size);
    if (axis.size.value < 1) return LayoutError("expected mesh axes of size >= 1, found ", axis.size.value);
    count = count * CheckedInt64(axis.size.value);
    if (count.overflow || count.value > Sharding::kMaxDevices) {
      return LayoutError("expected a mesh of at most ", Sharding::kMaxDevices, " devices");
    }
  }
  return count.value;
}

// Returns an error unless each part divides its axis, and no two parts overlap.
Expected<void> ValidateParts(const MeshSharding& mesh) {
  std::map<size_t, std::vector<AxisPart>> used;  // by axis
  for (const AxisPart& part : mesh.replicated) used[part.axis].push_back(part);
  for (const MeshCut& cut : mesh.cuts) {
    if (!cut.blocks.name.empty()) return NameError("a split factor", cut.blocks);
    if (cut.length && !cut.length->name.empty()) return NameError("a shard", *cut.length);
    for (const AxisPart& part : cut.axes) used[part.axis].push_back(part);
  }
  for (auto& [number, parts] : used) {
    const MeshAxis& axis = mesh.axes[number];
    const std::string name = axis.name.empty() ? StrCat("axis ", number) : StrCat("axis \"", axis.name, "\"");
    std::ranges::sort(parts, {}, &AxisPart::pre);
    int64_t end = 1;  // product of the sizes of the parts before
    for (const AxisPart& part : parts) {
      if (part.is_whole && parts.size() > 1) return LayoutError(name, " is used twice");
      if (part.is_whole) continue;
      if (part.pre < 1 || part.size < 1 || axis.size.value / part.pre / part.size < 1 ||
          axis.size.value % (part.pre * part.size) != 0) {
        return LayoutError("the part (", part.pre, ")", part.size, " does not divide ", name, " of size ",
                           axis.size.value);
      }
      if (part.pre % end != 0) return LayoutError("two parts of ", name, " overlap");
      end = part.pre * part.size;
    }
  }
  return {};
}

// Returns the coordinate of the device at a position of the mesh.
std::vector<int64_t> MeshCoordinate(const MeshSharding& mesh, int64_t position) {
  std::vector<int64_t> coordinate(mesh.axes.size());
  for (size_t k = coordinate.size(); k-- > 0;) {
    coordinate[k] = position % mesh.axes[k].size.value;
    position /= mesh.axes[k].size.value;
  }
  return coordinate;
}

// Returns the number of the part that the device at this coordinate of the mesh has, over all cuts in row-major order.
int64_t PartNumber(const MeshSharding& mesh, const std::vector<int64_t>& coordinate) {
  int64_t number = 0;
  for (const MeshCut& cut : mesh.cuts) {
    for (const AxisPart& part : cut.axes) {
      const int64_t size = mesh.axes[part.axis].size.value;
      const int64_t digit = coordinate[part.axis];
      number = part.is_whole ? number * size + digit
                             : number * part.size + digit / (size / (part.pre * part.size)) % part.size;
    }
  }
  return number;
}

}  // namespace

Expected<Sharding> MakeSharding(const MeshSharding& mesh, std::span<const int64_t> dimensions) {
  LAYOUTCHECK_TRY(const int64_t count, DevicesOfMesh(mesh));
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateParts(mesh));
  if (!mesh.device_ids.empty() && std::cmp_not_equal(mesh.device_ids.size(), count)) {
    return LayoutError("expected ", count, " devices of the mesh, found ", mesh.device_ids.size());
  }
  std::vector<std::pair<int64_t, int64_t>> devices;  // number of the part, and device
  for (int64_t position = 0; position < count; ++position) {
    const int64_t device = mesh.device_ids.empty() ? position : mesh.device_ids[static_cast<size_t>(position)];
    devices.emplace_back(PartNumber(mesh, MeshCoordinate(mesh, position)), device);
  }
  std::ranges::stable_sort(devices, {}, &std::pair<int64_t, int64_t>::first);
  std::vector<int64_t> in_order;
  for (const auto& [part, device] : devices) in_order.push_back(device);
  ShardCuts<int64_t> cuts = CutsOf<int64_t>(mesh, {dimensions.begin(), dimensions.end()},
                                            [](const SymbolicSize& size) { return size.value; });
  int64_t parts = 1;
  for (const DimensionCut<int64_t>& cut : cuts.cuts) parts *= cut.parts;
  return Sharding::Create(std::move(cuts), count / parts, std::move(in_order), mesh.sizes);
}

}  // namespace layoutcheck
