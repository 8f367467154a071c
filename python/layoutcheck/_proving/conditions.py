# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assumptions, conditions in Python's notation: "N % 128 == 0, 0 <= i < M"."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from .formula_text import node_text
from .nodes import Graph, Node

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.LShift: "<<",
              ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
_COMPARISONS = {ast.Lt: ("<", False), ast.LtE: ("<=", False), ast.Gt: ("<", True), ast.GtE: ("<=", True),
                ast.Eq: ("==", False), ast.NotEq: ("!=", False)}


@dataclass
class Condition:
    """`text` in the notation of formulas; `nodes`: comparisons that hold if the condition does."""

    text: str
    nodes: list[Node]


class ConditionReader:
    """Reads conditions over `names`, the names of the arguments and sizes."""

    def __init__(self, graph: Graph, names):
        self._graph = graph
        self._names = names

    def read(self, text: str) -> list[Condition]:
        """Reads conditions with commas between them. Errors: ValueError, with the column and what was expected."""
        if not text.strip():
            return []
        try:
            parsed = ast.parse(f"({text}\n,)", mode="eval").body
        except (SyntaxError, MemoryError, RecursionError) as error:
            is_at_end = (getattr(error, "lineno", None) or 1) > 1 + text.count("\n")
            column = len(text) + 1 if is_at_end else max(1, (getattr(error, "offset", None) or 1) - 1)
            raise ValueError(f"assume: column {column}: expected conditions as 'N % 128 == 0, i < M'") from None
        self._text = text
        try:
            return [self._condition(element) for element in parsed.elts]
        except RecursionError:
            expected = "expected conditions with fewer operators inside of each other"
            raise ValueError(f"assume: column 1: {expected}") from None

    def _wrong(self, node, expected):
        column = max(1, getattr(node, "col_offset", 1))
        found = ast.get_source_segment(f"({self._text}\n,)", node) or type(node).__name__
        raise ValueError(f"assume: column {column}: expected {expected}, found '{found}'")

    def _condition(self, node):
        if isinstance(node, ast.BoolOp):
            parts = [self._condition(value) for value in node.values]
            is_and = isinstance(node.op, ast.And)
            nodes = [fact for part in parts for fact in part.nodes] if is_and else []
            return Condition((" && " if is_and else " || ").join(f"({part.text})" for part in parts), nodes)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return Condition(f"!({self._condition(node.operand).text})", [])
        if not isinstance(node, ast.Compare):
            self._wrong(node, "a comparison")
        operands = [self._number(part) for part in (node.left, *node.comparators)]
        nodes = []
        for op, left, right in zip(node.ops, operands, operands[1:]):
            if type(op) not in _COMPARISONS:
                self._wrong(node, "one of < <= > >= == !=")
            name, is_swapped = _COMPARISONS[type(op)]
            nodes.append(self._graph.apply(name, *((right, left) if is_swapped else (left, right))))
        texts = [node_text(comparison) for comparison in nodes]
        return Condition(texts[0] if len(texts) == 1 else " && ".join(f"({text})" for text in texts), nodes)

    def _number(self, node):
        if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1 << 62:
            return self._graph.const(node.value)
        if isinstance(node, ast.Name):
            if node.id not in self._names:
                self._wrong(node, "one of the names " + ", ".join(sorted(self._names)))
            return self._graph.name(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            operand = self._number(node.operand)
            if isinstance(node.op, ast.UAdd):
                return operand
            return self._graph.const(-operand.value) if operand.op == "const" else self._graph.apply("-", operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            right = self._number(node.right)
            is_number = right.op == "const" and right.value >= 1
            if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not (is_number or right.op == "name"):
                self._wrong(node.right, "a name or a number of at least 1 as the divisor")
            if isinstance(node.op, (ast.LShift, ast.RShift)) and not (right.op == "const" and 0 <= right.value < 64):
                self._wrong(node.right, "an amount from 0 to 63")
            return self._graph.apply(_OPERATORS[type(node.op)], self._number(node.left), right)
        return self._wrong(node, "an integer, a name or an operation on them")


def is_name(text: str) -> bool:
    """Returns True for a name that formulas can have."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) is not None
