// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck prove-kernel FILE
#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/code_run.h"
#include "layoutcheck/cli/run/proof_arguments.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr const char* kProveKernel = "prove-kernel";

struct ProveKernelCommandLine {
  KernelRequest kernel;
  std::vector<std::string> arrays;  // "NAME=LAYOUT"
  CodeArguments arguments;
  ProofArguments proof;
};

ExitCode RunProveKernelCommand(ProveKernelCommandLine& options) {
  KernelRequest& kernel = options.kernel;
  for (const std::string& array : options.arrays) {
    const size_t equals = array.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Unusable(kProveKernel, StrCat("--array: expected NAME=LAYOUT, found '", array, "'"));
    }
    kernel.arrays.emplace_back(array.substr(0, equals), array.substr(equals + 1));
  }
  if (!ReadCodeArguments(kProveKernel, options.arguments, kernel.compiler_flags, kernel.max_bytes)) {
    return ExitCode::kUnusable;
  }
  return RunProofs(kProveKernel, options.proof, [&](CertificateFile& /*certificates*/) {
    return PrintProofs(kProveKernel, StrCat(kernel.function, "(", kernel.arguments, ")"),
                       ProveKernelJson(kernel, options.proof.prove), options.proof.json);
  });
}

}  // namespace

Command ProveKernelCommand() {
  auto options = std::make_shared<ProveKernelCommandLine>();
  KernelRequest& kernel = options->kernel;
  return {
      .name = kProveKernel,
      .description = R"(prove that a GPU kernel moves its arrays right

Laws are asked of a kernel of a CUDA, HIP or LLVM file, for all sizes and all threads: each access is inside
its array (accesses), each stored element belongs at its place (relayout), none is stored twice (distinct-
stores) and, with --grid and --block, each is stored (complete). Two more are asked of a kernel whose threads
share memory or wait for each other: they do not race (race-free), and those of a block reach the same
barriers (uniform-barriers). A kernel that is wrong for large arrays only has the condition under which it is
right, and the other laws are asked there. A refutation is run on the machine.

Sizes of layouts may be names, which stand for every integer >= 0. The exit code is 0 if all is proved, 1 if
anything is refuted, and otherwise 3; it is 2 if two solvers contradict each other.)",
      .details = R"(
.cu files are compiled by clang 19 as CUDA, .hip and .cpp files as HIP; .ll and .bc files are read as they are.
Without --grid and --block, the laws are asked for every launch that a GPU runs. No checker follows these
proofs: a verdict says `solver only`. Budgets count work, not time, so that the verdict is the same on every
machine.)",
      .example = R"(
  $ layoutcheck prove-kernel kernels.cu --function scale --args a,N --array 'a=f32[N]{0}')",
      .options = Joined(
          {{{"FILE", "a file of CUDA, HIP or LLVM", &kernel.file, kRequired},
            {"--function NAME", "the kernel in the file", &kernel.function, kRequired},
            {"--array NAME=LAYOUT",
             "an array that the kernel reads or writes: the name that --args uses, and its "
             "layout; can be repeated",
             &options->arrays, kRequired},
            {"--args LIST", "the arguments of the kernel in order: names of arrays, N (a size), 128", &kernel.arguments,
             kRequired},
            {"--grid LIST",
             "the blocks of the launch in x, y and z, as formulas of the sizes: 'N ceildiv 32, M' "
             "(default: any)",
             &kernel.grid},
            {"--block LIST", "the threads of a block in x, y and z: '32,8' (default: any)", &kernel.block},
            {"--shared BYTES", "the bytes of shared memory that the launch gives the kernel, as a formula of the sizes",
             &kernel.shared, kDetail},
            {"--values NAME=LOW:HIGH",
             "numbers in an array of indices: at least LOW, less than HIGH; none twice with ':distinct' (default: any)",
             &kernel.values},
            {"--source MAP",
             "what belongs in an output: 'out[r,n]=in[idx[r],n]' (default: the element of the same index)",
             &kernel.sources},
            LawOption(kernel.laws),
            AssumeOption(kernel.assumptions)},
           CodeOptions(options->arguments),
           ProofOptions(options->proof)}),
      .run = [options] { return RunProveKernelCommand(*options); },
      .reports_interruption = true,
      .older_spelling = "prove --kernel"};
}

}  // namespace layoutcheck
