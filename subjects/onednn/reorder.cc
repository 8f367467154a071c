// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/onednn/reorder.h"
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::onednn {
namespace {

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

// Returns the memory after a reorder, with `unwritten` in slots that were not written.
template <class T>
Answer<std::vector<T>> Reorder(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to, std::vector<T> source,
                               T unwritten) {
  std::vector<T> target(Slots(to), unwritten);
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
    // Every processor has reorders of 32-bit elements.
    if (status == dnnl_unimplemented && sizeof(T) < 4) return Declined{"no reorder of this type on this processor"};
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
  return target;
}

// Moves numbers unchanged, because f32 is exact for integers of up to 24 bits.
template <class T>
Answer<std::vector<int32_t>> ReorderWhole(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                                          std::span<const int32_t> data) {
  auto moved = Reorder<T>(from, to, std::vector<T>(data.begin(), data.end()), T{-1});
  const auto* values = std::get_if<std::vector<T>>(&moved);
  if (values == nullptr) return Pass<std::vector<int32_t>>(std::move(moved));
  std::vector<int32_t> result(values->size());
  std::ranges::transform(*values, result.begin(), [](T value) { return static_cast<int32_t>(value); });
  return result;
}

// Shorter elements hold one digit of a number, 1 to 64, which every type represents exactly; 0 is padding.
constexpr int kDigitBits = 6;
constexpr int kDigits = 4;
constexpr size_t kDigitMask = (size_t{1} << kDigitBits) - 1;
constexpr int32_t kUnwritten = (1 << kDigitBits) + 1;

template <class T>
T Encode(dnnl_data_type_t type, int32_t value) {
  if (type == dnnl_s8 || type == dnnl_u8 || value == 0) return static_cast<T>(value);
  // value = 1.mantissa * 2^exponent
  const int exponent = static_cast<int>(std::bit_width(static_cast<uint32_t>(value))) - 1;
  const int bits = type == dnnl_f16 ? 10 : 7;
  const int bias = type == dnnl_f16 ? 15 : 127;
  const int mantissa = (value << (bits - exponent)) - (1 << bits);
  return static_cast<T>(((exponent + bias) << bits) + mantissa);
}

template <class T>
Answer<std::vector<int32_t>> ReorderDigits(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                                           std::span<const int32_t> data) {
  std::vector<T> codes;
  for (int32_t value = 0; value <= kUnwritten; ++value) codes.push_back(Encode<T>(from.data_type, value));
  std::vector<int32_t> result(Slots(to), 0);
  for (int digit = 0; digit < kDigits; ++digit) {
    std::vector<T> source(data.size());
    std::ranges::transform(data, source.begin(), [&](int32_t number) {
      if (number == 0) return codes[0];
      return codes[1 + (static_cast<size_t>(number - 1) >> (kDigitBits * digit) & kDigitMask)];
    });
    auto moved = Reorder<T>(from, to, std::move(source), codes.back());
    const auto* values = std::get_if<std::vector<T>>(&moved);
    if (values == nullptr) return Pass<std::vector<int32_t>>(std::move(moved));
    for (size_t slot = 0; slot < result.size(); ++slot) {
      const auto value = static_cast<int32_t>(std::ranges::find(codes, (*values)[slot]) - codes.begin());
      if (value == 0 && (digit == 0 || result[slot] == 0)) continue;
      const bool read = value >= 1 && value < kUnwritten && (digit == 0 || result[slot] > 0);
      result[slot] = read ? result[slot] + ((value - 1) << (kDigitBits * digit)) + (digit == 0 ? 1 : 0) : -1;
    }
  }
  return result;
}

}  // namespace

Failed Refused(std::string_view call, dnnl_status_t status) {
  return {Failed::Kind::kError, StrCat(call, " returned status ", static_cast<int64_t>(status))};
}

size_t Slots(const dnnl_memory_desc_t& descriptor) {
  return dnnl_memory_desc_get_size(&descriptor) / dnnl_data_type_size(descriptor.data_type);
}

Answer<std::vector<int32_t>> ReorderNumbers(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                                            std::span<const int32_t> data) {
  switch (from.data_type) {
    case dnnl_f32: return ReorderWhole<float>(from, to, data);
    case dnnl_s32: return ReorderWhole<int32_t>(from, to, data);
    case dnnl_s8:
    case dnnl_u8: return ReorderDigits<uint8_t>(from, to, data);
    default: return ReorderDigits<uint16_t>(from, to, data);
  }
}

}  // namespace layoutcheck::onednn
