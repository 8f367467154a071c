// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/llvm/ttir/ttir.h"
#include "layoutcheck/llvm/ttir/ttir_scanner.h"
#include "layoutcheck/llvm/ttir/ttir_types.h"

namespace layoutcheck {
namespace {

constexpr int kMostRegions = 64;  // one inside another

// Reads one module. A step that finds something else returns an error with line and column.
class Reader : private TtirScanner {
 public:
  Reader(std::string_view text, std::string_view file) : TtirScanner(text, file) {}

  Expected<TtirModule> Module() {
    TtirModule module;
    while (true) {
      SkipDefinitions();
      if (!cursor_.Take("module")) break;
      if (cursor_.Take("@")) cursor_.TakeWhile(IsNameByte);
      if (cursor_.Take("attributes")) {
        if (!cursor_.Take("{")) return Fail("expected the attributes of the module");
        LAYOUTCHECK_RETURN_IF_ERROR(Attributes(module.attributes));
      }
      if (!cursor_.Take("{")) return Fail("expected the body of the module");
      for (SkipDefinitions(); !cursor_.Take("}"); SkipDefinitions()) {
        if (!cursor_.Take("tt.func")) return Fail("expected tt.func or '}'");
        LAYOUTCHECK_RETURN_IF_ERROR(Function(module.functions.emplace_back()));
      }
      TakeLocation();
    }
    SkipLines();
    if (!cursor_.AtEnd()) return Fail("expected a module");
    if (module.functions.empty()) return Fail("expected a module with a function tt.func");
    module.aliases = std::move(aliases_);
    return module;
  }

 private:
  std::string_view ValueName() { return cursor_.TakeWhile(IsNameByte); }

  TtirValue* Define(std::string_view name, TtirType type) {
    TtirValue& value = function_->values.emplace_back();
    value.name = name;
    value.type = std::move(type);
    scopes_.back()[value.name] = {&value};
    return &value;
  }

  // Reads the use of a value behind `%`: `x` or `x#1`.
  Expected<TtirValue*> Use() {
    const size_t begin = cursor_.position();
    const std::string name(ValueName());
    size_t number = 0;
    if (cursor_.byte() == '#') {
      cursor_.Take("#");
      const std::string_view digits = cursor_.TakeWhile(TextCursor::IsDigit);
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto known = scope->find(name);
      if (known == scope->end()) continue;
      if (number >= known->second.size()) break;
      return known->second[number];
    }
    return FailAt(begin, StrCat("'%", name, "' is not defined before"));
  }

  // Reads `%x: type loc(...), ...` up to `)`, behind `(`.
  Expected<std::vector<TtirValue*>> Arguments() {
    std::vector<TtirValue*> arguments;
    while (!cursor_.Take(")")) {
      if (!cursor_.Take("%")) return Fail("expected an argument");
      const std::string name(ValueName());
      if (!cursor_.Take(":")) return Fail("expected ':' behind the argument");
      LAYOUTCHECK_TRY(auto type, Type());
      arguments.push_back(Define(name, std::move(type)));
      if (cursor_.Sees("{")) LAYOUTCHECK_RETURN_IF_ERROR(Balanced());
      TakeLocation();
      cursor_.Take(",");
    }
    return arguments;
  }

  Expected<void> Function(TtirFunction& function) {
    function_ = &function;
    function.line = LineOf(cursor_.position());
    scopes_.emplace_back();
    cursor_.Take("public");
    cursor_.Take("private");
    if (!cursor_.Take("@")) return Fail("expected the name of the function");
    const bool is_quoted = cursor_.Take("\"");
    function.name = is_quoted ? cursor_.TakeWhile([](char c) { return c != '"'; }) : cursor_.TakeWhile(IsNameByte);
    if (is_quoted) cursor_.Take("\"");
    if (!cursor_.Take("(")) return Fail("expected '('");
    LAYOUTCHECK_TRY(function.arguments, Arguments());
    if (cursor_.Take("->")) LAYOUTCHECK_RETURN_IF_ERROR(Types());
    LAYOUTCHECK_RETURN_IF_ERROR(SkipAttributes());
    if (!cursor_.Take("{")) return Fail("expected the body of the function");
    LAYOUTCHECK_TRY(function.blocks, Region());
    scopes_.pop_back();
    TakeLocation();
    return {};
  }

  // Reads blocks up to `}`, behind `{`.
  Expected<std::vector<TtirBlock>> Region() {
    if (scopes_.size() > kMostRegions) return Fail(StrCat("more than ", kMostRegions, " regions one inside another"));
    std::vector<TtirBlock> blocks(1);
    for (SkipLines(); !cursor_.Take("}"); SkipLines()) {
      if (cursor_.Sees("//")) {
        cursor_.TakeWhile([](char c) { return c != '\n'; });
      } else if (cursor_.Take("^")) {
        TtirBlock block;
        block.name = cursor_.TakeWhile(IsNameByte);
        if (cursor_.Take("(")) {
          LAYOUTCHECK_TRY(block.arguments, Arguments());
        }
        if (!cursor_.Take(":")) return Fail("expected ':' behind the name of the block");
        const bool is_first = blocks.size() == 1 && blocks[0].ops.empty() && blocks[0].arguments.empty();
        if (is_first) blocks.clear();
        blocks.push_back(std::move(block));
      } else {
        LAYOUTCHECK_RETURN_IF_ERROR(Operation(*blocks.back().ops.emplace_back(std::make_unique<TtirOp>())));
      }
    }
    return blocks;
  }

