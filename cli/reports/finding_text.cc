// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/finding_text.h"
#include <algorithm>
#include <optional>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/protocol/serve.h"

namespace layoutcheck {
namespace {

constexpr int64_t kPictureCells = 4096;
constexpr int64_t kPictureLines = 14;

// A request of the subject protocol and the reference's answer to it.
struct Exchange {
  Json request;
  Json answer;
};

std::optional<Exchange> TestOf(const Finding& finding) {
  ReferenceSubject reference;
  constexpr size_t kLongestAnswer = 500;
  if (const std::string answer = finding.request ? AnswerRequest(reference, *finding.request) : "";
      !answer.empty() && answer.size() <= kLongestAnswer) {
    return Exchange{Json::Parse(*finding.request).value_or(Json()), Json::Parse(answer).value_or(Json())};
  }
  const auto shape = HloOfText(finding.layout);
  const Law* const law = FindLaw(finding.law);
  const std::string_view name = law == nullptr ? std::string_view() : law->name;
  if (name == "size-overflow" && finding.text) {
    return Exchange{{{"op", "size"}, {"layout", *finding.text}}, {{"error", "the size overflows int64"}}};
  }
  if ((finding.kind || name.starts_with("text")) && finding.text) {
    const std::string kind = finding.kind.value_or("shape");
    const auto answer = reference.Parse(kind, *finding.text);
    const auto* parsed = std::get_if<ParseAnswer>(&answer);
    if (parsed == nullptr) return std::nullopt;
    return Exchange{
        {{"op", "parse"}, {"kind", kind}, {"text", *finding.text}},
        parsed->ok ? Json{{"ok", true}, {"text", parsed->text}} : Json{{"ok", false}, {"error", parsed->error}}};
  }
  if (const AlgebraLaw* of_algebra = FindAlgebraLaw(finding.law); of_algebra && !of_algebra->function.empty()) {
    const std::vector<std::string> arguments = ReadArguments(finding.layout);
    const auto answer = reference.Apply(of_algebra->function, arguments);
    const auto* applied = std::get_if<ApplyAnswer>(&answer);
    if (applied == nullptr) return std::nullopt;
    return Exchange{{{"op", "apply"}, {"function", of_algebra->function}, {"arguments", arguments}},
                    applied->rejected ? Json{{"rejected", *applied->rejected}}
                    : applied->value  ? Json{{"value", *applied->value}}
                                      : Json{{"layout", *applied->layout}}};
  }
  // The witnesses of these laws are requests.
  const bool of_bitcast = name == "reshape-bitcast" || name == "transpose-bitcast";
  if (finding.text && (of_bitcast || name == "layout-equality" || name == "layout-edits")) {
    auto request = Json::Parse(*finding.text);
    if (!request) return std::nullopt;
    if (name != "layout-edits") {
      return Exchange{*std::move(request), {{of_bitcast ? "bitcast" : "equal", finding.expected == "true"}}};
    }
    const bool rejected = finding.expected == "rejected";
    return Exchange{*std::move(request), {{rejected ? "rejected" : "layout", rejected ? "why" : finding.expected}}};
  }
  if (!shape) return std::nullopt;
  if (finding.coordinate) {
    const auto answer = reference.Offset(*shape, *finding.coordinate);
    const auto* offset = std::get_if<int64_t>(&answer);
    if (offset == nullptr) return std::nullopt;
    return Exchange{{{"op", "offset"}, {"layout", ToString(*shape)}, {"coordinate", *finding.coordinate}},
                    {{"offset", *offset}}};
  }
  if (finding.offset && name == "inverse") {
    const auto answer = reference.CoordinateAt(*shape, *finding.offset);
    const auto* coordinate = std::get_if<std::optional<Subject::Coordinate>>(&answer);
    if (coordinate == nullptr) return std::nullopt;
    return Exchange{{{"op", "coordinate"}, {"layout", ToString(*shape)}, {"offset", *finding.offset}},
                    {{"coordinate", *coordinate ? Json(**coordinate) : Json()}}};
  }
  // Only these laws ask for sizes alone.
  if (finding.text || (name != "sizes" && name != "allocation-minimal")) return std::nullopt;
  const auto answer = reference.Size(*shape);
  const auto* sizes = std::get_if<SizeAnswer>(&answer);
  if (sizes == nullptr) return std::nullopt;
  Json expected{{"elements", *sizes->elements}, {"padded_elements", *sizes->padded_elements}, {"bytes", *sizes->bytes}};
  if (sizes->extent) expected["extent"] = *sizes->extent;
  return Exchange{{{"op", "size"}, {"layout", ToString(*shape)}}, expected};
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
    parts.test = PastedTest{test->request.Dump(), test->answer.Dump()};
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
