// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example libraries are right, and each mistake of a library is named.
#include "layoutcheck/subjects/transport/library_subject.h"
#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/subjects/testing/test_shape.h"

namespace layoutcheck {
namespace {

// Sets the behavior of the test library while the object lives.
class Behavior {
 public:
  explicit Behavior(const char* how) { setenv("LAYOUTCHECK_TEST_LIBRARY", how, 1); }
  ~Behavior() { unsetenv("LAYOUTCHECK_TEST_LIBRARY"); }
  Behavior(const Behavior&) = delete;
  Behavior& operator=(const Behavior&) = delete;
};

std::unique_ptr<LibrarySubject> Load(const std::string& path) {
  auto loaded = LibrarySubject::Load(path);
  if (loaded) return *std::move(loaded);
  ADD_FAILURE() << loaded.error().message;
  return nullptr;
}

// Returns the test library as it is loaded with this behavior.
std::unique_ptr<LibrarySubject> LoadAs(const char* how) {
  const Behavior behavior(how);
  return Load(LAYOUTCHECK_TEST_LIBRARY);
}

TEST(LibrarySubject, TheExamplesKeepEveryLawThatTheyAnswer) {
  struct Example {
    const char* path;
    int64_t least_agreed;  // agreeing answers under linear-index, of 500 cases
  };
  for (const Example& example : {Example{LAYOUTCHECK_C_SUBJECT, 400}, Example{LAYOUTCHECK_CPP_SUBJECT, 300}}) {
    const auto subject = Load(example.path);
    ASSERT_NE(subject, nullptr);
    CheckOptions options;
    options.cases = 500;
    const CheckSummary summary = CheckRandom(*subject, options);
    EXPECT_EQ(summary.cases, 500u);
    for (const Finding& finding : summary.findings) {
      ADD_FAILURE() << finding.law << " " << finding.layout << ": expected " << finding.expected << ", actual "
                    << finding.actual;
    }
    EXPECT_GE(summary.laws.at("linear-index").agreed, example.least_agreed) << example.path;
    EXPECT_GT(summary.laws.at("sizes").agreed, 0) << example.path;
  }
}

TEST(LibrarySubject, AnswersEveryOperation) {
  const auto subject = Load(LAYOUTCHECK_CPP_SUBJECT);
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(subject->info().name, "cpp_subject");
  EXPECT_EQ(subject->info().version, "1");
  EXPECT_EQ(std::get<int64_t>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3})), 17);
  const auto size = std::get<SizeAnswer>(subject->Size(TestShape()));
  EXPECT_EQ(size.elements, 15);
  EXPECT_EQ(size.padded_elements, 24);
  EXPECT_EQ(size.bytes, 96);
  EXPECT_FALSE(size.extent);
  EXPECT_EQ(std::get<Declined>(subject->Offset(*ParseShape("f32[2,3]{1,0:T(*,4)}"), std::vector<int64_t>{1, 1})).why,
            "no *");
  EXPECT_TRUE(std::holds_alternative<Declined>(subject->Parse("shape", "f32[2]")));
  EXPECT_EQ(std::get<int64_t>(subject->Offset(*ParseShape("f32[]"), {})), 0);
  EXPECT_EQ(std::get<std::vector<int64_t>>(subject->Table(*ParseShape("f32[]"))), std::vector<int64_t>{0});
  const auto c_subject = Load(LAYOUTCHECK_C_SUBJECT);
  ASSERT_NE(c_subject, nullptr);
  EXPECT_EQ(c_subject->info().max_tiles, 0);
  EXPECT_EQ(c_subject->info().max_rank, 8);
  EXPECT_EQ(c_subject->info().max_table_elements, std::nullopt);
}

