// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck verify FILE...
#include <fmt/format.h>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck {
namespace {

struct VerifyCommandLine {
  std::vector<std::string> files;
  bool json = false;
};

Json ToJson(const std::string& file, const verify::Verdict& verdict, const std::string& why_stale) {
  Json document{{"file", file},
                {"claim", verdict.claim},
                {"law", verdict.law},
                {"verdict", !verdict.proved     ? "refused"
                            : why_stale.empty() ? "proved"
                                                : "stale"},
                {"for_all", verdict.for_all},
                {"ranges", RangesJson(verdict.for_all, verdict.ranges)},
                {"steps", verdict.steps},
                {"line", verdict.line}};
  if (!verdict.assumptions.empty()) document["assume"] = verdict.assumptions;
  if (!verdict.integer.empty()) document["integer"] = verdict.integer;
  if (!verdict.proved) {
    document["reason"] = verdict.reason;
  } else if (!why_stale.empty()) {
    document["reason"] = why_stale;
  }
  return document;
}

std::string ToText(const verify::Verdict& verdict, const std::string& why_stale) {
  std::string text = fmt::format("{:<30} ", verdict.law);
  if (!verdict.proved) {
    text += fmt::format("refused: line {}: {}", verdict.line, verdict.reason);
  } else if (!why_stale.empty()) {
    text += "stale: " + why_stale;
  } else {
    text += "proved " + ForAllText(verdict.for_all, verdict.ranges);
    if (!verdict.assumptions.empty()) text += " where " + StrJoin(verdict.assumptions, " and ");
    if (!verdict.integer.empty()) text += " in " + verdict.integer;
    text += fmt::format(" (certificate, {})", Counted(verdict.steps, "step"));
  }
  return OneLine(text);
}

ExitCode VerifyFile(const std::string& file, bool json) {
  const Expected<std::string> content = ReadContent(file);
  if (!content) return Unusable("verify", content.error());
  const auto verdicts = verify::VerifyCertificates(*content);
  if (!verdicts) return Unusable("verify", file, verdicts.error());
  ExitCode code = ExitCode::kAccepted;
  const std::string* title = nullptr;  // of the results above
  const std::vector<std::string_view> certificates = SplitCertificates(*content);
  const std::string folder = std::filesystem::path(file).parent_path().string();
  for (size_t k = 0; k < verdicts->size(); ++k) {
    const verify::Verdict& verdict = (*verdicts)[k];
    const std::string why_stale = k < certificates.size() ? WhyStale(certificates[k], folder) : "";
    if (!verdict.proved || !why_stale.empty()) code = ExitCode::kRejected;
    if (json) {
      PrintJson(ToJson(file, verdict, why_stale));
      continue;
    }
    if (title == nullptr || *title != verdict.subject) PrintText(OneLine(verdict.subject) + "\n");
    title = &verdict.subject;
    PrintText(StrCat("  ", ToText(verdict, why_stale), "\n"));
  }
  return code;
}

ExitCode RunVerifyCommand(const VerifyCommandLine& options) {
  ExitCode code = ExitCode::kAccepted;
  for (const std::string& file : options.files) code = WorseExitCode(code, VerifyFile(file, options.json));
  return code;
}

}  // namespace

Command VerifyCommand() {
  auto options = std::make_shared<VerifyCommandLine>();
  return {.name = "verify",
          .description = R"(check certificates of proofs, independently of the prover

Reads the claim of each certificate, states it, and follows the steps from its hypotheses to its goals. The
checker shares no code with the prover, and asks no solver. A certificate about code names its file; if that is
there and has changed since, the verdict is `stale`. The exit code is 1 if a certificate does not prove its claim
or is stale, and 2 if a file is no certificate.)",
          .example = R"(
  $ layoutcheck verify tile.cert)",
          .options =
              {{"FILE", "a file that `prove --certificate FILE` wrote", &options->files, kRequired},
               {"--json",
                "print one JSON line per certificate: file, claim, law, verdict, for_all, ranges, steps, line, reason",
                &options->json}},
          .run = [options] { return RunVerifyCommand(*options); }};
}

}  // namespace layoutcheck
