// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/atom_samples.h"
#include <algorithm>

namespace layoutcheck {

AtomSamples::AtomSamples(const Ring& ring, const std::vector<NamedValues>& points) : ring_(ring) {
  for (const NamedValues& names : points) points_.push_back({names, {}});
}

WideInteger AtomSamples::Value(Point& point, const Polynomial& polynomial) const {
  return ring_.ValueAt(point.names, point.atoms, polynomial);
}

void AtomSamples::DefineConjunction(const std::string& variable, const std::vector<Polynomial>& conjuncts) {
  std::erase_if(points_, [&](Point& point) {
    int64_t common = -1;
    for (const Polynomial& conjunct : conjuncts) {
      const WideInteger value = Value(point, conjunct);
      if (value.overflow || value.value != static_cast<int64_t>(value.value)) return true;
      common &= static_cast<int64_t>(value.value);
    }
    point.names[variable] = common;
    return false;
  });
}

void AtomSamples::DefineCount(const std::string& variable) {
  constexpr size_t kManyPoints = 100;
  constexpr int64_t kLarge = int64_t{1} << 20;
  if (points_.size() <= kManyPoints) {
    const std::vector<Point> copies = points_;
    points_.insert(points_.end(), copies.begin(), copies.end());
  }
  for (size_t k = 0; k < points_.size(); ++k) {
    points_[k].names[variable] = k < points_.size() / 2 ? static_cast<int64_t>(k % 4) : kLarge;
  }
}

std::vector<NamedValues> AtomSamples::all() const {
  std::vector<NamedValues> points;
  for (const Point& point : points_) points.push_back(point.names);
  return points;
}

void AtomSamples::KeepNotNegative(const Polynomial& polynomial) {
  std::erase_if(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return value.overflow || value.value < 0;
  });
}

void AtomSamples::KeepZero(const Polynomial& polynomial) {
  std::erase_if(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return value.overflow || value.value != 0;
  });
}

bool AtomSamples::FindNegative(const Polynomial& polynomial) {
  return std::ranges::any_of(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return !value.overflow && value.value < 0;
  });
}

bool AtomSamples::FindNonzero(const Polynomial& polynomial) {
  return std::ranges::any_of(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return !value.overflow && value.value != 0;
  });
}

}  // namespace layoutcheck
