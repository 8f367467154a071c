# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbolic integers that compute as Python's integers do, or say that they cannot."""

from __future__ import annotations

import operator

from .nodes import COMPARISONS, Node

# An integer from this many possible values becomes each of them on a path of its own, where Python needs a number.
MAX_VALUES = 64
MAX_POWER = 64
MAX_SHIFT = 1024


def plain_value(value):
    """Returns the value inside of Triton's constexpr, or the value itself."""
    kind = type(value)
    return value.value if kind.__name__ == "constexpr" and kind.__module__.startswith("triton.") else value


def is_condition(node: Node) -> bool:
    """Returns True if the node's value is 0 or 1 by its operators."""
    return node.op in COMPARISONS or (node.op in "&|^" and all(map(is_condition, node.operands)))


class SymbolicInteger:
    """An integer, or a bool, of which an expression is known.

    Operators give symbolic integers, conditions divide the path, and what needs the number itself (an index of a list,
    the end of a range, a key of a dict) divides the path by its values if these are few. Everything else, such as a
    conversion to float, ends the tracing by `Path.escape`.
    """

    __slots__ = ("_layoutcheck_path", "_layoutcheck_node", "_layoutcheck_is_bool")

    def __init__(self, path, node, is_bool=False):
        self._layoutcheck_path = path
        self._layoutcheck_node = node
        self._layoutcheck_is_bool = is_bool

    @property
    def __class__(self):
        return bool if self._layoutcheck_is_bool else int

    def __getattr__(self, name):
        if name in ("real", "numerator"):
            return +self
        if hasattr(int, name):
            self._layoutcheck_path.escape(f"int.{name} of a symbolic integer is not known")
        raise AttributeError(f"'int' object has no attribute '{name}'")

    def __bool__(self):
        return self._layoutcheck_path.decide_truth(self._layoutcheck_node)

    def __index__(self):
        return self._layoutcheck_path.value_of(self._layoutcheck_node, "becomes an int, an index or the end of a range")

    __int__ = __index__

    def __hash__(self):
        return hash(self._layoutcheck_path.value_of(self._layoutcheck_node, "is hashed, as a key of a dict or set is"))

    def __float__(self):
        self._layoutcheck_path.escape("a symbolic integer becomes a float")

    def __complex__(self):
        self._layoutcheck_path.escape("a symbolic integer becomes a complex number")

    def __repr__(self):
        self._layoutcheck_path.note_text()
        return "<a symbolic integer>"

    __str__ = __repr__

    def __format__(self, spec):
        return self.__repr__()

    def __sizeof__(self):
        self._layoutcheck_path.escape("the size of a symbolic integer in memory is not known")

    def __reduce_ex__(self, protocol):
        self._layoutcheck_path.escape("a symbolic integer is copied or pickled")

    def __pos__(self):
        return SymbolicInteger(self._layoutcheck_path, self._layoutcheck_node)

    def conjugate(self):
        return +self

    __trunc__ = __floor__ = __ceil__ = __pos__

    def __round__(self, digits=None):
        if digits is not None:
            self._layoutcheck_path.escape("round() of a symbolic integer to a number of digits is not known")
        return +self

    def __neg__(self):
        return _apply(self, "-", self._layoutcheck_node)

    def __invert__(self):
        return _apply(self, "~", self._layoutcheck_node)

    def __abs__(self):
        return -self if self < 0 else +self

    def __divmod__(self, other):
        return _divmod(self, other, False)

    def __rdivmod__(self, other):
        return _divmod(self, other, True)

    def __truediv__(self, other):
        self._layoutcheck_path.escape("/ makes a float of a symbolic integer; // divides integers")

    __rtruediv__ = __truediv__

    def __pow__(self, other, modulus=None):
        return _power(self, other, modulus, False)

    def __rpow__(self, other, modulus=None):
        return _power(self, other, modulus, True)


def _apply(integer, op, *nodes, is_bool=False):
    path = integer._layoutcheck_path
    return SymbolicInteger(path, path.apply(op, *nodes), is_bool)


def _node_of(integer, other):
    """Returns the node of the other operand, or None if it is no number."""
    path = integer._layoutcheck_path
    path.check_alive()
    kind = type(other)
    if plain_value(other) is not other:
        return None  # Triton's constexpr computes with the integer
    if kind is SymbolicInteger:
        if other._layoutcheck_path is not path:
            path.escape("the function keeps a value from an earlier call")
        return other._layoutcheck_node
    if kind is int or kind is bool:
        return path.graph.const(other)
    if isinstance(other, (int, float, complex)) or hasattr(kind, "__index__") or hasattr(kind, "__array__"):
        path.escape(f"a symbolic integer meets a {kind.__module__}.{kind.__qualname__}: expected int")
    return None


def _is_bool(value):
    return type(value) is bool or (type(value) is SymbolicInteger and value._layoutcheck_is_bool)


