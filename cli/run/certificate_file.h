// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of --certificate, and the address of --link.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Returns the certificates of a text of complete ones, one after another, each with its last line.
std::vector<std::string_view> SplitCertificates(std::string_view text);

// Returns certificates in which each line that begins with "source FILE: " ends with the hash of that file, if it can
// be read: WhyStale notices a later change.
std::string WithSourceHash(std::string_view certificates, const std::string& file);
// Returns why a certificate is stale: the file from which its claim was read has changed since.
// Looks for the file from the current directory and from `folder`, that of the certificate. Returns an empty text if it
// has not changed, is not found, or the certificate names none.
std::string WhyStale(std::string_view certificate, const std::string& folder);

// Collects the certificates of a run, and writes them: as text for checkers, or as theorems for Coq if the file is
// named FILE.v.
class CertificateFile {
 public:
  // No file is written if `path` is empty. `coq` is the command that checks the theorems, if there is one, and its file
  // is FILE.v then. With `has_link`, which a file for Coq excludes, Write prints the address at which the page checks
  // the certificates. `command` is the one in messages.
  CertificateFile(std::string command, std::string path, std::string coq, bool has_link = false);

  // Returns an error (unavailable) if the file cannot be written, so that nobody waits for proofs whose certificates
  // are lost. Leaves the file as it is.
  Expected<void> CheckWritable() const;
  // Keeps the certificates of the results for Write, and returns the results with `true` in their place. A verdict that
  // has no theorem, or whose certificate the checker refuses, gets the reason as "no_certificate".
  Expected<std::vector<Json>> Take(Expected<std::vector<Json>> results);
  // Writes the file, has it checked and prints that and the address, as JSON if `json`. Returns the code of the run,
  // which would end with `code`. Where there is no certificate, there is no file and no address: a file of that name is
  // removed, unless the question itself was unusable.
  ExitCode Write(ExitCode code, bool json) const;

 private:
  void TakeTheorems(std::vector<Json>& results);
  ExitCode CheckWithCoq(ExitCode code, bool json) const;
  void PrintLink(bool json) const;

  std::string command_;
  std::string path_;
  std::string coq_;
  bool is_for_coq_;
  bool has_link_;
  size_t theorems_ = 0;
  std::string text_;
};

}  // namespace layoutcheck
