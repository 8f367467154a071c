// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/access_verdicts.h"
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {
namespace {

using KindOfAccess = SharedAccess::Kind;

constexpr size_t kMostAsked = 24;  // accesses

// Returns the beginning of the message about an access that is not right.
std::string_view SubjectOf(KindOfAccess kind) {
  return kind == KindOfAccess::kRead ? "a read" : kind == KindOfAccess::kWrite ? "a write" : "an atomic operation";
}

// Returns true if the text has the part, and no more of a number behind it.
bool Names(std::string_view text, std::string_view part) {
  const size_t at = text.find(part);
  if (at == std::string_view::npos) return false;
  const size_t end = at + part.size();
  return end == text.size() || text[end] < '0' || text[end] > '9';
}

std::vector<AccessVerdict> AllProved(const KernelAccesses& accesses) {
  std::vector<AccessVerdict> verdicts;
  for (const KernelAccess& access : accesses) verdicts.push_back({access, ProofVerdict::kProved});
  return verdicts;
}

// Returns true if the fault is that of the access itself.
bool IsFaultOf(const KernelAccess& access, std::string_view fault) {
  const std::string_view subject = SubjectOf(access.kind);
  const std::string place = StrCat(" at ", access.place);
  return Names(fault, place) && (fault.starts_with(StrCat(subject, " outside of ", access.memory, place)) ||
                                 fault.starts_with(StrCat(subject, " of ", access.memory, " that is not aligned ")));
}

}  // namespace

void AddAccesses(const KernelModel& model, const KernelRun& run, KernelAccesses& accesses) {
  const auto add = [&](std::string_view memory, std::string_view place, KindOfAccess kind) {
    accesses.insert({std::string(memory), std::string(place), kind});
  };
  const auto name = [&](int64_t array) { return model.array_names()[static_cast<size_t>(array)]; };
  for (const ArrayRead& read : run.reads) add(name(read.object), read.place, KindOfAccess::kRead);
  for (const KernelStore& store : run.stores) {
    add(name(store.array), store.place, store.is_atomic ? KindOfAccess::kAtomic : KindOfAccess::kWrite);
  }
  for (const SharedAccess& access : run.shared) add(access.name, access.place, access.kind);
}

Expected<std::vector<AccessVerdict>> ProveEachAccess(const ProofResult& law, KernelAccesses accesses,
                                                     KernelModel& model, KernelModel& any_launch,
                                                     ThreadProver& threads) {
  if (law.verdict == ProofVerdict::kProved) return AllProved(accesses);
  const auto prove = [&](AccessFilter filter, const ThreadProver::Claim& claim) {
    model.SetAccessFilter(filter);
    any_launch.SetAccessFilter(filter);
    threads.SetCertificates(false);
    auto result = threads.Prove(kAccesses, claim);
    threads.SetCertificates(true);
    model.SetAccessFilter(nullptr);
    any_launch.SetAccessFilter(nullptr);
    return result;
  };
  std::string why_none = law.disagreement;
  if (why_none.empty()) {
    // A fault ends the run that shows it, so that the accesses behind it are not known yet.
    const auto add = [&](const KernelModel& of, const auto&, const auto&, const KernelRun& run) {
      AddAccesses(of, run, accesses);
    };
    LAYOUTCHECK_TRY(auto followed, prove([](auto...) { return false; }, add));
    why_none = std::move(followed.reason);
  }
  std::vector<AccessVerdict> verdicts;
  size_t asked = 0;
  for (const KernelAccess& access : accesses) {
    AccessVerdict& verdict = verdicts.emplace_back(AccessVerdict{access});
    if (law.verdict == ProofVerdict::kRefuted && IsFaultOf(access, law.subexpression)) {
      verdict = {access, law.verdict, law.subexpression, law.counterexample};
      continue;
    }
    verdict.reason = why_none;
    if (why_none.empty() && asked == kMostAsked) {
      verdict.reason = StrCat("only ", kMostAsked, " accesses are asked about one by one");
    }
    if (!verdict.reason.empty()) continue;
    ++asked;
    const auto is_asked = [&](std::string_view memory, std::string_view subject, std::string_view place) {
      return memory == access.memory && place == access.place && subject == SubjectOf(access.kind);
    };
    LAYOUTCHECK_TRY(auto result, prove(is_asked, [](const auto&...) {}));
    const bool is_fault = result.verdict == ProofVerdict::kRefuted;
    const bool is_own = is_fault && IsFaultOf(access, result.subexpression);
    verdict.reason = is_fault ? StrCat(is_own ? "" : "on the way, ", result.subexpression) : result.reason;
    if (is_fault && !is_own) continue;
    ShowNumbers(model, HostThread(), result);
    verdict.verdict = result.verdict;
    if (is_fault) verdict.counterexample = std::move(result.counterexample);
  }
  return verdicts;
}

std::vector<AccessVerdict> RaceVerdicts(const KernelAccesses& accesses, const ProofResult& race_free) {
  if (race_free.verdict == ProofVerdict::kUnknown) return {};
  if (race_free.verdict == ProofVerdict::kProved) return AllProved(accesses);
  std::vector<AccessVerdict> verdicts;
  for (const KernelAccess& access : accesses) {
    AccessVerdict& verdict = verdicts.emplace_back(AccessVerdict{access});
    const std::string& race = race_free.subexpression;
    // "A reads byte 4 of tile at FILE:LINE, and B writes it at FILE:LINE"
    const std::string_view verb = RaceVerb(access.kind);
    const size_t second = std::min(race.find(", and "), race.size());
    const std::array sides{std::string_view(race).substr(0, second), std::string_view(race).substr(second)};
    const bool is_first = sides[0].contains(StrCat(" ", verb, " ")) &&
                          Names(sides[0], StrCat(" of ", access.memory, " at ", access.place));
    const bool is_of_memory = sides[0].contains(StrCat(" of ", access.memory, " at "));
    const bool is_second = is_of_memory && Names(sides[1], StrCat(" ", verb, " it at ", access.place));
    verdict.reason = "two other accesses race";
    if (!is_first && !is_second) continue;
    verdict = {access, ProofVerdict::kRefuted, race, race_free.counterexample};
  }
  return verdicts;
}

}  // namespace layoutcheck
