// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/next_steps.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/properties/generate/layout_pattern.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

// The commands that show a layout and places in it.
class Commands {
 public:
  explicit Commands(std::string text) : text_(std::move(text)) {
    if (FindSharding(text_)) {
      if (const auto sharded = ParseSharded(text_)) sizes_ = sharded->array.shape().dimensions;
    } else if (auto layout = ReadLayout(text_)) {
      layout_ = *std::move(layout);
    }
    if (layout_ || sizes_) Add("show", "");
  }

  void AddIndex(const std::vector<int64_t>& coordinate) {
    const std::string place = coordinate.empty() ? "()" : StrJoin(coordinate, ",");
    const bool is_element = layout_ ? layout_->IndexOf(place).has_value() : IsWithin(coordinate);
    if (is_element) Add("index", place);
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

  bool IsWithin(const std::vector<int64_t>& coordinate) const {
    return sizes_ && std::ranges::equal(coordinate, *sizes_, [](int64_t i, int64_t size) { return i < size; });
  }

  std::string text_;
  std::unique_ptr<AnyLayout> layout_;          // null if the text is no layout in numbers
  std::optional<std::vector<int64_t>> sizes_;  // of an array with a sharding in numbers
  std::vector<std::string> commands_;
};

Json Next(const Commands& commands) { return commands.all().empty() ? Json() : Json{{"commands", commands.all()}}; }

// Returns the text of a sharded array with the values of a counterexample in the place of names, which are neither in
// quotes nor before `=`, as those of mesh axes are.
std::string ShardingInNumbers(std::string_view text, const Json& counterexample) {
  std::string out;
  bool is_quoted = false;
  for (TextCursor cursor(text, ""); !cursor.AtEnd();) {
    const std::string_view word = cursor.TakeWhile(TextCursor::IsWordByte);
    const auto value = counterexample[std::string(word)].as<int64_t>();
    const bool is_name = value && !is_quoted && cursor.byte() != '=';
    is_name ? StrAppend(out, *value) : StrAppend(out, word);
    if (cursor.AtEnd()) break;
    is_quoted = is_quoted != (cursor.byte() == '"');
    out += cursor.byte();
    cursor.MoveTo(cursor.position() + 1);
  }
  return out;
}

// Returns the text of a layout with the values of a counterexample in the place of its names, or nothing if one has no
// value there.
std::optional<std::string> InNumbers(const std::string& layout, const Json& counterexample) {
  if (FindSharding(layout)) return ShardingInNumbers(layout, counterexample);
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

Json NextStepsOfProof(const Json& proof, const std::vector<std::string>& others) {
  const Json& point = proof["counterexample"];
  if (!point.is_object() || !proof["layout"].is_string()) return {};
  std::vector<std::string> layouts = {proof["layout"].text()};
  layouts.insert(layouts.end(), others.begin(), others.end());
  std::vector<std::string> all;
  for (const std::string& text : layouts) {
    const std::optional<std::string> layout = InNumbers(text, point);
    if (!layout) continue;
    Commands commands(*layout);
    for (const char letter : {'i', 'j'}) {
      const std::vector<int64_t> coordinate = CoordinateIn(point, letter);
      if (!coordinate.empty()) commands.AddIndex(coordinate);
    }
    const auto offset = point["offset"].as<int64_t>();
    if (offset && !point.contains("i0")) commands.AddCoord(*offset);
    for (const std::string& command : commands.all()) {
      if (std::ranges::find(all, command) == all.end()) all.push_back(command);
    }
  }
  return all.empty() ? Json() : Json{{"commands", all}};
}

Json NextStepsToTellApart(const std::string& a, const std::string& b) {
  auto first = ParseShape(a);
  auto second = ParseShape(b);
  if (!first || !second) return {};
  constexpr int kMostTried = 8;  // doublings of a size of 1, beyond the sizes of common tiles
  constexpr int64_t kLargest = 1 << 20;
  for (int k = 0; k < kMostTried; ++k) {
    for (Shape* const shape : {&*first, &*second}) {
      for (int64_t& size : shape->dimensions) size = size < kLargest ? 2 * size + 1 : size;
    }
    const auto larger_a = ReadLayout(ToString(*first));
    const auto larger_b = ReadLayout(ToString(*second));
    if (!larger_a || !larger_b) return {};
    const auto comparison = Compare(**larger_a, **larger_b, std::nullopt);
    if (!comparison || !comparison->moved) continue;
    return Json{{"commands", Json::array({StrCat("layoutcheck compare ", ShellWord((*larger_a)->Text()), " ",
                                                 ShellWord((*larger_b)->Text()))})}};
  }
  return {};
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
