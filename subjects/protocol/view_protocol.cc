// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations view, tile_view and slice.
#include <tuple>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/subjects/protocol/protocol.h"
#include "layoutcheck/subjects/protocol/view_request.h"

namespace layoutcheck {
namespace {

// Returns the member of a request that holds ViewQuestion::at.
const char* NumbersMember(ViewQuestion::Kind kind) {
  switch (kind) {
    case ViewQuestion::Kind::kView: return "origin";
    case ViewQuestion::Kind::kTileView: return "number";
    case ViewQuestion::Kind::kSlice: return "coordinate";
  }
  std::unreachable();
}

std::unexpected<Error> Wrong(std::string message) { return MakeError(ErrorKind::kInvalidArgument, std::move(message)); }

Expected<std::vector<int64_t>> IntegersOf(const Json& object, const char* member) {
  const Json* const found = object.find(member);
  if (found == nullptr) return Wrong(StrCat("\"", member, "\" is missing"));
  auto integers = found->as<std::vector<int64_t>>();
  if (!integers) return Wrong(StrCat("\"", member, "\" is no array of integers within int64"));
  return *std::move(integers);
}

}  // namespace

std::string ViewRequest(const ViewQuestion& question) {
  Json request{
      {"op", OperationName(OperationOf(question.kind))}, {"layout", question.layout}, {"extents", question.extents}};
  auto& numbers = request[NumbersMember(question.kind)] = Json::array();
  for (const auto& number : question.at) {
    numbers.push_back(number ? Json(*number) : Json("_"));
  }
  if (question.kind != ViewQuestion::Kind::kSlice) request["tile"] = question.tile;
  if (question.of) request["of"] = {{"origin", question.of->origin}, {"tile", question.of->tile}};
  request["coordinates"] = question.coordinates;
  return request.Dump() + "\n";
}

Expected<ViewQuestion> ReadViewQuestion(const Json& request, ViewQuestion::Kind kind) {
  ViewQuestion question;
  question.kind = kind;
  const Json* const layout = request.find("layout");
  if (layout == nullptr || !layout->is_string()) return Wrong("\"layout\": expected text");
  question.layout = layout->text();
  auto extents = IntegersOf(request, "extents");
  if (!extents) return std::unexpected(extents.error());
  question.extents = *std::move(extents);
  const char* const member = NumbersMember(kind);
  const Json* const numbers = request.find(member);
  if (numbers == nullptr || !numbers->is_array()) return Wrong(StrCat("\"", member, "\": expected an array"));
  for (const Json& number : *numbers) {
    const auto integer = number.as<int64_t>();
    if (!integer && (kind != ViewQuestion::Kind::kSlice || number != "_")) {
      return Wrong(
          StrCat("\"", member, "\": expected integers", kind == ViewQuestion::Kind::kSlice ? " and \"_\"" : ""));
    }
    question.at.push_back(integer);
  }
  if (kind != ViewQuestion::Kind::kSlice) {
    auto tile = IntegersOf(request, "tile");
    if (!tile) return std::unexpected(tile.error());
    question.tile = *std::move(tile);
  }
  if (const Json* const outer = request.find("of")) {
    if (!outer->is_object()) return Wrong("\"of\": expected an object with \"origin\" and \"tile\"");
    auto origin = IntegersOf(*outer, "origin");
    if (!origin) return std::unexpected(origin.error());
    auto tile = IntegersOf(*outer, "tile");
    if (!tile) return std::unexpected(tile.error());
    question.of = {*std::move(origin), *std::move(tile)};
  }
  const Json* const coordinates = request.find("coordinates");
  if (coordinates == nullptr) return question;
  if (!coordinates->is_array()) return Wrong("\"coordinates\": expected an array of coordinates");
  for (const Json& coordinate : *coordinates) {
    auto integers = coordinate.as<std::vector<int64_t>>();
    if (!integers) return Wrong("\"coordinates\": expected arrays of integers within int64");
    question.coordinates.push_back(*std::move(integers));
  }
  return question;
}

std::string ViewAnswerLine(const ViewAnswer& answer) {
  Json line = Json::object();
  if (answer.layout) {
    line["layout"] = *answer.layout;
    line["offset"] = answer.offset;
  }
  if (answer.offsets) line["offsets"] = *answer.offsets;
  if (answer.rejected) line["rejected"] = *answer.rejected;
  if (answer.valid) line["valid"] = *answer.valid;
  return line.Dump();
}

Answer<ViewAnswer> ReadView(std::string_view line, const ViewQuestion& question) {
  const Json object = Json::Parse(line).value_or(Json());
  if (!object.is_object()) return BrokenAnswer("no JSON object", line);
  for (const char* const member : {"unsupported", "error", "layout", "rejected"}) {
    const Json* const found = object.find(member);
    if (found != nullptr && !found->is_string()) return BrokenAnswer(StrCat("\"", member, "\" is no text"), line);
  }
  if (object.contains("unsupported")) return Declined{object["unsupported"].text()};
  if (object.contains("error")) {
    return Failed{Failed::Kind::kError, StrCat("error: ", object["error"].text())};
  }
  ViewAnswer answer;
  if (object.contains("rejected")) answer.rejected = object["rejected"].text();
  if (object.contains("layout")) {
    answer.layout = object["layout"].text();
    const auto offset = object.contains("offset") ? object["offset"].as<int64_t>() : std::nullopt;
    if (!offset) return BrokenAnswer("a \"layout\" without an int64 \"offset\"", line);
    answer.offset = *offset;
  }
  for (const auto& [member, list, size] : {std::tuple{"offsets", &answer.offsets, question.coordinates.size()},
                                           std::tuple{"valid", &answer.valid, question.KeptModes()}}) {
    const Json* const found = object.find(member);
    if (found == nullptr) continue;
    *list = found->as<std::vector<int64_t>>();
    if (!*list) return BrokenAnswer(StrCat("\"", member, "\" is no array of int64"), line);
    if ((*list)->size() != size) {
      return BrokenAnswer(StrCat("\"", member, "\" has ", (*list)->size(), " integers, not ", size, ","), line);
    }
  }
  const int members = (answer.layout ? 1 : 0) + (answer.offsets ? 1 : 0) + (answer.rejected ? 1 : 0);
  if (members != 1) return BrokenAnswer("not one of \"layout\", \"offsets\" and \"rejected\"", line);
  return answer;
}

}  // namespace layoutcheck
