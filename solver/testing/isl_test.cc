// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the decisions of isl with those of the prover on concrete layouts.
#include <gtest/gtest.h>
#include <cstdio>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/testing/isl_decision.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kMaxOperations = 200'000;

#if defined(LAYOUTCHECK_SANITIZED)
constexpr uint64_t kLayouts = 20;
#else
constexpr uint64_t kLayouts = 120;
#endif

ProofVerdict Verdict(const std::string& layout, const char* law) {
  const auto results = ProveLayout(layout, {law});
  if (!results) ADD_FAILURE() << layout << " " << results.error().ToString();
  return results ? results->front().verdict : ProofVerdict::kUnknown;
}

TEST(Isl, AgreesWithTheProofsAndWithTheOffsetsOnRandomLayouts) {
  const LayoutScope scope{.max_rank = 3,
                          .max_tiles = 2,
                          .max_elements = 600,
                          .max_padded_elements = 4000,
                          .combine = true,
                          .attributes = false};
  int decided = 0;
  int refuted = 0;
  int compared = 0;
  int given_up = 0;
  for (uint64_t seed = 0; seed < kLayouts; ++seed) {
    RandomChoices choices(20261121, seed);
    const Shape shape = DrawLayout(choices, scope);
    const std::string text = ToString(shape);
    const TiledLayout layout = *TiledLayoutOf(shape);
    const auto decision = DecideWithIsl(layout, kMaxOperations);
    if (!decision) {
      ++given_up;
      continue;
    }
    ++decided;
    EXPECT_TRUE(decision->injective) << text;
    EXPECT_TRUE(decision->in_bounds) << text;
    const bool onto = Verdict(text, "onto-padded-box") == ProofVerdict::kProved;
    EXPECT_EQ(decision->onto_padded_box, onto) << text;
    refuted += onto ? 0 : 1;
    EXPECT_EQ(Verdict(text, "injective"), ProofVerdict::kProved) << text;
    EXPECT_EQ(Verdict(text, "in-bounds"), ProofVerdict::kProved) << text;
    const std::vector<int64_t> offsets = *AllOffsets(shape);
    for (size_t k = 0; k < 5 && !offsets.empty(); ++k) {
      size_t element = choices.Choose(offsets.size());
      const int64_t expected = offsets[element];
      std::vector<int64_t> index(layout.dimensions.size());
      for (size_t d = index.size(); d-- > 0;) {
        const auto size = static_cast<size_t>(layout.dimensions[d]);
        index[d] = static_cast<int64_t>(element % size);
        element /= size;
      }
      EXPECT_EQ(OffsetByIsl(layout, index), expected) << text;
      ++compared;
    }
  }
  std::printf(
      "%d layouts, 0 disagreements: isl and the prover on injective, in-bounds and onto-padded-box (%d refuted), and "
      "%d offsets; isl gave up on %d\n",
      decided, refuted, compared, given_up);
  EXPECT_LT(given_up, static_cast<int>(kLayouts) / 10);
}

TEST(Isl, DecidesTheLayoutWithMoreElementsThanCanBeCounted) {
  const char* const text = "f32[1048583,1048589]{1,0:T(8,128)}";
  const auto decision = DecideWithIsl(*TiledLayoutOf(*ParseShape(text)), kMaxOperations);
  ASSERT_TRUE(decision.has_value());
  EXPECT_TRUE(decision->injective);
  EXPECT_TRUE(decision->in_bounds);
  EXPECT_TRUE(decision->onto_padded_box);
}

}  // namespace
}  // namespace layoutcheck