TEST(LibrarySubject, TheAlgebraExampleKeepsEveryLawThatItAnswers) {
  const auto subject = Load(LAYOUTCHECK_ALGEBRA_SUBJECT);
  ASSERT_NE(subject, nullptr);
  EXPECT_TRUE(TakesAlgebra(*subject));
  CheckOptions options;
  options.cases = 300;
  const CheckSummary summary = CheckAlgebra(*subject, AlgebraLaws(), options);
  for (const Finding& finding : summary.findings) {
    ADD_FAILURE() << finding.law << " " << finding.layout << ": expected " << finding.expected << ", actual "
                  << finding.actual;
  }
  for (const char* law : {"size", "cosize", "coalesce", "downcast", "make-layout"}) {
    EXPECT_GT(summary.laws.at(law).agreed, 10) << law;
  }
  EXPECT_EQ(summary.laws.at("composition").agreed, 0);
}

TEST(LibrarySubject, AnswersOfTheAlgebra) {
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  const auto apply = [&](std::vector<std::string> arguments) { return subject->Apply("coalesce", arguments); };
  EXPECT_EQ(std::get<ApplyAnswer>(apply({})).rejected, "coalesce");
  EXPECT_EQ(std::get<ApplyAnswer>(apply({"2:1"})).layout, "2:1");
  EXPECT_EQ(std::get<ApplyAnswer>(apply({std::string(200000, '1')})).layout, std::string(200000, '1'));
  const auto number = std::get<ApplyAnswer>(apply({"2:1", "3"}));
  EXPECT_EQ(number.value, 2);
  EXPECT_FALSE(number.layout);
  EXPECT_EQ(std::get<std::string>(subject->Make("zN", 16, std::vector<int64_t>{100000, 1})), std::string(100000, 'z'));
  EXPECT_EQ(std::get<std::string>(subject->Make("NC1HWC0", 16, std::vector<int64_t>{2, 20, 5, 7})),
            "(2,20,5,7):(700,35,7,1)");
  for (const auto& [how, kind] : {std::pair("throw", Failed::Kind::kCrash), {"status", Failed::Kind::kProtocol}}) {
    const Behavior behavior(how);
    const auto answer = apply({"2:1"});
    const auto* failed = std::get_if<Failed>(&answer);
    ASSERT_NE(failed, nullptr) << how;
    EXPECT_EQ(failed->kind, kind) << how << ": " << failed->what;
  }
}

TEST(LibrarySubject, AnswersAboutBitcastsEqualityAndEdits) {
  const Behavior with_edits("edits");
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  const Shape shape = TestShape();
  EXPECT_TRUE(std::get<bool>(subject->Bitcast(shape, shape, std::nullopt)));
  EXPECT_TRUE(std::get<bool>(subject->Bitcast(shape, shape, std::vector<int64_t>{0, 1})));
  EXPECT_FALSE(std::get<bool>(subject->Bitcast(shape, shape, std::vector<int64_t>{1, 0})));
  EXPECT_TRUE(
      std::get<bool>(subject->AreEqual(*ParseShape("bf16[]"), shape, std::vector<std::string>{"tiles", "f32"})));
  EXPECT_FALSE(std::get<bool>(subject->AreEqual(shape, *ParseShape("bf16[]"), std::vector<std::string>{"f32"})));
  EXPECT_EQ(std::get<Declined>(subject->AreEqual(shape, shape, {})).why, "nothing is ignored");
  const auto edited = std::get<EditAnswer>(subject->Edit("move", shape, std::vector<int64_t>{100000}));
  EXPECT_EQ(edited.layout, std::string(100000, 'm'));
  EXPECT_FALSE(edited.rejected);

  ViewQuestion view;
  view.layout = std::string(200000, ' ') + "(8,16):(16,1)";
  view.extents = {8, 16};
  view.at = {5, 7};
  view.tile = {2, 2};
  view.coordinates = {{0, 0}, {1, 1}};
  const auto offsets = std::get<ViewAnswer>(subject->ViewOf(view));
  EXPECT_EQ(offsets.offsets, (std::vector<int64_t>{5, 6}));
  EXPECT_FALSE(offsets.layout || offsets.valid || offsets.rejected);
  view.kind = ViewQuestion::Kind::kTileView;
  EXPECT_EQ(std::get<ViewAnswer>(subject->ViewOf(view)).rejected, "whole");
  view.of = ViewQuestion::Outer{{0, 0}, {8, 8}};
  EXPECT_EQ(std::get<ViewAnswer>(subject->ViewOf(view)).rejected, "view");
  view.kind = ViewQuestion::Kind::kSlice;
  view.at = {std::nullopt, 3};
  const auto slice = std::get<ViewAnswer>(subject->ViewOf(view));
  EXPECT_EQ(slice.layout, view.layout);
  EXPECT_EQ(slice.offset, 3);
  EXPECT_EQ(slice.valid, std::vector<int64_t>{8});
  EXPECT_EQ(std::get<EditAnswer>(subject->Edit("move", shape, {})).rejected, "f32[3,5]{1,0:T(2,2)}");
  const Behavior behavior("flag");
  const auto answer = subject->Bitcast(shape, shape, std::nullopt);
  ASSERT_TRUE(std::holds_alternative<Failed>(answer));
  EXPECT_EQ(std::get<Failed>(answer).kind, Failed::Kind::kProtocol);
  EXPECT_EQ(std::get<Failed>(answer).what, "bitcast answered 7: expected 1 or 0");
}