# Operators with a constant on one side that give the other side, and those that give 0.
_UNIT_ON_THE_RIGHT = {"+": 0, "-": 0, "*": 1, "|": 0, "^": 0, "<<": 0, ">>": 0, "floordiv": 1}
_UNIT_ON_THE_LEFT = {"+": 0, "*": 1, "|": 0, "^": 0}
_ZERO = {"*": 0, "&": 0}


def _compute(integer, op, left, right):
    """Returns left op right, where the divisor is positive and the amount of a shift is natural."""
    path = integer._layoutcheck_path
    if right.op == "const":
        if _UNIT_ON_THE_RIGHT.get(op) == right.value:
            return SymbolicInteger(path, left)
        if _ZERO.get(op) == right.value or (op == "mod" and right.value == 1):
            return 0
        if op in ("<<", ">>") and right.value > MAX_SHIFT:
            path.escape(f"a shift by {right.value}: expected at most {MAX_SHIFT}")
        if op in ("<<", ">>") and right.value > 63:
            first = _compute(integer, op, left, path.graph.const(63))
            return _compute(integer, op, first._layoutcheck_node, path.graph.const(right.value - 63))
    if left.op == "const":
        if _UNIT_ON_THE_LEFT.get(op) == left.value:
            return SymbolicInteger(path, right)
        if _ZERO.get(op) == left.value:
            return 0
    return _apply(integer, op, left, right)


def _binary(op, integer, other, is_reflected):
    node = _node_of(integer, other)
    if node is None:
        return NotImplemented
    left, right = (node, integer._layoutcheck_node) if is_reflected else (integer._layoutcheck_node, node)
    if op in "&|^" and _is_bool(integer) and _is_bool(other):
        return _apply(integer, op, left, right, is_bool=True)
    path = integer._layoutcheck_path
    if op in ("floordiv", "mod"):
        return _divide(integer, op, left, right)
    if op in ("<<", ">>") and path.is_negative(right):
        operator.lshift(1, -1)  # raises what integers raise
    return _compute(integer, op, left, right)


def _divide(integer, op, left, right):
    """Divides as Python does: the quotient is rounded down, and the remainder has the sign of the divisor."""
    path = integer._layoutcheck_path
    zero = path.graph.const(0)
    if path.is_positive(right):
        return _compute(integer, op, left, right)
    if path.decide("==", right, zero):
        (operator.mod if op == "mod" else operator.floordiv)(1, 0)  # raises what integers raise
    result = _compute(integer, op, path.negative(left), path.negative(right))
    return -result if op == "mod" else result


def _divmod(integer, other, is_reflected):
    quotient = _binary("floordiv", integer, other, is_reflected)
    if quotient is NotImplemented:
        return NotImplemented
    return quotient, _binary("mod", integer, other, is_reflected)


def _power(integer, other, modulus, is_reflected):
    path = integer._layoutcheck_path
    path.check_alive()
    if modulus is not None:
        path.escape("pow() of a symbolic integer with a modulus is not known")
    if is_reflected:
        if type(other) is int and other == 2 and path.range_of(integer._layoutcheck_node)[0] in range(1 << 62):
            return 1 << integer
        if type(other) not in (int, bool):
            path.escape("a power of something that is no int")
        return other ** path.value_of(integer._layoutcheck_node, "is the exponent of a power")
    exponent = other.__index__() if type(other) is SymbolicInteger else other
    if type(exponent) not in (int, bool) or not 0 <= exponent <= MAX_POWER:
        path.escape(f"the power of a symbolic integer: expected an exponent from 0 to {MAX_POWER}")
    result = 1
    for _ in range(exponent):
        result = result * integer
    return result


def _compare(op, integer, other, is_swapped):
    node = _node_of(integer, other)
    if node is None:
        return NotImplemented
    left, right = (node, integer._layoutcheck_node) if is_swapped else (integer._layoutcheck_node, node)
    return _apply(integer, op, left, right, is_bool=True)


def _define_operators():
    names = {"add": "+", "sub": "-", "mul": "*", "floordiv": "floordiv", "mod": "mod"}
    names |= {"lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^"}

    def arithmetic(op, is_reflected):
        return lambda integer, other: _binary(op, integer, other, is_reflected)

    def comparison(op, is_swapped):
        return lambda integer, other: _compare(op, integer, other, is_swapped)

    for name, op in names.items():
        setattr(SymbolicInteger, f"__{name}__", arithmetic(op, False))
        setattr(SymbolicInteger, f"__r{name}__", arithmetic(op, True))
    for name, op, is_swapped in [("lt", "<", 0), ("le", "<=", 0), ("gt", "<", 1), ("ge", "<=", 1), ("eq", "==", 0)]:
        setattr(SymbolicInteger, f"__{name}__", comparison(op, is_swapped))
    SymbolicInteger.__ne__ = comparison("!=", False)


_define_operators()
