// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of texts that the notations of shardings share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/sharding/mesh_sharding.h"

namespace layoutcheck {

// Reads an integer >= `least`. Errors: syntax.
Expected<int64_t> ReadCount(TextCursor& cursor, std::string_view what, int64_t least);

// Reads a number >= 1 or a name. Errors: syntax.
Expected<SymbolicSize> ReadSize(TextCursor& cursor, std::string_view what);

// Returns the name or the number.
std::string ToString(const SymbolicSize& size);

// Reads a name in quotes, 'x' or "x". Errors: syntax.
Expected<std::string> ReadQuoted(TextCursor& cursor, std::string_view what);

// Adds an axis. Error (invalid layout, at the column): the mesh has one of this name.
Expected<void> AddAxis(MeshSharding& mesh, MeshAxis axis, int64_t column);

// Returns the number of the axis with this name. Error (invalid layout, at the column): there is none.
Expected<size_t> FindAxis(const MeshSharding& mesh, std::string_view name, int64_t column);

}  // namespace layoutcheck
