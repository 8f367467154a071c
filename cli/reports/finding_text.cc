// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/finding_text.h"
#include <algorithm>
#include <optional>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/sharding/sharding_laws.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

constexpr int64_t kPictureCells = 4096;
constexpr int64_t kPictureLines = 14;

// Returns a question as a request of the subject protocol with the reference's answer, or nothing if it has none.
template <class Question>
std::optional<PastedTest> TestOf(const Question& question) {
  ReferenceSubject reference;
  const auto answer = question.AskOf(reference);
  if (answer.index() != 0) return std::nullopt;
  RequestWriter request({});
  request.Add("op", Question::kOperation);
  WriteMembers(request, question);
  AnswerWriter expected;
  WalkAnswer(expected, &question, std::get<0>(answer));
  return PastedTest{request.Line(), expected.Line()};
}

// Returns the test for a law whose witness is a request, or nothing for other laws.
std::optional<PastedTest> TestOfWitness(std::string_view law, const std::string& witness, const Finding& finding) {
  if (law == "size-overflow") {
    return PastedTest{Json{{"op", "size"}, {"layout", witness}}.Dump(),
                      Json{{"error", "the size overflows int64"}}.Dump()};
  }
  const bool of_bitcast = law == "reshape-bitcast" || law == "transpose-bitcast";
  if (!of_bitcast && law != "layout-equality" && law != "layout-edits") return std::nullopt;
  const auto request = Json::Parse(witness);
  if (!request) return std::nullopt;
  const bool rejected = finding.expected == "rejected";
  const Json answer = of_bitcast              ? Json{{"bitcast", finding.expected == "true"}}
                      : law != "layout-edits" ? Json{{"equal", finding.expected == "true"}}
                      : rejected              ? Json{{"rejected", "why"}}
                                              : Json{{"layout", finding.expected}};
  return PastedTest{request->Dump(), answer.Dump()};
}

std::optional<PastedTest> TestOf(const Finding& finding) {
  constexpr size_t kLongestAnswer = 500;
  ReferenceSubject reference;
  if (const std::string answer = finding.request ? AnswerRequest(reference, *finding.request) : "";
      !answer.empty() && answer.size() <= kLongestAnswer) {
    return PastedTest{Json::Parse(*finding.request).value_or(Json()).Dump(), answer};
  }
  const Law* const law = FindLaw(finding.law);
  const std::string_view name = law == nullptr ? std::string_view() : law->name;
  if ((finding.kind || name.starts_with("text")) && finding.text) {
    return TestOf(ParseQuestion{finding.kind.value_or("shape"), *finding.text});
  }
  const AlgebraLaw* const of_algebra = FindAlgebraLaw(finding.law);
  if (of_algebra != nullptr && of_algebra->topic == AlgebraLaw::Topic::kAxes) {
    return TestOf(AxisInfoQuestion{finding.layout});
  }
  if (of_algebra != nullptr && of_algebra->topic == AlgebraLaw::Topic::kShards) {
    const int64_t device = DeviceOfWitness(finding.text.value_or(""));
    return TestOf(ShardQuestion{finding.layout, std::max<int64_t>(device, 0)});
  }
  if (of_algebra != nullptr && of_algebra->topic == AlgebraLaw::Topic::kReshards) {
    const std::vector<std::string> arguments = ReadArguments(finding.layout);
    const int64_t device = DeviceOfWitness(finding.text.value_or(""));
    if (arguments.size() != 2 || device < 0) return std::nullopt;
    return TestOf(ReshardQuestion{arguments[0], arguments[1], device});
  }
  if (of_algebra != nullptr && !of_algebra->function.empty()) {
    const std::vector<std::string> arguments = ReadArguments(finding.layout);
    return TestOf(ApplyQuestion{of_algebra->function, arguments});
  }
  if (finding.text) {
    if (auto test = TestOfWitness(name, *finding.text, finding)) return test;
  }
  const auto shape = HloOfText(finding.layout);
  if (!shape) return std::nullopt;
  if (finding.coordinate) return TestOf(OffsetQuestion{*shape, *finding.coordinate});
  if (finding.offset && name == "inverse") return TestOf(CoordinateQuestion{*shape, *finding.offset});
  // Only these laws ask for sizes alone.
  if (finding.text || (name != "sizes" && name != "allocation-minimal")) return std::nullopt;
  return TestOf(SizeQuestion{*shape});
}

