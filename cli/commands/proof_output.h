// What is known of laws and formulas, as JSON and for people.
#ifndef LAYOUTCHECK_CLI_COMMANDS_PROOF_OUTPUT_H_
#define LAYOUTCHECK_CLI_COMMANDS_PROOF_OUTPUT_H_

#include <string>

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {

// The line of `prove --json` for a result; one on which solvers disagree has "disagreement", too.
Json ProofJson(const ProofResult& result);
// "injective    proved for all M, N and every index (mixed-radix, 0.003 s)", from that line.
std::string ProofText(const Json& document);
// The exit code that it stands for.
ExitCode ProofExitCode(const Json& document);

// The code of two results together. A cross-solver disagreement is an error of the highest kind, an unknown hides
// nothing, and a refutation is no unknown.
ExitCode WorseExitCode(ExitCode a, ExitCode b);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_PROOF_OUTPUT_H_
