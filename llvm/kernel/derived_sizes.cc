// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/derived_sizes.h"
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {
namespace {

// Returns true for a name, a number, `_` and nothing.
bool IsPlain(std::string_view part) {
  if (part.starts_with('-')) part.remove_prefix(1);
  return std::ranges::all_of(part, TextCursor::IsWordByte);
}

class Namer {
 public:
  explicit Namer(KernelRequest& request) : request_(request) {
    for (const auto& [name, layout] : request.arrays) StrAppend(texts_, name, " ", layout, " ");
    for (const auto& [name, formula] : request.derived) StrAppend(texts_, name, " ");
    StrAppend(texts_, request.arguments, " ", request.grid, " ", request.block, " ", request.shared, " ",
              request.thread);
    for (const auto& texts : {request.assumptions, request.values, request.sources}) {
      for (const std::string& text : texts) StrAppend(texts_, " ", text);
    }
  }

  // Returns the list, whose parts have commas between them, with names in place of formulas. Lists in braces are lists
  // of such parts.
  std::string Named(std::string_view list) {
    std::string result;
    std::string part;
    int depth = 0;
    for (size_t at = 0; at <= list.size(); ++at) {
      const char c = at < list.size() ? list[at] : ',';
      const bool is_inside = depth > 0 && at < list.size();
      depth += c == '(' || c == '[' ? 1 : 0;
      depth -= c == ')' || c == ']' ? 1 : 0;
      const bool ends = !is_inside && (c == ',' || c == '{' || c == '}');
      if (!ends) {
        part += c;
        continue;
      }
      result += NameOf(std::exchange(part, ""));
      if (at < list.size()) result += c;
    }
    return result;
  }

 private:
  std::string NameOf(std::string_view part) {
    part = Trimmed(part);
    // Bounds of dynamic dimensions are none.
    if (IsPlain(part) || part.starts_with("<=") || part == "?") return std::string(part);
    const auto known = std::ranges::find(request_.derived, part, &std::pair<std::string, std::string>::second);
    if (known != request_.derived.end()) return known->first;
    std::string name;
    do {
      name = StrCat("size_", ++number_);
    } while (texts_.contains(name));
    request_.derived.emplace_back(name, part);
    return name;
  }

  KernelRequest& request_;
  std::string texts_;
  int number_ = 0;
};

}  // namespace

Expected<KernelRequest> NameFormulas(KernelRequest request) {
  Namer namer(request);
  for (auto& [name, layout] : request.arrays) {
    const size_t begin = layout.find('[');
    size_t end = begin;
    for (int depth = 0; end < layout.size(); ++end) {
      depth += layout[end] == '[' ? 1 : layout[end] == ']' ? -1 : 0;
      if (depth == 0) break;
    }
    if (begin == std::string::npos) continue;  // the parser of layouts says what is missing
    if (end == layout.size()) {
      return MakeError(ErrorKind::kSyntax, StrCat("--array ", name, ": expected ']' in '", layout, "'"));
    }
    layout = layout.substr(0, begin + 1) + namer.Named(layout.substr(begin + 1, end - begin - 1)) + layout.substr(end);
  }
  request.arguments = namer.Named(request.arguments);
  return request;
}

}  // namespace layoutcheck
