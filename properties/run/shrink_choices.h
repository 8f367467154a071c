// Shrinking on the choice sequence, for cases that are drawn as a whole (algebra_law.h): a shorter or smaller sequence
// of choices is a simpler case.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_SHRINK_CHOICES_H_
#define LAYOUTCHECK_PROPERTIES_RUN_SHRINK_CHOICES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace layoutcheck {

// Draws from these choices; nothing where the case does not fail, otherwise the choices that the generator really took
// (at most as many as it was given, and each within its bound).
using FailingChoices = std::function<std::vector<uint64_t>(std::span<const uint64_t> choices, bool& fails)>;

struct ShrunkChoices {
  std::vector<uint64_t> choices;
  int64_t evaluations = 0;
};

// The simplest failing sequence found from `choices`, which must fail: shorter is simpler, and among equally long ones
// the lexicographically smaller. Takes away blocks, sets choices to 0, bisects them towards 0, and lowers one while
// taking away what follows, until nothing helps or `max_evaluations` are spent.
ShrunkChoices ShrinkChoices(std::vector<uint64_t> choices, const FailingChoices& evaluate, int64_t max_evaluations);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_SHRINK_CHOICES_H_
