// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_laws.h"
#include <gtest/gtest.h>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/sharding/resharding.h"
#include "layoutcheck/core/sharding/shard_arrays.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/sharding/sharding_generator.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;
using Ranges = std::vector<IndexRange>;
using Verdict = LawResult::Verdict;

// The reference, with a change of its answers.
class ChangedSubject : public ReferenceSubject {
 public:
  using ChangePart = std::function<void(int64_t device, ShardAnswer&)>;
  explicit ChangedSubject(ChangePart change) : change_(std::move(change)) {}

  Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device) override {
    auto answer = ReferenceSubject::ShardOf(layout, device);
    if (auto* part = std::get_if<ShardAnswer>(&answer)) change_(device, *part);
    return answer;
  }

 private:
  ChangePart change_;
};

LawResult CheckChanged(std::string_view law, const std::string& text, ChangedSubject::ChangePart change) {
  ChangedSubject subject(std::move(change));
  return FindAlgebraLaw(law)->check(subject, std::span(&text, 1));
}

const auto kUnchanged = [](int64_t, ShardAnswer&) {};

TEST(ShardingReference, AnswersRangesOrNumbers) {
  ReferenceSubject reference;
  const auto part = [&](std::string_view text, int64_t device) {
    return std::get<ShardAnswer>(reference.ShardOf(text, device));
  };
  const ShardAnswer half = part("f32[8,6]{1,0} sharding={devices=[2,1]<=[2]}", 1);
  EXPECT_EQ(half.shape, (Numbers{4, 6}));
  EXPECT_EQ(half.elements, HeldElements(Ranges{{4, 8}, {0, 6}}));
  EXPECT_FALSE(part("f32[8,6]{1,0} sharding={devices=[2,1]<=[2]}", 2).has_part);
  const ShardAnswer strided = part("f32[3,2] mesh[2] _StridedShard(0,sf=2)", 0);
  EXPECT_EQ(strided.shape, (Numbers{2, 2}));
  EXPECT_EQ(strided.elements, HeldElements(Numbers{0, 1, 4, 5}));
  const ShardAnswer empty = part("f32[3] mesh[4] S(0)", 3);
  EXPECT_EQ(empty.shape, Numbers{0});
  EXPECT_EQ(empty.elements, HeldElements(Ranges{{3, 3}}));
  EXPECT_EQ(part("f32[] mesh[2] R", 1).elements, HeldElements(Numbers{0}));
}

TEST(ShardingReference, ErrorsAreAnswers) {
  ReferenceSubject reference;
  EXPECT_TRUE(std::holds_alternative<Failed>(reference.ShardOf("f32[8] mesh[2] P('y')", 0)));
  EXPECT_TRUE(std::holds_alternative<Declined>(reference.ShardOf("f32[4194304] mesh[2] _S(0,2)", 0)));
  EXPECT_TRUE(std::holds_alternative<ShardAnswer>(reference.ShardOf("f32[4194304] mesh[2] S(0)", 0)));
  EXPECT_TRUE(std::holds_alternative<Failed>(reference.Reshard("f32[8] mesh[2] R", "f32[9] mesh[2] R", 0)));
}

TEST(ShardingReference, ReceivedElementsAreThoseThatCoreCounts) {
  ReferenceSubject reference;
  EXPECT_EQ(std::get<Numbers>(reference.Reshard("f32[2,2] mesh[2] S(0)", "f32[2,2] mesh[2] S(1)", 1)), Numbers{1});
  for (uint64_t number = 0; number < 200; ++number) {
    RandomChoices choices(1, number);
    const auto [from, to] = DrawReshard(choices);
    const auto change = CompareShardings(ParseSharded(from)->array.sharding(), ParseSharded(to)->array.sharding());
    for (const DeviceTraffic& traffic : change->devices) {
      const auto received = std::get<Numbers>(reference.Reshard(from, to, traffic.device));
      EXPECT_EQ(std::ssize(received), traffic.received) << from << " to " << to << " on " << traffic.device;
    }
  }
}

// Answers with arrays that are cut, by the definition that has no formula.
class CuttingSubject : public ReferenceSubject {
 public:
  Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device) override {
    const auto shards = CutArray(ParseSharded(layout)->array.sharding());
    for (const ShardElements& shard : *shards) {
      if (shard.device == device) return ShardAnswer{true, {}, shard.elements};
    }
    return ShardAnswer{false, {}, {}};
  }
};

TEST(ShardingLaws, HoldForBothDefinitions) {
  ReferenceSubject reference;
  CuttingSubject cutting;
  std::vector<const AlgebraLaw*> laws;
  for (const ShardingLaw& law : ShardingLaws()) laws.push_back(FindAlgebraLaw(law.name));
  CheckOptions options;
  options.cases = 300;
  for (Subject* subject : {static_cast<Subject*>(&reference), static_cast<Subject*>(&cutting)}) {
    const CheckSummary summary = CheckAlgebra(*subject, laws, options);
    EXPECT_TRUE(summary.findings.empty()) << summary.findings[0].layout;
    EXPECT_EQ(summary.laws.at("shard-elements").agreed, 300);
    EXPECT_EQ(summary.laws.at("reshard-received").agreed, 300);
  }
  const CheckSummary enumerated = CheckShardings(reference, laws, ShardingLadder()[0], options);
  EXPECT_TRUE(enumerated.findings.empty());
  EXPECT_EQ(enumerated.laws.size(), 4u);
  EXPECT_EQ(enumerated.laws.at("shard-cover").agreed, 406);
}

