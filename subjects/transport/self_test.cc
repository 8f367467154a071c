// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/self_test.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/transport/exec_subject.h"
#include "layoutcheck/subjects/transport/line_process.h"

namespace layoutcheck {
namespace {

using Result = SelfTestStep::Result;

// A request with its answer by the reference.
struct Question {
  std::string name;
  Operation operation;
  std::string request;
  std::string expected;
  std::function<Result(std::string_view received)> judge;
  int64_t integers = 0;               // of the answer about one layout: elements of a table, rank of a coordinate
  std::optional<Shape> largest = {};  // the layout, whose rank and tiles the subject's limits must allow
};

// Compares shape:stride layouts by their offsets, because their nesting may differ.
bool SameLayout(const std::string& received, const std::string& expected) {
  constexpr int64_t kMostElements = 1 << 16;
  const auto offsets = [](const std::string& text) -> std::optional<std::vector<int64_t>> {
    const auto layout = ParseShapeStrideLayout(text);
    if (!layout) return std::nullopt;
    auto table = StridedOffsetTable(*layout, kMostElements);
    return table ? std::optional(*std::move(table)) : std::nullopt;
  };
  return received == expected || (offsets(received) && offsets(received) == offsets(expected));
}

// These functions return true if the first answer is as good as the second one, the reference's.
template <class T>
bool Agrees(const T& received, const T& expected) {
  return received == expected;
}
bool Agrees(const std::string& received, const std::string& expected) { return SameLayout(received, expected); }
bool Agrees(const ParseAnswer& received, const ParseAnswer& expected) {
  return received.ok == expected.ok && (!received.ok || received.text == expected.text);
}
bool Agrees(const SizeAnswer& received, const SizeAnswer& expected) {
  const auto same = [](const auto& a, const auto& b) { return !a || a == b; };
  return same(received.elements, expected.elements) && same(received.padded_elements, expected.padded_elements) &&
         same(received.bytes, expected.bytes) && same(received.extent, expected.extent);
}
bool Agrees(const EditAnswer& received, const EditAnswer& expected) { return received.layout == expected.layout; }
bool Agrees(const ApplyAnswer& received, const ApplyAnswer& expected) {
  return received.value == expected.value && received.layout.has_value() == expected.layout.has_value() &&
         (!received.layout || SameLayout(*received.layout, *expected.layout));
}
// Compares answers of which the expected one is a layout. A subject may also give the offsets of its only element.
bool Agrees(const ViewAnswer& received, const ViewAnswer& expected) {
  if (received.valid && received.valid != expected.valid) return false;
  if (received.offsets) return received.offsets == std::vector<int64_t>{expected.offset};
  return received.layout && received.offset == expected.offset && SameLayout(*received.layout, *expected.layout);
}

// Accepts claims that are smaller than the expected ones. Smaller groups begin at multiples of their size.
bool Agrees(const AxisInfo& received, const AxisInfo& expected) {
  const auto divides = [](int64_t claim, int64_t truth) { return claim > 0 && truth % claim == 0; };
  const bool same_groups = received.contiguity == expected.contiguity;
  if (!same_groups && !std::ranges::equal(received.divisibility, received.contiguity, std::ranges::less_equal())) {
    return false;
  }
  return std::ranges::equal(received.contiguity, expected.contiguity, divides) &&
         std::ranges::equal(received.divisibility, expected.divisibility, divides) &&
         std::ranges::equal(received.constancy, expected.constancy, divides);
}

// Compares parts of a device. A subject may leave out the shape or the elements, or give numbers in place of ranges.
bool Agrees(const ShardAnswer& received, const ShardAnswer& expected) {
  return received.has_part == expected.has_part && (!received.shape || received.shape == expected.shape) &&
         (!received.elements || received.elements->index() != expected.elements->index() ||
          received.elements == expected.elements);
}

class Transcript {
 public:
  explicit Transcript(const HelloAnswer& hello) : hello_(hello) {
    // The texts are from corpus/vectors.
    for (const char* text : {"f32[123,456]{0,1}", "f32[16,16,16]{2,1,0:T(8,128)}", "f32[123,456]foobar{0,1}"}) {
      Add(StrCat("parse ", text), ParseQuestion{"shape", text});
    }
    AddLayout("f32[2,3]{0,1}", {1, 2}, {5});
    AddLayout("f32[3,5]{1,0:T(2,2)}", {2, 3}, {17, 19});
    AddRelayout("f32[2,3]{1,0}", "f32[2,3]{0,1}");
    AddRelayout("f32[2,3]{1,0}", "f32[2,3]{1,0:T(2,2)}");
    Add("make zN", MakeQuestion{"zN", 16, std::vector<int64_t>{20, 40}});
    Add("make NC1HWC0", MakeQuestion{"NC1HWC0", 16, std::vector<int64_t>{2, 20, 5, 7}});
    Add("apply composition", ApplyQuestion{"composition", std::vector<std::string>{"(6,2):(8,2)", "(4,3):(3,1)"}});
    Add("apply cosize", ApplyQuestion{"cosize", std::vector<std::string>{"(6,2):(8,2)"}});
    AddBitcast("f32[6,4]{1,0}", "f32[2,3,4]{2,1,0}", std::nullopt);
    AddBitcast("f32[2,3,4]{2,1,0}", "f32[3,4,2]{1,0,2}", std::vector<int64_t>{1, 2, 0});
    AddEqual("f32[2,3]{1,0}", "f32[2,3]{1,0:S(1)}", {});
    AddEqual("f32[2,3]{1,0}", "f32[2,3]{1,0:S(1)}", {"memory_space"});
    AddEdit("move-dim-to-major", "f32[2,3]{1,0}", {1});
    AddEdit("delete-dimensions", "f32[2,3,4]{0,2,1}", {1});
    AddView(ViewQuestion::Kind::kView, {4, 16}, {16, 16});
    AddView(ViewQuestion::Kind::kTileView, {1, 2}, {16, 16});
    AddView(ViewQuestion::Kind::kSlice, {std::nullopt, 3}, {});
    Add("axis-info range(8,16)", AxisInfoQuestion{"range(8,16)"});
    AddShard("f32[8,6]{1,0} sharding={devices=[2,1]<=[2]}", 1);
    AddShard("f32[6]{0} mesh[x=2] P(\"x\")", 1);
    AddShard("f32[5]{0} mesh[2] _StridedShard(0,sf=2)", 0);
    Add("reshard f32[2,2]{1,0} mesh[2] S(0) to S(1)",
        ReshardQuestion{"f32[2,2]{1,0} mesh[2] S(0)", "f32[2,2]{1,0} mesh[2] S(1)", 1});
  }

