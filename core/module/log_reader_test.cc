// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/log_reader.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

// Returns "line:column name opcode shape" of each array.
std::vector<std::string> ArraysIn(std::string text) {
  const HloModule log = ReadLog(std::move(text));
  std::vector<std::string> arrays;
  for (const ModuleInstruction& array : log.computations.at(0).instructions) {
    arrays.push_back(StrCat(array.place.line, ":", array.place.column, " ", array.name, " ", array.opcode, " ",
                            ToString(*array.shape)));
  }
  return arrays;
}

using Texts = std::vector<std::string>;

TEST(LogReader, ShapesWithLayoutsInAnyText) {
  EXPECT_EQ(ArraysIn("I0101 relayout of f32[8,128]{1,0:T(8,128)} to (bf16[4]{0},s8[2,2]{0,1})\n"
                     "\n"
                     "x[3] array[i]{0} f32[2] my_f32[3]{0} f32[a]{0} f32[3]{0:T(8\n"
                     "pred[]{:T(512)}, f32[], last: s4[9]{0:E(4)}"),
            (Texts{"1:19   f32[8,128]{1,0:T(8,128)}", "1:48   bf16[4]{0}", "1:59   s8[2,2]{0,1}",
                   "4:1   pred[]{:T(512)}", "4:31   s4[9]{0:E(4)}"}));
}

TEST(LogReader, InstructionsInALog) {
  EXPECT_EQ(ArraysIn("E0101 12:00 pass.cc:12] before = after: %add.1 = f32[8]{0} add(f32[8]{0} %a, f32[8]{0} %b)\n"
                     "  ROOT t = (f32[2]{0}, s32[]) tuple(x, y), metadata={op_name=\"a = f32[9]{0} b(\"}\n"
                     "  limit = 5, tile = f32[4]{0}"),
            (Texts{"1:41 add.1 add f32[8]{0}", "2:8 t tuple (f32[2]{0}, s32[])", "3:21   f32[4]{0}"}));
}

TEST(LogReader, AShapeWithoutALayoutCountsInTheLineOfAnAllocation) {
  EXPECT_EQ(ArraysIn("Shape: f32[4,5]\n"
                     "value: <3 add @0> (size=80,offset=0): f32[4,5]\n"
                     "allocation 0: size 80, parameter 0, shape |s32[20]| at ShapeIndex {}\n"
                     "the shape f32[4,5] is mentioned\n"
                     "of f32[4,5] x{1,0}\n"),
            (Texts{"1:8   f32[4,5]{1,0}", "2:39   f32[4,5]{1,0}", "3:44   s32[20]{0}"}));
}

// The allocation lines of public reports, with the bytes that the runtime printed.
TEST(LogReader, AllocationsOfPublicReports) {
  const HloModule log = ReadLog(R"(  Largest program allocations in hbm:

  1. Size: 32.00G
     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}
     Unpadded size: 1.00G
     Extra memory due to padding: 31.00G (32.0x expansion)
     XLA label: %copy.1 = s32[8388608,8,4]{2,1,0:T(8,128)} copy(s32[8388608,8,4]{0,2,1:T(4,128)} %p)
     Allocation type: HLO temp
     ==========================

  2. Size: 4.00G
     Shape: bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}
  3. Size: 256.00M
     Shape: pred[64,512,2048]{2,1,0:T(8,128)E(32)}
  4. Size: 14.00G
     Shape: s32[29360128,10]{1,0:T(8,128)}
)");
  constexpr int64_t kMi = int64_t{1} << 20;
  constexpr int64_t kGi = int64_t{1} << 30;
  const std::vector<int64_t> reported = {32 * kGi, 4 * kGi, 256 * kMi, 14 * kGi};
  const std::vector<ModuleInstruction>& arrays = log.computations.at(0).instructions;
  ASSERT_EQ(arrays.size(), reported.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(SizesOf(*arrays[i].shape).value().bytes, reported[i]) << ToString(*arrays[i].shape);
  }
  EXPECT_EQ(arrays[0].name, "copy.1");
  EXPECT_EQ(arrays[0].opcode, "copy");
  EXPECT_EQ(arrays[0].place, (TextPlace{4, 13}));
  EXPECT_EQ(arrays[1].name, "");
}

