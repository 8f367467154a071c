// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/check_law.h"
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/subjects/protocol/members.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kStart = R"({"op":"check-law")";

// The order is that of LawQuestion::About.
constexpr std::array<std::string_view, 3> kAbout = {"all-elements", "some-elements", "arguments"};
// The order is that of LawResult::Verdict.
constexpr std::array<std::string_view, 4> kVerdicts = {"agree", "disagree", "outside-domain", "declined"};

std::string AnswerWith(const LawResult& result) {
  Json answer = {{"verdict", kVerdicts[static_cast<size_t>(result.verdict)]}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) answer[name] = text;
  };
  add("expected", result.expected);
  add("actual", result.actual);
  add("reference_answer", result.reference_answer);
  add("why", result.why);
  add("request", result.request);
  if (result.coordinate) answer["coordinate"] = *result.coordinate;
  if (result.offset) answer["offset"] = *result.offset;
  if (result.text) answer["text"] = *result.text;
  if (result.is_refusal) answer["is_refusal"] = true;
  return AnswerLine(std::move(answer));
}

}  // namespace

std::string CheckLawRequest(const LawQuestion& question) {
  return StrCat(kStart, R"(,"law":)", Json(question.law).Dump(), R"(,"about":")",
                kAbout[static_cast<size_t>(question.about)], R"(","arguments":)", Json(question.arguments).Dump(),
                "}\n");
}

Answer<LawResult> ReadLawResult(std::string_view line) {
  AnswerReader members(line);
  std::string verdict;
  members.Typed("verdict", verdict);
  LawResult result;
  const auto* const found = std::ranges::find(kVerdicts, verdict);
  if (found == kVerdicts.end()) {
    members.Break("no \"verdict\"");
  } else {
    result.verdict = static_cast<LawResult::Verdict>(found - kVerdicts.begin());
  }
  const auto text = [&](const char* name) {
    std::optional<std::string> value;
    members.Optional(name, value);
    return std::move(value).value_or("");
  };
  result.expected = text("expected");
  result.actual = text("actual");
  result.reference_answer = text("reference_answer");
  result.why = text("why");
  result.request = text("request");
  members.Optional("coordinate", result.coordinate);
  members.Optional("offset", result.offset);
  members.Optional("text", result.text);
  std::optional<bool> is_refusal;
  members.Optional("is_refusal", is_refusal);
  result.is_refusal = is_refusal.value_or(false);
  return members.End(std::move(result));
}

std::optional<std::string> LawServer::Answer(std::string_view line) {
  if (!line.starts_with(kStart)) return std::nullopt;
  try {
    const RequestReader request(line);
    const std::string& name = request.Text("law");
    const std::vector<std::string> arguments = request.Texts("arguments");
    if (const Law* const law = FindLaw(name); law != nullptr && arguments.size() == 1) {
      return AnswerAboutLayout(*law, arguments.front(), request.Text("about") == kAbout[1]);
    }
    const AlgebraLaw* const law = FindAlgebraLaw(name);
    return law == nullptr ? UnsupportedLine(StrCat("no law ", name)) : AnswerWith(law->check(subject_, arguments));
  } catch (const WrongRequest& error) {
    return error.what();
  }
}

std::string LawServer::AnswerAboutLayout(const Law& law, const std::string& text, bool is_huge) {
  if (text != text_ || is_huge != is_huge_) {
    layout_case_.reset();
    huge_case_.reset();
    if (const auto shape = ParseShape(text)) {
      if (is_huge) {
        if (auto created = HugeCase::Create(*shape)) huge_case_ = *std::move(created);
      } else {
        if (auto created = LayoutCase::Create(*shape)) layout_case_ = *std::move(created);
      }
    }
    text_ = text;
    is_huge_ = is_huge;
  }
  if (layout_case_) return AnswerWith(law.Check(subject_, *layout_case_));
  if (huge_case_) return AnswerWith(law.CheckHuge(subject_, *huge_case_));
  return UnsupportedLine(StrCat("no layout ", text));
}

}  // namespace layoutcheck
