// What the laws of a linear index say of one layout, as certificates: for all values of its names.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_OBLIGATIONS_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_OBLIGATIONS_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

// A law with a symbolic form; the names are those of `layoutcheck laws`.
enum class SymbolicLawId : uint8_t {
  kInjective,
  kInBounds,
  kOntoPaddedBox,
  kInverse,
  kPaddingMinimal,
  kEqualsPadReshapeTranspose,
  kEqualsMixedRadix,
  kEqualsHlo,
};

struct SymbolicLaw {
  SymbolicLawId id;
  std::string_view name;
  std::string_view statement;
};

// Those of an XLA layout, in the order of SymbolicLawId; of a fractal layout also kEqualsHlo, the last one.
std::span<const SymbolicLaw> SymbolicLaws(bool of_fractal = false);

// One statement with its certificate.
struct Obligation {
  std::string part;  // what part of the law it is: "every index", "M = 0"
  std::unique_ptr<Certificate> certificate;
  std::string failure;  // why no certificate was found; empty if one was
};

// The obligations that together are the law, for the layout and all values of its names: one for arrays without a
// dimension of size 0 and one for each dimension that may be 0. A law about an index needs no other: an index exists
// only where no dimension is 0. A law of a fractal layout is that of its XLA layout, and that both are equal.
std::vector<Obligation> MakeObligations(const SymbolicLayout& layout, SymbolicLawId law);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_OBLIGATIONS_H_
