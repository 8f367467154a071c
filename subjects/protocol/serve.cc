// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/serve.h"
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/protocol/answer_line.h"
#include "layoutcheck/subjects/protocol/protocol.h"
#include "layoutcheck/subjects/protocol/request_members.h"
#include "layoutcheck/subjects/protocol/strided_requests.h"
#include "layoutcheck/subjects/protocol/view_request.h"

namespace layoutcheck {
namespace {

// Removes the array from a request that ends with `,"data":[1,2,3]}`, with the closing brace, because a JSON tree of a
// long array is slow. Returns false and changes nothing for other forms. Never matches inside a JSON string, in which
// the quotes would have backslashes.
bool TakeData(std::string_view& line, std::vector<int64_t>& data) {
  constexpr std::string_view kMember = ",\"data\":[";
  const size_t member = line.find(kMember);
  if (member == std::string_view::npos || !line.ends_with("]}")) return false;
  const char* at = line.data() + member + kMember.size();
  const char* const end = line.data() + line.size() - 2;
  std::vector<int64_t> integers;
  for (bool more = at != end; more; ++at) {
    // The JSON parser rejects leading zeros.
    const char* const digit = at + (at != end && *at == '-' ? 1 : 0);
    if (end - digit > 1 && *digit == '0' && digit[1] >= '0' && digit[1] <= '9') return false;
    const auto [rest, error] = std::from_chars(at, end, integers.emplace_back());
    if (error != std::errc()) return false;
    at = rest;
    more = at != end;
    if (!more) break;
    if (*at != ',' || at + 1 == end) return false;
  }
  data = std::move(integers);
  line = line.substr(0, member);
  return true;
}

// Parses a shape in HLO notation, or the layout of a tag of CATLASS as the XLA layout that is the same map.
Expected<Shape> ShapeOfText(const std::string& text, const ParseOptions& options = {}) {
  return IsFractalText(text) ? HloOfText(text) : ParseShape(text, options);
}

// Parses a member as a shape. Keeps the latest one, because consecutive requests are often about one layout. Throws
// WrongMember if the member is missing or not a text.
Expected<Shape> ShapeIn(const Json& request, const char* member) {
  thread_local std::string last_text;
  thread_local Expected<Shape> last_shape = std::unexpected(Error{});
  const auto& text = TextIn(request, member);
  if (last_text != text || text.empty()) {
    last_shape = ShapeOfText(text);
    last_text = text;
  }
  return last_shape;
}

// Parses the layout of a size request. Accepts dimensions with an overflowing product, which the subject must refuse.
Expected<Shape> SizedShapeIn(const Json& request) {
  auto shape = ShapeOfText(TextIn(request, "layout"), {.validate = false});
  if (!shape || !shape->layout) return shape;
  if (auto valid = ValidateLayoutForShape(*shape->layout, *shape); !valid) return std::unexpected(valid.error());
  return shape;
}

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

// Answers a request about the same array in two layouts.
std::string AnswerAboutTwo(Subject& subject, Operation operation, const Json& request, std::span<const int64_t> data) {
  const auto a = ShapeIn(request, operation == Operation::kEqual ? "a" : "from");
  const auto b = ShapeIn(request, operation == Operation::kEqual ? "b" : "to");
  if (!a || !b) return ErrorLine((a ? b : a).error().ToString());
  if (operation == Operation::kRelayout) {
    return LineOf(subject.Relayout(*a, *b, data),
                  [](const std::vector<int64_t>& moved) { return ArrayLine("data", moved); });
  }
  if (operation == Operation::kEqual) {
    const auto ignored = request.contains("ignore") ? TextsIn(request, "ignore") : std::vector<std::string>();
    return LineOf(subject.AreEqual(*a, *b, ignored), [](bool equal) { return AnswerLine({{"equal", equal}}); });
  }
  std::vector<int64_t> permutation;
  std::optional<std::span<const int64_t>> transpose;
  if (request.contains("transpose")) transpose = permutation = IntegersIn(request, "transpose");
  return LineOf(subject.Bitcast(*a, *b, transpose), [](bool bitcast) { return AnswerLine({{"bitcast", bitcast}}); });
}

// Answers a request other than hello. `data` is its member of that name, for relayout.
std::string AnswerAbout(Subject& subject, Operation operation, const Json& request, std::span<const int64_t> data) {
  if (operation == Operation::kParse) {
    return LineOf(subject.Parse(TextIn(request, "kind"), TextIn(request, "text")), [](const ParseAnswer& parsed) {
      return parsed.ok ? AnswerLine({{"ok", true}, {"text", parsed.text}})
                       : AnswerLine({{"ok", false}, {"error", parsed.error}});
    });
  }
  if (IsStridedRequest(operation, request)) return AnswerStridedRequest(subject, operation, request, data);
  if (operation == Operation::kRelayout || operation == Operation::kBitcast || operation == Operation::kEqual) {
    return AnswerAboutTwo(subject, operation, request, data);
  }
  if (operation == Operation::kMake) {
    const auto sizes = request.contains("sizes")
                           ? IntegersIn(request, "sizes")
                           : std::vector{IntegerIn(request, "rows"), IntegerIn(request, "columns")};
    return LineOf(subject.Make(TextIn(request, "tag"), IntegerIn(request, "element_bits"), sizes),
                  [](const std::string& layout) { return AnswerLine({{"layout", layout}}); });
  }
  if (operation == Operation::kApply) {
    return LineOf(
        subject.Apply(TextIn(request, "function"), TextsIn(request, "arguments")), [](const ApplyAnswer& applied) {
          if (applied.rejected) return AnswerLine({{"rejected", *applied.rejected}});
          return applied.value ? AnswerLine({{"value", *applied.value}}) : AnswerLine({{"layout", *applied.layout}});
        });
  }
  if (operation == Operation::kView || operation == Operation::kTileView || operation == Operation::kSlice) {
    const auto kind = operation == Operation::kView       ? ViewQuestion::Kind::kView
                      : operation == Operation::kTileView ? ViewQuestion::Kind::kTileView
                                                          : ViewQuestion::Kind::kSlice;
    const auto question = ReadViewQuestion(request, kind);
    if (!question) return UnsupportedLine(question.error().message);
    return LineOf(subject.ViewOf(*question), ViewAnswerLine);
  }
  const auto shape = operation == Operation::kSize ? SizedShapeIn(request) : ShapeIn(request, "layout");
  if (!shape) return ErrorLine(shape.error().ToString());
  switch (operation) {
    case Operation::kOffset:
      return LineOf(subject.Offset(*shape, IntegersIn(request, "coordinate")),
                    [](int64_t offset) { return StrCat("{\"offset\":", offset, "}"); });
    case Operation::kTable:
      return LineOf(subject.Table(*shape),
                    [](const std::vector<int64_t>& offsets) { return ArrayLine("offsets", offsets); });
    case Operation::kCoordinate:
      return LineOf(subject.CoordinateAt(*shape, IntegerIn(request, "offset")),
                    [](const std::optional<Subject::Coordinate>& coordinate) {
                      return coordinate ? ArrayLine("coordinate", *coordinate) : "{\"coordinate\":null}";
                    });
    case Operation::kSize:
      return LineOf(subject.Size(*shape), [](const SizeAnswer& sizes) {
        Json answer = Json::object();
        if (sizes.elements) answer["elements"] = *sizes.elements;
        if (sizes.padded_elements) answer["padded_elements"] = *sizes.padded_elements;
        if (sizes.bytes) answer["bytes"] = *sizes.bytes;
        if (sizes.extent) answer["extent"] = *sizes.extent;
        return AnswerLine(answer);
      });
    case Operation::kEdit:
      return LineOf(subject.Edit(TextIn(request, "function"), *shape, IntegersIn(request, "arguments")),
                    [](const EditAnswer& edited) {
                      return edited.layout ? AnswerLine({{"layout", *edited.layout}})
                                           : AnswerLine({{"rejected", *edited.rejected}});
                    });
    case Operation::kParse:
    case Operation::kRelayout:
    case Operation::kMake:
    case Operation::kApply:
    case Operation::kBitcast:
    case Operation::kEqual:
    case Operation::kView:
    case Operation::kTileView:
    case Operation::kSlice: break;
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
  std::vector<int64_t> data;
  const bool has_data = TakeData(line, data);
  const Json request = (has_data ? Json::Parse(std::string(line) + "}") : Json::Parse(line)).value_or(Json());
  if (!request.is_object()) return UnsupportedLine("a request is a JSON object");
  try {
    const auto& op = TextIn(request, "op");
    if (op == "hello") return AnswerHello(subject);
    const auto operation = OperationFromName(op);
    if (!operation) return UnsupportedLine(StrCat("no operation \"", op, "\""));
    if (*operation == Operation::kRelayout && !has_data) data = IntegersIn(request, "data");
    return AnswerAbout(subject, *operation, request, data);
  } catch (const WrongMember& error) {
    return UnsupportedLine(error.what());
  }
}

Expected<void> Serve(Subject& subject, int input, int output, const std::function<void()>& on_answer) {
  constexpr size_t kChunk = size_t{64} << 10;
  std::vector<char> chunk(kChunk);
  std::string requests;
  std::string answers;
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
    for (size_t newline = 0; (newline = requests.find('\n', begin)) != std::string::npos; begin = newline + 1) {
      StrAppend(answers, AnswerRequest(subject, std::string_view(requests).substr(begin, newline - begin)), '\n');
      on_answer();
      if (answers.size() >= kChunk && !WriteAll(output, answers)) return end_of_output();
    }
    requests.erase(0, begin);
    if (!WriteAll(output, answers)) return end_of_output();
  }
  return {};
}

}  // namespace layoutcheck
