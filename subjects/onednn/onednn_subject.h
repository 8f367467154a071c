// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debian's oneDNN as a subject: its reorders show where a memory format puts each element.
#ifndef LAYOUTCHECK_SUBJECTS_ONEDNN_ONEDNN_SUBJECT_H_
#define LAYOUTCHECK_SUBJECTS_ONEDNN_ONEDNN_SUBJECT_H_

#include <vector>

#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A subject that takes arrays of f32, s32, s8, u8, f16 and bf16 whose layout is that of one of oneDNN's format tags,
// which it finds by comparing memory descriptors. It declines all others. Tables and relayouts are real reorders of up
// to 2^20 elements, padding included.
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
  // Returns the memory of the layout after a reorder of 1, 2, ... from logical row-major order; padding is 0.
  // Consecutive questions are often about one layout, so the latest one is kept.
  Answer<const std::vector<int32_t>*> Memory(const Shape& shape);

  SubjectInfo info_;
  std::optional<Shape> memory_shape_;
  std::vector<int32_t> memory_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_ONEDNN_ONEDNN_SUBJECT_H_
