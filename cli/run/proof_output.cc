// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/proof_output.h"
#include <fmt/format.h>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::string Shortened(const std::string& text) {
  const std::string line = OneLine(text);
  return line.size() <= 70 ? line : line.substr(0, 67) + "...";
}

void PrintWithNextSteps(Json result) {
  if (!result.contains("next")) AddNextSteps(result, NextStepsOfProof(result));
  PrintJson(result);
}

}  // namespace

ProofTable::ProofTable(bool json) : json_(json) {
  if (!json) fmt::print("{:<70} {:>6} {:>7} {:>7} {:>8}\n", "layout", "proved", "refuted", "unknown", "seconds");
}

ExitCode ProofTable::Print(const std::string& entry, const std::vector<Json>& results) {
  ++entries_;
  Tally tally;
  ExitCode code = ExitCode::kAccepted;
  for (const Json& result : results) {
    const ExitCode one = ProofExitCode(result);
    ++(one == ExitCode::kAccepted ? tally.proved : one == ExitCode::kRejected ? tally.refuted : tally.unknown);
    tally.seconds += result["seconds"].get<double>();
    code = WorseExitCode(code, one);
    if (json_) PrintWithNextSteps(result);
  }
  total_ = {total_.proved + tally.proved, total_.refuted + tally.refuted, total_.unknown + tally.unknown,
            total_.seconds + tally.seconds};
  if (json_) return code;
  PrintRow(Shortened(entry), tally);
  for (const Json& result : results) {
    if (ProofExitCode(result) != ExitCode::kAccepted) fmt::print("  {}\n", ProofText(result));
  }
  return code;
}

void ProofTable::PrintTotal() const {
  if (!json_) PrintRow(fmt::format("total: {} {}", entries_, entries_ == 1 ? "entry" : "entries"), total_);
}

Json ProofTable::Totals() const {
  return {{"entries", entries_}, {"proved", total_.proved}, {"refuted", total_.refuted}, {"unknown", total_.unknown}};
}

void ProofTable::PrintRow(const std::string& name, const Tally& tally) {
  fmt::print("{:<70} {:>6} {:>7} {:>7} {:>8.3f}\n", name, tally.proved, tally.refuted, tally.unknown, tally.seconds);
}

