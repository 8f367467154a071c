// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults that show only in the layouts of one family, so that random layouts almost never find them.
#include <utility>
#include <vector>
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Tiles = std::vector<Tile>;

bool HasTiles(const Shape& shape, const Tiles& tiles) { return shape.layout->tiles == tiles; }

// Returns the size of the dimension at position k from the minor end, or 1.
int64_t& SizeAt(Shape& shape, int64_t k) { return shape.dimensions[static_cast<size_t>(shape.layout->Minor(k))]; }

void DropLastTile(Shape& shape) { shape.layout->tiles.pop_back(); }

}  // namespace

std::vector<Fault> FamilyFaults() {
  return {
      {"pairs-of-16-bit-rows-apart", "JAX ee832c1e66: rows of 16-bit elements are not packed in pairs",
       Where(
           [](const Shape& s) {
             const Tiles& tiles = s.layout->tiles;
             return ByteWidth(s.element_type) == 2 && tiles.size() == 2 && tiles[0].dimensions.back() == 128 &&
                    tiles[1] == Tile{{2, 1}};
           },
           DropLastTile)},
      {"ragged-rows-of-8x128", "XLA 9365382364: a partial tile of 8 x 128 has as many rows as it needs",
       Where([](const Shape& s) { return HasTiles(s, {Tile{{8, 128}}}) && s.rank() >= 2; },
             [](Shape& s) {
               const int64_t rows = SizeAt(s, 1);
               if (rows > 8 && rows % 8 != 0) s.layout->tiles[0].dimensions[0] = rows % 8;
             })},
      {"nibbles-in-fours", "4-bit elements are packed like 8-bit ones, four rows in a word",
       Where(
           [](const Shape& s) {
             return s.layout->element_size_in_bits == 4 && s.layout->tiles.size() == 2 &&
                    s.layout->tiles[1] == Tile{{8, 1}};
           },
           [](Shape& s) { s.layout->tiles[1].dimensions[0] = 4; })},
      {"fractal-zn-column-major", "CATLASS: the rows of a zN fractal of 16-bit elements are columns",
       Where(
           [](const Shape& s) {
             return HasTiles(s, {Tile{{16, 16}}, Tile{{16, 1}}}) &&
                    s.layout->minor_to_major == std::vector<int64_t>{0, 1};
           },
           DropLastTile)},
      {"partial-block-of-nchw16c", "oneDNN 0156c7acae: channels past the last whole block of 16 not counted",
       Where([](const Shape& s) { return s.rank() == 4 && HasTiles(s, {Tile{{16, 1, 1}}}); },
             [](Shape& s) {
               if (int64_t& channels = SizeAt(s, 2); channels > 16) channels -= channels % 16;
             })},
      {"filter-channels-not-padded", "CATLASS: a filter in L1 has no padding of its output channels",
       Where(
           [](const Shape& s) {
             if (s.rank() < 4 || s.layout->tiles.size() != 2) return false;
             std::vector<int64_t> first = s.layout->tiles[0].dimensions;
             if (std::exchange(first.back(), 1) != 16) return false;
             return s.layout->tiles[1].dimensions == first && s.layout->Minor(0) == 0;
           },
           [](Shape& s) { s.layout->tiles.erase(s.layout->tiles.begin()); })},
      {"mx-scales-by-columns", "the fractals of MX scales of A are ordered like those of B",
       Where(
           [](const Shape& s) {
             return HasTiles(s, {Tile{{16, 2}}}) && s.layout->minor_to_major == std::vector<int64_t>{1, 0};
           },
           [](Shape& s) { s.layout = Layout({0, 1}, {Tile{{2, 16}}, Tile{{2, 1}}}); })},
      {"scale-factor-rows-not-permuted", "the 128 rows of a block of scale factors stay in order",
       Where([](const Shape& s) { return HasTiles(s, {Tile{{128, 4}}, Tile{{32, 4}}, Tile{{4, 1, 1, 4}}}); },
             [](Shape& s) { KeepTiles(s, 1); })},
      {"pitch-of-64-dropped", "rows of an aligned pitch are taken as dense",
       Where(
           [](const Shape& s) {
             const Tiles& tiles = s.layout->tiles;
             return s.rank() == 2 && tiles.size() == 1 && tiles[0].dimensions.size() == 2 &&
                    tiles[0].dimensions[0] == 1 && tiles[0].dimensions[1] % 64 == 0;
           },
           DropLastTile)},
      {"int32-offset-of-8x128", "an offset in 32 bits where tiles have 128 lanes",
       [](const Shape& s, int64_t o) {
         const Tiles& tiles = s.layout->tiles;
         const bool lanes = !tiles.empty() && tiles[0].dimensions == std::vector<int64_t>{8, 128};
         return lanes ? static_cast<int64_t>(static_cast<int32_t>(o)) : o;
       }},
  };
}

}  // namespace layoutcheck
