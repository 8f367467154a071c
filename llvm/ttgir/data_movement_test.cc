// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the numbers of data_movement.h with their definitions, counted place by place.
#include "layoutcheck/llvm/ttgir/data_movement.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/linear/triton_layout.h"

namespace layoutcheck {
namespace {

LinearLayout Read(const std::string& text) {
  auto layout = ParseLinearLayout(text);
  EXPECT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
  return layout.value_or(LinearLayout());
}

// A thread and the register of it, as numbers: register, lane, warp, block.
using Place = std::tuple<int64_t, int64_t, int64_t, int64_t>;

Place ThreadOf(const Place& place) { return {0, std::get<1>(place), std::get<2>(place), std::get<3>(place)}; }
Place WarpOf(const Place& place) { return {0, 0, std::get<2>(place), std::get<3>(place)}; }
Place BlockOf(const Place& place) { return {0, 0, 0, std::get<3>(place)}; }

std::map<Place, int64_t> ElementsByPlace(const LinearLayout& layout) {
  const std::vector<int64_t> sizes = layout.InputSizes();
  std::map<Place, int64_t> elements;
  for (int64_t r = 0; r < sizes[0]; ++r) {
    for (int64_t l = 0; l < sizes[1]; ++l) {
      for (int64_t w = 0; w < sizes[2]; ++w) {
        for (int64_t b = 0; b < sizes[3]; ++b) {
          elements[{r, l, w, b}] = layout.Index(std::vector<int64_t>{r, l, w, b});
        }
      }
    }
  }
  return elements;
}

Movement CountedMovement(const LinearLayout& from, const LinearLayout& to) {
  const std::map<Place, int64_t> old_elements = ElementsByPlace(from);
  std::map<int64_t, std::vector<Place>> old_places;
  for (const auto& [place, element] : old_elements) old_places[element].push_back(place);
  Movement movement{.has_same_registers = true};
  std::set<std::pair<Place, int64_t>> counted;  // threads with elements
  for (const auto& [place, element] : ElementsByPlace(to)) {
    const auto same = old_elements.find(place);
    if (same == old_elements.end() || same->second != element) movement.has_same_registers = false;
    if (!counted.insert({ThreadOf(place), element}).second) continue;
    bool is_in_thread = false;
    bool is_in_warp = false;
    bool is_in_block = false;
    for (const Place& old : old_places[element]) {
      is_in_thread |= ThreadOf(old) == ThreadOf(place);
      is_in_warp |= WarpOf(old) == WarpOf(place);
      is_in_block |= BlockOf(old) == BlockOf(place);
    }
    ++(is_in_thread ? movement.kept : is_in_warp ? movement.lanes : is_in_block ? movement.warps : movement.blocks);
  }
  return movement;
}

// Draws a layout of these numbers of bits that holds each element of an array of 2^outputs elements.
LinearLayout Drawn(std::mt19937& random, const std::vector<size_t>& bits, size_t outputs) {
  constexpr const char* kNames[] = {"register", "lane", "warp", "block"};
  while (true) {
    std::vector<LinearInput> inputs;
    for (size_t k = 0; k < bits.size(); ++k) {
      LinearInput& input = inputs.emplace_back(LinearInput{kNames[k], {}});
      for (size_t bit = 0; bit < bits[k]; ++bit) {
        const uint64_t image = random() % (uint64_t{1} << outputs);
        input.images.push_back(random() % 4 == 0 ? 0 : image);
      }
    }
    auto layout = LinearLayout::Create(std::move(inputs), {{"dim0", outputs}});
    if (layout && layout->IsOnto()) return *std::move(layout);
  }
}

TEST(ReplicationOf, CountsTheRegistersLanesWarpsAndBlocksOfEachElement) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const LinearLayout layout = Drawn(random, {2, 3, 1, 1}, 4);
    const Replication copies = ReplicationOf(layout);
    std::map<int64_t, std::vector<Place>> places;
    for (const auto& [place, element] : ElementsByPlace(layout)) places[element].push_back(place);
    for (const auto& [element, held] : places) {
      std::set<Place> threads;
      std::set<Place> warps;
      std::set<Place> blocks;
      for (const Place& place : held) {
        threads.insert(ThreadOf(place));
        warps.insert(WarpOf(place));
        blocks.insert(BlockOf(place));
      }
      EXPECT_EQ(std::ssize(held), copies.all());
      EXPECT_EQ(std::ssize(held), std::ssize(threads) * copies.registers);
      EXPECT_EQ(std::ssize(threads), std::ssize(warps) * copies.lanes);
      EXPECT_EQ(std::ssize(warps), std::ssize(blocks) * copies.warps);
      EXPECT_EQ(std::ssize(blocks), copies.blocks);
    }
  }
}

