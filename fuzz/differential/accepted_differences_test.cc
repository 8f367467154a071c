// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes each kind of answer of a subject and expects findings, with its file of corpus/known in use. The answers are
// the reference's; those of the implementations named in LAYOUTCHECK_SUBJECTS ("pycute xla") are their own.
#include <gtest/gtest.h>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/fuzz/differential/differential.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/known_rate.h"
#include "layoutcheck/subjects/factory/subject_factory.h"
#include "layoutcheck/subjects/testing/mutant.h"

namespace layoutcheck {
namespace {

using enum Mutation::Change;

#ifdef LAYOUTCHECK_SANITIZED
constexpr uint64_t kCases = 60;
#else
constexpr uint64_t kCases = 200;
#endif
// A law that the unchanged subject keeps in fewer cases is not judged.
constexpr int64_t kFewestAgreed = 20;

// What one file of known differences is about.
struct Accepted {
  std::string name;  // of the subject, and the beginning of the file's name
  std::vector<std::string_view> operations;
  std::vector<TextKind> kinds = {};
};

std::vector<Accepted> AllAccepted() {
  return {
      {"catlass", {"apply", "offset", "table", "size"}},
      {"catlass-tags", {"apply"}},
      {"cute-cpp", {"apply"}},
      {"cute-cpp-dynamic", {"apply"}},
      {"mlir", {"relayout"}},
      {"mlir-affine", {"apply"}},
      {"mlir-memref", {"apply", "offset", "table", "size"}},
      {"onednn", {"offset", "table", "size", "relayout"}},
      {"pycute", {"apply", "offset", "table", "size"}},
      {"tensor-layouts", {"apply", "offset", "table", "size"}},
      {"tvm", {"offset", "table", "coordinate", "size"}},
      {"xla", {"offset", "table"}, {TextKind::kShape, TextKind::kLayout, TextKind::kInstruction}},
  };
}

// Laws that a change of a right answer does not break: their results may list values in any order, or may be any of
// several, or have no modes.
const std::map<Mutation::Change, std::set<std::string>> kStillRight = {
    {kRefuse, {}},
    {kConstant, {}},
    {kShift, {}},
    {kSwap,
     {"affine-value",
      "compatible",
      "composed-composition",
      "composed-downcast",
      "composed-upcast",
      "congruent",
      "cosize",
      "crd2idx",
      "domain-distribute",
      "filter",
      "max-common-layout",
      "max-common-vector",
      "memref-text",
      "memref-view",
      "nullspace",
      "right-inverse",
      "size",
      "swizzle",
      "swizzle-composition",
      "swizzle-cosize",
      "swizzle-downcast",
      "swizzle-upcast",
      "tag-capacity",
      "tag-offset",
      "weakly-congruent"}},
};

std::string KnownFile(const std::string& name) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(LAYOUTCHECK_CORPUS "/known")) {
    // The version begins behind the name: mlir-19.1.7.jsonl is not about mlir-affine.
    const std::string file = entry.path().filename().string();
    const bool is_longer = std::ranges::any_of(AllAccepted(), [&](const Accepted& other) {
      return other.name.size() > name.size() && file.starts_with(other.name + "-");
    });
    if (file.starts_with(name + "-") && !is_longer) found = entry.path().string();
  }
  return found;
}

class AcceptedDifferences : public testing::TestWithParam<Accepted> {
 protected:
  void SetUp() override {
    const char* const named = std::getenv("LAYOUTCHECK_SUBJECTS");
    if (named == nullptr) {
      subject_ = std::make_unique<ReferenceSubject>();
      return;
    }
    std::istringstream names(named);
    bool is_named = false;
    for (std::string name; names >> name;) is_named |= name == GetParam().name;
    if (!is_named) GTEST_SKIP() << "not named in LAYOUTCHECK_SUBJECTS";
    auto created = CreateSubject(GetParam().name, {.timeout = std::chrono::seconds(60)});
    auto* const subject = std::get_if<std::unique_ptr<Subject>>(&created);
    ASSERT_TRUE(subject != nullptr) << GetParam().name << " is not installed";
    subject_ = std::move(*subject);
  }

  KnownDifferences Known() const {
    auto known = KnownDifferences::Read(KnownFile(GetParam().name));
    EXPECT_TRUE(known) << known.error().message;
    return known ? *std::move(known) : KnownDifferences();
  }

