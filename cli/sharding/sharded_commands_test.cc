// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests what the commands answer about arrays with a sharding.
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Words = std::vector<std::string>;

std::string OutOf(const Words& arguments) {
  const ProgramResult result = RunLayoutcheck(arguments);
  EXPECT_EQ(result.err, "") << StrJoin(arguments, " ");
  return result.out;
}

// Returns the line on stderr of a command that prints nothing else, and its exit code.
std::string ErrorOf(const Words& arguments, int exit_code) {
  const ProgramResult result = RunLayoutcheck(arguments);
  EXPECT_EQ(result.exit_code, exit_code) << StrJoin(arguments, " ");
  EXPECT_EQ(result.out, "");
  return result.err;
}

const std::string kTiled = "f32[5,6]{0,1:T(2,2)} sharding={devices=[2,3]<=[6]}";
const std::string kReplicated = "f32[8] sharding={replicated}";

TEST(Sharded, ParsePrintsTheCanonicalText) {
  EXPECT_EQ(OutOf({"parse", "f32[8,4]  sharding={ devices=[2,1,2] 0,1,2,3 last_tile_dim_replicate }"}),
            "f32[8,4]{1,0} sharding={devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}\n");
  EXPECT_EQ(OutOf({"parse", kReplicated}), "f32[8]{0} sharding={replicated}\n");
  EXPECT_EQ(OutOf({"parse", "f32[8] mesh[2] [Shard(dim=0)]", "--kind", "any", "--json"}),
            R"~({"ok":true,"text":"f32[8]{0} mesh[2] S(0)"})~"
            "\n");
  EXPECT_EQ(RunLayoutcheck({"parse", "-"}, "f32[8]\nf32[8] mesh[x=2] P('x')\n").out,
            "f32[8]{0}\nf32[8]{0} mesh[x=2] P(\"x\")\n");
}

TEST(Sharded, ErrorsOfParseNameTheColumn) {
  EXPECT_EQ(ErrorOf({"parse", "f32[8,4] sharding={devices=[2,1]0,0}"}, 1), "column 35: device 0 occurs twice\n");
  EXPECT_EQ(ErrorOf({"parse", "f32[8,4 sharding={devices=[2,1]0,1}"}, 1).substr(0, 9), "column 8:");
  EXPECT_EQ(ErrorOf({"parse", "f32[8] sharding={manual}"}, 1),
            "column 8: {manual} does not say which device holds which element\n");
  EXPECT_EQ(ErrorOf({"parse", "f32[8] mesh[2] Partial()"}, 1),
            "column 16: a partial placement: the devices hold summands of the elements, not the elements\n");
  EXPECT_EQ(RunLayoutcheck({"parse", "f32[8] mesh[x=2] P('y')", "--json"}).out,
            R"~({"ok":false,"stage":"layout","column":20,"error":"expected an axis of the mesh (x), found \"y\""})~"
            "\n");
  // An instruction keeps its sharding as an attribute.
  EXPECT_EQ(
      RunLayoutcheck({"parse", "p = f32[8]{0} parameter(0), sharding={devices=[2]<=[2]}", "--kind", "instruction"})
          .exit_code,
      0);
}

TEST(Sharded, IndexAndCoord) {
  EXPECT_EQ(OutOf({"index", kTiled, "4,3"}), "devices 4  offset 3\n");
  EXPECT_EQ(OutOf({"coord", kTiled, "3", "--device", "4"}), "4,3\n");
  EXPECT_EQ(OutOf({"coord", kTiled, "4", "--device", "4"}), "padding\n");
  EXPECT_EQ(OutOf({"coord", kTiled, "4", "--device", "4", "--json"}), "{\"coordinate\":null}\n");
  EXPECT_EQ(OutOf({"index", "f32[8] mesh[2,4] R,S(0)", "7"}), "devices 3,7  offset 1\n");
  EXPECT_EQ(OutOf({"index", "f32[8] mesh[2,4] R,S(0)", "7", "--json"}),
            R"~({"devices":[3,7],"offset":1,"elements":2,"padded_elements":2,"bytes":8})~"
            "\n");
  EXPECT_EQ(OutOf({"index", "f32[] mesh[2] R", "()"}), "devices 0,1  offset 0\n");
}

