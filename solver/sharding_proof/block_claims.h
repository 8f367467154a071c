// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims of the laws of shardings about one strided cut, for all lengths of its blocks. A size is written as
// full * block + rest with 0 <= rest < block, and so is an index in it: the prover then sees no quotient by a name but
// those by the number of parts. Division with remainder gives each size and each index this form, and each index in a
// part, which has one chunk of each block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"

namespace layoutcheck {

// Claims about one domain.
struct DomainClaims {
  ShardDomain domain;
  std::vector<ShardClaim> claims;
  std::string where;  // words for the domain, such as "full blocks"; empty for a whole dimension
};

// Returns the claims of a law about a cut into this many parts, or into any number of them if that is a name. Requires
// a law about elements, places or sizes.
std::vector<DomainClaims> BlockClaims(ShardingLawId law, const SymbolicSize& parts);

}  // namespace layoutcheck
