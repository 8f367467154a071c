// Nested integers: shapes, strides and coordinates of shape:stride layouts (CuTe's and TLA's IntTuple).
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_INT_TUPLE_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_INT_TUPLE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

// An integer, or a tuple of IntTuples: 4, (4,2), ((4,2),3), (). A tuple of one element is not its element.
//
// An integer (a leaf) may carry
//  * the annotation "static" (`_4`: known when the other program is compiled). It is kept and printed; an operation
//    looks at it only where its comment says so.
//  * a basis path (`3@1@0`): the leaf stands for 3 times the unit coordinate of one position of a nested coordinate.
//    Only strides have them.
//
// Functions on IntTuples recurse as deep as the tuple is nested. Text (text.h) is limited to kMaxTextDepth levels, and
// no operation of the algebra adds more than four.
class IntTuple {
 public:
  static constexpr int64_t kMaxTextDepth = 64;

  IntTuple() = default;                       // the integer 0
  IntTuple(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor): integers are IntTuples
  IntTuple(int value) : value_(value) {}      // NOLINT(google-explicit-constructor)
  static IntTuple Static(int64_t value);      // `_4`
  static IntTuple Tuple(std::vector<IntTuple> elements);
  static IntTuple Tuple(std::initializer_list<IntTuple> elements) { return Tuple(std::vector<IntTuple>(elements)); }
  // value@path, the path listed from the outermost position to the innermost one; text lists it the other way round.
  static IntTuple Basis(int64_t value, std::vector<int64_t> path);

  bool is_leaf() const { return !is_tuple_; }
  bool is_tuple() const { return is_tuple_; }
  // The integer of a leaf; 0 for a tuple.
  int64_t value() const { return value_; }
  // Whether a leaf is annotated as static; false for a tuple.
  bool is_static() const { return is_static_; }
  // The basis path of a leaf; empty for an ordinary integer and for a tuple.
  const std::vector<int64_t>& basis() const { return basis_; }
  // The elements of a tuple; empty for a leaf.
  const std::vector<IntTuple>& elements() const { return elements_; }

  // The same leaf with another integer, and the same leaf with or without the annotation.
  IntTuple WithValue(int64_t value) const;
  IntTuple WithStatic(bool is_static) const;

  // Equality of structure, integers and basis paths. The annotation is not looked at: `_4` equals `4`.
  bool operator==(const IntTuple& other) const;

 private:
  std::vector<IntTuple> elements_;
  std::vector<int64_t> basis_;
  int64_t value_ = 0;
  bool is_tuple_ = false;
  bool is_static_ = false;
};

// The number of elements; 1 for an integer.
int64_t Rank(const IntTuple& tuple);
// The levels of nesting: 0 for an integer, 1 for a flat tuple (also the empty one).
int64_t Depth(const IntTuple& tuple);
// Element `index` of a tuple; an integer answers index 0 with itself. Error: no such element.
Expected<IntTuple> Get(const IntTuple& tuple, int64_t index);
// The element that the path leads to, outermost index first. Error: it leads nowhere.
Expected<IntTuple> Get(const IntTuple& tuple, std::span<const int64_t> path);
// The elements of a tuple, or the integer as the only element.
std::vector<IntTuple> Modes(const IntTuple& tuple);
// The leaves from left to right.
std::vector<IntTuple> Leaves(const IntTuple& tuple);
void AppendLeaves(const IntTuple& tuple, std::vector<IntTuple>& leaves);
// The product of all leaves; 1 for (). A leaf's basis is not looked at.
CheckedInt64 CheckedProduct(const IntTuple& tuple);
// The same as a value. Error: it does not fit int64.
Expected<int64_t> Product(const IntTuple& tuple);
// Whether any leaf has a basis path.
bool HasBasis(const IntTuple& tuple);
// Whether every leaf is annotated as static (true for ()).
bool IsStatic(const IntTuple& tuple);
// The same tuple, every leaf annotated or not.
IntTuple WithStaticLeaves(const IntTuple& tuple, bool is_static);
// A tuple with the structure of `profile`, its leaves replaced from left to right. Requires as many leaves.
IntTuple Unflatten(const IntTuple& profile, std::span<const IntTuple> leaves);

// The relations of CuTe (facts: docs of cute/int_tuple.hpp). All three are reflexive and transitive.
// The same structure.
bool Congruent(const IntTuple& a, const IntTuple& b);
// The structure of `a` is a prefix of that of `b`: an integer stands above anything.
bool WeaklyCongruent(const IntTuple& a, const IntTuple& b);
// Every coordinate of shape `a` is one of shape `b`: at each integer of `a`, the part of `b` has that many elements.
bool Compatible(const IntTuple& a, const IntTuple& b);

// Division of shapes. tuple by tuple: element by element, missing divisors are 1 (CeilDivShape only); tuple by integer:
// the divisor is used up from left to right, (3,4) by 6 is (1,2); integer by tuple: by its product.
// CeilDivShape rounds up. ShapeDiv requires that at each leaf one number divides the other.
// Errors: a divisor with more elements, a number below 1, overflow, and for ShapeDiv a division that is not exact.
Expected<IntTuple> CeilDivShape(const IntTuple& shape, const IntTuple& divisor);
Expected<IntTuple> ShapeDiv(const IntTuple& shape, const IntTuple& divisor);
// Whether the tiler divides the shape without rest, mode by mode: false also where it has more modes. Errors: as above.
Expected<bool> EvenlyDivides(const IntTuple& shape, const IntTuple& tiler);

// The canonical text: "((_4,2),3)", basis "1@1@0" (innermost position first). No blanks.
std::string ToString(const IntTuple& tuple);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_INT_TUPLE_H_
