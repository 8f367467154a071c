// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the inputs in a row of corpus/vectors about a function of XLA. Test support; not installed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The inputs in a row. Malformed text and a missing argument throw, so that the row fails with the parser's message.
class ConformanceRow {
 public:
  explicit ConformanceRow(const Json& row) : row_(row), text_(row.value("text", "")) {}

  const std::string& text() const { return text_; }
  const Json& expect() const { return row_.at("expect"); }
  bool has_arg(size_t i) const { return row_.contains("args") && row_["args"].is_array() && i < row_["args"].size(); }
  const Json& arg(size_t i) const {
    if (!has_arg(i)) throw std::invalid_argument("an argument is missing");
    return row_["args"][i];
  }
  int64_t number(size_t i) const { return arg(i).as<int64_t>().value(); }
  std::vector<int64_t> numbers(size_t i) const { return arg(i).as<std::vector<int64_t>>().value(); }

  Shape shape() const { return ParseOne(text_); }
  Shape lhs() const { return ParseOne(Part(0)); }
  Shape rhs() const { return ParseOne(Part(1)); }
  std::string Part(size_t i) const {
    for (const std::string_view separator : {" -> ", " vs "}) {
      const size_t at = text_.find(separator);
      if (at != std::string::npos) return i == 0 ? text_.substr(0, at) : text_.substr(at + separator.size());
    }
    throw std::invalid_argument("expected two texts with -> or vs between them: " + text_);
  }
  static Layout ParseOneLayout(const std::string& text) {
    auto layout = ParseLayout(text);
    if (!layout) throw std::invalid_argument(text + ": " + layout.error().ToString());
    return *std::move(layout);
  }
  Layout layout() const { return ParseOneLayout(text_); }

  // Returns a row-major array of the sizes in a text such as "[1, 2]".
  static Shape ArrayOfSizes(const std::string& text) {
    std::vector<int64_t> sizes = Json::Parse(text).value().as<std::vector<int64_t>>().value();
    const auto rank = static_cast<int64_t>(sizes.size());
    return Shape::Array(ElementType::kF32, std::move(sizes), MakeDescendingLayout(rank));
  }
  static Shape ParseOne(const std::string& text) {
    if (text.starts_with("[")) return ArrayOfSizes(text);
    auto shape = ParseShape(text);
    if (!shape) throw std::invalid_argument(text + ": " + shape.error().ToString());
    return *std::move(shape);
  }

  // Returns kIgnored if argument i is true, "ignore_element_type" or {"ignore_element_type": true}.
  ElementTypes element_types(size_t i) const {
    if (!row_.contains("args")) return ElementTypes::kSame;
    const Json& args = row_["args"];
    const Json& value = args.is_object() ? args : has_arg(i) ? args[i] : args;
    const bool ignored = value == true || value == "ignore_element_type" ||
                         (value.is_object() && value.value("ignore_element_type", false));
    return ignored ? ElementTypes::kIgnored : ElementTypes::kSame;
  }

  std::vector<std::string> flags() const {
    return row_.contains("args") ? row_["args"].as<std::vector<std::string>>().value() : std::vector<std::string>();
  }

 private:
  const Json& row_;
  std::string text_;
};

}  // namespace layoutcheck
