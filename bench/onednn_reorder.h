// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN's reorder as a peer of Relayout.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns a function that moves the array `source` in the layout of `from` to `destination` in the layout of `to`, on
// one thread. Returns an empty function if oneDNN has no such reorder. The spans must outlive the function.
std::function<void()> OneDnnReorder(const Shape& from, const Shape& to, std::span<std::byte> source,
                                    std::span<std::byte> destination);

}  // namespace layoutcheck