ExitCode WorseExitCode(ExitCode a, ExitCode b) {
  const auto rank = [](ExitCode code) {
    return code == ExitCode::kUnusable ? 3 : code == ExitCode::kRejected ? 2 : code == ExitCode::kUndecided ? 1 : 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

ExitCode ProofExitCode(const Json& document) {
  if (document.contains("disagreement")) return ExitCode::kUnusable;
  const std::string& verdict = document["verdict"].text();
  if (verdict == ProofVerdictName(ProofVerdict::kProved)) {
    return document.contains("no_certificate") ? ExitCode::kUndecided : ExitCode::kAccepted;
  }
  if (verdict == kNotAsked || verdict == kAdviceVerdict) return ExitCode::kAccepted;
  return verdict == ProofVerdictName(ProofVerdict::kRefuted) ? ExitCode::kRejected : ExitCode::kUndecided;
}

void TakeCertificates(std::vector<Json>& results, std::string& text) {
  for (Json& result : results) {
    Json* const certificate = result.find("certificate");
    if (certificate == nullptr) continue;
    text += certificate->text();
    *certificate = true;
  }
}

ExitCode PrintProofs(std::string_view command, const std::string& title, const Expected<std::vector<Json>>& results,
                     bool json) {
  if (!results) return Unusable(command, results.error());
  if (!json) fmt::print("{}\n", title);
  ExitCode code = ExitCode::kAccepted;
  for (const Json& result : *results) {
    if (json) {
      PrintWithNextSteps(result);
    } else {
      fmt::print("  {}\n", ProofText(result));
    }
    if (json && result.contains("disagreement")) {
      std::fflush(stdout);
      Unusable(command, result["disagreement"].text());
    }
    code = WorseExitCode(code, ProofExitCode(result));
  }
  return code;
}

Json RangesJson(const std::vector<std::string>& names, const NameRanges& ranges) {
  Json document = Json::object();
  for (const std::string& name : names) document[name] = RangeOf(name, ranges);
  return document;
}

Json ProofJson(const ProofResult& result, const std::vector<std::string>& assumptions) {
  Json document{{"layout", result.layout.empty() ? Json(nullptr) : Json(result.layout)},
                {"law", result.law},
                {"verdict", ProofVerdictName(result.verdict)},
                {"for_all", result.for_all},
                {"ranges", RangesJson(result.for_all, result.ranges)},
                {"method", result.method},
                {"seconds", result.seconds}};
  if (!assumptions.empty()) document["assume"] = assumptions;
  if (result.verdict == ProofVerdict::kRefuted) {
    Json counterexample = Json::object();
    for (const auto& [name, value] : result.counterexample) counterexample[name] = value;
    for (const auto& [side, why] : result.without_value) {
      counterexample[side] = nullptr;
      document["reason"] = fmt::format("{} has no value: {}", side, why);
    }
    document["counterexample"] = counterexample;
    if (!result.subexpression.empty()) document["subexpression"] = result.subexpression;
  }
  if (result.verdict == ProofVerdict::kUnknown) {
    document["reason"] = result.disagreement.empty() ? result.reason : result.disagreement;
  }
  if (!result.certificate.empty()) {
    document["certificate"] = result.certificate;
    document["certificate_seconds"] = result.certificate_seconds;
  }
  // No checker follows the proof: the solver's answer is the whole of it, or no certificate could be made.
  if (result.verdict == ProofVerdict::kProved && result.certificate.empty() &&
      (result.method == "z3" || result.method == "bit-vectors" || !result.no_certificate.empty())) {
    document["solver_only"] = true;
  }
  if (!result.no_certificate.empty()) document["no_certificate"] = result.no_certificate;
  if (!result.no_query.empty()) document["no_query"] = result.no_query;
  if (!result.disagreement.empty()) document["disagreement"] = result.disagreement;
  return document;
}

std::string ProofText(const Json& document) {
  const std::string& verdict = document["verdict"].text();
  std::string law = document["law"].text();
  if (document.contains("component")) law += fmt::format("[{}]", document["component"].get<size_t>());
  std::string text = fmt::format("{:<30} {}", law, verdict);
  if (document.contains("solver_only")) text += " (solver only)";
  if (document.contains("counterexample")) {
    text += ":";
    for (const auto& [name, value] : document["counterexample"].items()) {
      if (!value.is_null()) text += fmt::format(" {}={}", name, value.get<int64_t>());
    }
    if (document.contains("reason")) text += "; " + document["reason"].text();
    if (document.contains("subexpression")) {
      text += fmt::format("; {}", document["subexpression"].text());
    }
  } else if (document.contains("reason")) {
    text += ": " + document["reason"].text();
  } else {
    std::string scope = ForAllText(document["for_all"].get<std::vector<std::string>>(),
                                   document.contains("ranges") ? document["ranges"].get<NameRanges>() : NameRanges());
    if (document.contains("assume")) {
      scope += " where " + StrJoin(document["assume"].get<std::vector<std::string>>(), " and ");
    }
    const std::string bytes =
        document.contains("max_bytes") ? fmt::format(", up to {} bytes", document["max_bytes"].get<int64_t>()) : "";
    text +=
        fmt::format(" {}{} ({}, {:.3f} s)", scope, bytes, document["method"].text(), document["seconds"].get<double>());
  }
  if (document.contains("no_certificate")) {
    text += "; no certificate: " + document["no_certificate"].text();
  }
  if (document.contains("certificate") && document.contains("certified_formula")) {
    text += "; the certificate is about the formula that was read: " + document["certified_formula"].text();
  }
  if (document.contains("certificate") && document.contains("certified_claims")) {
    text += fmt::format("; the certificate is about what was read from the code: {}",
                        Counted(document["certified_claims"].get<size_t>(), "claim"));
  }
  if (document.contains("no_query")) text += "; " + document["no_query"].text();
  if (document.contains("right_while")) {
    const bool exactly = document["right_while_is_exact"].get<bool>();
    text += fmt::format("; right {}while {}", exactly ? "exactly " : "", document["right_while"].text());
  }
  if (document.contains("machine")) text += "; on the machine it " + document["machine"].text();
  return OneLine(text);
}

}  // namespace layoutcheck
