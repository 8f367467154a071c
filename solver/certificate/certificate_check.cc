// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/certificate_check.h"
#include <mutex>
#include <set>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_queries.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/z3_solver.h"

namespace layoutcheck {
namespace {

// Returns true if Z3 proves the lemma and those that it follows from. Remembers proved lemmas for this process; asks
// again about others, because a larger budget may suffice.
bool LemmaHolds(LemmaId id, uint64_t rlimit) {
  static std::mutex mutex;
  static std::set<LemmaId> proved;
  const std::lock_guard lock(mutex);
  if (proved.contains(id)) return true;
  std::vector<LemmaId> open = {id};
  while (!open.empty()) {
    const LemmaId next = open.back();
    open.pop_back();
    if (proved.contains(next)) continue;
    const Lemma& lemma = GetLemma(next);
    SmtQuery query = LemmaQuery(lemma);
    if (!lemma.follows_from.empty()) {
      Certificate certificate;
      certificate.AddLemma(lemma);
      query = CertificateQuery(certificate);
      for (const Lemma::Use& use : lemma.follows_from) open.push_back(use.lemma);
    }
    if (RunZ3(query, rlimit).answer != SolverAnswer::kUnsat) return false;
  }
  proved.insert(id);
  return true;
}

}  // namespace

std::string WhyNotConfirmed(Certificate& certificate, uint64_t rlimit, uint64_t& work) {
  if (certificate.ring().overflow()) return "a coefficient does not fit 126 bits";
  if (!certificate.sample.empty()) {
    const std::string failing = certificate.FailsForSample();
    if (!failing.empty()) return StrCat("the certificate is false for a sample: ", failing);
  }
  std::set<LemmaId> lemmas;
  for (const LemmaInstance& instance : certificate.instances()) lemmas.insert(instance.lemma->id);
  for (const LemmaId lemma : lemmas) {
    if (!LemmaHolds(lemma, rlimit)) return StrCat("lemma ", GetLemma(lemma).name, " was not proved");
  }
  if (work >= rlimit) return kBudgetSpent;
  const SolverRun implied = RunZ3(CertificateQuery(certificate), rlimit - work);
  work += implied.rlimit;
  if (implied.answer == SolverAnswer::kSat) return "the lemma instances do not imply it";
  if (implied.answer == SolverAnswer::kUnknown) return implied.reason;
  if (work >= rlimit) return kBudgetSpent;
  const SolverRun identities = RunZ3(RingQuery(certificate), rlimit - work);
  work += identities.rlimit;
  if (identities.answer != SolverAnswer::kUnsat) return "the normal forms were not confirmed";
  return {};
}

}  // namespace layoutcheck
