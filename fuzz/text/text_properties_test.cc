// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/text_properties.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {
namespace {

TEST(TextPropertiesTest, HoldForNestingUpToAndPastTheLimit) {
  for (const size_t depth : {size_t{8191}, size_t{8192}, size_t{8193}, size_t{100000}}) {
    for (const std::string& text : {std::string(depth, '('), std::string(depth, '(') + std::string(depth, ')'),
                                    std::string(depth, '(') + "f32[]" + std::string(depth, ')')}) {
      EXPECT_EQ(BrokenTextProperty(TextKind::kShape, text), std::nullopt) << depth;
    }
  }
}

TEST(TextPropertiesTest, HoldForRandomTextsOverTheAlphabetOfTheGrammar) {
  const int texts = 1'000'000 / static_cast<int>(EveryNth(2, 8));
  constexpr std::string_view kAlphabet = "f32su8bpred[](){}:,*?<=TLESCMDP#0123456789-+ /\n\t\"%._\0\x80";
  Random random(20);
  int64_t accepted = 0;
  for (int i = 0; i < texts; ++i) {
    std::string text(random.Index(24), ' ');
    for (char& c : text) c = kAlphabet[random.Index(kAlphabet.size())];
    for (const TextKind kind : {TextKind::kShape, TextKind::kLayout}) {
      const auto broken = BrokenTextProperty(kind, text);
      ASSERT_EQ(broken, std::nullopt) << *broken << ": '" << text << "'";
      accepted += CanonicalText(kind, text).has_value();
    }
  }
  std::printf("%d random texts as shapes and layouts, %ld accepted\n", texts, static_cast<long>(accepted));
}

}  // namespace
}  // namespace layoutcheck
