// The lemmas of mixed-radix arithmetic: each stated once, over names, and used in two ways. As a closed statement with
// real products, quotients and remainders it is proved by a solver (lemma_test, and before a proof is reported); as a
// template it gives the ground instances that a certificate is made of.
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

// premises => conclusions, for all integers that the parameters stand for.
struct Lemma {
  // An instance of another lemma.
  struct Use {
    LemmaId lemma;
    std::vector<Term> arguments;
  };

  LemmaId id;
  const char* name;      // "K7"
  const char* sentence;  // what it says
  std::vector<std::string> parameters;
  std::vector<TermRelation> premises;
  std::vector<TermRelation> conclusions;
  // Instances of earlier lemmas from which it follows by linear arithmetic; none where it is proved directly.
  std::vector<Use> follows_from = {};
};

// All lemmas, in the order of LemmaId. The terms belong to LemmaTerms().
std::span<const Lemma> Lemmas();
const Lemma& GetLemma(LemmaId id);
const TermContext& LemmaTerms();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_LEMMA_H_
