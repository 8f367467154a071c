// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of Triton as layouts. The known answers are those of its
// unittest/Dialect/TritonGPU/LinearLayoutConversionsTest.cpp; each row names the test.
#include "layoutcheck/core/linear/triton_layout.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/linear/triton_text.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

std::string TextOfAttribute(std::string_view attribute) {
  const Expected<TritonLayout> layout = ParseTritonLayout(attribute);
  if (!layout) return layout.error().ToString();
  return std::visit([](const auto& value) { return ToString(value); }, *layout);
}

struct Row {
  const char* test;
  std::string attribute;
  const char* layout;
};

void ExpectRows(const std::vector<Row>& rows) {
  for (const auto& [test, attribute, layout] : rows) {
    EXPECT_EQ(TextOfAttribute(attribute), layout) << test << " " << attribute;
  }
}

std::string Blocked(const std::string& size, const std::string& threads, const std::string& warps,
                    const std::string& order, const std::string& rest) {
  return "#ttg.blocked<{sizePerThread = [" + size + "], threadsPerWarp = [" + threads + "], warpsPerCTA = [" + warps +
         "], order = [" + order + "]" + rest;
}
std::string Cluster(const std::string& blocks, const std::string& split, const std::string& order) {
  return ", CTAsPerCGA = [" + blocks + "], CTASplitNum = [" + split + "], CTAOrder = [" + order + "]}> ";
}
std::string Swizzled(int vec, int per_phase, int max_phase, const std::string& order, const std::string& shape) {
  return "#ttg.swizzled_shared<{vec = " + std::to_string(vec) + ", perPhase = " + std::to_string(per_phase) +
         ", maxPhase = " + std::to_string(max_phase) + ", order = [" + order + "]}> " + shape;
}

