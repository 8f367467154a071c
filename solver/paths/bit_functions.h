// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators & | ^ on integers of which few bits are known, written as sums.
//
// An operator that works bit by bit on k unknowns is a sum of their conjunctions with constant factors, where the empty
// conjunction is -1: x | y = x + y - (x & y), x ^ y = x + y - 2 (x & y). This holds for all integers in unbounded two's
// complement. Operators with the same truth table therefore have the same sum (Zhou, Main, Gu, Johnson: Information
// Hiding in Software with Mixed Boolean-Arithmetic Transforms, 2007).
//
// A conjunction of two or more unknowns becomes a variable. The path's hypotheses say that it lies between 0 and each
// unknown that is not negative. Two more facts use ranges of unknowns, which become goals:
//
//   The bits of a result from place p on are those of its truth table with 0 for each unknown x with 0 <= x < 2^p. If
//   that leaves only zeros, the result lies in [0, 2^p); if it leaves only ones, in [-2^p, 0).
//   A conjunction with a multiple of 2^l and with an x that lies in [0, 2^h) is 2^l times that of the bits [l, h).
//
// For Z3, the sums, the hypotheses and these facts are part of the statement and therefore trusted. For the checkers of
// certificates, they follow from lemmas, whose instances are in steps().
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/certificate/derivation.h"
#include "layoutcheck/solver/paths/path_decisions.h"
#include "layoutcheck/solver/paths/term_text.h"

namespace layoutcheck {

// The lemma instances about common bits with which a certificate shows what & | ^ on a path are (proofs/Bits.v). For
// checkers, a & b is an atom; here it is a variable of the ring, whose operands are in operands(). Not trusted. A value
// is an unknown, or made of values by & | ^ and -1 - x. The common bits of a list of values are a & (b & (c & ...)).
class BitSteps {
 public:
  using Value = size_t;
  // The operands of each variable that stands for common bits.
  using Operands = std::map<AtomId, std::pair<Polynomial, Polynomial>>;

  static constexpr Value kZero = 0;
  static constexpr Value kUntraced = SIZE_MAX;  // a value whose operation is not known

  explicit BitSteps(Ring& ring);

  Value Unknown(const Polynomial& polynomial);
  // Returns the value of a polynomial that `common`, the common bits of a and b, makes: a & b, a | b or a ^ b.
  Value Operation(FormulaOp op, Value a, Value b, const Polynomial& polynomial, const Polynomial& common);
  // Returns the value -1 - x.
  Value Complement(const Polynomial& polynomial, Value x);
  // Returns a polynomial that is equal to the value for reasons other than bits.
  Value Alias(const Polynomial& polynomial, Value x);

  // Returns the common bits: a number for two numbers, otherwise a variable.
  Polynomial Common(const Polynomial& a, const Polynomial& b);
  Polynomial Common(const std::vector<Value>& values);

  // Adds the instances that say what the common bits of the values are: sums of those of distinct unknowns, in order.
  void Reduce(const std::vector<Value>& values);
  // Adds 0 <= a & b <= a for a >= 0.
  void AddRange(const Polynomial& a, const Polynomial& b);
  // Adds a | b < power for a and b in [0, power).
  void AddUnionRange(const Polynomial& a, const Polynomial& b, Int128 power);
  // Adds x & y = x & (y mod power) for x in [0, power).
  void AddLowBits(const Polynomial& x, const Polynomial& y, const Polynomial& remainder, Int128 power);
  // Adds x & y = power (u & v) for a multiple x of the power, the quotient u of x and the quotient v of y.
  void AddHighBits(const Polynomial& x, const Polynomial& y, const Polynomial& u, const Polynomial& v, Int128 power);
  // Adds x & (p - 1) = remainder, which is x mod p, for a power of two p. `complement`: the mask is -p, and x & -p = x
  // - remainder.
  void AddMask(const Polynomial& x, const Polynomial& mask, const Polynomial& p, const Polynomial& remainder,
               bool complement);

  const std::vector<LemmaInstance>& instances() const { return instances_; }
  const Operands& operands() const { return operands_; }
  // Returns true if some value is not traced or there would be too many instances.
  bool failed() const { return failed_; }

 private:
  struct Node {
    enum class Kind : uint8_t { kZero, kUnknown, kOperation, kComplement, kAlias } kind;
    Polynomial polynomial;
    FormulaOp op = FormulaOp::kBitAnd;
    Value a = kUntraced;
    Value b = kUntraced;
    Polynomial common = {};
  };
  using List = std::vector<Value>;

