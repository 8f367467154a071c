// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts in bits as an argument of commands: coordinates, facts, conversion, comparison, and bank conflicts.
#include <gtest/gtest.h>
#include <algorithm>
#include <memory>
#include <string>
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::string Converted(std::string_view text, std::string_view target) {
  const auto place = std::ranges::find(kConversionTargets, target) - std::begin(kConversionTargets);
  const auto conversion = Convert(*ReadValid(text), static_cast<ConversionTarget>(place), ElementType::kF32);
  return conversion ? conversion->text : "error: " + conversion.error().message;
}

std::string Index(std::string_view text, std::string_view coordinate) {
  const auto index = ReadValid(text)->IndexOf(coordinate);
  return index ? StrCat(*index) : index.error().ToString();
}

std::string FactOf(std::string_view text, std::string_view name) {
  for (const Fact& fact : ReadValid(text)->Facts()) {
    if (fact.name == name) return fact.value;
  }
  return "none";
}

constexpr std::string_view kLanes = "ll{register:[1,2],lane:[4,8,16],warp:[]} -> [32]";

TEST(LinearNotation, CoordinatesAndIndices) {
  EXPECT_EQ(Index(kLanes, "3,5,0"), "23");
  EXPECT_EQ(Index(kLanes, "(3,5,0)"), "23");
  EXPECT_EQ(Index(kLanes, "3,8,0"), "lane=8 is outside the input of size 8: expected 0 to 7");
  EXPECT_EQ(Index(kLanes, "-1,0,0"), "register=-1 is outside the input of size 4: expected 0 to 3");
  EXPECT_EQ(Index(kLanes, "3,5"), "expected 3 integers, register,lane,warp, found 2");
  EXPECT_EQ(Index(kLanes, "3,x"), "column 3: expected an integer, found 'x'");
  EXPECT_EQ(CoordinateText(**ReadValid(kLanes)->ElementAt(23)), "3,5,0");
  EXPECT_FALSE(ReadValid(kLanes)->ElementAt(32).has_value());
  // Several outputs are row major: (1,2) of [4,8] is 10.
  EXPECT_EQ(Index("ll{a:[(1,2)]} -> [4,8]", "1"), "10");
  // No element is at 1, and the one at 10 has the smallest coordinate of two.
  const auto shared = ReadValid("ll{a:[(1,2),(1,2)]} -> [4,8]");
  EXPECT_FALSE(shared->ElementAt(1)->has_value());
  EXPECT_EQ(CoordinateText(**shared->ElementAt(10)), "1");
}

TEST(LinearNotation, Facts) {
  EXPECT_EQ(FactOf(kLanes, "inputs"), "register 4 x lane 8 x warp 1");
  EXPECT_EQ(FactOf(kLanes, "rank"), "5 of 5 bits of the inputs, 5 of the outputs");
  EXPECT_EQ(FactOf(kLanes, "injective"), "yes");
  EXPECT_EQ(FactOf(kLanes, "onto"), "yes");
  EXPECT_EQ(FactOf(kLanes, "consecutive"), "4 of register");
  EXPECT_EQ(FactOf(kLanes, "shape:stride"), "(4,8,1):(1,4,0)");
  const std::string_view neither = "ll{a:[(0,1),(0,2)],b:[(0,3)]} -> [2,4]";
  EXPECT_EQ(FactOf(neither, "injective"), "no: the element at 0 is also that of a=3 b=1; 2 elements share each place");
  EXPECT_EQ(FactOf(neither, "onto"), "no: no element is at 4, (1,0)");
  EXPECT_EQ(FactOf(neither, "shape:stride"), "none");
}

TEST(LinearNotation, Pictures) {
  const auto layout = ReadValid("ll{row:[(1,1),(2,2)],column:[(0,1),(0,2)]} -> [4,4]");
  const std::string picture = DrawText(*layout->Boxes(), {});
  EXPECT_NE(picture.find("in each cell row,column"), std::string::npos) << picture;
  EXPECT_NE(picture.find("1,1"), std::string::npos) << picture;
  // The largest layout is folded.
  EXPECT_FALSE(DrawText(*ReadValid("ll{a:[(0,1)]} -> [2147483648,2147483648]")->Boxes(), {}).empty());
}