TEST(MovementBetween, CountsElementsOfThreadsByTheirNearestPlace) {
  std::mt19937 random(2);
  Movement all;
  for (int round = 0; round < 400; ++round) {
    const LinearLayout from = Drawn(random, {random() % 3 + 1, 2, 1, 1}, 4);
    const LinearLayout to = Drawn(random, {random() % 3 + 1, 2, 1, 1}, 4);
    const auto movement = MovementBetween(from, to);
    ASSERT_TRUE(movement.has_value()) << movement.error().ToString();
    EXPECT_EQ(*movement, CountedMovement(from, to)) << ToString(from) << "\n" << ToString(to);
    EXPECT_TRUE(MovementBetween(to, to)->has_same_registers);
    all.kept += movement->kept;
    all.lanes += movement->lanes;
    all.warps += movement->warps;
    all.blocks += movement->blocks;
  }
  for (const int64_t count : {all.kept, all.lanes, all.warps, all.blocks}) EXPECT_GT(count, 100);
}

TEST(MovementBetween, ASwapOfTwoLanesMovesBetweenLanesAlone) {
  const LinearLayout from = Read("ll{register:[8],lane:[1,2,4],warp:[16],block:[]} -> [32]");
  const LinearLayout to = Read("ll{register:[8],lane:[2,1,4],warp:[16],block:[]} -> [32]");
  // Lanes 0 and 3 of each group of four keep their elements.
  EXPECT_EQ(MovementBetween(from, to), (Movement{.kept = 16, .lanes = 16}));
}

TEST(MovementBetween, RejectsLayoutsOfOtherThreadsOrShapes) {
  const LinearLayout layout = Read("ll{register:[1],lane:[2,4],warp:[],block:[]} -> [8]");
  const auto why = [&](const std::string& other) { return MovementBetween(layout, Read(other)).error().message; };
  EXPECT_EQ(why("ll{register:[1,2],lane:[4],warp:[],block:[]} -> [8]"),
            "expected layouts of equal numbers of lanes, found 4 and 2");
  EXPECT_EQ(why("ll{register:[1],lane:[2,4],warp:[],block:[]} -> [16]"), "expected layouts of the same shape");
  EXPECT_EQ(MovementBetween(Read("ll{register:[1],lane:[2,0],warp:[],block:[]} -> [8]"), layout).error().message,
            "the layout before the change does not hold every element");
}

// A warp of 32 lanes with two elements of 2 bytes each has 128 bytes, which is one pass.
TEST(LeastPasses, CountWholePassesOfWarps) {
  const LinearLayout two_warps = Read("ll{register:[1],lane:[2,4,8,16,32],warp:[64],block:[]} -> [128]");
  EXPECT_EQ(LeastStorePasses(two_warps, 2), 2);
  EXPECT_EQ(LeastLoadPasses(two_warps, 2), 2);
  EXPECT_EQ(LeastStorePasses(two_warps, 4), 4);
  // Less than a pass is one, and warps of equal elements need one store for all, and a load each.
  const LinearLayout copies = Read("ll{register:[0],lane:[1,2,4,8,0],warp:[0,0],block:[]} -> [16]");
  EXPECT_EQ(LeastStorePasses(copies, 4), 1);
  EXPECT_EQ(LeastLoadPasses(copies, 4), 4);
}

}  // namespace
}  // namespace layoutcheck
