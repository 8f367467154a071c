// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions of C run in the interpreter as they run on the machine: compiled with -O0, -O1 and -O2, at random
// points. Where the unoptimized function has undefined behavior, the interpreter says so exactly where UBSan does; such
// points are not compared further. LAYOUTCHECK_CODE_POINTS sets the number of points, 1000000 in nightly runs.
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include "layoutcheck/llvm/testing/random_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr size_t kFunctions = 60;  // per file
constexpr size_t kMostValues = 8;  // of the arguments of one function
constexpr size_t kPoints = 40;     // per function of a file

// A call of a function of the file. The driver reads and writes these bytes.
struct Point {
  int64_t function = 0;
  int64_t values[kMostValues] = {};
};
struct Outcome {
  int64_t is_undefined = 0;
  int64_t value = 0;
};

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

// Functions in a file, compiled in several ways.
class Batch {
 public:
  explicit Batch(std::mt19937& random) {
    for (size_t k = 0; k < kFunctions; ++k) functions_.push_back(DrawFunction(StrCat("f", k), random));
    std::string text = RandomCodePrelude();
    for (const RandomFunction& function : functions_) text += function.text;
    Write("functions.c", text);
    Write("driver.c", Driver());
    Native("checked", {"-O0", "-fsanitize=undefined", "-fsanitize-minimal-runtime", "-fno-sanitize=shift-base",
                       Path("functions.c")});
    for (const char* level : {"O0", "O1", "O2"}) {
      RunOrFail({"clang-19", "-w", StrCat("-", level), "-g", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm",
                 "-fno-vectorize", "-fno-slp-vectorize", "-o", Path(level) + ".ll", Path("functions.c")},
                "");
    }
    // The machine's code of O1 and O2 is made of the file that the interpreter reads.
    for (const char* level : {"O1", "O2"}) Native(level, {"-O0", Path(level) + ".ll"});
    for (size_t k = 0; k < kFunctions * kPoints; ++k) points_.push_back(DrawPoint(k % kFunctions, random));
  }

  const std::vector<Point>& points() const { return points_; }
  const RandomFunction& function(const Point& point) const { return functions_[static_cast<size_t>(point.function)]; }
  std::string Path(const std::string& name) const { return StrCat(directory_.path(), "/", name); }

