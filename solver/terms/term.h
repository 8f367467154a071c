// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic integers. Core's templates run on them as on int64_t, with names for sizes and indices, and leave the
// expression that they computed, so the code that is proved is the code that runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {

class TermContext;

// An integer expression over variables: a constant or a node of a TermContext, which owns the expression and stores
// equal expressions once. Arithmetic on constants is carried out. Operands of one operator must share a context.
// FloorDiv and Mod are floor division and its remainder for divisors >= 1; a term with any other divisor has no
// meaning, and the prover requires a proof that each divisor is >= 1.
class Term {
 public:
  Term() = default;                       // 0
  Term(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor): mixes with literals in formulas

  explicit Term(WideInteger value) : value_(value) {}

  bool IsConstant() const { return context_ == nullptr; }
  // Requires IsConstant().
  WideInteger value() const { return value_; }
  // Returns the number of the term's node. Requires !IsConstant().
  uint32_t node() const { return node_; }

 private:
  friend class TermContext;

  TermContext* context_ = nullptr;
  uint32_t node_ = 0;  // used if context_ is not null
  WideInteger value_;  // used if context_ is null
};

enum class TermKind : uint8_t { kConstant, kVariable, kAdd, kSubtract, kMultiply, kFloorDiv, kMod };

// The expressions of one proof. Nodes are numbered in order of creation, so operands have smaller numbers.
class TermContext {
 public:
  struct Node {
    TermKind kind;
    uint32_t a = 0;     // first operand; of a variable, its number
    uint32_t b = 0;     // second operand
    WideInteger value;  // value of a constant
  };

  TermContext() = default;
  TermContext(const TermContext&) = delete;
  TermContext& operator=(const TermContext&) = delete;

  // Returns a KIND b for an operator, as a number for two numbers.
  static Term Combine(TermKind kind, const Term& a, const Term& b);
  // Returns the same variable for the same name.
  Term Variable(const std::string& name);

  // Returns the node of a term of this context. A constant gets a node.
  uint32_t NodeOf(const Term& term);
  const Node& node(uint32_t number) const { return nodes_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  const std::string& variable_name(uint32_t variable) const { return variable_names_[variable]; }

 private:
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

  Term Make(const Node& node);

  std::vector<Node> nodes_;
  std::unordered_map<Key, uint32_t, KeyHash> numbers_;
  std::vector<std::string> variable_names_;
  std::unordered_map<std::string, uint32_t> variables_;
};

inline Term operator+(const Term& a, const Term& b) { return TermContext::Combine(TermKind::kAdd, a, b); }
inline Term operator-(const Term& a, const Term& b) { return TermContext::Combine(TermKind::kSubtract, a, b); }
inline Term operator*(const Term& a, const Term& b) { return TermContext::Combine(TermKind::kMultiply, a, b); }
inline Term FloorDiv(const Term& a, const Term& b) { return TermContext::Combine(TermKind::kFloorDiv, a, b); }
inline Term Mod(const Term& a, const Term& b) { return TermContext::Combine(TermKind::kMod, a, b); }
inline Term CeilDiv(const Term& a, const Term& b) { return FloorDiv(a + (b - Term(1)), b); }

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
