// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement of a certificate: facts, which are hypotheses and what was concluded from them, and goals.
#pragma once

#include <deque>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
#include "layoutcheck/verify/proof/hash_index.h"
#include "layoutcheck/verify/proof/ring.h"

namespace layoutcheck::verify {

// The relation polynomial = 0 if it is an equation, otherwise polynomial >= 0.
struct Relation {
  bool is_equation = false;
  Polynomial polynomial;
};

// The facts and goals of one part of a claim, with the names of its variables and atoms.
class Statement {
 public:
  Ring& ring() { return ring_; }
  const Ring& ring() const { return ring_; }

  Polynomial Number(Int128 value) { return ring_.Constant(value); }
  // Returns a new variable. A name that is in use gets a '!' at its end, again until it is new.
  Polynomial NewVariable(std::string_view name);
  // Returns new variables prefix0, prefix1, ... and assumes 0 <= prefixD < sizes[D] for each.
  std::vector<Polynomial> NewPoint(std::string_view prefix, std::span<const Polynomial> sizes);
  // Gives a polynomial that is one atom a name. Returns false if the name is in use.
  bool Define(std::string_view name, Monomial atom);
  // Returns the monomial that the name stands for, or HashIndex::kNone.
  Monomial Find(std::string_view name) const;

  Relation LessEqual(Polynomial a, Polynomial b) { return {false, ring_.Difference(b, a)}; }
  Relation Less(Polynomial a, Polynomial b);
  Relation Equal(Polynomial a, Polynomial b) { return {true, ring_.Difference(a, b)}; }

  void Assume(const Relation& fact) { facts_.push_back(fact); }
  void AddGoal(const Relation& goal) { goals_.push_back(goal); }
  void SetGoals(std::vector<Relation> goals) { goals_ = std::move(goals); }
  // Adds a goal that is false: no point may satisfy the facts.
  void AddContradiction() { AddGoal(LessEqual(Number(1), Number(0))); }
  // Adds the goals value < size and 0 <= value.
  void AddGoalInRange(Polynomial value, Polynomial size);

  const std::vector<Relation>& facts() const { return facts_; }
  const std::vector<Relation>& goals() const { return goals_; }

 private:
  Ring ring_;
  std::vector<Relation> facts_;
  std::vector<Relation> goals_;
  HashIndex short_names_;  // finds the monomial of a name of at most 8 bytes
  std::unordered_map<std::string_view, Monomial> long_names_;
  std::deque<std::string> variables_;  // texts of names that the certificate does not contain
};

// A reader of polynomials in one line, "3*N*!1 - i0 + 7".
class PolynomialReader {
 public:
  explicit PolynomialReader(Statement& statement) : statement_(statement) {}

  // Reads a polynomial at the start of `text` and removes it from there. The error says what was expected.
  std::expected<Polynomial, std::string> Take(std::string_view& text);

 private:
  // Reads one addend. Returns what was expected, or nothing.
  std::string TakeAddend(std::string_view& text, bool is_negative);

  Statement& statement_;
};

// Returns true if the text is a name: a letter, _ or !, and perhaps more of these and digits.
bool IsName(std::string_view text);

// Reads digits at the start of `text` as a number and removes them. Returns nothing if there is none, none that fits,
// or a leading zero.
std::optional<Int128> TakeNumber(std::string_view& text);

}  // namespace layoutcheck::verify
