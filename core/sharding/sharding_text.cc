// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharding_text.h"
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/sharding/mesh_notation.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kHlo = "sharding=";
constexpr std::string_view kMesh = "mesh[";
constexpr std::string_view kTtMetal = "MemoryConfig(";
constexpr std::array<std::string_view, 2> kShardy{"sdy.mesh", "#sdy.sharding"};
constexpr std::string_view kLocal = "local=";

// Reads `local=` and the layout behind it, if they are there, up to the end of the text.
Expected<ShardingText> WithLocal(ShardingText sharding, TextCursor& cursor, std::string_view shape) {
  if (!cursor.Sees(kLocal)) {
    if (!cursor.AtEnd()) return cursor.Unexpected("'local=' and a layout, or the end of the text");
    return sharding;
  }
  if (const size_t brace = shape.find('{'); brace != std::string_view::npos) {
    return MakeError(ErrorKind::kInvalidLayout,
                     "expected a shape without a layout, because 'local=' says where the elements lie",
                     static_cast<int64_t>(brace) + 1);
  }
  cursor.Take(kLocal);
  sharding.local_column = cursor.NextColumn();
  const std::string_view rest = cursor.rest();
  sharding.local = rest.substr(0, rest.find_last_not_of(TextCursor::kBlanksOfLines) + 1);
  if (sharding.local.empty()) return cursor.Unexpected("a layout such as (8,128):(136,1)");
  return sharding;
}

}  // namespace

std::optional<size_t> FindSharding(std::string_view text) {
  size_t first = std::min({text.find(kHlo), text.find(kMesh), text.find(kTtMetal)});
  for (const std::string_view mark : kShardy) first = std::min(first, text.find(mark));
  if (first == std::string_view::npos) return std::nullopt;
  return first;
}

Expected<ShardingText> ReadSharding(std::string_view text, size_t position, int64_t rank) {
  TextCursor cursor(text, TextCursor::kBlanksOfLines);
  cursor.MoveTo(position);
  const int64_t column = cursor.NextColumn();
  if (cursor.Take(kHlo)) {
    LAYOUTCHECK_TRY(HloSharding sharding, ReadHloSharding(cursor));
    std::string canonical = StrCat(kHlo, ToString(sharding));
    return WithLocal({std::move(canonical), column, std::move(sharding)}, cursor, text.substr(0, position));
  }
  LAYOUTCHECK_TRY(MeshText mesh, cursor.Sees(kMesh)      ? ReadMeshNotation(cursor, rank)
                                 : cursor.Sees(kTtMetal) ? ReadTtMetalSharding(cursor, rank)
                                                         : ReadShardySharding(cursor, rank));
  return WithLocal({std::move(mesh.text), column, std::move(mesh.mesh)}, cursor, text.substr(0, position));
}

Expected<Sharding> MakeSharding(const ShardingText& sharding, std::span<const int64_t> dimensions,
                                std::optional<int64_t> device_count) {
  const auto* hlo = std::get_if<HloSharding>(&sharding.form);
  auto made = hlo != nullptr ? MakeSharding(*hlo, dimensions, device_count)
                             : MakeSharding(std::get<MeshSharding>(sharding.form), dimensions);
  if (!made && made.error().column == 0) return ErrorAt(sharding.column, std::move(made.error()));
  return made;
}

}  // namespace layoutcheck
