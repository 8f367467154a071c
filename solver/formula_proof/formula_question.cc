// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the number k of a name "i<k>" or "d<k>".
std::optional<size_t> NumberAfter(char letter, std::string_view name) {
  if (name.size() < 2 || name[0] != letter) return std::nullopt;
  if (name[1] == '0' && name.size() > 2) return std::nullopt;
  size_t number = 0;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + 1, end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

class Binder {
 public:
  explicit Binder(FormulaQuestion& question) : question_(question) {}

  void AddLayout(const std::vector<std::string>& more_names) {
    const SymbolicLayout& layout = *question_.layout;
    for (const std::string& name : more_names) NewVariable(name, FormulaVariable::Kind::kDimension, 0);
    for (const std::string& name : layout.names) {
      using Kind = FormulaVariable::Kind;
      // No size is 0, because every dimension has an index.
      NewVariable(name, layout.IsTileName(name) ? Kind::kTileSize : Kind::kDimension, 1);
    }
    for (const SymbolicSize& size : layout.layout.dimensions) {
      dimensions_.push_back(size.name.empty() ? FormulaSize{std::nullopt, size.value}
                                              : FormulaSize{numbers_.at(size.name), 0});
    }
    for (size_t k = 0; k < dimensions_.size(); ++k) {
      question_.indices.push_back({NewVariable(StrCat("i", k), FormulaVariable::Kind::kIndex, 0), dimensions_[k]});
    }
  }

  // Adds variables for all names of a question without a layout, indices last.
  void AddNames(const std::vector<Formula>& formulas) {
    std::set<size_t> indices;
    std::vector<std::string> names;
    for (const Formula& formula : formulas) {
      for (const std::string& name : formula.names) {
        if (const auto k = NumberAfter('i', name)) {
          indices.insert(*k);
        } else if (std::ranges::find(names, name) == names.end()) {
          names.push_back(name);
        }
      }
    }
    for (const std::string& name : names) {
      const auto k = NumberAfter('d', name);
      NewVariable(name, FormulaVariable::Kind::kDimension, k && indices.contains(*k) ? 1 : 0);
    }
    for (const size_t k : indices) {
      const auto size = numbers_.find(StrCat("d", k));
      const size_t variable = NewVariable(StrCat("i", k), FormulaVariable::Kind::kIndex, 0);
      question_.indices.push_back(
          {variable, size == numbers_.end() ? std::nullopt : std::optional(FormulaSize{size->second, 0})});
    }
  }

  // Errors: an unknown name (invalid argument). `what` names the text that the formula is from.
  Expected<FormulaQuestion::BoundFormula> Bind(std::string_view what, Formula formula) {
    if (auto hidden = CheckLets(what, formula); !hidden) return std::unexpected(std::move(hidden.error()));
    std::vector<FormulaSize> names;
    for (size_t n = 0; n < formula.names.size(); ++n) {
      const std::string& name = formula.names[n];
      const auto variable = numbers_.find(name);
      const auto k = NumberAfter('d', name);
      if (variable != numbers_.end()) {
        names.push_back({variable->second, 0});
      } else if (k && *k < dimensions_.size()) {
        names.push_back(dimensions_[*k]);
      } else {
        const auto node = std::ranges::find_if(formula.nodes, [&](const FormulaNode& candidate) {
          return candidate.op == FormulaOp::kName && candidate.name == n;
        });
        return MakeError(ErrorKind::kInvalidArgument, StrCat(what, ": column ", node->column, ": expected ",
                                                             KnownNames(), ", found '", name.substr(0, 40), "'"));
      }
    }
    return FormulaQuestion::BoundFormula{std::move(formula), std::move(names)};
  }

 private:
  // Errors: a let binds a name of the question.
  Expected<void> CheckLets(std::string_view what, const Formula& formula) const {
    for (const FormulaNode& node : formula.nodes) {
      if (node.op != FormulaOp::kLet) continue;
      const std::string& name = formula.let_names[node.name];
      if (!numbers_.contains(name) && !NumberAfter('i', name) && !NumberAfter('d', name)) continue;
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat(what, ": column ", node.column, ": expected a new name after 'let', found '",
                              name.substr(0, 40), "', which is an index or a dimension"));
    }
    return {};
  }

  size_t NewVariable(const std::string& name, FormulaVariable::Kind kind, int64_t least) {
    const size_t number = question_.variables.size();
    question_.variables.push_back({name, kind, least});
    numbers_[name] = number;
    return number;
  }

  std::string KnownNames() const {
    std::string text = "a name of the layout";
    if (!question_.layout->names.empty()) StrAppend(text, " (", StrJoin(question_.layout->names, ", "), ")");
    if (dimensions_.empty()) return StrCat(text, "; it has no dimension");
    const std::string last = StrCat(dimensions_.size() - 1);
    const auto range = [&](char letter) {
      return last == "0" ? StrCat(letter, "0") : StrCat(letter, "0 to ", letter, last);
    };
    return StrCat(range('i'), ", ", range('d'), " or ", text);
  }

  FormulaQuestion& question_;
  std::map<std::string, size_t> numbers_;
  std::vector<FormulaSize> dimensions_;
};

}  // namespace

std::vector<std::string> FormulaQuestion::names() const {
  std::vector<std::string> result;
  for (const FormulaVariable& variable : variables) {
    if (variable.kind != FormulaVariable::Kind::kIndex) result.push_back(variable.name);
  }
  return result;
}

Expected<FormulaQuestion> MakeFormulaQuestion(const FormulaRequest& request) {
  FormulaQuestion question;
  const auto located = [](std::string_view what, const Error& error) {
    return MakeError(error.kind, StrCat(what, ": ", error.ToString()));
  };
  if (!request.layout.empty()) {
    Expected<SymbolicLayout> layout = ParseSymbolicLayout(request.layout);
    if (!layout) return located(request.layout, layout.error());
    question.layout = std::move(*layout);
  } else if (!request.equals) {
    return MakeError(ErrorKind::kInvalidArgument, "expected a LAYOUT or --equals: what the formula is to be equal to");
  }
  std::vector<std::pair<std::string_view, std::string_view>> texts = {{"--formula", request.formula}};
  if (request.equals) texts.emplace_back("--equals", *request.equals);
  for (const std::string& assumption : request.assumptions) texts.emplace_back("--assume", assumption);
  std::vector<Formula> formulas;
  for (const auto& [what, text] : texts) {
    Expected<Formula> formula = ParseFormula(text);
    if (!formula) return located(what, formula.error());
    formulas.push_back(std::move(*formula));
  }
  Binder binder(question);
  if (question.layout) {
    binder.AddLayout(request.more_names);
  } else {
    binder.AddNames(formulas);
  }
  std::vector<FormulaQuestion::BoundFormula> bound;
  for (size_t k = 0; k < texts.size(); ++k) {
    auto formula = binder.Bind(texts[k].first, std::move(formulas[k]));
    if (!formula) return std::unexpected(std::move(formula.error()));
    bound.push_back(std::move(*formula));
  }
  question.formula = std::move(bound[0]);
  if (request.equals) question.equals = std::move(bound[1]);
  const auto first_assumption = bound.begin() + (request.equals ? 2 : 1);
  question.assumptions.assign(std::move_iterator(first_assumption), std::move_iterator(bound.end()));
  return question;
}

}  // namespace layoutcheck