TEST(LinearNotation, Conversions) {
  EXPECT_EQ(Converted(kLanes, "shape-stride"), "(4,8,1):(1,4,0)");
  EXPECT_EQ(Converted("Sw<2,0,3> o 0 o (8,8):(8,1)", "linear"), "ll{dim0:[9,18,32],dim1:[1,2,4]} -> [64]");
  EXPECT_EQ(Converted("ll{dim0:[9,18,32],dim1:[1,2,4]} -> [64]", "shape-stride"), "Sw<2,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(Converted("f32[16,256]{1,0:T(8,128)}", "linear"),
            "ll{dim0:[128,256,512,2048],dim1:[1,2,4,8,16,32,64,1024]} -> [4096]");
  EXPECT_EQ(Converted("zN:f16[32,32]", "linear"), "ll{dim0:[16,32,64,128,256],dim1:[1,2,4,8,512]} -> [1024]");
  EXPECT_EQ(Converted("ll{a:[1,2],b:[4,8]} -> [16]", "hlo"), "f32[4,4]{0,1}");
  EXPECT_EQ(Converted("ll{a:[1,2],b:[4,8]} -> [16]", "affine"), "affine_map<(d0, d1) -> (d1 * 4 + d0)>");
  EXPECT_EQ(Converted(kLanes, "linear"), kLanes);
  EXPECT_EQ(Converted("(3,4):(4,1)", "linear"),
            "error: (3,4):(4,1) is not linear over bits: the extent 3 is no power of two");
  EXPECT_EQ(Converted("ll{a:[1,2],b:[3]} -> [4]", "c"),
            "error: ll{a:[1,2],b:[3]} -> [4] combines bits by exclusive or, and no swizzle Sw<B,M,S> undoes that");
}

std::string Compared(std::string_view a, std::string_view b) {
  const auto layout_a = ReadValid(a);
  const auto layout_b = ReadValid(b);
  const auto comparison = Compare(*layout_a, *layout_b, std::nullopt);
  if (!comparison) return comparison.error().ToString();
  std::string text(RelationName(comparison->relation));
  if (const auto& moved = comparison->moved) {
    StrAppend(text, "; (", StrJoin(moved->a, ","), ") at ", layout_a->Index(moved->a), " and ",
              layout_b->Index(moved->b));
  }
  return text;
}

TEST(LinearNotation, Comparison) {
  EXPECT_EQ(Compared(kLanes, "(4,8,1):(1,4,0)"), "identical");
  EXPECT_EQ(Compared("Sw<2,0,3> o 0 o (8,8):(8,1)", "ll{a:[9,18,32],b:[1,2,4]} -> [64]"), "identical");
  EXPECT_EQ(Compared("ll{a:[1,2],b:[4]} -> [8]", "ll{a:[1,2,4]} -> [8]"), "bitcast");
  EXPECT_EQ(Compared("ll{a:[1,2],b:[4]} -> [8]", "ll{a:[1,6],b:[4]} -> [8]"), "permuted; (2,0) at 2 and 6");
  EXPECT_EQ(Compared("ll{a:[1,2],b:[3]} -> [4]", "ll{a:[1,2],b:[2]} -> [4]"), "permuted; (0,1) at 3 and 2");
  // More elements than are ever visited: the bits decide.
  const std::string a = Converted("(1048576,1048576):(1,1048576)", "linear");
  std::string b = a;
  b.replace(b.find("549755813888]"), 12, "549755813889");
  EXPECT_EQ(Compared(a, "(1048576,1048576):(1,1048576)"), "identical");
  EXPECT_EQ(Compared(a, b), "permuted; (0,524288) at 549755813888 and 549755813889");
}

std::string Banks(std::string_view layout, std::string_view text) {
  const auto access = ParseBankAccess(text);
  if (!access) return access.error().ToString();
  const auto banks = BanksOf(*ReadValid(layout), *access);
  return banks ? StrCat(banks->stores.degree, " in ", banks->stores.phases.size()) : banks.error().ToString();
}

TEST(BankAccess, Degrees) {
  EXPECT_EQ(Banks("(32,32):(32,1)", "lane -> 4 bytes"), "32 in 1");
  EXPECT_EQ(Banks("(32,32):(33,1)", "lane -> 4 bytes"), "1 in 1");
  EXPECT_EQ(Banks("#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>", "lane -> 4 bytes"), "1 in 1");
  EXPECT_EQ(Banks("Sw<3,4,3> o 0 o (8,128):(128,1)", "lane -> 16 bytes of u8"), "1 in 1");
  EXPECT_EQ(Banks("(8,128):(128,1)", "lane -> 16 bytes of u8"), "8 in 1");
  EXPECT_EQ(Banks("RowMajor:f16[32,64]", "lane -> 16 bytes"), "8 in 4");
  EXPECT_EQ(Banks("f32[32,32]{1,0}", "lane->4 bytes"), "32 in 1");
  EXPECT_EQ(Banks("ll{register:[1,2],lane:[4,8,16,32,64]} -> [128]", "lane -> 16 bytes"), "1 in 4");
  EXPECT_EQ(Banks("ll{register:[32,64],lane:[128,256,512,1024,2048]} -> [4096]", "lane -> 4 bytes of f32"), "32 in 1");
}

