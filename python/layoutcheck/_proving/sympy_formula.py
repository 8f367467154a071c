# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas from SymPy's expressions, by their own tree. Their symbols stand for integers >= 0."""

from __future__ import annotations

import sys

from .formula_text import NO_VALUE

_RELATIONS = {"StrictLessThan": "<", "LessThan": "<=", "StrictGreaterThan": ">", "GreaterThan": ">=", "Equality": "==",
              "Unequality": "!="}
_MAX_POWER = 64


class NotAnInteger(ValueError):
    """A part of an expression is no integer, or is not known here."""


def is_sympy(value) -> bool:
    """Returns True for an expression or Lambda of SymPy, without importing it."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic)


class SymPyFunction:
    """An expression as a function of its symbols: those of a Lambda in their order, else those of the expression by
    name. Called with integers, it returns an int. Errors: NotAnInteger, for a value that is none.
    """

    def __init__(self, expression):
        is_lambda = type(expression).__name__ == "Lambda"
        self._expression = expression.expr if is_lambda else expression
        symbols = expression.variables if is_lambda else sorted(expression.free_symbols, key=str)
        self._symbols = {str(symbol): symbol for symbol in symbols}
        self.is_lambda = is_lambda
        self.names = list(self._symbols)
        self.__qualname__ = str(expression)
        if self._expression.free_symbols - set(symbols):
            raise ValueError(f"expected a Lambda of all symbols, found {expression}")

    def __call__(self, *values):
        integer = sys.modules["sympy"].Integer
        value = self._expression.xreplace(dict(zip(self._symbols.values(), map(integer, values), strict=True)))
        if value.is_Integer or value.is_Boolean:
            return int(bool(value)) if value.is_Boolean else int(value)
        raise NotAnInteger(f"{value} is no integer")

    def formula(self, names) -> str:
        """Returns the formula, with `names` in the place of the symbols. It may have + - * **, floor, ceiling, Mod,
        Min, Max, Abs and Piecewise; a quotient only inside of floor and ceiling. Errors: NotAnInteger, for other parts.
        """
        return _Translator(dict(zip(self.names, names, strict=True))).number(self._expression)


class _Translator:
    def __init__(self, names):
        self._names = names

    def number(self, node) -> str:
        kind = type(node).__name__
        if node.is_Symbol:
            return self._names[str(node)]
        if node.is_Integer:
            return str(int(node)) if int(node) >= 0 else f"(-{-int(node)})"
        if kind in ("Add", "Mul"):
            return "(" + (" + " if kind == "Add" else " * ").join(map(self.number, node.args)) + ")"
        if kind == "Pow" and node.exp.is_Integer and 1 <= int(node.exp) <= _MAX_POWER:
            return "(" + " * ".join([self.number(node.base)] * int(node.exp)) + ")"
        if kind == "floor":
            return self._floor(node.args[0])
        if kind == "ceiling":
            return f"(-{self._floor(-node.args[0])})"
        if kind == "Mod" and node.args[1].is_Integer and int(node.args[1]) > 0:
            return f"({self.number(node.args[0])} mod {self.number(node.args[1])})"
        if kind == "Mod":
            return self._by_sign(node.args[1], self.number(node.args[0]), "mod", "-")
        if kind in ("Min", "Max"):
            return self._fold(kind.lower(), [self.number(part) for part in node.args])
        if kind == "Abs":
            text = self.number(node.args[0])
            return f"max({text}, -{text})"
        if kind == "Piecewise":
            return self._piecewise(node.args)
        raise NotAnInteger(f"expected integers, floor, ceiling, Mod, Min, Max and Piecewise, found '{node}'")

    def _fold(self, name, texts):
        result = texts[0]
        for text in texts[1:]:
            result = f"{name}({result}, {text})"
        return result

    def _floor(self, argument):
        """Returns the largest integer that is not above the argument."""
        above, below = argument.together().as_numer_denom()
        text = self.number(above)
        if below.is_Integer and int(below) > 0:
            return text if int(below) == 1 else f"({text} floordiv {int(below)})"
        text = self._by_sign(below, text, "floordiv", "")
        for divisor in self._divisors(argument) - {below}:
            # There is no value where any divisor is 0, although the sum of the fractions may have one.
            text = f"({self.number(divisor)} == 0 ? {NO_VALUE} : {text})"
        return text

    def _divisors(self, argument):
        sympy = sys.modules["sympy"]
        return {power.base for power in argument.atoms(sympy.Pow) if not power.exp.is_nonnegative}

    def _by_sign(self, divisor, above, op, sign):
        below = self.number(divisor)
        return (f"({below} > 0 ? {above} {op} {below} : {below} < 0 ? {sign}((-{above}) {op} (-{below})) : {NO_VALUE})")

    def _piecewise(self, pieces):
        text = NO_VALUE
        for value, condition in reversed(pieces):
            text = f"({self._condition(condition)} ? {self.number(value)} : {text})"
        return text

    def _condition(self, node):
        kind = type(node).__name__
        if kind in ("BooleanTrue", "BooleanFalse"):
            return "1" if kind == "BooleanTrue" else "0"
        if kind in ("And", "Or"):
            return "(" + (" && " if kind == "And" else " || ").join(map(self._condition, node.args)) + ")"
        if kind == "Not":
            return f"!{self._condition(node.args[0])}"
        if kind in _RELATIONS:
            return f"({self.number(node.lhs)} {_RELATIONS[kind]} {self.number(node.rhs)})"
        raise NotAnInteger(f"expected a comparison of integers, found '{node}'")


class SymPySide:
    """The formula of an expression, with the members of Traced."""

    is_tuple = False
    count = 1

    def __init__(self, function: SymPyFunction, names):
        self.refused = None
        self._text = ""
        try:
            self._text = function.formula(names)
        except NotAnInteger as error:
            self.refused = str(error)

    def formula(self, component=0, everything=False) -> str:
        """Returns the text of the formula."""
        return self._text
