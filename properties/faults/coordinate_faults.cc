// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the inverse of the linear index.
#include <algorithm>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

using Coordinate = Subject::Coordinate;
using Found = std::optional<Coordinate>;

Found AtOffsetOf(const Shape& shape, int64_t offset) {
  const auto answer = ReferenceSubject().CoordinateAt(shape, offset);
  const auto* coordinate = std::get_if<Found>(&answer);
  return coordinate == nullptr ? std::nullopt : *coordinate;
}

}  // namespace

std::vector<Fault> CoordinateFaults() {
  return {
      {"coordinate-of-padding", "tt-metal #57354: padding rows are taken for data",
       [](const Shape& s, int64_t, Found& c) {
         if (!c) c = Coordinate(s.dimensions.size(), 0);
       }},
      {"coordinate-in-physical-order", "IREE #18724: a delinearized index comes in memory order",
       [](const Shape& s, int64_t, Found& c) {
         if (!c) return;
         Coordinate physical;
         for (int64_t p = 0; p < s.rank(); ++p) physical.push_back((*c)[static_cast<size_t>(s.layout->Major(p))]);
         *c = physical;
       }},
      {"coordinate-reversed", "IREE #18640: the delinearized index in the opposite order",
       [](const Shape&, int64_t, Found& c) {
         if (c) std::ranges::reverse(*c);
       }},
      {"coordinate-untiled", "XLA IndexUtil: the inverse ignores tiles",
       [](const Shape& s, int64_t offset, Found& c) {
         Shape untiled = s;
         DropTiles(untiled);
         c = AtOffsetOf(untiled, offset);
       }},
      {"coordinate-first-tile-only", "XLA before 435f2535ca: the inverse knows one tile",
       [](const Shape& s, int64_t offset, Found& c) {
         if (s.layout->tiles.size() < 2) return;
         Shape first = s;
         KeepTiles(first, 1);
         c = AtOffsetOf(first, offset);
       }},
      {"coordinate-last-offset-missing", "the last element is taken for the end: > in place of >=",
       [](const Shape& s, int64_t offset, Found& c) {
         const auto extent = ExtentOf(s);
         if (extent && offset + 1 == *extent) c.reset();
       }},
      {"coordinate-first-offset-missing", "XLA c1bb1a18cb: 0 taken for false, offset 0 for no offset",
       [](const Shape&, int64_t offset, Found& c) {
         if (offset == 0) c.reset();
       }},
      {"coordinate-only-tail-is-padding", "padding inside tiles is not recognized",
       [](const Shape& s, int64_t offset, Found& c) {
         const auto extent = ExtentOf(s);
         if (!c && extent && offset < *extent && s.rank() > 0) {
           c = Coordinate(s.dimensions);
           for (int64_t& i : *c) i = std::max<int64_t>(i - 1, 0);
         }
       }},
      {"coordinate-clamped", "onnxruntime #14392: an index past the end is cut to the last element",
       [](const Shape& s, int64_t offset, Found& c) {
         const auto extent = ExtentOf(s);
         if (!c && extent && *extent > 0 && offset >= *extent) c = AtOffsetOf(s, *extent - 1);
       }},
      {"coordinate-off-by-one-in-row", "JAX e0faa596b3: the end of a slice, one too far",
       [](const Shape& s, int64_t, Found& c) {
         if (c && !c->empty() && c->back() > 0 && c->back() + 1 == s.dimensions.back()) --c->back();
       }},
      {"coordinate-order-inverted", "XLA 59f42df47d: dimensions in place of their inverse permutation",
       [](const Shape& s, int64_t, Found& c) {
         if (!c) return;
         Coordinate moved(c->size());
         for (size_t k = 0; k < c->size(); ++k) moved[static_cast<size_t>(s.layout->minor_to_major[k])] = (*c)[k];
         *c = moved;
       }},
  };
}

}  // namespace layoutcheck
