// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every question of corpus/code gets the right verdict, and the machine confirms every refutation.
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {
namespace {

const std::string kFolder = StrCat(LAYOUTCHECK_CORPUS, "/code/");

struct Entry {
  CodeRequest request;
  std::string verdict;
  std::map<std::string, int64_t> counterexample;  // values that the smallest failing shape must have

  std::string Name() const {
    return StrCat(request.function, "(", request.arguments, ") ", request.formula.value_or(request.layout));
  }
};

std::vector<Entry> ReadManifest() {
  std::vector<Entry> entries;
  std::ifstream in(kFolder + "manifest.jsonl");
  for (std::string line; std::getline(in, line);) {
    const auto json = Json::Parse(line).value();
    Entry entry;
    entry.request.file = kFolder + json.at("file").text();
    entry.request.function = json.at("function").text();
    entry.request.arguments = json.at("args").text();
    entry.request.layout = json.value("layout", "");
    entry.request.result = json.value("result", "");
    if (json.contains("formula")) entry.request.formula = json["formula"].text();
    if (json.contains("assume")) entry.request.assumptions = json["assume"].get<std::vector<std::string>>();
    if (json.contains("max_bytes")) entry.request.max_bytes = json["max_bytes"].get<int64_t>();
    if (json.contains("counterexample"))
      entry.counterexample = json["counterexample"].get<std::map<std::string, int64_t>>();
    entry.verdict = json.at("verdict").text();
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Expects the values of the manifest, and that the function was called at the counterexample.
void ExpectConfirmed(const Entry& entry, const CodeProof& proof) {
  const std::map<std::string, int64_t> values(proof.result.counterexample.begin(), proof.result.counterexample.end());
  for (const auto& [name, value] : entry.counterexample) EXPECT_EQ(values.at(name), value) << entry.Name();
  EXPECT_TRUE(proof.machine.starts_with("returned") || proof.machine.starts_with("ran into undefined behavior") ||
              proof.machine.starts_with("was killed by signal 11"))
      << entry.Name() << ": " << proof.machine;
  if (!values.contains("actual")) return;
  EXPECT_EQ(proof.machine, StrCat("returned ", values.at("actual"))) << entry.Name();
}

TEST(CodeCorpus, EveryQuestionIsDecidedRightly) {
  const std::vector<Entry> entries = ReadManifest();
  std::map<std::string, int> verdicts;
  int certificates = 0;
  std::vector<double> seconds;
  const size_t step = EveryNth(20, 40);
  for (size_t k = 0; k < entries.size(); k += step) {
    const Entry& entry = entries[k];
    const auto start = std::chrono::steady_clock::now();
    const Expected<CodeProof> proof = ProveCode(entry.request, {.certificates = true});
    // With the compilation, the run on the machine and the certificate.
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    ASSERT_TRUE(proof.has_value()) << entry.Name() << ": " << proof.error().ToString();
    const ProofResult& result = proof->result;
    const std::string verdict = ProofVerdictName(result.verdict);
    EXPECT_EQ(verdict, entry.verdict) << entry.Name() << ": " << result.reason << result.disagreement;
    if (result.verdict == ProofVerdict::kRefuted) ExpectConfirmed(entry, *proof);
    ++verdicts[verdict];
    if (result.verdict == ProofVerdict::kProved) {
      EXPECT_NE(result.certificate.empty(), result.no_certificate.empty()) << entry.Name();
      certificates += result.certificate.empty() ? 0 : 1;
      if (!result.no_certificate.empty()) {
        std::printf("%s: no certificate: %s\n", entry.Name().c_str(), result.no_certificate.c_str());
      }
    }
    if (std::getenv("LAYOUTCHECK_SHOW_CODE") == nullptr) continue;
    std::string point;
    for (const auto& [name, value] : result.counterexample) StrAppend(point, " ", name, "=", value);
    std::printf("%-28s %-8s %-16s %8.1f ms%s %s\n", entry.request.function.c_str(), verdict.c_str(),
                result.method.c_str(), seconds.back() * 1e3, (point + result.reason).c_str(), proof->machine.c_str());
  }
  EXPECT_GE(certificates, verdicts["proved"] - 2);
  std::ranges::sort(seconds);
  std::printf(
      "%zu of %zu questions: %d proved, %d of them with a certificate, %d refuted, %d unknown; median %.2f s, largest "
      "%.2f s\n",
      seconds.size(), entries.size(), verdicts["proved"], certificates, verdicts["refuted"], verdicts["unknown"],
      seconds[seconds.size() / 2], seconds.back());
}

// About half of the functions are wrong, so that neither verdict can be guessed.
TEST(CodeCorpus, ManifestAsksOfEveryFunction) {
  const std::vector<Entry> entries = ReadManifest();
  std::set<std::string> functions;
  size_t proved = 0;
  for (const Entry& entry : entries) {
    functions.insert(entry.request.file + entry.request.function);
    proved += entry.verdict == "proved" ? 1u : 0u;
  }
  EXPECT_GE(functions.size(), 120u);
  EXPECT_GE(proved, entries.size() * 2 / 5);
  EXPECT_LE(proved, entries.size() * 3 / 5);
}

}  // namespace
}  // namespace layoutcheck
