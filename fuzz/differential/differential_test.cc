// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/differential.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

using ParseFunction = std::function<Answer<ParseAnswer>(std::string_view)>;

class WrongParser final : public Subject {
 public:
  explicit WrongParser(ParseFunction parse) : parse_(std::move(parse)) {}
  const SubjectInfo& info() const override { return info_; }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    if (kind != "shape") return Declined{"shapes only"};
    return parse_(text);
  }

 private:
  SubjectInfo info_{"wrong", "1", {}, {}, {}};
  ParseFunction parse_;
};

ParseAnswer Rejected(std::string why) { return {false, "", std::move(why)}; }

ParseAnswer Reference(std::string_view text) {
  const auto canonical = CanonicalText(TextKind::kShape, text);
  return canonical ? ParseAnswer{true, *canonical, ""} : Rejected(canonical.error().ToString());
}

ParseFunction Changes(std::function<void(Shape&)> change) {
  return [change](std::string_view text) -> Answer<ParseAnswer> {
    Expected<Shape> shape = ParseShape(text);
    if (!shape) return Rejected(shape.error().ToString());
    std::function<void(Shape&)> change_all = [&](Shape& part) {
      change(part);
      if (part.elements.size() > 50) return;
      for (Shape& element : part.elements) change_all(element);
    };
    if (text.size() < 1000) change_all(*shape);
    return ParseAnswer{true, ToString(*shape), ""};
  };
}

ParseFunction ChangesLayout(std::function<void(Layout&)> change) {
  return Changes([change](Shape& shape) {
    if (shape.layout) change(*shape.layout);
  });
}

ParseFunction Rejects(std::string part) {
  return [part](std::string_view text) -> Answer<ParseAnswer> {
    return text.find(part) != std::string_view::npos ? Rejected("unexpected character") : Reference(text);
  };
}

// Returns a parser that accepts texts which the reference rejects with this message and reads them as f32[].
ParseFunction Accepts(std::string message) {
  return [message](std::string_view text) -> Answer<ParseAnswer> {
    const auto canonical = CanonicalText(TextKind::kShape, text);
    if (!canonical && canonical.error().message.find(message) != std::string::npos)
      return ParseAnswer{true, "f32[]", ""};
    return Reference(text);
  };
}

// Returns a parser that fails for values with this property.
ParseFunction FailsWhere(std::function<bool(const Shape&)> applies, Failed::Kind kind) {
  return [=](std::string_view text) -> Answer<ParseAnswer> {
    const Expected<Shape> shape = ParseShape(text);
    if (shape && applies(*shape))
      return Failed{kind, kind == Failed::Kind::kCrash ? "killed by signal 6" : "no answer"};
    return Reference(text);
  };
}

struct PlantedFault {
  std::string name;
  ParseFunction parse;
  std::vector<TextFault> expected;  // one of these
  size_t longest_text;              // of the smallest finding, in bytes
};

