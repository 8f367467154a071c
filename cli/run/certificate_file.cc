// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/certificate_file.h"
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/run/certificate_link.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/sha256.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/verify/coq/coq_file.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck {
namespace {

// The line of a certificate that names the code, and what stands before the hash of its file.
constexpr std::string_view kSource = "source ";
constexpr std::string_view kSourceHash = " sha256 ";

constexpr RunLimits kCoqLimits{.silence = std::chrono::minutes(30), .output = size_t{1} << 24};

// Replaces certificates that the checker refuses, such as one with numbers that are too large for it, by its reason.
void DropRefused(std::vector<Json>& results) {
  for (Json& result : results) {
    const Json* const certificate = result.find("certificate");
    if (certificate == nullptr) continue;
    const auto checked = verify::VerifyCertificates(certificate->text());
    const auto verdicts = checked ? *checked : std::vector<verify::Verdict>(1);
    const auto refused = std::ranges::find(verdicts, false, &verify::Verdict::proved);
    if (refused == verdicts.end()) continue;
    result.erase("certificate");
    result["no_certificate"] = StrCat("layoutcheck verify refuses it: ", refused->reason);
    result["solver_only"] = true;
  }
}

// Returns how many theorems rest on no axiom, by the answers to Print Assumptions.
size_t CountClosed(const std::string& output) {
  std::istringstream lines(output);
  size_t count = 0;
  for (std::string line; std::getline(lines, line);) count += line == "Closed under the global context" ? 1U : 0U;
  return count;
}

}  // namespace

std::string WithSourceHash(std::string_view certificates, const std::string& file) {
  const auto content = ReadContent(file);
  if (!content) return std::string(certificates);
  const std::string begin = StrCat(kSource, file, ": ");
  const std::string hash = StrCat(kSourceHash, Sha256Digits(*content));
  std::string text;
  while (!certificates.empty()) {
    const std::string_view line = certificates.substr(0, certificates.find('\n'));
    certificates.remove_prefix(std::min(certificates.size(), line.size() + 1));
    StrAppend(text, line, line.starts_with(begin) ? hash : "", "\n");
  }
  return text;
}

std::string WhyStale(std::string_view certificate, const std::string& folder) {
  const size_t found = certificate.find(StrCat("\n", kSource));
  if (found == std::string_view::npos) return "";
  std::string_view line = certificate.substr(found + 1 + kSource.size());
  line = line.substr(0, line.find('\n'));
  const size_t hash = line.rfind(kSourceHash);
  const size_t name = line.find(": ");
  if (hash == std::string_view::npos || name > hash) return "";
  const std::string_view digits = line.substr(hash + kSourceHash.size());
  const std::string file(line.substr(0, name));
  for (const std::filesystem::path& path : {std::filesystem::path(file), std::filesystem::path(folder) / file}) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) continue;
    const auto content = ReadContent(path.string());
    if (!content || Sha256Digits(*content) == digits) return "";
    return StrCat(file, " has changed since ", line.substr(name + 2, hash - name - 2),
                  " was read: ask prove-code or prove-kernel again");
  }
  return "";
}