TEST(ShardingLaws, AnEnumerationAsksAboutEachDeviceOnce) {
  class Recorder : public ReferenceSubject {
   public:
    Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device) override {
      ++asked[{std::string(layout), device}];
      return ReferenceSubject::ShardOf(layout, device);
    }
    std::map<std::pair<std::string, int64_t>, int> asked;
  };
  Recorder subject;
  std::vector<const AlgebraLaw*> laws;
  for (const ShardingLaw& law : ShardingLaws()) laws.push_back(FindAlgebraLaw(law.name));
  CheckShardings(subject, laws, ShardingLadder()[0], {});
  EXPECT_GT(subject.asked.size(), 1000u);
  for (const auto& [question, times] : subject.asked) EXPECT_EQ(times, 1) << question.first << ' ' << question.second;
}

// Where an element lies on its device changes no answer, so that subjects need not read it.
TEST(ShardingLaws, ASubjectIsAskedWithoutTheLocalLayout) {
  class Recorder : public ReferenceSubject {
   public:
    Answer<ShardAnswer> ShardOf(std::string_view layout, int64_t device) override {
      asked = layout;
      return ReferenceSubject::ShardOf(layout, device);
    }
    std::string asked;
  };
  Recorder subject;
  const std::string text = "f32[4,2] mesh[2] S(0) local=(2,2):(5,1)";
  for (const std::string_view law : {"shard-shape", "shard-elements", "shard-cover", "shard-outside"}) {
    EXPECT_EQ(FindAlgebraLaw(law)->check(subject, std::span(&text, 1)).verdict, Verdict::kAgree) << law;
    EXPECT_EQ(subject.asked, "f32[4,2]{1,0} mesh[2] S(0)");
  }
  const std::string view[] = {text, "[8]"};
  EXPECT_EQ(FindAlgebraLaw("shard-view-free")->check(subject, view).verdict, Verdict::kOutsideDomain);
}

TEST(ShardingLaws, RangesAndNumbersSayTheSame) {
  const auto as_numbers = [](int64_t device, ShardAnswer& part) {
    part.elements = Numbers{2 * device, 2 * device + 1};
  };
  EXPECT_EQ(CheckChanged("shard-elements", "f32[4] mesh[2] S(0)", as_numbers).verdict, Verdict::kAgree);
  const auto elsewhere = [](int64_t device, ShardAnswer& part) {
    if (device == 3) part.elements = Ranges{{7, 7}};
  };
  EXPECT_EQ(CheckChanged("shard-elements", "f32[3] mesh[4] S(0)", elsewhere).verdict, Verdict::kAgree);
}

TEST(ShardingLaws, SayWhatIsWrong) {
  const std::string text = "f32[4,2] mesh[2,2] S(0),R";
  const auto swapped = [](int64_t device, ShardAnswer& part) {
    part.elements = device < 2 ? Ranges{{2, 4}, {0, 2}} : Ranges{{0, 2}, {0, 2}};
  };
  LawResult result = CheckChanged("shard-elements", text, swapped);
  EXPECT_EQ(result.verdict, Verdict::kDisagree);
  EXPECT_EQ(result.expected, "[0,2) x [0,2)");
  EXPECT_EQ(result.actual, "[2,4) x [0,2)");
  EXPECT_EQ(result.text, "device=0");
  EXPECT_EQ(CheckChanged("shard-cover", text, swapped).verdict, Verdict::kAgree);
  const auto lost = [](int64_t device, ShardAnswer& part) {
    if (device == 3) part.elements = Numbers{4, 5, 6};
  };
  result = CheckChanged("shard-cover", text, lost);
  EXPECT_EQ(result.expected, "on 2 devices");
  EXPECT_EQ(result.actual, "on devices 2");
  EXPECT_EQ(result.coordinate, (Numbers{3, 1}));
  const auto beyond = [](int64_t, ShardAnswer& part) { part.elements = Ranges{{0, 5}, {0, 2}}; };
  EXPECT_EQ(CheckChanged("shard-cover", text, beyond).expected, "elements of the array");
  const auto none = [](int64_t, ShardAnswer& part) { part = {false, {}, {}}; };
  EXPECT_EQ(CheckChanged("shard-shape", text, none).actual, "no part");
  const auto everywhere = [](int64_t, ShardAnswer& part) { part = {true, {}, Numbers{0}}; };
  result = CheckChanged("shard-outside", text, everywhere);
  EXPECT_EQ(result.actual, "element 0");
  EXPECT_EQ(DeviceOfWitness(*result.text), 4);
}

TEST(ShardingLaws, AskOnlyAboutWhatTheyRead) {
  for (const std::string text : {"f32[4]", "f32[4] mesh[2] P('y')", "f32[1048576] mesh[4] R", "((2,2):(1,2))", ""}) {
    for (const ShardingLaw& law : ShardingLaws()) {
      EXPECT_EQ(CheckChanged(law.name, text, kUnchanged).verdict, Verdict::kOutsideDomain) << text;
    }
  }
  const auto shape_only = [](int64_t, ShardAnswer& part) { part.elements.reset(); };
  EXPECT_EQ(CheckChanged("shard-shape", "f32[4] mesh[2] S(0)", shape_only).verdict, Verdict::kAgree);
  EXPECT_EQ(CheckChanged("shard-elements", "f32[4] mesh[2] S(0)", shape_only).verdict, Verdict::kDeclined);
  EXPECT_EQ(CheckChanged("shard-cover", "f32[4] mesh[2] S(0)", shape_only).verdict, Verdict::kDeclined);
}

}  // namespace
}  // namespace layoutcheck
