// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong formulas of shardings, each of which a law refutes. Wrong orders of axes and sub-axes, which move elements to
// other devices without a gap, are refuted by the law reshard (prove_sharding_test.cc).
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include "layoutcheck/solver/sharding_proof/shard_claims.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {
namespace {

// Chunks have floor(size / parts) elements, but at least one.
struct FloorForCeil : CoreShardFormulas {
  template <class Int>
  static ShardPlace<Int> PlaceOf(const ShardCuts<Int>& cuts, const std::vector<Int>& coordinate) {
    const Int least = FloorDiv(cuts.dimensions[0], cuts.cuts[0].parts);
    const Int chunk = least < Int(1) ? Int(1) : least;
    return {{FloorDiv(coordinate[0], chunk)}, {Mod(coordinate[0], chunk)}};
  }
};

// The last part has as many elements as the others.
struct LastShardIsFull : CoreShardFormulas {
  template <class Int>
  static std::vector<Int> SizesOf(const ShardCuts<Int>& cuts, const std::vector<Int>& /*parts*/) {
    return {CeilDiv(cuts.dimensions[0], cuts.cuts[0].parts)};
  }
};

// The numbers of blocks and of parts are exchanged.
struct StridedFactor : CoreShardFormulas {
  template <class Int>
  static ShardPlace<Int> PlaceOf(const ShardCuts<Int>& cuts, const std::vector<Int>& coordinate) {
    ShardCuts<Int> exchanged = cuts;
    std::swap(exchanged.cuts[0].parts, exchanged.cuts[0].blocks);
    return layoutcheck::PlaceOf<Int>(exchanged, coordinate);
  }
};

// Each block takes a full chunk of the part's array, as if all chunks were equally large.
struct GapsOfStridedShards : CoreShardFormulas {
  template <class Int>
  static ShardPlace<Int> PlaceOf(const ShardCuts<Int>& cuts, const std::vector<Int>& coordinate) {
    const DimensionCut<Int>& cut = cuts.cuts[0];
    const Int block = CeilDiv(cuts.dimensions[0], cut.blocks);
    const Int chunk = CeilDiv(block, cut.parts);
    const Int in_block = Mod(coordinate[0], block);
    return {{FloorDiv(in_block, chunk)}, {FloorDiv(coordinate[0], block) * chunk + Mod(in_block, chunk)}};
  }
};

// The offset of a nested shard is computed from the size of the whole array.
struct OffsetOfNestedShard : CoreShardFormulas {
  template <class Int>
  static std::vector<Int> CoordinateOf(const ShardCuts<Int>& cuts, const ShardPlace<Int>& place) {
    const Int& size = cuts.dimensions[0];
    const Int first = CeilDiv(size, cuts.cuts[0].parts);
    const Int second = CeilDiv(size, cuts.cuts[0].parts * cuts.cuts[1].parts);
    return {place.parts[0] * first + place.parts[1] * second + place.coordinate[0]};
  }
};

// Returns the counterexample to the law with these formulas, or the verdict of its last claim.
template <class Formulas>
std::string Refutation(std::string_view text, ShardingLawId law) {
  const CutDimension one(*ParseSymbolicSharding(text), 0);
  const bool is_of_elements = law == ShardingLawId::kInverse || law == ShardingLawId::kInBounds;
  const ShardDomain domain = is_of_elements ? one.Elements() : one.Places(law == ShardingLawId::kOnto);
  const std::vector<ShardClaim> claims = law == ShardingLawId::kInverse    ? InverseClaims<Formulas>(domain, one)
                                         : law == ShardingLawId::kInBounds ? InBoundsClaims<Formulas>(domain, one)
                                         : law == ShardingLawId::kOnto     ? OntoClaims<Formulas>(domain, one)
                                                                           : LocalShapeClaims<Formulas>(domain, one);
  std::string result;
  for (const ShardClaim& claim : claims) {
    const auto proof = domain.Prove(claim, text, {});
    result = proof ? ProofVerdictName(proof->verdict) : proof.error().ToString();
    if (!proof || proof->verdict != ProofVerdict::kRefuted) continue;
    for (const auto& [name, value] : proof->counterexample) StrAppend(result, " ", name, "=", value);
    break;
  }
  return result;
}

TEST(ShardFaults, EachIsRefuted) {
  using enum ShardingLawId;
  EXPECT_EQ(Refutation<FloorForCeil>("f32[M] mesh[x=3] P(\"x\")", kInBounds), "refuted M=4 i0=2 below=0 actual=0");
  EXPECT_EQ(Refutation<LastShardIsFull>("f32[M] mesh[x=X] P(\"x\")", kOnto),
            "refuted M=1 X=2 part0=1 local0=0 below=1 actual=1");
  EXPECT_EQ(Refutation<LastShardIsFull>("f32[M] mesh[x=X] P(\"x\")", kLocalShape),
            "refuted M=1 X=2 part0=1 expected=0 actual=1");
  EXPECT_EQ(Refutation<StridedFactor>("f32[M] mesh[3] _StridedShard(0,sf=2)", kInverse),
            "refuted M=3 i0=1 expected=1 actual=2");
  EXPECT_EQ(Refutation<GapsOfStridedShards>("f32[M] mesh[2] _StridedShard(0,sf=2)", kInBounds),
            "refuted M=5 i0=4 below=3 actual=3");
  EXPECT_EQ(Refutation<OffsetOfNestedShard>("f32[M] mesh[2,2] S(0),S(0)", kInverse),
            "refuted M=5 i0=4 expected=4 actual=5");
}

}  // namespace
}  // namespace layoutcheck
