// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested integers: the shapes, strides and coordinates of shape:stride layouts (IntTuple of CuTe and TLA).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

// An integer (a leaf) or a tuple of IntTuples: 4, (4,2), ((4,2),3), (). A tuple of one element is not its element. A
// leaf may be annotated "static" (`_4`: known when the other program is compiled). The annotation is printed; an
// operation uses it only if its comment says so. A leaf of a stride may have a basis path (`3@1@0`): 3 times the unit
// coordinate of one position of a nested coordinate. Functions recurse as deep as the tuple is nested: text has at most
// kMaxTextDepth levels (text.h), and no operation of the algebra adds more than four.
class IntTuple {
 public:
  static constexpr int64_t kMaxTextDepth = 64;

  IntTuple() = default;                       // the integer 0
  IntTuple(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor): integers are IntTuples
  IntTuple(int value) : value_(value) {}      // NOLINT(google-explicit-constructor)
  static IntTuple Static(int64_t value);      // `_4`
  static IntTuple Tuple(std::vector<IntTuple> elements);
  static IntTuple Tuple(std::initializer_list<IntTuple> elements) { return Tuple(std::vector<IntTuple>(elements)); }
  // Returns value@path. The path begins with the outermost position; in text it ends with it.
  static IntTuple Basis(int64_t value, std::vector<int64_t> path);

  bool is_leaf() const { return !is_tuple_; }
  bool is_tuple() const { return is_tuple_; }
  // Returns the integer of a leaf, 0 for a tuple.
  int64_t value() const { return value_; }
  // Returns true if this is a leaf that is annotated as static.
  bool is_static() const { return is_static_; }
  // Returns the basis path of a leaf; empty for an ordinary integer and for a tuple.
  const std::vector<int64_t>& basis() const { return basis_; }
  // Returns the elements of a tuple; empty for a leaf.
  const std::vector<IntTuple>& elements() const { return elements_; }

  // Annotates every leaf as static, or none.
  void SetStatic(bool is_static);
  IntTuple WithValue(int64_t value) const;
  IntTuple WithStatic(bool is_static) const;

  // Compares structure, integers and basis paths, not annotations: `_4` equals `4`.
  bool operator==(const IntTuple& other) const;

 private:
  std::vector<IntTuple> elements_;
  std::vector<int64_t> basis_;
  int64_t value_ = 0;
  bool is_tuple_ = false;
  bool is_static_ = false;
};

// Returns the number of elements, 1 for an integer.
int64_t Rank(const IntTuple& tuple);
// Returns the levels of nesting: 0 for an integer, 1 for a flat or an empty tuple.
int64_t Depth(const IntTuple& tuple);
// Returns element `index` of a tuple. Element 0 of an integer is the integer. Error: no such element.
Expected<IntTuple> Get(const IntTuple& tuple, int64_t index);
// Returns the element at the path, outermost index first. Error: no such element.
Expected<IntTuple> Get(const IntTuple& tuple, std::span<const int64_t> path);
// Returns the elements of a tuple, or an integer as the only element.
std::vector<IntTuple> Modes(const IntTuple& tuple);
// Returns the leaves from left to right.
std::vector<IntTuple> Leaves(const IntTuple& tuple);
// Returns the product of all leaves, 1 for (); ignores basis paths.
CheckedInt64 CheckedProduct(const IntTuple& tuple);
Expected<int64_t> Product(const IntTuple& tuple);
// Returns true if a leaf has a basis path.
bool HasBasis(const IntTuple& tuple);
// Returns true if every leaf is annotated as static, also for ().
bool IsStatic(const IntTuple& tuple);
// Returns the same tuple with every leaf annotated as static, or with none annotated.
IntTuple WithStaticLeaves(IntTuple tuple, bool is_static);
// Returns a tuple with the structure of `profile` and these leaves, from left to right. Requires equally many leaves.
IntTuple Unflatten(const IntTuple& profile, std::span<const IntTuple> leaves);

// CuTe's relations (documentation of cute/int_tuple.hpp) are reflexive and transitive.
// Returns true if both have the same structure.
bool Congruent(const IntTuple& a, const IntTuple& b);
// Returns true if the structure of `a` is a prefix of that of `b`. An integer is a prefix of anything.
bool WeaklyCongruent(const IntTuple& a, const IntTuple& b);
// Returns true if each integer of `a` is the size of its part of `b`: every coordinate of `a` is one of `b`.
bool Compatible(const IntTuple& a, const IntTuple& b);

// Divides shapes; CeilDivShape rounds up, ShapeDiv requires that at each leaf one number divides the other.
//     tuple by tuple: element by element; missing divisors are 1 (CeilDivShape only).
//     tuple by integer: the divisor is used up from left to right; (3,4) by 6 is (1,2).
//     integer by tuple: by the product of the tuple.
// Errors: a divisor with more elements, a number below 1, or, for ShapeDiv, a remainder (invalid argument); overflow.
Expected<IntTuple> CeilDivShape(const IntTuple& shape, const IntTuple& divisor);
Expected<IntTuple> ShapeDiv(const IntTuple& shape, const IntTuple& divisor);
// Returns true if the tiler divides the shape exactly, mode by mode; false if it has more modes. Errors as above.
Expected<bool> EvenlyDivides(const IntTuple& shape, const IntTuple& tiler);

// Returns the canonical text without blanks: "((_4,2),3)", and "1@1@0" for a basis (innermost position first).
std::string ToString(const IntTuple& tuple);

}  // namespace layoutcheck
