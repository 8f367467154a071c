// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear arithmetic over polynomials, with each monomial as an unknown, and a memory of its answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/solver/terms/polynomial.h"

namespace layoutcheck {

// The answers to the questions of all LinearFacts of this thread, while an object of this type exists. The paths of one
// claim, and the claims about one kernel, ask most questions again: they begin with the same facts. An answer depends
// on the numbers in the facts and the question alone, whatever the unknowns stand for. Objects inside the life of
// another one share its memory.
class LinearAnswers {
 public:
  LinearAnswers();
  ~LinearAnswers();
  LinearAnswers(const LinearAnswers&) = delete;
  LinearAnswers& operator=(const LinearAnswers&) = delete;

 private:
  friend class LinearFacts;
  // A hash of facts and of a question. Its 128 bits are taken as the question itself, since no proof rests on the
  // answer: Z3 confirms the certificate that is found with it.
  using Key = std::array<uint64_t, 2>;
  using Answer = std::optional<std::vector<size_t>>;

  // Numbers for the unknowns at which some facts held and a question was open: values[monomial] / scale, and 0 for
  // further monomials. If other facts hold there and another polynomial is <= -1, that one is open, too.
  struct Model {
    std::vector<Int128> values;
    Int128 scale = 1;
  };

  // Returns the outermost object of this thread, or null.
  static LinearAnswers*& Current();

  bool is_outermost_;
  std::vector<Model> models_;
  size_t next_model_ = 0;  // number of the model to be replaced when there are many
  std::map<Key, Answer> answers_;
  std::map<Key, bool> open_;  // answers of IsOpenWith()
};

// Decides which linear inequalities follow from facts polynomial >= 0, with each monomial as an unknown: over the
// rationals by Z3's simplex, with one rounding, so it is quick.
class LinearFacts {
 public:
  // `rlimit` is Z3's budget per question, in its units of work.
  explicit LinearFacts(uint64_t rlimit);
  ~LinearFacts();

  void Add(const Polynomial& not_negative);

  // Returns true if polynomial <= -1 contradicts the facts, so that polynomial >= 0; false if not or out of budget.
  bool Imply(const Polynomial& polynomial) { return ImplyWith(polynomial, {}).has_value(); }
  // Decides the same with the additional facts candidates[k] >= 0. Returns the indices of those that are needed.
  std::optional<std::vector<size_t>> ImplyWith(const Polynomial& polynomial, std::span<const Polynomial> candidates);

  // Returns true if polynomial <= -1 does not contradict the facts and the candidates, so that ImplyWith() returns
  // nothing for any of them. It takes a fraction of the time, because it does not say which candidates are needed.
  bool IsOpenWith(const Polynomial& polynomial, std::span<const Polynomial> candidates);

  // Returns the number of questions that Z3 was asked.
  int64_t questions() const { return questions_; }

 private:
  struct Z3;

  LinearAnswers::Key KeyOf(const Polynomial& polynomial, std::span<const Polynomial> candidates) const;
  // Returns the candidates without some that no contradiction needs: those with an unknown that has the opposite sign
  // in no fact, no other candidate and not in the negated question. Whatever the other unknowns are, it can be chosen
  // so that they hold.
  std::vector<const Polynomial*> Usable(const Polynomial& polynomial, std::span<const Polynomial> candidates) const;
  // Returns true if a model shows that the question is open.
  bool IsOpenAtModel(const Polynomial& polynomial, std::span<const Polynomial> candidates) const;
  // Keeps the model of the last answer.
  void KeepModel();
  // Returns a solver to which the facts and the negated question have been added behind a push.
  Z3& Begin(const Polynomial& polynomial);
  std::optional<std::vector<size_t>> Ask(const Polynomial& polynomial, std::span<const Polynomial> candidates);

  uint64_t rlimit_;
  std::unique_ptr<Z3> z3_;  // null until there is a question for it
  std::vector<Polynomial> facts_;
  size_t asserted_ = 0;     // number of the facts that Z3 has
  LinearAnswers::Key key_;  // of the facts
  int64_t questions_ = 0;
};

}  // namespace layoutcheck