std::vector<PlantedFault> PlantedFaults() {
  const auto find_before_parse = [](std::string_view needle, Failed::Kind kind) {
    return [needle, kind](std::string_view text) -> Answer<ParseAnswer> {
      if (text.find(needle) != std::string_view::npos) return Failed{kind, "no answer"};
      return Reference(text);
    };
  };
  return {
      {"drops E", ChangesLayout([](Layout& l) { l.element_size_in_bits = 0; }), {TextFault::kLosesField}, 12},
      {"drops S", ChangesLayout([](Layout& l) { l.memory_space = 0; }), {TextFault::kLosesField}, 12},
      {"drops L",
       ChangesLayout([](Layout& l) { l.tail_padding_alignment_in_elements = 1; }),
       {TextFault::kLosesField},
       12},
      {"drops SC", ChangesLayout([](Layout& l) { l.split_configs.clear(); }), {TextFault::kLosesField}, 16},
      {"drops M",
       ChangesLayout([](Layout& l) { l.dynamic_shape_metadata_prefix_bytes = 0; }),
       {TextFault::kLosesField},
       12},
      {"keeps one tile",
       ChangesLayout([](Layout& l) {
         if (l.tiles.size() > 1) l.tiles.resize(1);
       }),
       {TextFault::kLosesField},
       16},
      {"forgets dynamic bounds",
       Changes([](Shape& s) {
         s.dynamic_dimensions.assign(s.dimensions.size(), false);
         if (s.rank() > 0 && s.dimensions[0] < 0) s.dimensions[0] = 0;
       }),
       {TextFault::kLosesField},
       12},
      {"order reversed",
       ChangesLayout([](Layout& l) { std::ranges::reverse(l.minor_to_major); }),
       {TextFault::kNotIdempotent},
       16},
      {"E in 16 bits",
       ChangesLayout([](Layout& l) { l.element_size_in_bits = static_cast<int16_t>(l.element_size_in_bits); }),
       {TextFault::kWrongText, TextFault::kLosesField, TextFault::kNotIdempotent},
       17},
      {"dimensions in 32 bits",
       Changes([](Shape& s) {
         for (int64_t& d : s.dimensions)
           if (d > 0) d &= 0x7fffffff;
       }),
       {TextFault::kWrongText, TextFault::kLosesField, TextFault::kNotIdempotent},
       20},
      {"S in 8 bits",
       ChangesLayout([](Layout& l) { l.memory_space = static_cast<int8_t>(l.memory_space); }),
       {TextFault::kWrongText, TextFault::kLosesField, TextFault::kNotIdempotent},
       14},
      {"no comments", Rejects("/*"), {TextFault::kRejectsValid}, 10},
      {"no tabs", Rejects("\t"), {TextFault::kRejectsValid}, 7},
      {"no *", Rejects("*,"), {TextFault::kRejectsValid}, 14},
      {"no buffers", Rejects("b("), {TextFault::kRejectsValid}, 9},
      {"no empty tuples", Rejects("()"), {TextFault::kRejectsValid}, 2},
      {"text after the shape", Accepts("expected end of text"), {TextFault::kAcceptsMalformed}, 7},
      {"missing parenthesis", Accepts("expected ',' or ')' in the tile"), {TextFault::kAcceptsMalformed}, 12},
      {"attributes out of order", Accepts("or a later attribute"), {TextFault::kAcceptsMalformed}, 14},
      {"integers past int64", Accepts("outside int64"), {TextFault::kAcceptsMalformed}, 24},
      {"negative dimensions", Accepts("a dimension (an integer >= 0"), {TextFault::kAcceptsMalformed}, 6},
      {"duplicate order", Accepts("duplicate values"), {TextFault::kAcceptsInvalidLayout}, 14},
      {"order out of bounds", Accepts("out-of-bounds value"), {TextFault::kAcceptsInvalidLayout}, 11},
      {"T(0)", Accepts("must be positive"), {TextFault::kAcceptsInvalidLayout}, 12},
      {"T()", Accepts("has no dimensions"), {TextFault::kAcceptsInvalidLayout}, 12},
      {"overflow of dimensions", Accepts("Dimensions overflow"), {TextFault::kAcceptsInvalidLayout}, 30},
      {"unordered splits", Accepts("strictly increasing"), {TextFault::kAcceptsInvalidLayout}, 17},
      {"deep nesting", find_before_parse("((((((((((((((((((((", Failed::Kind::kCrash), {TextFault::kCrash}, 20},
      {"NUL", find_before_parse(std::string_view("\0", 1), Failed::Kind::kCrash), {TextFault::kCrash}, 1},
      {"open comment", find_before_parse("/*", Failed::Kind::kTimeout), {TextFault::kTimeout}, 400},
      {"rank 3, two tiles and a memory space",
       FailsWhere(
           [](const Shape& s) { return s.rank() == 3 && s.layout->tiles.size() == 2 && s.layout->memory_space == 1; },
           Failed::Kind::kCrash),
       {TextFault::kCrash},
       38},
  };
}

