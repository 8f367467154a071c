// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/mesh_notation.h"
#include <gtest/gtest.h>
#include "layoutcheck/core/sharding/sharding_text.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;
using Ranges = std::vector<std::vector<IndexRange>>;

std::string CanonicalOf(std::string_view text, int64_t rank) {
  const auto sharding = ReadSharding(text, 0, rank);
  return sharding ? sharding->text : sharding.error().ToString();
}

Sharding Make(std::string_view text, const Integers& sizes) {
  const auto read = ReadSharding(text, 0, static_cast<int64_t>(sizes.size()));
  EXPECT_TRUE(read) << read.error().ToString();
  auto made = MakeSharding(*read, sizes);
  EXPECT_TRUE(made) << made.error().ToString();
  return *std::move(made);
}

std::string MakeError(std::string_view text, const Integers& sizes) {
  const auto read = ReadSharding(text, 0, static_cast<int64_t>(sizes.size()));
  if (!read) return read.error().ToString();
  const auto made = MakeSharding(*read, sizes);
  return made ? "" : made.error().ToString();
}

TEST(MeshNotation, TextsOfEachSystem) {
  EXPECT_EQ(CanonicalOf("mesh[x=2,y=4] P('x', None)", 2), "mesh[x=2,y=4] P(\"x\", None)");
  EXPECT_EQ(CanonicalOf("mesh[x=2,y=4] PartitionSpec(('x','y'),)", 2), "mesh[x=2,y=4] P((\"x\", \"y\"))");
  EXPECT_EQ(CanonicalOf("mesh[x=X] P()", 2), "mesh[x=X] P()");
  EXPECT_EQ(CanonicalOf("mesh[2,4] S(0),_StridedShard(1,sf=2)", 2), "mesh[2,4] S(0),_StridedShard(1,sf=2)");
  EXPECT_EQ(CanonicalOf("mesh[dp=2,tp=4] [Shard(dim=-1), Replicate()]", 2), "mesh[dp=2,tp=4] S(1),R");
  EXPECT_EQ(CanonicalOf("mesh[D,T] (_S(0, T), S(0))", 1), "mesh[D,T] _StridedShard(0,sf=T),S(0)");
  EXPECT_EQ(CanonicalOf("#sdy.sharding<mesh<[\"x\"=2, \"y\"=4]>, [{\"x\"}, {\"y\":(1)2, ?}p1], replicated={}>", 2),
            "#sdy.sharding<mesh<[\"x\"=2, \"y\"=4]>, [{\"x\"}, {\"y\":(1)2, ?}p1], replicated={}>");
  EXPECT_EQ(CanonicalOf("sdy.mesh @m = <[\"x\"=2], device_ids=[1, 0]> #sdy.sharding<@m, [{\"x\"}]>", 1),
            "#sdy.sharding<mesh<[\"x\"=2], device_ids=[1, 0]>, [{\"x\"}]>");
}

TEST(MeshNotation, JaxCutsADimensionOnceAlongItsAxes) {
  const Sharding sharding = Make("mesh[x=2,y=3] P(('y','x'))", {7});
  // 6 parts of 2; device x * 3 + y has part y * 2 + x.
  EXPECT_EQ(sharding.RangesOf(0), (Ranges{{{0, 2}}}));
  EXPECT_EQ(sharding.RangesOf(3), (Ranges{{{2, 4}}}));
  EXPECT_EQ(sharding.RangesOf(1), (Ranges{{{4, 6}}}));
  EXPECT_EQ(sharding.RangesOf(4), (Ranges{{{6, 7}}}));
  EXPECT_EQ(sharding.RangesOf(5), (Ranges{{}}));
  EXPECT_EQ(sharding.LocalSizes(5), Integers{2});
}

TEST(MeshNotation, DTensorCutsAxisByAxis) {
  const Sharding sharding = Make("mesh[2,3] S(0),S(0)", {7});
  // 4 and 3, and these into 2, 2, 0 and 1, 1, 1
  EXPECT_EQ(sharding.LocalSizes(0), Integers{2});
  EXPECT_EQ(sharding.LocalSizes(2), Integers{0});
  EXPECT_EQ(sharding.RangesOf(5), (Ranges{{{6, 7}}}));
  // The first example of _StridedShard in PyTorch's documentation
  const Sharding strided = Make("mesh[2,2] _StridedShard(0,sf=2),S(0)", {8});
  EXPECT_EQ(strided.RangesOf(1), (Ranges{{{4, 6}}}));
  EXPECT_EQ(strided.RangesOf(2), (Ranges{{{2, 4}}}));
}

