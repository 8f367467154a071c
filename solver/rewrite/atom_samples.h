// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates polynomials at sample points. A claim that is false at a point does not follow from the hypotheses, which
// saves most questions to a solver.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

using NamedValues = std::map<std::string, int64_t>;

// The values of all atoms at some points.
class AtomSamples {
 public:
  // Each point has a value for every variable of the polynomials, except for those that are defined below.
  AtomSamples(const Ring& ring, const std::vector<NamedValues>& points);

  // Gives a new variable, at each point, the bits common to all polynomials. Drops points at which one does not fit
  // int64.
  void DefineConjunction(const std::string& variable, const std::vector<Polynomial>& conjuncts);

  // Gives a new variable, which takes all values >= 0, a small value at some points and a large one at others. Copies
  // points where they are few.
  void DefineCount(const std::string& variable);

  // Keep the points at which the polynomial is >= 0, or zero.
  void KeepNotNegative(const Polynomial& polynomial);
  void KeepZero(const Polynomial& polynomial);

  // Return true if the polynomial is known to be negative, or other than zero, at a point.
  bool FindNegative(const Polynomial& polynomial);
  bool FindNonzero(const Polynomial& polynomial);

  size_t size() const { return points_.size(); }
  // Returns the first of the points that are left. Requires size() > 0.
  const NamedValues& first() const { return points_.front().names; }
  std::vector<NamedValues> all() const;

 private:
  struct Point {
    NamedValues names;
    std::vector<WideInteger> atoms;
  };

  WideInteger Value(Point& point, const Polynomial& polynomial) const;

  const Ring& ring_;
  std::vector<Point> points_;
};

}  // namespace layoutcheck
