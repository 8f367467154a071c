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
#include "layoutcheck/subjects/protocol/protocol.h"
#include "layoutcheck/subjects/protocol/serve.h"
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
  size_t integers;               // in the answer: elements of a table, rank of a coordinate
  std::optional<Shape> largest;  // the layout, whose rank and tiles the subject's limits must allow
  std::optional<ViewQuestion> view = {};
};

template <class T, class Same>
Result Compare(const Answer<T>& received, const Answer<T>& expected, Same same) {
  if (std::holds_alternative<Declined>(received)) return Result::kDeclined;
  if (!std::holds_alternative<T>(received)) return Result::kWrong;
  return same(std::get<T>(received), std::get<T>(expected)) ? Result::kRight : Result::kWrong;
}

bool SameSizes(const SizeAnswer& received, const SizeAnswer& expected) {
  const auto same = [](const auto& a, const auto& b) { return !a || a == b; };
  return same(received.elements, expected.elements) && same(received.padded_elements, expected.padded_elements) &&
         same(received.bytes, expected.bytes) && same(received.extent, expected.extent);
}

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

// Compares answers about a view of which both are a layout. A subject may also give the offsets of its only element.
bool SameView(const ViewAnswer& received, const ViewAnswer& expected) {
  if (received.valid && received.valid != expected.valid) return false;
  if (received.offsets) return received.offsets == std::vector<int64_t>{expected.offset};
  return received.layout && received.offset == expected.offset && SameLayout(*received.layout, *expected.layout);
}

Result Judge(const Question& question, std::string_view received) {
  const std::string_view expected = question.expected;
  const size_t integers = question.integers;
  switch (question.operation) {
    case Operation::kParse:
      return Compare(ReadParse(received), ReadParse(expected), [](const ParseAnswer& a, const ParseAnswer& b) {
        return a.ok == b.ok && (!a.ok || a.text == b.text);
      });
    case Operation::kOffset: return Compare(ReadOffset(received), ReadOffset(expected), std::equal_to());
    case Operation::kTable:
      return Compare(ReadTable(received, integers), ReadTable(expected, integers), std::equal_to());
    case Operation::kCoordinate:
      return Compare(ReadCoordinate(received, integers), ReadCoordinate(expected, integers), std::equal_to());
    case Operation::kSize: return Compare(ReadSize(received), ReadSize(expected), SameSizes);
    case Operation::kRelayout: return Compare(ReadRelayout(received), ReadRelayout(expected), std::equal_to());
    case Operation::kMake: return Compare(ReadMake(received), ReadMake(expected), SameLayout);
    case Operation::kBitcast: return Compare(ReadBitcast(received), ReadBitcast(expected), std::equal_to());
    case Operation::kEqual: return Compare(ReadEqual(received), ReadEqual(expected), std::equal_to());
    case Operation::kEdit:
      return Compare(ReadEdit(received), ReadEdit(expected),
                     [](const EditAnswer& a, const EditAnswer& b) { return a.layout == b.layout; });
    case Operation::kView:
    case Operation::kTileView:
    case Operation::kSlice:
      return Compare(ReadView(received, *question.view), ReadView(expected, *question.view), SameView);
    case Operation::kApply:
      return Compare(ReadApply(received), ReadApply(expected), [](const ApplyAnswer& a, const ApplyAnswer& b) {
        return a.value == b.value && a.layout.has_value() == b.layout.has_value() &&
               (!a.layout || SameLayout(*a.layout, *b.layout));
      });
  }
  std::unreachable();
}

class Transcript {
 public:
  explicit Transcript(const HelloAnswer& hello) : hello_(hello) {
    // The texts are from corpus/vectors.
    for (const char* text : {"f32[123,456]{0,1}", "f32[16,16,16]{2,1,0:T(8,128)}", "f32[123,456]foobar{0,1}"}) {
      Add(StrCat("parse ", text), Operation::kParse, *ParseRequest("shape", text), *ParseRequest("shape", text), 0, {});
    }
    AddLayout("f32[2,3]{0,1}", {1, 2}, {5});
    AddLayout("f32[3,5]{1,0:T(2,2)}", {2, 3}, {17, 19});
    AddRelayout("f32[2,3]{1,0}", "f32[2,3]{0,1}");
    AddRelayout("f32[2,3]{1,0}", "f32[2,3]{1,0:T(2,2)}");
    AddMake("zN", {20, 40});
    AddMake("NC1HWC0", {2, 20, 5, 7});
    AddApply("composition", {"(6,2):(8,2)", "(4,3):(3,1)"});
    AddApply("cosize", {"(6,2):(8,2)"});
    AddBitcast("f32[6,4]{1,0}", "f32[2,3,4]{2,1,0}", std::nullopt);
    AddBitcast("f32[2,3,4]{2,1,0}", "f32[3,4,2]{1,0,2}", std::vector<int64_t>{1, 2, 0});
    AddEqual("f32[2,3]{1,0}", "f32[2,3]{1,0:S(1)}", {});
    AddEqual("f32[2,3]{1,0}", "f32[2,3]{1,0:S(1)}", {"memory_space"});
    AddEdit("move-dim-to-major", "f32[2,3]{1,0}", {1});
    AddEdit("delete-dimensions", "f32[2,3,4]{0,2,1}", {1});
    AddView(ViewQuestion::Kind::kView, {4, 16}, {16, 16});
    AddView(ViewQuestion::Kind::kTileView, {1, 2}, {16, 16});
    AddView(ViewQuestion::Kind::kSlice, {std::nullopt, 3}, {});
  }

