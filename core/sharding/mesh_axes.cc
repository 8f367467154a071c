// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/mesh_axes.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace layoutcheck {
namespace {

// Returns the number of coordinates along an axis or a part of one.
int64_t SizeAlong(const MeshSharding& mesh, const AxisPart& part) {
  return part.is_whole ? mesh.axes[part.axis].size.value : part.size;
}

// Takes digits whose product is `size` from the minor end of `digits`, and splits one for it if necessary. Returns
// them, minor to major, or nothing if there are none.
std::optional<std::vector<DeviceDigit>> TakeMinorDigits(std::vector<DeviceDigit>& digits, int64_t size) {
  std::vector<DeviceDigit> taken;
  while (size > 1) {
    if (digits.empty()) return std::nullopt;
    DeviceDigit& minor = digits.back();
    if (size % minor.size == 0) {
      taken.push_back(minor);
      size /= minor.size;
      digits.pop_back();
    } else if (minor.size % size == 0) {
      taken.push_back({size, minor.stride});
      minor = {minor.size / size, minor.stride * size};
      size = 1;
    } else {
      return std::nullopt;
    }
  }
  return taken;
}

// Replaces parts of axes by whole axes.
class AxisSplitter {
 public:
  explicit AxisSplitter(const MeshSharding& mesh) : mesh_(mesh), used_(mesh.axes.size()) {
    for (const AxisPart& part : mesh.replicated) used_[part.axis].push_back(part);
    for (const MeshCut& cut : mesh.cuts) {
      for (const AxisPart& part : cut.axes) used_[part.axis].push_back(part);
    }
  }

  MeshSharding Split() {
    MeshSharding result{{}, mesh_.device_ids, {}, {}, mesh_.sizes};
    for (size_t k = 0; k < mesh_.axes.size(); ++k) AddAxes(k, result.axes);
    for (const MeshCut& cut : mesh_.cuts) {
      result.cuts.push_back({cut.dimension, {}, cut.blocks});
      for (const AxisPart& part : cut.axes) AddNew(part, result.cuts.back().axes);
    }
    for (const AxisPart& part : mesh_.replicated) AddNew(part, result.replicated);
    return result;
  }

 private:
  // Adds the axes that the axis with this number becomes: one per part that is used, and one per gap between them.
  void AddAxes(size_t number, std::vector<MeshAxis>& axes) {
    const MeshAxis& axis = mesh_.axes[number];
    std::vector<AxisPart>& parts = used_[number];
    std::erase_if(parts, [](const AxisPart& part) { return part.is_whole || part.size == 1; });
    if (parts.empty()) {
      whole_[number] = axes.size();
      axes.push_back(axis);
      return;
    }
    std::ranges::sort(parts, {}, &AxisPart::pre);
    parts.push_back({number, false, axis.size.value, 1});  // the end of the axis
    int64_t done = 1;                                      // product of the sizes of the axes that are added
    int64_t count = 0;
    const auto add = [&](int64_t size) {
      if (size == 1) return;
      axes.push_back({axis.name.empty() ? "" : StrCat(axis.name, "_", count++), {{}, size}});
      done *= size;
    };
    for (const AxisPart& part : parts) {
      add(part.pre / done);
      parts_[{number, part.pre}] = axes.size();
      add(part.size);
    }
  }

  void AddNew(const AxisPart& part, std::vector<AxisPart>& axes) const {
    if (!part.is_whole && part.size == 1) return;
    axes.push_back({part.is_whole ? whole_.at(part.axis) : parts_.at({part.axis, part.pre})});
  }

  const MeshSharding& mesh_;
  std::vector<std::vector<AxisPart>> used_;             // of each axis
  std::map<size_t, size_t> whole_;                      // number of the axis that a whole one becomes
  std::map<std::pair<size_t, int64_t>, size_t> parts_;  // the same for a part, by axis and `pre`
};

}  // namespace

std::optional<std::vector<DeviceDigit>> DigitsOf(std::span<const int64_t> devices) {
  std::vector<DeviceDigit> digits;
  std::vector<int64_t> list(devices.begin(), devices.end());
  if (list.empty() || list[0] != 0) return std::nullopt;
  while (list.size() > 1) {
    const int64_t stride = list[1];
    size_t run = 2;
    while (run < list.size() && list[run] - list[run - 1] == stride) ++run;
    if (stride < 1 || list.size() % run != 0) return std::nullopt;
    std::vector<int64_t> firsts;
    for (size_t k = 0; k < list.size(); ++k) {
      if (k % run == 0) {
        firsts.push_back(list[k]);
      } else if (list[k] - list[k - 1] != stride) {
        return std::nullopt;
      }
    }
    digits.push_back({static_cast<int64_t>(run), stride});
    list = std::move(firsts);
  }
  std::ranges::reverse(digits);
  return digits;
}