  std::string Text(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name)).rdbuf();
    return text.str();
  }
  void Write(const std::string& name, const std::string& text) const { std::ofstream(Path(name)) << text; }

  // Returns the results of the program at the points.
  std::vector<Outcome> Run(const std::string& program, const std::vector<Point>& points) const {
    const std::string_view input(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(Point));
    const std::string out = RunOrFail({Path(program)}, input);
    std::vector<Outcome> outcomes(points.size());
    EXPECT_EQ(out.size(), outcomes.size() * sizeof(Outcome)) << program;
    std::memcpy(outcomes.data(), out.data(), std::min(out.size(), outcomes.size() * sizeof(Outcome)));
    return outcomes;
  }

 private:
  // Links the file, compiled with these options, with the driver.
  void Native(const std::string& program, std::vector<std::string> options) const {
    const std::string object = Path(program + ".o");
    options.insert(options.begin(), {"clang-19", "-w", "-c", "-o", object});
    RunOrFail(options, "");
    RunOrFail({"clang-19", "-w", "-O1", "-o", Path(program), Path("driver.c"), object}, "");
  }

  std::string Driver() const {
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

  static Point DrawPoint(size_t function, std::mt19937& random) {
    Point point{.function = static_cast<int64_t>(function), .values = {}};
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

  TemporaryDirectory directory_;
  std::vector<RandomFunction> functions_;
  std::vector<Point> points_;
};

// A file of LLVM text in the interpreter.
class Interpreted {
 public:
  explicit Interpreted(const Batch& batch, const std::string& file) : batch_(batch) {
    auto module = CodeModule::Read(batch.Path(file), {.flags = {"-w"}});
    if (!module) {
      ADD_FAILURE() << module.error().message;
      return;
    }
    module_.emplace(*std::move(module));
  }

  bool is_valid() const { return module_.has_value(); }

  FunctionResult Call(const Point& point) {
    const RandomFunction& function = batch_.function(point);
    const BoundCode& code = CodeOf(function);
    std::vector<Term> arguments;
    for (size_t k = 0; k < function.parameters.size() + function.elements.size(); ++k) {
      arguments.emplace_back(point.values[k]);
    }
    FunctionRun run;
    return run.Call({.symbolic = [&](std::span<const SymbolicInteger> values) { return RunCode(code, values); },
                     .numeric = nullptr},
                    arguments);
  }

 private:
  const BoundCode& CodeOf(const RandomFunction& function) {
    const auto known = codes_.find(function.name);
    if (known != codes_.end()) return known->second;
    std::string list;
    for (size_t k = 0; k < function.parameters.size(); ++k) StrAppend(list, list.empty() ? "" : ",", "a", k);
    if (!function.elements.empty()) list += ",[b,c,d,e]";
    const auto found = module_->Find(function.name);
    EXPECT_TRUE(found.has_value());
    auto call = BindCode(**found, *ParseCodeArguments(list, ""), std::nullopt);
    EXPECT_TRUE(call.has_value()) << call.error().message;
    // Without debug information, BindCode takes elements for 32 bits.
    BoundCode& code = codes_[function.name] = call->code;
    if (function.elements.empty()) return code;
    std::vector<ParameterBinding::Field>& fields = code.parameters.back().fields;
    for (size_t k = 0; k < fields.size(); ++k) {
      const int bits = function.elements[k].bits;
      fields[k].width = bits;
      fields[k].offset = static_cast<int64_t>(k) * bits / 8;
    }
    return code;
  }

  const Batch& batch_;
  std::optional<CodeModule> module_;
  std::map<std::string, BoundCode> codes_;
};

struct Counts {
  size_t points = 0;
  size_t undefined = 0;
  size_t unknown = 0;
  size_t differences = 0;
};

std::string PointText(const Batch& batch, const Point& point) {
  const RandomFunction& function = batch.function(point);
  std::string text = function.text + "at";
  for (size_t k = 0; k < function.parameters.size() + function.elements.size(); ++k) {
    StrAppend(text, " ", point.values[k]);
  }
  return text;
}

// Returns how the interpreter's result differs from the machine's, or nothing.
std::string Difference(const RandomFunction& function, const FunctionResult& result, const Outcome& machine) {
  if (machine.is_undefined != 0) return result.value ? "undefined behavior was not seen" : "";
  if (!result.value) return "no value: " + result.fault;
  const uint64_t mask = ~uint64_t{0} >> (64 - function.result.bits);
  const uint64_t value = static_cast<uint64_t>(result.value->value().value) & mask;
  const uint64_t expected = static_cast<uint64_t>(machine.value) & mask;
  return value == expected ? "" : StrCat("the interpreter has ", value, ", the machine ", expected);
}

// Compares a file in the interpreter with the outcomes at the points: all of them, or up to the first difference.
Counts Compare(const Batch& batch, const std::string& file, const std::vector<Point>& points,
               const std::vector<Outcome>& outcomes, bool show) {
  Counts counts;
  Interpreted interpreted(batch, file);
  if (!interpreted.is_valid()) return counts;
  for (size_t k = 0; k < points.size(); ++k) {
    const FunctionResult result = interpreted.Call(points[k]);
    ++counts.points;
    counts.undefined += outcomes[k].is_undefined != 0 ? 1u : 0u;
    if (!result.unknown.empty()) {
      ++counts.unknown;
      if (show && std::getenv("LAYOUTCHECK_SHOW_CODE") != nullptr) std::printf("unknown: %s\n", result.unknown.c_str());
      continue;
    }
    const std::string difference = Difference(batch.function(points[k]), result, outcomes[k]);
    if (difference.empty()) continue;
    ++counts.differences;
    if (show && counts.differences < 3)
      ADD_FAILURE() << file << ": " << difference << "\n" << PointText(batch, points[k]);
  }
  return counts;
}

void Add(Counts& sum, const Counts& counts) {
  sum.points += counts.points;
  sum.undefined += counts.undefined;
  sum.unknown += counts.unknown;
  sum.differences += counts.differences;
}

TEST(InterpreterDifferential, AsOnTheMachine) {
  const char* const asked = std::getenv("LAYOUTCHECK_CODE_POINTS");
  const size_t wanted = asked == nullptr ? 2 * kFunctions * kPoints : static_cast<size_t>(std::atoll(asked));
  std::mt19937 random(20261123);
  std::map<std::string, Counts> sums;
  while (sums["O0"].points < wanted && !HasFailure()) {
    const Batch batch(random);
    const std::vector<Outcome> checked = batch.Run("checked", batch.points());
    Add(sums["O0"], Compare(batch, "functions.c", batch.points(), checked, /*show=*/true));
    std::vector<Point> defined;
    for (size_t k = 0; k < checked.size(); ++k) {
      if (checked[k].is_undefined == 0) defined.push_back(batch.points()[k]);
    }
    for (const char* level : {"O1", "O2"}) {
      Add(sums[level], Compare(batch, StrCat(level, ".ll"), defined, batch.Run(level, defined), /*show=*/true));
    }
  }
  for (const auto& [level, counts] : sums) {
    std::printf("%s: %zu points: %zu undefined, %zu unknown, %zu differences\n", level.c_str(), counts.points,
                counts.undefined, counts.unknown, counts.differences);
    EXPECT_LE(counts.unknown * 20, counts.points) << level;
  }
  EXPECT_GE(sums["O1"].points * 2, sums["O0"].points) << "most points are defined";
  EXPECT_GE(sums["O0"].undefined * 100, sums["O0"].points) << "undefined behavior is drawn";
}

std::string WithFault(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// An interpreter that takes one instruction for another is found. The fault is seeded into the file that it reads.
TEST(InterpreterDifferential, FindsEveryMistakenInstruction) {
  const std::pair<const char*, const char*> faults[] = {
      {"= sdiv ", "= udiv "},
      {"= udiv ", "= sdiv "},
      {"= srem ", "= urem "},
      {"= urem ", "= srem "},
      {"= ashr ", "= lshr "},
      {"= lshr ", "= ashr "},
      {"= shl ", "= lshr "},
      {"= sext ", "= zext "},
      {"= zext ", "= sext "},
      {"= and ", "= or "},
      {"= or ", "= xor "},
      {"= xor ", "= or "},
      {"icmp slt ", "icmp ult "},
      {"icmp ult ", "icmp slt "},
      {"icmp sgt ", "icmp sge "},
      {"icmp sle ", "icmp slt "},
      {"icmp eq ", "icmp ne "},
      {"add nsw ", "add "},
      {"sub nsw ", "sub "},
      {"mul nsw ", "mul "},
      {"= add i", "= add nsw i"},
      {"= mul i", "= mul nuw i"},
      {"= shl i", "= shl nuw i"},
      {"= ashr i", "= ashr exact i"},
      {"i64 16, i1 false)", "i64 8, i1 false)"},
      {"call i32 @llvm.ctpop.i32", "call i32 @llvm.bswap.i32"},
      {"@llvm.fshl.i32", "@llvm.fshr.i32"},
      {"sadd.with.overflow", "uadd.with.overflow"},
      {"getelementptr inbounds [4 x i32]", "getelementptr inbounds [4 x i16]"},
  };
  std::vector<std::pair<const char*, const char*>> left(std::begin(faults), std::end(faults));
  std::mt19937 random(20261124);
  for (int batches = 0; batches < 6 && !left.empty() && !HasFailure(); ++batches) {
    const Batch batch(random);
    const std::vector<Outcome> checked = batch.Run("checked", batch.points());
    EXPECT_EQ(Compare(batch, "O0.ll", batch.points(), checked, /*show=*/true).differences, 0u);
    std::erase_if(left, [&](const auto& fault) {
      batch.Write("wrong.ll", WithFault(batch.Text("O0.ll"), fault.first, fault.second));
      return Compare(batch, "wrong.ll", batch.points(), checked, /*show=*/false).differences > 0;
    });
  }
  for (const auto& [from, to] : left) ADD_FAILURE() << "not found: '" << from << "' taken for '" << to << "'";
}

}  // namespace
}  // namespace layoutcheck
