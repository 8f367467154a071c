// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions with known answers, and the C that is printed: compiled, run and proved.
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/run/index_proof.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"

namespace layoutcheck {
namespace {

TEST(Conversion, CompiledC) {
  const std::vector<std::string> layouts = {
      "f32[]",
      "f32[3,5]{1,0:T(2,2)}",
      "f32[1,17,3,5]{3,2,1,0:T(16,1,1)}",
      "bf16[2,3,9]{2,1,0:T(2,*,4)}",
      "bf16[300]{0:T(256)(128)(2,1)}",
      "(4,(2,2)):(-1,(8,16))",
      "(3,4):(0,2)",
      "nZ:s8[33,40]",
      "Sw<2,0,3> o 0 o (8,8):(8,1)",
      "Sw<1,1,-2> o 3 o (4,4):(4,1)",
      "f32[2,3]{0,1}pad[3,5]=0",
  };
  std::string program = "#include <stdio.h>\n";
  std::string body;
  std::string expected;
  for (size_t n = 0; n < layouts.size(); ++n) {
    const auto layout = ReadLayout(layouts[n]);
    ASSERT_TRUE(layout.has_value()) << layouts[n];
    const auto conversion = Convert(**layout, ConversionTarget::kC, ElementType::kF32);
    ASSERT_TRUE(conversion.has_value()) << layouts[n];
    StrAppend(program, "#define layout_index index_of_", n, "\n", conversion->text, "\n#undef layout_index\n");
    std::vector<int64_t> sizes;
    for (size_t at = 0; (at = conversion->text.find(" < ", at)) != std::string::npos; ++at) {
      sizes.push_back(std::stoll(conversion->text.substr(at + 3)));
    }
    ForEachIndex(sizes, [&](std::span<const int64_t> i) {
      StrAppend(expected, (*layout)->IndexOf(StrCat("(", StrJoin(i, ","), ")")).value(), "\n");
    });
    std::vector<std::string> names;
    for (size_t d = 0; d < sizes.size(); ++d) {
      StrAppend(body, "  for (int64_t i", d, " = 0; i", d, " < ", sizes[d], "; ++i", d, ")\n");
      names.push_back(StrCat("i", d));
    }
    StrAppend(body, "  printf(\"%lld\\n\", (long long)index_of_", n, "(", StrJoin(names, ", "), "));\n");
  }
  StrAppend(program, "int main(void) {\n", body, "  return 0;\n}\n");
  const TemporaryDirectory directory;
  std::ofstream(directory.path() + "/index.c") << program;
  const std::string command =
      StrCat("cd ", directory.path(), " && ", LAYOUTCHECK_CXX,
             " -x c -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror index.c -o index && ./index > out");
  EXPECT_EQ(std::system(command.c_str()), 0) << program;
  std::ifstream out(directory.path() + "/out");
  const std::string printed((std::istreambuf_iterator<char>(out)), std::istreambuf_iterator<char>());
  EXPECT_EQ(printed, expected);
  EXPECT_GT(expected.size(), 1000u);
  std::printf("%zu functions of C\n", layouts.size());
}

struct KnownConversion {
  const char* layout;
  ConversionTarget target;
  const char* text;  // null if the layout cannot be read
};

// The oneDNN tags were compared with oneDNN's own descriptors, and the fractal tags with the original headers.
const KnownConversion kKnown[] = {
    {"f32[1,17,3,5]{3,2,1,0:T(16,1,1)}", ConversionTarget::kOneDnn, "aBcd16b"},
    {"f32[64,64,3,3]{3,2,1,0:T(16,16,1,1)(16,1,1,1)}", ConversionTarget::kOneDnn, "ABcd16b16a"},
    {"f32[64,64,3,3]{3,2,1,0:T(16,16,1,1)(16,4,1,1)}", ConversionTarget::kOneDnn, "ABcd4b16a4b"},
    {"f32[64,64,3,3]{3,2,1,0:T(16,16,1,1)(2,1,1,1)}", ConversionTarget::kOneDnn, "ABcd8a16b2a"},
    {"f32[64,64,3,3]{3,2,1,0:T(32,32,1,1)(32,16,1,1)(4,1,1,1)}", ConversionTarget::kOneDnn, "ABcd2b8a16b4a"},
    {"f32[100,100]{0,1:T(64,64)(64,4)}", ConversionTarget::kOneDnn, "BA16a64b4a"},
    {"f32[1,17,3,5]{1,3,2,0}", ConversionTarget::kOneDnn, "acdb"},
    {"zN:f16[20,40]", ConversionTarget::kHlo, "f16[20,40]{0,1:T(16,16)(16,1)}"},
    {"nZ:f32[M,N]", ConversionTarget::kHlo, nullptr},  // names have no linear index
    {"zN:f16[20,40]", ConversionTarget::kShapeStride, "((16,2),(16,3)):((16,256),(1,512))"},
    {"NDC1HWC0:f16[2,20,3,5,7]", ConversionTarget::kHlo, "f16[2,20,3,5,7]{4,3,1,2,0:T(16,1,1)}"},
    {"FractalZ:f16[20,33,3,5]", ConversionTarget::kHlo, "f16[20,33,3,5]{0,3,2,1:T(16,1,1,16)(16,1,1,1)}"},
    {"NC1HWC0:f16[2,20,5,7]", ConversionTarget::kOneDnn, "aBcd16b"},
    {"zZ:s8[20,40]", ConversionTarget::kPack,
     "outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [16, 32]"},
    {"((4,2),(4,3)):((4,16),(1,32))", ConversionTarget::kHlo, "f32[8,12]{0,1:T(4,1)}"},
    {"f32[3,5]{1,0:T(2,2)}", ConversionTarget::kShapeStride, "((2,2),(2,3)):((2,12),(1,4))"},
    {"f32[3,5]{1,0:T(2,2)}", ConversionTarget::kAffine,
     "affine_map<(d0, d1) -> ((d0 floordiv 2) * 12 + (d1 floordiv 2) * 4 + (d0 mod 2) * 2 + d1 mod 2)>"},
    {"bf16[2048]{0:T(1024)(128)(2,1)}", ConversionTarget::kAffine,
     "affine_map<(d0) -> ((d0 floordiv 256) * 256 + (d0 mod 128) * 2 + (d0 floordiv 128) mod 2)>"},
    {"f32[1,17,3,5]{3,2,1,0:T(16,1,1)}", ConversionTarget::kPack,
     "outer_dims_perm = [0, 1, 2, 3] inner_dims_pos = [1] inner_tiles = [16]"},
    {"f32[2,3]{0,1}pad[3,5]=0", ConversionTarget::kHlo, "f32[2,3]{0,1:T(5,3)}"},
    {"16 o (3,4):(5,1)", ConversionTarget::kAffine, "affine_map<(d0, d1) -> (d0 * 5 + d1 + 16)>"},
    {"Sw<2,0,3> o 0 o (8,8):(8,1)", ConversionTarget::kShapeStride, "Sw<2,0,3> o 0 o (8,8):(8,1)"},
    {"f32[]", ConversionTarget::kAffine, "affine_map<() -> (0)>"},
    {"f32[4]{0:S(1)}", ConversionTarget::kHlo, "f32[4]{0:S(1)}"},
};

TEST(Conversion, KnownAnswers) {
  for (const KnownConversion& row : kKnown) {
    const auto layout = ReadLayout(row.layout);
    ASSERT_EQ(layout.has_value(), row.text != nullptr) << row.layout;
    if (!layout) continue;
    const auto conversion = Convert(**layout, row.target, ElementType::kF32);
    ASSERT_TRUE(conversion.has_value()) << row.layout << ": " << conversion.error().message;
    EXPECT_EQ(conversion->text, row.text) << row.layout;
  }
  std::printf("%zu known conversions\n", std::size(kKnown));
}

TEST(Conversion, CIsProvedBeforeItIsPrinted) {
  const std::string proved =
      "// Proved for every element: it is the index of the layout, and no part of it overflows.\n";
  for (const auto& [text, evidence] :
       std::vector<std::pair<std::string, std::string>>{{"bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", proved},
                                                        {"f32[8,9,10]{2,1,0:T(2,*,4)}", proved},
                                                        {"f32[2,3]{0,1}pad[3,5]=0", proved},
                                                        {"zN:f16[20,40]", proved},
                                                        {"((4,2),(4,3)):((4,16),(-1,32))", proved},
                                                        {"f32[]", proved},
                                                        {"Sw<2,0,3> o 0 o (8,8):(8,1)", proved},
                                                        {"Sw<5,0,5> o 0 o (64,64):(64,1)", proved},
                                                        {"f32[0,3]{1,0}", "// There is no element.\n"}}) {
    const auto layout = ReadLayout(text);
    ASSERT_TRUE(layout.has_value()) << text;
    const auto conversion = Convert(**layout, ConversionTarget::kC, ElementType::kF32, WhyNotProved);
    ASSERT_TRUE(conversion.has_value()) << text;
    EXPECT_NE(conversion->text.find(".\n" + evidence), std::string::npos) << conversion->text;
  }
  // A wrong formula is refuted.
  const auto layout = ReadLayout("f32[3,5]{1,0}");
  const std::vector<int64_t> sizes = {3, 5};
  const IndexExpression row = IndexExpression::Coordinate(0, 3);
  const IndexExpression column = IndexExpression::Coordinate(1, 5);
  EXPECT_EQ(WhyNotProved((*layout)->Forms(), sizes, {row * 5 + column}), "");
  EXPECT_EQ(WhyNotProved((*layout)->Forms(), sizes, {row * 4 + column}), "it was refuted");
  EXPECT_EQ(WhyNotProved((*layout)->Forms(), sizes, {row * 5 + column, Swizzle{1, 0, 1}}), "it was refuted");
}
}  // namespace
}  // namespace layoutcheck
