// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/coq/coq_terms.h"
#include "layoutcheck/verify/proof/lemmas.h"

namespace layoutcheck::verify {
namespace {

// Returns the text before the first separator, and removes both from `text`.
std::string_view TakeUntil(std::string_view& text, std::string_view separator) {
  const size_t end = text.find(separator);
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return first;
}

std::string_view FirstWord(std::string_view line) { return line.substr(0, line.find(' ')); }

// A path: the lines up to the end of the evaluation or the last split, and the steps and goals behind them. The late
// ones are about two points at which the formulas have equal values.
struct Path {
  std::vector<std::string_view> outcomes;
  std::vector<std::string_view> steps;
  std::optional<std::vector<std::string_view>> late_steps;
};

bool IsStep(std::string_view line) {
  const std::string_view word = FirstWord(line);
  return word == "atom" || word == "lemma" || word == "cut" || word == "goal" || word == "false" || word == "split";
}

std::vector<Path> TakePaths(Lines& lines, std::span<const int64_t> late_lines) {
  std::vector<Path> paths;
  for (; !lines.AtEnd() && lines.line() != "end" && FirstWord(lines.line()) != "sequent"; lines.Advance()) {
    if (lines.line() == "path") {
      paths.emplace_back();
      continue;
    }
    Path& path = paths.back();
    if (!late_lines.empty() && late_lines[paths.size() - 1] == lines.number()) path.late_steps.emplace();
    (path.late_steps ? *path.late_steps : path.steps).push_back(lines.line());
  }
  for (Path& path : paths) {
    std::vector<std::string_view>& steps = path.steps;
    auto end = std::ranges::find_if(steps, IsStep);
    for (auto line = end; line != steps.end(); ++line) {
      if (line->starts_with("split ")) end = line + 1;
    }
    path.outcomes.assign(steps.begin(), end);
    steps.erase(steps.begin(), end);
  }
  return paths;
}

// Returns the tactic that shows something from the facts that a line of the certificate names.
std::string FromFacts(std::string_view line) {
  TakeUntil(line, " ");
  std::set<size_t> facts;
  while (!line.empty()) {
    std::string_view word = TakeUntil(line, " ");
    word.remove_prefix(word.find('*') == std::string_view::npos ? 0 : word.find('*') + 1);
    size_t fact = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), fact).ec == std::errc()) facts.insert(fact);
  }
  std::string kept;
  for (const size_t fact : facts) StrAppend(kept, kept.empty() ? " -fact" : " fact", fact);
  return StrCat("(clear", kept, "; lia)");
}

// Returns "(A) (B)" for "A ; B".
std::string Arguments(std::string_view text) {
  std::string arguments;
  while (!text.empty()) {
    StrAppend(arguments, arguments.empty() ? "(" : " (", CoqPolynomial(TakeUntil(text, " ; ")), ")");
  }
  return arguments;
}

// Returns the tactic for the outcome of a condition, or of a value that must be known, and no decision.
std::string TacticOf(std::string_view outcome) {
  const std::string_view word = TakeUntil(outcome, " ");
  if (word == "+") return "condition_is_true.";
  if (word == "-") return "condition_is_false.";
  if (word == "=") return outcome.empty() ? "values_are_equal." : StrCat("number_is (", outcome, ").");
  if (word == "#") return StrCat("number_below ", outcome, "%nat.");
  if (word == "mask") return StrCat("mask_is_", outcome, ".");
  if (word == "fit") return "cast_fits.";
  if (word == "wrap") return "cast_wraps.";
  if (word == "common") return "common_bits.";
  const std::string_view side = TakeUntil(outcome, " ");  // of "disjoint"
  return StrCat("no_bit_in_common_", side, " ", outcome, ".");
}

class ProofPrinter {
 public:
  explicit ProofPrinter(size_t formulas) : formulas_(formulas) {}

  std::string& text() { return text_; }

  // Prints the paths, which have the same outcomes before `at`. Recursion is as deep as decisions are nested.
  void PrintTree(std::span<const Path> paths, size_t at, size_t facts, size_t depth) {
    const std::vector<std::string_view>& outcomes = paths[0].outcomes;
    for (; at < outcomes.size(); ++at) {
      const std::string_view outcome = outcomes[at];
      if (outcome == "Y" || outcome == "N" || outcome.starts_with("split ")) {
        return PrintDecision(paths, at, facts + 1, depth);
      }
      if (outcome.starts_with("atom ")) {
        PrintAtom(outcome, depth);
      } else {
        Print(TacticOf(outcome), depth);
      }
    }
    Print("settle.", depth);
    PrintLeaf(paths[0], facts, depth);
  }

 private:
  void Print(std::string_view line, size_t depth) {
    text_.append(2 * depth, ' ');
    StrAppend(text_, line, "\n");
  }

