// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of array shapes by name, as the operation `edit` of the subject protocol asks for them (docs/protocol.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the array after the edit of this name. `move-dim-to-major` and `move-dim-to-minor` edit the layout and keep
// its other fields, as LayoutUtil does; the other edits are those of shape_edits.h. Errors: no edit of this name, a
// wrong number of arguments, and those of the edit.
Expected<Shape> ApplyEdit(std::string_view name, const Shape& shape, std::span<const int64_t> arguments);

}  // namespace layoutcheck