TEST(DifferentialTest, EveryPlantedFaultIsFoundAndShort) {
  constexpr uint64_t kCases = 60000;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    uint64_t most = 0;
    for (const PlantedFault& fault : PlantedFaults()) {
      WrongParser subject(fault.parse);
      FuzzOptions options;
      options.seed = seed;
      options.cases = kCases;
      bool found = false;
      std::string texts;
      options.on_finding = [&](const Finding& finding) {
        StrAppend(texts, "\n  ", finding.law, ": ", finding.layout);
        found |= std::ranges::find(fault.expected, finding.law, TextFaultName) != fault.expected.end() &&
                 finding.layout.size() <= fault.longest_text;
      };
      options.stop_requested = [&] { return found; };
      const FuzzSummary summary = FuzzSubject(subject, options);
      EXPECT_TRUE(found) << fault.name << ", seed " << seed << ", " << summary.cases << " cases:" << texts;
      most = std::max(most, summary.cases);
    }
    std::printf("seed %ld: %zu faults, the last one found after %ld texts\n", static_cast<long>(seed),
                PlantedFaults().size(), static_cast<long>(most));
  }
}

// The faults modeled on real bugs are found in a process, as `layoutcheck fuzz` runs it.
TEST(DifferentialTest, EverySeededTextFaultIsFound) {
  constexpr uint64_t kCases = 100000;
  uint64_t most = 0;
  for (const Fault& fault : TextFaults()) {
    const std::unique_ptr<Subject> subject = MakeFaultySubject(fault);
    FuzzOptions options;
    options.cases = kCases;
    options.stop_at_first = true;
    const FuzzSummary summary = FuzzSubject(*subject, options);
    EXPECT_FALSE(summary.findings.empty()) << fault.name;
    most = std::max(most, summary.cases);
    for (const Finding& finding : summary.findings) {
      std::printf("%-34s %6ld texts  %s: %s\n", std::string(fault.name).c_str(), static_cast<long>(summary.cases),
                  finding.law.c_str(), finding.layout.c_str());
    }
  }
  std::printf("%zu seeded faults, the last one found after %ld texts\n", TextFaults().size(), static_cast<long>(most));
}

TEST(DifferentialTest, NothingIsFoundInTheReference) {
#if defined(LAYOUTCHECK_SANITIZED)
  constexpr uint64_t kCases = 20000;
#else
  constexpr uint64_t kCases = 200000;
#endif
  ReferenceSubject reference;
  for (const TextKind kind : {TextKind::kShape, TextKind::kLayout, TextKind::kInstruction}) {
    FuzzOptions options;
    options.kind = kind;
    options.cases = kCases;
    const FuzzSummary summary = FuzzSubject(reference, options);
    EXPECT_EQ(summary.cases, kCases);
    EXPECT_EQ(summary.declined, 0u);
    for (const Finding& finding : summary.findings) ADD_FAILURE() << ToJson(finding).Dump();
    std::printf("%ld texts of a %s, %zu findings\n", static_cast<long>(summary.cases),
                std::string(TextKindName(kind)).c_str(), summary.findings.size());
  }
}

std::vector<std::string> RunOf(Subject& subject) {
  FuzzOptions options;
  options.cases = 3000;
  const FuzzSummary summary = FuzzSubject(subject, options);
  EXPECT_EQ(summary.cases, options.cases);
  std::vector<std::string> findings;
  for (const Finding& finding : summary.findings) findings.push_back(ToJson(finding).Dump());
  return findings;
}

TEST(DifferentialTest, SameSeedSameFindings) {
  const auto run = [] {
    WrongParser subject(ChangesLayout([](Layout& l) {
      l.tiles.clear();
      l.memory_space = 0;
    }));
    return RunOf(subject);
  };
  const auto first = run();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, run());
}