TEST(TritonLayout, Blocked) {
  ExpectRows({
      {"SimpleBlocked", Blocked("1", "4", "4", "0", "}> [16]"),
       "ll{register:[],lane:[1,2],warp:[4,8],block:[]} -> [16]"},
      {"CTADuplication", Blocked("1", "4", "4", "0", Cluster("4", "2", "0") + "[32]"),
       "ll{register:[],lane:[1,2],warp:[4,8],block:[16,0]} -> [32]"},
      {"CTABroadcast", Blocked("8, 1", "8, 4", "1, 4", "0, 1", Cluster("1, 2", "1, 2", "1, 0") + "[64,128]"),
       "ll{register:[(1,0),(2,0),(4,0),(0,16),(0,32)],lane:[(8,0),(16,0),(32,0),(0,1),(0,2)],warp:[(0,4),(0,8)],"
       "block:[(0,64)]} -> [64,128]"},
      {"ShapeLargerThanLayout", Blocked("1", "4", "4", "0", "}> [128]"),
       "ll{register:[16,32,64],lane:[1,2],warp:[4,8],block:[]} -> [128]"},
      {"ShapeLargerThanLayout2DDegenerate", Blocked("1, 1", "4, 1", "4, 1", "0, 1", "}> [128, 1]"),
       "ll{register:[(16,0),(32,0),(64,0)],lane:[(1,0),(2,0)],warp:[(4,0),(8,0)],block:[]} -> [128,1]"},
      {"ShapeSmallerThanLayout", Blocked("4", "4", "4", "0", "}> [8]"),
       "ll{register:[1,2],lane:[4,0],warp:[0,0],block:[]} -> [8]"},
      {"ReversedOrder", Blocked("1, 1", "32, 1", "1, 8", "0, 1", "}> [1, 64]"),
       "ll{register:[(0,8),(0,16),(0,32)],lane:[(0,0),(0,0),(0,0),(0,0),(0,0)],warp:[(0,1),(0,2),(0,4)],block:[]} -> "
       "[1,64]"},
      {"ReplicateInRegisterDim", Blocked("2", "4", "1", "0", "}> [32]"),
       "ll{register:[1,8,16],lane:[2,4],warp:[],block:[]} -> [32]"},
      {"OneDimTooLargeAnotherTooSmall",
       Blocked("1, 4", "8, 4", "4, 1", "1, 0", Cluster("2, 2", "2, 1", "1, 0") + "[128, 16]"),
       "ll{register:[(0,1),(0,2),(32,0)],lane:[(0,4),(0,8),(1,0),(2,0),(4,0)],warp:[(8,0),(16,0)],"
       "block:[(0,0),(64,0)]} -> [128,16]"},
      {"RepeatInCTGDimFirst", Blocked("1", "1", "4", "0", Cluster("2", "2", "0") + "[4]"),
       "ll{register:[],lane:[],warp:[1,0],block:[2]} -> [4]"},
      {"SmallerThanCTALayout", Blocked("1", "1", "1", "0", Cluster("4", "4", "0") + "[2]"),
       "ll{register:[],lane:[],warp:[],block:[1,0]} -> [2]"},
      {"Skinny", Blocked("8, 1", "8, 4", "1, 4", "0, 1", Cluster("1, 2", "1, 2", "0, 1") + "[64, 1]"),
       "ll{register:[(1,0),(2,0),(4,0)],lane:[(8,0),(16,0),(32,0),(0,0),(0,0)],warp:[(0,0),(0,0)],block:[(0,0)]} -> "
       "[64,1]"},
      {"BlockedOrder", Blocked("2, 2", "4, 8", "2, 2", "1, 0", Cluster("2, 2", "2, 2", "1, 0") + "[1024, 128]"),
       "ll{register:[(0,1),(1,0),(0,32),(16,0),(32,0),(64,0),(128,0),(256,0)],"
       "lane:[(0,2),(0,4),(0,8),(2,0),(4,0)],warp:[(0,16),(8,0)],block:[(0,64),(512,0)]} -> [1024,128]"},
      {"Blocked4D", Blocked("1, 1, 1, 4", "2, 1, 1, 16", "1, 2, 4, 1", "3, 0, 1, 2", "}> [2, 1, 1, 1]"),
       "ll{register:[],lane:[(0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0),(1,0,0,0)],"
       "warp:[(0,0,0,0),(0,0,0,0),(0,0,0,0)],block:[]} -> [2,1,1,1]"},
  });
  // The images of blocks say the same as CTAsPerCGA: here one block per half of dimension 1.
  EXPECT_EQ(TextOfAttribute(Blocked("8, 1", "8, 4", "1, 4", "0, 1", ", CGALayout = [[0, 1]]}> [64,128]")),
            TextOfAttribute(Blocked("8, 1", "8, 4", "1, 4", "0, 1", Cluster("1, 2", "1, 2", "1, 0") + "[64,128]")));
  EXPECT_EQ(TextOfAttribute(Blocked("1", "4", "4", "0", ", CGALayout = [[1], [0]]}> [32]")),
            TextOfAttribute(Blocked("1", "4", "4", "0", Cluster("4", "2", "0") + "[32]")));
}