std::vector<std::string_view> SplitCertificates(std::string_view text) {
  constexpr std::string_view kBetween = "\nend\n";
  std::vector<std::string_view> certificates;
  while (!text.empty()) {
    const size_t found = text.find(kBetween);
    const size_t end = found == std::string_view::npos ? text.size() : found + kBetween.size();
    certificates.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return certificates;
}

CertificateFile::CertificateFile(std::string command, std::string path, std::string coq, bool has_link)
    : command_(std::move(command)),
      path_(std::move(path)),
      coq_(std::move(coq)),
      is_for_coq_(path_.ends_with(".v")),
      has_link_(has_link) {}

Expected<std::vector<Json>> CertificateFile::Take(Expected<std::vector<Json>> results) {
  if (!results) return results;
  if (is_for_coq_) {
    TakeTheorems(*results);
  } else {
    DropRefused(*results);
  }
  TakeCertificates(*results, text_);
  return results;
}

void CertificateFile::TakeTheorems(std::vector<Json>& results) {
  for (Json& result : results) {
    Json* const certificate = result.find("certificate");
    if (certificate == nullptr) continue;
    std::string theorems;
    std::string why_none;
    size_t number = theorems_;
    for (const std::string_view text : SplitCertificates(certificate->text())) {
      const auto theorem = verify::CoqTheorem(text, ++number);
      if (!theorem) why_none = theorem.error();
      if (!theorem) break;
      theorems += *theorem;
    }
    if (why_none.empty()) {
      *certificate = theorems;
      theorems_ = number;
    } else {
      result.erase("certificate");
      result["no_certificate"] = why_none;
    }
  }
}

Expected<void> CertificateFile::CheckWritable() const {
  if (path_.empty()) return {};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path_, error);
  if (std::filesystem::is_other(status)) return {};  // opening a pipe would wait for its reader
  const bool is_new = !std::filesystem::exists(status);
  std::FILE* const file = std::fopen(path_.c_str(), "ab");
  if (file == nullptr) {
    return MakeError(ErrorKind::kUnavailable, StrCat("cannot write ", path_, ": ", std::strerror(errno)));
  }
  std::fclose(file);
  if (is_new) std::filesystem::remove(path_, error);
  return {};
}

ExitCode CertificateFile::Write(ExitCode code, bool json) const {
  if (path_.empty() && !has_link_) return code;
  if (text_.empty() && code == ExitCode::kUnusable) return code;
  if (text_.empty() && path_.empty()) {
    PrintDiagnostic(command_, "nothing has a certificate, so there is no link");
    return code;
  }
  if (text_.empty()) {
    // An old file would be taken for that of this run.
    std::error_code error;
    if (std::filesystem::is_regular_file(path_, error)) std::filesystem::remove(path_, error);
    std::fflush(stdout);
    fmt::print(stderr, "layoutcheck {}: nothing has a certificate, so there is no file '{}'\n", command_,
               OneLine(path_));
    return code;
  }
  if (!path_.empty()) {
    if (const auto written = WriteFile(path_, text_); !written) {
      return Unusable(command_, "--certificate", written.error());
    }
  }
  if (has_link_) PrintLink(json);
  return coq_.empty() || theorems_ == 0 ? code : CheckWithCoq(code, json);
}

void CertificateFile::PrintLink(bool json) const {
  const std::string page = PageAddress();
  const std::string link = CertificateLink(page, text_);
  const bool fits = link.size() <= kMaxLinkSize;
  if (json) {
    PrintJson({{"link", fits ? Json(link) : Json(nullptr)}, {"page", page}, {"certificate_bytes", text_.size()}});
  } else if (fits) {
    PrintText(link + "\n");
  }
  if (fits) return;
  const std::string file =
      path_.empty() ? std::string("write them with --certificate FILE, and drop that file") : "drop " + OneLine(path_);
  PrintDiagnostic(command_, StrCat("the certificates, ", text_.size(), " bytes, do not fit into an address of ",
                                   kMaxLinkSize, " characters: ", file, " on the page ", page));
}

ExitCode CertificateFile::CheckWithCoq(ExitCode code, bool json) const {
  std::istringstream words(coq_);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  if (arguments.empty()) return Unusable(command_, "--coq: expected a command, such as 'coqc -Q proofs Layoutcheck'");
  arguments.push_back(path_);
  std::fflush(stdout);
  const auto result = RunProgram(arguments, "", ErrorStream::kWithOutput, kCoqLimits);
  if (!result) {
    return Unusable(command_, StrCat("--coq: '", arguments[0], "' cannot be started: ", result.error().message));
  }
  const size_t closed = CountClosed(result->out);
  if (result->exit_code != 0 || closed != theorems_) {
    return Unusable(command_, StrCat("--coq: ", closed, " of ", theorems_, " theorems in ", path_, " are accepted; '",
                                     coq_, "' says: ", result->out));
  }
  if (json) {
    PrintJson({{"file", path_}, {"theorems", theorems_}, {"checked_by", "Coq"}});
  } else {
    fmt::print("{}: {}, checked by Coq\n", path_, Counted(theorems_, "theorem"));
  }
  return code;
}

}  // namespace layoutcheck