TEST(LogReader, NamesEndAtWhatStandsInNone) {
  for (const char c : {'`', '{', '@', '[', '/', ':', '^', ',', '$', ' ', '('}) {
    const std::string text = StrCat(std::string(1, c), "%azAZ09_.-b = f32[2]{0} add(x)");
    EXPECT_EQ(ArraysIn(text), Texts{"1:2 azAZ09_.-b add f32[2]{0}"}) << c;
    // In front of an element type, the same bytes begin it anew; others make it the end of a name.
    EXPECT_EQ(ArraysIn(StrCat(std::string(1, c), "f32[2]{0}")), Texts{"1:2   f32[2]{0}"}) << c;
  }
  for (const char c : {'a', 'z', 'A', 'Z', '0', '9', '_', '.', '-', '%'}) {
    EXPECT_EQ(ArraysIn(StrCat(std::string(1, c), "f32[2]{0}")), Texts{}) << c;
  }
}

TEST(LogReader, NotEveryEqualsSignIsOfAnInstruction) {
  EXPECT_EQ(ArraysIn("= f32[2]{0} add(x)\n"
                     " = f32[2]{0} add(x)\n"
                     "a = 5, b = f32[3]{0} add\n"
                     "c = f32[4]{0} (d)\n"
                     "e = f = f32[5]{0} add(x)\n"
                     "g = f32[2 h = f32[6]{0} add(x), i = f32[7]{0} add(x)"),
            (Texts{"1:3   f32[2]{0}", "2:4   f32[2]{0}", "3:12   f32[3]{0}", "4:5   f32[4]{0}", "5:5 f add f32[5]{0}",
                   "6:11 h add f32[6]{0}"}));
}

TEST(LogReader, ALabelNamesTheAllocationInFrontOfIt) {
  EXPECT_EQ(
      ArraysIn("XLA Label: %early = f32[1]{0} add(x)\n"
               "Shape: f32[2]{0}\n"
               "XLA Label: %first = f32[9]{0} copy(x)\n"
               "XLA label: %second = f32[3]{0} add(x)\n"
               "Shape: f32[4]{0}\n"
               "no such word: %third = f32[5]{0} add(x)\n"
               "XLA label: %fourth = f32[6]{0} add(x)\n"
               "mentions f32[7]{0}\n"
               "XLA label: %fifth = f32[8]{0} add(x)\n"),
      (Texts{"1:12 early add f32[1]{0}", "2:8 first copy f32[2]{0}", "4:12 second add f32[3]{0}", "5:8   f32[4]{0}",
             "6:15 third add f32[5]{0}", "7:12 fourth add f32[6]{0}", "8:10   f32[7]{0}", "9:12 fifth add f32[8]{0}"}));
}

// Returns "name opcode source_file:source_line shape" of each array.
std::vector<std::string> LabelsIn(std::string text) {
  const HloModule log = ReadLog(std::move(text));
  std::vector<std::string> labels;
  for (const ModuleInstruction& array : log.computations.at(0).instructions) {
    labels.push_back(StrCat(array.name, " ", array.opcode, " ", array.source_file, ":", array.source_line, " ",
                            ToString(*array.shape)));
  }
  return labels;
}

TEST(LogReader, LabelsWithoutShapes) {
  const std::string report = R"(  Largest program allocations in hbm:

  1. Size: 2.00G
     Operator: op_name="jit(f)/mul" source_file="model.py" source_line=7
     Shape: f32[4096,2]{1,0:T(8,128)}
     Unpadded size: 32.0K
     XLA label: fusion.1265.remat3 = fusion(custom-call.224, ...)
     Allocation type: HLO temp
     ==========================

  2. Size: 1.00G
     Shape: f32[8,2]{1,0:T(8,128)}
     XLA label: register allocator spill slots in HLO :: matmul.1
     ==========================

  3. Size: 1.00G
     Operator: op_name="jit(f)/add" source_file="other.py" source_line=9
     Shape: f32[16,2]{1,0:T(8,128)}
     XLA label: %copy.4 = f32[16,2]{1,0:T(8,128)} copy(%x), metadata={op_name="y" source_file="own.py" source_line=3}
     ==========================
)";
  const Texts labels = {"fusion.1265.remat3 fusion model.py:7 f32[4096,2]{1,0:T(8,128)}", "  :0 f32[8,2]{1,0:T(8,128)}",
                        "copy.4 copy own.py:3 f32[16,2]{1,0:T(8,128)}"};
  EXPECT_EQ(LabelsIn(report), labels);
  // Some logs have the whole report in one line.
  std::string one_line = report;
  std::ranges::replace(one_line, '\n', ' ');
  EXPECT_EQ(LabelsIn(one_line), labels);
}

