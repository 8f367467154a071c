// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run continues after each way in which a process can go wrong.
#include "layoutcheck/subjects/transport/exec_subject.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/testing/test_shape.h"

namespace layoutcheck {
namespace {

using std::chrono::milliseconds;

// Returns a shell command that says hello properly and runs `then` for every further line.
std::string Script(const std::string& then) {
  return "read -r l; echo '{\"name\":\"script\",\"ops\":[\"parse\",\"offset\",\"table\",\"coordinate\",\"size\","
         "\"relayout\"]}'; while read -r l; do " +
         then + "; done";
}

std::unique_ptr<ExecSubject> Start(const std::string& command, milliseconds timeout = milliseconds(2000)) {
  auto started = ExecSubject::Start(command, timeout);
  if (auto* subject = std::get_if<std::unique_ptr<ExecSubject>>(&started)) return std::move(*subject);
  if (auto* failed = std::get_if<Failed>(&started)) ADD_FAILURE() << failed->what;
  if (auto* error = std::get_if<Error>(&started)) ADD_FAILURE() << error->message;
  return nullptr;
}

Failed OffsetFailure(const std::string& then, milliseconds timeout = milliseconds(2000)) {
  const auto subject = Start(Script(then), timeout);
  if (subject == nullptr) return {};
  const auto answer = subject->Offset(TestShape(), std::vector<int64_t>{2, 3});
  if (const auto* failed = std::get_if<Failed>(&answer)) return *failed;
  ADD_FAILURE() << "no failure: " << then;
  return {};
}

TEST(ExecSubject, TakesAnswersAndDeclinedRequests) {
  const auto subject = Start(Script("echo '{\"offset\":17,\"more\":[1]}'"));
  ASSERT_NE(subject, nullptr);
  EXPECT_EQ(std::get<int64_t>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3})), 17);
  const auto declining = Start(Script("echo '{\"unsupported\":\"no\"}'"));
  ASSERT_NE(declining, nullptr);
  EXPECT_EQ(std::get<Declined>(declining->Size(TestShape())).why, "no");
}

TEST(ExecSubject, NamesEveryWayToFail) {
  using Kind = Failed::Kind;
  struct Case {
    const char* then;
    Kind kind;
    const char* text;
  };
  const Case cases[] = {
      {"echo '{\"error\":\"sorry\"}'", Kind::kError, "sorry"},
      {"exit 3", Kind::kCrash, "ended with status 3"},
      {"kill -SEGV $$", Kind::kCrash, "signal 11"},
      {"echo oops >&2; exit 1", Kind::kCrash, "stderr: oops"},
      // The failure quotes the fatal message of Google's logging, not the stack trace after it.
      {"printf 'F0000 00:00:17.2    7 layout.h:386] Check failed: v (0 vs. 1)\\n    @ 0x12 main\\n' >&2; kill -ABRT $$",
       Kind::kCrash, "stderr: layout.h:386] Check failed: v (0 vs. 1)"},
      {"printf '{\"off'; exit 0", Kind::kCrash, "in the middle of an answer"},
      {"echo garbage", Kind::kProtocol, "no JSON"},
      {"echo", Kind::kProtocol, "no JSON"},
      {"echo '[]'", Kind::kProtocol, "no JSON object"},
      {"echo '{}'", Kind::kProtocol, "no \"offset\""},
      {"echo '{\"offsets\":[1]}'", Kind::kProtocol, "no \"offset\""},
      {"echo '{\"offset\":\"17\"}'", Kind::kProtocol, "no int64"},
      {"echo '{\"offset\":1.5}'", Kind::kProtocol, "no int64"},
      {"echo '{\"offset\":9223372036854775808}'", Kind::kProtocol, "no int64"},
      {"echo '{\"offset\":100000000000000000000}'", Kind::kProtocol, "no int64"},
      {"printf '{\"offset\":1,\"a\":\"\\377\"}\\n'", Kind::kProtocol, "no JSON"},
      {"yes x | tr -d '\\n'", Kind::kProtocol, "an answer of more than"},
  };
  for (const Case& c : cases) {
    const Failed failed = OffsetFailure(c.then);
    EXPECT_EQ(failed.kind, c.kind) << c.then << ": " << failed.what;
    EXPECT_NE(failed.what.find(c.text), std::string::npos) << c.then << ": " << failed.what;
  }
}

TEST(ExecSubject, AHangEndsAfterTheTimeout) {
  const auto start = std::chrono::steady_clock::now();
  const Failed failed = OffsetFailure("sleep 1000", milliseconds(100));
  EXPECT_EQ(failed.kind, Failed::Kind::kTimeout) << failed.what;
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(60000));
}

