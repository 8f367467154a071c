// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the inverse of the linear index.
#include <algorithm>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/reference/reference_subject.h"

namespace layoutcheck {
namespace {

using Plant = std::function<void(FaultHooks&)>;
using Coordinate = Subject::Coordinate;

Plant InCoordinate(void (*change)(const Shape&, int64_t, std::optional<Coordinate>&)) {
  return [change](FaultHooks& hooks) { hooks.coordinate = change; };
}

std::optional<Coordinate> AtOffsetOf(const Shape& shape, int64_t offset) {
  const auto answer = ReferenceSubject().CoordinateAt(shape, offset);
  const auto* coordinate = std::get_if<std::optional<Coordinate>>(&answer);
  return coordinate == nullptr ? std::nullopt : *coordinate;
}

std::vector<Fault> MakeFaults() {
  return {
      {"coordinate-of-padding", "coordinate", "tt-metal #57354: padding rows are taken for data",
       InCoordinate([](const Shape& s, int64_t, std::optional<Coordinate>& c) {
         if (!c) c = Coordinate(s.dimensions.size(), 0);
       })},
      {"coordinate-in-physical-order", "coordinate", "IREE #18724: a delinearized index comes in memory order",
       InCoordinate([](const Shape& s, int64_t, std::optional<Coordinate>& c) {
         if (!c) return;
         Coordinate physical;
         for (int64_t p = 0; p < s.rank(); ++p) physical.push_back((*c)[static_cast<size_t>(s.layout->Major(p))]);
         *c = physical;
       })},
      {"coordinate-reversed", "coordinate", "IREE #18640: the delinearized index in the opposite order",
       InCoordinate([](const Shape&, int64_t, std::optional<Coordinate>& c) {
         if (c) std::ranges::reverse(*c);
       })},
      {"coordinate-untiled", "coordinate", "XLA IndexUtil: the inverse ignores tiles",
       InCoordinate([](const Shape& s, int64_t offset, std::optional<Coordinate>& c) {
         Shape untiled = s;
         untiled.layout->tiles.clear();
         c = AtOffsetOf(untiled, offset);
       })},
      {"coordinate-first-tile-only", "coordinate", "XLA before 435f2535ca: the inverse knows one tile",
       InCoordinate([](const Shape& s, int64_t offset, std::optional<Coordinate>& c) {
         if (s.layout->tiles.size() < 2) return;
         Shape first = s;
         first.layout->tiles.resize(1);
         c = AtOffsetOf(first, offset);
       })},
      {"coordinate-last-offset-missing", "coordinate", "the last element is taken for the end: > in place of >=",
       InCoordinate([](const Shape& s, int64_t offset, std::optional<Coordinate>& c) {
         const auto extent = ExtentOf(s);
         if (extent && offset + 1 == *extent) c.reset();
       })},
      {"coordinate-first-offset-missing", "coordinate", "XLA c1bb1a18cb: 0 taken for false, offset 0 for no offset",
       InCoordinate([](const Shape&, int64_t offset, std::optional<Coordinate>& c) {
         if (offset == 0) c.reset();
       })},
      {"coordinate-only-tail-is-padding", "coordinate", "padding inside tiles is not recognized",
       InCoordinate([](const Shape& s, int64_t offset, std::optional<Coordinate>& c) {
         const auto extent = ExtentOf(s);
         if (!c && extent && offset < *extent && s.rank() > 0) {
           c = Coordinate(s.dimensions);
           for (int64_t& i : *c) i = std::max<int64_t>(i - 1, 0);
         }
       })},
      {"coordinate-clamped", "coordinate", "onnxruntime #14392: an index past the end is cut to the last element",
       InCoordinate([](const Shape& s, int64_t offset, std::optional<Coordinate>& c) {
         const auto extent = ExtentOf(s);
         if (!c && extent && *extent > 0 && offset >= *extent) c = AtOffsetOf(s, *extent - 1);
       })},
      {"coordinate-off-by-one-in-row", "coordinate", "JAX e0faa596b3: the end of a slice, one too far",
       InCoordinate([](const Shape& s, int64_t, std::optional<Coordinate>& c) {
         if (c && !c->empty() && c->back() > 0 && c->back() + 1 == s.dimensions.back()) --c->back();
       })},
      {"coordinate-order-inverted", "coordinate", "XLA 59f42df47d: dimensions in place of their inverse permutation",
       InCoordinate([](const Shape& s, int64_t, std::optional<Coordinate>& c) {
         if (!c) return;
         Coordinate moved(c->size());
         for (size_t k = 0; k < c->size(); ++k) moved[static_cast<size_t>(s.layout->minor_to_major[k])] = (*c)[k];
         *c = moved;
       })},
  };
}

}  // namespace

std::span<const Fault> CoordinateFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
