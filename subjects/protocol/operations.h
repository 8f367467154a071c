// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of the subject protocol (docs/protocol.md): the members of the request and of the answer for each type
// of question.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/model/question.h"
#include "layoutcheck/subjects/protocol/members.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {

// WriteMembers adds the members of a request that stand behind "op".
inline void WriteMembers(RequestWriter& out, const ParseQuestion& q) {
  out.Add("kind", q.kind);
  out.Utf8("text", q.text);
}
inline void WriteMembers(RequestWriter& out, const OffsetQuestion& q) {
  out.Layout("layout", q.shape).Integers("coordinate", q.coordinate);
}
inline void WriteMembers(RequestWriter& out, const TableQuestion& q) { out.Layout("layout", q.shape); }
inline void WriteMembers(RequestWriter& out, const CoordinateQuestion& q) {
  out.Layout("layout", q.shape).Add("offset", q.offset);
}
inline void WriteMembers(RequestWriter& out, const SizeQuestion& q) { out.Layout("layout", q.shape); }
inline void WriteMembers(RequestWriter& out, const RelayoutQuestion& q) {
  out.Layout("from", q.from).Layout("to", q.to).Integers("data", q.data);
}
inline void WriteMembers(RequestWriter& out, const BitcastQuestion& q) {
  out.Add("from", ToString(q.from)).Add("to", ToString(q.to));
  if (q.transpose) out.Integers("transpose", *q.transpose);
}
inline void WriteMembers(RequestWriter& out, const EqualQuestion& q) {
  out.Add("a", ToString(q.a)).Add("b", ToString(q.b)).Add("ignore", q.ignored_parts);
}
inline void WriteMembers(RequestWriter& out, const EditQuestion& q) {
  out.Add("function", q.function).Add("layout", ToString(q.shape)).Integers("arguments", q.arguments);
}
// Other sizes than rows and columns are a member of their own, beside the first and the last of them as rows and
// columns, so that a subject that reads those before the tag can say that it does not know the tag.
inline void WriteMembers(RequestWriter& out, const MakeQuestion& q) {
  out.Add("tag", q.tag).Add("element_bits", q.element_bits);
  if (q.sizes.size() != 2) out.Integers("sizes", q.sizes);
  if (!q.sizes.empty()) out.Add("rows", q.sizes.front()).Add("columns", q.sizes.back());
}
inline void WriteMembers(RequestWriter& out, const ApplyQuestion& q) {
  out.Add("function", q.function).Add("arguments", q.arguments);
}
inline void WriteMembers(RequestWriter& out, const AxisInfoQuestion& q) { out.Add("expression", q.expression); }
inline void WriteMembers(RequestWriter& out, const ShardQuestion& q) {
  out.Add("layout", q.layout).Add("device", q.device);
}
inline void WriteMembers(RequestWriter& out, const ReshardQuestion& q) {
  out.Add("from", q.from_layout).Add("to", q.to_layout).Add("device", q.device);
}
void WriteMembers(RequestWriter& out, const ViewQuestion& q);
// Reads the request for a view of this kind. Throws WrongRequest.
ViewQuestion ReadViewQuestion(const RequestReader& in, ViewQuestion::Kind kind);

// WalkAnswer names the members of a regular answer, for an AnswerReader, which sets the result, or an AnswerWriter.
void WalkAnswer(auto& members, const ParseQuestion*, auto& answer) {
  members.Typed("ok", answer.ok);
  members.Typed(answer.ok ? "text" : "error", answer.ok ? answer.text : answer.error);
}
void WalkAnswer(auto& members, const OffsetQuestion*, auto& offset) { members.Required("offset", offset); }
void WalkAnswer(auto& members, const TableQuestion*, auto& offsets) { members.Table("offsets", offsets); }
void WalkAnswer(auto& members, const CoordinateQuestion*, auto& at) { members.Coordinate("coordinate", at); }
void WalkAnswer(auto& members, const SizeQuestion*, auto& sizes) {
  members.Optional("elements", sizes.elements);
  members.Optional("padded_elements", sizes.padded_elements);
  members.Optional("bytes", sizes.bytes);
  members.Optional("extent", sizes.extent);
  members.AnyOf(R"("elements", "padded_elements", "bytes", "extent")");
}
void WalkAnswer(auto& members, const RelayoutQuestion*, auto& moved) { members.Required("data", moved); }
void WalkAnswer(auto& members, const BitcastQuestion*, auto& bitcast) { members.Typed("bitcast", bitcast); }
void WalkAnswer(auto& members, const EqualQuestion*, auto& equal) { members.Typed("equal", equal); }
void WalkAnswer(auto& members, const EditQuestion*, auto& edited) {
  members.Optional("layout", edited.layout);
  members.Optional("rejected", edited.rejected);
  members.OneOf(R"("layout" and "rejected")");
}
void WalkAnswer(auto& members, const MakeQuestion*, auto& layout) { members.Required("layout", layout); }
void WalkAnswer(auto& members, const ApplyQuestion*, auto& applied) {
  members.Optional("layout", applied.layout);
  members.Optional("rejected", applied.rejected);
  members.OptionalOrFlag("value", applied.value);
  members.OneOf(R"("layout", "value" and "rejected")");
}
void WalkAnswer(auto& members, const AxisInfoQuestion*, auto& info) {
  members.Required("contiguity", info.contiguity);
  members.Required("divisibility", info.divisibility);
  members.Required("constancy", info.constancy);
}
void WalkAnswer(auto& members, const ShardQuestion*, auto& shard) {
  members.PartShape("shape", shard);
  members.Elements("elements", shard.elements);
  members.AnyOf(R"("shape" and "elements")");
}
void WalkAnswer(auto& members, const ReshardQuestion*, auto& received) { members.Required("elements", received); }
void WalkAnswer(auto& members, const ViewQuestion*, auto& view) {
  members.Optional("layout", view.layout);
  members.Optional("rejected", view.rejected);
  members.Offsets("offsets", view.offsets);
  members.OneOf(R"("layout", "offsets" and "rejected")");
  if (view.layout) members.OffsetOfLayout(view.offset);
  members.Modes("valid", view.valid);
}