TEST(LibrarySubject, TextsOfAnyLengthAndBytesGoThrough) {
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  for (const std::string& text : {std::string("f32[2]"), std::string("a\0b\xff", 4), std::string(200000, 'x')}) {
    const auto answer = std::get<ParseAnswer>(subject->Parse("shape", text));
    EXPECT_TRUE(answer.ok);
    EXPECT_EQ(answer.text, text);
  }
  const auto rejected = std::get<ParseAnswer>(subject->Parse("shape", "f"));
  EXPECT_FALSE(rejected.ok);
  EXPECT_EQ(rejected.error, "too short");
}

TEST(LibrarySubject, NamesEveryWayToFail) {
  using Kind = Failed::Kind;
  const auto failure = [](const auto& answer) {
    const auto* failed = std::get_if<Failed>(&answer);
    return failed == nullptr ? Failed{Kind::kTimeout, "no failure"} : *failed;
  };
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  const auto expect = [&](const char* how, const auto& ask, Kind kind, const std::string& text) {
    const Behavior behavior(how);
    const Failed failed = failure(ask());
    EXPECT_EQ(failed.kind, kind) << how << ": " << failed.what;
    EXPECT_NE(failed.what.find(text), std::string::npos) << how << ": " << failed.what;
  };
  const auto offset = [&] { return subject->Offset(TestShape(), std::vector<int64_t>{2, 3}); };
  const auto table = [&] { return subject->Table(TestShape()); };
  const auto coordinate = [&] { return subject->CoordinateAt(TestShape(), 0); };
  const auto relayout = [&] { return subject->Relayout(TestShape(), TestShape(), std::vector<int64_t>(24)); };
  const auto parse = [&] { return subject->Parse("shape", "f32[2]"); };
  expect("throw", offset, Kind::kCrash, "offset threw an exception: no such tile");
  expect("status", offset, Kind::kProtocol, "offset returned 77, which is no answer to it");
  expect("error", offset, Kind::kError, "error: out of memory");
  expect("overrun", table, Kind::kProtocol, "table wrote behind the 15 integers");
  expect("overrun", coordinate, Kind::kProtocol, "coordinate wrote behind the 2 integers");
  expect("overrun", relayout, Kind::kProtocol, "relayout wrote behind the 24 integers");
  expect("endless-text", parse, Kind::kProtocol, "bytes");
  const auto with_shards = LoadAs("shards");
  const auto shard = [&] { return with_shards->ShardOf("f32[4] mesh[2] S(0)", 0); };
  expect("overrun", shard, Kind::kProtocol, "shard wrote behind the 4 integers");
  expect("many-elements", shard, Kind::kProtocol, "shard answered 5 elements: expected at most the 4 of the array");
  expect("unwritten", shard, Kind::kProtocol, "shard set neither the shape nor the ranges");
  const auto reshard = [&] { return with_shards->Reshard("f32[4] mesh[2] S(0)", "f32[4] mesh[2] R", 1); };
  expect("overrun", reshard, Kind::kProtocol, "reshard wrote behind the 4 integers");
  expect("many-elements", reshard, Kind::kProtocol, "reshard answered 5 elements: expected at most the 4 of the array");
  expect("unwritten", reshard, Kind::kProtocol, "reshard returned 0, which is no answer to it");
  const Behavior silent("silent");
  EXPECT_EQ(std::get<Declined>(offset()).why, "unsupported");
  const Behavior unwritten("unwritten");
  EXPECT_EQ(std::get<std::vector<int64_t>>(table()), std::vector<int64_t>(15, INT64_MIN));
}

