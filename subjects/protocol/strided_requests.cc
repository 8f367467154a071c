// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/strided_requests.h"
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/subjects/protocol/operations.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 22;

// A subject with one shape:stride layout, about which it is asked.
class StridedQuestions {
 public:
  StridedQuestions(Subject& subject, std::string text, ComposedLayout layout)
      : subject_(subject), text_(std::move(text)), layout_(std::move(layout)) {}

  static Expected<StridedQuestions> Create(Subject& subject, const std::string& text) {
    LAYOUTCHECK_TRY(auto layout, ParseComposedLayout(text));
    return StridedQuestions(subject, text, std::move(layout));
  }

  // Returns the value of a function that has the layout as its last argument, or alone.
  Answer<int64_t> Number(std::string_view function, std::optional<std::string> first = std::nullopt) {
    std::vector<std::string> arguments = {text_};
    if (first) arguments.insert(arguments.begin(), *std::move(first));
    return IfAnswered(subject_.Apply(function, arguments), [&](const ApplyAnswer& applied) -> Answer<int64_t> {
      if (applied.rejected) return Failed{Failed::Kind::kError, *applied.rejected};
      if (!applied.value) return Failed{Failed::Kind::kError, StrCat(function, " gave no number")};
      return *applied.value;
    });
  }

  Answer<SizeAnswer> Size() {
    return IfAnswered(Number("size"), [&](int64_t elements) {
      return IfAnswered(Number("cosize"), [&](int64_t extent) -> Answer<SizeAnswer> {
        return SizeAnswer{.elements = elements, .extent = elements == 0 ? 0 : extent};
      });
    });
  }

  Answer<int64_t> Offset(std::span<const int64_t> coordinate) {
    const std::string text = CoordinateText(coordinate);
    const auto tuple = ParseIntTuple(text);
    if (!tuple) return FailedWith(tuple.error());
    if (const auto inside = CheckCoordinate(*tuple, layout_.layout.shape); !inside) return FailedWith(inside.error());
    return Number("crd2idx", text);
  }

  Answer<std::vector<int64_t>> Table() {
    const auto sizes = LogicalSizes(layout_.layout);
    if (!sizes) return FailedWith(sizes.error());
    CheckedInt64 elements = 1;
    for (const int64_t size : *sizes) elements = elements * CheckedInt64(size);
    if (elements.overflow || elements.value > kMaxElements) {
      return Declined{StrCat("a table of more than ", kMaxElements, " elements")};
    }
    std::vector<int64_t> offsets;
    offsets.reserve(static_cast<size_t>(elements.value));
    std::optional<Answer<std::vector<int64_t>>> problem;
    ForEachIndex(*sizes, [&](std::span<const int64_t> coordinate) {
      Answer<int64_t> offset = Offset(coordinate);
      if (auto* declined = std::get_if<Declined>(&offset)) problem = std::move(*declined);
      if (auto* failed = std::get_if<Failed>(&offset)) problem = std::move(*failed);
      if (!problem) offsets.push_back(std::get<int64_t>(offset));
      return !problem;
    });
    return problem ? *std::move(problem) : Answer<std::vector<int64_t>>(std::move(offsets));
  }

  // The left inverse L' has L'(L(k)) == k for each integral coordinate k. At an offset that is none of L's it has some
  // value, which L maps elsewhere.
  Answer<std::optional<Subject::Coordinate>> CoordinateAt(int64_t offset) {
    auto answer = subject_.Apply("left_inverse", std::span(&text_, 1));
    if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
    if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
    const auto& applied = std::get<ApplyAnswer>(answer);
    if (!applied.layout) return Declined{applied.rejected.value_or("left_inverse gave no layout")};
    const auto inverse = Create(subject_, *applied.layout);
    if (!inverse) return FailedWith(inverse.error());
    const auto elements = layoutcheck::Size(layout_.layout);
    const auto offsets = layoutcheck::Size(inverse->layout_.layout);
    const auto sizes = LogicalSizes(layout_.layout);
    if (!elements || !offsets || !sizes) return FailedWith((!elements ? elements : offsets).error());
    if (offset < 0 || offset >= *offsets) return std::optional<Subject::Coordinate>();
    const auto number = Crd2Idx(IntTuple(offset), inverse->layout_);
    if (!number) return FailedWith(number.error());
    if (*number < 0 || *number >= *elements) return std::optional<Subject::Coordinate>();
    Subject::Coordinate coordinate;
    int64_t rest = *number;
    for (const int64_t size : *sizes) {
      coordinate.push_back(rest % size);
      rest /= size;
    }
    const auto there = Offset(coordinate);
    if (const auto* failed = std::get_if<Failed>(&there)) return *failed;
    const auto* value = std::get_if<int64_t>(&there);
    if (value == nullptr || *value != offset) return std::optional<Subject::Coordinate>();
    return std::optional<Subject::Coordinate>(std::move(coordinate));
  }

