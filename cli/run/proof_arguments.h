// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that all commands that prove share, and the beginning and end of their work.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

struct ProofArguments {
  std::string certificate;  // file for the certificates of what is proved
  std::string coq;          // command that checks that file
  bool link = false;        // print the address at which the page checks the certificates
  ProveOptions prove;
  bool json = false;

  // Returns the option that asks for certificates, "--certificate" or "--link", or an empty text.
  std::string CertificateOption() const { return !certificate.empty() ? "--certificate" : link ? "--link" : ""; }
};

Option AssumeOption(std::vector<std::string>& assumptions);
// Returns --law of a command that asks laws of these names.
Option LawOption(std::vector<std::string>& laws, std::vector<std::string_view> names);
// Returns the options about solvers, certificates and output.
std::vector<Option> ProofOptions(ProofArguments& arguments);

// Returns run(certificates), the work of the command `command`, within a limit of memory and until it is interrupted,
// and writes the certificates. Refuses a file of certificates that cannot be written before.
ExitCode RunProofs(std::string_view command, ProofArguments& arguments,
                   const std::function<ExitCode(CertificateFile& certificates)>& run);
// Says that the run was interrupted. Returns the exit code of what was left out.
ExitCode ProofsInterrupted(std::string_view command);

}  // namespace layoutcheck
