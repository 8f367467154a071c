// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/code_batch.h"
#include <gtest/gtest.h>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/llvm/code_proof/code_arguments.h"

namespace layoutcheck {
namespace {

// Calls the functions at the points on standard input. Handlers of UBSan end the call.
constexpr const char* kDriver = R"(
#include <setjmp.h>
#include <stdio.h>
static jmp_buf before;
#define HANDLER(name) \
  void __ubsan_handle_##name##_minimal(void) { longjmp(before, 1); } \
  void __ubsan_handle_##name##_minimal_abort(void) { longjmp(before, 1); }
HANDLER(type_mismatch) HANDLER(alignment_assumption) HANDLER(add_overflow) HANDLER(sub_overflow)
HANDLER(mul_overflow) HANDLER(negate_overflow) HANDLER(divrem_overflow) HANDLER(shift_out_of_bounds)
HANDLER(out_of_bounds) HANDLER(builtin_unreachable) HANDLER(missing_return) HANDLER(load_invalid_value)
HANDLER(invalid_builtin) HANDLER(pointer_overflow) HANDLER(nonnull_arg)
int main(void) {
  struct { long long function, values[8]; } point;
  struct { long long is_undefined, value; } outcome;
  while (fread(&point, sizeof point, 1, stdin) == 1) {
    outcome.is_undefined = setjmp(before);
    outcome.value = 0;
    if (!outcome.is_undefined) outcome.value = call(point.function, point.values);
    fwrite(&outcome, sizeof outcome, 1, stdout);
  }
}
)";

std::string RunOrFail(const std::vector<std::string>& command, std::string_view input) {
  const auto run = RunProgram(command, input, ErrorStream::kPipe);
  if (!run) {
    ADD_FAILURE() << run.error().message;
    return "";
  }
  EXPECT_EQ(run->exit_code, 0) << StrJoin(command, " ") << "\n" << run->err;
  return run->out;
}

}  // namespace

CodePoint DrawPoint(size_t function, std::mt19937& random) {
  CodePoint point{.function = static_cast<int64_t>(function), .values = {}};
  for (int64_t& value : point.values) {
    const uint64_t bits = uint64_t{random()} << 32 | random();
    const uint64_t border = uint64_t{1} << random() % 64;
    constexpr int kWidths[] = {7, 8, 15, 16, 31, 32, 63};
    switch (random() % 5) {
      case 0: value = static_cast<int64_t>(bits >> random() % 64); break;
      case 1: value = static_cast<int64_t>(bits % 7) - 3; break;
      case 2: value = static_cast<int64_t>(border + bits % 3 - 1); break;
      case 3: value = static_cast<int64_t>((uint64_t{1} << kWidths[bits % 7]) - random() % 2); break;
      default: value = static_cast<int64_t>(bits % 200); break;
    }
  }
  return point;
}

CodeBatch::CodeBatch(std::vector<RandomFunction> functions) : functions_(std::move(functions)) {
  std::string text = RandomCodePrelude();
  for (const RandomFunction& function : functions_) text += function.text;
  Write("functions.c", text);
  Write("driver.c", Driver());
  Link("checked",
       {"-O0", "-fsanitize=undefined", "-fsanitize-minimal-runtime", "-fno-sanitize=shift-base", Path("functions.c")});
  for (const char* level : {"O0", "O1", "O2"}) {
    RunOrFail({"clang-19", "-w", StrCat("-", level), "-g", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm",
               "-fno-vectorize", "-fno-slp-vectorize", "-o", Path(level) + ".ll", Path("functions.c")},
              "");
  }
  for (const char* level : {"O1", "O2"}) Link(level, {"-O0", Path(level) + ".ll"});
}

std::string CodeBatch::Path(const std::string& name) const { return StrCat(directory_.path(), "/", name); }

std::string CodeBatch::Text(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(Path(name)).rdbuf();
  return text.str();
}

void CodeBatch::Write(const std::string& name, const std::string& text) const { std::ofstream(Path(name)) << text; }

std::vector<CodeOutcome> CodeBatch::Run(const std::string& program, const std::vector<CodePoint>& points) const {
  const std::string_view input(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(CodePoint));
  const std::string out = RunOrFail({Path(program)}, input);
  std::vector<CodeOutcome> outcomes(points.size());
  EXPECT_EQ(out.size(), outcomes.size() * sizeof(CodeOutcome)) << program;
  std::memcpy(outcomes.data(), out.data(), std::min(out.size(), outcomes.size() * sizeof(CodeOutcome)));
  return outcomes;
}

void CodeBatch::Link(const std::string& program, std::vector<std::string> options) const {
  const std::string object = Path(program + ".o");
  options.insert(options.begin(), {"clang-19", "-w", "-c", "-o", object});
  RunOrFail(options, "");
  RunOrFail({"clang-19", "-w", "-O1", "-o", Path(program), Path("driver.c"), object}, "");
}

std::string CodeBatch::Driver() const {
  std::string declarations = "#include <stdint.h>\n";
  std::string cases = "static long long call(long long function, const long long* v) {\nswitch (function) {\n";
  for (size_t k = 0; k < functions_.size(); ++k) {
    const RandomFunction& function = functions_[k];
    std::string types;
    std::string values;
    for (size_t p = 0; p < function.parameters.size(); ++p) {
      StrAppend(types, p == 0 ? "" : ", ", function.parameters[p].Text());
      StrAppend(values, p == 0 ? "" : ", ", "(", function.parameters[p].Text(), ")v[", p, "]");
    }
    StrAppend(cases, "case ", k, ": {\n");
    if (!function.elements.empty()) {
      StrAppend(types, ", const ", function.elements[0].Text(), "*");
      StrAppend(cases, function.elements[0].Text(), " array[4];\nfor (int k = 0; k < 4; ++k) array[k] = v[k + ",
                function.parameters.size(), "];\n");
      values += ", array";
    }
    StrAppend(declarations, function.result.Text(), " ", function.name, "(", types, ");\n");
    StrAppend(cases, "return (long long)", function.name, "(", values, "); }\n");
  }
  return StrCat(declarations, cases, "}\nreturn 0;\n}\n", kDriver);
}

InterpretedFile::InterpretedFile(const std::string& path) {
  auto module = CodeModule::Read(path, {.flags = {"-w"}});
  EXPECT_TRUE(module.has_value()) << module.error().message;
  if (module) module_.emplace(*std::move(module));
}

const BoundCode& InterpretedFile::CodeOf(const RandomFunction& function) {
  const auto known = codes_.find(function.name);
  if (known != codes_.end()) return known->second;
  std::string list;
  for (size_t k = 0; k < function.parameters.size(); ++k) StrAppend(list, list.empty() ? "" : ",", "a", k);
  if (!function.elements.empty()) list += ",[b,c,d,e]";
  const auto found = module_->Find(function.name);
  EXPECT_TRUE(found.has_value());
  auto call = BindCode(**found, *ParseCodeArguments(list, ""), std::nullopt);
  EXPECT_TRUE(call.has_value()) << call.error().message;
  return codes_[function.name] = call->code;
}

FunctionResult InterpretedFile::Call(const RandomFunction& function, const CodePoint& point) {
  const BoundCode& code = CodeOf(function);
  std::vector<Term> arguments;
  for (size_t k = 0; k < function.arguments(); ++k) arguments.emplace_back(point.values[k]);
  FunctionRun run;
  return run.Call(
      {.symbolic = [&](std::span<const SymbolicInteger> values) { return RunCode(code, values); }, .numeric = nullptr},
      arguments);
}

}  // namespace layoutcheck