  Expected<void> Operation(TtirOp& op) {
    std::vector<std::pair<std::string, size_t>> results;  // names with numbers of results
    while (cursor_.Take("%")) {
      auto& [name, count] = results.emplace_back(ValueName(), 1);
      if (cursor_.Take(":")) {
        const auto number = cursor_.TakeInteger();
        if (!number || *number < 1 || *number > kMostResults) return Fail("expected a number of results");
        count = static_cast<size_t>(*number);
      }
      cursor_.Take(",");
    }
    if (!results.empty() && !cursor_.Take("=")) return Fail("expected '=' behind the results");
    cursor_.SkipBlanks();
    const size_t begin = cursor_.position();
    const bool is_quoted = cursor_.Take("\"");
    op.name = cursor_.TakeWhile(IsNameByte);
    if (op.name.empty()) return Fail("expected an operation");
    if (is_quoted && !cursor_.Take("\"")) return Fail("expected '\"' behind the operation");
    op.line = LineOf(begin);
    op.column = ColumnOf(begin);
    scopes_.emplace_back();  // the arguments of its regions
    std::vector<TtirType> types;
    LAYOUTCHECK_RETURN_IF_ERROR(Parts(op, types));
    scopes_.pop_back();
    op.place = TakeLocation();
    size_t count = 0;
    for (const auto& result : results) count += result.second;
    if (count == 0) types.clear();  // ttg.local_store has the type of its buffer behind an arrow
    if (types.empty()) types = ResultTypes(op, count);
    if (op.name == "tt.split" && types.size() == 1) types.push_back(types[0]);  // it is printed once for both results
    if (types.size() != count) {
      return FailAt(begin, StrCat("expected ", count, " types of results of ", op.name, ", found ", types.size()));
    }
    for (const auto& [name, values] : results) {
      std::vector<TtirValue*> named;
      for (size_t k = 0; k < values; ++k) {
        named.push_back(Define(name, std::move(types[op.results.size()])));
        named.back()->definition = &op;
        named.back()->number = op.results.size();
        op.results.push_back(named.back());
      }
      scopes_.back()[name] = std::move(named);
    }
    return {};
  }

  // Returns true if the operation ends here: with its location, its line, or the text.
  bool IsAtEndOfOperation() {
    const std::string_view rest = cursor_.rest();
    const size_t blanks = rest.find_first_not_of(" \t");
    if (blanks == std::string_view::npos) return true;
    const std::string_view next = rest.substr(blanks);
    return next[0] == '\n' || next[0] == '\r' || next[0] == '}' || next.starts_with("loc(") || next.starts_with("//");
  }

  // Reads what is between the name of the operation and its location. `types` are those of the results, if it says any.
  Expected<void> Parts(TtirOp& op, std::vector<TtirType>& types) {
    const bool is_loop = op.name == "scf.for" || op.name == "scf.while";
    const bool has_regions = is_loop || op.name == "scf.if";
    std::vector<std::string> arguments;  // names of a loop's arguments, whose types follow
    while (true) {
      if (IsAtEndOfOperation()) {
        if (op.name != "ttg.warp_specialize" || !op.regions.empty()) break;
        LAYOUTCHECK_RETURN_IF_ERROR(Partitions(op));
      } else if (cursor_.Take("%")) {
        const size_t begin = cursor_.position();
        const std::string name(ValueName());
        if (is_loop && cursor_.Sees("=")) {
          cursor_.Take("=");
          arguments.push_back(name);
          continue;
        }
        cursor_.MoveTo(begin);
        LAYOUTCHECK_TRY(auto* const operand, Use());
        op.operands.push_back(operand);
      } else if (cursor_.Take("^")) {
        TtirSuccessor& successor = op.successors.emplace_back();
        successor.block = cursor_.TakeWhile(IsNameByte);
        if (cursor_.byte() != '(') continue;
        cursor_.Take("(");
        while (cursor_.Take("%")) {
          LAYOUTCHECK_TRY(auto* const argument, Use());
          successor.arguments.push_back(argument);
          cursor_.Take(",");
        }
        if (cursor_.Take(":")) LAYOUTCHECK_RETURN_IF_ERROR(Types());
        if (!cursor_.Take(")")) return Fail("expected ')' behind the arguments of the block");
      } else if (cursor_.Take("->")) {
        LAYOUTCHECK_TRY(types, Types());
      } else if (cursor_.Take(":")) {
        LAYOUTCHECK_TRY(op.operand_types, Types());
        if (cursor_.Sees("to ")) {
          cursor_.Take("to");
          LAYOUTCHECK_TRY(types, Types());
        }
      } else if (cursor_.Take("({")) {
        do {
          LAYOUTCHECK_TRY(auto region, Region());
          op.regions.push_back(std::move(region));
        } while (cursor_.Take(",") && cursor_.Take("{"));
        if (!cursor_.Take(")")) return Fail("expected ')' behind the regions");
      } else if (has_regions && op.regions.empty() && cursor_.Take("{")) {
        LAYOUTCHECK_RETURN_IF_ERROR(Body(op, arguments, types));
      } else if (cursor_.Take("<{") || cursor_.Take("{")) {
        LAYOUTCHECK_RETURN_IF_ERROR(Attributes(op.attributes));
        cursor_.Take(">");
      } else {
        Word(op);
      }
    }
    return {};
  }

