// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/block_claims.h"
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/dimension_cut.h"
#include "layoutcheck/solver/sharding_proof/documented_sizes.h"

namespace layoutcheck {
namespace {

// The kind of block that a claim is about. A claim about an element or a place is about the block that holds it.
enum class BlockKind : uint8_t {
  kFull,  // the array has a full block, and perhaps a last one that is not full
  kLast,  // the array has a last block that is not full and not empty, and perhaps full ones
};

// The values of the names of a question about blocks.
template <class Int>
struct BlockValues {
  Int block;  // number of elements per block
  Int full;   // number of full blocks
  Int rest;   // number of elements of the last block, which is not full
  Int parts;
  Int size;
  Int number;  // number of the element's block
  Int at;      // index of the element in its block, or of a place in its chunk of the block
};

// Returns the part of the element at this index of an array in chunks.
template <class Int>
Int PartInChunks(const Int& size, const Int& parts, const Int& index) {
  return PlaceInPart(size, {0, parts, Int(1)}, index).part;
}

class BlockClaimMaker {
 public:
  BlockClaimMaker(const SymbolicSize& parts, BlockKind kind)
      : parts_(parts.name.empty() ? parts : SymbolicSize{"parts", 0}), kind_(kind) {}

  // Returns the claims of the laws shard-inverse and shard-in-bounds about the elements of such blocks.
  DomainClaims OfElements(ShardingLawId law) const {
    ShardDomain domain = Blocks();
    domain.AddIndex("at", {kind_ == BlockKind::kFull ? "block" : "rest", 0});
    const auto index = [*this](const auto& at) {
      const auto v = ValuesAt(at);
      return v.number * v.block + v.at;
    };
    const auto place = [*this, index](const auto& at) {
      const auto v = ValuesAt(at);
      return PlaceInBlocks(v.size, v.block, v.parts, index(at));
    };
    std::vector<ShardClaim> claims;
    if (law == ShardingLawId::kInverse) {
      claims.push_back(domain.Claim(
          "the index of the place of an element", ShardRelation::kEquals,
          [*this, place](const auto& at) {
            const auto v = ValuesAt(at);
            return IndexInBlocks(v.size, v.block, v.parts, place(at));
          },
          index));
    } else {
      claims.push_back(domain.Claim(
          "the part of an element", ShardRelation::kEquals, [place](const auto& at) { return place(at).part; },
          [*this](const auto& at) {
            const auto v = ValuesAt(at);
            return PartInChunks(kind_ == BlockKind::kFull ? v.block : v.rest, v.parts, v.at);
          }));
      // The index is that in the chunk of its block, behind the chunks of the blocks before.
      claims.push_back(domain.Claim(
          "the index of an element in its chunk", ShardRelation::kInRange,
          [*this, place](const auto& at) {
            const auto v = ValuesAt(at);
            return place(at).index - v.number * SizeOfChunk(v.block, v.parts, place(at).part);
          },
          [*this, place](const auto& at) {
            const auto v = ValuesAt(at);
            return SizeOfChunk(kind_ == BlockKind::kFull ? v.block : v.rest, v.parts, place(at).part);
          }));
    }
    return {std::move(domain), std::move(claims), Where()};
  }

  // Returns the claims of the law shard-onto about the places of elements of such blocks.
  DomainClaims OfPlaces() const {
    ShardDomain domain = BlocksWithPart();
    domain.AddIndex("at");
    const auto is_place = [*this](const auto& at) {
      const auto v = ValuesAt(at);
      return v.at < SizeOfChunk(kind_ == BlockKind::kFull ? v.block : v.rest, v.parts, at("part"));
    };
    const auto local = [*this](const auto& at) {
      const auto v = ValuesAt(at);
      return v.number * SizeOfChunk(v.block, v.parts, at("part")) + v.at;
    };
    const auto index = [*this, local](const auto& at) {
      const auto v = ValuesAt(at);
      return IndexInBlocks(v.size, v.block, v.parts, {at("part"), local(at)});
    };
    const auto place = [*this, index](const auto& at) {
      const auto v = ValuesAt(at);
      return PlaceInBlocks(v.size, v.block, v.parts, index(at));
    };
    std::vector<ShardClaim> claims;
    claims.push_back(domain.ClaimWhere("the index of a place", ShardRelation::kInRange, is_place, index,
                                       [*this](const auto& at) { return ValuesAt(at).size; }));
    claims.push_back(domain.ClaimWhere(
        "the part of the element at a place", ShardRelation::kEquals, is_place,
        [place](const auto& at) { return place(at).part; }, [](const auto& at) { return at("part"); }));
    claims.push_back(domain.ClaimWhere(
        "the index in its part of the element at a place", ShardRelation::kEquals, is_place,
        [place](const auto& at) { return place(at).index; }, local));
    return {std::move(domain), std::move(claims), Where()};
  }