TEST(LibrarySubject, AnOlderLibraryHasNoLaterOperations) {
  const Behavior behavior("shorter");
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(std::get<int64_t>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3})), 2);
  EXPECT_TRUE(std::holds_alternative<Declined>(subject->CoordinateAt(TestShape(), 0)));
  EXPECT_TRUE(std::holds_alternative<Declined>(subject->Relayout(TestShape(), TestShape(), {})));
  EXPECT_FALSE(TakesAlgebra(*subject));
}

// Returns the reason with which the library declines, or why it is not asked.
std::string WhyDeclined(const auto& answer) {
  const auto* const declined = std::get_if<Declined>(&answer);
  return declined == nullptr ? "it answers" : declined->why;
}

TEST(LibrarySubject, IsAskedInANotationThatItDeclares) {
  const struct {
    const char* how;
    const char* text;
  } libraries[] = {{"none", "f32[4,6]{1,0:T(2,2)}"},
                   {"notations hlo", "f32[4,6]{1,0:T(2,2)}"},
                   {"notations shape-stride,hlo", "f32[4,6]{1,0:T(2,2)}"},
                   {"notations shape-stride", "((2,2),(2,3)):((2,12),(1,4))"},
                   {"notations later,shape-stride", "((2,2),(2,3)):((2,12),(1,4))"},
                   {"notations later", "the layout has no text in a notation that the subject takes"},
                   {"notations ", "the layout has no text in a notation that the subject takes"},
                   {"older, with notations shape-stride", "f32[4,6]{1,0:T(2,2)}"}};
  for (const auto& [how, text] : libraries) {
    std::unique_ptr<LibrarySubject> subject;
    {
      const Behavior behavior(how);
      subject = Load(LAYOUTCHECK_TEST_LIBRARY);
      ASSERT_NE(subject, nullptr);
    }
    const Behavior behavior("say-layout");
    EXPECT_EQ(WhyDeclined(subject->Offset(*ParseShape("f32[4,6]{1,0:T(2,2)}"), std::vector<int64_t>{3, 5})), text)
        << how;
  }
}

