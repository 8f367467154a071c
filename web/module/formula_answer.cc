// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a point at which a formula is wrong. It is that of `prove`, without the proof.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include "layoutcheck/web/module/answers.h"

namespace layoutcheck {
namespace {

// Returns the text with a name for the size of each dimension, "f32[M,N]{1,0:T(8,128)}", or the text itself if it is no
// array of HLO whose sizes are numbers.
std::string ForAllSizes(const std::string& text) {
  const Expected<Shape> shape = ParseShape(text);
  if (!shape || !shape->IsArray() || shape->HasDynamicDimension()) return text;
  const std::string canonical = ToString(*shape);
  const size_t open = canonical.find('[');
  const size_t close = canonical.find(']');
  if (open == std::string::npos || close == std::string::npos) return text;
  constexpr std::string_view kNames = "MNKPQRSUVW";
  std::string names;
  for (size_t d = 0; d < shape->dimensions.size(); ++d) {
    StrAppend(names, d > 0 ? "," : "", d < kNames.size() ? std::string(1, kNames[d]) : StrCat("D", d));
  }
  return StrCat(canonical.substr(0, open + 1), names, canonical.substr(close));
}

// The values of one variable at the points that were tried.
struct TriedValues {
  int64_t least = 0;
  int64_t largest = 0;
};

// The claim that the formula is equal to the layout's linear index, which is evaluated at points and never proved.
class SampledEquality final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "formula"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& point) override {
    if (points_++ == 0) {
      for (const int64_t value : point) tried_.push_back({value, value});
    }
    for (size_t v = 0; v < point.size(); ++v) {
      tried_[v] = {std::min(tried_[v].least, point[v]), std::max(tried_[v].largest, point[v])};
    }
    return evaluator_.Compare(point).AreEqual();
  }
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override {
    const FormulaComparison comparison = evaluator_.Compare(point);
    AddSide("expected", comparison.expected, evaluator_.ExpectedFault(comparison), result);
    AddSide("actual", comparison.actual, evaluator_.ActualFault(comparison), result);
  }
  void AddGoals(FormulaPath& /*path*/) const override {}
  std::string Predicate() const override { return "is equal to the linear index"; }

  int64_t points() const { return points_; }
  // Returns "1234 points, with M from 0 to 4096 and i0 from 0 to 4095".
  std::string SearchedText() const {
    std::vector<std::string> ranges;
    for (size_t v = 0; v < tried_.size(); ++v) {
      ranges.push_back(StrCat(question().variables[v].name, " from ", tried_[v].least, " to ", tried_[v].largest));
    }
    return StrCat(Counted(points_, "point"), ranges.empty() ? "" : ", with ", StrJoin(ranges, ", "));
  }

 private:
  int64_t points_ = 0;
  std::vector<TriedValues> tried_;  // one per variable of the question
};

// Returns the point of an element of the layout `text`, whose sizes are the values of the question's names, or nothing.
std::optional<FormulaPoint> PointOf(const FormulaQuestion& question, const std::string& text,
                                    std::span<const int64_t> coordinate) {
  FormulaPoint point;
  if (!question.names().empty()) {
    const Expected<Shape> shape = ParseShape(text);
    if (!shape || shape->dimensions.size() != question.names().size()) return std::nullopt;
    point = shape->dimensions;
  }
  point.insert(point.end(), coordinate.begin(), coordinate.end());
  return point.size() == question.variables.size() ? std::optional(point) : std::nullopt;
}

}  // namespace

std::string FormulaAt(const std::string& layout, std::span<const int64_t> coordinate, const std::string& formula) {
  FormulaRequest texts;
  texts.layout = ForAllSizes(layout);
  texts.formula = formula;
  const Expected<FormulaQuestion> question = MakeFormulaQuestion(texts);
  if (!question) return "";
  const std::optional<FormulaPoint> point = PointOf(*question, layout, coordinate);
  PointEvaluator evaluator(*question);
  if (!point || !evaluator.IsInDomain(*point)) return "";
  const FormulaComparison values = evaluator.Compare(*point);
  if (!values.actual.ok()) return StrCat(", formula without a value: ", evaluator.ActualFault(values));
  return StrCat(", formula ", ToDecimal(values.actual.value), values.Agrees() ? "" : " differs");
}

Json AnswerFormula(const Json& request) {
  FormulaRequest texts;
  texts.layout = TextMember(request, "layout");
  if (request.value("all_sizes", false)) texts.layout = ForAllSizes(texts.layout);
  texts.formula = TextMember(request, "formula");
  std::string command = StrCat("layoutcheck prove ", ShellWord(texts.layout), " --formula ", ShellWord(texts.formula));
  if (const std::string assume = TextMember(request, "assume"); !assume.empty()) {
    texts.assumptions.push_back(assume);
    StrAppend(command, " --assume ", ShellWord(assume));
  }
  const Expected<FormulaQuestion> question = MakeFormulaQuestion(texts);
  if (!question) return RejectedField("formula", question.error());
  SampledEquality goal(*question);
  const bool is_long = request.value("long", false);
  SearchResult result = SearchPoints(goal, is_long ? SearchRound::kLong : SearchRound::kFirst);
  Json answer{{"ok", true}, {"layout", texts.layout}, {"points", goal.points()}, {"command", std::move(command)}};
  answer["searched"] = goal.SearchedText();
  if (!result.found) {
    answer["verdict"] = goal.points() > 0 ? "none" : "no-point";
    answer["text"] = goal.points() > 0
                         ? StrCat("no counterexample among ", goal.points(), " points; `layoutcheck prove` decides")
                         : std::string("no point satisfies the assumptions: nothing was compared");
    return answer;
  }
  const FormulaPoint point = MinimizePoint(goal, *std::move(result.found));
  ProofResult failure;
  if (goal.IsInDomain(point)) goal.DescribeFailure(point, failure);
  Json counterexample = Json::object();
  std::string text = "refuted:";
  std::string coordinate;
  for (size_t v = 0; v < question->variables.size(); ++v) {
    const FormulaVariable& variable = question->variables[v];
    counterexample[variable.name] = point[v];
    StrAppend(text, " ", variable.name, "=", point[v]);
    if (variable.kind == FormulaVariable::Kind::kIndex) {
      StrAppend(coordinate, coordinate.empty() ? "" : ",", point[v]);
    }
  }
  for (const auto& [side, value] : failure.counterexample) {
    counterexample[side] = value;
    StrAppend(text, " ", side, "=", value);
  }
  for (const auto& [side, why] : failure.without_value) StrAppend(text, "; ", side, " has no value: ", why);
  answer["verdict"] = "refuted";
  answer["counterexample"] = counterexample;
  answer["coordinate"] = StrCat("(", coordinate, ")");
  answer["text"] = std::move(text);
  return answer;
}

}  // namespace layoutcheck
