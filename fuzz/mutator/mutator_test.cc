// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/mutator.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/fuzz/mutator/breakage.h"
#include "layoutcheck/fuzz/mutator/spelling.h"
#include "layoutcheck/fuzz/mutator/value_mutation.h"
#include "layoutcheck/fuzz/text/text_properties.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kRealLayout = "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}";

TEST(MutatorTest, EverySpellingOfAValidShapeIsReadBack) {
  constexpr int kShapes = 100000;
  Random random(7);
  int valid = 0;
  std::set<std::string> canonical;
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = RandomShape(random, 24);
    if (!ValidateShape(shape, MissingLayout::kRejected)) continue;
    const std::string text = Spell(shape, random);
    const auto read = ParseShape(text);
    ASSERT_TRUE(read.has_value()) << text << ": " << read.error().ToString();
    ASSERT_EQ(ToString(*read), ToString(shape)) << text;
    canonical.insert(ToString(shape));
    ++valid;
  }
  std::printf("%d shapes, %d valid, %zu different\n", kShapes, valid, canonical.size());
  EXPECT_GT(canonical.size(), static_cast<size_t>(kShapes) / 4);
}

TEST(MutatorTest, ChangesKeepMostTextsWellFormed) {
  constexpr int kTexts = 20000;
  Random random(8);
  int accepted = 0;
  int syntax = 0;
  int changed = 0;
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = MutateText(TextKind::kShape, kRealLayout, random);
    const auto canonical = CanonicalText(TextKind::kShape, text);
    accepted += canonical.has_value();
    syntax += !canonical && canonical.error().kind == ErrorKind::kSyntax;
    changed += !canonical || *canonical != kRealLayout;
  }
  std::printf("%d changed texts: %d accepted, %d malformed, %d invalid layouts\n", kTexts, accepted, syntax,
              kTexts - accepted - syntax);
  EXPECT_GT(accepted, kTexts / 3);
  EXPECT_GT(syntax, kTexts / 10);
  EXPECT_GT(kTexts - accepted - syntax, kTexts / 50);
  EXPECT_GT(changed, kTexts * 3 / 4);
}

TEST(MutatorTest, SameSeedSameTexts) {
  Random one(9);
  Random other(9);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(RandomText(TextKind::kShape, one), RandomText(TextKind::kShape, other));
    EXPECT_EQ(MutateText(TextKind::kLayout, "{1,0:T(8,128)S(1)}", one),
              MutateText(TextKind::kLayout, "{1,0:T(8,128)S(1)}", other));
  }
}

// Mutating takes linear time, even for a text nested 20000 levels deep.
TEST(MutatorTest, BreaksDeeplyNestedAttributesAtOnce) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "f32[2]{0:P(";
  Random random(11);
  const auto start = std::chrono::steady_clock::now();
  size_t longest = 0;
  for (int i = 0; i < 32; ++i) longest = std::max(longest, BreakText(text, random).size());
  EXPECT_GT(longest, text.size());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

// A layout of rank 3 with two tiles and a memory space appears soon; byte mutations took 38 million executions.
TEST(MutatorTest, ReachesACombinationOfFeaturesWithinTwoThousandTexts) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    std::string text = "f32[4]{0}";
    int texts = 0;
    for (; texts < 2000; ++texts) {
      std::string next =
          random.OneIn(4) ? RandomText(TextKind::kShape, random) : MutateText(TextKind::kShape, text, random);
      const auto shape = ParseShape(next);
      if (!shape) continue;
      if (shape->rank() == 3 && shape->layout && shape->layout->tiles.size() == 2 && shape->layout->memory_space != 0)
        break;
      if (shape->IsArray()) text = std::move(next);
    }
    EXPECT_LT(texts, 2000) << "seed " << seed;
  }
}

TEST(MutatorTest, PropertiesHoldForChangedTexts) {
#if defined(LAYOUTCHECK_SANITIZED)
  constexpr int kTexts = 20000;
#else
  constexpr int kTexts = 300000;
#endif
  constexpr std::string_view kSeeds[] = {
      kRealLayout, "(f32[2,<=3,?]{1,0,2:T(*,8)L(4)E(32)S(1)M(8)}, token[], b(u8[4]{0:SC(0:1,2)}))",
      "s4[]{:T(64,128)(8,1)E(4)}",
      "%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} "
      "%fusion.32), kind=kCustom, calls=%all-reduce-scatter.3"};
  Random random(10);
  for (const TextKind kind : {TextKind::kShape, TextKind::kLayout, TextKind::kInstruction}) {
    std::string text;
    int accepted = 0;
    for (int i = 0; i < kTexts; ++i) {
      if (i % 16 == 0)
        text = kind == TextKind::kShape && i % 32 == 0 ? std::string(random.Pick(kSeeds)) : RandomText(kind, random);
      std::string next =
          random.OneIn(16) ? CrossTexts(kind, text, RandomText(kind, random), random) : MutateText(kind, text, random);
      const auto broken = BrokenTextProperty(kind, next);
      ASSERT_EQ(broken, std::nullopt) << *broken << ": '" << next << "'";
      accepted += CanonicalText(kind, next).has_value();
      if (next.size() < 500) text = std::move(next);
    }
    std::printf("%d changed texts of a %s, %d accepted\n", kTexts, std::string(TextKindName(kind)).c_str(), accepted);
    EXPECT_GT(accepted, kTexts / 20);
  }
}

}  // namespace
}  // namespace layoutcheck