TEST(Sharded, ErrorsOfIndexAndCoordNameTheArgument) {
  EXPECT_EQ(ErrorOf({"index", kTiled, "5,0"}, 2),
            "layoutcheck index: COORD: coordinate y=5 is outside dimension 0 of size 5: expected 0 to 4\n");
  EXPECT_EQ(ErrorOf({"index", kReplicated, "0"}, 2),
            "layoutcheck index: LAYOUT: column 8: {replicated} does not say how many devices there are; "
            "{devices=[1,8]<=[8] last_tile_dim_replicate} is the same for 8 devices\n");
  EXPECT_EQ(
      ErrorOf({"coord", kTiled, "3"}, 2),
      "layoutcheck coord: --device is required, because LAYOUT has a sharding: expected one of the devices 0-5\n");
  EXPECT_EQ(ErrorOf({"coord", kTiled, "3", "--device", "6"}, 2),
            "layoutcheck coord: --device: expected one of the devices 0-5, found 6\n");
  EXPECT_EQ(ErrorOf({"coord", kTiled, "3", "--device", "18446744073709551615"}, 2),
            "layoutcheck coord: --device: expected one of the devices 0-5, found 18446744073709551615\n");
  EXPECT_EQ(
      ErrorOf({"coord", kTiled, "8", "--device", "4"}, 2),
      "layoutcheck coord: OFFSET: offset 8 is outside the array of device 4, which has 8 elements: expected 0 to 7\n");
  EXPECT_EQ(ErrorOf({"coord", "f32[1] mesh[2] S(0)", "0", "--device", "1"}, 2),
            "layoutcheck coord: OFFSET: offset 0 is outside the array of device 1, which is empty\n");
  EXPECT_EQ(ErrorOf({"coord", "f32[8]", "0", "--device", "1"}, 2),
            "layoutcheck coord: --device is for a LAYOUT with a sharding\n");
}

TEST(Sharded, CoordFindsWhatIndexSays) {
  std::mt19937 random(5);
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  const Words layouts{"{1,0}", "{0,1:T(2,2)}", "{1,0:T(2,4)(2,1)}"};
  const Words shardings{"sharding={devices=[2,3]5,4,3,2,1,0}",
                        "sharding={devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
                        "mesh[2,3] S(0),S(0)",
                        "mesh[2,3] _StridedShard(1,sf=3),S(1)",
                        "mesh[2,2] R,S(1)",
                        "mesh[x=2,y=3] P(('y','x'))",
                        "sharding={maximal device=3}"};
  for (int k = 0; k < 30; ++k) {
    const int64_t rows = draw(1, 12);
    const int64_t columns = draw(1, 12);
    const std::string array = StrCat("f32[", rows, ",", columns, "]", layouts[static_cast<size_t>(draw(0, 2))], " ",
                                     shardings[static_cast<size_t>(draw(0, 6))]);
    const std::string coordinate = StrCat(draw(0, rows - 1), ",", draw(0, columns - 1));
    const auto place = Json::Parse(OutOf({"index", array, coordinate, "--json"}));
    ASSERT_TRUE(place) << array;
    const auto devices = (*place)["devices"].get<std::vector<int64_t>>();
    ASSERT_FALSE(devices.empty());
    for (const int64_t device : devices) {
      EXPECT_EQ(OutOf({"coord", array, StrCat((*place)["offset"].get<int64_t>()), "--device", StrCat(device)}),
                coordinate + "\n")
          << array;
    }
  }
}

TEST(Sharded, ShowCountsPaddingOfShardsAndOfTiles) {
  EXPECT_EQ(
      OutOf({"show", kTiled, "--json"}),
      R"~({"layout":"f32[5,6]{0,1:T(2,2)} sharding={devices=[2,3]<=[6]}","devices":6,"replicas":1,"elements":30,)~"
      R"~("padded_elements":48,"bytes":192,"waste":0.375,"uneven_padding_elements":6,"local":[{"devices":[0,1,2,3,4,5],)~"
      R"~("layout":"f32[3,2]{0,1:T(2,2)}","elements":6,"padded_elements":8,"bytes":32}]})~"
      "\n");
  // DTensor pads nothing.
  EXPECT_EQ(
      OutOf({"show", "s8[5] mesh[2,3] S(0),R", "--json"}),
      R"~({"layout":"s8[5]{0} mesh[2,3] S(0),R","devices":6,"replicas":3,"elements":5,"padded_elements":15,"bytes":15,)~"
      R"~("waste":0.0,"uneven_padding_elements":0,"local":[{"devices":[0,1,2],"layout":"s8[3]{0}","elements":3,)~"
      R"~("padded_elements":3,"bytes":3},{"devices":[3,4,5],"layout":"s8[2]{0}","elements":2,"padded_elements":2,)~"
      R"~("bytes":2}]})~"
      "\n");
  EXPECT_EQ(ErrorOf({"show", kTiled, "--view", "both"}, 2),
            "layoutcheck show: a LAYOUT with a sharding takes no --view both or threads, --tile and --access\n");
  EXPECT_EQ(ErrorOf({"show", "pred[2305843009213693952] mesh[8] R"}, 2),
            "layoutcheck show: LAYOUT: the elements or bytes of all devices together do not fit int64\n");
}