TEST(TritonLayout, SwizzledShared) {
  ExpectRows({
      {"SharedSimple1D", Swizzled(1, 1, 1, "0", "[8]"), "ll{offset:[1,2,4],block:[]} -> [8]"},
      {"SharedSimple2D", Swizzled(1, 1, 1, "1, 0", "[4, 4]"), "ll{offset:[(0,1),(0,2),(1,0),(2,0)],block:[]} -> [4,4]"},
      {"SharedSimple2D_Order01", Swizzled(1, 1, 1, "0, 1", "[4, 4]"),
       "ll{offset:[(1,0),(2,0),(0,1),(0,2)],block:[]} -> [4,4]"},
      {"SharedSwizzled2D_MaxPhaseOnly", Swizzled(1, 1, 4, "1, 0", "[32, 32]"),
       "ll{offset:[(0,1),(0,2),(0,4),(0,8),(0,16),(1,1),(2,2),(4,0),(8,0),(16,0)],block:[]} -> [32,32]"},
      {"SharedSwizzled2D_PerPhaseMaxPhase", Swizzled(1, 2, 4, "1, 0", "[32, 32]"),
       "ll{offset:[(0,1),(0,2),(0,4),(0,8),(0,16),(1,0),(2,1),(4,2),(8,0),(16,0)],block:[]} -> [32,32]"},
      {"SharedSwizzled2D_Vec", Swizzled(2, 1, 4, "1, 0", "[4, 8]"),
       "ll{offset:[(0,1),(0,2),(0,4),(1,2),(2,4)],block:[]} -> [4,8]"},
      {"SharedSwizzled2D_PerPhaseMaxPhaseVec", Swizzled(2, 2, 4, "1, 0", "[32, 32]"),
       "ll{offset:[(0,1),(0,2),(0,4),(0,8),(0,16),(1,0),(2,2),(4,4),(8,0),(16,0)],block:[]} -> [32,32]"},
      {"SharedSwizzled4D", Swizzled(2, 2, 4, "3, 2, 1, 0", "[2, 4, 32, 32]"),
       "ll{offset:[(0,0,0,1),(0,0,0,2),(0,0,0,4),(0,0,0,8),(0,0,0,16),(0,0,1,0),(0,0,2,2),(0,0,4,4),(0,0,8,0),"
       "(0,0,16,0),(0,1,0,0),(0,2,0,0),(1,0,0,0)],block:[]} -> [2,4,32,32]"},
      {"SharedSwizzled2D_Order01", Swizzled(1, 1, 4, "0, 1", "[4, 8]"),
       "ll{offset:[(1,0),(2,0),(1,1),(2,2),(0,4)],block:[]} -> [4,8]"},
      {"Shared1DSwizzle", Swizzled(2, 2, 4, "1, 0", "[64, 1]"),
       "ll{offset:[(1,0),(2,0),(4,0),(8,0),(16,0),(32,0)],block:[]} -> [64,1]"},
  });
}

TEST(TritonLayout, Images) {
  ExpectRows({
      // MMAv2_32x32 as images
      {"linear",
       "#ttg.linear<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
       "[4, 0]], warp = [], block = []}>",
       "ll{register:[(0,1),(8,0),(0,8),(0,16),(16,0)],lane:[(0,2),(0,4),(1,0),(2,0),(4,0)],warp:[],block:[]} -> "
       "[32,32]"},
      // A larger shape is repeated in the registers, the dimension of the first register first.
      {"linear, larger shape",
       "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block "
       "= []}> [32, 32]",
       "ll{register:[(0,1),(8,0),(0,8),(0,16),(16,0)],lane:[(0,2),(0,4),(1,0),(2,0),(4,0)],warp:[],block:[]} -> "
       "[32,32]"},
      // A smaller shape removes registers, and leaves lanes without effect.
      {"linear, smaller shape", "#ttg.linear<{register = [[1], [8]], lane = [[2], [4]], warp = []}> [4]",
       "ll{register:[1],lane:[2,0],warp:[],block:[]} -> [4]"},
      {"linear of one dimension", "#ttg.linear<{lane = [1, 2]}>", "ll{register:[],lane:[1,2],warp:[],block:[]} -> [4]"},
      // LeadingOffset_8x16_4_2 as images
      {"shared_linear",
       "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8]]}, alignment = 128>",
       "ll{offset:[(0,1),(0,2),(0,4),(0,8),(1,0),(2,0),(4,8)],block:[]} -> [8,16]"},
  });
}

