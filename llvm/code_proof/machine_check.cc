// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/machine_check.h"
#include <algorithm>
#include <optional>
#include <span>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using End = NativeResult::End;

// Returns the value that the refutation says the function has, or nothing if it has none.
std::optional<Int128> RefutedValue(const ProofResult& result) {
  const auto actual = std::ranges::find(result.counterexample, "actual", &std::pair<std::string, int64_t>::first);
  if (actual == result.counterexample.end()) return std::nullopt;
  return actual->second;
}

}  // namespace

void CheckOnMachine(const CodeRequest& request, const CodeCall& call, const std::vector<int64_t>& values,
                    ProofResult& result, std::string& machine) {
  if (call.parameters.empty() || request.compile.for_device) return;
  NativeFunction function{.file = request.file,
                          .name = request.function,
                          .parameters = call.parameters,
                          .returns = {},
                          .compiler_flags = request.compile.flags,
                          .prelude = {}};
  if (!call.code.result_element) function.returns.push_back(call.result);
  std::vector<std::vector<Int128>> arguments;
  size_t out = 0;
  for (size_t k = 0; k < call.parameters.size(); ++k) {
    std::vector<Int128>& argument = arguments.emplace_back();
    for (const size_t number : call.parameter_values[k]) argument.push_back(values[number]);
    if (!argument.empty()) continue;
    const auto before = std::span(call.parameters).first(k);
    out = static_cast<size_t>(std::ranges::count(before, NativeParameter::Kind::kArray, &NativeParameter::kind));
    argument.resize(call.parameters[k].types.size());
  }
  const auto program = NativeProgram::Compile(function);
  const auto ended = program ? program->Call(arguments) : Expected<NativeResult>(std::unexpected(program.error()));
  if (!ended) {
    machine = StrCat("was not called: ", ended.error().message);
    return;
  }
  machine = ended->ToString();
  const std::optional<Int128> refuted = RefutedValue(result);
  // Undefined behavior may look like anything. C leaves more undefined than the compiler does, as for 1 << 31.
  if (!refuted || ended->end == End::kUndefinedBehavior || ended->end == End::kTimedOut) return;
  if (ended->end == End::kReturned) {
    const Int128 returned = call.code.result_element
                                ? ended->arrays[out][static_cast<size_t>(*call.code.result_element)]
                                : ended->returned[0];
    if (returned == *refuted) {
      machine = StrCat("returned ", ToDecimal(returned));
      return;
    }
  }
  result.verdict = ProofVerdict::kUnknown;
  result.disagreement =
      StrCat("the function has the value ", ToDecimal(*refuted), " as layoutcheck reads it, and on the machine it ",
             machine, ": one of them is wrong; please report it");
}

}  // namespace layoutcheck
