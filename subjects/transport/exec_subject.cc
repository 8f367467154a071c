// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/exec_subject.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/subjects/protocol/check_law.h"
#include "layoutcheck/subjects/protocol/operations.h"

namespace layoutcheck {

template class UniformSubject<ExecSubject>;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

}  // namespace

std::variant<std::unique_ptr<ExecSubject>, Error, Failed> ExecSubject::Start(std::string command,
                                                                             milliseconds timeout) {
  std::unique_ptr<ExecSubject> subject(new ExecSubject(std::move(command), timeout));  // the constructor is private
  if (auto problem = subject->EnsureStarted()) {
    if (auto* error = std::get_if<Error>(&*problem)) return std::move(*error);
    return std::get<Failed>(std::move(*problem));
  }
  return subject;
}

std::optional<std::variant<Error, Failed>> ExecSubject::EnsureStarted() {
  if (child_ != nullptr) return std::nullopt;
  auto child = LineProcess::Start(command_);
  if (!child) return child.error();
  Answer<HelloAnswer> answer = Failed{};
  const std::string request = HelloRequest();
  const auto failed = (*child)->Exchange(std::span(&request, 1), LimitsFor(timeout_, 0),
                                         [&](size_t, std::string_view line) -> std::optional<Failed> {
                                           answer = ReadHello(line);
                                           if (const auto* broken = std::get_if<Failed>(&answer)) return *broken;
                                           return std::nullopt;
                                         });
  if (failed) {
    if ((*child)->CommandNotFound()) {
      return Error{ErrorKind::kUnavailable, StrCat("cannot run the command: ", failed->what)};
    }
    return Failed{failed->kind, StrCat("hello: ", failed->what)};
  }
  if (const auto* unread = std::get_if<Failed>(&answer); unread != nullptr) {
    return Failed{Failed::Kind::kTimeout, "hello: no answer before the end of the run"};
  }
  if (const auto* declined = std::get_if<Declined>(&answer)) {
    return Error{ErrorKind::kUnavailable, StrCat("the subject declines protocol 1: ", declined->why)};
  }
  hello_ = std::get<HelloAnswer>(std::move(answer));
  if (!is_layoutcheck_) hello_.info.max_questions = kQuestionsPerLayout;
  hello_.info.max_texts_in_flight = kTextsInFlight;
  child_ = std::move(*child);
  requests_ = 0;
  return std::nullopt;
}

void ExecSubject::ExpectLayoutcheck() {
  is_layoutcheck_ = true;
  checks_laws_ = true;
  hello_.info.max_questions.reset();
}

std::optional<Declined> ExecSubject::NotAsked(Operation operation) const {
  if (!hello_.operations[static_cast<size_t>(operation)]) return Declined{StrCat("no ", OperationName(operation))};
  if (NeedsHlo(operation) && !hello_.notations.hlo) return NotInHlo();
  if (End() != RunEnd::kNone) return RunIsOver();
  if (gives_up_ && tallies_[static_cast<size_t>(operation)].given_up()) {
    return Declined{StrCat(OperationName(operation), " was given up after too many failures")};
  }
  return std::nullopt;
}

milliseconds ExecSubject::Patience() const {
  // A machine with other work may delay any answer by this much.
  constexpr milliseconds kLeast{100};
  if (!minimizing_ || slowest_ == Clock::duration()) return timeout_;
  return std::min(timeout_, std::max(kLeast, std::chrono::ceil<milliseconds>(10 * slowest_)));
}

LineProcess::Limits ExecSubject::LimitsFor(milliseconds timeout, size_t integers_in_answer) const {
  return {.timeout = timeout,
          .max_answer_bytes = MaxAnswerBytes(integers_in_answer),
          .max_bytes_in_flight = one_at_a_time_ ? 0 : LineProcess::kMaxBytesInFlight,
          .end = [this] { return End(); }};
}

