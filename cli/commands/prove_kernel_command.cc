// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck prove-kernel FILE
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/parse_arguments.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/code_run.h"
#include "layoutcheck/cli/run/proof_arguments.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/asked_laws.h"

namespace layoutcheck {
namespace {

constexpr const char* kProveKernel = "prove-kernel";

struct KernelArguments {
  KernelRequest kernel;
  std::vector<std::string> arrays;  // "NAME=LAYOUT"
  std::vector<std::string> then;    // arguments about the next kernel
};

struct ProveKernelCommandLine {
  KernelArguments first;
  CodeArguments arguments;
  ProofArguments proof;
};

// Returns the options about one kernel.
std::vector<Option> KernelOptions(KernelArguments& asked) {
  KernelRequest& kernel = asked.kernel;
  return {
      {"FILE", "a file of CUDA, HIP or LLVM, or TTIR of Triton", &kernel.file, kRequired},
      {"--function NAME", "the kernel in the file", &kernel.function, kRequired},
      {"--array NAME=LAYOUT",
       "an array that the kernel reads or writes: the name that --args uses, and its "
       "layout; can be repeated",
       &asked.arrays, kRequired},
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
      {"--source MAP", "what belongs in an output: 'out[r,n]=in[idx[r],n]' (default: the element of the same index)",
       &kernel.sources},
      {"--thread LIST",
       "the thread that stores element (i0,i1,...), where it is not found: 'block_x = i0, thread_x = i1 % 32'",
       &kernel.thread, kDetail},
      {"--then FILE...",
       "ask about a kernel of this file, too, which runs behind this one; its options follow: --function, --array, "
       "--args, --grid, --block, --shared, --values, --source, --thread, --assume and --then. An array of one name is "
       "the same memory",
       &asked.then, kDetail | kRest},
      AssumeOption(kernel.assumptions)};
}

// Returns the request, or nothing after a message.
std::optional<KernelRequest> ReadRequest(KernelArguments& asked) {
  for (const std::string& array : asked.arrays) {
    const size_t equals = array.find('=');
    if (equals == 0 || equals == std::string::npos) {
      Unusable(kProveKernel, StrCat("--array: expected NAME=LAYOUT, found '", array, "'"));
      return std::nullopt;
    }
    asked.kernel.arrays.emplace_back(array.substr(0, equals), array.substr(equals + 1));
  }
  return asked.kernel;
}

// Returns the request and those about the kernels behind it, or nothing after a message. `json` is set if an argument
// about one of these asks for it.
std::optional<std::vector<KernelRequest>> ReadRequests(KernelArguments& first, bool& json) {
  auto request = ReadRequest(first);
  if (!request) return std::nullopt;
  std::vector<KernelRequest> requests{*std::move(request)};
  if (first.then.empty()) return requests;
  KernelArguments next;
  Command command{.name = kProveKernel, .options = KernelOptions(next)};
  command.options.push_back({"--json", "", &json});
  std::vector<const char*> arguments{"", kProveKernel};
  for (const std::string& argument : first.then) arguments.push_back(argument.c_str());
  if (!ParseArguments({.commands = {command}}, static_cast<int>(arguments.size()), arguments.data())) {
    return std::nullopt;
  }
  // Assumptions hold for the kernels behind, too; laws, flags of the compiler and the limit of bytes are one per run.
  next.kernel.assumptions.insert(next.kernel.assumptions.begin(), requests[0].assumptions.begin(),
                                 requests[0].assumptions.end());
  next.kernel.laws = requests[0].laws;
  next.kernel.compiler_flags = requests[0].compiler_flags;
  next.kernel.max_bytes = requests[0].max_bytes;
  auto behind = ReadRequests(next, json);
  if (!behind) return std::nullopt;
  requests.insert(requests.end(), behind->begin(), behind->end());
  return requests;
}

// Returns "pack(in, tiles, N)", or "unpack(tiles, out, N), after pack".
std::string TitleOf(const std::vector<KernelRequest>& requests, size_t kernel) {
  std::vector<std::string> before;
  for (size_t k = 0; k < kernel; ++k) before.push_back(requests[k].function);
  return StrCat(requests[kernel].function, "(", requests[kernel].arguments, ")", before.empty() ? "" : ", after ",
                StrJoin(before, " and "));
}

ExitCode RunProveKernelCommand(ProveKernelCommandLine& options) {
  KernelRequest& kernel = options.first.kernel;
  if (!ReadCodeArguments(kProveKernel, options.arguments, kernel.compiler_flags, kernel.max_bytes)) {
    return ExitCode::kUnusable;
  }
  auto requests = ReadRequests(options.first, options.proof.json);
  if (!requests) return ExitCode::kUnusable;
  for (KernelRequest& request : *requests) request.asks_each_access = options.proof.json;
  return RunProofs(kProveKernel, options.proof, [&](CertificateFile& certificates) {
    auto proofs = ProveKernelsJson(*requests, options.proof.prove);
    if (!proofs) return Unusable(kProveKernel, proofs.error());
    ExitCode code = ExitCode::kAccepted;
    for (size_t k = 0; k < proofs->size(); ++k) {
      const auto results = certificates.Take(std::move((*proofs)[k]));
      code = WorseExitCode(code, PrintProofs(kProveKernel, TitleOf(*requests, k), results, options.proof.json));
    }
    return code;
  });
}

}  // namespace

Command ProveKernelCommand() {
  auto options = std::make_shared<ProveKernelCommandLine>();
  return {.name = kProveKernel,
          .description = R"(prove that a GPU kernel moves its arrays right

Laws are asked of a kernel of a CUDA, HIP, Triton or LLVM file, for all sizes and all threads: each access is inside
its array (accesses), each stored element belongs at its place (relayout), none is stored twice
(distinct-stores) and, with --grid and --block, each is stored (complete). Two more are asked of a kernel
whose threads share memory or wait for each other: they do not race (race-free), and those of a block reach
the same barriers (uniform-barriers). A kernel that is wrong for large arrays only has the condition under
which it is right, and the other laws are asked there. A refutation is run on the machine.

Sizes of layouts may be names, which stand for every integer >= 0. The exit code is 0 if all is proved, 1 if
anything is refuted, and otherwise 3; it is 2 if two solvers contradict each other.)",
          .details = R"(
.cu files are compiled by clang 19 as CUDA, .hip and .cpp files as HIP; .ll and .bc files are read as they are, and
.ttir files are Triton's: their threads are the elements of tensors, so that --block is not given. The strides of an
array, in elements, stand behind its layout: f32[M,N]{1,0}:(stride,1).
Without --grid and --block, the laws are asked for every launch that a GPU runs. With --certificate, the claims
are the conditions that were read from the code; without it, a verdict says `solver only`. The law no-overflow, that
no address wraps, is asked only by --law. bank-conflicts is advice about kernels with shared memory: it names
accesses for which a warp takes more passes than it needs, and does not change the exit code. Budgets count work, not
time, so that the verdict is the same on every machine.)",
          .example = R"(
  $ layoutcheck prove-kernel kernels.cu --function scale --args a,N --array 'a=f32[N]{0}')",
          .options = Joined({KernelOptions(options->first),
                             {LawOption(options->first.kernel.laws, {kLaws.begin(), kLaws.end()})},
                             CodeOptions(options->arguments),
                             ProofOptions(options->proof)}),
          .run = [options] { return RunProveKernelCommand(*options); },
          .reports_interruption = true,
          .older_spelling = "prove --kernel"};
}

}  // namespace layoutcheck
