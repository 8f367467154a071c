// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/core/tiling/sizes.h"

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

[[noreturn]] void Throw(std::string_view member, std::string_view expected) {
  throw WrongRequest(UnsupportedLine(StrCat("\"", member, "\": expected ", expected)));
}

}  // namespace

Operation OperationOf(const ViewQuestion& question) {
  switch (question.kind) {
    case ViewQuestion::Kind::kView: return Operation::kView;
    case ViewQuestion::Kind::kTileView: return Operation::kTileView;
    case ViewQuestion::Kind::kSlice: return Operation::kSlice;
  }
  std::unreachable();
}

void WriteMembers(RequestWriter& out, const ViewQuestion& q) {
  Json numbers = Json::array();
  for (const auto& number : q.at) numbers.push_back(number ? Json(*number) : Json("_"));
  out.Add("layout", q.layout).Integers("extents", q.extents).Add(NumbersMember(q.kind), numbers);
  if (q.kind != ViewQuestion::Kind::kSlice) out.Integers("tile", q.tile);
  if (q.of) out.Add("of", {{"origin", q.of->origin}, {"tile", q.of->tile}});
  out.Add("coordinates", q.coordinates);
}

AnswerSize AnswerSizeOf(const TableQuestion& q) {
  size_t elements = 1;
  for (const int64_t size : q.shape.dimensions) elements *= static_cast<size_t>(size);
  return {elements};
}

AnswerSize AnswerSizeOf(const RelayoutQuestion& q) {
  const auto sizes = SizesOf(q.to);
  return {sizes ? static_cast<size_t>(sizes->padded_elements) : 0};
}

ViewQuestion ReadViewQuestion(const RequestReader& in, ViewQuestion::Kind kind) {
  ViewQuestion question;
  question.kind = kind;
  const bool is_slice = kind == ViewQuestion::Kind::kSlice;
  question.layout = in.Text("layout");
  question.extents = in.Integers("extents");
  const char* const member = NumbersMember(kind);
  const Json* const numbers = in.Find(member);
  if (numbers == nullptr || !numbers->is_array()) Throw(member, "an array");
  for (const Json& number : *numbers) {
    question.at.push_back(number.as<int64_t>());
    if (!question.at.back() && (!is_slice || number != "_"))
      Throw(member, is_slice ? "integers and \"_\"" : "integers");
  }
  if (!is_slice) question.tile = in.Integers("tile");
  if (const Json* const outer = in.Find("of")) {
    if (!outer->is_object()) Throw("of", "an object with \"origin\" and \"tile\"");
    const RequestReader members(*outer);
    question.of = {members.Integers("origin"), members.Integers("tile")};
  }
  if (const Json* const coordinates = in.Find("coordinates")) {
    if (!coordinates->is_array()) Throw("coordinates", "an array of coordinates");
    for (const Json& coordinate : *coordinates) {
      auto integers = coordinate.as<std::vector<int64_t>>();
      if (!integers) Throw("coordinates", "arrays of integers within int64");
      question.coordinates.push_back(*std::move(integers));
    }
  }
  return question;
}

}  // namespace layoutcheck
