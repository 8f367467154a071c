// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests what the commands answer about arrays whose devices have a layout of their own.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

using Words = std::vector<std::string>;

std::string PrintedBy(const Words& arguments) {
  const ProgramResult result = RunLayoutcheck(arguments);
  EXPECT_EQ(result.err, "") << arguments[0] << " " << arguments[1];
  return result.out;
}

std::string DiagnosticOf(const Words& arguments) { return RunLayoutcheck(arguments).err; }

// Three rows per device, with 8 places each.
const std::string kLocalArray = "f32[5,6] sharding={devices=[2,1]<=[2]} local=(4,6):(8,1)";

TEST(ShardedLocal, ParseIndexAndCoord) {
  EXPECT_EQ(PrintedBy({"parse", "f32[5,6] sharding={ devices=[2,1]<=[2] }  local=( 4,6):(8,1)"}), kLocalArray + "\n");
  EXPECT_EQ(PrintedBy({"index", kLocalArray, "4,5"}), "devices 1  offset 13\n");
  EXPECT_EQ(PrintedBy({"index", kLocalArray, "4,5", "--json"}),
            "{\"devices\":[1],\"offset\":13,\"elements\":18,\"padded_elements\":30,\"bytes\":120}\n");
  EXPECT_EQ(PrintedBy({"coord", kLocalArray, "13", "--device", "1"}), "4,5\n");
  EXPECT_EQ(PrintedBy({"coord", kLocalArray, "14", "--device", "1"}), "padding\n");
  EXPECT_EQ(PrintedBy({"coord", kLocalArray, "16", "--device", "1", "--json"}), "{\"coordinate\":null}\n");
  EXPECT_EQ(DiagnosticOf({"coord", kLocalArray, "30", "--device", "1"}),
            "layoutcheck coord: OFFSET: offset 30 is outside the array of device 1, which has 30 elements: expected 0 "
            "to 29\n");
  EXPECT_EQ(
      DiagnosticOf({"index", "f32[5,6] mesh[2] S(0) local=(2,6):(6,1)", "0,0"}),
      "layoutcheck index: LAYOUT: column 29: expected room for dimension 0 of the array of a device, which has size "
      "3: the local layout has size 2\n");
}

TEST(ShardedLocal, ShowHasTheLayoutOfEachDevice) {
  const std::string shown = PrintedBy({"show", "f32[3,2] mesh[2] S(0) local=Sw<1,0,1> o 0 o (2,2):(2,1)"});
  EXPECT_NE(shown.find("  on device 0       Sw<1,0,1> o 0 o (2,2):(2,1): 4 padded elements, 16 B\n"
                       "  on device 1       Sw<1,0,1> o 0 o (2,2):(2,1)@[0:1,0:2]: 4 padded elements, 16 B\n"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("  1 │ 0:3 0:2 │\n"), std::string::npos) << shown;
  EXPECT_NE(PrintedBy({"show", kLocalArray, "--json"})
                .find("\"local\":[{\"devices\":[0,1],\"layout\":\"(4,6):(8,1)@[0:3,0:6]\",\"elements\":18,"
                      "\"padded_elements\":30,\"bytes\":120}]}"),
            std::string::npos);
}

TEST(ShardedLocal, ElementsThatShareOffsetsWasteNothing) {
  const std::string shared = "f32[4,2] mesh[2] S(0) local=(2,2):(1,0)";
  EXPECT_NE(PrintedBy({"show", shared}).find("  waste             0 %\n"), std::string::npos);
  EXPECT_EQ(PrintedBy({"coord", shared, "1", "--device", "1"}), "3,0\n");
}

TEST(ShardedLocal, CompareSaysThatTheLocalLayoutChanges) {
  const std::string rows = "f32[8,6] mesh[2] S(0)";
  const std::string other = PrintedBy({"compare", rows, rows + " local=(4,6):(8,1)"});
  EXPECT_TRUE(other.starts_with("same devices\n")) << other;
  EXPECT_NE(other.find("  received          0 B on all devices\n"
                       "  local offsets     differ: element (1,0) of device 0 is at 6 in A, at 8 in B\n"),
            std::string::npos)
      << other;
  for (const std::string same : {" local=(4,6):(6,1)", " local=(8,(2,3)):(6,(1,2))"}) {
    EXPECT_NE(PrintedBy({"compare", rows, rows + same}).find("local offsets     the same\n"), std::string::npos)
        << same;
  }
  // Bytes that devices receive do not depend on it.
  const std::string columns = "f32[8,6] mesh[2] S(1) local=(8,3):(4,1)";
  EXPECT_EQ(Json::Parse(PrintedBy({"compare", rows, columns, "--json"}))->at("received_bytes").get<int64_t>(), 96);
  // Arrays of any size are compared by their strides.
  const std::string large = "f32[65536,65536] mesh[x=2] P(\"x\")";
  EXPECT_NE(PrintedBy({"compare", large, large + " local=(32768,65536):(65536,1)"}).find("the same\n"),
            std::string::npos);
}

TEST(ShardedLocal, ConvertKeepsIt) {
  EXPECT_EQ(PrintedBy({"convert", "f32[8,6] mesh[2] S(0) local=(4,6):(8,1)", "--to", "hlo-sharding"}),
            "f32[8,6] sharding={devices=[2,1]<=[2]} local=(4,6):(8,1)\n");
}

TEST(ShardedLocal, CheckAndProve) {
  const ProgramResult check = RunLayoutcheck({"check", kLocalArray});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  EXPECT_NE(check.out.find(" 0 findings"), std::string::npos) << check.out;
  const ProgramResult named = RunLayoutcheck({"check", "f32[M,6] mesh[2] S(0) local=(M,6):(6,1)", "--cases", "5"});
  EXPECT_EQ(named.exit_code, 0) << named.out << named.err;
  EXPECT_EQ(RunLayoutcheck({"prove", kLocalArray}).exit_code, 0);
  const ProgramResult shared = RunLayoutcheck({"prove", "f32[4,6] mesh[2] S(0) local=(2,6):(5,1)"});
  EXPECT_EQ(shared.exit_code, 1);
  EXPECT_NE(shared.out.find("local-offsets                  refuted: i0=1 i1=0 j0=0 j1=5 offset=5\n"),
            std::string::npos)
      << shared.out;
}

}  // namespace
}  // namespace layoutcheck
