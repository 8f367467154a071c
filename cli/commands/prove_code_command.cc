// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck prove-code FILE [LAYOUT...]
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/code_run.h"
#include "layoutcheck/cli/run/proof_arguments.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr const char* kProveCode = "prove-code";

struct ProveCodeCommandLine {
  CodeRequest code;
  std::vector<std::string> layouts;
  CodeArguments arguments;
  std::string emit;  // "formula", or empty
  ProofArguments proof;
};

// Returns the reason why the options do not fit together, or an empty text if they do.
std::string Contradiction(const ProveCodeCommandLine& options) {
  if (std::ranges::find(options.layouts, "") != options.layouts.end()) return "expected LAYOUT, found an empty text";
  const bool emits = !options.emit.empty();
  if (emits && options.code.formula) return "--emit: expected no --formula beside it";
  const std::string certifies = options.proof.CertificateOption();
  if (emits && !certifies.empty()) return certifies + ": expected no --emit beside it: a formula alone claims nothing";
  const bool is_asked = emits || options.code.formula || !options.layouts.empty();
  return is_asked ? "" : "expected LAYOUT or --formula, too: the value that is right";
}

ExitCode RunProveCodeCommand(ProveCodeCommandLine& options) {
  if (const std::string why = Contradiction(options); !why.empty()) return Unusable(kProveCode, why);
  CodeRequest& code = options.code;
  if (!ReadCodeArguments(kProveCode, options.arguments, code.compile.flags, code.max_bytes)) return ExitCode::kUnusable;
  if (options.layouts.empty()) options.layouts.emplace_back();
  return RunProofs(kProveCode, options.proof, [&](CertificateFile& certificates) {
    ExitCode exit_code = ExitCode::kAccepted;
    for (const std::string& layout : options.layouts) {
      code.layout = layout;
      if (!options.emit.empty()) {
        const auto emitted = CodeFormulaJson(code, options.proof.prove);
        exit_code = WorseExitCode(exit_code, PrintCodeFormula(emitted, options.proof.json));
        continue;
      }
      const std::string title = layout.empty() ? OneLine(*code.formula) : layout;
      const auto results = certificates.Take(ProveCodeJson(code, options.proof.prove));
      exit_code = WorseExitCode(exit_code, PrintProofs(kProveCode, title, results, options.proof.json));
    }
    return exit_code;
  });
}

}  // namespace

Command ProveCodeCommand() {
  auto options = std::make_shared<ProveCodeCommandLine>();
  CodeRequest& code = options->code;
  return {.name = kProveCode,
          .description = R"(prove that a compiled function computes a layout's index

The function of a C, C++, CUDA or LLVM file, as it is compiled, returns the linear index of LAYOUT, or the value
of --formula: with the machine's integers and without undefined behavior, for all arrays of at most --max-bytes.
A refutation has the smallest values that were found, and is run on the machine. Where code overflows for large
arrays only, the verdict has the condition under which it is right.

A dimension of LAYOUT may be a name, which stands for every integer >= 0. The exit code is 0 if all is proved, 1
if anything is refuted, and otherwise 3; it is 2 if two solvers, or the prover and the machine, contradict each
other.)",
          .details = R"(
A parameter that is no size of LAYOUT and no index ranges over its type, below 0, too. --formula is written as
in `prove --formula`. With --certificate, the claim is about the formula that was read from the function.
Budgets count work, not time, so that the verdict is the same on every machine.

.c, .cc, .cpp and .cu files are compiled by clang 19; .ll and .bc files are read as they are.)",
          .example = R"(
  $ layoutcheck prove-code tiles.c 'f32[M,N]{1,0:T(8,128)}' --function tile_8x128 --args i0,i1,N
  $ layoutcheck prove-code tiles.c --function align_down --args base --formula 'base - base mod 32'
  $ layoutcheck prove-code tiles.c --function tile_8x128 --args i0,i1,N --emit formula)",
          .options = Joined(
              {{{"FILE", "a file of C, C++, CUDA or LLVM", &code.file, kRequired},
                {"LAYOUT", "an XLA, fractal or shape:stride layout, whose sizes may be names", &options->layouts},
                {"--function NAME", "the function in the file", &code.function, kRequired},
                {"--args LIST",
                 "its arguments in order: i0 (an index), N (a size), 128, [A,B] (a pointer to "
                 "integers), {M,1} (a struct), _ (any value)",
                 &code.arguments, kRequired},
                {"--result TEXT",
                 "the result is this element of the memory that the argument of this name points to: "
                 "out[0]",
                 &code.result},
                {"--formula TEXT", "prove that the result is the value of this formula", &code.formula},
                AssumeOption(code.assumptions),
                {"--signed NAME",
                 "the type of this name is signed, where the code does not say so; can be "
                 "repeated",
                 &code.signed_names, kDetail}},
               CodeOptions(options->arguments),
               {{"--emit formula",
                 "print the formula that the function computes, instead of a "
                 "proof",
                 &options->emit, kOneOf}},
               ProofOptions(options->proof)}),
          .run = [options] { return RunProveCodeCommand(*options); },
          .reports_interruption = true,
          .older_spelling = "prove --code"};
}

}  // namespace layoutcheck