TEST(MeshNotation, SubAxesOfShardyAreDigits) {
  const std::string mesh = "#sdy.sharding<mesh<[\"x\"=8]>, ";
  // The coordinate of x is (major, minor) with sizes 4 and 2.
  const Sharding major = Make(mesh + "[{\"x\":(1)4}]>", {8});
  EXPECT_EQ(major.DevicesOf(Integers{2}), (Integers{2, 3}));
  const Sharding minor = Make(mesh + "[{\"x\":(4)2}]>", {8});
  EXPECT_EQ(minor.DevicesOf(Integers{7}), (Integers{1, 3, 5, 7}));
  const Sharding both = Make(mesh + "[{\"x\":(4)2}, {\"x\":(1)4}]>", {2, 4});
  EXPECT_EQ(both.DevicesOf(Integers{1, 2}), Integers{5});
  const Sharding maximal = Make("#sdy.sharding<mesh<[], device_ids=[3]>, []>", {8});
  EXPECT_EQ(maximal.DevicesOf(Integers{7}), Integers{3});
}

// Returns a text as tt-metal prints it.
std::string TtMetal(std::string_view layout, std::string_view grid, std::string_view shape,
                    std::string_view orientation = "ROW_MAJOR") {
  return StrCat("MemoryConfig(memory_layout=TensorMemoryLayout::", layout, "_SHARDED,buffer_type=BufferType::L1,",
                "shard_spec=ShardSpec(grid={", grid, "},shape={", shape,
                "},orientation=ShardOrientation::", orientation,
                ",mode=ShardMode::PHYSICAL,physical_shard_shape=std::nullopt),nd_shard_spec=std::nullopt,",
                "created_with_nd_shard_spec=0)");
}

TEST(MeshNotation, ShardsOfTtMetalHaveAShape) {
  const std::string_view cores = "[(x=0,y=0) - (x=2,y=1)]";  // 3 columns and 2 rows
  EXPECT_EQ(CanonicalOf(TtMetal("HEIGHT", cores, "2, N"), 2),
            "MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,shard_spec=ShardSpec(grid={[(x=0,y=0) - "
            "(x=2,y=1)]},shape={2, N},orientation=ShardOrientation::ROW_MAJOR))");
  const Sharding height = Make(TtMetal("HEIGHT", cores, "2, 4"), {7, 3});
  EXPECT_EQ(height.RangesOf(3), (Ranges{{{6, 7}}, {{0, 3}}}));
  EXPECT_EQ(height.RangesOf(4), (Ranges{{}, {{0, 3}}}));
  EXPECT_EQ(height.LocalSizes(3), (Integers{2, 4}));
  // The second shard is on the core below the first one, which is number 3.
  const Sharding columns = Make(TtMetal("HEIGHT", cores, "2, 4", "COL_MAJOR"), {7, 3});
  EXPECT_EQ(columns.RangesOf(3), (Ranges{{{2, 4}}, {{0, 3}}}));
  EXPECT_EQ(Make(TtMetal("WIDTH", cores, "7, 1"), {7, 3}).RangesOf(2), (Ranges{{{0, 7}}, {{2, 3}}}));
  EXPECT_EQ(Make(TtMetal("BLOCK", cores, "4, 1"), {7, 3}).RangesOf(5), (Ranges{{{4, 7}}, {{2, 3}}}));
  EXPECT_EQ(Make(TtMetal("BLOCK", cores, "3, 2", "COL_MAJOR"), {7, 3}).RangesOf(5), (Ranges{{{6, 7}}, {{2, 3}}}));
  const std::string_view ranges = "[(x=0,y=0) - (x=1,y=1)], [(x=4,y=2) - (x=4,y=2)]";
  EXPECT_EQ(Make(TtMetal("HEIGHT", ranges, "2, 3"), {9, 3}).DevicesOf(Integers{8, 0}), Integers{4});
  EXPECT_EQ(Make(TtMetal("HEIGHT", ranges, "2, 3", "COL_MAJOR"), {9, 3}).DevicesOf(Integers{2, 0}), Integers{2});
}

