// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays with a sharding, for layoutcheck/sharding.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "errors.h"
#include "layout.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

const ShardedText& ShardedOf(const PyLayout& layout) {
  if (layout.sharded() != nullptr) return *layout.sharded();
  RaiseLayoutError({ErrorKind::kInvalidArgument, StrCat(layout.Text(), ": expected an array with a sharding")});
}

// Returns the number of a device of the sharding. Raises LayoutError for another one.
int64_t DeviceOf(const ShardedArray& array, nb::handle device) {
  const std::vector<int64_t>& devices = array.sharding().devices();
  std::string expected = StrCat("device: expected one of the ", devices.size(), " devices ", devices.front(), " to ",
                                devices.back(), " of the sharding");
  if (device.is_none()) RaiseLayoutError({ErrorKind::kInvalidArgument, expected});
  const int64_t number = IntegerOf(device);
  if (array.LocalOf(number) == nullptr) {
    RaiseLayoutError({ErrorKind::kInvalidArgument, StrCat(expected, ", got ", number)});
  }
  return number;
}

nb::object ShardingIn(const PyLayout& layout) {
  if (layout.sharded() == nullptr) return nb::none();
  return nb::cast(nb::str(layout.sharded()->sharding.text.c_str()));
}

nb::tuple DevicesIn(const PyLayout& layout) {
  return layout.sharded() == nullptr ? nb::tuple() : TupleOf(layout.sharded()->array.sharding().devices());
}

nb::tuple FindPlace(const PyLayout& layout, const nb::tuple& index) {
  const ShardedArray& array = ShardedOf(layout).array;
  std::vector<int64_t> coordinate;
  for (const nb::handle entry : index) coordinate.push_back(IntegerOf(entry));
  ValueOrRaise(layout.CheckWithin(coordinate));
  const ShardedArray::Place place = array.Find(coordinate);
  return nb::make_tuple(TupleOf(place.devices), place.offset);
}

PyLayout LocalLayout(const PyLayout& layout, nb::handle device) {
  const ShardedArray& array = ShardedOf(layout).array;
  return ReadPyLayout(array.LocalOf(DeviceOf(array, device))->LayoutText());
}

// Returns the ranges of indices that the device holds, as pairs, one tuple per dimension.
nb::tuple HeldRanges(const PyLayout& layout, nb::handle device) {
  const ShardedArray& array = ShardedOf(layout).array;
  const auto held = *array.sharding().RangesOf(DeviceOf(array, device));
  nb::list dimensions;
  for (const auto& ranges : held) {
    nb::list pairs;
    for (const IndexRange& range : ranges) pairs.append(nb::make_tuple(range.begin, range.end));
    dimensions.append(nb::tuple(pairs));
  }
  return nb::tuple(dimensions);
}

// The names of the notations in the order of ShardingNotation.
constexpr std::string_view kNotations[] = {"hlo-sharding", "shardy", "jax", "dtensor", "tt-metal"};

PyLayout ConvertSharded(const PyLayout& layout, std::string_view to) {
  const auto target = std::ranges::find(kNotations, to);
  if (target == std::end(kNotations)) {
    RaiseLayoutError({ErrorKind::kInvalidArgument, StrCat("target: expected one of ", StrJoin(kNotations, ", "),
                                                          " for an array with a sharding, got '", to, "'")});
  }
  const ShardedText& sharded = ShardedOf(layout);
  auto converted = [&] {
    const nb::gil_scoped_release release;
    return ConvertSharding(sharded.sharding, sharded.array.sharding(),
                           static_cast<ShardingNotation>(target - std::begin(kNotations)));
  }();
  return ReadPyLayout(sharded.TextWith(ValueOrRaise(std::move(converted))));
}

}  // namespace

nb::object ShardedCoordinate(const PyLayout& layout, int64_t offset, nb::handle device) {
  const ShardedArray& array = ShardedOf(layout).array;
  const int64_t number = DeviceOf(array, device);
  const int64_t end = array.LocalOf(number)->sizes.padded_elements;
  if (offset < 0 || offset >= end) {
    const std::string expected = end == 0 ? "which is empty" : StrCat("expected 0 to ", end - 1);
    RaiseLayoutError({ErrorKind::kInvalidArgument,
                      StrCat("offset ", offset, " is outside the array of device ", number, ": ", expected)});
  }
  const auto coordinate = ValueOrRaise(array.CoordinateAt(number, offset));
  return coordinate ? nb::object(TupleOf(*coordinate)) : nb::none();
}

void RegisterSharding(nb::module_& module) {
  module.def("sharding", &ShardingIn, "layout"_a, "Returns the text of the sharding, or None.");
  module.def("sharded_devices", &DevicesIn, "layout"_a,
             "Returns the ascending numbers of the devices; none without a sharding.");
  module.def("sharded_place", &FindPlace, "layout"_a, "index"_a,
             "Returns the devices that hold an element, and its offset there.");
  module.def("sharded_convert", &ConvertSharded, "layout"_a, "to"_a,
             "Returns the layout with its sharding in another notation.");
  module.def("sharded_local", &LocalLayout, "layout"_a, "device"_a.none(),
             "Returns the layout of the array of a device.");
  module.def("sharded_ranges", &HeldRanges, "layout"_a, "device"_a.none(),
             "Returns the ranges of indices that a device holds, as pairs, one tuple of them per dimension.");
}

}  // namespace layoutcheck::python
