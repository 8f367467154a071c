// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims of the laws of shardings about one dimension of an array and its cuts. They are templates over the
// formulas of shardings, so that tests can put wrong formulas in the place of core's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/solver/sharding_proof/documented_sizes.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"

namespace layoutcheck {

// The formulas of core/sharding.
struct CoreShardFormulas {
  template <class Int>
  static std::vector<Int> SizesOf(const ShardCuts<Int>& cuts, const std::vector<Int>& parts) {
    return SizesOfShard<Int>(cuts, parts);
  }
  template <class Int>
  static ShardPlace<Int> PlaceOf(const ShardCuts<Int>& cuts, const std::vector<Int>& coordinate) {
    return layoutcheck::PlaceOf<Int>(cuts, coordinate);
  }
  template <class Int>
  static std::vector<Int> CoordinateOf(const ShardCuts<Int>& cuts, const ShardPlace<Int>& place) {
    return CoordinateOfPlace(cuts, place);
  }
};

// One dimension with its cuts, and the names of the variables of questions about it.
struct CutDimension {
  SymbolicSharding sharding;       // of this dimension alone
  std::string index;               // index of an element
  std::vector<std::string> parts;  // of a place, one per cut
  std::string local;               // index of a place in its part

  CutDimension(SymbolicSharding one, size_t dimension)
      : sharding(std::move(one)), index(StrCat("i", dimension)), local(StrCat("local", dimension)) {
    for (size_t k = 0; k < sharding.mesh.cuts.size(); ++k) {
      parts.push_back(StrCat("part", dimension, k == 0 ? "" : StrCat("_", k)));
    }
  }

