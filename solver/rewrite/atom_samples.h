// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of all atoms at some points: a filter that saves most questions to a solver, for what is false at a point does
// not follow.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_ATOM_SAMPLES_H_
#define LAYOUTCHECK_SOLVER_REWRITE_ATOM_SAMPLES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

using NamedValues = std::map<std::string, int64_t>;

class AtomSamples {
 public:
  // Each point gives a value to every variable that polynomials are made of, but for those that are defined later.
  AtomSamples(const Ring& ring, const std::vector<NamedValues>& points);

  // Gives a variable, that nothing was asked about so far, the bits that all of the polynomials have at each point.
  // Points where one of them does not fit int64 are dropped.
  void DefineConjunction(const std::string& variable, const std::vector<Polynomial>& conjuncts);

  // Keeps the points where the polynomial is >= 0, or zero.
  void KeepNotNegative(const Polynomial& polynomial);
  void KeepZero(const Polynomial& polynomial);

  // Whether the polynomial is negative at a point; false where its value is not known.
  bool FindNegative(const Polynomial& polynomial);
  bool FindNonzero(const Polynomial& polynomial);

  size_t size() const { return points_.size(); }
  // One of the points that are left. Requires size() > 0.
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

#endif  // LAYOUTCHECK_SOLVER_REWRITE_ATOM_SAMPLES_H_
