// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostListed = 8;  // banks in the text

// Returns "lanes 0-3,8" for sorted lanes.
std::string LaneList(const std::vector<int64_t>& lanes) {
  std::string text = lanes.size() == 1 ? "lane " : "lanes ";
  for (size_t k = 0; k < lanes.size();) {
    size_t end = k + 1;
    while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1) ++end;
    StrAppend(text, k > 0 ? "," : "", lanes[k]);
    if (end > k + 1) StrAppend(text, end > k + 2 ? "-" : ",", lanes[end - 1]);
    k = end;
  }
  return text;
}

// Says why the first two words of a bank conflict.
std::string WhyText(const AccessedBanks& banks, const BankConflict& conflict) {
  const int64_t distance = (conflict.words[1] - conflict.words[0]) * kBankBytes;
  std::string text = StrCat("lanes ", conflict.lanes[0].front(), " and ", conflict.lanes[1].front(), " access words ",
                            conflict.words[0], " and ", conflict.words[1], ", ", distance,
                            " bytes apart: a multiple of ", kBanks * kBankBytes, ", which is once through all banks");
  const bool power_of_two = (banks.addresses.size() & (banks.addresses.size() - 1)) == 0;
  const std::vector<int64_t> bits = power_of_two ? LaneBitsWithinBanks(banks.addresses) : std::vector<int64_t>();
  if (!bits.empty()) {
    StrAppend(text, "; ", bits.size() == 1 ? "bit " : "each of the bits ", StrJoin(bits, ","),
              " of the lane moves the address by such a multiple");
  }
  return text;
}

// Returns "4 phases of 8 lanes", or with phases of several sizes "1 phase of 16 lanes and 2 phases of 8 lanes".
std::string PhasesText(const BankConflicts& conflicts) {
  std::map<int64_t, int64_t, std::greater<>> phases;  // by number of lanes
  for (const AccessPhase& phase : conflicts.phases) ++phases[phase.lane_count];
  std::string text;
  for (const auto& [lanes, count] : phases) {
    StrAppend(text, text.empty() ? "" : " and ", Counted(count, "phase"), " of ", Counted(lanes, "lane"));
  }
  return text;
}

// Returns "none, 4 passes in 4 phases of 8 lanes" or "8-way, 32 passes where 4 would do, in 4 phases of 8 lanes".
std::string ConflictsText(const BankConflicts& conflicts) {
  const std::string passes = Counted(conflicts.passes, "pass");
  if (conflicts.degree <= 1) return StrCat("none, ", passes, " in ", PhasesText(conflicts));
  return StrCat(conflicts.degree, "-way, ", passes, " where ", conflicts.phases.size(), " would do, in ",
                PhasesText(conflicts));
}

// Returns "lanes 0 to 15 and 16 to 31: why", or an empty text if no phases are merged.
std::string MergedText(const AccessedBanks& banks) {
  std::map<int64_t, std::string> lanes;  // by the distance of lanes with equal addresses
  std::map<int64_t, const AccessPhase*> examples;
  for (const AccessPhase& phase : banks.loads.phases) {
    if (phase.merged_by == 0) continue;
    std::string& text = lanes[phase.merged_by];
    StrAppend(text, text.empty() ? "lanes " : " and ", phase.first_lane, " to ",
              phase.first_lane + phase.lane_count - 1);
    examples[phase.merged_by] = &phase;
  }
  std::string text;
  for (const auto& [distance, of_distance] : lanes) {
    StrAppend(text, text.empty() ? "" : "; ", of_distance, ": ", WhyMerged(*examples[distance], banks));
  }
  return text;
}

// Appends the banks of the worst phase, if it has a conflict.
void AddWorstPhase(std::string name, const AccessedBanks& banks, const BankConflicts& conflicts,
                   std::vector<Fact>& facts) {
  if (conflicts.degree <= 1) return;
  const auto worst = std::ranges::find(conflicts.phases, conflicts.degree, &AccessPhase::passes);
  facts.push_back(
      {std::move(name), StrCat("lanes ", worst->first_lane, " to ", worst->first_lane + worst->lane_count - 1, ", ",
                               Counted(worst->conflicts.size(), "bank"), " with several words")});
  const size_t listed = std::min(kMostListed, worst->conflicts.size());
  for (const BankConflict& conflict : std::span(worst->conflicts).first(listed)) {
    std::vector<int64_t> lanes;
    for (const std::vector<int64_t>& of_word : conflict.lanes)
      lanes.insert(lanes.end(), of_word.begin(), of_word.end());
    std::ranges::sort(lanes);
    facts.push_back({StrCat("bank ", conflict.bank), StrCat(conflict.words.size(), " words, ", LaneList(lanes))});
  }
  if (listed < worst->conflicts.size()) {
    facts.push_back({"", StrCat("and ", worst->conflicts.size() - listed, " banks more")});
  }
  facts.push_back({"why", WhyText(banks, worst->conflicts.front())});
}

Json PhasesJson(const BankConflicts& conflicts) {
  Json phases = Json::array();
  for (const AccessPhase& phase : conflicts.phases) {
    Json banks = Json::array();
    for (const BankConflict& conflict : phase.conflicts) {
      banks.push_back({{"bank", conflict.bank}, {"words", conflict.words}, {"lanes", conflict.lanes}});
    }
    phases.push_back({{"first_lane", phase.first_lane},
                      {"lanes", phase.lane_count},
                      {"merged_by", phase.merged_by != 0 ? Json(phase.merged_by) : Json(nullptr)},
                      {"passes", phase.passes},
                      {"conflicts", std::move(banks)}});
  }
  return phases;
}

}  // namespace

std::string AccessTitle(const AccessedBanks& banks) {
  return StrCat(Counted(banks.addresses.size(), "lane"), " of ", Counted(banks.bytes, "byte"));
}

std::vector<Fact> BanksFacts(const AccessedBanks& banks) {
  std::vector<Fact> facts;
  facts.push_back(
      {"access", StrCat(AccessTitle(banks), banks.element_type.empty() ? ", addresses as listed" : ", elements ",
                        banks.element_type)});
  if (!banks.memory.empty()) facts.push_back({"in memory", banks.memory});
  facts.push_back({"load conflicts", ConflictsText(banks.loads)});
  facts.push_back({"store conflicts", ConflictsText(banks.stores)});
  if (!banks.MergesLoads()) {
    AddWorstPhase("worst phase", banks, banks.stores, facts);
    return facts;
  }
  facts.push_back({"loads merge", MergedText(banks)});
  AddWorstPhase("worst of loads", banks, banks.loads, facts);
  AddWorstPhase("worst of stores", banks, banks.stores, facts);
  return facts;
}

Json BanksJson(const AccessedBanks& banks) {
  Json stores = PhasesJson(banks.stores);
  return {{"input", banks.input},
          {"bytes", banks.bytes},
          {"element_type", banks.element_type.empty() ? Json(nullptr) : Json(banks.element_type)},
          {"addresses", banks.addresses},
          {"degree", banks.stores.degree},
          {"passes", banks.stores.passes},
          {"phases", stores},
          {"load_degree", banks.loads.degree},
          {"load_passes", banks.loads.passes},
          {"load_phases", PhasesJson(banks.loads)},
          {"store_degree", banks.stores.degree},
          {"store_passes", banks.stores.passes},
          {"store_phases", std::move(stores)}};
}

}  // namespace layoutcheck