std::optional<std::vector<size_t>> ByFallingStride(const std::vector<DeviceDigit>& digits) {
  std::vector<size_t> order(digits.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, std::greater<>(), [&](size_t k) { return digits[k].stride; });
  int64_t stride = 1;
  for (size_t k = order.size(); k-- > 0;) {
    const DeviceDigit& digit = digits[order[k]];
    if (digit.stride != stride) return std::nullopt;
    stride *= digit.size;
  }
  return order;
}

std::vector<int64_t> DevicesWithSortedReplicas(const Sharding& sharding) {
  std::vector<int64_t> devices = sharding.devices_by_part();
  for (auto first = devices.begin(); first != devices.end(); first += sharding.replicas()) {
    std::sort(first, first + sharding.replicas());
  }
  return devices;
}

std::optional<MeshSharding> FindMesh(const Sharding& sharding) {
  std::optional<std::vector<DeviceDigit>> digits = DigitsOf(DevicesWithSortedReplicas(sharding));
  if (!digits) return std::nullopt;
  std::vector<DeviceDigit> axes;
  // Replicas count fastest, then the parts of the last cut.
  const auto of_replicas = TakeMinorDigits(*digits, sharding.replicas());
  if (!of_replicas) return std::nullopt;
  axes.insert(axes.end(), of_replicas->begin(), of_replicas->end());
  MeshSharding mesh;
  const std::vector<DimensionCut<int64_t>>& cuts = sharding.cuts().cuts;
  for (size_t k = cuts.size(); k-- > 0;) {
    const auto of_cut = TakeMinorDigits(*digits, cuts[k].parts);
    if (!of_cut) return std::nullopt;
    MeshCut cut{cuts[k].dimension, {}, {{}, 1}};
    for (const DeviceDigit& digit : *of_cut) {
      cut.axes.insert(cut.axes.begin(), {axes.size()});
      axes.push_back(digit);
    }
    mesh.cuts.insert(mesh.cuts.begin(), std::move(cut));
  }
  const auto order = ByFallingStride(axes);
  if (!order) return std::nullopt;
  std::vector<size_t> numbers(axes.size());  // number in the mesh of each of `axes`
  for (size_t k = 0; k < order->size(); ++k) {
    numbers[(*order)[k]] = k;
    mesh.axes.push_back({"", {{}, axes[(*order)[k]].size}});
  }
  for (MeshCut& cut : mesh.cuts) {
    for (AxisPart& part : cut.axes) part.axis = numbers[part.axis];
  }
  if (mesh.axes.empty()) mesh.axes.push_back({"", {{}, 1}});
  return mesh;
}

Expected<MeshSharding> WithOneCutPerDimension(const MeshSharding& mesh) {
  MeshSharding result = mesh;
  std::map<int64_t, std::vector<AxisPart>> by_dimension;  // major to minor
  for (size_t k = mesh.cuts.size(); k-- > 0;) {
    const MeshCut& cut = mesh.cuts[k];
    // The axes that cut the dimension later and number the blocks of this cut are more major.
    std::vector<AxisPart>& axes = by_dimension[cut.dimension];
    int64_t blocks = 1;
    auto position = axes.begin();
    while (position != axes.end() && blocks < cut.blocks.value) blocks *= SizeAlong(mesh, *position++);
    if (blocks != cut.blocks.value) {
      return UnsupportedError("dimension ", cut.dimension, " is cut with the split factor ", cut.blocks.value,
                              ", which is no product of axes that cut it later");
    }
    axes.insert(position, cut.axes.begin(), cut.axes.end());
  }
  result.cuts.clear();
  for (auto& [dimension, axes] : by_dimension) result.cuts.push_back({dimension, std::move(axes), {{}, 1}});
  return result;
}

MeshSharding WithWholeAxes(const MeshSharding& mesh) { return AxisSplitter(mesh).Split(); }

}  // namespace layoutcheck
