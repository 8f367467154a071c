// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lemmas that certificates use are those that proofs/Lemmas.v proves.
#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/lemma.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {
namespace {

std::string CoqText(const Term& term);

// Returns a node as Coq writes it. Sums are put in parentheses except where a sum or difference begins with one.
std::string CoqText(uint32_t number) {
  const TermContext& terms = LemmaTerms();
  const TermContext::Node& node = terms.node(number);
  if (node.kind == TermKind::kConstant) return SmtNumber(node.value.value);
  if (node.kind == TermKind::kVariable) return terms.variable_name(node.a);
  const auto is_sum = [](TermKind kind) { return kind == TermKind::kAdd || kind == TermKind::kSubtract; };
  const auto is_compound = [](TermKind kind) { return kind != TermKind::kConstant && kind != TermKind::kVariable; };
  const auto operand = [&](uint32_t k, bool parentheses) {
    return parentheses ? StrCat("(", CoqText(k), ")") : CoqText(k);
  };
  const TermKind left = terms.node(node.a).kind;
  const TermKind right = terms.node(node.b).kind;
  if (is_sum(node.kind)) {
    return StrCat(CoqText(node.a), node.kind == TermKind::kAdd ? " + " : " - ", operand(node.b, is_sum(right)));
  }
  const char* name = node.kind == TermKind::kMultiply ? " * " : node.kind == TermKind::kFloorDiv ? " / " : " mod ";
  return StrCat(operand(node.a, is_compound(left)), name, operand(node.b, is_compound(right)));
}

std::string CoqText(const Term& term) {
  return term.IsConstant() ? SmtNumber(term.value().value) : CoqText(term.node());
}

std::string CoqText(const TermRelation& relation) {
  const char* name = relation.kind == TermRelation::Kind::kEqual  ? " = "
                     : relation.kind == TermRelation::Kind::kLess ? " < "
                                                                  : " <= ";
  return StrCat(CoqText(relation.left), name, CoqText(relation.right));
}

std::string CoqText(const Lemma& lemma) {
  std::string text = StrCat("Lemma ", lemma.name, " ", StrJoin(lemma.parameters, " "), " : ");
  for (const TermRelation& premise : lemma.premises) StrAppend(text, CoqText(premise), " -> ");
  std::vector<std::string> conclusions;
  for (const TermRelation& conclusion : lemma.conclusions) conclusions.push_back(CoqText(conclusion));
  return StrCat(text, StrJoin(conclusions, " /\\ "), ".");
}

TEST(Lemma, EachIsProvedInCoqAsStatedHere) {
  const char* path = LAYOUTCHECK_CORPUS "/../proofs/Lemmas.v";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::string text(std::istreambuf_iterator<char>(file), {});
  text = std::regex_replace(text, std::regex(R"(\(\*[^]*?\*\))"), " ");
  text = std::regex_replace(text, std::regex(R"(\s+)"), " ");
  std::vector<std::string> proved;
  const std::regex statement(R"(Lemma [^.]*\. (?=Proof\. ))");
  for (std::sregex_iterator match(text.begin(), text.end(), statement), end; match != end; ++match) {
    std::string found = match->str();
    found.pop_back();
    proved.push_back(found);
  }
  std::vector<std::string> used;
  for (const Lemma& lemma : Lemmas()) used.push_back(CoqText(lemma));
  EXPECT_EQ(used, proved) << "proofs/Lemmas.v must state the lemmas of lemma.cc, in their order";
}

}  // namespace
}  // namespace layoutcheck