TEST(LibrarySubject, OneWithoutHloIsAskedOnlyAboutLayoutsWithoutPadding) {
  const Behavior behavior("notations shape-stride");
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  const Shape packed = *ParseShape("f32[4,6]{1,0:T(2,2)}");
  EXPECT_EQ(std::get<0>(subject->Table(packed)), std::vector<int64_t>(24));
  EXPECT_EQ(std::get<0>(subject->CoordinateAt(packed, 0)), (std::vector<int64_t>{0, 0}));
  EXPECT_TRUE(
      std::holds_alternative<std::vector<int64_t>>(subject->Relayout(packed, packed, std::vector<int64_t>(24))));
  const std::string no_text = "the layout has no text in a notation that the subject takes";
  for (const char* text : {"f32[3,5]{1,0:T(2,2)}", "f32[4,0]{1,0}", "f32[4]{0:L(8)}"}) {
    const Shape padded = *ParseShape(text);
    EXPECT_EQ(WhyDeclined(subject->Offset(padded, std::vector<int64_t>{2, 3})), no_text) << text;
    EXPECT_EQ(WhyDeclined(subject->Table(padded)), no_text) << text;
    EXPECT_EQ(WhyDeclined(subject->CoordinateAt(padded, 0)), no_text) << text;
    EXPECT_EQ(WhyDeclined(subject->Relayout(packed, padded, std::vector<int64_t>(24))), no_text) << text;
    EXPECT_EQ(WhyDeclined(subject->Relayout(padded, packed, std::vector<int64_t>(24))), no_text) << text;
  }
  EXPECT_EQ(std::get<int64_t>(subject->Offset(packed, std::vector<int64_t>{3, 5})), 3);
  const std::string no_hlo = "does not take HLO notation";
  EXPECT_EQ(WhyDeclined(subject->Parse("shape", "f32[2]")), no_hlo);
  EXPECT_EQ(WhyDeclined(subject->Bitcast(packed, packed, std::nullopt)), no_hlo);
  EXPECT_EQ(WhyDeclined(subject->AreEqual(packed, packed, std::vector<std::string>{"f32"})), no_hlo);
  EXPECT_EQ(WhyDeclined(subject->Edit("move", packed, std::vector<int64_t>{1})), no_hlo);
}

TEST(LibrarySubject, TheAlgebraExampleAnswersInShapeStride) {
  const auto subject = Load(LAYOUTCHECK_ALGEBRA_SUBJECT);
  ASSERT_NE(subject, nullptr);
  ReferenceSubject reference;
  for (const char* text :
       {"f32[4,6]{1,0:T(2,2)}", "f32[6,4,2]{0,2,1}", "bf16[16,256]{1,0:T(8,128)(2,1)}", "f32[4]{0}", "f32[]"}) {
    const Shape shape = *ParseShape(text);
    std::vector<int64_t> last;
    for (const int64_t size : shape.dimensions) last.push_back(size - 1);
    EXPECT_EQ(std::get<0>(subject->Offset(shape, last)), std::get<0>(reference.Offset(shape, last))) << text;
  }
  EXPECT_EQ(std::get<0>(subject->Offset(*ParseShape("f32[4,6]{1,0:T(2,2)}"), std::vector<int64_t>{2, 3})), 17);
  CheckOptions options;
  options.cases = 100;
  const CheckSummary summary = CheckRandom(*subject, options);
  EXPECT_TRUE(summary.findings.empty()) << summary.findings.front().law << " " << summary.findings.front().layout;
  EXPECT_GT(summary.laws.at("linear-index").agreed, 20);
}

TEST(LibrarySubject, TheShardingExampleKeepsTheLawsOfShardings) {
  const auto subject = Load(LAYOUTCHECK_SHARDING_SUBJECT);
  ASSERT_NE(subject, nullptr);
  const auto laws = AlgebraLawsTakenBy(*subject);
  EXPECT_EQ(laws.size(), 5u);
  CheckOptions options;
  options.cases = 3000;
  const CheckSummary summary = CheckAlgebra(*subject, laws, options);
  EXPECT_TRUE(summary.findings.empty()) << summary.findings.front().law << " " << summary.findings.front().layout;
  for (const AlgebraLaw* const law : laws) EXPECT_GT(summary.laws.at(std::string(law->name)).agreed, 20) << law->name;
}