TEST(Sharded, ShowDrawsDevicesAndLocalAddresses) {
  EXPECT_EQ(OutOf({"show", "f32[5,4]{0,1} mesh[2,2] S(0),S(1)"}),
            R"(f32[5,4]{0,1} mesh[2,2] S(0),S(1)

  elements          20, each on 1 device
  devices           4: 0-3
  on devices 0,1    f32[3,2]{0,1}: 6 padded elements, 24 B
  on devices 2,3    f32[2,2]{0,1}: 4 padded elements, 16 B
  on all devices    20 padded elements, 80 B
  waste             0 %
  uneven shards     0 elements of padding on all devices

Array, y down and x across; in each cell the device : the linear index in its array

        0   1     2   3
    ┌─────────┬─────────┐
  0 │ 0:0 0:3 │ 1:0 1:3 │
  1 │ 0:1 0:4 │ 1:1 1:4 │
  2 │ 0:2 0:5 │ 1:2 1:5 │
    ├─────────┼─────────┤
  3 │ 2:0 2:2 │ 3:0 3:2 │
  4 │ 2:1 2:3 │ 3:1 3:3 │
    └─────────┴─────────┘
)");
  // Borders between shards are also where these have different sizes.
  const std::string nested = OutOf({"show", "f32[9] mesh[2,2] S(0),S(0)"});
  EXPECT_NE(nested.find("│ 0:0 0:1 0:2 │ 1:0 1:1 │ 2:0 2:1 │ 3:0 3:1 │"), std::string::npos) << nested;
  // An array without elements has no picture.
  EXPECT_EQ(OutOf({"show", "f32[0] mesh[2] S(0)"}).find("Array"), std::string::npos);
  const std::string folded = OutOf({"show", "f32[4096,8192] sharding={devices=[8,8]<=[64]}"});
  EXPECT_NE(folded.find("63:524287"), std::string::npos) << folded;
  EXPECT_NE(folded.find("left out"), std::string::npos) << folded;
}

TEST(Sharded, PicturesInFilesNameTheDevices) {
  const TemporaryDirectory directory;
  const std::string svg = directory.path() + "/a.svg";
  const std::string html = directory.path() + "/a.html";
  OutOf({"show", "f32[4,2] mesh[2,2] R,S(0)", "--svg", svg, "--html", html});
  for (const std::string& file : {svg, html}) {
    const std::string text = ReadFile(file);
    EXPECT_NE(text.find("devices 1,3</text>"), std::string::npos) << file;
    EXPECT_NE(text.find("<title>linear index 3 on devices 0,2: y=1 x=1</title>"), std::string::npos) << file;
  }
  OutOf({"compare", "f32[4,2] mesh[2] S(0)", "f32[4,2] mesh[2] S(1)", "--svg", svg});
  EXPECT_NE(ReadFile(svg).find("moves to another device</text>"), std::string::npos);
  EXPECT_EQ(ErrorOf({"show", kTiled, "--svg", "/no/such/file"}, 2).substr(0, 17), "layoutcheck show:");
}

TEST(Sharded, ErrorsOfProveNameTheArgument) {
  const auto expect = [](Words arguments, const std::string& message) {
    arguments.insert(arguments.begin(), "prove");
    EXPECT_TRUE(ErrorOf(arguments, 2).starts_with("layoutcheck prove: " + message)) << ErrorOf(arguments, 2);
  };
  expect({"f32[M]{0}", "--assume", "M > 0"}, "--assume: expected --formula, a view or a sharding, too");
  expect({"f32[M] mesh[2] S(1)"},
         "f32[M] mesh[2] S(1): column 18: expected a dimension of the array, which has 1, found 1");
  expect({"f32[8] mesh[D] S(0)", "--equals", "f32[9] mesh[D] S(0)"},
         "expected as many elements as f32[8] has, found f32[9]");
  expect({"f32[M] mesh[D] S(0)", "--formula", "1", "--law", "reshard"},
         "--formula: expected neither --equals, --law nor --over beside a layout with a sharding");
  expect({"f32[M] mesh[D] S(0)", "--integers", "int32"},
         "--integers: expected a layout without a sharding, found f32[M] mesh[D] S(0)");
}

