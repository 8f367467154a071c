#include "layoutcheck/solver/atom_samples.h"

#include <algorithm>

namespace layoutcheck {

AtomSamples::AtomSamples(const Ring& ring, const std::vector<NamedValues>& points) : ring_(ring) {
  for (const NamedValues& names : points) points_.push_back({&names, {}});
}

WideInteger AtomSamples::Value(Point& point, const Polynomial& polynomial) const {
  return ring_.ValueAt(*point.names, point.atoms, polynomial);
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
