// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN's reorders of arrays whose elements are numbered.
#pragma once

#include <dnnl.h>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck::onednn {

Failed Refused(std::string_view call, dnnl_status_t status);

// Returns the number of elements with padding.
size_t Slots(const dnnl_memory_desc_t& descriptor);

// Reorders `data`, the numbers in the memory of `from`, and returns those in the memory of `to`: 0 for padding, -1 for
// an unwritten slot. Numbers are at most 2^24; both descriptors have one type: f32, s32, s8, u8, f16 or bf16.
Answer<std::vector<int32_t>> ReorderNumbers(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                                            std::span<const int32_t> data);

// Converts an answer without a value to another type.
template <class T, class U>
Answer<T> Pass(Answer<U> answer) {
  if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
  return std::get<Failed>(std::move(answer));
}

}  // namespace layoutcheck::onednn
