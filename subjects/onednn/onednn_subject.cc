#include "layoutcheck/subjects/onednn/onednn_subject.h"

#include <dnnl.h>

#include <algorithm>
#include <array>
#include <memory>

#include "layoutcheck/core/integer.h"
#include "layoutcheck/core/shape_stride/blocked_format.h"
#include "layoutcheck/core/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 20;

template <class T, dnnl_status_t (*kDestroy)(T*)>
struct Destroyer {
  void operator()(T* object) const { kDestroy(object); }
};
using Engine = std::unique_ptr<dnnl_engine, Destroyer<dnnl_engine, dnnl_engine_destroy>>;
using Stream = std::unique_ptr<dnnl_stream, Destroyer<dnnl_stream, dnnl_stream_destroy>>;
using MemoryObject = std::unique_ptr<dnnl_memory, Destroyer<dnnl_memory, dnnl_memory_destroy>>;
using Primitive = std::unique_ptr<dnnl_primitive, Destroyer<dnnl_primitive, dnnl_primitive_destroy>>;
using PrimitiveDescriptor =
    std::unique_ptr<dnnl_primitive_desc, Destroyer<dnnl_primitive_desc, dnnl_primitive_desc_destroy>>;

Failed Refused(std::string_view call, dnnl_status_t status) {
  return {Failed::Kind::kError, StrCat(call, " returned status ", static_cast<int64_t>(status))};
}

// Nothing for a type that is not asked about.
std::optional<dnnl_data_type_t> DataTypeOf(const Shape& shape) {
  switch (shape.element_type) {
    case ElementType::kF32: return dnnl_f32;
    case ElementType::kS32: return dnnl_s32;
    case ElementType::kS8: return dnnl_s8;
    case ElementType::kU8: return dnnl_u8;
    default: return std::nullopt;
  }
}

// Of an array that is moved: its elements hold element numbers.
dnnl_data_type_t DataType(const Shape& shape) { return shape.element_type == ElementType::kF32 ? dnnl_f32 : dnnl_s32; }

std::optional<Declined> CannotBeMoved(const Shape& shape) {
  if (shape.element_type == ElementType::kF32 || shape.element_type == ElementType::kS32) return std::nullopt;
  return Declined{"only elements of 32 bits are moved"};
}

// What a descriptor says of its format; its strides say the order of the outer dimensions, the smallest one last.
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

// The format tag whose blocking this is. Two outer steps of every dimension tell the order apart, so the probe has
// more than one block in each.
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

// The descriptor of an array in the layout's format.
Answer<dnnl_memory_desc_t> Describe(const Shape& shape) {
  const auto type = DataTypeOf(shape);
  if (!type) return Declined{"only f32, s32, s8 and u8"};
  if (shape.rank() < 1 || shape.rank() > DNNL_MAX_NDIMS) return Declined{"only ranks 1 to 12"};
  const auto format = ToBlockedFormat(shape);
  if (!format) return Declined{format.error().message};
  const auto tag = FindTag(*format);
  if (!tag) return Declined{"no format tag has this layout"};
  dnnl_memory_desc_t descriptor;
  const auto status =
      dnnl_memory_desc_init_by_tag(&descriptor, static_cast<int>(shape.rank()), shape.dimensions.data(), *type, *tag);
  if (status != dnnl_success) return Refused("dnnl_memory_desc_init_by_tag", status);
  return descriptor;
}

// Elements with padding; 0 where there are none.
size_t Slots(const dnnl_memory_desc_t& descriptor) { return dnnl_memory_desc_get_size(&descriptor) / sizeof(int32_t); }

