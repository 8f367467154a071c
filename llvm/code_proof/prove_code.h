// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about compiled functions: a function of a C, C++ or LLVM file is the linear index of a layout, with the
// machine's integers and without undefined behavior.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/function_formula.h"

namespace layoutcheck {

struct CodeRequest {
  std::string layout;                  // text in the notation of symbolic_layout.h or shape:stride; empty for none
  std::optional<std::string> formula;  // the expected value; none for the layout's linear index
  std::vector<std::string> assumptions;
  std::vector<std::string> signed_names;  // names whose type's sign is not known and is a signed one
  std::string file;
  std::string function;
  std::string arguments;  // "i0,N,[A,B],{M,1},_"
  std::string result;     // "out[0]"; empty for the value returned
  CompileOptions compile;
  std::optional<int64_t> max_bytes;  // 2^31 - 1 by default if the result has 32 bits or less, otherwise 2^63 - 1
};

struct CodeProof {
  ProofResult result;
  // Largest array that the verdict covers, padding included, in bytes; 0 without a layout. Elements of a shape:stride
  // layout, which has no type, take one byte each.
  int64_t max_bytes = 0;
  std::vector<std::string> limits;  // bounds of sizes by the parameters' types, if tighter: "N <= 255"
  // Formula of a condition under which the function is proved to be right, and which the counterexample breaks. Empty
  // if the function is not wrong for large arrays only. `is_border_exact` is true if it is proved that the function is
  // wrong at the last index of every shape that breaks the condition.
  std::string right_while;
  bool is_border_exact = false;
  std::string certified_formula;  // the formula that was read from the code, which the certificate is about
  std::string machine;            // end of a call at the counterexample: "returned 3"; empty if there was none
};

// Proves or refutes that the function, called with the arguments, has the expected value for every index and all values
// of the names that fit the types of the parameters and for which the padded array takes at most max_bytes bytes. Names
// that are no size and no index range over their types, below 0, too; where code without types leaves the sign open,
// over the values that both have.
// Undefined behavior, such as the overflow of a signed integer or a read outside of an array, refutes it. If the
// expected value is unsigned, the bits returned are read as unsigned. A refutation is run: the function, compiled with
// traps for undefined behavior, is called at the counterexample. Errors: those of CodeModule::Read, Find,
// ParseCodeArguments, BindCode and MakeFormulaQuestion.
Expected<CodeProof> ProveCode(const CodeRequest& request, const ProveOptions& options = {});

// Returns the version of LLVM in this process, such as "19.1.7".
std::string LlvmVersion();

struct CodeFormula {
  std::string layout;
  FunctionFormula function;
  NameRanges ranges;      // ranges of all names
  int64_t max_bytes = 0;  // as for CodeProof
  double seconds = 0;
};

// Returns the formula that the function computes at the indices and values of the names that ProveCode is about. The
// request may have neither a layout nor a formula. Errors: those of ProveCode.
Expected<CodeFormula> EmitCodeFormula(const CodeRequest& request, const ProveOptions& options = {});

}  // namespace layoutcheck
