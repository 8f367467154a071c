// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shape with a sharding in one text: f32[8,128]{1,0:T(8,128)} sharding={devices=[2,4]<=[8]}, or with a sharding over
// a mesh (mesh_notation.h). Behind the sharding may stand the layout of the array of each device (local_layout.h), if
// it is not that of the shape: f32[16,512] mesh[x=2] P("x") local=(8,512):(520,1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include "layoutcheck/core/sharding/mesh_sharding.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

// Returns the position at which a sharding begins behind a shape, or nothing if the text has none.
std::optional<size_t> FindSharding(std::string_view text);

// A sharding as it was written.
struct ShardingText {
  std::string text;    // canonical
  int64_t column = 0;  // of its first byte
  std::variant<HloSharding, MeshSharding> form;
  std::string local = {};    // text of the layout behind `local=`, as it was given; empty for none
  int64_t local_column = 0;  // of its first byte
};

// Reads the sharding of an array of this rank that begins at the position, up to the end of the text. Errors, with the
// column: those of ReadHloSharding and of the functions of mesh_notation.h; `local=` without a layout (syntax), or
// behind a shape with a layout of its own (invalid layout).
Expected<ShardingText> ReadSharding(std::string_view text, size_t position, int64_t rank);

// Returns the sharding of an array with these sizes. Errors: those of both MakeSharding, with a column.
Expected<Sharding> MakeSharding(const ShardingText& sharding, std::span<const int64_t> dimensions,
                                std::optional<int64_t> device_count = std::nullopt);

}  // namespace layoutcheck
