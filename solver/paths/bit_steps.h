// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lemma instances about common bits with which a certificate shows what & | ^ on a path are (proofs/Bits.v). For
// checkers, a & b is an atom; here it is a variable of the ring, whose operands are in operands(). Not trusted.
//
// A value is an unknown, or made of values by & | ^ and -1 - x. The common bits of a list of values are a & (b & (c &
// ...)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/certificate/derivation.h"

namespace layoutcheck {

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

  // Returns the common bits: a number for two numbers, otherwise a variable, of this name if it is a new one.
  Polynomial Common(const Polynomial& a, const Polynomial& b, const std::string& name = "");
  Polynomial Common(const std::vector<Value>& values, const std::string& name = "");

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
  // Adds x & (p - 1) = remainder, which is x mod p, for a power of two p. `complement` says that the mask is -p, and
  // x & -p = x - remainder.
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
  // Returns the premises that p is a power of two and q = p - 1.
  std::vector<Relation> PowerPremises(const Polynomial& p, const Polynomial& q);
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

}  // namespace layoutcheck