TEST(LogReader, LabelsInFrontOfTheirShapes) {
  const std::string report = R"(Peak buffers:
	Buffer 1:
		Size: 3.40GiB
		Operator: op_type="Mul" op_name="while/mul" source_file="ops.py" source_line=1177
		XLA Label: fusion
		Shape: f32[1200,476,1600]
		==========================

	Buffer 2:
		Size: 1.62GiB
		Entry Parameter Subshape: f32[11,508,2605,49]
		==========================

	Buffer 3:
		Size: 1.00GiB
		XLA Label: custom-call
		Shape: f32[64]
		==========================
)";
  const Texts labels = {" fusion ops.py:1177 f32[1200,476,1600]{2,1,0}", " custom-call :0 f32[64]{0}"};
  const auto with_label = [](const std::string& label) { return !label.starts_with("  "); };
  Texts found = LabelsIn(report);
  std::erase_if(found, std::not_fn(with_label));
  EXPECT_EQ(found, labels);
  std::string one_line = report;
  std::ranges::replace(one_line, '\n', ' ');
  found = LabelsIn(one_line);
  std::erase_if(found, std::not_fn(with_label));
  EXPECT_EQ(found, labels);
}

TEST(LogReader, SourcesInMetadata) {
  EXPECT_EQ(LabelsIn("%a = f32[2]{0} add(%b), metadata={op_name=\"x\" source_file=\"f.py\" source_line=12}\n"
                     "%b = f32[2]{0} add(%b), metadata={source_file=\"f.py\"}\n"
                     "%c = f32[2]{0} add(%b), metadata={source_file=\"f.py source_line=3}\n"
                     "Operator: source_file=\"g.py\" source_line=4\n"
                     "f32[3]{0} is no allocation\nShape: f32[4]{0}\nShape: f32[5]{0}\n"),
            (Texts{"a add f.py:12 f32[2]{0}", "b add :0 f32[2]{0}", "c add :0 f32[2]{0}", "  :0 f32[3]{0}",
                   "  g.py:4 f32[4]{0}", "  :0 f32[5]{0}"}));
}

TEST(LogReader, TimeIsLinearInTheLabelsOfALine) {
  std::string text;
  while (text.size() < 400'000) text += "XLA label: XLA ";
  EXPECT_EQ(ReadLog(text).computations.at(0).instructions.size(), 0);
}

TEST(LogReader, ALogIsOneComputation) {
  const HloModule log = ReadLog("f32[2]{0}\nx = f32[3]{0} add(y) z", 7);
  EXPECT_TRUE(log.is_log);
  EXPECT_EQ(log.place, (TextPlace{7, 1}));
  ASSERT_EQ(log.computations.size(), 1);
  EXPECT_EQ(log.computations[0].place, (TextPlace{7, 1}));
  ASSERT_EQ(log.computations[0].instructions.size(), 2);
  EXPECT_EQ(log.computations[0].root, 1);
  EXPECT_EQ(log.computations[0].instructions[0].text, "f32[2]{0}");
  EXPECT_EQ(log.computations[0].instructions[1].text, "x = f32[3]{0} add(y) z");
  EXPECT_EQ(log.computations[0].instructions[1].place, (TextPlace{8, 1}));
  EXPECT_EQ(ReadLog("nothing here").computations.at(0).Root(), nullptr);
}

TEST(LogReader, LayoutsAreNotJudged) {
  EXPECT_EQ(ArraysIn("f32[2]{1}\nx = f32[3,3]{0,0} add(y)\nz = f32[4] add(y)"),
            (Texts{"1:1   f32[2]{1}", "2:1 x add f32[3,3]{0,0}", "3:1 z add f32[4]"}));
}

TEST(LogReader, LongerShapesAreNotLookedFor) {
  const auto shape_of = [](size_t bytes) { return StrCat("f32[2", std::string(bytes - 9, ' '), "]{0}"); };
  EXPECT_EQ(ArraysIn(shape_of(4096)).size(), 1);
  EXPECT_EQ(ArraysIn(shape_of(4097)).size(), 0);
  EXPECT_EQ(ArraysIn(StrCat("x = ", shape_of(65532), " ab(")), Texts{"1:1 x ab f32[2]{0}"});
  EXPECT_EQ(ArraysIn(StrCat("x = ", shape_of(65533), " ab(")), Texts{});
}

}  // namespace
}  // namespace layoutcheck
