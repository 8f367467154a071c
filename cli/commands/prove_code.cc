// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/commands/prove_code.h"
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

ExitCode ProveFunctionCommand(CodeRequest& code, const CodeOptions& options, const CodeQuestion& question,
                              CertificateFile& certificates) {
  code.formula = question.formula;
  code.assumptions = question.assumptions;
  std::vector<std::string> layouts = question.layouts;
  if (layouts.empty()) layouts.emplace_back();
  ExitCode exit_code = ExitCode::kAccepted;
  for (const std::string& layout : layouts) {
    code.layout = layout;
    if (!options.emit.empty()) {
      exit_code = WorseExitCode(exit_code, PrintCodeFormula(CodeFormulaJson(code, question.prove), question.json));
      continue;
    }
    const auto proved = ProveCodeJson(code, question.prove);
    Expected<std::vector<Json>> results;
    if (proved) {
      results->push_back(*proved);
    } else {
      results = std::unexpected(proved.error());
    }
    const std::string title = layout.empty() ? OneLine(*question.formula) : layout;
    exit_code = WorseExitCode(exit_code, PrintProofs(title, certificates.Take(std::move(results)), question.json));
  }
  return exit_code;
}

ExitCode ProveKernelCommand(KernelRequest& kernel, const CodeOptions& options, const CodeQuestion& question) {
  for (const std::string& array : options.arrays) {
    const size_t equals = array.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Unusable("prove", StrCat("--array: expected NAME=LAYOUT, found '", array, "'"));
    }
    kernel.arrays.emplace_back(array.substr(0, equals), array.substr(equals + 1));
  }
  kernel.function = options.code.function;
  kernel.arguments = options.code.arguments;
  kernel.assumptions = question.assumptions;
  return PrintProofs(StrCat(kernel.function, "(", kernel.arguments, ")"), ProveKernelJson(kernel, question.prove),
                     question.json);
}

}  // namespace

std::string ContradictionOfCode(const CodeOptions& options, const CodeQuestion& question) {
  const CodeRequest& code = options.code;
  const KernelRequest& kernel = options.kernel;
  const bool has_launch = !options.arrays.empty() || !kernel.grid.empty() || !kernel.block.empty();
  if (kernel.file.empty() && has_launch) return "--array, --grid, --block: expected --kernel, too";
  if (!options.AsksAboutCode()) {
    std::string given;
    for (const auto& [option, value] :
         std::initializer_list<std::pair<const char*, const std::string&>>{{"--function", code.function},
                                                                           {"--args", code.arguments},
                                                                           {"--result", code.result},
                                                                           {"--clang-flags", options.clang_flags},
                                                                           {"--max-bytes", options.max_bytes},
                                                                           {"--emit", options.emit}}) {
      if (!value.empty()) StrAppend(given, given.empty() ? "" : ", ", option);
    }
    return given.empty() ? "" : given + ": expected --code or --kernel, too";
  }
  const std::string asked = code.file.empty() ? "--kernel" : "--code";
  if (!code.file.empty() && !kernel.file.empty()) return "--kernel: expected --code or --kernel, not both";
  if (code.function.empty()) return asked + ": expected --function, too";
  if (code.arguments.empty()) {
    return asked + ": expected --args, too: what the function is called with, such as " +
           (code.file.empty() ? "in,out,M,N" : "i0,i1,N");
  }
  if (!kernel.file.empty()) {
    if (options.arrays.empty()) return "--kernel: expected --array, too: what the kernel reads and writes";
    const bool is_other =
        !question.layouts.empty() || question.formula || !code.result.empty() || !options.emit.empty();
    return is_other ? "--kernel: expected none of LAYOUT, --formula, --result and --emit beside it" : "";
  }
  if (!options.emit.empty() && question.formula) return "--emit: expected no --formula beside it";
  const bool is_asked = !question.layouts.empty() || question.formula || !options.emit.empty();
  return is_asked ? "" : "--code: expected a LAYOUT or --formula: the value that is right";
}

ExitCode ProveCodeCommand(CodeOptions options, const CodeQuestion& question, CertificateFile& certificates) {
  if (!options.max_bytes.empty()) {
    const auto bytes = ParseBytes(options.max_bytes);
    if (!bytes) return Unusable("prove", "--max-bytes", bytes.error());
    options.code.max_bytes = *bytes;
    options.kernel.max_bytes = *bytes;
  }
  options.code.compile.flags = Words(options.clang_flags);
  options.kernel.compiler_flags = Words(options.clang_flags);
  if (options.code.file.empty()) return ProveKernelCommand(options.kernel, options, question);
  return ProveFunctionCommand(options.code, options, question, certificates);
}

void AddCodeOptions(CLI::App& command, CodeOptions& options) {
  command
      .add_option("--code", options.code.file,
                  "prove that a function of this C, C++, CUDA or LLVM file is the layout's linear index, or --formula")
      ->type_name("FILE");
  command.add_option("--function", options.code.function, "the function in the file of --code")->type_name("NAME");
  command
      .add_option("--args", options.code.arguments,
                  "its arguments in order: i0 (an index), N (a size), 128, [A,B] (a pointer to integers), {M,1} (a "
                  "struct), _ (any value)")
      ->type_name("LIST");
  command
      .add_option(
          "--kernel", options.kernel.file,
          "prove that the accesses of a kernel of this CUDA, HIP or LLVM file are inside its arrays, and that it "
          "moves each element to its place")
      ->type_name("FILE");
  command.add_option("--array", options.arrays, "an array of the kernel: the name that --args uses, and its layout")
      ->type_name("NAME=LAYOUT")
      ->allow_extra_args(false);
  command
      .add_option("--grid", options.kernel.grid,
                  "the blocks of the launch in x, y and z, as formulas of the sizes: 'N ceildiv 32, M' (default: any)")
      ->type_name("LIST");
  command.add_option("--block", options.kernel.block, "the threads of a block in x, y and z: '32,8' (default: any)")
      ->type_name("LIST");
  command
      .add_option("--result", options.code.result,
                  "the result is this element of the memory that the argument of this name points to: out[0]")
      ->type_name("TEXT");
  command.add_option("--clang-flags", options.clang_flags, "more flags for clang 19, which compiles the source")
      ->type_name("TEXT");
  command
      .add_option("--max-bytes", options.max_bytes,
                  "prove for padded arrays of at most so many bytes, such as 4GiB (default: 2^31 - 1 for a result of "
                  "32 bits, otherwise 2^63 - 1)")
      ->type_name("SIZE");
  command.add_option("--emit", options.emit, "print the formula that the function of --code computes")
      ->type_name("formula")
      ->check([](const std::string& text) {
        return text == "formula" ? std::string() : StrCat("expected formula, got '", text, "'");
      });
}

}  // namespace layoutcheck