// A tile of 32 x 32 floats whose columns a warp writes: in rows, swizzled, and padded.
TEST(BankAccess, InMemory) {
  const std::string_view columns = "ll{lane:[(1,0),(2,0),(4,0),(8,0),(16,0)]} -> [32,32]";
  EXPECT_EQ(Banks(columns,
                  "lane -> 4 bytes in ll{offset:[(0,1),(0,2),(0,4),(0,8),(0,16),(1,0),(2,0),(4,0),(8,0),"
                  "(16,0)]} -> [32,32]"),
            "32 in 1");
  EXPECT_EQ(Banks(columns,
                  "lane -> 4 bytes of f32 in #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order "
                  "= [1, 0]}> [32,32]"),
            "1 in 1");
  EXPECT_EQ(Banks(columns,
                  "lane -> 4 bytes in #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, "
                  "0]}> [32,32]"),
            "4 in 1");
  EXPECT_EQ(Banks(columns, "lane -> 4 bytes in (32,32):(33,1)"), "1 in 1");
  EXPECT_EQ(Banks(columns, "lane -> 4 bytes in (32,64):(65,1)"), "1 in 1");  // of a larger array, its first tile
  EXPECT_EQ(
      Banks(columns, "lane -> 4 bytes in (16,64):(64,1)"),
      "expected a layout of the memory with at least the sizes 32 x 32 of the outputs before 'in', found 16 x 64");
  EXPECT_EQ(Banks("(32,32):(32,1)", "lane -> 4 bytes in (32,32):(33,1)"),
            "expected a layout in bits where the access has 'in LAYOUT'");
}

// Returns "LOAD PASSES and STORE PASSES" of an access without a layout, or the error.
std::string Passes(std::string_view text) {
  const auto access = ParseBankAccess(text);
  if (!access) return access.error().ToString();
  const auto banks = BanksOfAddresses(*access);
  return banks ? StrCat(banks->loads.passes, " and ", banks->stores.passes) : banks.error().ToString();
}

std::string List(int lanes, int bytes, int per_address) {
  std::string text = "addresses ";
  for (int lane = 0; lane < lanes; ++lane) StrAppend(text, lane > 0 ? "," : "", lane / per_address * bytes);
  return StrCat(text, " ", bytes, " bytes");
}

TEST(BankAccess, ListedAddresses) {
  EXPECT_EQ(Passes("addresses 0 1 byte"), "1 and 1");
  EXPECT_EQ(Passes(" addresses 0 , 128,256 4 bytes "), "3 and 3");
  EXPECT_EQ(Passes("addresses 9223372036854775792,9223372036854775792 16 bytes"), "1 and 1");
  EXPECT_EQ(Passes(List(32, 16, 1)), "4 and 4");
  EXPECT_EQ(Passes(List(32, 16, 2)), "2 and 4");
  EXPECT_EQ(Passes(List(32, 8, 2)), "1 and 2");
  EXPECT_EQ(Passes("addresses"), "column 10: expected an integer, found end of text");
  EXPECT_EQ(Passes("addresses 0,, 4 bytes"), "column 13: expected an integer, found ','");
  EXPECT_EQ(Passes("addresses 0,4"), "column 14: expected an integer, found end of text");
  EXPECT_EQ(Passes("addresses 0,4 5 bytes"), "column 15: expected 1, 2, 4, 8 or 16 bytes per lane, found 5");
  EXPECT_EQ(Passes("addresses 0,4 0 bytes"), "column 15: expected 1, 2, 4, 8 or 16 bytes per lane, found 0");
  EXPECT_EQ(Passes("addresses 0,4 4 words"), "column 17: expected 'bytes' after the number, found 'w'");
  EXPECT_EQ(Passes("addresses 0,4 4 bytes of f32"), "column 23: expected the end of the text, found 'o'");
  EXPECT_EQ(Passes("addresses 0,6 4 bytes"),
            "column 13: expected a multiple of 4 from 0 on, as the hardware aligns accesses of 4 bytes, found 6 for "
            "lane 1");
  EXPECT_EQ(Passes("addresses -1 1 byte"), "column 11: expected an address from 0 on, found -1 for lane 0");
  EXPECT_EQ(Passes(List(33, 4, 1)), "column 111: expected at most 32 addresses, one per lane");
  EXPECT_NE(Passes("addresses 9223372036854775808 4 bytes").find("column 11: "), std::string::npos);
  // An input may have that name.
  EXPECT_EQ(Banks("ll{addresses:[1,2,4,8,16]} -> [32]", "addresses -> 4 bytes"), "1 in 1");
}