  std::vector<Question> Take() { return std::move(questions_); }

 private:
  // `hlo_request` is the same request in HLO notation, for the reference.
  void Add(std::string name, Operation operation, std::string request, std::string hlo_request, size_t integers,
           std::optional<Shape> largest) {
    if (hlo_request.ends_with('\n')) hlo_request.pop_back();
    questions_.push_back({std::move(name), operation, std::move(request), AnswerRequest(reference_, hlo_request),
                          integers, std::move(largest)});
  }

  // Adds requests for offset, table, coordinate and size. An offset may be one of padding.
  void AddLayout(const std::string& hlo, const std::vector<int64_t>& coordinate, const std::vector<int64_t>& offsets) {
    const Shape shape = *ParseShape(hlo);
    const std::string text = LayoutText(hello_.notations, shape).value_or("");
    const auto elements = static_cast<size_t>(shape.dimensions[0] * shape.dimensions[1]);
    const auto add = [&](Operation operation, const auto& request, size_t integers, const std::string& where = "") {
      Add(StrCat(OperationName(operation), " ", hlo, where), operation, text.empty() ? "" : request(text), request(hlo),
          integers, shape);
    };
    add(Operation::kOffset, [&](const std::string& t) { return OffsetRequest(t, coordinate); }, 1);
    add(Operation::kTable, [](const std::string& t) { return TableRequest(t); }, elements);
    for (const int64_t offset : offsets) {
      add(
          Operation::kCoordinate, [&](const std::string& t) { return CoordinateRequest(t, offset); }, 2,
          StrCat(" at ", offset));
    }
    add(Operation::kSize, [](const std::string& t) { return SizeRequest(t); }, 4);
  }

  void AddMake(const std::string& tag, const std::vector<int64_t>& sizes) {
    const std::string request = MakeRequest(tag, 16, sizes);
    Add(StrCat("make ", tag), Operation::kMake, request, request, 0, {});
  }

  void AddApply(const std::string& function, const std::vector<std::string>& arguments) {
    const std::string request = ApplyRequest(function, arguments);
    Add(StrCat("apply ", function), Operation::kApply, request, request, 0, {});
  }

  void AddBitcast(const std::string& from, const std::string& to, std::optional<std::vector<int64_t>> transpose) {
    const std::string request = BitcastRequest(from, to, transpose);
    const std::string how = transpose ? StrCat(", transposed ", StrJoin(*transpose, ",")) : "";
    Add(StrCat("bitcast ", from, " to ", to, how), Operation::kBitcast, request, request, 0, *ParseShape(to));
  }

  void AddEqual(const std::string& a, const std::string& b, const std::vector<std::string>& ignored_parts) {
    const std::string request = EqualRequest(a, b, ignored_parts);
    const std::string except = ignored_parts.empty() ? "" : StrCat(" except ", StrJoin(ignored_parts, ", "));
    Add(StrCat("equal ", a, " and ", b, except), Operation::kEqual, request, request, 0, *ParseShape(a));
  }

  void AddEdit(const std::string& function, const std::string& layout, const std::vector<int64_t>& arguments) {
    const std::string request = EditRequest(function, layout, arguments);
    Add(StrCat("edit ", function, " ", layout), Operation::kEdit, request, request, 0, *ParseShape(layout));
  }

  // Adds a request for a view of zN:f16[20,40] and for the offset of its first element.
  void AddView(ViewQuestion::Kind kind, const std::vector<std::optional<int64_t>>& at,
               const std::vector<int64_t>& tile) {
    ViewQuestion question{kind, "((16,2),(16,3)):((16,256),(1,512))", {20, 40}, at, tile, {}, {}};
    question.coordinates.emplace_back(question.KeptModes(), 0);
    const std::string request = ViewRequest(question);
    const Operation operation = OperationOf(kind);
    Add(StrCat(OperationName(operation), " of zN"), operation, request, request, 0, {});
    questions_.back().view = std::move(question);
  }

  void AddRelayout(const std::string& from, const std::string& to) {
    const std::vector<int64_t> data = {0, 1, 2, 3, 4, 5};
    const Shape target = *ParseShape(to);
    const auto source_text = LayoutText(hello_.notations, *ParseShape(from));
    const auto target_text = LayoutText(hello_.notations, target);
    Add(StrCat("relayout to ", to), Operation::kRelayout,
        source_text && target_text ? RelayoutRequest(*source_text, *target_text, data) : "",
        RelayoutRequest(from, to, data), 0, target);
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
    const bool too_large =
        (info.max_rank && *info.max_rank < question.largest->rank()) || (info.max_tiles && *info.max_tiles < tiles) ||
        (info.max_table_elements && *info.max_table_elements < static_cast<int64_t>(question.integers));
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
      step.result = process_ == nullptr ? Result::kWrong : Judge(question, received);
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
      step.result = failed || Judge(question, answers[k]) != Result::kRight ? Result::kWrong : Result::kRight;
    }
    steps_.push_back(std::move(step));
  }

  void AskUnknownOperation() {
    const std::string request = "{\"op\":\"layoutcheck-self-test\"}\n";
    SelfTestStep step{"an operation that the protocol does not have", Result::kWrong,
                      request.substr(0, request.size() - 1), "an answer with \"unsupported\" or \"error\"", ""};
    step.received = Exchange(std::span(&request, 1)).front();
    const auto answer = ReadOffset(step.received);
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