TEST(Sharded, CompareNamesTheCollective) {
  EXPECT_EQ(OutOf({"compare", "bf16[8,8] mesh[4] S(0)", "bf16[8,8] sharding={replicated}"}),
            R"(all-gather

  A                 bf16[8,8]{1,0} mesh[4] S(0)
  B                 bf16[8,8]{1,0} sharding={replicated}
  first that moves  element (0,0) to device 1: on 0 in A, on 0-3 in B
  received          384 B on all devices

      before       after    received        sent  per device
        32 B       128 B        96 B        96 B  0-3
)");
  const ProgramResult moved =
      RunLayoutcheck({"compare", "f32[4] mesh[2] S(0)", "f32[4] sharding={devices=[2]1,0}", "--json"});
  EXPECT_EQ(moved.exit_code, 1);
  EXPECT_EQ(moved.out,
            R"~({"relation":"collective-permute","a":{"layout":"f32[4]{0} mesh[2] S(0)","devices":2,"replicas":1},)~"
            R"~("b":{"layout":"f32[4]{0} sharding={devices=[2]1,0}","devices":2,"replicas":1},)~"
            R"~("moved":{"element":[0],"device":1,"devices_a":[0],"devices_b":[1]},"received_bytes":16,)~"
            R"~("devices":[{"device":0,"before":8,"after":8,"received":8,"sent":8},)~"
            R"~({"device":1,"before":8,"after":8,"received":8,"sent":8}]})~"
            "\n");
  // Replicas of the other side are on all of its devices, up to the largest number.
  EXPECT_EQ(OutOf({"compare", kReplicated, "f32[8] sharding={maximal device=3}"}).substr(0, 6), "slice\n");
}

TEST(Sharded, CompareSaysWhetherLocalOffsetsChange) {
  const ProgramResult same = RunLayoutcheck({"compare", "f32[5] mesh[2] S(0)", "f32[5] mesh[x=2] P('x')"});
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_NE(same.out.find("local offsets     the same\n"), std::string::npos) << same.out;
  const Words other{"compare", "f32[8,8]{0,1} mesh[4] S(0)", "f32[8,8]{1,0} sharding={devices=[4,1]<=[4]}"};
  EXPECT_EQ(RunLayoutcheck(other).exit_code, 0);
  EXPECT_NE(OutOf(other).find("local offsets     differ: element (0,1) of device 0 is at 2 in A, at 1 in B\n"),
            std::string::npos);
  // The last shard has padding in B, and is compared without it.
  EXPECT_NE(OutOf({"compare", "f32[5,2] mesh[2] S(0)", "f32[5,2]{0,1} mesh[x=2] P('x')"})
                .find("differ: element (0,1) of device 0 is at 1 in A, at 3 in B"),
            std::string::npos);
  const ProgramResult slice = RunLayoutcheck({"compare", "f32[4] mesh[2] R", "f32[4] mesh[2] S(0)"});
  EXPECT_EQ(slice.exit_code, 0);
  EXPECT_EQ(slice.out.find("local offsets"), std::string::npos);
}

TEST(Sharded, CompareSaysWhetherAViewIsFree) {
  const ProgramResult flat = RunLayoutcheck({"compare", "f32[8,4] mesh[x=2] P('x')", "f32[32] mesh[x=2] P('x')"});
  EXPECT_EQ(flat.exit_code, 0);
  EXPECT_TRUE(flat.out.starts_with("free\n")) << flat.out;
  const ProgramResult uneven = RunLayoutcheck({"compare", "f32[5,4] mesh[2] S(0)", "f32[20] mesh[2] S(0)", "--json"});
  EXPECT_EQ(uneven.exit_code, 1);
  EXPECT_NE(
      uneven.out.find(R"~("moved":{"element":[2,2],"device":1,"devices_a":[0],"devices_b":[1],"element_b":[10]})~"),
      std::string::npos)
      << uneven.out;
  // Each device keeps its elements, and moves them within its memory.
  const Words rows{"compare", "f32[8,4]{0,1} mesh[2] S(0)", "f32[32] mesh[2] S(0)"};
  EXPECT_TRUE(OutOf(rows).starts_with("same devices\n"));
  EXPECT_NE(OutOf(rows).find("differ: element (0,1) of device 0 is at 4 in A, at 1 in B"), std::string::npos);
}

