// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/text_novelty.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/differential/differential.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/fuzz/differential/text_source.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

// Returns how the reference reads a text, without what varies between texts.
std::string ReadingOf(TextKind kind, std::string_view text) {
  const auto canonical = CanonicalText(kind, text);
  return canonical ? "accepted"
                   : StrCat(ErrorKindName(canonical.error().kind), " ", WithoutDetails(canonical.error().message));
}

// Notes how the reference reads each text that is not too long to be kept.
class NotesReadings final : public ReferenceSubject {
 public:
  explicit NotesReadings(TextKind kind) : kind_(kind) {}
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    constexpr size_t kLongestKept = 400;
    if (text.size() <= kLongestKept) readings.insert(ReadingOf(kind_, text));
    return ReferenceSubject::Parse(kind, text);
  }
  std::set<std::string> readings;

 private:
  TextKind kind_;
};

TEST(TextNovelty, AFewHundredTextsOfARunShowAllThatItsTextsShow) {
  for (const TextKind kind : {TextKind::kShape, TextKind::kLayout, TextKind::kInstruction}) {
    NotesReadings subject(kind);
    FuzzOptions options;
    options.kind = kind;
    options.cases = kind == TextKind::kShape ? 20000 : 4000;
    std::vector<std::string> kept;
    options.on_new_text = [&](const std::string& text) { kept.push_back(text); };
    const FuzzSummary summary = FuzzSubject(subject, options);
    EXPECT_EQ(summary.cases, *options.cases);
    EXPECT_LT(kept.size(), 1000) << TextKindName(kind);
    EXPECT_GT(kept.size(), 100) << TextKindName(kind);
    std::set<std::string> readings;
    for (const std::string& text : BuiltInTexts(kind)) readings.insert(ReadingOf(kind, text));
    for (const std::string& text : kept) readings.insert(ReadingOf(kind, text));
    for (const std::string& reading : subject.readings) EXPECT_TRUE(readings.contains(reading)) << reading;

    // A run that starts from them keeps little more.
    options.corpus = kept;
    options.cases = 2000;
    kept.clear();
    FuzzSubject(subject, options);
    EXPECT_LT(kept.size(), options.corpus.size() / 2) << TextKindName(kind);
  }
}

TEST(TextNovelty, EachFeatureIsNewOnce) {
  TextNovelty novelty(TextKind::kShape);
  for (const char* text : {"f32[]", "f32[2]", "f32[2]{0}", "bf16[2]{0}", "f32[9]{0}", "f32[2,3]{1,0}", "f32[2]{"}) {
    EXPECT_TRUE(novelty.Add(text, "right")) << text;
    EXPECT_FALSE(novelty.Add(text, "right")) << text;
  }
  EXPECT_FALSE(novelty.Add("f32[3]{0}", "right"));
  EXPECT_TRUE(novelty.Add("f32[3]{0}", "loses-field"));
  EXPECT_FALSE(novelty.Add("f32[2]{0}", "loses-field"));
}

}  // namespace
}  // namespace layoutcheck
