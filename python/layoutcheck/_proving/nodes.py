# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions over symbolic integers, and the ranges of their values on one path.

An expression is a graph of `Node` objects; equal nodes of one `Graph` are one object. The ranges decide which way a
path goes where only one is possible. Nothing that is proved rests on them: a way that they exclude is in the formula as
a way without a value, and the prover has to find it impossible.
"""

from __future__ import annotations

from math import gcd

ARITHMETIC = frozenset({"+", "-", "*", "floordiv", "mod", "<<", ">>", "&", "|", "^"})
COMPARISONS = frozenset({"<", "<=", "==", "!="})

Range = tuple  # (least, largest); None for no bound
ANY: Range = (None, None)


class Node:
    """A name, an integer (op "const"), or an operator with one or two operands.

    `number` is the position in the graph; `size` is the number of nodes of the expression written as a tree, and
    `depth` that of its levels. `linear` is the sum that the node is: a constant, and a coefficient for each atom, which
    is a node that is no sum.
    """

    __slots__ = ("op", "operands", "value", "number", "size", "depth", "linear")

    def __init__(self, op, operands, value, number):
        self.op = op
        self.operands = operands
        self.value = value
        self.number = number
        self.size = 1 + sum(operand.size for operand in operands)
        self.depth = 1 + max((operand.depth for operand in operands), default=0)
        self.linear = _linear_form(self)


class Graph:
    """Makes nodes. Operators with constant operands are the caller's to compute."""

    def __init__(self):
        self._nodes = {}

    def _make(self, op, operands=(), value=None):
        key = (op, value, *[operand.number for operand in operands])
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(op, operands, value, len(self._nodes))
        return node

    def name(self, text: str) -> Node:
        return self._make("name", value=text)

    def const(self, value: int) -> Node:
        return self._make("const", value=int(value))

    def apply(self, op: str, *operands: Node) -> Node:
        return self._make(op, operands)


def _linear_form(node):
    if node.op == "const":
        return node.value, {}
    if node.op in "+-" and len(node.operands) == 2:
        return _add(node.operands[0].linear, node.operands[1].linear, 1 if node.op == "+" else -1)
    if node.op == "-":
        return _add((0, {}), node.operands[0].linear, -1)
    if node.op == "*":
        for factor, other in (node.operands, node.operands[::-1]):
            if factor.op == "const":
                return _add((0, {}), other.linear, factor.value)
    if node.op == "~":
        return _add((-1, {}), node.operands[0].linear, -1)
    return 0, {node: 1}


def _add(left, right, factor):
    terms = dict(left[1])
    for atom, coefficient in right[1].items():
        terms[atom] = terms.get(atom, 0) + factor * coefficient
    return left[0] + factor * right[0], {atom: c for atom, c in terms.items() if c}


def _plus(left: Range, right: Range) -> Range:
    return tuple(None if a is None or b is None else a + b for a, b in zip(left, right))


def _times(bounds: Range, factor: int) -> Range:
    low, high = (None if bound is None else bound * factor for bound in bounds)
    return (low, high) if factor >= 0 else (high, low)


def _meet(left: Range, right: Range) -> Range:
    lows = [bound for bound in (left[0], right[0]) if bound is not None]
    highs = [bound for bound in (left[1], right[1]) if bound is not None]
    return max(lows, default=None), min(highs, default=None)


def _is_natural(bounds: Range) -> bool:
    return bounds[0] is not None and bounds[0] >= 0