TEST(Sharded, CompareTakesATranspose) {
  const std::string array = "f32[8,4] mesh[2] S(0)";
  EXPECT_TRUE(OutOf({"compare", array, "f32[4,8]{0,1} mesh[2] S(1)", "--transpose", "1,0"}).starts_with("free\n"));
  EXPECT_TRUE(
      OutOf({"compare", array, "f32[4,8]{1,0} mesh[2] S(1)", "--transpose", "1,0"}).starts_with("same devices\n"));
  const std::string moved = OutOf({"compare", array, "f32[4,8] mesh[2] S(0)", "--transpose", "1,0"});
  EXPECT_NE(moved.find("element (4,0), which is (0,4) in B, to device 0: on 1 in A, on 0 in B"), std::string::npos)
      << moved;
}

TEST(Sharded, CompareRefusesOtherArrays) {
  EXPECT_EQ(ErrorOf({"compare", "f32[8] mesh[2] S(0)", "f32[9] mesh[2] S(0)"}, 2),
            "layoutcheck compare: B: expected an array with the number of elements that A has, 8\n");
  EXPECT_EQ(ErrorOf({"compare", "f32[8] mesh[2] S(0)", "bf16[8] mesh[2] S(0)"}, 2),
            "layoutcheck compare: B: expected elements of the type and size that A has\n");
  EXPECT_EQ(ErrorOf({"compare", "f32[8] mesh[2] S(0)", "f32[8]"}, 2).substr(0, 33),
            "layoutcheck compare: B: column 7:");
  EXPECT_EQ(ErrorOf({"compare", kReplicated, kReplicated}, 2).substr(0, 34), "layoutcheck compare: A: column 8: ");
  EXPECT_EQ(ErrorOf({"compare", kTiled, kTiled, "--transpose", "1,1"}, 2),
            "layoutcheck compare: --transpose: the permutation {1,1} contains 1 twice\n");
  EXPECT_EQ(
      ErrorOf({"compare", "f32[8,4] mesh[2] S(0)", "f32[32] mesh[2] S(0)", "--picture"}, 2),
      "layoutcheck compare: --picture and --svg are for shardings of arrays of the same sizes, without --transpose\n");
  const ProgramResult many = RunLayoutcheck(
      {"compare", "pred[2305843009213693952] sharding={maximal device=0}", "pred[2305843009213693952] mesh[8] R"});
  EXPECT_EQ(many.exit_code, 3);
  EXPECT_EQ(many.out, "undecided: more than 2^62 elements on all devices\n");
}

TEST(Sharded, ConvertWritesOtherNotations) {
  EXPECT_EQ(OutOf({"convert", "f32[8,8]{0,1} mesh[dp=2,tp=4] S(1),R", "--to", "hlo-sharding"}),
            "f32[8,8]{0,1} sharding={devices=[1,2,4]<=[8] last_tile_dim_replicate}\n");
  EXPECT_EQ(OutOf({"convert", "f32[8,8] sharding={devices=[2,4]<=[8]}", "--to", "shardy", "--json"}),
            R"~({"ok":true,"text":"f32[8,8]{1,0} #sdy.sharding<mesh<[\"x0\"=2, \"x1\"=4]>, [{\"x0\"}, {\"x1\"}]>"})~"
            "\n");
  EXPECT_EQ(ErrorOf({"convert", "f32[5] sharding={devices=[2]<=[2]}", "--to", "dtensor"}, 1),
            "not expressible: device 1 has an array of sizes [3], but of [2] in mesh[2] S(0), which does not pad\n");
  EXPECT_EQ(
      ErrorOf({"convert", "f32[5] mesh[2] S(0)", "--to", "onednn"}, 2),
      "layoutcheck convert: --to: LAYOUT has a sharding: expected hlo-sharding, shardy, jax, dtensor or tt-metal, got "
      "'onednn'\n");
  EXPECT_EQ(ErrorOf({"convert", "f32[5]", "--to", "jax"}, 2).substr(0, 38), "layoutcheck convert: LAYOUT: column 7:");
}

}  // namespace
}  // namespace layoutcheck