  // Returns the domain of the elements.
  ShardDomain Elements() const {
    ShardDomain domain;
    domain.AddNames(sharding, 1);
    domain.AddIndex(index, sharding.dimensions[0]);
    return domain;
  }
  // Returns the domain of the parts and, if `has_local`, the indices in them. Not all values are
  // places: see IsPlace.
  ShardDomain Places(bool has_local) const {
    ShardDomain domain;
    domain.AddNames(sharding, 0);
    for (const std::string& part : parts) domain.AddIndex(part);
    if (has_local) domain.AddIndex(local);
    return domain;
  }
  template <class Int>
  std::vector<Int> PartsAt(const ShardArguments<Int>& at) const {
    std::vector<Int> values;
    for (const std::string& name : parts) values.push_back(at(name));
    return values;
  }
  template <class Int>
  bool AreParts(const ShardArguments<Int>& at) const {
    const ShardCuts<Int> cuts = at.CutsOf(sharding);
    for (size_t k = 0; k < parts.size(); ++k) {
      if (!(at(parts[k]) < cuts.cuts[k].parts)) return false;
    }
    return true;
  }
  template <class Formulas, class Int>
  bool IsPlace(const ShardArguments<Int>& at) const {
    return AreParts(at) && at(local) < Formulas::SizesOf(at.CutsOf(sharding), PartsAt(at))[0];
  }
  template <class Formulas, class Int>
  ShardPlace<Int> PlaceAt(const ShardArguments<Int>& at) const {
    return Formulas::PlaceOf(at.CutsOf(sharding), std::vector<Int>{at(index)});
  }
};

// Returns the claim that the coordinate of the place of an element is its index.
template <class Formulas>
std::vector<ShardClaim> InverseClaims(const ShardDomain& domain, const CutDimension& one) {
  return {domain.Claim(
      "the coordinate of the place of an element", ShardRelation::kEquals,
      [one](const auto& at) { return Formulas::CoordinateOf(at.CutsOf(one.sharding), one.PlaceAt<Formulas>(at))[0]; },
      [one](const auto& at) { return at(one.index); })};
}

// Returns the claims that each part of the place of an element exists, and that the index in it is less than its size.
template <class Formulas>
std::vector<ShardClaim> InBoundsClaims(const ShardDomain& domain, const CutDimension& one) {
  std::vector<ShardClaim> claims;
  claims.push_back(domain.Claim(
      "the index of an element in its part", ShardRelation::kInRange,
      [one](const auto& at) { return one.PlaceAt<Formulas>(at).coordinate[0]; },
      [one](const auto& at) {
        return Formulas::SizesOf(at.CutsOf(one.sharding), one.PlaceAt<Formulas>(at).parts)[0];
      }));
  for (size_t k = 0; k < one.parts.size(); ++k) {
    claims.push_back(domain.Claim(
        "the part of an element", ShardRelation::kInRange,
        [one, k](const auto& at) { return one.PlaceAt<Formulas>(at).parts[k]; },
        [one, k](const auto& at) { return at.CutsOf(one.sharding).cuts[k].parts; }));
  }
  return claims;
}

// Returns the claims that each place is that of an element: its coordinate is in bounds, and the place of the element
// with that coordinate is this place.
template <class Formulas>
std::vector<ShardClaim> OntoClaims(const ShardDomain& domain, const CutDimension& one) {
  const auto holds = [one](const auto& at) { return one.IsPlace<Formulas>(at); };
  const auto coordinate = [one](const auto& at) {
    return Formulas::CoordinateOf(at.CutsOf(one.sharding), {one.PartsAt(at), {at(one.local)}})[0];
  };
  const auto place = [one, coordinate](const auto& at) {
    return Formulas::PlaceOf(at.CutsOf(one.sharding), std::vector{coordinate(at)});
  };
  std::vector<ShardClaim> claims;
  claims.push_back(domain.ClaimWhere("the coordinate of a place", ShardRelation::kInRange, holds, coordinate,
                                     [one](const auto& at) { return at(one.sharding.dimensions[0]); }));
  for (size_t k = 0; k < one.parts.size(); ++k) {
    claims.push_back(domain.ClaimWhere(
        "the part of the element at a place", ShardRelation::kEquals, holds,
        [place, k](const auto& at) { return place(at).parts[k]; },
        [one, k](const auto& at) { return at(one.parts[k]); }));
  }
  claims.push_back(domain.ClaimWhere(
      "the index in its part of the element at a place", ShardRelation::kEquals, holds,
      [place](const auto& at) { return place(at).coordinate[0]; }, [one](const auto& at) { return at(one.local); }));
  return claims;
}

// Returns the claims that the size of each part is the documented one and, where the arrays of all devices are equally
// large, that the part fits its array.
template <class Formulas>
std::vector<ShardClaim> LocalShapeClaims(const ShardDomain& domain, const CutDimension& one) {
  const auto holds = [one](const auto& at) { return one.AreParts(at); };
  const auto size = [one](const auto& at) { return Formulas::SizesOf(at.CutsOf(one.sharding), one.PartsAt(at))[0]; };
  std::vector<ShardClaim> claims;
  claims.push_back(domain.ClaimWhere("the size of a part", ShardRelation::kEquals, holds, size, [one](const auto& at) {
    const auto cuts = at.CutsOf(one.sharding);
    auto documented = cuts.dimensions[0];
    for (size_t k = 0; k < cuts.cuts.size(); ++k) {
      documented = DocumentedShardSizes::Part(documented, cuts.cuts[k], at(one.parts[k]));
    }
    return documented;
  }));
  if (one.sharding.mesh.sizes != ShardSizes::kPadded) return claims;
  claims.push_back(domain.ClaimWhere("the size of a part", ShardRelation::kInRange, holds, size, [one](const auto& at) {
    const auto cuts = at.CutsOf(one.sharding);
    auto allocated = cuts.dimensions[0];
    for (const auto& cut : cuts.cuts) {
      allocated = cut.length ? *cut.length : DocumentedShardSizes::ChunkLength(allocated, cut.parts);
    }
    return allocated + at(SymbolicSize{{}, 1});
  }));
  return claims;
}

}  // namespace layoutcheck