// Returns the operation that asks a question.
template <class Question>
Operation OperationOf(const Question&) {
  return *OperationFromName(Question::kOperation);
}
Operation OperationOf(const ViewQuestion& question);

// Returns the number of integers in an answer to the question.
template <class Question>
AnswerSize AnswerSizeOf(const Question&) {
  return {};
}
inline AnswerSize AnswerSizeOf(const ParseQuestion& q) { return {q.text.size()}; }
inline AnswerSize AnswerSizeOf(const CoordinateQuestion& q) { return {q.shape.dimensions.size()}; }
inline AnswerSize AnswerSizeOf(const SizeQuestion&) { return {4}; }
inline AnswerSize AnswerSizeOf(const EditQuestion& q) { return {q.arguments.size()}; }
inline AnswerSize AnswerSizeOf(const ViewQuestion& q) { return {q.coordinates.size(), q.KeptModes()}; }
// A list of a device's elements may be long.
inline AnswerSize AnswerSizeOf(const ShardQuestion&) { return {size_t{1} << 20}; }
inline AnswerSize AnswerSizeOf(const ReshardQuestion&) { return {size_t{1} << 20}; }
AnswerSize AnswerSizeOf(const TableQuestion& q);
AnswerSize AnswerSizeOf(const RelayoutQuestion& q);

// Returns the line of a request, with its newline, or why there is none: the layout has no text in these notations, or
// JSON cannot carry a text that is not UTF-8.
template <class Question>
std::expected<std::string, Declined> RequestOf(const Question& question, const Notations& notations = {}) {
  RequestWriter out(notations);
  out.Add("op", OperationName(OperationOf(question)));
  WriteMembers(out, question);
  // The members of these requests have always been sorted, and findings quote them.
  if constexpr (std::is_same_v<Question, ParseQuestion> || std::is_same_v<Question, ApplyQuestion>) out.Sort();
  if (out.declined()) return std::unexpected(*out.declined());
  return out.Line() + "\n";
}

// Reads an answer line. `{"unsupported":why}` is Declined; `{"error":why}` is Failed (kError). A line that is not a
// JSON object in UTF-8, a missing or mistyped member, an integer outside int64, or another number of integers than
// `size` is Failed (kProtocol), with the member and the beginning of the line as its text. Unknown members are ignored.
template <class Question>
Answer<typename Question::Result> ReadAnswer(std::string_view line, AnswerSize size = {}) {
  AnswerReader members(line, size, std::is_same_v<Question, ParseQuestion>);
  typename Question::Result result{};
  WalkAnswer(members, static_cast<const Question*>(nullptr), result);
  return members.End(std::move(result));
}

// Returns the line of an answer, without a newline. Its members are sorted by name.
template <class Question>
std::string AnswerLineOf(const Answer<typename Question::Result>& answer) {
  if (const auto* declined = std::get_if<Declined>(&answer)) return UnsupportedLine(declined->why);
  if (const auto* failed = std::get_if<Failed>(&answer)) return ErrorLine(failed->what);
  AnswerWriter members;
  WalkAnswer(members, static_cast<const Question*>(nullptr), std::get<0>(answer));
  members.Sort();
  return members.Line();
}

}  // namespace layoutcheck
