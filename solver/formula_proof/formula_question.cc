// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>
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

struct TextFormula {
  std::string_view what;  // "--formula"
  Formula formula;
};

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

  // Adds variables for all names of a question without a layout, indices last. `over` are the parts of --over.
  // With `known_names`, other names are none of the question.
  Expected<void> AddNames(std::span<const TextFormula> formulas, std::span<const Formula> over,
                          const std::optional<std::vector<std::string>>& known_names) {
    known_names_ = known_names;
    std::set<size_t> indices;
    std::vector<std::string> names;
    const auto collect = [&](const Formula& formula) {
      for (const std::string& name : formula.names) {
        if (const auto k = NumberAfter('i', name)) {
          indices.insert(*k);
        } else if (std::ranges::find(names, name) == names.end()) {
          names.push_back(name);
        }
      }
    };
    std::ranges::for_each(over, collect);
    std::ranges::for_each(formulas, collect, &TextFormula::formula);
    std::map<size_t, const Formula*> bounds;
    for (const Formula& part : over) {
      const auto k = BoundedIndex(part);
      if (!k || !bounds.emplace(*k, &part).second) {
        return MakeError(
            ErrorKind::kSyntax,
            StrCat("--over: expected one bound per index, as in 'i0 < M, i1 < 2 * N', ", "found '", part.text, "'"));
      }
    }
    for (const std::string& name : names) {
      const auto k = NumberAfter('d', name);
      // With bounds, d0 is that of i0.
      if (k && bounds.contains(*k)) continue;
      if (known_names && std::ranges::find(*known_names, name) == known_names->end()) continue;
      const bool is_size = std::ranges::any_of(bounds, [&](const auto& bound) {
        return BoundNode(*bound.second).op == FormulaOp::kName && NameOfBound(*bound.second) == name;
      });
      NewVariable(name, FormulaVariable::Kind::kDimension, is_size || (k && indices.contains(*k)) ? 1 : 0);
    }
    for (const size_t k : indices) {
      const size_t variable = NewVariable(StrCat("i", k), FormulaVariable::Kind::kIndex, 0);
      std::optional<FormulaSize> size;
      if (const auto bound = bounds.find(k); bound != bounds.end()) {
        const FormulaNode& node = BoundNode(*bound->second);
        if (node.op == FormulaOp::kLiteral) size = {std::nullopt, node.value};
        if (node.op == FormulaOp::kName && !NumberAfter('i', NameOfBound(*bound->second))) {
          size = {numbers_.at(NameOfBound(*bound->second)), 0};
        }
      } else if (!over.empty()) {
        return ArgumentError("--over: expected a bound for i", k, ", found none");
      } else if (const auto dimension = numbers_.find(StrCat("d", k)); dimension != numbers_.end()) {
        size = {dimension->second, 0};
      }
      question_.indices.push_back({variable, size});
      if (over.empty()) continue;
      dimensions_.resize(std::max(dimensions_.size(), k + 1));
      dimensions_[k] = size;
    }
    return {};
  }

  // Lets a name be negative. Errors: it is no name of the question, an index, or a size (invalid argument).
  Expected<void> MakeSigned(const std::string& name, const std::vector<std::string>& sizes) {
    const auto error = [&](std::string_view expected) {
      return ArgumentError("--signed: expected ", expected, ", found '", name.substr(0, 40), "'");
    };
    const auto found = numbers_.find(name);
    const bool is_size = NumberAfter('i', name) || NumberAfter('d', name) ||
                         std::ranges::find(sizes, name) != sizes.end() ||
                         (found != numbers_.end() && question_.variables[found->second].least > 0);
    if (is_size) return error("a name that may be negative, which no index, size or tile size is");
    if (found == numbers_.end()) return error("a name of the formulas");
    question_.variables[found->second].least = FormulaVariable::kNoLeast;
    return {};
  }

  // Errors: an unknown name (invalid argument). `what` names the text that the formula is from.
  Expected<FormulaQuestion::BoundFormula> Bind(std::string_view what, Formula formula) {
    LAYOUTCHECK_RETURN_IF_ERROR(CheckLets(what, formula));
    std::vector<FormulaSize> names;
    for (size_t n = 0; n < formula.names.size(); ++n) {
      const std::string& name = formula.names[n];
      const auto variable = numbers_.find(name);
      const auto k = NumberAfter('d', name);
      if (variable != numbers_.end()) {
        names.push_back({variable->second, 0});
      } else if (k && *k < dimensions_.size() && dimensions_[*k]) {
        names.push_back(*dimensions_[*k]);
      } else {
        const auto node = std::ranges::find_if(formula.nodes, [&](const FormulaNode& candidate) {
          return candidate.op == FormulaOp::kName && candidate.name == n;
        });
        return ArgumentError(what, ": column ", node->column, ": expected ", KnownNames(), ", found '",
                             name.substr(0, 40), "'");
      }
    }
    return FormulaQuestion::BoundFormula{std::move(formula), std::move(names)};
  }

 private:
  // Returns k if the formula is "i<k> < bound".
  static std::optional<size_t> BoundedIndex(const Formula& part) {
    const FormulaNode& root = part.nodes.back();
    if (root.op != FormulaOp::kLess || part.nodes[root.operands[0]].op != FormulaOp::kName) return std::nullopt;
    return NumberAfter('i', part.names[part.nodes[root.operands[0]].name]);
  }
  static const FormulaNode& BoundNode(const Formula& part) { return part.nodes[part.nodes.back().operands[1]]; }
  static const std::string& NameOfBound(const Formula& part) { return part.names[BoundNode(part).name]; }

  // Errors: a let binds a name of the question.
  Expected<void> CheckLets(std::string_view what, const Formula& formula) const {
    for (const FormulaNode& node : formula.nodes) {
      if (node.op != FormulaOp::kLet) continue;
      const std::string& name = formula.let_names[node.name];
      if (!numbers_.contains(name) && !NumberAfter('i', name) && !NumberAfter('d', name)) continue;
      return ArgumentError(what, ": column ", node.column, ": expected a new name after 'let', found '",
                           name.substr(0, 40), "', which is an index or a dimension");
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
    if (!question_.layout && !known_names_) return "a dimension whose bound is a name or a number";
    if (!question_.layout) {
      std::vector<std::string> all;
      for (const FormulaVariable& variable : question_.variables) all.push_back(variable.name);
      return StrCat("an index, a dimension or a name of the layout (", StrJoin(all, ", "), ")");
    }
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
  std::vector<std::optional<FormulaSize>> dimensions_;  // sizes d0, d1, ...
  std::optional<std::vector<std::string>> known_names_;
};

}  // namespace

