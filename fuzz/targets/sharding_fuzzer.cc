// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: takes any bytes as a shape with a sharding. An accepted text must be printed, read back and printed the
// same again; each element must come back from the place that it has on each of its devices.
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/fuzz/text/target.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxElements = 4096;  // of all devices, which determines the time per input

std::optional<std::string> BrokenPlaces(const ShardedArray& array) {
  const std::vector<int64_t>& sizes = array.shape().dimensions;
  const CheckedInt64 elements = ProductOfSizes(sizes);
  const CheckedInt64 held = elements * CheckedInt64(array.sharding().replicas());
  if (held.overflow || held.value > kMaxElements) return std::nullopt;
  if (const LocalLayout* local = array.local_layout()) {
    const CheckedInt64 coordinates = ProductOfSizes(local->sizes());
    if (coordinates.overflow || coordinates.value > kMaxElements) return std::nullopt;
  }
  for (int64_t number = 0; number < elements.value; ++number) {
    std::vector<int64_t> coordinate(sizes.size());
    int64_t rest = number;
    for (size_t d = sizes.size(); d-- > 0;) {
      coordinate[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    const ShardedArray::Place place = array.Find(coordinate);
    for (const int64_t device : place.devices) {
      const auto found = array.CoordinateAt(device, place.offset);
      if (!found) continue;  // a search among overlapping modes that takes too long
      if (*found == coordinate) continue;
      // Elements of a local layout may share an offset, where any of them comes back, or the padding of a shard.
      if (array.local_layout() != nullptr && (!*found || array.Find(**found).offset == place.offset)) continue;
      return StrCat("element ", number, " does not come back from device ", device);
    }
  }
  return std::nullopt;
}

std::optional<std::string> BrokenProperty(std::string_view text) {
  const auto parsed = ParseSharded(text);
  if (!parsed) {
    const auto last = static_cast<int64_t>(text.size()) + 1;
    if (parsed.error().column >= 1 && parsed.error().column <= last) return std::nullopt;
    return StrCat("the error is at column ", parsed.error().column, ": ", parsed.error().message);
  }
  const std::string printed = parsed->Text();
  const auto again = ParseSharded(printed);
  if (!again) return StrCat("printed as '", printed, "': ", again.error().ToString());
  if (again->Text() != printed) return StrCat("'", printed, "' is printed as '", again->Text(), "'");
  return BrokenPlaces(parsed->array);
}

}  // namespace
}  // namespace layoutcheck

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  layoutcheck::Require(layoutcheck::BrokenProperty(layoutcheck::InputText(data, size)));
  return 0;
}
