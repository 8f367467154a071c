// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every formula of corpus/formulas gets the right verdict.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

#ifdef LAYOUTCHECK_SANITIZED
constexpr size_t kStep = 5;
#else
constexpr size_t kStep = 1;
#endif

struct Entry {
  std::string id;
  FormulaRequest request;
  std::string verdict;
};

std::vector<Entry> ReadFormulas(const std::string& file) {
  std::vector<Entry> entries;
  std::ifstream in(StrCat(LAYOUTCHECK_CORPUS, "/formulas/", file));
  for (std::string line; std::getline(in, line);) {
    const auto json = Json::Parse(line).value();
    Entry entry{json["id"].text(), {json.value("layout", ""), json["formula"].text(), {}, {}}, json["verdict"].text()};
    if (json.contains("equals")) entry.request.equals = json["equals"].text();
    if (json.contains("assume")) entry.request.assumptions = json["assume"].get<std::vector<std::string>>();
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Expects that both sides of a counterexample, evaluated here from the texts, have the values of the result.
void ExpectConfirmed(const Entry& entry, const ProofResult& result) {
  const auto question = MakeFormulaQuestion(entry.request);
  ASSERT_TRUE(question.has_value());
  std::map<std::string, int64_t> values(result.counterexample.begin(), result.counterexample.end());
  FormulaPoint point;
  for (const FormulaVariable& variable : question->variables) point.push_back(values.at(variable.name));
  PointEvaluator evaluator(*question);
  ASSERT_TRUE(evaluator.IsInDomain(point)) << entry.id;
  const FormulaComparison comparison = evaluator.Compare(point);
  EXPECT_TRUE(comparison.Differs()) << entry.id;
  EXPECT_EQ(values.contains("expected") + values.contains("actual") + result.without_value.size(), 2u) << entry.id;
  if (values.contains("expected")) {
    EXPECT_TRUE(Int128{values["expected"]} == comparison.expected.value) << entry.id;
  }
  if (values.contains("actual")) {
    EXPECT_TRUE(Int128{values["actual"]} == comparison.actual.value) << entry.id;
  }
}

void RunFile(const std::string& file, size_t at_least) {
  const std::vector<Entry> entries = ReadFormulas(file);
  EXPECT_GE(entries.size(), at_least);
  std::map<std::string, int> verdicts;
  std::vector<double> seconds;
  for (size_t k = 0; k < entries.size(); k += kStep) {
    const Entry& entry = entries[k];
    const Expected<ProofResult> result = ProveFormula(entry.request);
    ASSERT_TRUE(result.has_value()) << entry.id << ": " << result.error().ToString();
    const std::string verdict = ProofVerdictName(result->verdict);
    EXPECT_EQ(verdict, entry.verdict) << entry.id << ": " << result->reason;
    if (result->verdict == ProofVerdict::kRefuted) ExpectConfirmed(entry, *result);
    ++verdicts[verdict];
    seconds.push_back(result->seconds);
    if (std::getenv("LAYOUTCHECK_SHOW_FORMULAS") != nullptr) {
      std::string point;
      for (const auto& [name, value] : result->counterexample) StrAppend(point, " ", name, "=", value);
      for (const auto& [side, why] : result->without_value) StrAppend(point, " ", side, ": ", why);
      std::printf("%-28s %-8s %-14s %8.1f ms%s\n", entry.id.c_str(), verdict.c_str(), result->method.c_str(),
                  result->seconds * 1e3, (point + result->reason).c_str());
    }
  }
  std::ranges::sort(seconds);
  const double median = seconds[seconds.size() / 2];
  std::printf("%s: %zu of %zu formulas: %d proved, %d refuted, %d unknown; median %.1f ms, largest %.1f ms\n",
              file.c_str(), seconds.size(), entries.size(), verdicts["proved"], verdicts["refuted"],
              verdicts["unknown"], median * 1e3, seconds.back() * 1e3);
}

TEST(FormulaCorpus, RightOnesAreProved) { RunFile("right.jsonl", 60); }

// README.md says how many proofs have a certificate.
TEST(FormulaCorpus, EachProofHasACertificate) {
  const std::vector<Entry> entries = ReadFormulas("right.jsonl");
  size_t certified = 0;
  for (size_t k = 0; k < entries.size(); k += kStep) {
    const Expected<ProofResult> result = ProveFormula(entries[k].request, {.exports = {}, .certificates = true});
    ASSERT_TRUE(result.has_value()) << entries[k].id;
    EXPECT_EQ(result->no_certificate, "") << entries[k].id;
    if (!result->certificate.empty()) ++certified;
  }
  if (kStep > 1) return;
  std::ifstream file(LAYOUTCHECK_CORPUS "/../README.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(page.find(StrCat(certified, " about formulas. 0 of them are `proved (solver only)`")), std::string::npos)
      << certified;
}

// The type is int64, because its bounds have the longest numbers.
TEST(FormulaCorpus, EachProofOfNoOverflowHasACertificate) {
  size_t certified = 0;
  const std::vector<Entry> entries = ReadFormulas("right.jsonl");
  const size_t step = EveryNth(4, 15);
  for (size_t k = 0; k < entries.size(); k += step) {
    if (entries[k].request.layout.empty()) continue;
    const Expected<ProofResult> result =
        ProveNoOverflow(entries[k].request, MachineIntegerOf("int64").value(), {.exports = {}, .certificates = true});
    ASSERT_TRUE(result.has_value()) << entries[k].id;
    EXPECT_EQ(result->no_certificate, "") << entries[k].id;
    if (!result->certificate.empty()) ++certified;
  }
  EXPECT_GT(certified, 70 / step);
}

TEST(FormulaCorpus, WrongOnesAreRefuted) { RunFile("wrong.jsonl", 60); }

// Returns a right formula with one number, name or operator changed, which usually makes it wrong.
std::string Mutant(const std::string& text, std::mt19937& random) {
  Formula formula = *ParseFormula(text);
  for (int tries = 0; tries < 100; ++tries) {
    FormulaNode& node = formula.nodes[random() % formula.nodes.size()];
    if (node.op == FormulaOp::kLiteral) {
      const int64_t changed[] = {node.value + 1, node.value - 1, node.value * 2, node.value / 2};
      node.value = std::max<int64_t>(changed[random() % 4], 0);
      break;
    }
    if (node.op == FormulaOp::kName) {
      node.name = static_cast<uint32_t>(random() % formula.names.size());
      break;
    }
    if (OperandCount(node.op) != 2) continue;
    constexpr FormulaOp kOps[] = {FormulaOp::kAdd,       FormulaOp::kSubtract, FormulaOp::kMultiply, FormulaOp::kDivide,
                                  FormulaOp::kRemainder, FormulaOp::kFloorDiv, FormulaOp::kMod,      FormulaOp::kMin};
    node.op = kOps[random() % std::size(kOps)];
    break;
  }
  return FormulaText(formula);
}

// A mutant that is proved must be right at random points that the prover has not tried.
TEST(FormulaCorpus, NoMutantIsProvedThatIsWrong) {
  const std::vector<Entry> entries = ReadFormulas("right.jsonl");
  const char* const asked = std::getenv("LAYOUTCHECK_MUTANTS");
#ifdef LAYOUTCHECK_SANITIZED
  constexpr int kMutants = 20;
#else
  constexpr int kMutants = 100;
#endif
  const int count = asked == nullptr ? kMutants : std::atoi(asked);
  std::mt19937 random(20261121);
  std::map<std::string, int> verdicts;
  for (int k = 0; k < count; ++k) {
    Entry entry = entries[random() % entries.size()];
    entry.request.formula = Mutant(entry.request.formula, random);
    const Expected<ProofResult> result = ProveFormula(entry.request, {.rlimit = 500'000});
    ASSERT_TRUE(result.has_value()) << entry.id << ": " << entry.request.formula << ": " << result.error().ToString();
    ++verdicts[ProofVerdictName(result->verdict)];
    if (result->verdict == ProofVerdict::kRefuted) ExpectConfirmed(entry, *result);
    if (result->verdict == ProofVerdict::kUnknown && asked != nullptr) {
      std::printf("unknown: %s %s: %s\n", entry.request.layout.c_str(), entry.request.formula.c_str(),
                  result->reason.c_str());
    }
    if (result->verdict != ProofVerdict::kProved) continue;
    const auto question = MakeFormulaQuestion(entry.request);
    PointEvaluator evaluator(*question);
    for (int tries = 0; tries < 3000; ++tries) {
      FormulaPoint point(question->variables.size());
      for (size_t v = 0; v < point.size(); ++v) {
        point[v] = static_cast<int64_t>(random() % (uint32_t{1} << (random() % 16)));
      }
      for (const FormulaIndex& index : question->indices) {
        if (index.size && index.size->variable)
          point[index.variable] %= std::max<int64_t>(point[*index.size->variable], 1);
      }
      if (!evaluator.IsInDomain(point)) continue;
      ASSERT_FALSE(evaluator.Compare(point).Differs()) << entry.request.layout << " " << entry.request.formula;
    }
  }
  std::printf("%d mutants: %d proved, %d refuted, %d unknown\n", count, verdicts["proved"], verdicts["refuted"],
              verdicts["unknown"]);
  EXPECT_GT(verdicts["proved"], 0);
  EXPECT_GT(verdicts["refuted"], count / 3);
}

}  // namespace
}  // namespace layoutcheck