std::vector<std::string> FormulaQuestion::names() const {
  std::vector<std::string> result;
  for (const FormulaVariable& variable : variables) {
    if (variable.kind != FormulaVariable::Kind::kIndex) result.push_back(variable.name);
  }
  return result;
}

NameRanges FormulaQuestion::ranges() const {
  NameRanges result;
  for (const FormulaVariable& variable : variables) {
    if (variable.kind == FormulaVariable::Kind::kIndex) continue;
    const bool is_tile = variable.kind == FormulaVariable::Kind::kTileSize;
    result[variable.name] = variable.IsSigned() ? kIntegerRange : is_tile ? kPositiveRange : kNotNegativeRange;
  }
  return result;
}

namespace {

// A question whose formulas are not chosen yet.
struct BoundRequest {
  FormulaQuestion question;
  std::vector<FormulaQuestion::BoundFormula> formula;  // one formula per component
  std::vector<FormulaQuestion::BoundFormula> equals;
};

std::unexpected<Error> Located(std::string_view what, const Error& error) {
  return MakeError(error.kind, StrCat(what, ": ", error.ToString()));
}

// Appends the formulas in the text, named `what` in messages.
Expected<void> AppendFormulas(std::string_view what, std::string_view text, std::vector<TextFormula>& formulas) {
  Expected<std::vector<Formula>> parsed = ParseFormulas(text);
  if (!parsed) return Located(what, parsed.error());
  for (Formula& formula : *parsed) formulas.push_back({what, std::move(formula)});
  return {};
}

Expected<BoundRequest> BindRequest(const FormulaRequest& request) {
  BoundRequest bound;
  FormulaQuestion& question = bound.question;
  if (!request.layout.empty()) {
    if (!request.over.empty()) return ArgumentError("--over: expected no LAYOUT beside it");
    Expected<SymbolicLayout> layout = ParseSymbolicLayout(request.layout);
    if (!layout) return Located(request.layout, layout.error());
    question.layout = std::move(*layout);
  }
  std::vector<TextFormula> formulas;
  LAYOUTCHECK_RETURN_IF_ERROR(AppendFormulas("--formula", request.formula, formulas));
  const size_t equals_begin = formulas.size();
  if (request.equals) {
    if (auto ok = AppendFormulas(request.equals_option, *request.equals, formulas); !ok)
      return std::unexpected(ok.error());
  }
  const size_t equals_end = formulas.size();
  for (const std::string& text : request.assumptions) {
    Expected<Formula> assumption = ParseFormula(text);
    if (!assumption) return Located("--assume", assumption.error());
    formulas.push_back({"--assume", std::move(*assumption)});
  }
  Binder binder(question);
  if (question.layout) {
    binder.AddLayout(request.more_names);
  } else {
    std::vector<Formula> over;
    if (!request.over.empty()) {
      auto parsed = ParseFormulas(request.over);
      if (!parsed) return Located("--over", parsed.error());
      over = *std::move(parsed);
    }
    LAYOUTCHECK_RETURN_IF_ERROR(binder.AddNames(formulas, over, request.known_names));
    // Bounds that are no single name or number are assumptions; the others hold by the sizes of the indices.
    for (Formula& part : over) formulas.push_back({"--over", std::move(part)});
  }
  const bool is_strided = !request.strided.empty() && request.known_names;
  for (const std::string& name : request.signed_names) {
    if (const auto is_signed = binder.MakeSigned(name, is_strided ? *request.known_names : std::vector<std::string>());
        !is_signed)
      return std::unexpected(is_signed.error());
  }
  for (size_t k = 0; k < formulas.size(); ++k) {
    LAYOUTCHECK_TRY(auto one, binder.Bind(formulas[k].what, std::move(formulas[k].formula)));
    (k < equals_begin ? bound.formula : k < equals_end ? bound.equals : question.assumptions).push_back(std::move(one));
  }
  return bound;
}

// Returns the formula at the second index: variables that are keys of `second` are replaced by the values.
FormulaQuestion::BoundFormula AtSecond(FormulaQuestion::BoundFormula formula, const std::map<size_t, size_t>& second) {
  for (FormulaSize& name : formula.names) {
    if (!name.variable) continue;
    if (const auto found = second.find(*name.variable); found != second.end()) name.variable = found->second;
  }
  return formula;
}

}  // namespace