  std::vector<Question> Take() { return std::move(questions_); }

 private:
  // Adds a question, with an empty request if the subject takes no notation of the layout.
  template <class Asked>
  void Add(std::string name, const Asked& asked, std::optional<Shape> largest = std::nullopt) {
    using Answered = Answer<typename Asked::Result>;
    const Answered expected = asked.AskOf(reference_);
    const AnswerSize size = AnswerSizeOf(asked);
    Question question{std::move(name), OperationOf(asked), RequestOf(asked, hello_.notations).value_or(""),
                      AnswerLineOf<Asked>(expected), [expected, size](std::string_view line) {
                        const Answered received = ReadAnswer<Asked>(line, size);
                        if (std::holds_alternative<Declined>(received)) return Result::kDeclined;
                        if (std::holds_alternative<Failed>(received)) return Result::kWrong;
                        return Agrees(std::get<0>(received), std::get<0>(expected)) ? Result::kRight : Result::kWrong;
                      }};
    if constexpr (requires { asked.shape; }) question.integers = static_cast<int64_t>(size.integers);
    question.largest = std::move(largest);
    questions_.push_back(std::move(question));
  }

  // Adds requests for offset, table, coordinate and size. An offset may be one of padding.
  void AddLayout(const std::string& hlo, const std::vector<int64_t>& coordinate, const std::vector<int64_t>& offsets) {
    const Shape shape = *ParseShape(hlo);
    Add(StrCat("offset ", hlo), OffsetQuestion{shape, coordinate}, shape);
    Add(StrCat("table ", hlo), TableQuestion{shape}, shape);
    for (const int64_t offset : offsets) {
      Add(StrCat("coordinate ", hlo, " at ", offset), CoordinateQuestion{shape, offset}, shape);
    }
    Add(StrCat("size ", hlo), SizeQuestion{shape}, shape);
  }

  void AddBitcast(const std::string& from, const std::string& to, std::optional<std::vector<int64_t>> transpose) {
    const Shape target = *ParseShape(to);
    const std::string how = transpose ? StrCat(", transposed ", StrJoin(*transpose, ",")) : "";
    Add(StrCat("bitcast ", from, " to ", to, how), BitcastQuestion{*ParseShape(from), target, transpose}, target);
  }

