// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module layoutcheck._kernels: questions about GPU kernels as texts, answers as dicts. It is apart from _prover
// because it needs LLVM 19.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "errors.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include "proof_dict.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

nb::dict KernelProofDict(const KernelProof& proof) {
  nb::dict dict = ProofDict(proof.result);
  if (!proof.not_asked.empty()) dict["verdict"] = "not asked";
  dict["where"] = nb::cast(proof.where);
  dict["right_while"] = proof.right_while;
  dict["right_while_is_exact"] = proof.is_border_exact;
  return dict;
}

nb::list ProveKernelFile(const std::string& file, const std::string& function, const NamedTexts& arrays,
                         const std::string& arguments, const std::string& grid,
                         const std::vector<std::string>& assumptions, const std::vector<std::string>& values,
                         const std::vector<std::string>& sources, const std::vector<std::string>& laws,
                         std::optional<int64_t> max_bytes, std::optional<uint64_t> rlimit,
                         const std::optional<std::function<void(nb::dict)>>& done) {
  const auto proofs = [&] {
    const nb::gil_scoped_release release;
    KernelRequest request{.file = file, .function = function, .arrays = arrays, .arguments = arguments, .grid = grid};
    request.values = values;
    request.sources = sources;
    request.assumptions = assumptions;
    request.max_bytes = max_bytes;
    request.laws = laws;
    ProveOptions options;
    if (rlimit) options.rlimit = *rlimit;
    const auto read = [&](const KernelProof& proof) {
      const nb::gil_scoped_acquire acquire;
      (*done)(KernelProofDict(proof));
    };
    return ProveKernel(request, options, done ? KernelProofReader(read) : nullptr);
  }();
  nb::list list;
  for (const KernelProof& proof : ValueOrRaise(proofs)) list.append(KernelProofDict(proof));
  return list;
}

}  // namespace
}  // namespace layoutcheck::python

NB_MODULE(_kernels, module) {
  module.doc() = "Proofs about GPU kernels, which layoutcheck.triton calls.";
  module.def(
      "prove", &layoutcheck::python::ProveKernelFile, "file"_a, "function"_a, "arrays"_a, "arguments"_a, "grid"_a,
      "assumptions"_a, "values"_a, "sources"_a, "laws"_a, "max_bytes"_a.none() = nb::none(),
      "rlimit"_a.none() = nb::none(), "done"_a.none() = nb::none(),
      "Proves or refutes the laws of a kernel in a file, as `layoutcheck prove-kernel` does. Returns a list of "
      "dicts, and calls `done` with each as soon as it is known. Raises LayoutError for a question that cannot be "
      "asked.");
}
