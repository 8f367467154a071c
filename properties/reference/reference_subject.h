// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A subject that answers with core: offsets and tables by the closed formula, coordinates by mixed-radix digits.
class ReferenceSubject : public Subject {
 public:
  const SubjectInfo& info() const override { return info_; }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override;
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override;
  Answer<std::vector<int64_t>> Table(const Shape& shape) override;
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override;
  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override;
  Answer<SizeAnswer> Size(const Shape& shape) override;
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override;
  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override;
  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override;
  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override;
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override;
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override;
  Answer<ViewAnswer> ViewOf(const ViewQuestion& question) override;
  Answer<AxisInfo> AxisInfoOf(std::string_view expression) override;
  Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device) override;
  Answer<std::vector<int64_t>> Reshard(std::string_view from, std::string_view to, int64_t device) override;

 private:
  SubjectInfo info_{"reference", "1", {}, {}, {}, {}};
  // Returns the inverse of a layout, which stays the same until the next call.
  Expected<const MixedRadix<int64_t>*> DigitsOf(const Shape& shape);

  // The inverse of the last layout, because a client may ask many questions about one layout in a row.
  Shape digits_shape_;
  std::optional<MixedRadix<int64_t>> digits_;
};

}  // namespace layoutcheck