TEST(BankAccess, SaysWhatLoadsMerge) {
  const auto facts = [](std::string_view text) {
    return FactsText(BanksFacts(*BanksOfAddresses(*ParseBankAccess(text))));
  };
  EXPECT_EQ(facts(List(32, 16, 2)),
            "  access            32 lanes of 16 bytes, addresses as listed\n"
            "  load conflicts    none, 2 passes in 2 phases of 16 lanes\n"
            "  store conflicts   none, 4 passes in 4 phases of 8 lanes\n"
            "  loads merge       lanes 0 to 15 and 16 to 31: every lane accesses the address of lane ^ 1\n");
  // Loads merge no phases if lanes of the warp are missing.
  const auto part = BanksOfAddresses(*ParseBankAccess(List(24, 16, 2)));
  EXPECT_EQ(BanksFacts(*part)[1].value, "none, 3 passes in 3 phases of 8 lanes");
  EXPECT_TRUE(BanksJson(*part).at("load_phases").at(0).at("merged_by").is_null());
  const Json json = BanksJson(*BanksOfAddresses(*ParseBankAccess(List(32, 16, 2))));
  EXPECT_EQ(json.at("load_passes"), 2);
  EXPECT_EQ(json.at("store_passes"), 4);
  EXPECT_EQ(json.at("load_phases").at(0).at("merged_by"), 1);
  EXPECT_EQ(json.at("load_phases").at(0).at("lanes"), 16);
  EXPECT_TRUE(json.at("store_phases").at(0).at("merged_by").is_null());
  // The members from before loads and stores were told apart are those of stores.
  EXPECT_EQ(json.at("passes"), 4);
  EXPECT_EQ(json.at("degree"), 1);
  EXPECT_EQ(json.at("phases"), json.at("store_phases"));
}

TEST(BankAccess, Errors) {
  EXPECT_EQ(Banks("4:1", ""),
            "column 1: expected the input that counts lanes or a list of addresses, such as 'lane -> 16 bytes' or "
            "'addresses 0,16 16 bytes', found end of text");
  EXPECT_EQ(Banks("4:1", "lane 4"), "column 6: expected '->' after 'lane', found '4'");
  EXPECT_EQ(Banks("4:1", "lane -> x"), "column 9: expected an integer, found 'x'");
  EXPECT_EQ(Banks("4:1", "lane -> 4"), "column 10: expected 'bytes' after the number, found end of text");
  EXPECT_EQ(Banks("4:1", "lane -> 4 bytes of"),
            "column 17: expected 'of TYPE', 'in LAYOUT' or the end of the text, found 'o'");
  EXPECT_EQ(Banks("4:1", "lane -> 4 bytes of f33"),
            "column 20: expected the type of an array, such as f16, found 'f33'");
  EXPECT_EQ(Banks("4:1", "lane -> 4 bytes in (4,x):(1,4)"), "column 23: expected an integer or '(', found 'x'");
  EXPECT_EQ(Banks("4:1", "lane -> 3 bytes"), "column 9: expected 1, 2, 4, 8 or 16 bytes per lane, found 3");
  EXPECT_EQ(Banks("4:1", "lane -> 16 bytes"), "lane 1 accesses 16 bytes at byte 4: expected a multiple of 16");
  EXPECT_EQ(Banks("4:1", "thread -> 4 bytes"), "expected 'lane', the first dimension of the layout, found 'thread'");
  EXPECT_EQ(Banks("ll{offset:[1]} -> [2]", "lane -> 4 bytes"),
            "expected an input of the layout (offset), found 'lane'");
  EXPECT_EQ(Banks("4:1", "lane -> 1 bytes of s4"),
            "the element of lane 1 at offset 1 in s4 begins at no byte that fits int64");
  EXPECT_EQ(Banks("2048:1", "lane -> 4 bytes"), "expected at most 1024 lanes, found 2048");
  EXPECT_EQ(Banks("(0,4):(1,1)", "lane -> 4 bytes"), "expected a layout with an element");
  EXPECT_EQ(Banks("f32[]", "lane -> 4 bytes"), "expected a layout with a dimension, which counts the lanes");
  EXPECT_EQ(Banks("(4):(-1)", "lane -> 4 bytes"), "lane 1 accesses 4 bytes at byte -4: expected a multiple of 4");
}

}  // namespace
}  // namespace layoutcheck