Expected<FormulaQuestion> MakeFormulaQuestion(const FormulaRequest& request) {
  LAYOUTCHECK_TRY(BoundRequest bound, BindRequest(request));
  if (request.equals && bound.formula.size() != bound.equals.size()) {
    return ArgumentError(request.equals_option, ": expected as many components as in --formula (", bound.formula.size(),
                         "), found ", bound.equals.size());
  }
  if (!request.equals && bound.formula.size() > 1) {
    return ArgumentError("--formula: expected --equals or one formula, found ", bound.formula.size(), " components");
  }
  bound.question.formula = std::move(bound.formula.at(request.component));
  if (request.equals) bound.question.equals = std::move(bound.equals.at(request.component));
  return std::move(bound.question);
}

Expected<FormulaQuestion> MakeInjectivityQuestion(const FormulaRequest& request) {
  if (request.layout.empty() && request.over.empty()) {
    return ArgumentError("expected a LAYOUT or --over: the indices whose values are to be different");
  }
  if (request.equals) return ArgumentError("--equals: expected no --law beside it");
  LAYOUTCHECK_TRY(BoundRequest bound, BindRequest(request));
  FormulaQuestion& question = bound.question;
  std::map<size_t, size_t> second;
  const std::vector<FormulaIndex> first_indices = question.indices;
  for (const FormulaIndex& index : first_indices) {
    const std::string name = "j" + question.variables[index.variable].name.substr(1);
    if (std::ranges::find(question.variables, name, &FormulaVariable::name) != question.variables.end()) {
      return ArgumentError("expected another name in place of ", name, ", which is the second index");
    }
    second[index.variable] = question.variables.size();
    question.indices.push_back({question.variables.size(), index.size});
    question.variables.push_back({name, FormulaVariable::Kind::kIndex, 0});
  }
  const size_t assumptions = question.assumptions.size();
  for (size_t k = 0; k < assumptions; ++k) question.assumptions.push_back(AtSecond(question.assumptions[k], second));
  question.formula = bound.formula[0];
  question.equals = AtSecond(bound.formula[0], second);
  for (size_t k = 1; k < bound.formula.size(); ++k) {
    question.more_components.emplace_back(bound.formula[k], AtSecond(bound.formula[k], second));
  }
  return std::move(question);
}

std::string ExtentAssumption(const FormulaRequest& request, Int128 max_bytes) {
  return StrCat(request.extent, " <= ", ToDecimal(max_bytes));
}

std::string NoAssumptionText(const FormulaQuestion::BoundFormula& assumption) {
  return StrCat("an assumption has to be a formula, and ", assumption.formula.text, " is a function");
}

Expected<size_t> ComponentCount(const FormulaRequest& request) {
  const auto formulas = ParseFormulas(request.formula);
  if (!formulas) return Located("--formula", formulas.error());
  return formulas->size();
}

}  // namespace layoutcheck
