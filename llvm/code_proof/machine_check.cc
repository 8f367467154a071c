// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/machine_check.h"
#include <llvm/IR/Function.h>
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using End = NativeResult::End;

// Returns a value of the counterexample, "expected" or "actual", or nothing if there is none.
std::optional<Int128> ValueNamed(const ProofResult& result, std::string_view name) {
  const auto value = std::ranges::find(result.counterexample, name, &std::pair<std::string, int64_t>::first);
  if (value == result.counterexample.end()) return std::nullopt;
  return value->second;
}

// A call of the function with the values of the counterexample.
class MachineCall {
 public:
  MachineCall(const CodeRequest& request, const CodeCall& call, const std::vector<int64_t>& values) : call_(call) {
    const bool is_llvm = request.file.ends_with(".ll") || request.file.ends_with(".bc");
    function_ = {.file = request.file,
                 .name = is_llvm ? call.code.function->getName().str() : request.function,
                 .parameters = call.parameters,
                 .returns = {},
                 .compiler_flags = request.compile.flags,
                 .prelude = {}};
    if (!call.code.result_element) function_.returns.push_back(call.result);
    for (const std::vector<size_t>& numbers : call.parameter_values) {
      std::vector<Int128>& argument = arguments_.emplace_back();
      for (const size_t number : numbers) argument.push_back(values[number]);
    }
    can_trap_ = !is_llvm;
    is_optimized_ = !is_llvm && std::ranges::any_of(request.compile.flags, [](const std::string& flag) {
      return flag.starts_with("-O") && flag != "-O0";
    });
  }

  bool is_optimized() const { return is_optimized_; }
  // Returns true if the program has traps where the behavior is undefined, which only a source can get.
  bool can_trap() const { return can_trap_; }

  Expected<NativeResult> Run(bool has_traps) {
    function_.has_traps = has_traps;
    const auto program = NativeProgram::Compile(function_);
    return program ? program->Call(arguments_) : Expected<NativeResult>(std::unexpected(program.error()));
  }

  // Returns the result of a call that has returned.
  std::optional<Int128> ValueOf(const NativeResult& ended) const {
    if (ended.end != End::kReturned) return std::nullopt;
    if (!call_.code.result_element) return ended.returned[0];
    const auto out = std::ranges::find(call_.parameters, NativeParameter::Kind::kResult, &NativeParameter::kind);
    const auto before =
        std::ranges::count(call_.parameters.begin(), out, NativeParameter::Kind::kArray, &NativeParameter::kind);
    return ended.arrays[static_cast<size_t>(before)][0];
  }

 private:
  const CodeCall& call_;
  NativeFunction function_;
  std::vector<std::vector<Int128>> arguments_;
  bool can_trap_ = false;
  bool is_optimized_ = false;
};

}  // namespace

void CheckOnMachine(const CodeRequest& request, const CodeCall& call, const std::vector<int64_t>& values,
                    ProofResult& result, std::string& machine) {
  if (call.parameters.empty() || request.compile.for_device) return;
  MachineCall function(request, call, values);
  const std::optional<Int128> refuted = ValueNamed(result, "actual");
  const std::optional<Int128> expected = ValueNamed(result, "expected");
  // A trap confirms that something is wrong. C leaves more undefined than the compiler does, as for 1 << 31.
  const auto confirms = [&](const NativeResult& ended) {
    if (ended.end == End::kUndefinedBehavior || ended.end == End::kTimedOut) return true;
    const std::optional<Int128> value = function.ValueOf(ended);
    return refuted ? value == refuted : !value || value != expected || !function.can_trap();
  };
  auto ended = function.Run(/*has_traps=*/true);
  // Code that the user's flags optimize may do anything else where the behavior is undefined.
  if (ended && !confirms(*ended) && function.is_optimized()) ended = function.Run(/*has_traps=*/false);
  if (!ended) {
    machine = StrCat("was not called: ", ended.error().message);
    return;
  }
  const std::optional<Int128> value = function.ValueOf(*ended);
  const std::string words = value ? StrCat("returned ", ToDecimal(*value)) : ended->ToString();
  if (confirms(*ended)) {
    machine = words;
    return;
  }
  result.verdict = ProofVerdict::kUnknown;
  if (!refuted) {
    result.reason = StrCat(result.without_value.empty() ? "undefined behavior" : result.without_value[0].second,
                           "; not confirmed by the machine: it returned the expected value, ", ToDecimal(*expected));
  } else if (function.is_optimized()) {
    result.reason = StrCat("the function has the value ", ToDecimal(*refuted), " as clang optimizes it with these ",
                           "flags, and on the machine it ", words, ": its behavior may be undefined");
  } else {
    result.disagreement =
        StrCat("the function has the value ", ToDecimal(*refuted), " as layoutcheck reads it, and on the machine it ",
               words, ": one of them is wrong; please report it");
  }
}

}  // namespace layoutcheck
