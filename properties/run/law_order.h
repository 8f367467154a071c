// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace layoutcheck {

// Returns the law on which a law rests, or an empty name. A law rests on another if its answer is computed from values
// that the other judges by themselves: if a table has a wrong offset, linear-index fails, and with it most laws that
// compare, sort or move offsets. In the algebra, a law rests on that of the function by which CuTe defines its own, if
// both are asked about the same arguments: the tile of logical-divide is the composition of its arguments. So that one
// defect is not reported under several laws, a failure of the dependent law counts as one of the law on which it rests
// if both fail for the same layout or arguments.
std::string_view RestsOn(std::string_view law);

// Returns per law the number of the law among them on which it rests, or nothing.
std::vector<std::optional<size_t>> BasesOf(std::span<const std::string_view> laws);

}  // namespace layoutcheck
