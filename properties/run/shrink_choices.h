// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinks a failing case by the choices that drew it: a shorter or smaller stream of choices draws a simpler case.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace layoutcheck {

// Draws a case from these choices. Returns the choices that the generator took (no more than given, each within its
// bound), or nothing if the case does not fail.
using DrawFailing = std::function<std::optional<std::vector<uint64_t>>(std::span<const uint64_t> choices)>;

// Returns the simplest failing stream (IsSimpler) found from `choices`, which must fail. Removes blocks, sets choices
// to 0, bisects them towards 0, and lowers one while removing choices after it, until nothing helps or
// `max_evaluations` cases are drawn.
std::vector<uint64_t> ShrinkChoices(std::vector<uint64_t> choices, const DrawFailing& draw_failing,
                                    int64_t max_evaluations);

}  // namespace layoutcheck
