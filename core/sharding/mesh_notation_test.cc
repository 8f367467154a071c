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
