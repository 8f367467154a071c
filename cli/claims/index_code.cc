// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/index_code.h"
#include <algorithm>
#include <cctype>
#include <utility>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/json/json.h"
#ifdef LAYOUTCHECK_HAS_LLVM
#include "layoutcheck/llvm/source/source_functions.h"
#endif

namespace layoutcheck {

#ifdef LAYOUTCHECK_HAS_LLVM
namespace {

constexpr size_t kLongestDeclaration = 90;

// Results that are no index.
constexpr std::string_view kOtherResults[] = {"void", "bool", "float", "double", "half"};

// Returns the text with blanks instead of comments and literals, in equal places.
std::string WithoutComments(std::string_view text) {
  std::string blank(text);
  const auto clear = [&](size_t begin, size_t end) {
    std::replace_if(
        blank.begin() + static_cast<std::ptrdiff_t>(begin), blank.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n'; }, ' ');
  };
  for (size_t at = 0; at < text.size(); ++at) {
    size_t end = at;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !TextCursor::IsWordByte(text[at - 1])))) {
      for (end = at + 1; end < text.size() && text[end] != text[at] && text[end] != '\n'; ++end) {
        if (text[end] == '\\') ++end;
      }
      end = std::min(end + 1, text.size());
    }
    if (end == at) continue;
    clear(at, end);
    at = end - 1;
  }
  return blank;
}

// Returns true if the expression multiplies, divides or takes a remainder: behind an operand, `*` is no pointer.
bool HasArithmetic(std::string_view expression) {
  char before = ' ';
  for (const char c : expression) {
    const bool is_operator = c == '/' || c == '%' || c == '*';
    if (is_operator && (TextCursor::IsWordByte(before) || before == ')' || before == ']')) return true;
    if (c != ' ' && c != '\n' && c != '\t') before = c;
  }
  return false;
}

// Calls visit(expression) for each returned value and each outermost subscript of a body.
template <class Visit>
void ForEachIndexExpression(std::string_view body, Visit visit) {
  for (size_t at = 0; at < body.size(); ++at) {
    constexpr std::string_view kReturn = "return";
    if (body.substr(at).starts_with(kReturn) && (at == 0 || !TextCursor::IsWordByte(body[at - 1]))) {
      visit(body.substr(at + kReturn.size(), body.find(';', at) - at - kReturn.size()));
    }
    if (body[at] != '[') continue;
    const size_t begin = at + 1;
    int depth = 1;
    while (depth > 0 && ++at < body.size()) depth += body[at] == '[' ? 1 : body[at] == ']' ? -1 : 0;
    visit(body.substr(begin, at - begin));
  }
}

// Returns the text between the parentheses behind the name of a function.
std::string_view ParameterText(std::string_view declaration, std::string_view name) {
  for (size_t at = declaration.rfind(name); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : declaration.rfind(name, at - 1)) {
    const size_t open = declaration.find_first_not_of(" \n\t", at + name.size());
    if (open == std::string_view::npos || declaration[open] != '(') continue;
    int depth = 0;
    for (size_t end = open; end < declaration.size(); ++end) {
      depth += declaration[end] == '(' ? 1 : declaration[end] == ')' ? -1 : 0;
      if (depth == 0) return declaration.substr(open + 1, end - open - 1);
    }
  }
  return {};
}

std::string ElementOf(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kElements[] = {
      {"double", "f64"},  {"half", "f16"},           {"__half", "f16"},   {"__nv_bfloat16", "bf16"},
      {"int8_t", "s8"},   {"uint8_t", "u8"},         {"char", "s8"},      {"short", "s16"},
      {"int16_t", "s16"}, {"uint16_t", "u16"},       {"int64_t", "s64"},  {"uint64_t", "u64"},
      {"long", "s64"},    {"unsigned", "u32"},       {"uint32_t", "u32"}, {"int32_t", "s32"},
      {"int", "s32"},     {"__hip_bfloat16", "bf16"}};
  for (const auto& [name, element] : kElements) {
    if (HasWord(type, name)) return std::string(element);
  }
  return "f32";
}

std::vector<CodeParameter> ParametersIn(std::string_view text) {
  std::vector<CodeParameter> parameters;
  size_t begin = 0;
  int depth = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (at < text.size() && (c != ',' || depth > 0)) continue;
    std::string_view one = text.substr(begin, at - begin);
    begin = at + 1;
    one = one.substr(0, one.find('='));
    const bool is_pointer = one.contains('*') || one.contains('[') || one.contains('&');
    one = one.substr(0, one.find('['));
    while (!one.empty() && !TextCursor::IsWordByte(one.back())) one.remove_suffix(1);
    size_t name = one.size();
    while (name > 0 && TextCursor::IsWordByte(one[name - 1])) --name;
    if (name == one.size() || one == "void") continue;
    parameters.push_back({std::string(one.substr(name)), is_pointer ? ElementOf(one.substr(0, name)) : ""});
  }
  return parameters;
}

// Returns the declaration on one line, without what is too long to read.
std::string Shown(std::string_view declaration) {
  std::string shown;
  for (const char c : declaration) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_blank) {
      shown += c;
    } else if (!shown.empty() && shown.back() != ' ') {
      shown += ' ';
    }
  }
  if (shown.ends_with(' ')) shown.pop_back();
  if (shown.size() > kLongestDeclaration) shown = shown.substr(0, kLongestDeclaration) + "...";
  return IsUtf8(shown) ? OneLine(shown) : "";
}

}  // namespace

std::vector<IndexCode> FindIndexCode(const std::string& source) {
  std::vector<IndexCode> found;
  for (const SourceFunction& function : FindSourceFunctions(source)) {
    if (!function.is_called_by_name || function.name.empty() ||
        !std::ranges::all_of(function.name, TextCursor::IsWordByte))
      continue;
    const std::string text =
        WithoutComments(std::string_view(source).substr(function.begin, function.end - function.begin));
    const std::string_view declaration = std::string_view(text).substr(0, function.body - function.begin);
    const std::string_view body = std::string_view(text).substr(function.body - function.begin);
    const bool is_kernel = HasWord(declaration, "__global__");
    const std::string_view parameters = ParameterText(declaration, function.name);
    if (parameters.empty()) continue;
    const std::string_view result = declaration.substr(0, static_cast<size_t>(parameters.data() - declaration.data()));
    const bool is_integer =
        std::ranges::none_of(kOtherResults, [&](std::string_view other) { return HasWord(result, other); });
    bool is_index_code = false;
    ForEachIndexExpression(body, [&](std::string_view expression) { is_index_code |= HasArithmetic(expression); });
    if (is_kernel) is_index_code = body.contains('[');
    IndexCode code{.name = function.name,
                   .line = function.first_line,
                   .is_kernel = is_kernel,
                   .declaration = Shown(declaration),
                   .parameters = ParametersIn(parameters)};
    if (is_index_code && (is_kernel || is_integer) && !code.parameters.empty()) found.push_back(std::move(code));
  }
  return found;
}
#else
std::vector<IndexCode> FindIndexCode(const std::string&) { return {}; }
#endif

}  // namespace layoutcheck