TEST(MeshNotation, ErrorsOfTtMetal) {
  const std::string_view cores = "[(x=0,y=0) - (x=1,y=1)]";
  EXPECT_EQ(MakeError(TtMetal("HEIGHT", cores, "2, 3"), {9, 3}),
            "column 1: dimension 0 has 9 elements, and 4 shards of 2 have room for 8");
  EXPECT_EQ(MakeError(TtMetal("HEIGHT", cores, "2, 3"), {9, 3, 1}),
            "column 1: expected an array of rank 2, found rank 3: a tensor is cut as a matrix, in which all dimensions "
            "but the last one are merged");
  EXPECT_EQ(MakeError(TtMetal("HEIGHT", cores, "2"), {2, 2}),
            "column 1: expected shape={HEIGHT, WIDTH} in the MemoryConfig");
  EXPECT_EQ(
      MakeError(TtMetal("ND", cores, "2, 2"), {2, 2}),
      "column 1: a MemoryConfig without shard_spec=ShardSpec(...): the shards of an nd_shard_spec are dealt to cores "
      "that may have several; write the shards as an array, such as f32[SHARDS,64,64] mesh[CORES] "
      "_StridedShard(0,sf=SHARDS/CORES)");
  EXPECT_EQ(
      MakeError("MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::DRAM)", {2, 2}),
      "column 1: an interleaved tensor: its pages are dealt to the banks of a device, one after another, and a "
      "MemoryConfig does not say how many banks there are; write the pages as an array, such as f32[PAGES,32,32] "
      "mesh[BANKS] _StridedShard(0,sf=PAGES/BANKS)");
  EXPECT_EQ(MakeError(TtMetal("BLOCK", "[(x=0,y=0) - (x=0,y=0)], [(x=1,y=0) - (x=1,y=0)]", "2, 2"), {2, 2}),
            "column 1: expected one range of cores for block sharding, found 2");
  EXPECT_EQ(MakeError("MemoryConfig(shard_spec=ShardSpec(grid={[(x=1,y=0) - (x=0,y=0)]}))", {2, 2}),
            "column 57: expected the x of a core >= 1, found 0");
  EXPECT_EQ(MakeError("MemoryConfig(buffer_type=(", {2, 2}),
            "column 27: expected ')' behind a value, found end of text");
}

TEST(MeshNotation, ErrorsNameTheColumn) {
  EXPECT_EQ(MakeError("mesh[x=2] P('z')", {4}), "column 13: expected an axis of the mesh (x), found \"z\"");
  EXPECT_EQ(MakeError("mesh[2] P('x')", {4}),
            "column 11: expected an axis of the mesh (whose axes have no names), found \"x\"");
  EXPECT_EQ(MakeError("mesh[x=2,x=3] P()", {4}), "column 10: the mesh has two axes \"x\"");
  EXPECT_EQ(MakeError("mesh[x=2] P('x', None)", {4}), "column 11: P has 2 entries, and the array has 1 dimensions");
  EXPECT_EQ(MakeError("mesh[x=2] P('x', 'x')", {4, 4}), "column 1: axis \"x\" is used twice");
  EXPECT_EQ(MakeError("mesh[x=X] P('x')", {4}), "column 1: the size X of a mesh axis is a name; expected a number");
  EXPECT_EQ(MakeError("mesh[2,2] S(0)", {4}),
            "column 11: expected one placement per axis of the mesh, which has 2, found 1");
  EXPECT_EQ(MakeError("mesh[2] S(1)", {4}), "column 11: expected a dimension of the array, which has 1, found 1");
  EXPECT_EQ(MakeError("mesh[2] Partial(sum)", {4}),
            "column 9: a partial placement: the devices hold summands of the elements, not the elements");
  EXPECT_EQ(MakeError("mesh[2] P(sum)", {4}),
            "column 9: a partial placement: the devices hold summands of the elements, not the elements");
  EXPECT_EQ(MakeError("mesh[2] T(0)", {4}),
            "column 9: expected a placement (S, _StridedShard, R) or P(...) with axes in quotes, found 'T'");
  EXPECT_EQ(MakeError("#sdy.sharding<@m, [{}]>", {4}),
            "column 15: the mesh @m is not given; expected `sdy.mesh @m = <[...]>` in front, or mesh<[...]> in its "
            "place");
  EXPECT_EQ(MakeError("#sdy.sharding<mesh<[\"x\"=2], device_ids=[5, 4]>, [{\"x\"}]>", {4}),
            "column 29: expected the devices 0 to 1 in any order, found 4");
  EXPECT_EQ(MakeError("#sdy.sharding<mesh<[\"x\"=2], device_ids=[0, 0]>, [{\"x\"}]>", {4}),
            "column 29: device 0 occurs twice");
  EXPECT_EQ(MakeError("#sdy.sharding<mesh<[\"x\"=2]>, [{?, \"x\"}]>", {4}),
            "column 35: expected '}' after '?', found '\"'");
  EXPECT_EQ(MakeError("#sdy.sharding<mesh<[\"x\"=4]>, [{\"x\":(2)4}]>", {4}),
            "column 1: the part (2)4 does not divide axis \"x\" of size 4");
  EXPECT_EQ(MakeError("#sdy.sharding<mesh<[\"x\"=8]>, [{\"x\":(1)4}, {\"x\":(2)4}]>", {4, 4}),
            "column 1: two parts of axis \"x\" overlap");
  EXPECT_EQ(MakeError("#sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}], replicated={\"x\"}>", {4}),
            "column 1: axis \"x\" is used twice");
}

}  // namespace
}  // namespace layoutcheck