  // Reads the regions of a loop or a branch, behind the first `{`.
  Expected<void> Body(TtirOp& op, const std::vector<std::string>& arguments, const std::vector<TtirType>& types) {
    std::vector<TtirValue*> values;
    const bool is_for = op.name == "scf.for";
    for (size_t k = 0; k < arguments.size(); ++k) {
      // The first argument of scf.for is its counter; the others have the types of the results.
      const size_t number = is_for ? k - 1 : k;
      const std::vector<TtirType>& of = is_for ? types : op.operand_types;
      if (is_for && k == 0) {
        values.push_back(Define(
            arguments[0], op.operand_types.empty() ? TtirType{.shape = {}, .element = "i32"} : op.operand_types[0]));
      } else if (number < of.size()) {
        values.push_back(Define(arguments[k], of[number]));
      } else {
        return Fail(StrCat("expected the type of '%", arguments[k], "'"));
      }
    }
    do {
      LAYOUTCHECK_TRY(auto region, Region());
      if (op.regions.empty()) region[0].arguments = values;
      op.regions.push_back(std::move(region));
    } while ((cursor_.Take("else") || cursor_.Take("do")) && cursor_.Take("{"));
    return {};
  }

  // Reads `default {...} partition0(%x: i32, ...) num_warps(4) {...}` with their blocks, on lines of their own.
  Expected<void> Partitions(TtirOp& op) {
    SkipLines();
    if (!cursor_.Take("default")) return Fail("expected 'default' and the partitions of ttg.warp_specialize");
    std::vector<TtirValue*> arguments;
    while (true) {
      if (!cursor_.Take("{")) return Fail("expected '{' and the operations of a partition");
      LAYOUTCHECK_TRY(auto region, Region());
      region[0].arguments = std::move(arguments);
      op.regions.push_back(std::move(region));
      const size_t end = cursor_.position();
      SkipLines();
      if (!cursor_.Take("partition")) {
        cursor_.MoveTo(end);
        return {};
      }
      cursor_.TakeWhile(TextCursor::IsDigit);
      if (!cursor_.Take("(")) return Fail("expected '(' and the arguments of the partition");
      LAYOUTCHECK_TRY(arguments, Arguments());
      if (!cursor_.Take("num_warps")) return Fail("expected 'num_warps' of the partition");
      LAYOUTCHECK_RETURN_IF_ERROR(Balanced());
    }
  }

  void Word(TtirOp& op) {
    cursor_.SkipBlanks();
    const size_t begin = cursor_.position();
    if (std::string_view("([<").contains(cursor_.byte()) && op.name != "scf.for" && op.name != "scf.while") {
      // Values in parentheses are operands, and so are the sizes and offsets of a descriptor.
      const bool has_values =
          (cursor_.byte() == '(' && !op.name.ends_with("constant")) || cursor_.rest().starts_with("[%");
      if (has_values || !Balanced()) cursor_.MoveTo(begin + 1);
    } else if (cursor_.byte() == '"') {
      cursor_.Take("\"");
      cursor_.TakeWhile([](char c) { return c != '"'; });
      cursor_.Take("\"");
    } else if (cursor_.TakeWhile([](char c) { return IsNameByte(c) || c == '+' || c == '@'; }).empty()) {
      cursor_.MoveTo(begin + 1);
    }
    // `dense<0>` and `overflow<nsw>` are one word.
    const size_t angle = cursor_.position();
    if (cursor_.byte() == '<' && !Balanced()) cursor_.MoveTo(angle + 1);
    op.words.emplace_back(cursor_.Since(begin));
  }

  static constexpr int64_t kMostResults = 1 << 16;

  TtirFunction* function_ = nullptr;
  std::vector<std::map<std::string, std::vector<TtirValue*>>> scopes_;  // values by name, the innermost region last
};

}  // namespace

Expected<TtirModule> ParseTtir(std::string_view text, std::string_view file) { return Reader(text, file).Module(); }

}  // namespace layoutcheck