template <class Question>
std::vector<Answer<typename Question::Result>> ExecSubject::AskTogether(Operation operation,
                                                                        std::span<const std::string> requests,
                                                                        AnswerSize size) {
  using T = Question::Result;
  if (auto declined = NotAsked(operation)) return std::vector<Answer<T>>(requests.size(), *std::move(declined));
  std::vector<Answer<T>> answers;
  Tally& tally = tallies_[static_cast<size_t>(operation)];
  if (auto problem = EnsureStarted()) {
    if (End() != RunEnd::kNone) return std::vector<Answer<T>>(requests.size(), RunIsOver());
    if (const auto* error = std::get_if<Error>(&*problem)) {
      answers.emplace_back(Failed{Failed::Kind::kCrash, error->message});
    } else {
      if (!minimizing_) ++tally.failures_in_a_row;
      answers.emplace_back(std::get<Failed>(std::move(*problem)));
    }
    return answers;
  }
  answers.reserve(requests.size());
  Clock::time_point last = Clock::now();
  auto failed = child_->Exchange(requests, LimitsFor(Patience(), size.integers),
                                 [&](size_t, std::string_view line) -> std::optional<Failed> {
                                   const Clock::time_point now = Clock::now();
                                   slowest_ = std::max(slowest_, now - std::exchange(last, now));
                                   Answer<T> answer = ReadAnswer<Question>(line, size);
                                   if (auto* broken = std::get_if<Failed>(&answer)) {
                                     if (broken->kind != Failed::Kind::kError) return std::move(*broken);
                                     broken->request = requests[answers.size()];
                                     broken->request.pop_back();  // the newline
                                   }
                                   answers.push_back(std::move(answer));
                                   return std::nullopt;
                                 });
  requests_ += static_cast<int64_t>(answers.size());
  if (!failed) {
    tally.failures_in_a_row = 0;
    if (!child_->is_usable()) child_.reset();
    answers.resize(requests.size(), RunIsOver());
    return answers;
  }
  ++requests_;
  failed->request = requests[answers.size()];
  failed->request.pop_back();  // the newline
  child_.reset();
  if (!minimizing_) {
    ++tally.failures_in_a_row;
    if (failed->kind == Failed::Kind::kTimeout) ++tally.timeouts;
  }
  answers.emplace_back(*std::move(failed));
  return answers;
}

template <class Question>
Answer<typename Question::Result> ExecSubject::Ask(const Question& question) {
  const auto request = RequestOf(question, hello_.notations);
  if (!request) return request.error();
  return std::move(
      AskTogether<Question>(OperationOf(question), std::span(&*request, 1), AnswerSizeOf(question)).front());
}

std::vector<Answer<ParseAnswer>> ExecSubject::Parses(std::string_view kind, std::span<const std::string> texts) {
  std::vector<Answer<ParseAnswer>> answers(texts.size());
  std::vector<std::string> requests;
  std::vector<size_t> text_of;  // number of the text, per request
  size_t longest = 0;
  for (size_t k = 0; k < texts.size(); ++k) {
    if (auto request = RequestOf(ParseQuestion{kind, texts[k]})) {
      requests.push_back(*std::move(request));
      text_of.push_back(k);
      longest = std::max(longest, texts[k].size());
    } else {
      answers[k] = std::move(request.error());
    }
  }
  if (requests.empty()) return answers;
  size_t answered = 0;
  for (auto& answer : AskTogether<ParseQuestion>(Operation::kParse, requests, {longest})) {
    answers[text_of[answered++]] = std::move(answer);
  }
  if (answered < requests.size()) answers.resize(text_of[answered]);
  return answers;
}