TEST(TritonLayout, PaddedShared) {
  ExpectRows({
      {"one element per row", "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>", "(32,32):(33,1)"},
      {"columns first", "#ttg.padded_shared<[32:+4] {order = [0, 1], shape = [32, 64]}>", "(32,64):(1,36)"},
      {"within rows", "#ttg.padded_shared<[16:+8] {order = [1, 0], shape = [4, 64]}>", "(4,(16,4)):(96,(1,24))"},
      {"two intervals", "#ttg.padded_shared<[4:+1, 16:+2] {order = [1, 0], shape = [4, 16]}>", "(4,(4,4)):(22,(1,5))"},
      // The rows of test/TritonGPU's attributes in another order: offset 16 is element 64.
      {"images", "#ttg.padded_shared<[16:+4] {offset = [[1], [2], [4], [8], [32], [16]], block = []}>",
       "((16,2,2)):((1,40,20))"},
      {"images that exchange bits", "#ttg.padded_shared<[4:+1] {offset = [[0, 1], [1, 1]]}>",
       "column 37: expected images of single bits, because padding adds up only for these"},
      {"several blocks", "#ttg.padded_shared<[4:+1] {offset = [[1]], block = [[2]]}>",
       "column 52: expected one block: the offsets of padded_shared are those within a block"},
  });
  // Every element lies at its plain offset and the padding before it.
  const ShapeStrideLayout layout =
      std::get<ShapeStrideLayout>(ParseTritonLayout("#ttg.padded_shared<[8:+3, 32:+5] {order = [1, 0], shape = [16, "
                                                    "16]}>")
                                      .value());
  const ComposedLayout composed{std::nullopt, 0, layout};
  for (int64_t row = 0; row < 16; ++row) {
    for (int64_t column = 0; column < 16; ++column) {
      const int64_t offset = row * 16 + column;
      EXPECT_EQ(Crd2Idx(IntTuple::Tuple({row, column}), composed).value(), offset + offset / 8 * 3 + offset / 32 * 5);
    }
  }
}

TEST(TritonLayout, TheWayBackFindsTheAttribute) {
  for (const std::string& attribute :
       {Blocked("1, 4", "8, 4", "4, 1", "1, 0", "}> [32,16]"), Blocked("2, 2", "4, 8", "2, 2", "0, 1", "}> [64,64]"),
        Blocked("4", "32", "4", "0", "}> [1024]"), Blocked("1, 1, 4", "2, 2, 8", "1, 2, 2", "2, 1, 0", "}> [4,8,64]"),
        std::string("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}> "
                    "[64,32]"),
        std::string("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, "
                    "16]}> [128,128]"),
        std::string(
            "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
            "[2, 2], instrShape = [16, 8]}>, kWidth = 2}> [32,16]"),
        Swizzled(8, 1, 8, "1, 0", "[64,64]"), Swizzled(1, 1, 1, "0, 1", "[16,32]"),
        std::string("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 2}> "
                    "[64,128]")}) {
    const Expected<TritonLayout> layout = ParseTritonLayout(attribute);
    ASSERT_TRUE(layout) << attribute << layout.error().ToString();
    const Expected<std::string> text = TritonTextOf(std::get<LinearLayout>(*layout));
    ASSERT_TRUE(text) << attribute << ": " << text.error().message;
    EXPECT_EQ(TextOfAttribute(*text), TextOfAttribute(attribute));
    EXPECT_EQ(text->substr(0, text->find('<')), attribute.substr(0, attribute.find('<'))) << *text;
  }
}

TEST(TritonLayout, TheWayBackOfOtherLayouts) {
  const auto back = [](std::string_view text) {
    const Expected<std::string> found = TritonTextOf(ParseLinearLayout(text).value());
    return found ? *found : found.error().message;
  };
  // A fragment of one warp lacks the inputs of warps and blocks.
  EXPECT_EQ(
      back("ll{register:[(0,1),(8,0)],lane:[(0,2),(0,4),(1,0),(2,0),(4,0)]} -> [16,8]"),
      "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}> [16,8]");
  EXPECT_EQ(back("ll{register:[2],lane:[4,1],warp:[],block:[]} -> [8]"),
            "#ttg.linear<{register = [[2]], lane = [[4], [1]], warp = [], block = []}> [8]");
  EXPECT_EQ(back("ll{offset:[3,1],block:[]} -> [4]"),
            "#ttg.shared_linear<{offset = [[3], [1]], block = []}, alignment = 16> [4]");
  EXPECT_TRUE(back("ll{dim0:[1]} -> [2]").starts_with("expected the inputs register, ")) << back("ll{dim0:[1]} -> [2]");
  EXPECT_TRUE(back("ll{offset:[1,1]} -> [2]").starts_with("no attribute of Triton is this layout"))
      << back("ll{offset:[1,1]} -> [2]");
}

