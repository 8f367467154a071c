# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the formula that a Python function computes, and calls the function with numbers."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from .._arguments import sequence
from .conditions import Condition, ConditionReader, is_name
from .formula_text import RESERVED, TooLarge, formula_of, leaves_of
from .integers import SymbolicInteger, plain_value
from .nodes import Facts, Graph
from .paths import Tree
from .sympy_formula import SymPyFunction


class Domain:
    """The names of a question, and what holds for their values.

    least: the smallest value of each name, or None for one that may be any integer. below: pairs of a name and what is larger, a name or a number.
    """

    def __init__(self, least: dict[str, int | None], below=(), assume=""):
        self.graph = Graph()
        self.least = dict(least)
        self.below = list(below)
        for name in self.least:
            if not is_name(name) or name in RESERVED:
                raise ValueError(f"expected a parameter with another name than '{name}', which formulas use otherwise")
        self.facts = Facts(self.graph)
        for name, value in self.least.items():
            if value is not None:
                self.facts.add(self.graph.apply("<=", self.graph.const(value), self.graph.name(name)), True)
        for name, limit in self.below:
            bound = self.graph.name(limit) if isinstance(limit, str) else self.graph.const(limit)
            self.facts.add(self.graph.apply("<", self.graph.name(name), bound), True)
        reader = ConditionReader(self.graph, set(self.least))
        texts = [assume] if isinstance(assume, str) else sequence("assume", assume or (), "conditions as a text")
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(f"assume: expected conditions as a text, got {assume!r}")
        self._assumed = ", ".join(text.strip() for text in texts if text.strip())
        self.conditions: list[Condition] = [condition for text in texts for condition in reader.read(text)]
        for condition in self.conditions:
            for node in condition.nodes:
                self.facts.add(node, True)

    def where(self) -> str:
        """Returns " where" and the assumptions, or nothing if there are none."""
        return f" where {self._assumed}" if self._assumed else ""


@dataclass
class Call:
    """A function and its arguments, as names of a domain in order, or numbers."""

    function: object
    names: list[str]
    keywords: list[str]
    tuple_length: int | None = None  # if set, the first `tuple_length` names are one argument, a tuple

    def arguments(self, value_of):
        """Returns (positional, keyword) arguments, with value_of(name) for each name."""
        values = [value_of(name) for name in self.names]
        if self.tuple_length is not None:
            values = [tuple(values[: self.tuple_length]), *values[self.tuple_length:]]
        return values, {name: value_of(name) for name in self.keywords}

    def with_numbers(self, point):
        """Returns (values, fault): the results of the function as a tuple of integers, or an exception's text."""
        positional, keywords = self.arguments(lambda name: point[name])
        try:
            result = self.function(*positional, **keywords)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # every exception of the function is a result
            return None, f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        values = []
        for value in result if type(result) in (tuple, list) else (result,):
            value = plain_value(value)
            if type(value) not in (int, bool):
                return None, f"returned {value!r}, a {type(value).__qualname__}: expected int"
            values.append(int(value))
        return tuple(values), None


def parameters_of(function):
    """Returns (positional, keyword-only) names of parameters without default value, names of those with one, and True
    if the function takes any number of positional arguments.
    """
    if isinstance(function, SymPyFunction):
        return function.names, [], [], False
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise TypeError(f"expected a function with known parameters, found {function!r}") from None
    positional, keywords, optional, takes_any = [], [], [], False
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            takes_any = True
        elif parameter.kind is parameter.VAR_KEYWORD:
            continue
        elif parameter.default is not parameter.empty:
            optional.append(parameter.name)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            keywords.append(parameter.name)
        else:
            positional.append(parameter.name)
    return positional, keywords, optional, takes_any


class Traced:
    """The paths of a call. `refused` is the reason why they are not known, or None."""

    def __init__(self, domain: Domain, call: Call):
        self._tree = Tree(domain.graph, domain.facts, [domain.graph.name(name) for name in domain.least])

        def arguments(path):
            return call.arguments(lambda name: SymbolicInteger(path, domain.graph.name(name)))

        self.refused = self._tree.explore(call.function, arguments)
        if self.refused is None:
            shapes = {(leaf.is_tuple, len(leaf.values)) for leaf in leaves_of(self._tree) if leaf.fault is None}
            if len(shapes) > 1:
                self.refused = "the function returns different numbers of integers: expected one tuple or integer"
            self.is_tuple, self.count = shapes.pop() if len(shapes) == 1 else (False, 1)

    def formula(self, component=0, everything=False) -> str:
        """Returns the text of the formula. Errors: TooLarge."""
        try:
            return formula_of(self._tree, component, everything)
        except RecursionError:
            raise TooLarge("the function decides too often on one path") from None


__all__ = ["Call", "Domain", "TooLarge", "Traced", "parameters_of"]
