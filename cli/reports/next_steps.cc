// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/next_steps.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/generate/layout_pattern.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

// The commands that show a layout and places in it.
class Commands {
 public:
  explicit Commands(std::string text) : text_(std::move(text)) {
    if (auto layout = ReadLayout(text_)) layout_ = *std::move(layout);
    if (layout_) Add("show", "");
  }

  void AddIndex(const std::vector<int64_t>& coordinate) {
    const std::string place = coordinate.empty() ? "()" : StrJoin(coordinate, ",");
    if (layout_ && layout_->IndexOf(place)) Add("index", place);
  }

  void AddCoord(int64_t offset) {
    if (layout_ && layout_->ElementAt(offset)) Add("coord", StrCat(offset));
  }

  const std::vector<std::string>& all() const { return commands_; }

 private:
  void Add(std::string_view command, const std::string& place) {
    commands_.push_back(StrCat("layoutcheck ", command, " ", ShellWord(text_), place.empty() ? "" : " ",
                               place.empty() ? "" : ShellWord(place)));
  }

  std::string text_;
  std::unique_ptr<AnyLayout> layout_;  // null if the text is no layout in numbers
  std::vector<std::string> commands_;
};

Json Next(const Commands& commands) { return commands.all().empty() ? Json() : Json{{"commands", commands.all()}}; }

// Returns the text of a layout with the values of a counterexample in the place of its names, or nothing if one has no
// value there.
std::optional<std::string> InNumbers(const std::string& layout, const Json& counterexample) {
  if (!LayoutPattern::HasNames(layout)) return layout;
  const auto pattern = LayoutPattern::Parse(layout);
  if (!pattern) return std::nullopt;
  std::vector<int64_t> values;
  for (const LayoutPattern::Name& name : pattern->names()) {
    const auto value = counterexample[name.text].as<int64_t>();
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return pattern->Write(values);
}

// Returns the integers i0, i1, ... of a counterexample, for the letter i.
std::vector<int64_t> CoordinateIn(const Json& counterexample, char letter) {
  std::vector<int64_t> coordinate;
  while (const auto value = counterexample[StrCat(letter, coordinate.size())].as<int64_t>()) {
    coordinate.push_back(*value);
  }
  return coordinate;
}

}  // namespace

Json NextSteps(const Finding& finding) {
  Commands commands(finding.kind ? "" : finding.layout);
  if (finding.coordinate) commands.AddIndex(*finding.coordinate);
  if (finding.offset) commands.AddCoord(*finding.offset);
  Json next = Next(commands);
  if (const auto test = PartsOf(finding).test) next["test"] = {{"send", test->request}, {"expect", test->answer}};
  return next;
}

Json NextStepsOfProof(const Json& proof) {
  const Json& point = proof["counterexample"];
  if (!point.is_object() || !proof["layout"].is_string()) return {};
  const std::optional<std::string> layout = InNumbers(proof["layout"].text(), point);
  if (!layout) return {};
  Commands commands(*layout);
  for (const char letter : {'i', 'j'}) {
    const std::vector<int64_t> coordinate = CoordinateIn(point, letter);
    if (!coordinate.empty()) commands.AddIndex(coordinate);
  }
  const auto offset = point["offset"].as<int64_t>();
  if (offset && !point.contains("i0")) commands.AddCoord(*offset);
  return Next(commands);
}

Json NextStepsAt(const std::vector<LayoutElement>& elements) {
  Json all = Json::array();
  for (const auto& [layout, coordinate] : elements) {
    Commands commands(layout);
    commands.AddIndex(coordinate);
    for (const std::string& command : commands.all()) all.push_back(command);
  }
  return all.empty() ? Json() : Json{{"commands", all}};
}

void AddNextSteps(Json& document, Json next) {
  if (!next.is_null()) document["next"] = std::move(next);
}

}  // namespace layoutcheck
