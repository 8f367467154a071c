// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lemmas of mixed-radix arithmetic. Each is stated once, over names, and used in two ways: a solver proves it as a
// closed statement with real products, quotients and remainders (in lemma_test, and before a proof is reported); and it
// is the template of the instances that certificates consist of.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_LEMMA_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_LEMMA_H_

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
  kEqualProducts,
  kEqualQuotients,
  kEqualRemainders,
};

// The statement that the premises imply the conclusions, for all integers in place of the parameters.
struct Lemma {
  // An instance of another lemma, for these arguments.
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
  // Instances of earlier lemmas from which the lemma follows by linear arithmetic. Empty: it is proved directly.
  std::vector<Use> follows_from = {};
};

// Returns all lemmas, in the order of LemmaId. Their terms belong to LemmaTerms().
std::span<const Lemma> Lemmas();
const Lemma& GetLemma(LemmaId id);
const TermContext& LemmaTerms();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_LEMMA_H_