TEST(LibrarySubject, AnswersWithThePartOfADevice) {
  const auto subject = LoadAs("shards");
  ASSERT_NE(subject, nullptr);
  const auto first = std::get<ShardAnswer>(subject->ShardOf("f32[4,2] mesh[2] S(0)", 0));
  EXPECT_EQ(first.shape, (std::vector<int64_t>{4, 2}));
  EXPECT_FALSE(first.elements);
  const auto list = std::get<ShardAnswer>(subject->ShardOf("f32[4] mesh[2] S(0)", 0));
  EXPECT_EQ(std::get<std::vector<int64_t>>(*list.elements), std::vector<int64_t>{0});
  EXPECT_FALSE(list.shape);
  EXPECT_FALSE(std::get<ShardAnswer>(subject->ShardOf("f32[4] mesh[2] S(0)", 1)).has_part);
  EXPECT_EQ(std::get<Declined>(subject->ShardOf("f32[1048577] mesh[2] S(0)", 0)).why,
            "an array of more than 2^20 elements");
  const Behavior behavior("say-layout");
  EXPECT_EQ(std::get<Declined>(subject->ShardOf("f32[4]  mesh[ 2 ] S(0)", 0)).why, "mesh[2] S(0)");
}

TEST(LibrarySubject, AnswersWithTheElementsThatADeviceReceives) {
  const auto subject = LoadAs("shards");
  ASSERT_NE(subject, nullptr);
  const std::string shards = "f32[4] mesh[2] S(0)";
  EXPECT_EQ(std::get<std::vector<int64_t>>(subject->Reshard(shards, "f32[4] mesh[2] R", 1)), std::vector<int64_t>{1});
  EXPECT_EQ(std::get<Declined>(subject->Reshard("f32[1048577] mesh[2] S(0)", "f32[1048577] mesh[2] R", 0)).why,
            "an array of more than 2^20 elements");
  EXPECT_TRUE(std::holds_alternative<Failed>(subject->Reshard(shards, "f32[4] mesh[2]", 1)));
  const Behavior behavior("say-layout");
  EXPECT_EQ(std::get<Declined>(subject->Reshard(shards, "f32[4] mesh[ 2 ] R", 1)).why, "mesh[2] R");
}

TEST(LibrarySubject, ArraysPastMemoryAreNotAskedFor) {
  const auto subject = Load(LAYOUTCHECK_TEST_LIBRARY);
  ASSERT_NE(subject, nullptr);
  const std::string too_large = "an array of more than 67108864 integers";
  EXPECT_EQ(std::get<Declined>(subject->Table(*ParseShape("f32[99999999999]{0}"))).why, too_large);
  const auto moved = subject->Relayout(*ParseShape("f32[2]{0}"), *ParseShape("f32[2]{0:T(99999999999)}"), {});
  EXPECT_EQ(std::get<Declined>(moved).why, too_large);
  // The reference declines it, too.
  ReferenceSubject reference;
  const auto refused = reference.Relayout(*ParseShape("f32[2]{0}"), *ParseShape("f32[2]{0:T(99999999999)}"), {});
  EXPECT_EQ(std::get<Failed>(refused).what, "an array of more than 67108864 cells");
}

TEST(LibrarySubject, WhatIsNoSubjectIsAnError) {
  const auto expect = [](const std::string& path, const std::string& text) {
    const auto loaded = LibrarySubject::Load(path);
    ASSERT_FALSE(loaded) << path;
    EXPECT_NE(loaded.error().message.find(text), std::string::npos) << loaded.error().message;
  };
  expect("", "expected a file after 'lib:'");
  const std::string missing = TemporaryDirectory().MissingFile();
  expect(missing, "cannot load the library: " + missing);
  expect("libm.so.6", "cannot load the library: ./libm.so.6");
  expect(LAYOUTCHECK_CORPUS "/README.md", "cannot load the library");
  expect(LAYOUTCHECK_NO_SUBJECT, "has no function layoutcheck_get_subject");
  const struct {
    const char* how;
    const char* text;
  } structs[] = {
      {"null", "returned null"},
      {"later-version", "has version 2 of layoutcheck/subject.h: expected version 1"},
      {"torn", "struct_size is 8"},
      {"nameless", "has no name"},
      {"empty", "every operation of the subject is null"},
      {"limit", "a limit of the subject is -2"},
  };
  for (const auto& [how, text] : structs) {
    const Behavior behavior(how);
    expect(LAYOUTCHECK_TEST_LIBRARY, text);
  }
}

}  // namespace
}  // namespace layoutcheck