  // Returns the claim that the size of a part is the sum of the sizes of its chunks.
  DomainClaims OfSizes() const {
    ShardDomain domain = BlocksWithPart();
    std::vector<ShardClaim> claims;
    claims.push_back(domain.Claim(
        "the size of a part", ShardRelation::kEquals,
        [*this](const auto& at) {
          const auto v = ValuesAt(at);
          return SizeInBlocks(v.size, v.block, v.parts, at("part"));
        },
        [*this](const auto& at) {
          const auto v = ValuesAt(at);
          return v.full * SizeOfChunk(v.block, v.parts, at("part")) + SizeOfChunk(v.rest, v.parts, at("part"));
        }));
    return {std::move(domain), std::move(claims), Where()};
  }

  // Returns the claim that the documented size of a part is the sum of the documented sizes of its chunks.
  DomainClaims OfDocumentedSizes() const {
    ShardDomain domain = BlocksWithPart();
    std::vector<ShardClaim> claims;
    claims.push_back(domain.Claim(
        "the documented size of a part", ShardRelation::kEquals,
        [*this](const auto& at) {
          const auto v = ValuesAt(at);
          return DocumentedShardSizes::InBlocks(v.size, v.block, v.parts, at("part"));
        },
        [*this](const auto& at) {
          const auto v = ValuesAt(at);
          return v.full * DocumentedShardSizes::Chunk(v.block, v.parts, at("part")) +
                 DocumentedShardSizes::Chunk(v.rest, v.parts, at("part"));
        }));
    return {std::move(domain), std::move(claims), Where()};
  }

 private:
  // Returns the domain of blocks: all names but those of the element.
  ShardDomain Blocks() const {
    ShardDomain domain;
    domain.AddName("block", 1);
    if (!parts_.name.empty()) domain.AddName(parts_.name, 1);
    domain.AddName("before", 0);
    if (kind_ == BlockKind::kFull) domain.AddName("after", 0);
    domain.AddName("rest", kind_ == BlockKind::kFull ? 0 : 1);
    domain.Assume("rest < block").value();  // the domain has both names
    return domain;
  }

  ShardDomain BlocksWithPart() const {
    ShardDomain domain = Blocks();
    domain.AddIndex("part", parts_);
    return domain;
  }

  const char* Where() const { return kind_ == BlockKind::kFull ? "full blocks" : "last block"; }

  template <class Int>
  BlockValues<Int> ValuesAt(const ShardArguments<Int>& at) const {
    const Int block = at("block");
    const Int before = at("before");
    const Int full = kind_ == BlockKind::kFull ? before + Int(1) + at("after") : before;
    const Int rest = at("rest");
    return {block, full, rest, at(parts_), full * block + rest, before, at.Has("at") ? at("at") : Int(0)};
  }