TEST(TritonLayout, ErrorsNameTheirColumn) {
  const std::pair<const char*, const char*> rows[] = {
      {"#shared", "column 1: expected '#ttg.' or '#ttng.', found '#'"},
      {"#ttg.<{}>", "column 6: expected the name of an attribute, found '<'"},
      {"#ttg.blocked{}", "column 13: expected '<' after 'blocked', found '{'"},
      {"#ttg.blocked<{order = [0]", "column 26: expected ',' or '}' in the entries, found end of text"},
      {"#ttg.blocked<{order}>", "column 20: expected '=' after 'order', found '}'"},
      {"#ttg.blocked<{order = >", "column 23: expected an integer, a word, '[', '{' or '#', found '>'"},
      {"#ttg.blocked<{order = x}> [4]", "column 23: expected a list as 'order', found 'x'"},
      {"#ttg.blocked<{order = [[[[[[[[[0]]]]]]]]]}>", "column 31: nested more than 8 levels deep"},
      {"#ttg.blocked<{}> [4] x", "column 22: expected the shape, such as [128,64], or the end of the text, found 'x'"},
      {"#ttg.blocked<{order = [0], order = [0]}> [4]",
       "column 28: expected different names, found another entry 'order'"},
      {"#ttg.blocked<{order = [0]}>",
       "column 28: expected the shape of the array after the attribute, such as [128,64]"},
      {"#ttg.blocked<{order = [0]}> [6]", "column 30: expected a power of two in the shape, found 6"},
      {"#ttg.blocked<{order = [0, 0]}> [4,4]",
       "column 27: expected each dimension from 0 to 2 (excluded) once in 'order', found 0"},
      {"#ttg.blocked<{order = [0]}> [4,4]", "column 23: expected 2 dimensions in 'order', found 1"},
      {"#ttg.blocked<{order = [0]}> [4]", "column 14: expected an entry 'sizePerThread' of blocked"},
      {"#ttg.blocked<{order = [0], sizePerThread = [3]}> [4]",
       "column 45: expected a power of two in 'sizePerThread', found 3"},
      {"#ttg.blocked<{order = [0], sizePerThread = [1, 1]}> [4]",
       "column 44: expected 1 integer in 'sizePerThread', one per dimension, found 2"},
      {"#ttg.swizzled_shared<{order = [0], vec = 0, perPhase = 1, maxPhase = 1}> [4]",
       "column 42: expected a power of two in 'vec', found 0"},
      {"#ttg.linear<{lane = [[1], [1, 2]]}>", "column 27: expected 1 integer in an image, one per dimension, found 2"},
      {"#ttg.linear<{lane = [[-1]]}>", "column 23: expected an integer from 0 to 2^62 in an image, found -1"},
      {"#ttg.linear<{lane = []}>", "column 13: expected at least one image, which may be 0"},
      {"#ttg.linear<{lanes = []}>",
       "column 22: expected the entries register, lane, warp, block of linear, found 'lanes'"},
      {"#ttg.linear<[4:+1] {lane = []}>", "column 14: expected no padding in linear"},
      {"#ttg.linear<{lane = [[3]]}> [2]", "column 21: expected images of a single bit in 'lane'"},
      {"#ttg.padded_shared<[3:+1] {order = [0], shape = [4]}>",
       "column 21: expected a power of two in an interval of the padding, found 3"},
      {"#ttg.padded_shared<[4:+0] {order = [0], shape = [4]}>",
       "column 24: expected at least 1 element of padding, found 0"},
  };
  for (const auto& [text, message] : rows) EXPECT_EQ(TextOfAttribute(text), message) << text;
}

}  // namespace
}  // namespace layoutcheck