template <class Question>
Answer<std::vector<typename Question::Result>> ExecSubject::AskAll(const Shape& shape,
                                                                   std::span<const Question> questions) {
  if (!LayoutText(hello_.notations, shape)) return OtherNotation();
  std::vector<typename Question::Result> results;
  if (questions.empty()) return results;
  std::vector<std::string> requests;
  requests.reserve(questions.size());
  for (const Question& question : questions) requests.push_back(*RequestOf(question, hello_.notations));
  results.reserve(questions.size());
  for (auto& answer : AskTogether<Question>(OperationOf(questions[0]), requests, AnswerSizeOf(questions[0]))) {
    if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
    if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
    results.push_back(std::get<0>(std::move(answer)));
  }
  return results;
}

Answer<std::vector<int64_t>> ExecSubject::Offsets(const Shape& shape, std::span<const Coordinate> coordinates) {
  std::vector<OffsetQuestion> questions;
  for (const Coordinate& coordinate : coordinates) questions.push_back({shape, coordinate});
  return AskAll<OffsetQuestion>(shape, questions);
}

Answer<CoordinateList> ExecSubject::CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) {
  std::vector<CoordinateQuestion> questions;
  for (const int64_t offset : offsets) questions.push_back({shape, offset});
  return IfAnswered(AskAll<CoordinateQuestion>(shape, questions),
                    [&](const std::vector<std::optional<Coordinate>>& found) -> Answer<CoordinateList> {
                      CoordinateList coordinates(offsets.size(), shape.dimensions.size());
                      for (const auto& coordinate : found) coordinates.Add(coordinate);
                      return coordinates;
                    });
}

std::vector<Answer<LawResult>> ExecSubject::CheckLaws(std::span<const LawQuestion> questions) {
  if (End() != RunEnd::kNone) return {RunIsOver()};
  if (!checks_laws_ || EnsureStarted()) return {Declined{"no laws"}};
  std::vector<std::string> requests;
  requests.reserve(questions.size());
  for (const LawQuestion& question : questions) requests.push_back(CheckLawRequest(question));
  std::vector<Answer<LawResult>> answers;
  auto failed =
      child_->Exchange(requests, LimitsFor(timeout_, 0), [&](size_t, std::string_view line) -> std::optional<Failed> {
        answers.push_back(ReadLawResult(line));
        return std::nullopt;
      });
  requests_ += static_cast<int64_t>(answers.size());
  if (failed) {
    checks_laws_ = false;
    answers.emplace_back(*std::move(failed));
  }
  if (!child_->is_usable()) child_.reset();
  return answers;
}

std::vector<Answer<ShardAnswer>> ExecSubject::ShardsOf(std::string_view layout, std::span<const int64_t> devices) {
  std::vector<std::string> requests;
  for (const int64_t device : devices) {
    auto request = RequestOf(ShardQuestion{layout, device});
    if (!request) return std::vector<Answer<ShardAnswer>>(devices.size(), std::move(request.error()));
    requests.push_back(*std::move(request));
  }
  if (requests.empty()) return {};
  return AskTogether<ShardQuestion>(Operation::kShard, requests, AnswerSizeOf(ShardQuestion{layout, devices[0]}));
}

std::optional<Failed> ExecSubject::Finish() {
  if (child_ == nullptr) return std::nullopt;
  auto failed = child_->Finish(Patience(), [this] { return End(); });
  child_.reset();
  return failed;
}

std::vector<std::string> ExecSubject::Warnings() const {
  std::vector<std::string> warnings;
  for (size_t op = 0; op < kOperationCount; ++op) {
    const Tally& tally = tallies_[op];
    if (!gives_up_ || !tally.given_up()) continue;
    const std::string reason = tally.timeouts >= kTimeoutsAtMost
                                   ? StrCat(tally.timeouts, " requests timed out")
                                   : StrCat(tally.failures_in_a_row, " requests in a row failed");
    warnings.push_back(StrCat("\"", OperationName(static_cast<Operation>(op)), "\" was given up after ", reason,
                              "; later requests count as declined"));
  }
  return warnings;
}

}  // namespace layoutcheck
