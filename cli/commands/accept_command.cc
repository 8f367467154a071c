// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck accept FINDING...
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/run/findings_file.h"
#include "layoutcheck/properties/run/known_differences.h"

namespace layoutcheck {
namespace {

constexpr const char* kAccept = "accept";

struct AcceptCommandLine {
  std::vector<std::string> findings;
  std::string reason;
  std::string version;
  std::string reference;
  std::string known = "known.jsonl";
  bool json = false;  // lines are JSON anyway
};

// Returns a regular expression that matches this text alone.
std::string Exactly(std::string_view text) {
  std::string expression;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}/").contains(c)) expression += '\\';
    expression += c;
  }
  return expression;
}

Json LineOf(const SavedFinding& saved, const AcceptCommandLine& options) {
  const Finding& finding = saved.finding;
  Json line{{"law", finding.law}};
  if (!finding.layout.empty()) line["layout"] = finding.layout;
  if (finding.text) line["text"] = Exactly(*finding.text);
  line["actual"] = Exactly(finding.actual);
  line["reason"] = options.reason;
  line["version"] = options.version.empty() ? finding.subject : options.version;
  line["reference"] = !options.reference.empty() ? options.reference
                      : saved.path.empty()       ? "a finding that was given as text"
                                                 : StrCat(saved.path, ":", saved.line);
  return line;
}

bool IsAccepted(KnownDifferences& known, const Finding& finding) {
  const Difference difference = DifferenceOf(finding);
  return known.MatchesClass(difference, /*count=*/false) || known.MatchLayout(difference) != nullptr;
}

// Returns the lines to be added for findings that the content does not accept yet. Errors: content that is no list of
// known differences; a finding that no line can accept.
Expected<std::string> NewLines(const std::vector<SavedFinding>& findings, std::string content,
                               const AcceptCommandLine& options) {
  LAYOUTCHECK_TRY(KnownDifferences known, KnownDifferences::Parse(content, options.known));
  std::string lines;
  for (const SavedFinding& saved : findings) {
    if (IsAccepted(known, saved.finding)) continue;
    const std::string line = LineOf(saved, options).Dump() + "\n";
    content += line;
    LAYOUTCHECK_TRY(known, KnownDifferences::Parse(content, options.known));
    if (!IsAccepted(known, saved.finding)) {
      return UnsupportedError("no line accepts this finding alone: ", saved.finding.Key());
    }
    lines += line;
  }
  return lines;
}

ExitCode RunAcceptCommand(const AcceptCommandLine& options) {
  std::vector<SavedFinding> findings;
  for (const std::string& argument : options.findings) {
    auto read = ReadFindings(argument);
    if (!read) return Unusable(kAccept, argument, read.error());
    findings.insert(findings.end(), read->begin(), read->end());
  }
  std::string content;
  if (std::filesystem::exists(options.known)) {
    auto read = ReadContent(options.known);
    if (!read) return Unusable(kAccept, "--known", read.error());
    content = *std::move(read);
    if (!content.empty() && content.back() != '\n') content += '\n';
  }
  const auto lines = NewLines(findings, content, options);
  if (!lines) return Unusable(kAccept, options.known, lines.error());
  if (auto written = WriteFile(options.known, content + *lines); !written) {
    return Unusable(kAccept, "--known", written.error());
  }
  PrintText(*lines);
  return ExitCode::kAccepted;
}

}  // namespace

Command AcceptCommand() {
  auto options = std::make_shared<AcceptCommandLine>();
  return {.name = kAccept,
          .description = R"(accept saved findings as known differences

Adds a line per finding to the file of --known, unless one there accepts it already, and prints the lines added.
`check` and `fuzz` take the file as --known. A line accepts this layout or text with this answer of the subject, and
nothing else; docs/findings.md says how to accept a class of failures.)",
          .example = R"(
  $ layoutcheck accept layoutcheck-out/mine/findings.jsonl:1 --reason 'tiles are rounded down'
  $ layoutcheck check --subject exec:./mine --known known.jsonl)",
          .options = {{"FINDING", "FILE (all lines), FILE:N (line N, from 1), a folder, or the JSON text of a finding",
                       &options->findings, kRequired},
                      {"--reason TEXT", "why the difference is accepted", &options->reason, kRequired},
                      {"--of TEXT", "the version of the implementation that differs (default: the subject)",
                       &options->version},
                      {"--reference TEXT", "where that is written (default: the place of the finding)",
                       &options->reference},
                      {"--known FILE", "the file of known differences (default: known.jsonl)", &options->known},
                      {"--json", "print errors as JSON, too; the lines always are", &options->json}},
          .run = [options] { return RunAcceptCommand(*options); }};
}

}  // namespace layoutcheck