  void AddEqual(const std::string& a, const std::string& b, const std::vector<std::string>& ignored_parts) {
    const Shape shape = *ParseShape(a);
    const std::string except = ignored_parts.empty() ? "" : StrCat(" except ", StrJoin(ignored_parts, ", "));
    Add(StrCat("equal ", a, " and ", b, except), EqualQuestion{shape, *ParseShape(b), ignored_parts}, shape);
  }

  void AddEdit(const std::string& function, const std::string& layout, const std::vector<int64_t>& arguments) {
    const Shape shape = *ParseShape(layout);
    Add(StrCat("edit ", function, " ", layout), EditQuestion{function, shape, arguments}, shape);
  }

  // Adds a request for a view of zN:f16[20,40] and for the offset of its first element.
  void AddView(ViewQuestion::Kind kind, const std::vector<std::optional<int64_t>>& at,
               const std::vector<int64_t>& tile) {
    ViewQuestion question{kind, "((16,2),(16,3)):((16,256),(1,512))", {20, 40}, at, tile, {}, {}};
    question.coordinates.emplace_back(question.KeptModes(), 0);
    Add(StrCat(OperationName(OperationOf(question)), " of zN"), question);
  }

  void AddShard(const std::string& layout, int64_t device) {
    Add(StrCat("shard ", layout, " on ", device), ShardQuestion{layout, device});
  }

  void AddRelayout(const std::string& from, const std::string& to) {
    const Shape target = *ParseShape(to);
    Add(StrCat("relayout to ", to), RelayoutQuestion{*ParseShape(from), target, std::vector<int64_t>{0, 1, 2, 3, 4, 5}},
        target);
  }

  const HelloAnswer& hello_;
  ReferenceSubject reference_;
  std::vector<Question> questions_;
};

class SelfTest {
 public:
  SelfTest(const std::string& command, std::chrono::milliseconds timeout) : command_(command), timeout_(timeout) {}

  Expected<std::vector<SelfTestStep>> Run() {
    SelfTestStep hello{"hello", Result::kWrong, HelloRequest(), "an answer with \"name\" and \"ops\"", ""};
    hello.sent.pop_back();
    if (auto error = Start(&hello)) return std::unexpected(*error);
    steps_.push_back(hello);
    if (hello.result != Result::kRight) return std::move(steps_);
    std::vector<Question> right;
    for (const Question& question : Transcript(hello_).Take()) {
      if (Ask(question) == Result::kRight) right.push_back(question);
    }
    if (!right.empty()) {
      AskWithUnknownField(right.front());
      AskTogether(right);
    }
    AskUnknownOperation();
    AwaitEnd();
    return std::move(steps_);
  }

 private:
  // Returns the answers to the requests. A failure is the last of them.
  std::vector<std::string> Exchange(std::span<const std::string> requests) {
    std::vector<std::string> answers;
    if (process_ == nullptr) {
      if (const auto error = Start(nullptr)) return {error->message};
    }
    size_t longest = 0;
    for (const std::string& request : requests) longest = std::max(longest, request.size());
    const auto failed = process_->Exchange(requests, {.timeout = timeout_, .max_answer_bytes = MaxAnswerBytes(longest)},
                                           [&](size_t, std::string_view line) -> std::optional<Failed> {
                                             answers.emplace_back(line);
                                             return std::nullopt;
                                           });
    if (failed) {
      answers.push_back(failed->what);
      not_found_ = process_->CommandNotFound();
      process_.reset();
    }
    return answers;
  }

  // Starts the process and says hello. Judges the answer in `hello` unless that is null.
  std::optional<Error> Start(SelfTestStep* hello) {
    auto started = LineProcess::Start(command_);
    if (!started) return started.error();
    process_ = *std::move(started);
    const std::string request = HelloRequest();
    const std::string received = Exchange(std::span(&request, 1)).front();
    if (process_ == nullptr && not_found_)
      return Error{ErrorKind::kUnavailable, StrCat("cannot run the command: ", received)};
    auto answer = ReadHello(received);
    if (const auto* declined = std::get_if<Declined>(&answer); declined != nullptr && process_ != nullptr) {
      return Error{ErrorKind::kUnavailable, StrCat("the subject declines protocol 1: ", declined->why)};
    }
    if (process_ == nullptr && hello == nullptr) return Error{ErrorKind::kUnavailable, StrCat("hello: ", received)};
    if (hello == nullptr) return std::nullopt;
    hello->received = received;
    if (auto* read = std::get_if<HelloAnswer>(&answer); read != nullptr && process_ != nullptr) {
      hello_ = std::move(*read);
      hello->result = Result::kRight;
    }
    return std::nullopt;
  }

