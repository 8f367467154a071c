// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/serve.h"
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/protocol/check_law.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/protocol/strided_requests.h"

namespace layoutcheck {
namespace {

std::string AnswerHello(const Subject& subject) {
  const SubjectInfo& info = subject.info();
  Json limits = Json::object();
  if (info.max_rank) limits["max_rank"] = *info.max_rank;
  if (info.max_tiles) limits["max_tiles"] = *info.max_tiles;
  if (info.max_table_elements) limits["max_table_elements"] = *info.max_table_elements;
  Json ops = Json::array();
  for (size_t op = 0; op < kOperationCount; ++op) ops.push_back(OperationName(static_cast<Operation>(op)));
  return AnswerLine({{"name", info.name},
                     {"version", info.version},
                     {"ops", ops},
                     {"notations", Json::array({"hlo", "shape-stride"})},
                     {"limits", limits}});
}

// Answers a request other than hello. Throws WrongRequest. Braces, because they read the members in their order.
std::string AnswerAbout(Subject& subject, Operation operation, const RequestReader& in) {
  const auto answer = [&]<class Question>(const Question& question) {
    return AnswerLineOf<Question>(question.AskOf(subject));
  };
  switch (operation) {
    case Operation::kParse: return answer(ParseQuestion{in.Text("kind"), in.Text("text")});
    case Operation::kOffset: return answer(OffsetQuestion{in.Layout("layout"), in.Integers("coordinate")});
    case Operation::kTable: return answer(TableQuestion{in.Layout("layout")});
    case Operation::kCoordinate: return answer(CoordinateQuestion{in.Layout("layout"), in.Integer("offset")});
    case Operation::kSize: return answer(SizeQuestion{in.SizedLayout("layout")});
    case Operation::kRelayout: return answer(RelayoutQuestion{in.Layout("from"), in.Layout("to"), in.Integers("data")});
    case Operation::kMake: {
      const auto sizes =
          in.Find("sizes") != nullptr ? in.Integers("sizes") : std::vector{in.Integer("rows"), in.Integer("columns")};
      return answer(MakeQuestion{in.Text("tag"), in.Integer("element_bits"), sizes});
    }
    case Operation::kApply: return answer(ApplyQuestion{in.Text("function"), in.Texts("arguments")});
    case Operation::kBitcast: {
      std::vector<int64_t> permutation;
      std::optional<std::span<const int64_t>> transpose;
      if (in.Find("transpose") != nullptr) transpose = permutation = in.Integers("transpose");
      return answer(BitcastQuestion{in.Layout("from"), in.Layout("to"), transpose});
    }
    case Operation::kEqual: {
      const auto ignored = in.Find("ignore") != nullptr ? in.Texts("ignore") : std::vector<std::string>();
      return answer(EqualQuestion{in.Layout("a"), in.Layout("b"), ignored});
    }
    case Operation::kEdit:
      return answer(EditQuestion{in.Text("function"), in.Layout("layout"), in.Integers("arguments")});
    case Operation::kView: return answer(ReadViewQuestion(in, ViewQuestion::Kind::kView));
    case Operation::kTileView: return answer(ReadViewQuestion(in, ViewQuestion::Kind::kTileView));
    case Operation::kSlice: return answer(ReadViewQuestion(in, ViewQuestion::Kind::kSlice));
    case Operation::kAxisInfo: return answer(AxisInfoQuestion{in.Text("expression")});
    case Operation::kShard: return answer(ShardQuestion{in.Text("layout"), in.Integer("device")});
    case Operation::kReshard: return answer(ReshardQuestion{in.Text("from"), in.Text("to"), in.Integer("device")});
  }
  std::unreachable();
}

// Writes and clears the text. Returns false, with errno set, if that fails; EPIPE if nobody reads it.
bool WriteAll(int descriptor, std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t taken = write(descriptor, text.data() + written, text.size() - written);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) return false;
    written += static_cast<size_t>(taken);
  }
  text.clear();
  return true;
}

}  // namespace

std::string AnswerRequest(Subject& subject, std::string_view line) {
  try {
    const RequestReader request(line);
    const auto& op = request.Text("op");
    if (op == "hello") return AnswerHello(subject);
    const auto operation = OperationFromName(op);
    if (!operation) return UnsupportedLine(StrCat("no operation \"", op, "\""));
    if (IsStridedRequest(*operation, request)) return AnswerStridedRequest(subject, *operation, request);
    return AnswerAbout(subject, *operation, request);
  } catch (const WrongRequest& error) {
    return error.what();
  }
}

Expected<void> Serve(Subject& subject, int input, int output, const std::function<void()>& on_answer) {
  using Clock = std::chrono::steady_clock;
  constexpr size_t kChunk = size_t{64} << 10;
  constexpr std::chrono::milliseconds kLongestDelay(100);  // of an answer that is ready
  std::vector<char> chunk(kChunk);
  std::string requests;
  std::string answers;
  LawServer laws(subject);
  const auto end_of_output = []() -> Expected<void> {
    if (errno == EPIPE) return {};
    return MakeError(ErrorKind::kUnavailable, StrCat("cannot write an answer: ", std::strerror(errno)));
  };
  bool more = true;
  while (more) {
    const ssize_t got = read(input, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return MakeError(ErrorKind::kUnavailable, StrCat("cannot read a request: ", std::strerror(errno)));
    more = got > 0;
    if (more) requests.append(chunk.data(), static_cast<size_t>(got));
    if (!more && !requests.empty()) requests += '\n';  // the last line may have no newline
    size_t begin = 0;
    Clock::time_point last_write = Clock::now();
    for (size_t newline = 0; (newline = requests.find('\n', begin)) != std::string::npos; begin = newline + 1) {
      const std::string_view request = std::string_view(requests).substr(begin, newline - begin);
      const auto law_answer = laws.Answer(request);
      StrAppend(answers, law_answer ? *law_answer : AnswerRequest(subject, request), '\n');
      on_answer();
      if (answers.size() < kChunk && Clock::now() - last_write < kLongestDelay) continue;
      if (!WriteAll(output, answers)) return end_of_output();
      last_write = Clock::now();
    }
    requests.erase(0, begin);
    if (!WriteAll(output, answers)) return end_of_output();
  }
  return {};
}

}  // namespace layoutcheck
