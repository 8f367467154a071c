// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/factory/subject_factory.h"
#include <functional>
#include <utility>
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/shell_word.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/subjects/factory/adapters.h"
#include "layoutcheck/subjects/transport/exec_subject.h"
#include "layoutcheck/subjects/transport/library_subject.h"

namespace layoutcheck {
namespace {

using Created = std::variant<std::unique_ptr<Subject>, Error, Failed>;

constexpr Checkout kCatlass = {"CATLASS_HOME", "include/tla/layout.hpp", "CATLASS"};
constexpr std::string_view kCatlassScript = "subjects/catlass/catlass_subject.py";
// Without a checkout, CuTe is the one in the Python package nvidia-cutlass.
constexpr Checkout kCute = {"CUTLASS_HOME", "include/cute/layout.hpp", "CUTLASS"};
constexpr Checkout kPycute = {"CUTLASS_HOME", "python/pycute/layout.py", "CUTLASS"};

// Returns the command of an adapter of DTensor with these arguments.
Expected<std::string> DTensorAdapter(std::string_view script, std::string_view arguments = "") {
  const auto command = PythonAdapter(script, "torch");
  if (command) return StrCat(*command, arguments);
  return MakeError(command.error().kind,
                   "it needs the Python package torch in .venv; subjects/dtensor/README.md says how to install it");
}

constexpr BuiltInSubject kBuiltIn[] = {
    {"reference", "", "the reference core itself: closed formula, mixed-radix digits, parser and printer", nullptr},
    {"xla", "", "XLA's HLO parser and printer and the strides of its literals, through jaxlib",
     [] { return PythonAdapter("subjects/xla/xla_subject.py", "jaxlib"); }},
    {"pycute", "cute", "CuTe's Python reference: index functions and the algebra of shape:stride layouts",
     [] { return PythonAdapter("subjects/pycute/pycute_subject.py", "pycute", kPycute); }},
    {"numpy-strides", "", "NumPy's strides, assignment and bounds for layouts without tiles",
     [] { return PythonAdapter("subjects/numpy_strides/numpy_subject.py", "numpy"); }},
    {"pytorch", "", "PyTorch's strides, memory formats, assignment and storage for layouts without tiles",
     [] {
       return SystemAdapter("subjects/pytorch/pytorch_subject.py", "/usr/lib/python3/dist-packages/torch",
                            "python3-torch");
     }},
    {"cute-cpp", "", "CuTe's C++ headers, compiled by g++: the algebra of static shape:stride layouts and swizzles",
     [] { return PythonAdapter("subjects/cute_cpp/cute_cpp_subject.py", "nvidia/cuda_cccl", kCute); }},
    {"cute-cpp-dynamic", "", "the same headers with run-time integers: a program with one instance per nesting",
     [] { return PythonAdapter("subjects/cute_cpp/cute_cpp_dynamic_subject.py", "nvidia/cuda_cccl", kCute); }},
    {"catlass", "",
     "CATLASS's TLA headers, compiled by g++: MakeLayout by tag, and offsets of layouts with run-time sizes",
     [] { return CheckoutAdapter(kCatlassScript, "tla", kCatlass); }},
    {"catlass-tags", "", "the older layout classes of CATLASS: their strides, GetOffset and Capacity",
     [] { return CheckoutAdapter(kCatlassScript, "tags", kCatlass); }},
    {"tensor-layouts", "",
     "the package tensor-layouts: index functions, swizzles and the algebra of shape:stride layouts",
     [] { return PythonAdapter("subjects/tensor_layouts/tensor_layouts_subject.py", "tensor_layouts"); }},
    {"mosaic", "", "JAX's Mosaic GPU: its tilings of arrays that the tiles divide",
     [] { return PythonAdapter("subjects/mosaic/mosaic_subject.py", "jax"); }},
    {"triton", "", "Triton's linear layouts, for sizes that are powers of two, and its analysis of alignment",
     [] { return PythonAdapter("subjects/triton/triton_subject.py", "triton"); }},
    {"jax-sharding", "",
     "JAX's shardings: the indices that NamedSharding and GSPMDSharding give to 8 devices of the host",
     [] { return PythonAdapter("subjects/jax_sharding/jax_sharding_subject.py", "jax"); }},
    {"xla-sharding", "", "XLA's HloSharding through jaxlib: tile assignments and the shapes of tiles",
     [] { return PythonAdapter("subjects/jax_sharding/xla_sharding_subject.py", "jax"); }},
    {"dtensor", "", "placements of PyTorch's DTensor: arrays that they cut",
     [] { return DTensorAdapter("subjects/dtensor/dtensor_subject.py"); }},
    {"dtensor-offsets", "", "the shapes and offsets that DTensor computes for its placements",
     [] { return DTensorAdapter("subjects/dtensor/dtensor_subject.py", " offsets"); }},
    {"dtensor-redistribute", "", "DTensor's redistribution between placements, with all ranks in one process",
     [] { return DTensorAdapter("subjects/dtensor/dtensor_redistribute_subject.py"); }},
    {"tvm", "", "Apache TVM's data layouts (NCHW16c), indices and shapes, up to one tile",
     [] { return PythonAdapter("subjects/tvm/tvm_subject.py", "tvm"); }},
    {"mlir", "", "MLIR's linalg.transpose, tensor.pack and tensor.unpack, lowered and run",
     [] {
       return SystemAdapter("subjects/mlir/mlir_subject.py", "/usr/lib/llvm-19/bin/mlir-cpu-runner",
                            "mlir-19-tools libmlir-19-dev");
     }},
    {"mlir-affine", "", "MLIR's canonicalization of affine and semi-affine expressions",
     [] { return ProgramAdapter("mlir-affine", "libmlir-19-dev llvm-19-dev"); }},
    {"mlir-memref", "", "MLIR's memref layouts: affine maps normalized, strided views, and the text of the types",
     [] { return ProgramAdapter("mlir-memref", "libmlir-19-dev llvm-19-dev"); }},
    {"onednn", "", "oneDNN's reorders into and out of blocked formats, and their sizes",
     [] { return ProgramAdapter("onednn", "libdnnl-dev"); }},
    {"mdspan", "", "libc++'s layout_left, layout_right and layout_stride",
     [] { return ProgramAdapter("mdspan", "libc++-19-dev libc++abi-19-dev"); }},
};

// Starts a process, which is `layoutcheck serve` or one that knows the protocol alone.
Created StartProcess(std::string command, const SubjectOptions& options, bool is_layoutcheck = false) {
  if (!options.directory.empty()) command = StrCat("cd ", ShellWord(options.directory), " || exit 126\n", command);
  auto started = ExecSubject::Start(std::move(command), options.timeout);
  if (auto* subject = std::get_if<std::unique_ptr<ExecSubject>>(&started)) {
    if (!options.gives_up) (*subject)->NeverGiveUp();
    if (is_layoutcheck) (*subject)->ExpectLayoutcheck();
    return std::move(*subject);
  }
  if (auto* error = std::get_if<Error>(&started)) return std::move(*error);
  return std::get<Failed>(std::move(started));
}

}  // namespace

std::span<const BuiltInSubject> BuiltInSubjects() { return kBuiltIn; }

Created CreateSubject(std::string_view name, const SubjectOptions& options) {
  constexpr std::string_view kExec = "exec:";
  constexpr std::string_view kLibrary = "lib:";
  constexpr std::string_view kDeclined = "the subject declines protocol 1: ";
  if (name.find_first_not_of(" \t\n", kExec.size()) == std::string::npos && name.starts_with(kExec)) {
    return Error{ErrorKind::kInvalidArgument, "expected a command after 'exec:'"};
  }
  if (name.starts_with(kExec)) return StartProcess(std::string(name.substr(kExec.size())), options);
  for (const BuiltInSubject& built_in : kBuiltIn) {
    if (name.empty() || built_in.command == nullptr || (built_in.name != name && built_in.alias != name)) continue;
    auto command = built_in.command();
    if (!command) return Error{command.error().kind, StrCat("no subject ", name, " here: ", command.error().message)};
    return StartProcess(*std::move(command), options);
  }
  // All other subjects would run in this process.
  if (!options.isolate_with.empty()) {
    Created created = StartProcess(StrCat(options.isolate_with, " --subject ", ShellWord(name)), options, true);
    // The process that holds the library says why it cannot be loaded.
    if (auto* const error = std::get_if<Error>(&created); error != nullptr && error->message.starts_with(kDeclined)) {
      error->message.erase(0, kDeclined.size());
    }
    return created;
  }
  if (name.starts_with(kLibrary)) {
    auto library = LibrarySubject::Load(std::string(name.substr(kLibrary.size())), options.call_record);
    if (!library) return std::move(library).error();
    return std::move(*library);
  }
  if (name == kBuiltIn[0].name) return std::make_unique<ReferenceSubject>();
  std::string names;
  for (const BuiltInSubject& built_in : kBuiltIn) StrAppend(names, built_in.name, ", ");
  return Error{ErrorKind::kInvalidArgument,
               StrCat("expected ", names, "exec:COMMAND or lib:FILE.so as subject, got '", name, "'",
                      DidYouMean(name, kBuiltIn, std::mem_fn(&BuiltInSubject::name)))};
}

}  // namespace layoutcheck