  SymbolicSize parts_;
  BlockKind kind_;
};

// Returns the claims about chunks of any size that the size of a part in blocks needs: it is the documented one.
DomainClaims ChunkClaims(const SymbolicSize& parts) {
  const SymbolicSize count = parts.name.empty() ? parts : SymbolicSize{"parts", 0};
  ShardDomain domain;
  domain.AddName("size", 0);
  if (!count.name.empty()) domain.AddName(count.name, 1);
  domain.AddIndex("part", count);
  std::vector<ShardClaim> claims;
  claims.push_back(domain.Claim(
      "the size of a chunk", ShardRelation::kEquals,
      [count](const auto& at) { return SizeOfChunk(at("size"), at(count), at("part")); },
      [count](const auto& at) { return DocumentedShardSizes::Chunk(at("size"), at(count), at("part")); }));
  return {std::move(domain), std::move(claims), "chunks"};
}

// Returns the claim that each element of an array in chunks is in one of the parts.
DomainClaims PartClaims(const SymbolicSize& parts) {
  const SymbolicSize count = parts.name.empty() ? parts : SymbolicSize{"parts", 0};
  ShardDomain domain;
  domain.AddName("size", 1);
  if (!count.name.empty()) domain.AddName(count.name, 1);
  domain.AddIndex("at", {"size", 0});
  std::vector<ShardClaim> claims;
  claims.push_back(domain.Claim(
      "the part of an element", ShardRelation::kInRange,
      [count](const auto& at) { return PartInChunks(at("size"), at(count), at("at")); },
      [count](const auto& at) { return at(count); }));
  return {std::move(domain), std::move(claims), "chunks"};
}

// Returns the claim that no chunk has fewer than 0 elements.
DomainClaims ChunkBoundClaims(const SymbolicSize& parts) {
  DomainClaims asked = ChunkClaims(parts);
  asked.claims[0].relation = ShardRelation::kInRange;
  asked.claims[0].bound = asked.domain.FunctionOf([](const auto& at) { return at("size") + at(SymbolicSize{{}, 1}); });
  return asked;
}

// Returns the claim that core and the documents cut blocks of one length.
DomainClaims BlockLengthClaims() {
  ShardDomain domain;
  domain.AddName("size", 0);
  domain.AddName("blocks", 1);
  std::vector<ShardClaim> claims;
  claims.push_back(domain.Claim(
      "the length of a block", ShardRelation::kEquals, [](const auto& at) { return CeilDiv(at("size"), at("blocks")); },
      [](const auto& at) { return DocumentedShardSizes::ChunkLength(at("size"), at("blocks")); }));
  return {std::move(domain), std::move(claims), "blocks"};
}

// Returns the claim that an index behind the chunks of the blocks before, and within the chunk of its block, is within
// the sum of all chunks, whatever their sizes are.
DomainClaims SumClaims(BlockKind kind) {
  const bool is_full = kind == BlockKind::kFull;
  ShardDomain domain;
  for (const char* name : {"before", "after", "chunk", "rest"}) domain.AddName(name, 0);
  domain.AddIndex("at", {is_full ? "chunk" : "rest", 0});
  std::vector<ShardClaim> claims;
  claims.push_back(domain.Claim(
      "the index of an element in its part", ShardRelation::kInRange,
      [](const auto& at) { return at("before") * at("chunk") + at("at"); },
      [is_full](const auto& at) {
        const auto full = is_full ? at("before") + at(SymbolicSize{{}, 1}) + at("after") : at("before");
        return full * at("chunk") + at("rest");
      }));
  return {std::move(domain), std::move(claims), is_full ? "sums of full blocks" : "sums of all blocks"};
}

}  // namespace

std::vector<DomainClaims> BlockClaims(ShardingLawId law, const SymbolicSize& parts) {
  const BlockClaimMaker full(parts, BlockKind::kFull);
  const BlockClaimMaker last(parts, BlockKind::kLast);
  switch (law) {
    case ShardingLawId::kInverse: return {full.OfElements(law), last.OfElements(law)};
    case ShardingLawId::kInBounds:
      return {full.OfElements(law),        last.OfElements(law),        full.OfSizes(),          last.OfSizes(),
              SumClaims(BlockKind::kFull), SumClaims(BlockKind::kLast), ChunkBoundClaims(parts), PartClaims(parts)};
    case ShardingLawId::kOnto: return {full.OfPlaces(), last.OfPlaces(), full.OfSizes(), last.OfSizes()};
    default:
      return {full.OfSizes(),           last.OfSizes(),     full.OfDocumentedSizes(),
              last.OfDocumentedSizes(), ChunkClaims(parts), BlockLengthClaims()};
  }
}

}  // namespace layoutcheck