 private:
  std::string CoordinateText(std::span<const int64_t> coordinate) const {
    const std::string integers = StrJoin(coordinate, ",");
    return layout_.layout.shape.is_tuple() || coordinate.size() != 1 ? StrCat("(", integers, ")") : integers;
  }

  Subject& subject_;
  std::string text_;
  ComposedLayout layout_;
};

// Returns the array after a move from offsets `from` to offsets `to` of the same elements, -1 where none arrives.
Answer<std::vector<int64_t>> Moved(const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                                   std::span<const int64_t> data) {
  if (from.size() != to.size()) return Failed{Failed::Kind::kError, "the layouts have different numbers of elements"};
  const int64_t cells = to.empty() ? 0 : 1 + std::ranges::max(to);
  if (cells > kMaxElements) return Declined{StrCat("an array of more than ", kMaxElements, " cells")};
  std::vector<int64_t> moved(static_cast<size_t>(cells), -1);
  for (size_t k = 0; k < from.size(); ++k) {
    if (from[k] < 0 || to[k] < 0) return Failed{Failed::Kind::kError, "an offset below 0"};
    if (from[k] >= std::ssize(data)) {
      return Failed{Failed::Kind::kError, StrCat("\"data\" has ", data.size(), " integers, and offset ", from[k])};
    }
    moved[static_cast<size_t>(to[k])] = data[static_cast<size_t>(from[k])];
  }
  return moved;
}

}  // namespace

bool IsStridedRequest(Operation operation, const RequestReader& request) {
  const auto is_strided = [&](const char* member) {
    const Json* const found = request.Find(member);
    return found != nullptr && found->is_string() && IsShapeStrideText(found->text());
  };
  switch (operation) {
    case Operation::kOffset:
    case Operation::kTable:
    case Operation::kCoordinate:
    case Operation::kSize: return is_strided("layout");
    case Operation::kRelayout: return is_strided("from") && is_strided("to");
    default: return false;
  }
}

std::string AnswerStridedRequest(Subject& subject, Operation operation, const RequestReader& request) {
  const bool is_relayout = operation == Operation::kRelayout;
  const std::vector<int64_t> data = is_relayout ? request.Integers("data") : std::vector<int64_t>();
  auto questions = StridedQuestions::Create(subject, request.Text(is_relayout ? "from" : "layout"));
  if (!questions) return ErrorLine(questions.error().ToString());
  if (operation == Operation::kOffset) {
    return AnswerLineOf<OffsetQuestion>(questions->Offset(request.Integers("coordinate")));
  }
  if (operation == Operation::kTable) return AnswerLineOf<TableQuestion>(questions->Table());
  if (operation == Operation::kSize) return AnswerLineOf<SizeQuestion>(questions->Size());
  if (operation == Operation::kCoordinate) {
    return AnswerLineOf<CoordinateQuestion>(questions->CoordinateAt(request.Integer("offset")));
  }
  auto target = StridedQuestions::Create(subject, request.Text("to"));
  if (!target) return ErrorLine(target.error().ToString());
  return AnswerLineOf<RelayoutQuestion>(IfAnswered(questions->Table(), [&](const std::vector<int64_t>& from) {
    return IfAnswered(target->Table(), [&](const std::vector<int64_t>& to) { return Moved(from, to, data); });
  }));
}

}  // namespace layoutcheck
