// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast evaluator of a tiled index.
#ifndef LAYOUTCHECK_CORE_TILING_FOLDED_INDEX_H_
#define LAYOUTCHECK_CORE_TILING_FOLDED_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/divisor.h"
#include "layoutcheck/core/tiling/tiled_index_program.h"

namespace layoutcheck {

// The linear index as a weighted sum of the logical index and the quotients. A remainder is its dividend minus a
// multiple of the quotient, so the remainders are folded into the weights, and a remainder is computed only where a
// later step uses it. Divisors are prepared once per layout.
template <class Int>
class FoldedIndex {
 public:
  explicit FoldedIndex(const TiledIndexProgram<Int>& program) : zero_(program.zero) {
    std::vector<Weight> weights(program.value_count, Weight(0));
    std::vector<bool> is_operand(program.value_count);
    for (const auto& [value, stride] : program.summands) weights[value] = weights[value] + static_cast<Weight>(stride);
    steps_.reserve(program.steps.size());
    for (size_t k = program.steps.size(); k-- > 0;) {
      const auto& [combine, a, b, result, size] = program.steps[k];
      Step step{combine, is_operand[result + (combine ? 0 : 1)], a,        b, result,
                size,    Divisor<Int>(combine ? Int(1) : size),  Weight(0)};
      is_operand[a] = true;
      if (combine) {
        is_operand[b] = true;
        weights[a] = weights[a] + weights[result] * static_cast<Weight>(size);
        weights[b] = weights[b] + weights[result];
      } else {
        weights[a] = weights[a] + weights[result + 1];
        step.weight = weights[result] - weights[result + 1] * static_cast<Weight>(size);
      }
      steps_.push_back(std::move(step));
    }
    std::ranges::reverse(steps_);
    weights.resize(program.rank, Weight(0));
    weights_ = std::move(weights);
  }

  // Returns the linear index of a logical index. `values` is scratch space for value_count values of the program.
  Int Evaluate(std::span<const Int> index, Int* values) const {
    Weight sum = Weight(0);
    for (size_t d = 0; d < weights_.size(); ++d) {
      values[d] = index[d];
      sum = sum + static_cast<Weight>(index[d]) * weights_[d];
    }
    if (zero_) values[*zero_] = Int(0);
    for (const Step& step : steps_) {
      if (step.combine) {
        values[step.result] = values[step.a] * step.size + values[step.b];
        continue;
      }
      const Int quotient = step.divisor.Quotient(values[step.a]);
      if (step.needs_remainder) values[step.result + 1] = step.divisor.Remainder(values[step.a], quotient);
      values[step.result] = quotient;
      sum = sum + static_cast<Weight>(quotient) * step.weight;
    }
    return static_cast<Int>(sum);
  }

 private:
  // Coefficient type of the folded sum. Unsigned for plain integers: a coefficient may wrap modulo 2^64 although no
  // linear index does.
  using Weight = std::conditional_t<std::is_same_v<Int, int64_t>, uint64_t, Int>;

  // A step of the program, with its part in the sum.
  struct Step {
    bool combine;
    bool needs_remainder;  // a later step uses the remainder
    size_t a;
    size_t b;
    size_t result;
    Int size;
    Divisor<Int> divisor;
    Weight weight;  // of the quotient
  };

  std::optional<size_t> zero_;
  std::vector<Step> steps_;
  std::vector<Weight> weights_;  // one per logical dimension
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_FOLDED_INDEX_H_
