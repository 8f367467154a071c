// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debian's oneDNN as a subject: its reorders show where a memory format puts each element.
#pragma once

#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A subject that takes only arrays of f32, s32, s8, u8, f16 and bf16 with the layout of one of oneDNN's format tags,
// found by comparing memory descriptors. Tables and relayouts are real reorders of up to 2^20 elements with padding.
class OneDnnSubject final : public Subject {
 public:
  OneDnnSubject();
  const SubjectInfo& info() const override { return info_; }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override;
  Answer<std::vector<int64_t>> Table(const Shape& shape) override;
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override;
  Answer<SizeAnswer> Size(const Shape& shape) override;
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override;

 private:
  // Returns the layout's memory after a reorder of 1, 2, ... from row-major order; padding is 0. Keeps the latest
  // layout.
  Answer<const std::vector<int32_t>*> Memory(const Shape& shape);

  SubjectInfo info_;
  std::optional<Shape> memory_shape_;
  std::vector<int32_t> memory_;
};

}  // namespace layoutcheck