  // Returns why the subject is not asked the question, or nothing.
  std::optional<std::string> NotAsked(const Question& question) const {
    if (!hello_.operations[static_cast<size_t>(question.operation)]) {
      return StrCat("\"", OperationName(question.operation), "\" is not among its ops");
    }
    if (NeedsHlo(question.operation) && !hello_.notations.hlo) return "it does not take HLO notation";
    if (question.request.empty()) return "the layout has no text in a notation that it takes";
    if (!question.largest) return std::nullopt;
    const SubjectInfo& info = hello_.info;
    const auto tiles = static_cast<int64_t>(question.largest->layout->tiles.size());
    const bool too_large = (info.max_rank && *info.max_rank < question.largest->rank()) ||
                           (info.max_tiles && *info.max_tiles < tiles) ||
                           (info.max_table_elements && *info.max_table_elements < question.integers);
    return too_large ? std::optional<std::string>("it is beyond its limits") : std::nullopt;
  }

  Result Ask(const Question& question) {
    SelfTestStep step{question.name, Result::kDeclined, "", question.expected, ""};
    if (auto why = NotAsked(question)) {
      step.received = *std::move(why);
    } else {
      const std::string received = Exchange(std::span(&question.request, 1)).front();
      step.sent = question.request.substr(0, question.request.size() - 1);
      step.received = received;
      step.result = process_ == nullptr ? Result::kWrong : question.judge(received);
    }
    steps_.push_back(std::move(step));
    return steps_.back().result;
  }

  void AskWithUnknownField(Question question) {
    question.name = "a field that the protocol does not have";
    question.request.insert(1, "\"layoutcheck_self_test\":{\"ignore\":[1]},");
    Ask(question);
  }

  void AskTogether(const std::vector<Question>& questions) {
    constexpr size_t kRequests = 64;
    std::vector<std::string> requests;
    for (size_t k = 0; k < kRequests; ++k) requests.push_back(questions[k % questions.size()].request);
    const std::vector<std::string> answers = Exchange(requests);
    SelfTestStep step{StrCat(kRequests, " requests under way"), Result::kRight, "", "", ""};
    for (size_t k = 0; k < answers.size() && step.result == Result::kRight; ++k) {
      const Question& question = questions[k % questions.size()];
      step.sent = requests[k].substr(0, requests[k].size() - 1);
      step.expected = question.expected;
      step.received = answers[k];
      const bool failed = process_ == nullptr && k + 1 == answers.size();
      step.result = failed || question.judge(answers[k]) != Result::kRight ? Result::kWrong : Result::kRight;
    }
    steps_.push_back(std::move(step));
  }

  void AskUnknownOperation() {
    const std::string request = "{\"op\":\"layoutcheck-self-test\"}\n";
    SelfTestStep step{"an operation that the protocol does not have", Result::kWrong,
                      request.substr(0, request.size() - 1), "an answer with \"unsupported\" or \"error\"", ""};
    step.received = Exchange(std::span(&request, 1)).front();
    const auto answer = ReadAnswer<OffsetQuestion>(step.received);
    const auto* failed = std::get_if<Failed>(&answer);
    const bool refused =
        std::holds_alternative<Declined>(answer) || (failed != nullptr && failed->kind == Failed::Kind::kError);
    if (process_ != nullptr && refused) step.result = Result::kRight;
    steps_.push_back(std::move(step));
  }

  void AwaitEnd() {
    SelfTestStep step{"end of file", Result::kWrong, "", "the process ends when its input does", ""};
    if (process_ == nullptr) {
      if (const auto error = Start(nullptr)) step.received = error->message;
    }
    if (process_ != nullptr) {
      const auto failed = process_->Finish(timeout_);
      step.result = failed ? Result::kWrong : Result::kRight;
      step.received = failed ? StrCat("it ", failed->what) : "it ended";
    }
    steps_.push_back(std::move(step));
  }

  const std::string& command_;
  std::chrono::milliseconds timeout_;
  HelloAnswer hello_;
  std::unique_ptr<LineProcess> process_;  // null after a failure, until the next request
  bool not_found_ = false;
  std::vector<SelfTestStep> steps_;
};

}  // namespace

std::string_view SelfTestResultName(Result result) {
  switch (result) {
    case Result::kRight: return "right";
    case Result::kDeclined: return "declined";
    case Result::kWrong: return "wrong";
  }
  std::unreachable();
}

Expected<std::vector<SelfTestStep>> RunSelfTest(const std::string& command, std::chrono::milliseconds timeout) {
  return SelfTest(command, timeout).Run();
}

}  // namespace layoutcheck
