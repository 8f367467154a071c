// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/proof_arguments.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/run/guarded_child.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/z3_solver.h"

namespace layoutcheck {
namespace {

Option RlimitOption(uint64_t& rlimit) {
  Option option{"--rlimit N", "Z3's budget per law or formula, in its units of work", &rlimit, kDetail};
  option.check = [](const std::string& text) {
    const bool positive =
        text.find_first_not_of("0123456789") == std::string::npos && text.find_first_not_of('0') != std::string::npos;
    return positive ? std::string() : StrCat("expected a number of units, at least 1, got '", text, "'");
  };
  return option;
}

}  // namespace

Option AssumeOption(std::vector<std::string>& assumptions) {
  return {"--assume TEXT", "prove only where this condition holds, such as 'N % 128 == 0'; can be repeated",
          &assumptions};
}

Option LawOption(std::vector<std::string>& laws, std::vector<std::string_view> names) {
  Option option{"--law NAME", "prove only this law; can be repeated (default: all)", &laws};
  option.names = [names = std::move(names)] { return NamesOf(names, std::identity()); };
  return option;
}

std::vector<Option> ProofOptions(ProofArguments& arguments) {
  ExportOptions& exports = arguments.prove.exports;
  return {
      RlimitOption(arguments.prove.rlimit),
      {"--emit-smt2 DIR", "write each query as SMT-LIB 2 into this directory", &exports.emit_directory, kDetail},
      {"--second-solver COMMAND", "check each query again with this program, which reads SMT-LIB 2 from standard input",
       &exports.second_solver, kDetail},
      {"--certificate FILE", "write the steps of each proof, for verify; FILE.v for Coq", &arguments.certificate},
      {"--link", "print an address at which the page checks these steps", &arguments.link},
      {"--coq COMMAND",
       "have the file of --certificate FILE.v checked by this command, such as 'coqc -Q proofs "
       "Layoutcheck'",
       &arguments.coq, kDetail},
      {"--json", "print one JSON line per law", &arguments.json}};
}

ExitCode RunProofs(std::string_view command, ProofArguments& arguments,
                   const std::function<ExitCode(CertificateFile& certificates)>& run) {
  return RunWithinMemoryLimit(command, [&] {
    // Z3 ends its queries when the run is interrupted, and the run has a second to print what it has.
    const StopSignals signals({.on_stop = InterruptSolvers,
                               .patience = kTimeToReport,
                               .command = std::string(command),
                               .ends_without_reader = true});
    if (!arguments.coq.empty() && !arguments.certificate.ends_with(".v")) {
      return Unusable(command, "--coq: expected --certificate FILE.v, too");
    }
    if (arguments.link && arguments.certificate.ends_with(".v")) {
      return Unusable(command, "--link: expected a --certificate that is not for Coq, or none");
    }
    CertificateFile certificates(std::string(command), arguments.certificate, arguments.coq, arguments.link);
    if (const auto writable = certificates.CheckWritable(); !writable) {
      return Unusable(command, "--certificate", writable.error());
    }
    arguments.prove.certificates = !arguments.CertificateOption().empty();
    try {
      return certificates.Write(run(certificates), arguments.json);
    } catch (const SolverStopped&) {
      return certificates.Write(ProofsInterrupted(command), arguments.json);
    }
  });
}

ExitCode ProofsInterrupted(std::string_view command) {
  PrintDiagnostic(command, "warning: the run was interrupted before everything was proved");
  return ExitCode::kUndecided;
}

}  // namespace layoutcheck
