// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of shardings over a mesh, as JAX, Shardy, DTensor and tt-metal write them. Sizes of axes and of shards and
// split factors may be names.
//
//     JAX:      mesh[x=2,y=4] P("x", ("y", "z"), None)           one entry per dimension; missing ones are None
//     Shardy:   #sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x"}, {"y":(1)2, ?}p1], replicated={"z"}>
//               sdy.mesh @m = <["x"=2, "y"=4], device_ids=[...]> #sdy.sharding<@m, [{"x"}, {}]>
//     DTensor:  mesh[2,4] S(0), _StridedShard(1, sf=2)           one placement per axis: S, _S, R, or as repr() prints
//
//     tt-metal: MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,
//                            shard_spec=ShardSpec(grid={[(x=0,y=0) - (x=7,y=3)]},shape={32, 64},
//                                                 orientation=ShardOrientation::ROW_MAJOR))
//
// A mesh of Shardy lists the devices 0 to n - 1 in any order, or has no axes and one device, which has the whole array.
// An open dimension of Shardy (`?`), its priority (`p1`) and explicitly replicated axes do not place elements.
// The devices of tt-metal are the cores of the grid, counted range by range and row by row. Other fields of a
// MemoryConfig do not place elements, but an nd_shard_spec and interleaved pages do: they are declined.
// DTensor's partial placements and Shardy's unreduced axes are declined: no device holds such an element.
#pragma once

#include <cstdint>
#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/sharding/mesh_sharding.h"

namespace layoutcheck {

// A sharding with its canonical text.
struct MeshText {
  MeshSharding mesh;
  std::string text;
};

// Read a sharding of an array of this rank and leave the cursor behind it. Errors, with the column: syntax; an axis
// that is not in the mesh or is named twice in it, a dimension that is not in the array, or another number of
// dimensions or placements than expected (invalid layout); what is declined (unsupported).
Expected<MeshText> ReadShardySharding(TextCursor& cursor, int64_t rank);   // from `sdy.mesh` or `#sdy.sharding` on
Expected<MeshText> ReadMeshNotation(TextCursor& cursor, int64_t rank);     // of JAX or DTensor, from `mesh[` on
Expected<MeshText> ReadTtMetalSharding(TextCursor& cursor, int64_t rank);  // from `MemoryConfig` on

}  // namespace layoutcheck