// The data after a reorder; integers of up to 24 bits are exact in f32.
template <class T>
Answer<std::vector<int32_t>> Reorder(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                                     std::span<const int32_t> data) {
  std::vector<T> source(data.begin(), data.end());
  std::vector<T> target(Slots(to), T{-1});
  dnnl_engine_t engine = nullptr;
  if (const auto status = dnnl_engine_create(&engine, dnnl_cpu, 0)) return Refused("dnnl_engine_create", status);
  const Engine engine_owner(engine);
  dnnl_stream_t stream = nullptr;
  if (const auto status = dnnl_stream_create(&stream, engine, dnnl_stream_default_flags)) {
    return Refused("dnnl_stream_create", status);
  }
  const Stream stream_owner(stream);
  dnnl_primitive_desc_t descriptor = nullptr;
  if (const auto status = dnnl_reorder_primitive_desc_create(&descriptor, &from, engine, &to, engine, nullptr)) {
    return Refused("dnnl_reorder_primitive_desc_create", status);
  }
  const PrimitiveDescriptor descriptor_owner(descriptor);
  dnnl_primitive_t primitive = nullptr;
  if (const auto status = dnnl_primitive_create(&primitive, descriptor))
    return Refused("dnnl_primitive_create", status);
  const Primitive primitive_owner(primitive);
  dnnl_memory_t source_memory = nullptr;
  if (const auto status = dnnl_memory_create(&source_memory, &from, engine, source.data())) {
    return Refused("dnnl_memory_create", status);
  }
  const MemoryObject source_owner(source_memory);
  dnnl_memory_t target_memory = nullptr;
  if (const auto status = dnnl_memory_create(&target_memory, &to, engine, target.data())) {
    return Refused("dnnl_memory_create", status);
  }
  const MemoryObject target_owner(target_memory);
  const std::array<dnnl_exec_arg_t, 2> arguments = {{{DNNL_ARG_FROM, source_memory}, {DNNL_ARG_TO, target_memory}}};
  if (const auto status = dnnl_primitive_execute(primitive, stream, 2, arguments.data())) {
    return Refused("dnnl_primitive_execute", status);
  }
  if (const auto status = dnnl_stream_wait(stream)) return Refused("dnnl_stream_wait", status);
  std::vector<int32_t> result(target.size());
  std::ranges::transform(target, result.begin(), [](T value) { return static_cast<int32_t>(value); });
  return result;
}

Answer<std::vector<int32_t>> ReorderAs(dnnl_data_type_t type, const dnnl_memory_desc_t& from,
                                       const dnnl_memory_desc_t& to, std::span<const int32_t> data) {
  return type == dnnl_f32 ? Reorder<float>(from, to, data) : Reorder<int32_t>(from, to, data);
}

// The number of elements, or why they are too many to be moved.
Answer<int64_t> CountElements(const Shape& shape) {
  int64_t elements = 1;
  for (const int64_t dimension : shape.dimensions) {
    if (dimension != 0 && elements > kMaxElements / dimension) return Declined{"too large to be moved"};
    elements *= dimension;
  }
  return elements;
}

template <class T, class U>
Answer<T> Pass(Answer<U> answer) {
  if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
  return std::get<Failed>(std::move(answer));
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
  if (auto declined = CannotBeMoved(shape)) return *std::move(declined);
  if (memory_shape_ && *memory_shape_ == shape) return &memory_;
  auto elements = CountElements(shape);
  if (!std::holds_alternative<int64_t>(elements)) return Pass<const std::vector<int32_t>*>(std::move(elements));
  auto target = Describe(shape);
  if (!std::holds_alternative<dnnl_memory_desc_t>(target)) return Pass<const std::vector<int32_t>*>(std::move(target));
  const auto& to = std::get<dnnl_memory_desc_t>(target);
  // Padding can make much of little.
  if (Slots(to) > size_t{1} << 24) return Declined{"too large to be moved"};
  dnnl_memory_desc_t plain;
  std::array<dnnl_dim_t, DNNL_MAX_NDIMS> strides{};
  dnnl_dim_t step = 1;
  for (size_t k = shape.dimensions.size(); k-- > 0;) {
    strides[k] = step;
    step *= std::max<int64_t>(shape.dimensions[k], 1);
  }
  if (const auto status = dnnl_memory_desc_init_by_strides(&plain, static_cast<int>(shape.rank()),
                                                           shape.dimensions.data(), DataType(shape), strides.data())) {
    return Refused("dnnl_memory_desc_init_by_strides", status);
  }
  std::vector<int32_t> numbers(static_cast<size_t>(std::get<int64_t>(elements)));
  int32_t number = 0;
  for (int32_t& entry : numbers) entry = ++number;
  auto moved = ReorderAs(DataType(shape), plain, to, numbers);
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
  if (auto declined = CannotBeMoved(from)) return *std::move(declined);
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
  // Padding is zero in oneDNN, so element numbers are moved as 1, 2, ... .
  std::vector<int32_t> numbers(data.size());
  for (size_t slot = 0; slot < data.size(); ++slot) {
    if (data[slot] < -1 || data[slot] > kMaxElements) return Declined{"element numbers of more than 20 bits"};
    numbers[slot] = static_cast<int32_t>(data[slot] + 1);
  }
  auto moved =
      ReorderAs(DataType(from), std::get<dnnl_memory_desc_t>(source), std::get<dnnl_memory_desc_t>(target), numbers);
  if (!std::holds_alternative<std::vector<int32_t>>(moved)) return Pass<std::vector<int64_t>>(std::move(moved));
  std::vector<int64_t> result;
  for (const int32_t number : std::get<std::vector<int32_t>>(moved)) result.push_back(int64_t{number} - 1);
  return result;
}

}  // namespace layoutcheck
