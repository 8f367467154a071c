// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/mixed_radix_chain.h"
#include <numeric>
#include <optional>

namespace layoutcheck::verify {
namespace {

using Polynomials = std::vector<Polynomial>;

std::ptrdiff_t At(size_t place) { return static_cast<std::ptrdiff_t>(place); }

}  // namespace

MixedRadixChain::MixedRadixChain(Ring& ring, const SizedLayout& layout)
    : ring_(ring), dimensions_(layout.dimensions), box_(layout.dimensions) {
  AddReorder(layout.major_to_minor);
  for (const std::vector<TileSize>& tile : layout.tiles) AddTile(tile);
  elements_ = ring_.Constant(1);
  for (const Polynomial size : box_) elements_ = ring_.Product(elements_, size);
}

void MixedRadixChain::AddReorder(std::vector<size_t> order) {
  Polynomials next;
  for (const size_t place : order) next.push_back(box_[place]);
  box_ = std::move(next);
  steps_.push_back({Kind::kReorder, 0, std::move(order)});
}

void MixedRadixChain::AddTile(const std::vector<TileSize>& tile) {
  if (tile.size() > box_.size()) {
    const size_t count = tile.size() - box_.size();
    box_.insert(box_.begin(), count, ring_.Constant(1));
    steps_.push_back({Kind::kPrepend, count});
  }
  const size_t first = box_.size() - tile.size();
  Polynomials tile_sizes;
  for (const TileSize& entry : tile) {
    const size_t place = first + tile_sizes.size();
    if (!entry.combine) {
      tile_sizes.push_back(entry.size);
      continue;
    }
    steps_.push_back({Kind::kMerge, place, {}, {box_[place + 1]}});
    box_[place] = ring_.Product(box_[place], box_[place + 1]);
    box_.erase(box_.begin() + At(place) + 1);
  }
  Step pad{Kind::kPad, first};
  Polynomials split(box_.begin(), box_.begin() + At(first));
  std::vector<size_t> order(first);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t k = 0; k < tile_sizes.size(); ++k) {
    const Polynomial size = box_[first + k];
    const Polynomial count = ring_.CeilDiv(size, tile_sizes[k]);
    pad.sizes.push_back(size);
    pad.padded.push_back(ring_.Product(count, tile_sizes[k]));
    padded_digits_.push_back({size, pad.padded.back(), tile_sizes[k]});
    split.insert(split.end(), {count, tile_sizes[k]});
    order.push_back(first + 2 * k);
  }
  for (size_t k = 0; k < tile_sizes.size(); ++k) order.push_back(first + 2 * k + 1);
  steps_.push_back(std::move(pad));
  steps_.push_back({Kind::kSplit, first, {}, std::move(tile_sizes)});
  box_ = std::move(split);
  AddReorder(std::move(order));
}

Polynomials MixedRadixChain::Forward(const Step& step, Polynomials digits) const {
  switch (step.kind) {
    case Kind::kReorder: {
      Polynomials next;
      for (const size_t place : step.order) next.push_back(digits[place]);
      return next;
    }
    case Kind::kPrepend: digits.insert(digits.begin(), step.first, ring_.Constant(0)); return digits;
    case Kind::kMerge:
      digits[step.first] = ring_.Sum(ring_.Product(digits[step.first], step.sizes[0]), digits[step.first + 1]);
      digits.erase(digits.begin() + At(step.first) + 1);
      return digits;
    case Kind::kPad: return digits;
    case Kind::kSplit: break;
  }
  Polynomials next(digits.begin(), digits.begin() + At(step.first));
  for (size_t k = 0; k < step.sizes.size(); ++k) {
    const Polynomial digit = digits[step.first + k];
    next.push_back(ring_.FloorDiv(digit, step.sizes[k]));
    next.push_back(ring_.Mod(digit, step.sizes[k]));
  }
  return next;
}

Polynomials MixedRadixChain::Backward(const Step& step, Polynomials digits, Inverse& inverse) const {
  switch (step.kind) {
    case Kind::kReorder: {
      Polynomials previous(digits.size());
      for (size_t k = 0; k < digits.size(); ++k) previous[step.order[k]] = digits[k];
      return previous;
    }
    case Kind::kPrepend:
      for (size_t k = 0; k < step.first; ++k) inverse.conditions.emplace_back(digits[k], ring_.Constant(1));
      digits.erase(digits.begin(), digits.begin() + At(step.first));
      return digits;
    case Kind::kMerge: {
      const Polynomial merged = digits[step.first];
      digits[step.first] = ring_.FloorDiv(merged, step.sizes[0]);
      digits.insert(digits.begin() + At(step.first) + 1, ring_.Mod(merged, step.sizes[0]));
      return digits;
    }
    case Kind::kPad:
      for (size_t k = 0; k < step.sizes.size(); ++k) {
        inverse.conditions.emplace_back(digits[step.first + k], step.sizes[k]);
      }
      return digits;
    case Kind::kSplit: break;
  }
  Polynomials previous(digits.begin(), digits.begin() + At(step.first));
  for (size_t k = 0; k < step.sizes.size(); ++k) {
    const Polynomial scaled = ring_.Product(digits[step.first + 2 * k], step.sizes[k]);
    previous.push_back(ring_.Sum(scaled, digits[step.first + 2 * k + 1]));
  }
  return previous;
}

Polynomial MixedRadixChain::Index(std::span<const Polynomial> point) const {
  Polynomials digits(point.begin(), point.end());
  for (const Step& step : steps_) digits = Forward(step, std::move(digits));
  if (digits.empty()) return ring_.Constant(0);
  Polynomial index = digits[0];
  for (size_t k = 1; k < digits.size(); ++k) index = ring_.Sum(ring_.Product(index, box_[k]), digits[k]);
  return index;
}

MixedRadixChain::Inverse MixedRadixChain::InverseOf(Polynomial offset) const {
  Inverse inverse;
  Polynomials digits(box_.size());
  for (size_t k = box_.size(); k-- > 1;) {
    digits[k] = ring_.Mod(offset, box_[k]);
    offset = ring_.FloorDiv(offset, box_[k]);
  }
  if (!digits.empty()) digits[0] = offset;
  for (size_t s = steps_.size(); s-- > 0;) digits = Backward(steps_[s], std::move(digits), inverse);
  inverse.coordinate = std::move(digits);
  return inverse;
}

std::vector<Polynomial> MixedRadixChain::BoxSizes() const {
  Polynomials sizes = dimensions_;
  std::vector<std::optional<size_t>> whole;  // the dimension that each digit still is
  for (size_t d = 0; d < sizes.size(); ++d) whole.emplace_back(d);
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::kReorder: {
        std::vector<std::optional<size_t>> next;
        for (const size_t place : step.order) next.push_back(whole[place]);
        whole = std::move(next);
        break;
      }
      case Kind::kPrepend: whole.insert(whole.begin(), step.first, std::nullopt); break;
      case Kind::kMerge:
        whole[step.first] = std::nullopt;
        whole.erase(whole.begin() + At(step.first) + 1);
        break;
      case Kind::kPad:
        for (size_t k = 0; k < step.sizes.size(); ++k) {
          if (const auto dimension = whole[step.first + k]) sizes[*dimension] = step.padded[k];
        }
        break;
      case Kind::kSplit:
        whole.resize(step.first);
        whole.resize(step.first + 2 * step.sizes.size());
        break;
    }
  }
  return sizes;
}

}  // namespace layoutcheck::verify
