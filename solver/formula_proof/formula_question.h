// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A question about a formula or C++ function: is it the linear index of a layout, or equal to another formula, for
// every index and all values of the names that satisfy the assumptions?
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/name_ranges.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

// The texts of a question.
struct FormulaRequest {
  std::string layout;  // text in the notation of symbolic_layout.h; empty for none
  std::string formula;
  std::optional<std::string> equals;  // the other formula; none to compare with the layout's linear index
  std::vector<std::string> assumptions;
  std::vector<std::string> more_names;  // names beside those of the layout
  std::string over;                     // the domain without a layout, "i0 < M, i1 < 2 * N"; empty for all indices
  // Names that are allowed without a layout, besides i0, i1, ... and d0, d1, ...; unset allows any.
  std::optional<std::vector<std::string>> known_names = std::nullopt;
  const char* equals_option = "--equals";  // option that gave `equals`, for messages
  size_t component = 0;           // number of the component that the question is about if `formula` is "(F0, F1)"
  std::string strided = {};       // shape:stride layout from which `over` was made; empty for none
  bool equals_is_offset = false;  // `equals` was made from `strided`, too
  // Names that may be negative. All others are >= 0.
  std::vector<std::string> signed_names = {};
  // Number of bytes of the array that `over` was made from, with elements of one byte, as a formula; empty for none.
  std::string extent = {};
};

struct FormulaVariable {
  enum class Kind : uint8_t { kDimension, kTileSize, kIndex };
  // The smallest value of a name that may be negative: no bound but that of points.
  static constexpr int64_t kNoLeast = std::numeric_limits<int64_t>::min();

  std::string name;
  Kind kind;
  int64_t least = 0;  // smallest value: 1 for a tile size and for a dimension that has an index

  bool IsSigned() const { return least == kNoLeast; }
};

// A size: the value of a variable, or a number.
struct FormulaSize {
  std::optional<size_t> variable;  // index in FormulaQuestion::variables
  int64_t number = 0;              // the size if there is no variable

  int64_t At(const std::vector<int64_t>& point) const { return variable ? point[*variable] : number; }
};

// An index variable and its size (the index is less); no size if the question does not name that dimension.
struct FormulaIndex {
  size_t variable;
  std::optional<FormulaSize> size;
};

struct FormulaQuestion {
  // A formula whose names are variables of the question or numbers.
  struct BoundFormula {
    Formula formula;
    std::vector<FormulaSize> names;  // value of each of formula.names
    // A function in place of the formula, if it is set: `names` are its arguments and formula.text is its name.
    SymbolicFunction function = {};
    std::vector<int64_t> function_numbers = {};  // numbers in the code of the function
    bool function_has_state = false;             // two calls with the same arguments gave different results
  };

  std::optional<SymbolicLayout> layout;
  BoundFormula formula;
  std::optional<BoundFormula> equals;
  // The components of a tuple after the first, each as a pair of the two sides. Only for claims about all components.
  std::vector<std::pair<BoundFormula, BoundFormula>> more_components = {};
  std::vector<BoundFormula> assumptions;
  // Dimensions and tile sizes, in the order of the layout or else of the formulas, followed by the indices.
  std::vector<FormulaVariable> variables;
  std::vector<FormulaIndex> indices;

  // Returns the names of the dimensions and tile sizes.
  std::vector<std::string> names() const;
  // Returns the values that these names stand for.
  NameRanges ranges() const;
};

// Parses and binds the texts. Names are i0, i1, ... (the index), d0, d1, ... (the dimensions) and those of the layout.
// Without a layout every other name is a dimension, unless it is one of the signed names. Errors: those of the parsers
// after the name of the text ("--formula: column 3: ..."); an unknown name, with its column; tuples of different sizes.
Expected<FormulaQuestion> MakeFormulaQuestion(const FormulaRequest& request);

// Returns a question about two indices of the domain, i0, i1, ... and j0, j1, ...: `formula` is evaluated at i and
// `equals` at j, and so are the first and the second of each pair of `more_components`.
// Errors: those of MakeFormulaQuestion; neither a layout nor `over`; another formula.
Expected<FormulaQuestion> MakeInjectivityQuestion(const FormulaRequest& request);

// Returns the condition that request.extent is at most `max_bytes`. Requires an extent and a number that fits int64.
std::string ExtentAssumption(const FormulaRequest& request, Int128 max_bytes);

// Returns why the assumption, which is a function, is refused: "an assumption has to be a formula, and f is a
// function".
std::string NoAssumptionText(const FormulaQuestion::BoundFormula& assumption);

// Returns the number of components of request.formula. Errors: those of the parser.
Expected<size_t> ComponentCount(const FormulaRequest& request);

}  // namespace layoutcheck