  void PrintDecision(std::span<const Path> paths, size_t at, size_t fact, size_t depth) {
    std::string_view outcome = paths[0].outcomes[at];
    if (outcome.starts_with("split ")) {
      outcome.remove_prefix(FirstWord(outcome).size() + 1);
      outcome.remove_suffix(2);
      Print(StrCat("settle. split_by (", CoqPolynomial(outcome), ") as fact", fact, "."), depth);
    } else {
      Print(StrCat("decide fact", fact, "."), depth);
    }
    const auto other = std::ranges::find_if(paths, [&](const Path& path) { return path.outcomes[at].ends_with('N'); });
    const auto count = static_cast<size_t>(other - paths.begin());
    for (const std::span<const Path> side : {paths.first(count), paths.subspan(count)}) {
      Print("{", depth);
      PrintTree(side, at + 1, fact, depth + 1);
      Print("}", depth);
    }
  }

  // Prints "atom NAME floordiv A ; B".
  void PrintAtom(std::string_view line, size_t depth) {
    TakeUntil(line, " ");
    const std::string name = CoqName(TakeUntil(line, " "));
    const std::string_view word = TakeUntil(line, " ");
    const std::string_view op = word == "floordiv" ? "Z.div" : word == "mod" ? "Z.modulo" : "Z.land";
    Print(StrCat("name_atom ", name, " (", op, " ", Arguments(line), ")."), depth);
  }

  // Prints a lemma or a cut with its premises, and moves behind them. Returns the number of facts after it.
  size_t PrintStep(std::span<const std::string_view>& lines, size_t facts, size_t depth) {
    std::string_view line = lines[0];
    lines = lines.subspan(1);
    const std::string_view kind = TakeUntil(line, " ");
    if (kind == "cut") {
      Print(StrCat("cut fact", facts + 1, " (", CoqPolynomial(line), ") ", FromFacts(lines[0]), "."), depth);
      lines = lines.subspan(1);
      return facts + 1;
    }
    const std::string_view name = TakeUntil(line, " ");
    Print(StrCat("apply_lemma (", name, " ", Arguments(line), ")."), depth);
    for (; FirstWord(lines[0]) == "by"; lines = lines.subspan(1)) {
      Print(StrCat("premise ltac:", FromFacts(lines[0]), "."), depth);
    }
    const size_t count = FindLemma(name)->conclusions.size();
    std::string conclusions;
    for (size_t k = 1; k <= count; ++k) StrAppend(conclusions, k == 1 ? "fact" : " & fact", facts + k);
    Print(StrCat("conclusions ", count == 1 ? conclusions : "(" + conclusions + ")", "."), depth);
    return facts + count;
  }

  // Prints the steps before the goals, and removes them. Returns the number of facts after them.
  size_t PrintSteps(std::span<const std::string_view>& lines, size_t facts, size_t depth) {
    while (!lines.empty() && FirstWord(lines[0]) != "goal" && FirstWord(lines[0]) != "false") {
      if (FirstWord(lines[0]) == "atom") {
        PrintAtom(lines[0], depth);
        lines = lines.subspan(1);
      } else {
        facts = PrintStep(lines, facts, depth);
      }
    }
    return facts;
  }

  void PrintGoal(std::string_view tactic, std::string_view line, size_t depth) {
    Print(StrCat(tactic, " ltac:", FromFacts(line), "."), depth);
  }

  void PrintLeaf(const Path& path, size_t facts, size_t depth) {
    std::span<const std::string_view> lines = path.steps;
    facts = PrintSteps(lines, facts, depth);
    if (!lines.empty() && FirstWord(lines[0]) == "false") return PrintGoal("contradiction_by", lines[0], depth);
    if (path.late_steps) return PrintLateSteps(lines, *path.late_steps, facts, depth);
    // The goals of conditions stand behind those of parts, and these behind the claim's own.
    for (size_t k = lines.size(); k > 0; --k) PrintGoal("goal", lines[k - 1], depth);
    Print("exact I.", depth);
  }

  // Prints the goals of conditions, and then what follows from equal values at two points.
  void PrintLateSteps(std::span<const std::string_view> conditions, std::span<const std::string_view> lines,
                      size_t facts, size_t depth) {
    Print("conditions_first.", depth);
    for (size_t k = conditions.size(); k > 0; --k) PrintGoal("condition", conditions[k - 1], depth);
    std::string equations;
    for (size_t k = 0; k < formulas_; ++k) StrAppend(equations, " fact", ++facts);
    Print(StrCat("equal_values", equations, "."), depth);
    PrintSteps(lines, facts, depth);
    if (FirstWord(lines[0]) == "false") return PrintGoal("contradiction_by", lines[0], depth);
    for (const std::string_view line : lines) PrintGoal("goal", line, depth);
    Print("exact I.", depth);
  }

  size_t formulas_;  // of the claim
  std::string text_;
};

}  // namespace

std::expected<std::string, std::string> CoqProof(Lines& lines, const CoqClaim& claim) {
  ProofPrinter printer(claim.formulas);
  if (lines.line() != "path") {
    return std::unexpected(StrCat("proofs/Steps.v has no tactic for the line ", Quoted(lines.line())));
  }
  printer.PrintTree(TakePaths(lines, claim.late_lines), 0, claim.facts, 1);
  return std::move(printer.text());
}

}  // namespace layoutcheck::verify
