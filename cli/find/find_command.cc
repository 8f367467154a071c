// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck find SHAPE
#include "layoutcheck/cli/find/find_command.h"
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/read_content.h"
#include "layoutcheck/cli/find/find_layout.h"
#include "layoutcheck/cli/reports/next_steps.h"
#include "layoutcheck/cli/run/code_run.h"
#include "layoutcheck/cli/run/proof_arguments.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr const char* kFind = "find";

struct FindCommandLine {
  std::optional<std::string> argument;  // SHAPE
  std::optional<std::string> shape;     // the same as an option
  std::optional<std::string> formula;
  std::string table;
  std::string memory;
  CodeRequest code;
  std::vector<std::string> assumptions;
  bool json = false;
};

constexpr const char* kCutShort = "the search ended before all tilings were tried";

std::string Contradiction(const FindCommandLine& options) {
  if (options.argument && options.shape) return "expected SHAPE or --shape, not both";
  if (!options.argument && !options.shape) return "SHAPE is required; see layoutcheck find --help";
  const int sources = (options.formula ? 1 : 0) + (options.table.empty() ? 0 : 1) + (options.memory.empty() ? 0 : 1) +
                      (options.code.file.empty() ? 0 : 1);
  if (sources != 1) return "expected one of --formula, --table, --memory and --code: where the elements lie";
  const bool is_code = !options.code.file.empty();
  if (is_code && (options.code.function.empty() || options.code.arguments.empty())) {
    return "--code: expected --function and --args beside it";
  }
  if (!options.assumptions.empty() && !is_code && !options.formula)
    return "--assume: expected --formula or --code beside it";
  return "";
}

Expected<FindRequest> RequestOf(const FindCommandLine& options) {
  FindRequest request;
  LAYOUTCHECK_TRY(request.array, ReadUnplacedArray(options.argument ? *options.argument : *options.shape));
  request.assumptions = options.assumptions;
  request.formula = options.formula;
  if (!options.table.empty()) {
    LAYOUTCHECK_TRY(request.table, ReadContent(options.table));
  }
  if (!options.memory.empty()) {
    LAYOUTCHECK_TRY(request.memory, ReadContent(options.memory));
  }
  if (!options.code.file.empty()) request.code = options.code;
  return request;
}

Json FoundJson(const FoundLayout& found) {
  const bool is_found = !found.layout.empty();
  Json document{{"layout", is_found ? Json(found.layout) : Json(nullptr)},
                {"verdict", is_found            ? (found.proof ? found.proof->at("verdict") : Json("equal"))
                            : found.is_complete ? Json("none")
                                                : Json("unknown")}};
  if (!is_found && !found.is_complete) document["reason"] = kCutShort;
  if (found.elements > 0) document["elements"] = found.elements;
  if (found.proof) document["proof"] = *found.proof;
  document["other_notations"] = found.other_notations;
  document["not_determined"] = found.not_determined;
  // Another size at which the layouts differ says which one it is.
  Json commands = Json::array();
  for (const std::string& other : found.not_determined) {
    const Json next = NextStepsToTellApart(found.layout, other);
    if (next.is_object()) commands.push_back(next["commands"][0]);
  }
  if (!commands.empty()) AddNextSteps(document, {{"commands", commands}});
  return document;
}

void PrintFound(const FoundLayout& found, const std::string& array) {
  if (found.layout.empty() && !found.is_complete) {
    std::printf("undecided: no layout of %s was found; %s\n", array.c_str(), kCutShort);
    return;
  }
  if (found.layout.empty()) {
    std::printf("none: no layout of %s in the notations tried has these offsets\n", array.c_str());
    return;
  }
  std::printf("%s\n", found.layout.c_str());
  if (found.proof) {
    std::printf("  %s\n", ProofText(*found.proof).c_str());
  } else {
    std::printf("  equal at every element (%lld)\n", static_cast<long long>(found.elements));
  }
  for (const std::string& layout : found.other_notations) std::printf("  also written as %s\n", layout.c_str());
  for (const std::string& layout : found.not_determined) {
    std::printf("  not determined: %s has the same offsets at this size\n", layout.c_str());
  }
}

ExitCode RunFindCommand(const FindCommandLine& options) {
  if (const std::string why = Contradiction(options); !why.empty()) return Unusable(kFind, why);
  const auto request = RequestOf(options);
  if (!request) return Unusable(kFind, request.error());
  const auto found = FindLayout(*request, {});
  if (!found) return Unusable(kFind, found.error());
  if (options.json) {
    PrintJson(FoundJson(*found));
  } else {
    PrintFound(*found, request->array.ToString());
  }
  if (found->layout.empty()) return found->is_complete ? ExitCode::kRejected : ExitCode::kUndecided;
  return found->proof ? ProofExitCode(*found->proof) : ExitCode::kAccepted;
}

}  // namespace

Command FindCommand() {
  auto options = std::make_shared<FindCommandLine>();
  CodeRequest& code = options->code;
  return {
      .name = kFind,
      .description = R"(find the layout that has given offsets

SHAPE is an array without a layout, f32[3,5], or with names as sizes, f32[M,N]. Where its elements lie is said by a
formula, a compiled function, a table of offsets, or the content of memory. The answer is the simplest layout with
these offsets: an XLA layout, strides, tiles, a tag of CATLASS, a swizzle, or a layout in bits. For a
function, and where sizes are names, the answer is proved. Otherwise it is compared at every element, and layouts
that differ only at other sizes are listed.

The exit code is 0 if a layout was found, 1 if none was, and 3 if one fits but is not proved, or if not
all could be tried.)",
      .example = R"(
  $ layoutcheck find 'f32[M,N]' --formula '(i0/8*((N+127)/128)+i1/128)*1024+i0%8*128+i1%128'
  $ layoutcheck find 'f32[3,5]' --table offsets.txt
  $ layoutcheck find 'f32[M,N]' --code tiles.c --function tile_8x128 --args i0,i1,N)",
      .options =
          {{"SHAPE", "an array without a layout, whose sizes may be names; also as --shape SHAPE", &options->argument},
           {"--shape SHAPE", "", &options->shape, kUnlisted},
           {"--formula TEXT", "the linear index of the element i0, i1, ..., as for `prove --formula`",
            &options->formula},
           {"--code FILE", "a file of C, C++, CUDA or LLVM with a function that returns the linear index", &code.file},
           {"--function NAME", "the function in the file", &code.function},
           {"--args LIST", "its arguments in order, as for `prove-code`: i0,i1,N", &code.arguments},
           {"--table FILE", "integers, also between commas and brackets: the offset of each element in row-major order",
            &options->table},
           {"--memory FILE", "integers: per offset the row-major number of the element there, or -1 for padding",
            &options->memory},
           AssumeOption(options->assumptions),
           {"--json", "print one JSON document: layout, verdict, elements, proof, other_notations, not_determined",
            &options->json}},
      .run = [options] { return RunFindCommand(*options); }};
}

}  // namespace layoutcheck