void AppendRow(std::string& out, std::string_view name, std::string_view value) {
  std::string line = StrCat("  ", name);
  line.resize(13, ' ');
  StrAppend(out, line, OneLine(value), "\n");
}

}  // namespace

std::string_view StatementOf(std::string_view law_name) {
  if (const Law* law = FindLaw(law_name)) return law->statement;
  if (const AlgebraLaw* law = FindAlgebraLaw(law_name)) return law->statement;
  if (const auto fault = TextFaultFromName(law_name)) return TextFaultStatement(*fault);
  return "";
}

std::string FindingSentence(const Finding& finding) {
  std::string where;
  if (finding.coordinate) StrAppend(where, " at element (", StrJoin(*finding.coordinate, ","), ")");
  if (finding.offset) StrAppend(where, " at offset ", *finding.offset);
  return StrCat(finding.subject, " breaks ", finding.law, " on ", finding.layout.empty() ? "hello" : finding.layout,
                where, ": expected ", finding.expected, ", actual ", finding.actual,
                finding.repeats.empty() ? "" : StrCat(" (", finding.repeats, ")"),
                finding.shrinking.empty() ? "" : StrCat(" (", finding.shrinking, ")"));
}

FindingParts PartsOf(const Finding& finding) {
  FindingParts parts;
  const auto add = [&](std::string_view name, std::string value) {
    parts.facts.push_back({std::string(name), std::move(value)});
  };
  if (const std::string_view statement = StatementOf(finding.law); !statement.empty())
    add("law", std::string(statement));
  const std::string_view what = FindAlgebraLaw(finding.law) != nullptr ? "arguments" : "layout";
  if (!finding.layout.empty()) add(finding.kind ? "text" : what, finding.layout);
  if (finding.coordinate) add("at element", StrCat("(", StrJoin(*finding.coordinate, ","), ")"));
  if (finding.offset) add("at offset", std::to_string(*finding.offset));
  if (finding.text && *finding.text != finding.layout) add("with", *finding.text);
  add("expected", finding.expected);
  add("actual", finding.actual);
  if (!finding.tilings.empty()) add("fails", finding.tilings);
  if (finding.request) add("at request", *finding.request);
  if (!finding.asked_about.empty()) {
    add("asked by", StrCat(finding.asked_by.empty() ? finding.law : finding.asked_by, " about ", finding.asked_about));
  }
  if (finding.count > 1) add("count", StrCat(finding.count, " failing cases have this cause"));
  if (!finding.repeats.empty()) add("repeats", finding.repeats);
  if (!finding.shrinking.empty()) add("shrinking", finding.shrinking);
  if (!finding.reproduce.empty()) parts.repeat.push_back({"repeat", finding.reproduce});
  if (const auto test = TestOf(finding)) {
    parts.test = test;
    parts.repeat.push_back({"test", StrCat("send    ", parts.test->request)});
    parts.repeat.push_back({"", StrCat("expect  ", parts.test->answer)});
  }
  if (finding.layout.empty() || finding.kind) return parts;
  auto layout = ReadLayout(finding.layout);
  if (!layout) return parts;
  const int64_t cells = (*layout)->Sizes().padded_elements;
  if (cells > 0 && cells <= kPictureCells) parts.boxes = (*layout)->Boxes();
  parts.layout = *std::move(layout);
  return parts;
}

std::string FindingText(const Finding& finding, const TextStyle& style) {
  std::string out = StrCat("FOUND: ", OneLine(finding.subject), " breaks ", OneLine(finding.law), "\n");
  const FindingParts parts = PartsOf(finding);
  for (const Fact& fact : parts.facts) AppendRow(out, fact.name, fact.value);
  if (parts.boxes) {
    TextStyle small = style;
    small.height = std::min(small.height, kPictureLines);
    const std::string picture = DrawText(*parts.boxes, small);
    out += "\n";
    for (size_t begin = 0; begin < picture.size();) {
      const size_t newline = std::min(picture.find('\n', begin), picture.size());
      StrAppend(out, begin == newline ? "" : "  ", std::string_view(picture).substr(begin, newline - begin), "\n");
      begin = newline + 1;
    }
    out += "\n";
  }
  for (const Fact& fact : parts.repeat) AppendRow(out, fact.name, fact.value);
  return out;
}

}  // namespace layoutcheck
