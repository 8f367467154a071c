// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {
namespace {

// Returns "proved", "unknown: why", "refuted: M=2 i0=1" or the error.
std::string TextOf(const ProofResult& result) {
  if (result.verdict == ProofVerdict::kProved) return "proved";
  if (result.verdict == ProofVerdict::kUnknown) return "unknown: " + result.reason;
  std::string text = "refuted:";
  for (const auto& [name, value] : result.counterexample) StrAppend(text, " ", name, "=", value);
  const bool has_devices = result.subexpression.starts_with("on device");
  return has_devices ? StrCat(text, "; ", result.subexpression) : text;
}

std::string Verdict(std::string_view text, const std::string& law, const std::vector<std::string>& assumptions = {}) {
  const auto results = ProveSharding(text, {law}, assumptions);
  return results ? TextOf(results->front()) : results.error().ToString();
}

std::string Reshard(std::string_view before, std::string_view after, const std::vector<std::string>& assumptions = {}) {
  const auto result = ProveReshard(before, after, assumptions);
  return result ? TextOf(*result) : result.error().ToString();
}

class ShardingLaws : public testing::TestWithParam<const char*> {};

TEST_P(ShardingLaws, AreProved) {
  const auto results = ProveSharding(GetParam(), {});
  ASSERT_TRUE(results) << results.error().ToString();
  ASSERT_EQ(results->size(), kShardingLaws.size() - 2);
  for (const ProofResult& result : *results) EXPECT_EQ(TextOf(result), "proved") << result.law;
}

INSTANTIATE_TEST_SUITE_P(Notations, ShardingLaws,
                         testing::Values("f32[M] mesh[x=X] P(\"x\")", "f32[M] mesh[x=X,y=Y] P((\"x\", \"y\"))",
                                         "f32[M,N] mesh[x=X,y=Y] P(\"x\", \"y\")", "f32[M] mesh[D,T] S(0),S(0)",
                                         "f32[M] mesh[D] _StridedShard(0,sf=3)", "f32[M] mesh[4] _StridedShard(0,sf=T)",
                                         "f32[M,N]{1,0:T(8,128)} sharding={devices=[2,4]<=[8]}",
                                         "f32[M,N]{1,0:T(P,Q)} mesh[x=X] P(None, \"x\")",
                                         "f32[M] sharding={replicated}", "f32[M] sharding={maximal device=3}",
                                         "f32[10,12] mesh[D,4] S(1),S(0)", "f32[0,M] mesh[D,T] S(0),S(1)"));

// Returns the array with shards of this shape on 2 x 2 cores.
std::string TtMetal(std::string_view array, std::string_view layout, std::string_view shape) {
  return StrCat(array, " MemoryConfig(memory_layout=TensorMemoryLayout::", layout,
                "_SHARDED,shard_spec=ShardSpec(grid={[(x=0,y=0) - (x=1,y=1)]},shape={", shape,
                "},orientation=ShardOrientation::ROW_MAJOR))");
}

TEST(ProveSharding, SubAxesOfAnAxisWithAName) {
  const std::string_view major = "f32[M] #sdy.sharding<mesh<[\"x\"=X]>, [{\"x\":(1)2}]>";
  EXPECT_EQ(*ShardingConditions(major), std::vector<std::string>{"X mod 2 == 0"});
  EXPECT_EQ(Verdict(major, "shard-inverse"), "proved");
  const std::string_view axes = "f32[M] #sdy.sharding<mesh<[\"a\"=2, \"b\"=B]>, [{\"a\"}]>";
  EXPECT_EQ(Reshard(major, axes, {"X == 2*B"}), "proved");
}

TEST(ProveSharding, NestedShardsAreOneCutAlongAnAxisAsLargeAsBoth) {
  const std::string_view nested = "f32[N] mesh[D,T] S(0),S(0)";
  const std::string_view one = "f32[N] mesh[X] S(0)";
  EXPECT_EQ(Reshard(nested, one, {"D*T == X", "N mod X == 0"}), "proved");
  EXPECT_EQ(Reshard(nested, one, {"D*T == X"}), "refuted: N=2 D=2 T=2 X=4 i0=1; on device 2, expected on device 1");
}

TEST(ProveSharding, ShardsOfAGivenShape) {
  for (const std::string& text : {TtMetal("f32[M,N]", "HEIGHT", "S, 64"), TtMetal("f32[M,N]", "BLOCK", "S, T"),
                                  TtMetal("f32[40,N]{1,0:T(32,32)}", "WIDTH", "S, 32")}) {
    const auto results = ProveSharding(text, {});
    ASSERT_TRUE(results) << text << ": " << results.error().ToString();
    for (const ProofResult& result : *results) EXPECT_EQ(TextOf(result), "proved") << text << ": " << result.law;
  }
  EXPECT_EQ(*ShardingConditions(TtMetal("f32[M,64]", "HEIGHT", "S, 64")), std::vector<std::string>{"M <= S*2*2"});
  // XLA's parts have ceil(M / 4) rows.
  const std::string shards = TtMetal("f32[M,64]", "HEIGHT", "S, 64");
  const std::string parts = "f32[M,64] mesh[y=2,x=2] P((\"y\", \"x\"))";
  EXPECT_EQ(Reshard(shards, parts, {"M == 4*S"}), "proved");
  EXPECT_EQ(Reshard(shards, parts), "refuted: M=3 S=2 i0=2 i1=0 expected=1 actual=0");
}

class StridedShard : public testing::TestWithParam<const char*> {};

TEST_P(StridedShard, OfAnySizeMeshAndFactor) {
  EXPECT_EQ(Verdict("f32[M] mesh[D,T] _StridedShard(0,sf=T),S(0)", GetParam()), "proved");
}

INSTANTIATE_TEST_SUITE_P(Laws, StridedShard,
                         testing::Values("shard-inverse", "shard-in-bounds", "shard-onto", "local-shape"));

TEST(ProveSharding, ACertificateIsAboutTheArrayAndTheLaw) {
  ProveOptions options;
  options.certificates = true;
  const auto results = ProveSharding("f32[M] mesh[D] S(0)", {"shard-inverse"}, {}, options);
  ASSERT_TRUE(results);
  EXPECT_EQ(results->front().no_certificate, "");
  EXPECT_NE(results->front().certificate.find(
                "source f32[M] mesh[D] S(0), shard-inverse, dimension 0: the coordinate of the place of an element\n"),
            std::string::npos)
      << results->front().certificate;
}

TEST(ProveSharding, EachLawHasACertificateForNamedSizesAndAxes) {
  ProveOptions options;
  options.certificates = true;
  const auto results = ProveSharding("f32[M] mesh[D] S(0)", {}, {}, options);
  ASSERT_TRUE(results) << results.error().ToString();
  EXPECT_EQ(results->size(), 5U);
  for (const ProofResult& result : *results) EXPECT_EQ(result.no_certificate, "") << result.law;
}

// The two orders of a mesh's axes give the same places where all shards are equally large, and not elsewhere.
TEST(ProveSharding, AStridedShardIsTheOtherOrderOfAxesWhereShardsAreEven) {
  constexpr std::string_view kStrided = "f32[M] mesh[D,T] _StridedShard(0,sf=T),S(0)";
  constexpr std::string_view kOtherOrder = "f32[M] mesh[d=D,t=T] P((\"t\", \"d\"))";
  EXPECT_EQ(Reshard(kStrided, kOtherOrder), "refuted: M=2 D=2 T=2 i0=1 expected=1 actual=0");
  EXPECT_EQ(Reshard(kStrided, kOtherOrder, {"M mod (D*T) == 0"}), "proved");
}

TEST(ProveSharding, NestedShardsAreOneCutWhereShardsAreEven) {
  constexpr std::string_view kNested = "f32[M] mesh[D,T] S(0),S(0)";
  constexpr std::string_view kOnce = "f32[M] mesh[d=D,t=T] P((\"d\", \"t\"))";
  EXPECT_EQ(Reshard(kNested, kOnce), "refuted: M=2 D=2 T=2 i0=1 expected=0 actual=1");
  EXPECT_EQ(Reshard(kNested, kOnce, {"M mod (D*T) == 0"}), "proved");
}

TEST(ProveSharding, TileAssignmentsAreShardingsOverAMesh) {
  constexpr std::string_view kMesh = "f32[M,N] mesh[x=2,y=2] P(\"x\", \"y\")";
  EXPECT_EQ(Reshard("f32[M,N] sharding={devices=[2,2]<=[4]}", kMesh), "proved");
  EXPECT_EQ(Reshard("f32[M,N] sharding={devices=[2,2]0,2,1,3}", kMesh),
            "refuted: M=1 N=2 i0=0 i1=1; on device 2, expected on device 1");
  EXPECT_EQ(Reshard("f32[M,N] sharding={devices=[2,2]<=[2,2]T(1,0)}", "f32[M,N] mesh[y=2,x=2] P(\"x\", \"y\")"),
            "proved");
}

// An axis that cuts nothing holds replicas.
TEST(ProveSharding, AReplicaIsOnOtherDevicesThanAPart) {
  EXPECT_EQ(Reshard("f32[M] mesh[x=X,y=Y] P(\"x\")", "f32[M] mesh[x=X,y=Y] P((\"x\", \"y\"))"),
            "refuted: M=1 X=1 Y=2 i0=0 expected=1 actual=2");
}

TEST(ProveSharding, OrderOfAxesAndSubAxes) {
  EXPECT_EQ(Reshard("f32[M] mesh[x=X,y=Y] P((\"x\", \"y\"))", "f32[M] mesh[x=X,y=Y] P((\"y\", \"x\"))"),
            "refuted: M=2 X=2 Y=2 i0=1 expected=1 actual=0");
  constexpr std::string_view kWhole = "f32[M] #sdy.sharding<mesh<[\"x\"=4]>, [{\"x\"}]>";
  EXPECT_EQ(Reshard(kWhole, "f32[M] #sdy.sharding<mesh<[\"x\"=4]>, [{\"x\":(1)2, \"x\":(2)2}]>"), "proved");
  EXPECT_EQ(Reshard(kWhole, "f32[M] #sdy.sharding<mesh<[\"x\"=4]>, [{\"x\":(2)2, \"x\":(1)2}]>"),
            "refuted: M=2 i0=1; on device 1, expected on device 2");
}

TEST(ProveSharding, AViewIsFreeWhereTheLawSaysSo) {
  constexpr std::string_view kRows = "f32[M,N] mesh[x=X] P(\"x\")";
  constexpr std::string_view kFlat = "f32[K] mesh[x=X] P(\"x\")";
  EXPECT_EQ(*ShardingConditions(kRows, kFlat), std::vector<std::string>{"M*N == K"});
  EXPECT_EQ(Reshard(kRows, kFlat, {"M mod X == 0"}), "proved");
  EXPECT_EQ(Reshard(kFlat, kRows, {"M mod X == 0"}), "proved");
  EXPECT_EQ(Reshard(kRows, kFlat), "refuted: M=1 N=2 X=2 K=2 i0=0 i1=1 expected=1 actual=0");
  // Columns may be uneven; a batch dimension and dimensions behind the viewed ones keep their sizes.
  EXPECT_EQ(Reshard("f32[M,N] mesh[D] S(1)", "f32[K] mesh[D] _StridedShard(0,sf=M)"), "proved");
  EXPECT_EQ(Reshard("f32[M,N] mesh[D] S(1)", "f32[K] mesh[D] S(0)"),
            "refuted: M=2 N=1 D=2 K=2 i0=1 i1=0 expected=1 actual=0");
  EXPECT_EQ(Reshard("f32[M,N,L] mesh[x=X] P(\"x\")", "f32[M,K] mesh[x=X] P(\"x\")"), "proved");
  EXPECT_EQ(Reshard("f32[B,M,N] mesh[D] S(1)", "f32[L,N] mesh[D] _StridedShard(0,sf=B)"), "proved");
  // The parts of one dimension are those of two.
  EXPECT_EQ(Reshard("f32[K] mesh[x=X,y=Y] P((\"x\",\"y\"))", "f32[M,N] mesh[x=X,y=Y] P(\"x\",\"y\")",
                    {"M == X", "N mod Y == 0"}),
            "proved");
  EXPECT_EQ(Reshard("f32[5,4] mesh[2] S(0)", "f32[20] mesh[2] S(0)"), "refuted: i0=2 i1=2 expected=1 actual=0");
  // A fused weight keeps whole heads of queries, keys and values.
  EXPECT_EQ(Reshard("f32[3,H,D,N] mesh[T] S(1)", "f32[K,N] mesh[T] _StridedShard(0,sf=3)", {"H mod T == 0"}), "proved");
  EXPECT_EQ(Reshard("f32[9] sharding={devices=[4]<=[4]}", "f32[3,3] sharding={devices=[4,1]<=[4]}"), "proved");
}

TEST(ProveSharding, SizesMayBeProducts) {
  constexpr std::string_view kColumns = "f32[B,S*H] mesh[x=X] P(\"x\")";
  constexpr std::string_view kRows = "f32[B*S,H] mesh[x=X] P(\"x\")";
  EXPECT_EQ(*ShardingConditions(kColumns, kRows), (std::vector<std::string>{"S_H == S*H", "B_S == B*S"}));
  EXPECT_EQ(Reshard(kColumns, kRows, {"B mod X == 0"}), "proved");
  EXPECT_EQ(Reshard(kColumns, kRows).substr(0, 8), "refuted:");
  EXPECT_EQ(Reshard("f32[B,S,H] mesh[x=X] P(\"x\")", kRows, {"B mod X == 0"}), "proved");
  EXPECT_EQ(Reshard("f32[B,S*2] mesh[X] S(1)", "f32[B,S,2] mesh[X] S(1)", {"S mod X == 0"}), "proved");
  EXPECT_EQ(Reshard("f32[B*S,H] mesh[X] _StridedShard(0,sf=B)", "f32[B,S*H] mesh[X] S(1)", {"S mod X == 0"}), "proved");
  EXPECT_EQ(
      Reshard("f32[B,S,N*D] mesh[X,Y] S(0),S(2)", "f32[B*S,N,D] mesh[X,Y] S(0),S(1)", {"B mod X == 0", "N mod Y == 0"}),
      "proved");
  const auto error = [](std::string_view text) { return ProveSharding(text, {}).error().ToString(); };
  EXPECT_EQ(Reshard("f32[3*B] mesh[X] R", "f32[3,B] mesh[X] R"), "proved");
  EXPECT_EQ(*ShardingConditions("f32[3*B] mesh[X] R"), std::vector<std::string>{"B_3 == 3*B"});
  EXPECT_EQ(error("f32[B,H*] mesh[X] R"), "column 9: expected a product of names and numbers, such as S*H or 2*B");
  EXPECT_EQ(error("f32[2*3,B] mesh[X] R"), "column 5: expected a product of names and numbers, such as S*H or 2*B");
  EXPECT_EQ(error("f32[batch*sequence*heads] mesh[X] R").substr(0, 54),
            "column 5: expected a product of at most 18 characters,");
  EXPECT_EQ(error("f32[B,S*H,S_H] mesh[X] R"), "column 7: the name 'S_H' is kept for the product S*H: use other names");
}

TEST(ProveSharding, MeshesWithOtherAxesHaveTheSameDevices) {
  constexpr std::string_view kTwo = "f32[M] mesh[d=D,t=T] P((\"d\",\"t\"))";
  constexpr std::string_view kOne = "f32[M] mesh[x=X] P(\"x\")";
  EXPECT_EQ(Reshard(kTwo, kOne, {"X == D*T"}), "proved");
  EXPECT_EQ(Reshard("f32[M] mesh[d=D,t=T] P((\"t\",\"d\"))", kOne, {"X == D*T"}).substr(0, 7), "refuted");
  EXPECT_EQ(Reshard("f32[M] mesh[d=D,t=T] P(\"d\")", "f32[M] mesh[d=D,r=R,s=S] P(\"d\")", {"T == R*S"}), "proved");
  EXPECT_EQ(Reshard("f32[M] mesh[d=D,t=T] P(\"d\")", "f32[M] mesh[x=X] P(\"x\")", {"X == D*T"}).substr(0, 7),
            "refuted");
  EXPECT_EQ(Reshard("f32[M] mesh[d=D] P(\"d\")", "f32[M] mesh[d=D,t=T] P(\"d\")"),
            "refuted: M=1 D=1 T=2 i0=0 expected=2 actual=1");
}

TEST(ProveReshard, AMeshWithNamesAndDevicesInAnotherOrder) {
  constexpr std::string_view kSwapped = "f32[M,N] mesh[a=A,b=B] P(\"b\",\"a\")";
  constexpr std::string_view kTransposed = "f32[M,N] sharding={devices=[3,2]<=[2,3]T(1,0)}";
  EXPECT_EQ(Reshard(kSwapped, kTransposed, {"A == 2", "B == 3"}), "proved");
  EXPECT_EQ(Reshard(kSwapped, kTransposed, {"A == 3", "B == 2"}).substr(0, 8), "refuted:");
  // Device 0 holds nothing of the second one.
  EXPECT_EQ(Reshard("f32[M] mesh[x=X] P(\"x\")", "f32[M] sharding={devices=[2]1,2}", {"X == 2"}).substr(0, 8),
            "refuted:");
  EXPECT_EQ(Reshard("f32[M] mesh[x=X] P()", "f32[M] sharding={devices=[1,2]1,0 last_tile_dim_replicate}", {"X == 2"}),
            "proved");
  EXPECT_EQ(Reshard("f32[M] mesh[x=X] P()", "f32[M] sharding={devices=[1,2]1,2 last_tile_dim_replicate}", {"X == 2"})
                .substr(0, 8),
            "refuted:");
}

TEST(ProveSharding, Errors) {
  EXPECT_EQ(Verdict("f32[M]{0}", "shard-onto"), "expected a sharding behind the shape");
  EXPECT_EQ(Verdict("f32[] mesh[x=2] P()", "shard-onto"), "expected an array with at least one dimension, found f32[]");
  EXPECT_EQ(Verdict("f32[M] mesh[x=X] P((\"x\", \"x\"))", "shard-onto"), "column 8: axis \"x\" is used twice");
  EXPECT_EQ(Verdict("f32[M] mesh[x=part] P(\"x\")", "shard-onto"),
            "column 8: the name 'part' is kept for an index, a dimension, a part or an index in a part: use another");
  EXPECT_EQ(Verdict("f32[M] mesh[x=X] P(\"x\")", "shard-onto", {"Q > 1"}),
            "--assume: expected a name of the layout, found 'Q'");
  EXPECT_EQ(Verdict("f32[M] mesh[x=X] P(\"x\")", "reshard"),
            "expected a law of shardings (shard-inverse, shard-in-bounds, shard-onto, local-shape, local-offsets), "
            "found 'reshard'");
  EXPECT_EQ(Reshard("f32[8] mesh[x=2] P(\"x\")", "f32[9] mesh[x=2] P(\"x\")"),
            "expected as many elements as f32[8] has, found f32[9]");
  EXPECT_EQ(Reshard("f32[M] mesh[x=2] P(\"x\")", "f32[0,M] mesh[x=2] P(\"x\")"),
            "expected arrays with elements, found f32[0,M] mesh[x=2] P(\"x\")");
  EXPECT_EQ(Reshard("f32[M] sharding={replicated}", "f32[M] mesh[x=2] P()"),
            "f32[M] sharding={replicated}: {replicated} does not say how many devices there are");
  EXPECT_EQ(
      Reshard("f32[M] mesh[x=X] P(\"x\")", "f32[M] sharding={devices=[65]<=[5,13]T(1,0)}"),
      "expected meshes without names, or at most 64 devices in another order: found f32[M] mesh[x=X] P(\"x\") and "
      "f32[M] sharding={devices=[65]<=[5,13]T(1,0)}");
}

// Cuts of different dimensions do not depend on each other, so that each dimension may be asked about alone.
TEST(SymbolicSharding, OnlyOneDimensionHasThePlacesOfAll) {
  const auto all = ParseSymbolicSharding("f32[7,5] mesh[2,2,3] S(0),_StridedShard(1,sf=2),S(0)");
  ASSERT_TRUE(all) << all.error().ToString();
  const auto numbers = [](const SymbolicSize& size) { return size.value; };
  const ShardCuts<int64_t> cuts = CutsOf<int64_t>(all->mesh, {7, 5}, numbers);
  const ShardCuts<int64_t> rows = CutsOf<int64_t>(all->Only(0).mesh, {7}, numbers);
  const ShardCuts<int64_t> columns = CutsOf<int64_t>(all->Only(1).mesh, {5}, numbers);
  for (int64_t row = 0; row < 7; ++row) {
    for (int64_t column = 0; column < 5; ++column) {
      const auto place = PlaceOf<int64_t>(cuts, std::vector<int64_t>{row, column});
      const auto row_place = PlaceOf<int64_t>(rows, std::vector<int64_t>{row});
      const auto column_place = PlaceOf<int64_t>(columns, std::vector<int64_t>{column});
      EXPECT_EQ(place.parts, (std::vector<int64_t>{row_place.parts[0], column_place.parts[0], row_place.parts[1]}));
      EXPECT_EQ(place.coordinate, (std::vector<int64_t>{row_place.coordinate[0], column_place.coordinate[0]}));
    }
  }
}

}  // namespace
}  // namespace layoutcheck
