// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/kernel_accesses.h"
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Adds "file" and "line" of a place "tile.cu:7", or "place" for one without a line.
void AddPlace(const std::string& place, Json& access) {
  const size_t colon = place.rfind(':');
  int64_t line = 0;
  const char* const end = place.data() + place.size();
  const bool has_line = colon != std::string::npos && std::from_chars(&place[colon] + 1, end, line).ptr == end;
  if (!has_line || line == 0) {
    access["place"] = place;
    return;
  }
  access["file"] = place.substr(0, colon);
  access["line"] = line;
}

const char* KindName(SharedAccess::Kind kind) {
  return kind == SharedAccess::Kind::kRead ? "load" : kind == SharedAccess::Kind::kWrite ? "store" : "atomic";
}

const char* KindName(const WarpAccess& access) { return access.is_store ? "store" : "load"; }

// Returns the members that say which access it is.
Json AccessJson(const std::string& memory, const char* kind, const std::string& place) {
  Json access{{"memory", memory}, {"kind", kind}};
  AddPlace(place, access);
  return access;
}

Json ValuesJson(const std::vector<std::pair<std::string, int64_t>>& values) {
  Json document = Json::object();
  for (const auto& [name, value] : values) document[name] = value;
  return document;
}

// Returns "a load of tile at tile.cu:7 takes 32 passes where 1 would do, in warp 0 of block (0,0,0) at N=33".
std::string PassesText(const WarpAccess& access, const MeasuredPasses& measured) {
  std::vector<std::string> values;
  for (const auto& [name, value] : measured.values) values.push_back(StrCat(name, "=", value));
  const auto& block = measured.block;
  return StrCat("a ", KindName(access), " of ", access.memory, " at ", access.place, " takes ",
                Counted(measured.count.passes, "pass"), " where ", measured.count.least, " would do, in warp ",
                measured.warp, " of block (", block[0], ",", block[1], ",", block[2], ")", values.empty() ? "" : " at ",
                StrJoin(values, " "),
                measured.is_most ? ", and never more" : ", the most that was seen in small launches");
}

// Returns the conflicts, the worst first.
std::string BanksText(const BankMeasures& banks) {
  std::vector<const BankMeasures::value_type*> conflicts;
  for (const auto& entry : banks) {
    if (entry.second.count.has_conflict()) conflicts.push_back(&entry);
  }
  if (conflicts.empty()) {
    const bool is_shown = std::ranges::all_of(banks, [](const auto& entry) { return entry.second.is_most; });
    return StrCat("no warp takes more passes than it needs", is_shown ? "" : ", as far as was seen in small launches");
  }
  std::ranges::stable_sort(
      conflicts, [](const auto* a, const auto* b) { return PassCount::IsWorse(a->second.count, b->second.count); });
  std::vector<std::string> texts;
  for (const auto* const entry : conflicts) texts.push_back(PassesText(entry->first, entry->second));
  return StrJoin(texts, "; ");
}

}  // namespace

void AddBanks(const BankMeasures& banks, Json& document) {
  document["verdict"] = kAdviceVerdict;
  document["reason"] = BanksText(banks);
  document["accesses"] = Json::array();
  for (const auto& [access, measured] : banks) {
    Json line = AccessJson(access.memory, KindName(access), access.place);
    line["bytes"] = access.bytes;
    line["passes"] = measured.count.passes;
    line["least"] = measured.count.least;
    line["block"] = std::vector<int64_t>(measured.block.begin(), measured.block.end());
    line["warp"] = measured.warp;
    line["values"] = ValuesJson(measured.values);
    line["never_more"] = measured.is_most;
    document["accesses"].push_back(std::move(line));
  }
}

void AddAccessVerdicts(const std::vector<AccessVerdict>& verdicts, Json& document) {
  document["accesses"] = Json::array();
  for (const AccessVerdict& verdict : verdicts) {
    const KernelAccess& access = verdict.access;
    Json line = AccessJson(access.memory, KindName(access.kind), access.place);
    line["verdict"] = ProofVerdictName(verdict.verdict);
    if (!verdict.reason.empty()) line["reason"] = verdict.reason;
    if (!verdict.counterexample.empty()) line["counterexample"] = ValuesJson(verdict.counterexample);
    document["accesses"].push_back(std::move(line));
  }
}

}  // namespace layoutcheck