  Value Add(Node node);
  void Apply(const char* lemma, std::vector<Polynomial> arguments, std::vector<Relation> premises,
             std::vector<Relation> conclusions);
  // Returns the premises that p is a power of two and q = p - 1, and more.
  std::vector<Relation> PowerPremises(const Polynomial& p, const Polynomial& q, std::vector<Relation> more);
  void Congruence(const Polynomial& x, const Polynomial& y, const Polynomial& t);
  // Shows (x & y) & z = x & (y & z), for c that is equal to x & y.
  void Associate(const Polynomial& x, const Polynomial& y, const Polynomial& z, const Polynomial& c);
  // Front() brings the value number k of the list to its front. Sort() sorts a list of unknowns.
  List Front(const List& list, size_t k);
  List Sort(const List& list);
  List Insert(Value value, const List& sorted);
  void ReduceHead(const Node& head, const List& tail);

  Ring& ring_;
  std::vector<Node> nodes_;
  std::vector<LemmaInstance> instances_;
  std::set<std::pair<std::string, std::vector<Polynomial>>> applied_;
  std::map<std::pair<Polynomial, Polynomial>, AtomId> atoms_;
  Operands operands_;
  std::set<List> reduced_;
  bool failed_ = false;
};

class BitFunctions {
 public:
  static constexpr size_t kMaxUnknowns = 8;

  BitFunctions(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions)
      : certificate_(certificate), rewriter_(rewriter), decisions_(decisions), steps_(certificate.ring()) {}

  // Returns a op b for kBitAnd, kBitOr and kBitXor, or nothing if the path has too many unknowns.
  std::optional<Term> Apply(FormulaOp op, const Term& a, const Term& b);

  // Returns the variable that stands for the common bits of both terms.
  Term CommonVariable(const Term& a, const Term& b);
  // Assumes a relation that follows from the hypotheses before it and the instances of steps().
  void AssumeDerived(const TermRelation& relation);

  bool HasConjunctions() const { return !conjunctions_.empty(); }
  // Returns the variables that stand for conjunctions, with the terms of each.
  const CommonBits& common_bits() const { return common_bits_; }
  BitSteps& steps() { return steps_; }
  // The numbers of the hypotheses that AssumeDerived() made.
  const std::vector<size_t>& derived() const { return derived_; }

 private:
  // Bit r is the function's value where unknown i has bit i of r.
  using Table = std::bitset<size_t{1} << kMaxUnknowns>;
  struct KnownTerm {
    Term term;
    Table table;
    BitSteps::Value value = BitSteps::kUntraced;
  };
  struct Unknown {
    Term term;
    std::optional<int> bits;  // result of PathDecisions::BitsOf
    int zeros;                // the term is a multiple of 2^zeros
    BitSteps::Value value;
  };
  // Bits of several terms that decide their conjunction: it is `factor` times that of `terms`.
  struct Fields {
    std::vector<Term> terms;
    Term factor;
    int low;
    int high;
  };

  // Returns the truth table, or nothing if there are too many unknowns. A term that equals one with a table, or its
  // complement, gets its table from there, and the equality becomes a goal. Any other term is a new unknown.
  std::optional<KnownTerm> TableOf(const Term& term);
  Unknown MakeUnknown(const Term& term);
  Term FromTable(const Table& table);
  // Returns the conjunction of the unknowns whose bits are set in `unknowns`.
  Term Conjunction(size_t unknowns);
  Term ConjunctionVariable(size_t unknowns);
  void AssumeRange(const Table& table, const Term& value);
  // Returns the operator's value and adds the steps that show it.
  Term Trace(FormulaOp op, const KnownTerm& a, const KnownTerm& b, const Table& table);
  // Adds steps that bound the common bits of a and b, and a | b.
  void TraceRange(const Term& a, const Term& b);
  void TraceFields(std::span<const Unknown> unknowns, const Fields& fields, std::span<const BitSteps::Value> values);
  // Returns the bits that decide the conjunction, or nothing if those are all.
  std::optional<Fields> FieldsOf(std::span<const Unknown> unknowns);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  std::vector<Unknown> unknowns_;
  std::map<Polynomial, KnownTerm> known_;  // known terms by canonical polynomial
  std::map<size_t, Term> conjunctions_;
  CommonBits common_bits_;
  int fields_taken_ = 0;
  BitSteps steps_;
  std::vector<size_t> derived_;
};

}  // namespace layoutcheck