class Facts:
    """Bounds that hold on a path: of sums, and of the conditions that were decided."""

    def __init__(self, graph: Graph):
        self._graph = graph
        self._sums = {}  # key of a sum -> range of the sum
        self._truths = {}  # condition -> bool
        self._ranges = {}  # node -> range, as far as it was computed since the last new fact

    def copy(self) -> Facts:
        other = Facts(self._graph)
        other._sums = dict(self._sums)
        other._truths = dict(self._truths)
        return other

    def range_of(self, node: Node) -> Range:
        """Returns bounds that the value has on this path."""
        known = self._ranges.get(node)
        if known is None:
            known = self._ranges[node] = self._range_of_sum(*node.linear)
        return known

    def _range_of_sum(self, constant, terms):
        if not terms:
            return constant, constant
        total = (0, 0)
        for atom, coefficient in terms.items():
            total = _plus(total, _times(self._range_of_atom(atom), coefficient))
        key, factor = _key_of(terms)
        if key in self._sums:
            total = _meet(total, _times(self._sums[key], factor))
        return _plus(total, (constant, constant))

    def _range_of_atom(self, atom):
        key, _ = _key_of({atom: 1})
        known = self._sums.get(key, ANY)
        if atom.op == "name":
            return known
        if atom.op in COMPARISONS:
            truth = self.truth_of(atom)
            return (0, 1) if truth is None else (int(truth), int(truth))
        return _meet(known, _RANGES[atom.op](*[self.range_of(operand) for operand in atom.operands]))

    def truth_of(self, condition: Node):
        """Returns True or False if the facts decide the condition, else None."""
        if condition in self._truths:
            return self._truths[condition]
        if condition.op not in COMPARISONS:
            low, high = self.range_of(condition)
            if low == 0 and high == 0:
                return False
            return True if (low is not None and low > 0) or (high is not None and high < 0) else None
        left, right = condition.operands
        low, high = self._range_of_sum(*_add(left.linear, right.linear, -1))
        if condition.op in ("<", "<="):
            limit = 0 if condition.op == "<=" else -1
            if high is not None and high <= limit:
                return True
            return False if low is not None and low > limit else None
        is_different = (low is not None and low > 0) or (high is not None and high < 0)
        if is_different or (low == 0 and high == 0):
            return is_different == (condition.op == "!=")
        return None

    def add(self, condition: Node, truth: bool) -> None:
        """Adds that the condition is true, or that it is false."""
        self._truths[condition] = truth
        self._ranges = {}
        if condition.op not in COMPARISONS:
            if condition.op == "&" and truth and all(part.op in COMPARISONS for part in condition.operands):
                for part in condition.operands:
                    self.add(part, True)
            zero = self._graph.const(0)
            self._add_equality(_add(condition.linear, zero.linear, -1), not truth)
            return
        left, right = condition.operands
        difference = _add(left.linear, right.linear, -1)
        if condition.op in ("<", "<="):
            limit = 0 if condition.op == "<=" else -1
            self._bound(difference, (None, limit) if truth else (limit + 1, None))
        else:
            self._add_equality(difference, truth == (condition.op == "=="))

    def _add_equality(self, sum_, is_zero):
        if is_zero:
            self._bound(sum_, (0, 0))
            return
        low, high = self._range_of_sum(*sum_)
        if low == 0:
            self._bound(sum_, (1, None))
        if high == 0:
            self._bound(sum_, (None, -1))

    def _bound(self, sum_, bounds):
        constant, terms = sum_
        if not terms:
            return
        key, factor = _key_of(terms)
        low, high = _plus(bounds, (-constant, -constant))
        if factor < 0:
            low, high = (None if high is None else -high), (None if low is None else -low)
        size = abs(factor)
        low = None if low is None else -(-low // size)
        high = None if high is None else high // size
        self._sums[key] = _meet(self._sums.get(key, ANY), (low, high))


def _key_of(terms):
    """Returns a key that sums have in common if one is a multiple of the other, and the factor of this one."""
    items = sorted(terms.items(), key=lambda item: item[0].number)
    factor = 0
    for _, coefficient in items:
        factor = gcd(factor, coefficient)
    if items[0][1] < 0:
        factor = -factor
    return tuple((atom.number, coefficient // factor) for atom, coefficient in items), factor


def _range_of_product(left, right):
    if None in left or None in right:
        return (0, None) if _is_natural(left) and _is_natural(right) else ANY
    products = [a * b for a in left for b in right]
    return min(products), max(products)


def _range_of_quotient(left, right):
    if right[0] is None or right[0] < 1:
        return ANY
    low = left[0]
    if low is not None:
        divisor = right[1] if low >= 0 else right[0]
        low = low // divisor if divisor is not None else 0
    high = left[1]
    if high is not None:
        divisor = right[0] if high >= 0 else right[1]
        high = high // divisor if divisor is not None else -1
    return low, high


def _range_of_remainder(left, right):
    if right[0] is None or right[0] < 1:
        return ANY
    largest = None if right[1] is None else right[1] - 1
    if _is_natural(left):
        if left[1] is not None and left[1] < right[0]:
            return left
        largest = _meet((None, largest), (None, left[1]))[1]
    return 0, largest


def _range_of_and(left, right):
    highs = [bounds[1] for bounds in (left, right) if _is_natural(bounds)]
    if not highs:
        return ANY
    return 0, min((high for high in highs if high is not None), default=None)


def _range_of_or(left, right):
    if not (_is_natural(left) and _is_natural(right)):
        return ANY
    if left[1] is None or right[1] is None:
        return 0, None
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def _range_of_left_shift(left, right):
    if not _is_natural(right):
        return ANY
    if None in left or right[1] is None or right[1] > 63:
        return (0, None) if _is_natural(left) else ANY
    shifted = [a << b for a in left for b in right]
    return min(shifted), max(shifted)


def _range_of_right_shift(left, right):
    if not _is_natural(right):
        return ANY
    low = left[0]
    if low is not None:
        low = low >> right[0] if low < 0 else (low >> right[1] if right[1] is not None and right[1] < 4096 else 0)
    high = left[1]
    if high is not None:
        high = high >> right[0] if high >= 0 else -1
    return low, high


_RANGES = {
    "*": _range_of_product,
    "floordiv": _range_of_quotient,
    "mod": _range_of_remainder,
    "&": _range_of_and,
    "|": _range_of_or,
    "^": _range_of_or,
    "<<": _range_of_left_shift,
    ">>": _range_of_right_shift,
}
