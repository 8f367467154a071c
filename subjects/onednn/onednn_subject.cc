// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/onednn/onednn_subject.h"
#include <dnnl.h>
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/blocked_format.h"
#include "layoutcheck/subjects/onednn/reorder.h"

namespace layoutcheck {
namespace {

using onednn::Pass;
using onednn::Refused;
using onednn::ReorderNumbers;
using onednn::Slots;

constexpr int64_t kMaxElements = int64_t{1} << 20;

// Returns oneDNN's element type, or nothing if this subject does not take it.
std::optional<dnnl_data_type_t> DataTypeOf(const Shape& shape) {
  switch (shape.element_type) {
    case ElementType::kF32: return dnnl_f32;
    case ElementType::kS32: return dnnl_s32;
    case ElementType::kS8: return dnnl_s8;
    case ElementType::kU8: return dnnl_u8;
    case ElementType::kF16: return dnnl_f16;
    case ElementType::kBF16: return dnnl_bf16;
    default: return std::nullopt;
  }
}

// Returns true if the descriptor has this format. Its strides give the order of the outer dimensions, smallest last.
bool HasFormat(const dnnl_memory_desc_t& descriptor, const BlockedFormat& format) {
  const dnnl_blocking_desc_t& blocking = descriptor.format_desc.blocking;
  if (static_cast<size_t>(blocking.inner_nblks) != format.inner.size()) return false;
  for (size_t k = 0; k < format.inner.size(); ++k) {
    if (blocking.inner_idxs[k] != format.inner[k].first || blocking.inner_blks[k] != format.inner[k].second)
      return false;
  }
  for (size_t p = 1; p < format.outer_order.size(); ++p) {
    if (blocking.strides[format.outer_order[p - 1]] <= blocking.strides[format.outer_order[p]]) return false;
  }
  return true;
}

// Returns the format tag with this blocking. The probe has two blocks per dimension, so that its strides show the order
// of the outer dimensions.
std::optional<dnnl_format_tag_t> FindTag(const BlockedFormat& format) {
  const size_t rank = format.outer_order.size();
  std::array<dnnl_dim_t, DNNL_MAX_NDIMS> probe{};
  probe.fill(2);
  for (const auto& [dimension, size] : format.inner) probe[static_cast<size_t>(dimension)] *= size;
  for (int tag = dnnl_format_tag_any + 1; tag < dnnl_format_tag_last; ++tag) {
    dnnl_memory_desc_t descriptor;
    if (dnnl_memory_desc_init_by_tag(&descriptor, static_cast<int>(rank), probe.data(), dnnl_f32,
                                     static_cast<dnnl_format_tag_t>(tag)) == dnnl_success &&
        HasFormat(descriptor, format)) {
      return static_cast<dnnl_format_tag_t>(tag);
    }
  }
  return std::nullopt;
}

Answer<dnnl_memory_desc_t> Describe(const Shape& shape) {
  const auto type = DataTypeOf(shape);
  if (!type) return Declined{"only f32, s32, s8, u8, f16 and bf16"};
  if (shape.rank() < 1 || shape.rank() > DNNL_MAX_NDIMS) return Declined{"only ranks 1 to 12"};
  const auto format = BlockedFormatOfHlo(shape);
  if (!format) return Declined{format.error().message};
  const auto tag = FindTag(*format);
  if (!tag) return Declined{"no format tag has this layout"};
  dnnl_memory_desc_t descriptor;
  const auto status =
      dnnl_memory_desc_init_by_tag(&descriptor, static_cast<int>(shape.rank()), shape.dimensions.data(), *type, *tag);
  if (status != dnnl_success) return Refused("dnnl_memory_desc_init_by_tag", status);
  return descriptor;
}

// Returns the number of elements, or why they are too many to move.
Answer<int64_t> CountElements(const Shape& shape) {
  int64_t elements = 1;
  for (const int64_t dimension : shape.dimensions) {
    if (dimension != 0 && elements > kMaxElements / dimension) return Declined{"too large to be moved"};
    elements *= dimension;
  }
  return elements;
}

}  // namespace

OneDnnSubject::OneDnnSubject() {
  const dnnl_version_t* version = dnnl_version();
  info_ = {"onednn",
           StrCat(static_cast<int64_t>(version->major), ".", static_cast<int64_t>(version->minor), ".",
                  static_cast<int64_t>(version->patch)),
           DNNL_MAX_NDIMS, 3, kMaxElements};
}

Answer<const std::vector<int32_t>*> OneDnnSubject::Memory(const Shape& shape) {
  if (memory_shape_ && *memory_shape_ == shape) return &memory_;
  auto elements = CountElements(shape);
  if (!std::holds_alternative<int64_t>(elements)) return Pass<const std::vector<int32_t>*>(std::move(elements));
  auto target = Describe(shape);
  if (!std::holds_alternative<dnnl_memory_desc_t>(target)) return Pass<const std::vector<int32_t>*>(std::move(target));
  const auto& to = std::get<dnnl_memory_desc_t>(target);
  // A small array may have a large padding.
  if (Slots(to) > size_t{1} << 24) return Declined{"too large to be moved"};
  dnnl_memory_desc_t plain;
  std::array<dnnl_dim_t, DNNL_MAX_NDIMS> strides{};
  dnnl_dim_t step = 1;
  for (size_t k = shape.dimensions.size(); k-- > 0;) {
    strides[k] = step;
    step *= std::max<int64_t>(shape.dimensions[k], 1);
  }
  if (const auto status = dnnl_memory_desc_init_by_strides(&plain, static_cast<int>(shape.rank()),
                                                           shape.dimensions.data(), to.data_type, strides.data())) {
    return Refused("dnnl_memory_desc_init_by_strides", status);
  }
  std::vector<int32_t> numbers(static_cast<size_t>(std::get<int64_t>(elements)));
  int32_t number = 0;
  for (int32_t& entry : numbers) entry = ++number;
  auto moved = ReorderNumbers(plain, to, numbers);
  if (!std::holds_alternative<std::vector<int32_t>>(moved)) return Pass<const std::vector<int32_t>*>(std::move(moved));
  memory_ = std::get<std::vector<int32_t>>(std::move(moved));
  memory_shape_ = shape;
  return &memory_;
}

Answer<std::vector<int64_t>> OneDnnSubject::Table(const Shape& shape) {
  auto memory = Memory(shape);
  if (!std::holds_alternative<const std::vector<int32_t>*>(memory))
    return Pass<std::vector<int64_t>>(std::move(memory));
  const auto& slots = *std::get<const std::vector<int32_t>*>(memory);
  std::vector<int64_t> offsets(static_cast<size_t>(std::get<int64_t>(CountElements(shape))), -1);
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot] == 0) continue;
    const auto element = static_cast<size_t>(slots[slot]) - 1;
    if (slots[slot] < 0 || element >= offsets.size()) {
      return Failed{Failed::Kind::kError, StrCat("slot ", static_cast<int64_t>(slot), " was not written")};
    }
    offsets[element] = static_cast<int64_t>(slot);
  }
  return offsets;
}

