// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/native_run.h"
#include <gtest/gtest.h>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"

namespace layoutcheck {
namespace {

using End = NativeResult::End;
using Kind = NativeParameter::Kind;
using Values = std::vector<std::vector<Int128>>;

const NativeParameter kInt{};

class NativeRun : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = StrCat(directory_.path(), "/", name);
    std::ofstream(path) << text;
    return path;
  }
  // Returns the result of one call in words, or the error.
  std::string Run(const NativeFunction& function, const Values& values) {
    const auto program = NativeProgram::Compile(function);
    if (!program) return program.error().message;
    const auto result = program->Call(values);
    return result ? result->ToString() : result.error().message;
  }

  TemporaryDirectory directory_;
};

// Temporary files are made in this folder until the end of its life.
class TemporaryFilesIn {
 public:
  explicit TemporaryFilesIn(const std::string& folder) { setenv("TMPDIR", folder.c_str(), 1); }
  TemporaryFilesIn(const TemporaryFilesIn&) = delete;
  TemporaryFilesIn& operator=(const TemporaryFilesIn&) = delete;
  ~TemporaryFilesIn() {
    if (before_) {
      setenv("TMPDIR", before_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
  }

 private:
  std::optional<std::string> before_ =
      std::getenv("TMPDIR") == nullptr ? std::nullopt : std::optional<std::string>(std::getenv("TMPDIR"));
};

TEST_F(NativeRun, ReturnsTheValueOfAStaticFunctionInC) {
  const std::string file = Write("tile.c", "static int offset(int i, int j, int n) { return i * n + j; }\n");
  EXPECT_EQ(Run({.file = file, .name = "offset", .parameters = {kInt, kInt, kInt}}, {{2}, {3}, {128}}), "returned 259");
  EXPECT_EQ(Run({.file = file, .name = "offset", .parameters = {kInt, kInt, kInt}}, {{-1}, {3}, {128}}),
            "returned -125");
}

TEST_F(NativeRun, OneProgramRunsAtManyPointsAndLeavesNoFiles) {
  const std::string file = Write("tile.c", "int half(int i) { return i / 2; }\n");
  const TemporaryFilesIn own(directory_.path());  // other tests make and remove files beside it at the same time
  const auto count = [] {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      files += entry.path().filename().string().starts_with("layoutcheck-") ? 1u : 0u;
    }
    return files;
  };
  const size_t before = count();
  {
    const auto program = NativeProgram::Compile({.file = file, .name = "half", .parameters = {kInt}});
    ASSERT_TRUE(program.has_value()) << program.error().message;
    for (const int64_t i : {int64_t{-7}, int64_t{0}, int64_t{INT32_MAX}, int64_t{INT32_MIN}}) {
      const auto result = program->Call(Values{{i}});
      ASSERT_TRUE(result.has_value());
      ASSERT_EQ(result->end, End::kReturned);
      EXPECT_TRUE(result->returned == std::vector<Int128>{i / 2});
    }
    EXPECT_EQ(count(), before + 1);
  }
  EXPECT_EQ(count(), before);
}

TEST_F(NativeRun, UndefinedBehaviorIsATrap) {
  const std::string file = Write("tile.c",
                                 "static const int table[4] = {1, 2, 3, 4};\n"
                                 "int sum(int a, int b) { return a + b; }\n"
                                 "int shift(int a, int b) { return a << b; }\n"
                                 "int divide(int a, int b) { return a / b; }\n"
                                 "int entry(int a, int b) { return table[a + b]; }\n");
  const auto run = [&](const std::string& name, Int128 a, Int128 b) {
    return Run({.file = file, .name = name, .parameters = {kInt, kInt}}, {{a}, {b}});
  };
  const std::string trapped = "ran into undefined behavior (a trap of -fsanitize=undefined)";
  EXPECT_EQ(run("sum", INT32_MAX, 0), "returned 2147483647");
  EXPECT_EQ(run("sum", INT32_MAX, 1), trapped);
  EXPECT_EQ(run("shift", 1, 31), trapped);  // C99 to C23
  EXPECT_EQ(run("shift", 1, 32), trapped);
  EXPECT_EQ(run("divide", INT32_MIN, -1), trapped);
  EXPECT_EQ(run("divide", 1, 0), trapped);
  EXPECT_EQ(run("entry", 1, 2), "returned 4");
  EXPECT_EQ(run("entry", 2, 2), trapped);
}

TEST_F(NativeRun, FlagsOfTheUserHold) {
  const std::string file = Write("tile.c", "int sum(int a, int b) { return a + b + EXTRA; }\n");
  EXPECT_EQ(
      Run({.file = file, .name = "sum", .parameters = {kInt, kInt}, .compiler_flags = {"-fwrapv", "-DEXTRA=1", "-O2"}},
          {{INT32_MAX}, {0}}),
      "returned -2147483648");
}

TEST_F(NativeRun, EveryWidthAndSignIsPassedAndReturned) {
  const std::string file =
      Write("wide.c",
            "#include <stdbool.h>\n#include <stdint.h>\n"
            "int64_t f(int8_t a, uint8_t b, int16_t c, uint16_t d, uint32_t e, int64_t g, bool h) {\n"
            "  return a + 1000LL * b + c + d + (int64_t)e + g + (h ? 7 : 0);\n}\n"
            "uint64_t all(uint64_t a) { return ~a; }\nuint8_t byte(int a) { return a; }\n"
            "bool odd(unsigned a) { return a & 1; }\n");
  const auto type = [](int bits, bool is_signed) { return NativeParameter{.types = {{bits, is_signed}}}; };
  EXPECT_EQ(Run({.file = file,
                 .name = "f",
                 .parameters = {type(8, true), type(8, false), type(16, true), type(16, false), type(32, false),
                                type(64, true), type(1, false)},
                 .returns = {{64, true}}},
                {{-3}, {200}, {-30000}, {60000}, {4000000000}, {-5000000000}, {1}}),
            StrCat("returned ", -3 + 200000 - 30000 + 60000 + 4000000000 - 5000000000 + 7));
  EXPECT_EQ(Run({.file = file, .name = "all", .parameters = {type(64, false)}, .returns = {{64, false}}}, {{1}}),
            "returned 18446744073709551614");
  EXPECT_EQ(Run({.file = file, .name = "byte", .parameters = {kInt}, .returns = {{8, false}}}, {{511}}),
            "returned 255");
  EXPECT_EQ(Run({.file = file, .name = "odd", .parameters = {kInt}, .returns = {{1, false}}}, {{5}}), "returned 1");
}

// The names of the user's types are not known: structs of the same fields take their place.
TEST_F(NativeRun, StructsArraysAndOutPointers) {
  const std::string text =
      "struct Dim3 { unsigned x, y, z; };\nstruct Tile { long row; int column; };\n"
      "static inline int size(struct Dim3 d) { return (int)(d.x * d.y * d.z); }\n"
      "int dot(const int* shape, const long* strides, int rank) {\n"
      "  long sum = 0;\n  for (int k = 0; k < rank; ++k) sum += shape[k] * strides[k];\n  return (int)sum;\n}\n"
      "void split(int i, int* out, struct Tile* tile) {\n"
      "  out[0] = i / 8;\n  out[1] = i % 8;\n  tile->row = i;\n  tile->column = -i;\n}\n"
      "struct Tile both(int i) { struct Tile t = {i, i + 1}; return t; }\n";
  for (const char* name : {"structs.c", "structs.cc", "structs.cu"}) {
    const std::string file = Write(name, text);
    const NativeType word{32, false};
    const NativeType wide{64, true};
    EXPECT_EQ(Run({.file = file, .name = "size", .parameters = {{Kind::kStruct, {word, word, word}}}}, {{2, 3, 5}}),
              "returned 30");
    EXPECT_EQ(Run({.file = file,
                   .name = "dot",
                   .parameters = {{Kind::kArray, {{}, {}, {}}}, {Kind::kArray, {wide, wide, wide}}, kInt}},
                  {{2, 3, 5}, {100, 10, 1}, {3}}),
              "returned 235 [2, 3, 5] [100, 10, 1]");
    EXPECT_EQ(Run({.file = file,
                   .name = "split",
                   .parameters = {kInt, {Kind::kArray, {{}, {}}}, {Kind::kArray, {wide, {}}}},
                   .returns = {}},
                  {{19}, {0, 0}, {0, 0}}),
              "returned [2, 3] [19, -19]");
    EXPECT_EQ(Run({.file = file, .name = "both", .parameters = {kInt}, .returns = {wide, {}}}, {{4}}), "returned 4, 5");
  }
}

TEST_F(NativeRun, AccessPastTheEndOfAnArrayIsASignal) {
  const std::string file = Write("past.c", "int at(const int* shape, int k) { return shape[k]; }\n");
  const auto program =
      NativeProgram::Compile({.file = file, .name = "at", .parameters = {{Kind::kArray, {{}, {}, {}}}, kInt}});
  ASSERT_TRUE(program.has_value()) << program.error().message;
  EXPECT_EQ(program->Call(Values{{7, 8, 9}, {2}})->ToString(), "returned 9 [7, 8, 9]");
  const auto past = program->Call(Values{{7, 8, 9}, {3}});
  EXPECT_EQ(past->end, End::kSignal);
  EXPECT_EQ(past->code, SIGSEGV);
}

TEST_F(NativeRun, PreludeAndNamesOfCxx) {
  const std::string file = Write("kernel.cu",
                                 "namespace tiles {\n__device__ int Offset(int i) { return i * 4 + threadIdx_x(); }\n"
                                 "__device__ int Offset(long i) { return 0; }\n}\n");
  EXPECT_EQ(Run({.file = file,
                 .name = "tiles::Offset",
                 .parameters = {kInt},
                 .prelude = "#define __device__\n#define threadIdx_x() 3"},
                {{5}}),
            "returned 23");
}

// Another main, output of the function, and types of its own with standard names.
TEST_F(NativeRun, SourceMayDoAsItLikes) {
  const std::string file = Write("odd.c",
                                 "typedef int int64_t;\nint printf(const char*, ...);\n"
                                 "int64_t f(int64_t i) { printf(\"layoutcheck-result 5\\n\"); return i; }\n"
                                 "int main(void) { return f(1); }\n");
  EXPECT_EQ(Run({.file = file, .name = "f", .parameters = {kInt}}, {{42}}), "returned 42");
}

TEST_F(NativeRun, EndsOtherThanAReturnAreTold) {
  const std::string file = Write("ends.c",
                                 "#include <stdlib.h>\nint leave(int i) { exit(i); }\nint stop(int i) { abort(); }\n"
                                 "int spin(int i) { volatile int k = i; while (k) {} return 1; }\n");
  EXPECT_EQ(Run({.file = file, .name = "leave", .parameters = {kInt}}, {{0}}), "ended the process with exit code 0");
  EXPECT_EQ(Run({.file = file, .name = "leave", .parameters = {kInt}}, {{9}}), "ended the process with exit code 9");
  EXPECT_EQ(Run({.file = file, .name = "stop", .parameters = {kInt}}, {{9}}), "was killed by signal 6 (Aborted)");
  const auto program = NativeProgram::Compile({.file = file, .name = "spin", .parameters = {kInt}});
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(program->Call(Values{{1}}, std::chrono::milliseconds(100))->ToString(), "did not return in time");
}

TEST_F(NativeRun, LlvmTextIsCompiledAsItIs) {
  const std::string file = Write("tile.ll",
                                 "define internal i32 @\"tile offset\"(i32 %i, ptr %shape) {\n"
                                 "  %n = load i32, ptr %shape\n  %p = mul nsw i32 %i, %n\n  ret i32 %p\n}\n");
  const NativeFunction function{.file = file, .name = "tile offset", .parameters = {kInt, {Kind::kArray, {{}}}}};
  EXPECT_EQ(Run(function, {{6}, {7}}), "returned 42 [7]");
  EXPECT_EQ(Run(function, {{65536}, {65536}}), "returned 0 [65536]");
}

TEST_F(NativeRun, ErrorsNameTheFileAndTheCause) {
  const std::string wrong = Write("wrong.c", "int f(int i) { return i +; }\n");
  EXPECT_EQ(
      Run({.file = wrong, .name = "f", .parameters = {kInt}}, {{1}}),
      StrCat("clang does not compile ", wrong, " with a call of f: ", wrong, ":1:26: error: expected expression"));
  const std::string file = Write("tile.c", "int missing(int);\nint f(int i) { return missing(i); }\n");
  EXPECT_NE(Run({.file = file, .name = "g", .parameters = {kInt}}, {{1}}).find("'g'"), std::string::npos);
  EXPECT_NE(Run({.file = file, .name = "f", .parameters = {kInt}}, {{1}}).find("undefined reference to `missing'"),
            std::string::npos);
  EXPECT_NE(Run({.file = directory_.MissingFile() + ".c", .name = "f"}, {}).find("file not found"), std::string::npos);
}

TEST_F(NativeRun, ValuesMustFitTheParameters) {
  const std::string file = Write("tile.c", "int f(int i) { return i; }\n");
  const std::string error = "the values do not fit parameter 1 of f";
  EXPECT_EQ(Run({.file = file, .name = "f", .parameters = {kInt}}, {}), error);
  EXPECT_EQ(Run({.file = file, .name = "f", .parameters = {kInt}}, {{1, 2}}), error);
}

}  // namespace
}  // namespace layoutcheck