  CheckSummary Check(const Mutation& mutation) {
    Mutant mutant(*subject_, mutation);
    KnownDifferences known = Known();
    CheckOptions options;
    options.cases = kCases / 4;
    options.known = &known;
    options.shrink_evaluations = 0;
    CheckSummary summary = CheckRandom(mutant, options);
    options.cases = kCases;
    if (TakesAlgebra(*subject_)) {
      // Each law alone, so that no failure is explained by that of another law.
      for (const AlgebraLaw* const& law : AlgebraLaws()) {
        Merge(summary, CheckAlgebra(mutant, std::span(&law, 1), options));
      }
    }
    for (Finding& finding : HiddenLaws(summary.laws, SeenLines(known))) summary.findings.push_back(std::move(finding));
    return summary;
  }

  std::vector<Finding> Fuzz(TextKind kind, const Mutation& mutation) {
    Mutant mutant(*subject_, mutation);
    KnownDifferences known = Known();
    FuzzOptions options;
    options.kind = kind;
    options.cases = 10 * kCases;
    options.stop_at_first = true;
    options.minimize_evaluations = 0;
    options.is_known = [&](const Finding& finding) {
      return known.MatchesClass({finding.law, finding.layout, finding.expected, finding.actual, *finding.text, {}},
                                true);
    };
    return FuzzSubject(mutant, options).findings;
  }

  std::unique_ptr<Subject> subject_;
};

std::string Texts(const std::vector<Finding>& findings) {
  std::string texts;
  for (const Finding& f : findings) {
    StrAppend(texts, f.law, " on ", f.layout, ": expected ", f.expected, ", got ", f.actual, "\n");
  }
  return texts;
}

TEST_P(AcceptedDifferences, ChangedAnswersAreReported) {
  ASSERT_FALSE(KnownFile(GetParam().name).empty());
  const CheckSummary unchanged = Check({});
  EXPECT_TRUE(unchanged.findings.empty()) << Texts(unchanged.findings);
  size_t mutants = 0;
  size_t share = GetParam().name.size();  // so that subjects begin with different changes
  for (const std::string_view operation : GetParam().operations) {
    const CheckSummary refused = Check({kRefuse, operation, {}});
    for (const auto& [change, still_right] : kStillRight) {
      if (change == kSwap && (operation == "offset" || operation == "size")) continue;  // no order to change
      if (operation != "apply" && refused.findings.empty()) continue;                   // never asked with success
      if (share++ % EveryNth(3, 3) != 0) continue;
      const CheckSummary changed = change == kRefuse ? refused : Check({change, operation, {}});
      EXPECT_FALSE(changed.findings.empty()) << operation << " " << ChangeName(change);
      if (operation != "apply") continue;
      // Each function has laws of its own, so one run changes all functions and judges one by one.
      std::set<std::string> found;
      for (const Finding& finding : changed.findings) found.insert(finding.law);
      for (const auto& [law, tally] : unchanged.laws) {
        const bool asks_this = tally.agreed >= kFewestAgreed && refused.laws.at(law).agreed == 0;
        const bool has_no_modes = change == kSwap && law.starts_with("bits-");
        if (!asks_this || has_no_modes || still_right.contains(law)) continue;
        EXPECT_TRUE(found.contains(law)) << ChangeName(change) << " of " << law << " is not reported";
        ++mutants;
      }
    }
  }
  std::printf("%s: %zu changed functions\n", GetParam().name.c_str(), mutants);
}

TEST_P(AcceptedDifferences, ChangedFieldsAreReported) {
  size_t mutants = 0;
  for (const TextKind kind : GetParam().kinds) {
    const std::vector<Finding> unchanged = Fuzz(kind, {});
    EXPECT_TRUE(unchanged.empty()) << Texts(unchanged);
    for (const MutableField& field : MutableFields(TextKindName(kind))) {
      for (const Mutation::Change change : field.changes) {
        EXPECT_FALSE(Fuzz(kind, {change, "parse", field.name}).empty())
            << TextKindName(kind) << ": " << field.name << " " << ChangeName(change) << " is not reported";
        ++mutants;
      }
    }
  }
  std::printf("%s: %zu changed fields\n", GetParam().name.c_str(), mutants);
}

INSTANTIATE_TEST_SUITE_P(Known, AcceptedDifferences, testing::ValuesIn(AllAccepted()), [](const auto& accepted) {
  std::string name = accepted.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace layoutcheck
