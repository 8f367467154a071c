// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject protocol (docs/protocol.md): writes requests as JSON lines and reads answers strictly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subjects/protocol/layout_text.h"

namespace layoutcheck {

// An operation of the protocol. Subjects get only requests for operations that they name.
enum class Operation {
  kParse,
  kOffset,
  kTable,
  kCoordinate,
  kSize,
  kRelayout,
  kMake,
  kApply,
  kBitcast,
  kEqual,
  kEdit,
  kView,
  kTileView,
  kSlice,
};
inline constexpr size_t kOperationCount = 14;

// Returns the word for it in requests and hello answers, such as "offset".
std::string_view OperationName(Operation operation);
std::optional<Operation> OperationFromName(std::string_view name);
// Returns true if requests for it have texts in HLO notation only.
bool NeedsHlo(Operation operation);
// Returns the operation that asks for a view of this kind.
Operation OperationOf(ViewQuestion::Kind kind);

struct HelloAnswer {
  SubjectInfo info;
  std::vector<bool> operations = std::vector<bool>(kOperationCount, false);
  Notations notations;
};

// These functions return a request line with its newline. Layouts are canonical text. Error of ParseRequest
// (kUnsupported): the text is not UTF-8, so JSON cannot carry it.
std::string HelloRequest();
Expected<std::string> ParseRequest(std::string_view kind, std::string_view text);
std::string OffsetRequest(std::string_view layout, std::span<const int64_t> coordinate);
std::string TableRequest(std::string_view layout);
std::string CoordinateRequest(std::string_view layout, int64_t offset);
std::string SizeRequest(std::string_view layout);
std::string RelayoutRequest(std::string_view from, std::string_view to, std::span<const int64_t> data);
// Other sizes than rows and columns are a member of their own, beside the first and the last of them as rows and
// columns, so that a subject that reads those before the tag can say that it does not know the tag.
std::string MakeRequest(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes);
std::string ApplyRequest(std::string_view function, std::span<const std::string> arguments);
std::string BitcastRequest(std::string_view from, std::string_view to,
                           std::optional<std::span<const int64_t>> transpose);
std::string EqualRequest(std::string_view a, std::string_view b, std::span<const std::string> ignored_parts);
std::string EditRequest(std::string_view function, std::string_view layout, std::span<const int64_t> arguments);
std::string ViewRequest(const ViewQuestion& question);

// These functions read an answer line. `{"unsupported":why}` is Declined; `{"error":why}` is Failed (kError). A line
// that is not a JSON object in UTF-8, a missing or mistyped member, or an integer outside int64 is Failed (kProtocol),
// with the member and the beginning of the line as its text. Unknown members are ignored.
Answer<HelloAnswer> ReadHello(std::string_view line);
Answer<ParseAnswer> ReadParse(std::string_view line);
Answer<int64_t> ReadOffset(std::string_view line);
// A table must have `elements` offsets, a coordinate `rank` integers.
Answer<std::vector<int64_t>> ReadTable(std::string_view line, size_t elements);
Answer<std::optional<Subject::Coordinate>> ReadCoordinate(std::string_view line, size_t rank);
Answer<SizeAnswer> ReadSize(std::string_view line);
Answer<std::vector<int64_t>> ReadRelayout(std::string_view line);
Answer<std::string> ReadMake(std::string_view line);
// The answer has exactly one of a layout, a number, and the reason for having neither.
Answer<ApplyAnswer> ReadApply(std::string_view line);
Answer<bool> ReadBitcast(std::string_view line);
Answer<bool> ReadEqual(std::string_view line);
// The answer has exactly one of a layout and the reason for having none.
Answer<EditAnswer> ReadEdit(std::string_view line);
// The answer has exactly one of a layout, offsets of the elements asked for, and the reason for having neither.
Answer<ViewAnswer> ReadView(std::string_view line, const ViewQuestion& question);

// Returns the first `max_bytes` of a line that a program wrote, with `?` for bytes that are not printable ASCII.
std::string PrintableStart(std::string_view line, size_t max_bytes);

// Returns a failure (kProtocol) that says what is wrong with an answer line, and how the line begins.
Failed BrokenAnswer(std::string_view what, std::string_view line);

// Returns a generous upper bound, in bytes, for the length of an answer with this many integers.
constexpr size_t MaxAnswerBytes(size_t integers) { return (size_t{1} << 20) + 24 * integers; }

}  // namespace layoutcheck
