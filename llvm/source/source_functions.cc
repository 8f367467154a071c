// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/source_functions.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace layoutcheck {
namespace {

bool IsWordByte(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// A word, a literal or one byte of punctuation.
struct SourceToken {
  std::string_view text;
  size_t begin = 0;
  bool is_directive = false;  // a line of the preprocessor
  bool IsWord() const { return !text.empty() && IsWordByte(text[0]); }
};

// Splits a source into tokens, without comments.
class SourceTokens {
 public:
  explicit SourceTokens(std::string_view text) : text_(text) {}

  // Returns the next token, or nothing at the end.
  std::optional<SourceToken> Next() {
    SkipBlanks();
    if (at_ == text_.size()) return std::nullopt;
    const size_t begin = at_;
    const bool is_directive = text_[at_] == '#' && is_line_start_;
    is_line_start_ = false;
    if (is_directive) {
      SkipDirective();
    } else if (IsWordByte(text_[at_])) {
      SkipWord();
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      SkipLiteral();
    } else {
      ++at_;
    }
    return SourceToken{text_.substr(begin, at_ - begin), begin, is_directive};
  }

 private:
  bool StartsWith(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }
  void SkipTo(std::string_view end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (StartsWith("//")) {
        SkipTo("\n");
      } else if (StartsWith("/*")) {
        at_ += 2;
        SkipTo("*/");
        at_ = std::min(at_ + 2, text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        is_line_start_ = is_line_start_ || text_[at_] == '\n';
        ++at_;
      } else {
        return;
      }
    }
  }

  void SkipDirective() {
    do {
      SkipTo("\n");
      at_ = std::min(at_ + 1, text_.size());
    } while (at_ < text_.size() && at_ >= 2 && text_[at_ - 2] == '\\');
    is_line_start_ = true;
  }

  // A number may have quotes between its digits. R"x( begins a raw string.
  void SkipWord() {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    const size_t begin = at_;
    while (at_ < text_.size() && (IsWordByte(text_[at_]) || (is_number && text_[at_] == '\''))) ++at_;
    if (at_ == text_.size() || text_[at_] != '"' || text_[at_ - 1] != 'R' || at_ - begin > 3) return;
    const size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return;
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    SkipTo(end);
    at_ = std::min(at_ + end.size(), text_.size());
  }

  void SkipLiteral() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2U : 1U;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  size_t at_ = 0;
  bool is_line_start_ = true;
};

// Reads declarations one token at a time.
class FunctionFinder {
 public:
  explicit FunctionFinder(std::string_view text) : text_(text), tokens_(text) {}

  std::vector<SourceFunction> Find() {
    while (const auto token = tokens_.Next()) Take(*token);
    return std::move(functions_);
  }

 private:
  void Take(const SourceToken& token) {
    if (token.is_directive) {
      if (parentheses_ == 0) Restart();
      return;
    }
    if (token.text == "{") return Open(token);
    if (parentheses_ == 0 && (token.text == ";" || token.text == "}")) return Restart();
    if (declaration_.empty()) begin_ = token.begin;
    if (token.text == "(") ++parentheses_;
    if (token.text == ")" && parentheses_ > 0) --parentheses_;
    const bool is_label = token.text == ":" && declaration_.size() == 1 && parentheses_ == 0;  // `public:`
    if (is_label) return Restart();
    if (token.text == ":" && parentheses_ == 0 && Last() != ":" && HasParameters() && initializers_ == 0) {
      // The first of the two bytes of `::` is taken back when the second comes.
      initializers_ = token.begin;
    } else if (token.text == ":" && Last() == ":" && initializers_ + 1 == token.begin) {
      initializers_ = 0;
    }
    declaration_.push_back(token);
  }

  void Open(const SourceToken& token) {
    if (parentheses_ > 0 || (initializers_ != 0 && Last() != ")" && Last() != "}")) {
      SkipBlock();  // a value in braces
      if (parentheses_ == 0) declaration_.push_back({"}", token.begin});
      return;
    }
    if (!IsFunction()) {
      const bool is_scope = IsScope();
      Restart();
      if (!is_scope) SkipBlock();
      return;
    }
    SourceFunction function{.name = NameOf(),
                            .is_called_by_name = IsCalledByName(),
                            .begin = begin_,
                            .body = initializers_ != 0 ? initializers_ : token.begin};
    function.end = SkipBlock();
    function.first_line = LineOf(function.begin);
    function.body_line = LineOf(function.body);
    function.last_line = LineOf(function.end - 1);
    functions_.push_back(std::move(function));
    Restart();
  }

  // Skips tokens to the `}` of a block whose `{` was read. Returns the offset behind it.
  size_t SkipBlock() {
    size_t depth = 1;
    while (const auto token = tokens_.Next()) {
      if (token->is_directive) continue;
      if (token->text == "{") ++depth;
      if (token->text == "}" && --depth == 0) return token->begin + 1;
    }
    return text_.size();
  }

  std::string_view Last() const { return declaration_.empty() ? std::string_view() : declaration_.back().text; }

  // Returns the number of the first token behind `template <...>`.
  size_t AfterTemplate() const {
    size_t at = 0;
    while (at + 1 < declaration_.size() && declaration_[at].text == "template") {
      int depth = 0;
      int parentheses = 0;
      do {
        ++at;
        if (at == declaration_.size()) return at;
        const std::string_view text = declaration_[at].text;
        parentheses += text == "(" ? 1 : text == ")" ? -1 : 0;
        if (parentheses == 0) depth += text == "<" ? 1 : text == ">" ? -1 : 0;
      } while (depth > 0);
      ++at;
    }
    return at;
  }

  // Returns the number of the `(` of the parameters: the last one before the initializers that is no attribute's.
  std::optional<size_t> Parameters() const {
    static constexpr std::array<std::string_view, 8> kAttributes{
        "__launch_bounds__", "__attribute__", "__declspec", "alignas", "__align__", "decltype", "noexcept", "explicit"};
    std::optional<size_t> found;
    int depth = 0;
    for (size_t k = AfterTemplate(); k < declaration_.size(); ++k) {
      const auto& [text, begin, is_directive] = declaration_[k];
      if (initializers_ != 0 && begin >= initializers_) break;
      if (text == "(" && depth++ == 0 && k > 0) {
        if (std::ranges::find(kAttributes, declaration_[k - 1].text) == kAttributes.end()) found = k;
      }
      if (text == ")") --depth;
    }
    return found;
  }
  bool HasParameters() const { return Parameters().has_value(); }

  // Returns true for a namespace, a class or `extern "C"`, whose braces hold declarations.
  bool IsScope() const {
    static constexpr std::array<std::string_view, 5> kScopes{"namespace", "struct", "class", "union", "extern"};
    const size_t first = AfterTemplate();
    for (size_t k = first; k < declaration_.size() && k < first + 2; ++k) {  // also `inline namespace`
      if (std::ranges::find(kScopes, declaration_[k].text) != kScopes.end()) return true;
    }
    return false;
  }

  bool IsFunction() const {
    const auto parameters = Parameters();
    if (!parameters) return false;
    for (size_t k = AfterTemplate(); k < *parameters; ++k) {
      if (declaration_[k].text == "operator") return true;
      if (declaration_[k].text == "=") return false;  // the value of a variable
    }
    return true;
  }

  // Returns the word before the parameters, or `operator` with what follows it.
  std::string NameOf() const {
    size_t at = *Parameters();
    std::string name;
    while (at > 0 && !declaration_[at - 1].IsWord()) name = std::string(declaration_[--at].text) + name;
    return at == 0 ? name : std::string(declaration_[at - 1].text) + name;
  }

  // Returns false for an operator, and where no type stands before the name.
  bool IsCalledByName() const {
    static constexpr std::array<std::string_view, 9> kNoTypes{"inline",     "constexpr", "explicit",
                                                              "__device__", "__host__",  "__forceinline__",
                                                              "virtual",    "static",    "__noinline__"};
    size_t name = *Parameters();
    while (name > 0 && !declaration_[name - 1].IsWord()) --name;
    if (name == 0) return false;
    bool has_type = false;
    for (size_t k = AfterTemplate(); k < name; ++k) {
      const SourceToken& token = declaration_[k];
      if (token.text == "operator") return false;
      const bool is_type = token.IsWord() && std::ranges::find(kNoTypes, token.text) == kNoTypes.end();
      has_type = has_type || (is_type && k + 1 < name);
    }
    return has_type;
  }

  void Restart() {
    declaration_.clear();
    parentheses_ = 0;
    initializers_ = 0;
  }

  size_t LineOf(size_t offset) const {
    return 1 + static_cast<size_t>(std::ranges::count(text_.substr(0, offset), '\n'));
  }

  std::string_view text_;
  SourceTokens tokens_;
  std::vector<SourceToken> declaration_;  // the tokens since the last declaration
  size_t begin_ = 0;
  size_t parentheses_ = 0;
  size_t initializers_ = 0;  // offset of the `:` before initializers, or 0
  std::vector<SourceFunction> functions_;
};

}  // namespace

std::vector<SourceFunction> FindSourceFunctions(std::string_view text) { return FunctionFinder(text).Find(); }

std::string WithoutFunctions(std::string text, const std::vector<SourceFunction>& functions, bool with_declarations) {
  for (const SourceFunction& function : functions) {
    const size_t begin = with_declarations ? function.body : function.begin;
    for (size_t at = begin; at < function.end; ++at) text[at] = text[at] == '\n' ? '\n' : ' ';
    if (with_declarations) text[function.body] = ';';
  }
  return text;
}

bool HasWord(std::string_view text, std::string_view word) {
  SourceTokens tokens(text);
  while (const auto token = tokens.Next()) {
    if (token->text == word) return true;
  }
  return false;
}

bool HasWordInDirective(std::string_view text, std::string_view word) {
  SourceTokens tokens(text);
  while (const auto token = tokens.Next()) {
    if (token->is_directive && HasWord(token->text.substr(1), word)) return true;
  }
  return false;
}

}  // namespace layoutcheck
