// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "onednn_reorder.h"
#include <dlfcn.h>
#include <dnnl.hpp>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/bridges/blocked_format.h"

namespace layoutcheck {
namespace {

std::optional<dnnl::memory::data_type> DataTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kF32: return dnnl::memory::data_type::f32;
    case ElementType::kBF16: return dnnl::memory::data_type::bf16;
    case ElementType::kS8: return dnnl::memory::data_type::s8;
    default: return std::nullopt;
  }
}

// Returns the descriptor of the shape's layout, or nothing if oneDNN cannot describe it.
std::optional<dnnl::memory::desc> Describe(const Shape& shape) {
  const auto type = DataTypeOf(shape.element_type);
  const auto format = BlockedFormatOfHlo(shape);
  if (!type || !format) return std::nullopt;
  // oneDNN makes descriptors of arrays without blocks, to which the blocks are added here.
  std::vector<int64_t> strides(shape.dimensions.size(), 1);
  for (size_t k = strides.size() - 1; k > 0; --k) strides[k - 1] = strides[k] * shape.dimensions[k];
  dnnl::memory::desc descriptor(shape.dimensions, *type, strides);
  std::vector<int64_t> blocks(shape.dimensions.size(), 1);  // the product of each dimension's blocks
  dnnl_blocking_desc_t& blocking = descriptor.data.format_desc.blocking;
  blocking.inner_nblks = static_cast<int>(format->inner.size());
  int64_t stride = 1;
  for (size_t k = 0; k < format->inner.size(); ++k) {
    const auto [dimension, size] = format->inner[k];
    blocking.inner_idxs[k] = dimension;
    blocking.inner_blks[k] = size;
    blocks[static_cast<size_t>(dimension)] *= size;
    stride *= size;
  }
  for (size_t k = blocks.size(); k-- > 0;) {
    const auto dimension = static_cast<size_t>(format->outer_order[k]);
    const int64_t outer = CeilDiv(shape.dimensions[dimension], blocks[dimension]);
    blocking.strides[dimension] = stride;
    stride *= outer;
    descriptor.data.padded_dims[dimension] = outer * blocks[dimension];
  }
  return descriptor;
}

}  // namespace

std::function<void()> OneDnnReorder(const Shape& from, const Shape& to, std::span<std::byte> source,
                                    std::span<std::byte> destination) {
  // oneDNN's threads are those of OpenMP, which it brings with it.
  if (void* const set_threads = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(set_threads)(1);
  }
  const auto source_descriptor = Describe(from);
  const auto destination_descriptor = Describe(to);
  if (!source_descriptor || !destination_descriptor || source_descriptor->get_size() != source.size() ||
      destination_descriptor->get_size() != destination.size()) {
    return {};
  }
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::memory in(*source_descriptor, engine, source.data());
    const dnnl::memory out(*destination_descriptor, engine, destination.data());
    return [reorder = dnnl::reorder(in, out), stream = dnnl::stream(engine), in, out]() mutable {
      reorder.execute(stream, {{DNNL_ARG_FROM, in}, {DNNL_ARG_TO, out}});
      stream.wait();
    };
  } catch (const dnnl::error&) {
    return {};
  }
}

}  // namespace layoutcheck