TEST(ExecSubject, IsStartedAgainAfterAFailure) {
  const auto subject = Start(Script("case \"$l\" in *size*) exit 1;; *) echo '{\"offset\":17}';; esac"));
  ASSERT_NE(subject, nullptr);
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(std::holds_alternative<Failed>(subject->Size(TestShape())));
    EXPECT_EQ(std::get<int64_t>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3})), 17);
  }
}

TEST(ExecSubject, NamesEveryWayToFailAtItsEnd) {
  using Kind = Failed::Kind;
  struct Case {
    const char* at_end;
    std::optional<Kind> kind;  // nothing if it ends well
    const char* text;
  };
  const std::string report = "echo 'SUMMARY: AddressSanitizer: 48 byte(s) leaked in 1 allocation(s).' >&2";
  const std::string report_then_status = report + "; exit 23";
  const std::string long_report = "yes leak | head -c 300000 >&2; " + report_then_status;
  const Case cases[] = {
      {"true", std::nullopt, ""},
      {"echo bye; echo bye >&2", std::nullopt, ""},
      {"exit 3", Kind::kCrash, "ended with status 3 after the end of its input"},
      {"kill -SEGV $$", Kind::kCrash, "killed by signal 11"},
      {report.c_str(), Kind::kCrash,
       "ended with status 0 after the end of its input; stderr: SUMMARY: AddressSanitizer"},
      {report_then_status.c_str(), Kind::kCrash, "ended with status 23 after the end of its input; stderr: SUMMARY: A"},
      {long_report.c_str(), Kind::kCrash, "ended with status 23 after the end of its input; stderr: SUMMARY: A"},
      {"sleep 1000", Kind::kTimeout, "still ran 2000 ms after the end of its input"},
  };
  for (const Case& c : cases) {
    const auto subject = Start(StrCat(Script("echo '{\"offset\":17}'"), "; ", c.at_end));
    ASSERT_NE(subject, nullptr);
    for (int round = 0; round < 2; ++round) {  // it is started again after its end
      EXPECT_EQ(std::get<int64_t>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3})), 17);
      const auto failed = subject->Finish();
      ASSERT_EQ(failed.has_value(), c.kind.has_value()) << c.at_end << ": " << (failed ? failed->what : "");
      if (!failed) continue;
      EXPECT_EQ(failed->kind, *c.kind) << c.at_end;
      EXPECT_NE(failed->what.find(c.text), std::string::npos) << c.at_end << ": " << failed->what;
      if (failed->kind == Kind::kTimeout) break;
    }
  }
}

TEST(ExecSubject, OutputThatNothingAskedForIsNoticed) {
  const auto subject = Start(Script("echo '{\"offset\":17}'; echo '{\"offset\":18}'"));
  ASSERT_NE(subject, nullptr);
  bool noticed = false;
  for (int round = 0; round < 20 && !noticed; ++round) {
    noticed = std::holds_alternative<Failed>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3}));
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_TRUE(noticed);
}

TEST(ExecSubject, ManyRequestsUnderWayDoNotDeadlock) {
  // The child reads slowly and its answers are longer than the requests.
  const auto subject = Start(
      "exec python3 -c '\nimport sys\nprint(\"{\\\"name\\\":\\\"p\\\",\\\"ops\\\":[\\\"offset\\\"]}\", "
      "flush=True)\nsys.stdin.readline()\nfor l in sys.stdin:\n  print(\"{\\\"offset\\\":17,\\\"pad"
      "\\\":\\\"\" + \"x\" * 500 + \"\\\"}\", flush=True)\n'");
  ASSERT_NE(subject, nullptr);
  const std::vector<Subject::Coordinate> coordinates(20000, Subject::Coordinate{2, 3});
  const auto answer = subject->Offsets(TestShape(), coordinates);
  ASSERT_TRUE(std::holds_alternative<std::vector<int64_t>>(answer)) << std::get<Failed>(answer).what;
  EXPECT_EQ(std::get<std::vector<int64_t>>(answer), std::vector<int64_t>(20000, 17));
}