// Several texts in flight give the same findings as one at a time, even if a program loses unwritten answers when it
// exits, because each text that seems to fail is asked alone.
TEST(DifferentialTest, TextsInFlightTogetherFindTheSame) {
  class Together final : public Subject {
   public:
    Together(Subject& subject, bool loses_answers)
        : subject_(subject), info_(subject.info()), loses_answers_(loses_answers) {
      info_.max_texts_in_flight = 64;
    }
    const SubjectInfo& info() const override { return info_; }
    Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
      return subject_.Parse(kind, text);
    }
    std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override {
      most_ = std::max(most_, texts.size());
      auto answers = Subject::Parses(kind, texts);
      const auto ends = [](const Answer<ParseAnswer>& answer) { return std::holds_alternative<Failed>(answer); };
      if (loses_answers_) {
        std::fill(std::find_if(answers.rbegin(), answers.rend(), ends), answers.rend(),
                  Answer<ParseAnswer>(Failed{Failed::Kind::kCrash, "killed by signal 6"}));
      }
      return answers;
    }
    size_t most() const { return most_; }

   private:
    Subject& subject_;
    SubjectInfo info_;
    bool loses_answers_;
    size_t most_ = 0;
  };
  const auto crashes = [](const Shape& shape) { return shape.rank() == 3; };
  for (const ParseFunction& parse : {ChangesLayout([](Layout& l) { l.memory_space = 0; }), Rejects("/*"),
                                     FailsWhere(crashes, Failed::Kind::kCrash)}) {
    WrongParser alone(parse);
    const auto expected = RunOf(alone);
    EXPECT_FALSE(expected.empty());
    for (const bool loses_answers : {false, true}) {
      Together together(alone, loses_answers);
      EXPECT_EQ(RunOf(together), expected);
      EXPECT_GT(together.most(), 1u);
    }
  }
}

TEST(DifferentialTest, OneCauseIsOneFinding) {
  WrongParser subject(Rejects("\t"));
  FuzzOptions options;
  options.cases = 20000;
  const FuzzSummary summary = FuzzSubject(subject, options);
  ASSERT_EQ(summary.findings.size(), 1u) << summary.findings[1].layout;
  EXPECT_GT(summary.findings[0].count, 100);
}

TEST(DifferentialTest, MemoryThatGrowsIsReportedOnce) {
  class Growing final : public Subject {
   public:
    const SubjectInfo& info() const override { return info_; }
    Answer<ParseAnswer> Parse(std::string_view, std::string_view text) override {
      bytes_ += 20000;
      return Reference(text);
    }
    std::optional<int64_t> ResidentBytes() const override { return bytes_; }

   private:
    SubjectInfo info_{"growing", "1", {}, {}, {}};
    int64_t bytes_ = 0;
  };
  Growing subject;
  FuzzOptions options;
  options.cases = 40000;
  const FuzzSummary summary = FuzzSubject(subject, options);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].law, "memory-growth");
}

TEST(DifferentialTest, StopsAtTheFirstFindingAndWhenAsked) {
  WrongParser subject(Accepts("expected"));
  FuzzOptions options;
  options.stop_at_first = true;
  EXPECT_EQ(FuzzSubject(subject, options).findings.size(), 1u);
  ReferenceSubject reference;
  options.stop_requested = [] { return true; };
  EXPECT_EQ(FuzzSubject(reference, options).cases, 0u);
}

TEST(DifferentialTest, ADeclinedKindChecksNothing) {
  WrongParser subject(Rejects(""));
  FuzzOptions options;
  options.kind = TextKind::kLayout;
  options.cases = 100;
  const FuzzSummary summary = FuzzSubject(subject, options);
  EXPECT_EQ(summary.declined, 100u);
  EXPECT_FALSE(summary.AnythingChecked());
}

}  // namespace
}  // namespace layoutcheck
