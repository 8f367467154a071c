// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/source/source_functions.h"
#include <gtest/gtest.h>
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns "f 1-3, g 5-5": the functions with the lines of their bodies.
std::string Functions(std::string_view text) {
  std::string list;
  for (const SourceFunction& function : FindSourceFunctions(text)) {
    StrAppend(list, list.empty() ? "" : ", ", function.name, " ", function.body_line, "-", function.last_line);
  }
  return list;
}

TEST(SourceFunctions, AreThoseOfNamespacesAndClasses) {
  EXPECT_EQ(Functions("int f(int a) {\n  return a;\n}\nint g();\n"), "f 1-3");
  EXPECT_EQ(Functions("namespace a::b {\nvoid f() {}\n}\nextern \"C\" {\nvoid g() { f(); }\n}"), "f 2-2, g 5-5");
  EXPECT_EQ(Functions("struct A : B {\n  A(int a) : a_{a}, b_(a) { a_ = 1; }\n  void f() const { }\n  int a_;\n};"),
            "A 2-2, f 3-3");
  EXPECT_EQ(Functions("struct __align__(16) V { float x; };\nenum E { kA, kB };\nint t[] = {1, 2};\nauto l = [](int a) "
                      "{ return a; };"),
            "");
}

TEST(SourceFunctions, HaveTemplatesAttributesAndOperators) {
  EXPECT_EQ(Functions("template <class T, int N = (3 > 2)>\n__global__ void __launch_bounds__(256) copy(T* a)\n{\n}"),
            "copy 3-4");
  EXPECT_EQ(Functions("__attribute__((global)) void f(int a = g()) { }"), "f 1-1");
  EXPECT_EQ(Functions("auto f(int a) -> decltype(a) { return a; }"), "f 1-1");
  EXPECT_EQ(Functions("bool operator==(A a, A b) { return true; }\nint operator()(int a) { return a; }"),
            "operator== 1-1, operator() 2-2");
}

TEST(SourceFunctions, BracketsInTextsAndCommentsDoNotCount) {
  EXPECT_EQ(
      Functions("int f() {\n  // }\n  /* } */\n  char c = '}';\n  return sizeof(\"}\\\"}\") + 1'0;\n}\nint g() {}"),
      "f 1-6, g 7-7");
  EXPECT_EQ(Functions("const char* k = R\"x(int a() { )x\";\n#define M(a) \\\n  int a() {\nint g() {}"), "g 4-4");
}

TEST(SourceFunctions, BrokenTextEnds) {
  for (const char* text :
       {"int f() {", "int f(", "template <", "\"", "R\"(", "/*", "#define A \\", "}}}", ")) {", "operator {"}) {
    (void)FindSourceFunctions(text);
  }
  EXPECT_EQ(Functions("int f() {\n  if (a) {\n"), "f 1-2");
}

TEST(SourceFunctions, OperatorsAndConstructorsAreCalledWithoutTheirNames) {
  for (const auto& [text, is_called_by_name] :
       {std::pair("__device__ int f() {}", true), std::pair("__global__ void f() {}", true),
        std::pair("A operator+(A a, A b) {}", false), std::pair("struct A { explicit A(int a) : a_(a) {} };", false),
        std::pair("struct A { __device__ ~A() {} };", false),
        std::pair("struct A { operator int() const {} };", false)}) {
    const auto functions = FindSourceFunctions(text);
    ASSERT_EQ(functions.size(), 1U) << text;
    EXPECT_EQ(functions[0].is_called_by_name, is_called_by_name) << text;
  }
}

TEST(WithoutFunctions, KeepsTheLines) {
  const std::string text = "int f() {\n  return 1;\n}\nint g() { return f(); }\n";
  const auto functions = FindSourceFunctions(text);
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(WithoutFunctions(text, {functions[0]}, /*with_declarations=*/true),
            "int f() ;\n           \n \nint g() { return f(); }\n");
  const std::string rest = WithoutFunctions(text, functions, /*with_declarations=*/false);
  EXPECT_EQ(rest.find_first_not_of(" \n"), std::string::npos);
  EXPECT_EQ(std::ranges::count(rest, '\n'), 4);
}

TEST(HasWord, OfCodeAlone) {
  EXPECT_TRUE(HasWord("return f(x);", "f"));
  EXPECT_FALSE(HasWord("return ff(x); // f\n\"f\"", "f"));
  EXPECT_FALSE(HasWord("#define g(x) f(x)\n", "f"));
  EXPECT_TRUE(HasWordInDirective("int a;\n#define g(x) \\\n f(x)\n", "f"));
  EXPECT_FALSE(HasWordInDirective("int f;\n#define g(x) x\n", "f"));
}

}  // namespace
}  // namespace layoutcheck
