// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/web/module/handles.h"
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/web/module/answers.h"

namespace layoutcheck {
namespace {

struct Handle {
  size_t begin = 0;
  size_t end = 0;
  bool is_order = false;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Handle> Handles(std::string_view text) {
  const std::string_view layout = text.substr(0, FindSharding(text).value_or(text.size()));
  const bool is_hlo = layout.find('[') < layout.find('{') && !layout.starts_with("ll") && !layout.starts_with("#");
  const size_t order_begin = is_hlo ? layout.find('{') : std::string_view::npos;
  const size_t order_end = is_hlo ? layout.find_first_of(":}", order_begin) : std::string_view::npos;
  std::vector<Handle> handles;
  for (size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && IsDigit(text[end])) ++end;
    // The digits of a name, as in f32, are no number. `_4` is a static 4.
    const bool in_name = at > 0 && IsWord(text[at - 1]) && !(text[at - 1] == '_' && (at < 2 || !IsWord(text[at - 2])));
    if (!in_name && (end == text.size() || !IsWord(text[end]))) {
      handles.push_back({at, end, order_begin != std::string_view::npos && at > order_begin && at < order_end});
    }
    at = end;
  }
  return handles;
}

}  // namespace

Json HandlesOf(std::string_view text) {
  Json rows = Json::array();
  for (const Handle& handle : Handles(text)) {
    rows.push_back({{"begin", handle.begin}, {"end", handle.end}, {"order", handle.is_order}});
  }
  return rows;
}

Json AnswerStep(const Json& request) {
  std::string text = TextMember(request, "layout");
  const auto at = request.value("at", int64_t{-1});
  const auto by = request.value("by", int64_t{0});
  const std::vector<Handle> handles = Handles(text);
  size_t chosen = 0;
  while (chosen < handles.size() && static_cast<int64_t>(handles[chosen].end) < at) ++chosen;
  if (at < 0 || chosen == handles.size() || static_cast<int64_t>(handles[chosen].begin) > at) {
    return {{"ok", false}, {"error", "expected the place of a number in the text"}};
  }
  const Handle handle = handles[chosen];
  const auto number = [&](const Handle& one) { return text.substr(one.begin, one.end - one.begin); };
  if (handle.is_order) {
    const size_t other = by > 0 ? chosen + 1 : chosen - 1;
    if (other >= handles.size() || !handles[other].is_order) {
      return {{"ok", true}, {"layout", text}, {"at", handle.begin}};
    }
    const Handle first = by > 0 ? handle : handles[other];
    const Handle second = by > 0 ? handles[other] : handle;
    const std::string between = text.substr(first.end, second.begin - first.end);
    const std::string swapped = StrCat(number(second), between, number(first));
    const size_t moved = by > 0 ? first.begin + swapped.size() - number(first).size() : first.begin;
    text.replace(first.begin, second.end - first.begin, swapped);
    return {{"ok", true}, {"layout", text}, {"at", moved}};
  }
  const Expected<int64_t> value = ReadInteger(number(handle));
  int64_t stepped = 0;
  // A number that does not fit int64, or would not, stays as it is.
  if (value && !__builtin_add_overflow(*value, by, &stepped)) {
    text.replace(handle.begin, handle.end - handle.begin, StrCat(std::max<int64_t>(stepped, 0)));
  }
  return {{"ok", true}, {"layout", text}, {"at", handle.begin}};
}

}  // namespace layoutcheck
