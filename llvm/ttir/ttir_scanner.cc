// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttir/ttir_scanner.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"
#include "layoutcheck/llvm/ttir/ttir_types.h"

namespace layoutcheck {

TtirScanner::TtirScanner(std::string_view text, std::string_view file)
    : text_(text), cursor_(text), file_(file), line_begins_{0}, locations_(text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') line_begins_.push_back(at + 1);
  }
}

size_t TtirScanner::LineOf(size_t position) const {
  return static_cast<size_t>(std::ranges::upper_bound(line_begins_, position) - line_begins_.begin());
}

std::unexpected<Error> TtirScanner::FailAt(size_t position, std::string_view message) const {
  return MakeError(ErrorKind::kSyntax,
                   StrCat("line ", LineOf(position), ": column ", ColumnOf(position), ": ", message));
}

size_t TtirScanner::ColumnOf(size_t position) const { return position - line_begins_[LineOf(position) - 1] + 1; }

void TtirScanner::SkipDefinitions() {
  SkipLines();
  while (cursor_.Sees("#") || cursor_.Sees("//")) {
    const std::string_view line = cursor_.TakeWhile([](char c) { return c != '\n'; });
    const size_t equals = line.find('=');
    if (line.starts_with('#') && !line.starts_with("#loc") && equals != std::string_view::npos) {
      aliases_.emplace(Trimmed(line.substr(0, equals)), Trimmed(line.substr(equals + 1)));
    }
    SkipLines();
  }
}

void TtirScanner::SkipLines() {
  cursor_.TakeWhile([](char c) { return TextCursor::kBlanksOfLines.contains(c); });
}

Expected<void> TtirScanner::SkipAttributes() {
  if (!cursor_.Take("attributes")) return {};
  cursor_.SkipBlanks();
  LAYOUTCHECK_RETURN_IF_ERROR(Balanced());
  return {};
}

Expected<std::string_view> TtirScanner::Balanced() {
  const size_t begin = cursor_.position();
  int depth = 0;
  bool is_quoted = false;
  for (size_t at = begin; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '"' && text_[at - (at > 0 ? 1 : 0)] != '\\') is_quoted = !is_quoted;
    if (is_quoted) continue;
    const bool is_arrow = c == '>' && at > 0 && text_[at - 1] == '-';
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || (c == '>' && !is_arrow)) --depth;
    if (depth > 0) continue;
    cursor_.MoveTo(at + 1);
    return cursor_.Since(begin);
  }
  return FailAt(begin, StrCat("expected the end of '", text_.substr(begin, 1), "'"));
}

std::string TtirScanner::TakeLocation() {
  const size_t line = LineOf(cursor_.position());
  if (cursor_.Sees("loc(")) {
    cursor_.Take("loc");
    if (const auto text = Balanced()) {
      if (std::string place = locations_.PlaceOf(text->substr(1, text->size() - 2)); !place.empty()) return place;
    }
  }
  return StrCat(file_, ":", line);
}

Expected<TtirType> TtirScanner::Type() {
  cursor_.SkipBlanks();
  const size_t begin = cursor_.position();
  cursor_.TakeWhile([](char c) { return IsNameByte(c) || c == '!'; });
  // A type that the operation implies is printed without its name: `<f32>`.
  if (cursor_.position() == begin && cursor_.byte() != '<') return Fail("expected a type");
  if (cursor_.byte() == '<') LAYOUTCHECK_RETURN_IF_ERROR(Balanced());
  auto type = ParseTtirType(cursor_.Since(begin));
  if (!type) return FailAt(begin, type.error().message);
  return type;
}

Expected<std::vector<TtirType>> TtirScanner::Types() {
  std::vector<TtirType> types;
  const bool is_list = cursor_.Take("(");
  if (is_list && cursor_.Take(")")) return types;
  do {
    LAYOUTCHECK_TRY(auto type, Type());
    types.push_back(std::move(type));
  } while (cursor_.Take(",") || cursor_.Take("*"));
  if (is_list && !cursor_.Take(")")) return Fail("expected ',' or ')' in the types");
  return types;
}

Expected<void> TtirScanner::Attributes(TtirAttributes& attributes) {
  for (SkipLines(); !cursor_.Take("}"); SkipLines()) {
    const std::string key(cursor_.Take("\"") ? cursor_.TakeWhile([](char c) { return c != '"'; })
                                             : cursor_.TakeWhile(IsNameByte));
    cursor_.Take("\"");
    if (key.empty()) return Fail("expected the name of an attribute");
    std::string& value = attributes[key];
    if (cursor_.Take("=")) {
      cursor_.SkipBlanks();
      const size_t begin = cursor_.position();
      while (cursor_.byte() != ',' && cursor_.byte() != '}') {
        if (cursor_.AtEnd()) return Fail("expected '}'");
        if (std::string_view("([{<").contains(cursor_.byte())) {
          LAYOUTCHECK_RETURN_IF_ERROR(Balanced());
        } else if (cursor_.Take("\"")) {
          cursor_.TakeWhile([](char c) { return c != '"'; });
          cursor_.Take("\"");
        } else {
          cursor_.MoveTo(cursor_.position() + 1);
        }
      }
      value = cursor_.Since(begin);
    }
    cursor_.Take(",");
  }
  return {};
}

}  // namespace layoutcheck
