// A symbolic integer: what core's formulas compute when their sizes and indices are names. The templates of core run on
// it as they run on int64_t, and leave the expression that they computed; so what is proved is the code that runs.
#ifndef LAYOUTCHECK_SOLVER_TERMS_TERM_H_
#define LAYOUTCHECK_SOLVER_TERMS_TERM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {

class TermContext;

// An integer expression over variables: a small value that points into a TermContext, which owns the expression and
// keeps equal ones once; or a constant, which needs none. Arithmetic on constants is carried out. Terms of different
// contexts must not meet. FloorDiv and Mod stand for floor division and its remainder by a divisor >= 1; whoever builds
// a term with another divisor has no meaning for it, and the prover asks for a proof that a divisor is >= 1.
class Term {
 public:
  Term() = default;                       // 0
  Term(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor): mixes with literals in formulas

  explicit Term(WideInteger value) : value_(value) {}

  bool IsConstant() const { return context_ == nullptr; }
  // Requires IsConstant().
  WideInteger value() const { return value_; }
  // The number of its node in its context. Requires !IsConstant().
  uint32_t node() const { return node_; }

  friend Term operator+(const Term& a, const Term& b);
  friend Term operator-(const Term& a, const Term& b);
  friend Term operator*(const Term& a, const Term& b);
  friend Term FloorDiv(const Term& a, const Term& b);
  friend Term Mod(const Term& a, const Term& b);
  // (a + (b - 1)) floordiv b.
  friend Term CeilDiv(const Term& a, const Term& b);

 private:
  friend class TermContext;

  TermContext* context_ = nullptr;
  uint32_t node_ = 0;  // where context_ is set
  WideInteger value_;  // where it is not
};

Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term FloorDiv(const Term& a, const Term& b);
Term Mod(const Term& a, const Term& b);
Term CeilDiv(const Term& a, const Term& b);

enum class TermKind : uint8_t { kConstant, kVariable, kAdd, kSubtract, kMultiply, kFloorDiv, kMod };

// The expressions of one proof. Nodes are numbered as they are made, operands before what they are in.
class TermContext {
 public:
  struct Node {
    TermKind kind;
    uint32_t a = 0;  // operands; for a variable a is its number
    uint32_t b = 0;
    WideInteger value;  // of a constant
  };

  TermContext() = default;
  TermContext(const TermContext&) = delete;
  TermContext& operator=(const TermContext&) = delete;

  // The variable of that name, the same one for the same name.
  Term Variable(const std::string& name);

  // The node of a term of this context; a constant gets one.
  uint32_t NodeOf(const Term& term);
  const Node& node(uint32_t number) const { return nodes_[number]; }
  // How many nodes there are.
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  const std::string& variable_name(uint32_t variable) const { return variable_names_[variable]; }

 private:
  friend class Term;
  friend Term FloorDiv(const Term& a, const Term& b);
  friend Term Mod(const Term& a, const Term& b);

  struct Key {
    TermKind kind;
    uint32_t a;
    uint32_t b;
    Int128 value;
    bool overflow;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };

  static Term Combine(TermKind kind, const Term& a, const Term& b);
  Term Make(const Node& node);

  friend Term operator+(const Term& a, const Term& b);
  friend Term operator-(const Term& a, const Term& b);
  friend Term operator*(const Term& a, const Term& b);

  std::vector<Node> nodes_;
  std::unordered_map<Key, uint32_t, KeyHash> numbers_;
  std::vector<std::string> variable_names_;
  std::unordered_map<std::string, uint32_t> variables_;
};

// A comparison of two terms: what hypotheses, lemmas and goals are made of.
struct TermRelation {
  enum class Kind : uint8_t { kEqual, kLess, kLessEqual };
  Kind kind;
  Term left;
  Term right;
};
inline TermRelation Equal(const Term& a, const Term& b) { return {TermRelation::Kind::kEqual, a, b}; }
inline TermRelation Less(const Term& a, const Term& b) { return {TermRelation::Kind::kLess, a, b}; }
inline TermRelation LessEqual(const Term& a, const Term& b) { return {TermRelation::Kind::kLessEqual, a, b}; }

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_TERMS_TERM_H_
