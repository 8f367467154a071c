// The numbers near which a formula is likely to change its mind.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_DICTIONARY_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_DICTIONARY_H_

#include <cstdint>
#include <vector>

#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

struct FormulaDictionary {
  // The constants >= 2 of the layout's tiles and dimensions and of the formulas, ascending.
  std::vector<int64_t> constants;
  // Those below 2^16 and their small multiples: sizes of tiles, as the formulas see them.
  std::vector<int64_t> tiles;
  // Values for sizes and indices, ascending: the constants, their products, quotients, divisors and roots, powers of
  // two, primes, each with its neighbors. All in [0, 2^62].
  std::vector<int64_t> values;
};

FormulaDictionary MakeFormulaDictionary(const FormulaQuestion& question);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_DICTIONARY_H_
