# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the paths of a function as a formula in the notation of docs/prove.md."""

from __future__ import annotations

from .nodes import COMPARISONS, Node
from .paths import Step, Tree

NO_VALUE = "1 floordiv 0"
PLAIN_SIZE = 300  # a formula of no more nodes has no lets

# Precedence, larger binds tighter, as in C.
_LEVELS = {"|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10}
_LEVELS |= {"floordiv": 10, "mod": 10}
_UNARY = 11
_PRIMARY = 12

RESERVED = frozenset("""let in min max floordiv ceildiv mod int8 int16 int32 int64 uint8 uint16 uint32
uint64""".split())


class TooLarge(Exception):
    """The formula cannot be written. The text says why."""


def node_text(node: Node, bound=None, level=0) -> str:
    """Returns the text of an expression. `bound` has the names of those that a let has bound; operators that bind more
    loosely than `level` get parentheses.
    """
    bound = bound or {}
    if node in bound:
        return bound[node]
    if node.op == "name":
        return node.value
    if node.op == "const":
        if abs(node.value) >= 1 << 63:
            raise TooLarge(f"the number {node.value} takes more than 64 bits")
        own, text = (_PRIMARY if node.value >= 0 else _UNARY), str(node.value)
    elif len(node.operands) == 1:
        own, text = _UNARY, node.op + node_text(node.operands[0], bound, _UNARY)
    else:
        own = _LEVELS[node.op]
        left = node_text(node.operands[0], bound, own)
        text = f"{left} {node.op} {node_text(node.operands[1], bound, own + 1)}"
    return f"({text})" if own < level else text


class _Writer:
    """Writes one component of the result. With `everything`, what the function computes is in the formula even where
    the result does not need it, so that an overflow there counts.
    """

    def __init__(self, tree: Tree, component: int, everything: bool):
        self._component = component
        self._everything = everything
        self._names = {node.value for node in tree.inputs} | RESERVED
        self._reached = {}  # step -> the expressions that its conditions and results need
        self._uses = {}  # expression -> number of places that need it
        total = self._read(tree.root)
        self._has_lets = total > PLAIN_SIZE
        self._count = 0

    def _roots(self, step):
        if step.leaf is None:
            return [step.condition]
        return [] if step.leaf.fault is not None else [step.leaf.values[self._component]]

    def _read(self, step):
        """Fills the tables for the step and those after it. Returns the size of the formula without lets."""
        roots = self._roots(step)
        size = sum(root.size for root in roots) + 1
        reached = set()
        for root in roots:
            self._uses[root] = self._uses.get(root, 0) + 1
            self._reach(root, reached)
        for child in (step.yes, step.no):
            if child is not None:
                size += self._read(child)
                reached |= self._reached[id(child)]
        self._reached[id(step)] = reached
        return size

    def _reach(self, root, reached):
        pending = [root]
        while pending:
            node = pending.pop()
            if node in reached:
                continue
            reached.add(node)
            for operand in node.operands:
                self._uses[operand] = self._uses.get(operand, 0) + 1
                pending.append(operand)

    def write(self, step: Step, bound) -> str:
        bound = dict(bound)
        reached = self._reached[id(step)]
        lets = []
        dead = []
        now = set()
        for root in self._roots(step):
            self._reach_only(root, now)
        inside = {operand for node in step.created for operand in node.operands}
        for node in step.created:
            is_loose = self._everything and node not in now and node not in inside
            is_shared = self._has_lets and node.op not in COMPARISONS and node.size > 2 and self._uses.get(node, 0) > 1
            if node in reached and (is_loose or is_shared):
                text = node_text(node, bound)
                bound[node] = self._new_name()
                lets.append(f"let {bound[node]} = {text} in ")
            elif is_loose and node not in reached:
                dead.append(node_text(node, bound, _LEVELS["*"]) + " * 0 + ")
        body = self._body(step, bound)
        if dead:
            body = "".join(dead) + f"({body})"
        return "".join(lets) + body

    def _body(self, step, bound):
        if step.leaf is not None:
            return NO_VALUE if step.leaf.fault is not None else node_text(step.leaf.values[self._component], bound)
        yes, no = (NO_VALUE if way is None else self.write(way, bound) for way in (step.yes, step.no))
        return f"{node_text(step.condition, bound, 1)} ? {yes} : {no}"

    def _reach_only(self, root, reached):
        pending = [root]
        while pending:
            node = pending.pop()
            if node not in reached:
                reached.add(node)
                pending += node.operands

    def _new_name(self):
        while True:
            name = f"v{self._count}"
            self._count += 1
            if name not in self._names:
                return name


def formula_of(tree: Tree, component: int = 0, everything: bool = False) -> str:
    """Returns the formula of a component of the result. Where the function raises an exception, and where the ranges of
    the tracing say that it never comes, the formula has no value. Errors: TooLarge.
    """
    return _Writer(tree, component, everything).write(tree.root, {})


def leaves_of(tree: Tree):
    """Yields the ends of the paths."""
    pending = [tree.root]
    while pending:
        step = pending.pop()
        if step.leaf is not None:
            yield step.leaf
        pending += [way for way in (step.yes, step.no) if way is not None]