TEST(ExecSubject, EachOfManyTextsHasItsAnswer) {
  const auto subject =
      Start(Script(R"(case "$l" in *'[1]'*) exit 3;; *'[2]'*) echo garbage;; *'[3]'*) sleep 1000;; )"
                   R"(*'[4]'*) echo '{"unsupported":"no 4"}';; *'[5]'*) echo '{"error":"no"}';; )"
                   R"(*'[6]'*) echo '{"ok":false,"error":"6"}';; *) echo '{"ok":true,"text":"f32[]"}';; esac)"),
            milliseconds(300));
  ASSERT_NE(subject, nullptr);
  const std::vector<std::string> texts = {"f32[]", "f32[1]", "f32[6]", "f32[2]",  "f32[4]", "f32[1]",
                                          "\xff",  "f32[5]", "f32[3]", "f32[10]", "f32[]",  "f32[1]"};
  std::vector<Answer<ParseAnswer>> answers;
  while (answers.size() < texts.size()) {
    const auto more = subject->Parses("shape", std::span(texts).subspan(answers.size()));
    ASSERT_FALSE(more.empty());
    answers.insert(answers.end(), more.begin(), more.end());
  }
  ASSERT_EQ(answers.size(), texts.size());
  const auto text_of = [&](size_t k) { return std::get<ParseAnswer>(answers[k]).text; };
  const auto failure_of = [&](size_t k) { return std::get<Failed>(answers[k]).kind; };
  for (const size_t k : {0u, 9u, 10u}) EXPECT_EQ(text_of(k), "f32[]") << k;
  for (const size_t k : {1u, 5u, 11u}) EXPECT_EQ(failure_of(k), Failed::Kind::kCrash) << k;
  EXPECT_EQ(std::get<ParseAnswer>(answers[2]).error, "6");
  EXPECT_EQ(failure_of(3), Failed::Kind::kProtocol);
  EXPECT_EQ(std::get<Declined>(answers[4]).why, "no 4");
  EXPECT_NE(std::get<Declined>(answers[6]).why.find("UTF-8"), std::string::npos);
  EXPECT_EQ(failure_of(7), Failed::Kind::kError);
  EXPECT_EQ(failure_of(8), Failed::Kind::kTimeout);
  EXPECT_EQ(std::get<Failed>(answers[8]).request, R"({"kind":"shape","op":"parse","text":"f32[3]"})");
  EXPECT_EQ(subject->Requests(), 3) << "f32[10], f32[] and f32[1] since the hang";
}

