// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lemmas of mixed-radix arithmetic, each stated once over names. A solver proves each as a closed statement with
// real products, quotients and remainders (in lemma_test, and before a proof is reported), and certificates consist of
// instances.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

enum class LemmaId : uint8_t {
  kEuclid,
  kRadixCut,
  kRadixMajor,
  kRadixMinor,
  kUniqueQuotient,
  kUniqueRemainder,
  kRadixLowerBound,
  kRadixUpperBound,
  kSplitInBox,
  kCeilBounds,
  kCeilPositive,
  kOnto,
  kPositiveProduct,
  kMonotoneProduct,
  kSmallerFactor,
  kEqualProducts,
  kEqualQuotients,
  kEqualRemainders,
  kEvenSquare,
};

// The statement that the premises imply the conclusions for all integer values of the parameters.
struct Lemma {
  struct Use {
    LemmaId lemma;
    std::vector<Term> arguments;
  };

  LemmaId id;
  const char* name;      // "K7"
  const char* sentence;  // the statement in words
  std::vector<std::string> parameters;
  std::vector<TermRelation> premises;
  std::vector<TermRelation> conclusions;
  // Instances of earlier lemmas that imply this one by linear arithmetic. Empty if it is proved directly.
  std::vector<Use> follows_from = {};
};

// Returns all lemmas in the order of LemmaId. LemmaTerms() owns their terms.
std::span<const Lemma> Lemmas();
const Lemma& GetLemma(LemmaId id);
const TermContext& LemmaTerms();

}  // namespace layoutcheck