Answer<int64_t> OneDnnSubject::Offset(const Shape& shape, std::span<const int64_t> coordinate) {
  auto table = Table(shape);
  if (!std::holds_alternative<std::vector<int64_t>>(table)) return Pass<int64_t>(std::move(table));
  size_t element = 0;
  for (size_t k = 0; k < coordinate.size(); ++k) {
    element = element * static_cast<size_t>(shape.dimensions[k]) + static_cast<size_t>(coordinate[k]);
  }
  return std::get<std::vector<int64_t>>(table)[element];
}

Answer<std::optional<Subject::Coordinate>> OneDnnSubject::CoordinateAt(const Shape& shape, int64_t offset) {
  auto memory = Memory(shape);
  if (!std::holds_alternative<const std::vector<int32_t>*>(memory)) {
    return Pass<std::optional<Coordinate>>(std::move(memory));
  }
  const auto& slots = *std::get<const std::vector<int32_t>*>(memory);
  if (offset < 0 || static_cast<size_t>(offset) >= slots.size()) {
    return Failed{Failed::Kind::kError, "an offset outside the memory"};
  }
  int64_t element = slots[static_cast<size_t>(offset)] - int64_t{1};
  if (element < 0) return std::optional<Coordinate>();
  Coordinate coordinate(shape.dimensions.size());
  for (size_t k = coordinate.size(); k-- > 0;) {
    coordinate[k] = element % shape.dimensions[k];
    element /= shape.dimensions[k];
  }
  return std::optional(std::move(coordinate));
}

Answer<SizeAnswer> OneDnnSubject::Size(const Shape& shape) {
  auto descriptor = Describe(shape);
  if (!std::holds_alternative<dnnl_memory_desc_t>(descriptor)) return Pass<SizeAnswer>(std::move(descriptor));
  const size_t bytes = dnnl_memory_desc_get_size(&std::get<dnnl_memory_desc_t>(descriptor));
  if (!std::in_range<int64_t>(bytes)) return Failed{Failed::Kind::kError, "a size outside int64"};
  SizeAnswer answer;
  answer.bytes = static_cast<int64_t>(bytes);
  answer.padded_elements = *answer.bytes / static_cast<int64_t>(dnnl_data_type_size(*DataTypeOf(shape)));
  return answer;
}

Answer<std::vector<int64_t>> OneDnnSubject::Relayout(const Shape& from, const Shape& to,
                                                     std::span<const int64_t> data) {
  auto elements = CountElements(from);
  if (!std::holds_alternative<int64_t>(elements)) return Pass<std::vector<int64_t>>(std::move(elements));
  auto source = Describe(from);
  if (!std::holds_alternative<dnnl_memory_desc_t>(source)) return Pass<std::vector<int64_t>>(std::move(source));
  auto target = Describe(to);
  if (!std::holds_alternative<dnnl_memory_desc_t>(target)) return Pass<std::vector<int64_t>>(std::move(target));
  if (data.size() != Slots(std::get<dnnl_memory_desc_t>(source))) {
    return Failed{Failed::Kind::kError,
                  StrCat("the source has ", static_cast<int64_t>(Slots(std::get<dnnl_memory_desc_t>(source))),
                         " slots, not ", static_cast<int64_t>(data.size()))};
  }
  // Padding is zero in oneDNN, so element numbers start at 1.
  std::vector<int32_t> numbers(data.size());
  for (size_t slot = 0; slot < data.size(); ++slot) {
    if (data[slot] < -1 || data[slot] > kMaxElements) return Declined{"element numbers of more than 20 bits"};
    numbers[slot] = static_cast<int32_t>(data[slot] + 1);
  }
  auto moved = ReorderNumbers(std::get<dnnl_memory_desc_t>(source), std::get<dnnl_memory_desc_t>(target), numbers);
  if (!std::holds_alternative<std::vector<int32_t>>(moved)) return Pass<std::vector<int64_t>>(std::move(moved));
  std::vector<int64_t> result;
  for (const int32_t number : std::get<std::vector<int32_t>>(moved)) result.push_back(int64_t{number} - 1);
  return result;
}

}  // namespace layoutcheck