TEST(ExecSubject, MinimizingAHangTakesLittleTimeAndIsNoReasonToGiveUp) {
  const auto subject =
      Start(Script("case \"$l\" in *size*) sleep 1000;; *) echo '{\"offset\":17}';; esac"), std::chrono::seconds(60));
  ASSERT_NE(subject, nullptr);
  EXPECT_TRUE(std::holds_alternative<int64_t>(subject->Offset(TestShape(), std::vector<int64_t>{2, 3})));
  const auto start = std::chrono::steady_clock::now();
  subject->SetMinimizing(true);
  for (int k = 0; k < 2 * ExecSubject::kTimeoutsAtMost; ++k) {
    const auto answer = subject->Size(TestShape());
    ASSERT_TRUE(std::holds_alternative<Failed>(answer)) << k;
    EXPECT_EQ(std::get<Failed>(answer).kind, Failed::Kind::kTimeout);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_TRUE(subject->Warnings().empty());
}

TEST(ExecSubject, AnOperationThatKeepsHangingIsGivenUp) {
  const auto subject = Start(Script("sleep 1000"), milliseconds(300));
  ASSERT_NE(subject, nullptr);
  for (int k = 0; k < ExecSubject::kTimeoutsAtMost; ++k) {
    EXPECT_TRUE(std::holds_alternative<Failed>(subject->Size(TestShape())));
  }
  EXPECT_TRUE(std::holds_alternative<Declined>(subject->Size(TestShape())));
  EXPECT_EQ(subject->Warnings().size(), 1u);
}

TEST(ExecSubject, AMissingCommandIsAnErrorAndABadHelloAFailure) {
  const std::string missing = TemporaryDirectory().MissingFile();
  EXPECT_TRUE(std::holds_alternative<Error>(ExecSubject::Start(missing, milliseconds(2000))));
  EXPECT_TRUE(std::holds_alternative<Failed>(ExecSubject::Start("read -r l; echo nonsense", milliseconds(2000))));
  EXPECT_TRUE(std::holds_alternative<Failed>(ExecSubject::Start("exit 0", milliseconds(2000))));
}

TEST(ExecSubject, TheReferenceAsAProcessKeepsEveryLaw) {
  const auto subject = Start(LAYOUTCHECK_FAULTY_SUBJECT, milliseconds(10000));
  ASSERT_NE(subject, nullptr);
  CheckOptions options;
  options.cases = 100;
  const CheckSummary summary = CheckRandom(*subject, options);
  EXPECT_EQ(summary.cases, 100u);
  for (const Finding& finding : summary.findings) {
    ADD_FAILURE() << finding.law << " " << finding.layout << ": expected " << finding.expected << ", actual "
                  << finding.actual;
  }
  EXPECT_EQ(summary.declined(), 0);
}

TEST(ExecSubject, TheAlgebraThroughAProcess) {
  const auto subject = Start(LAYOUTCHECK_FAULTY_SUBJECT, milliseconds(10000));
  ASSERT_NE(subject, nullptr);
  CheckOptions options;
  options.cases = 20;
  const CheckSummary summary = CheckAlgebra(*subject, AlgebraLaws(), options);
  EXPECT_TRUE(summary.findings.empty());
  for (const auto& [name, tally] : summary.laws) EXPECT_EQ(tally.declined, 0) << name;
  EXPECT_TRUE(TakesAlgebra(*subject));
  // These answers have none of the three members, or one of another type.
  for (const char* line : {"{}", R"({"layout":1})", R"({"value":"1"})", R"({"layout":"1:1","value":1})", "[]"}) {
    const auto answer = ReadAnswer<ApplyQuestion>(line);
    EXPECT_TRUE(std::holds_alternative<Failed>(answer)) << line;
  }
  EXPECT_EQ(std::get<ApplyAnswer>(ReadAnswer<ApplyQuestion>(R"({"value":true})")).value, 1);
  EXPECT_EQ(std::get<std::string>(ReadAnswer<MakeQuestion>(R"({"layout":"2:1"})")), "2:1");
  EXPECT_EQ(RequestOf(MakeQuestion{"zN", 16, std::vector<int64_t>{20, 40}}),
            "{\"op\":\"make\",\"tag\":\"zN\",\"element_bits\":16,\"rows\":20,\"columns\":40}\n");
  EXPECT_EQ(RequestOf(MakeQuestion{"NC1HWC0", 16, std::vector<int64_t>{2, 20, 5, 7}}),
            R"({"op":"make","tag":"NC1HWC0","element_bits":16,"sizes":[2,20,5,7],"rows":2,"columns":7})"
            "\n");
}

TEST(ExecSubject, SeededFaultsAreFoundThroughAProcess) {
  const size_t step = EveryNth(8, 32);
  const std::vector<Fault> faults = AllFaults();
  std::vector<uint64_t> taken;
  for (size_t k = 0; k < faults.size(); k += step) {
    const auto subject = Start(StrCat(LAYOUTCHECK_FAULTY_SUBJECT, " --fault ", faults[k].name), milliseconds(10000));
    ASSERT_NE(subject, nullptr);
    bool found = false;
    uint64_t cases = 0;
    CheckOptions options;
    options.cases = 1000;  // the default of layoutcheck check
    options.on_finding = [&](Finding&) { found = true; };
    options.on_case = [&](uint64_t number) {
      cases = number;
      return !found;
    };
    CheckRandom(*subject, options);
    EXPECT_TRUE(found) << faults[k].name << ": " << faults[k].stands_for;
    taken.push_back(cases);
  }
  std::ranges::sort(taken);
  std::printf("%zu faults through a process, median %llu cases, at most %llu\n", taken.size(),
              static_cast<unsigned long long>(taken[taken.size() / 2]), static_cast<unsigned long long>(taken.back()));
  EXPECT_LE(taken[taken.size() / 2], 20u) << "half of the faults are to be found within 20 cases";
}

TEST(ExecSubject, OneThatTakesShapeStrideOnlyIsAskedInIt) {
  auto started = ExecSubject::Start("exec python3 " LAYOUTCHECK_SOURCE "/subjects/examples/shape_stride_subject.py",
                                    std::chrono::seconds(30));
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<ExecSubject>>(started));
  Subject& subject = *std::get<std::unique_ptr<ExecSubject>>(started);
  ReferenceSubject reference;
  for (const char* text :
       {"f32[4,6]{1,0:T(2,2)}", "f32[6,4,2]{0,2,1}", "bf16[16,256]{1,0:T(8,128)(2,1)}", "f32[4]{0}"}) {
    const Shape shape = ParseShape(text).value();
    EXPECT_EQ(std::get<0>(subject.Table(shape)), std::get<0>(reference.Table(shape))) << text;
  }
  const std::vector<int64_t> last = {3, 5};
  EXPECT_EQ(std::get<0>(subject.Offset(ParseShape("f32[4,6]{1,0:T(2,2)}").value(), last)), 23);
  for (const char* text : {"f32[3,5]{1,0:T(2,2)}", "f32[4,0]{1,0}", "f32[4]{0:L(8)}"}) {
    EXPECT_TRUE(std::holds_alternative<Declined>(subject.Table(ParseShape(text).value()))) << text;
  }
  CheckOptions options;
  options.cases = 100;
  const CheckSummary summary = CheckRandom(subject, options);
  EXPECT_TRUE(summary.findings.empty()) << summary.findings.front().law << " " << summary.findings.front().layout;
  EXPECT_GT(summary.laws.at("linear-index").agreed, 20);
}

}  // namespace
}  // namespace layoutcheck
