# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about Python functions and layouts."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from .._arguments import optional_count, sequence
from .._core import Layout
from ..errors import LayoutError
from .cross_check import differs_from_calls
from .formula_text import TooLarge
from .guard import function_of
from .sympy_formula import SymPyFunction, SymPySide, is_sympy
from .trace import Call, Domain, Traced, parameters_of
from .verdict import Verdict


class ProverMissing(ImportError):
    """The package was built without the prover."""


def _prover():
    try:
        from .. import _prover as prover
    except ImportError as error:
        raise ProverMissing(
            "layoutcheck was built without its prover, which needs Z3: install Z3 with its headers (libz3-dev on "
            f"Debian) and build the package again ({error})") from error
    return prover


def prove_laws(
    layout: Layout | str, laws: str | Iterable[str] = (), *, budget: int | None = None, certificates: bool = False
) -> list[Verdict]:
    """Returns one verdict per law of a layout, whose dimensions and tile sizes may be names: "f32[M,N]{1,0:T(P,Q)}".

    laws: names of laws; all that the notation has if empty. budget: Z3's work per law, in its units (`--rlimit`).
    Errors: LayoutError for a text that is no layout, and for an unknown law. ProverMissing.
    """
    text = str(layout)
    named = [laws] if isinstance(laws, str) else [str(law) for law in sequence("laws", laws, "names of laws")]
    results = _prover().prove_laws(text, named, optional_count("budget", budget), bool(certificates))
    return [replace(_verdict_of(result, text, None, result["law"]), layout=text) for result in results]


def prove(
    layout: Layout | str,
    function: Any,
    *,
    assume: str = "",
    integers: str | None = None,
    budget: int | None = None,
    certificates: bool = False,
) -> Verdict:
    """Proves or refutes that the function gives the offset of each element, in elements, for all sizes.

    layout: a layout as in `prove_laws`. function: takes one integer per dimension, in order, and the layout's names by
    name: `lambda i, j, M, N: ...`; all other parameters have default values. One parameter besides the names takes the
    index as a tuple if the rank is not 1. A formula as a text, in the notation of docs/prove.md, is taken, too, and so
    are a sympy.Lambda and an expression of SymPy whose symbols are i0, i1, ... and the layout's names.
    assume: conditions in Python's notation with commas between them, "N % 128 == 0, M < 1000". integers: "int32",
    "uint32" or "int64", to prove also that no part of the function overflows that type as long as the padded array's
    size in bytes fits into it.

    The function runs on symbolic integers, once per path. What it does beyond arithmetic on them (a conversion to
    float, `is`, changing state, calls into C) makes the verdict "undecided", with the line. A refutation is confirmed
    by a call. Errors: LayoutError, for the layout; ValueError, for parameters that do not fit it and for `assume`;
    ProverMissing.
    """
    prover = _prover()
    text = str(layout)
    if not text.strip():
        raise LayoutError("expected a layout, found no text", 1, "syntax")
    described = prover.describe(text)
    sizes = described["sizes"]
    names = dict(described["names"])
    indices = [f"i{k}" for k in range(len(sizes))]
    least = {**names, **{index: 0 for index in indices}}
    below = [(index, size) for index, size in zip(indices, sizes) if size is not None]
    domain = Domain(least, below, assume)
    asked = _Asked(prover, text, domain, integers, budget, certificates)
    if isinstance(function, str):
        return asked.formula(function)
    function = _callable(function)
    if isinstance(function, SymPyFunction) and not function.is_lambda:
        unknown = [name for name in function.names if name not in least]
        if unknown:
            known = ", ".join(least)
            raise ValueError(f"{text}: expected the symbols {known}, or a sympy.Lambda, found '{unknown[0]}'")
        return asked.function(Call(function, function.names, []))
    return asked.function(_call_for_layout(function, text, indices, list(names)))


def equivalent(
    first: Any,
    second: Any,
    assume: str = "",
    *,
    signed: str | Iterable[str] = (),
    budget: int | None = None,
    certificates: bool = False,
) -> Verdict:
    """Proves or refutes that two functions give the same integers for all arguments >= 0 that satisfy `assume`.

    signed: the names of parameters that may be negative, too.

    The functions take the same parameters, or as many. A tuple is compared component by component. `assume` is as in
    `prove`; `first` is the actual side, `second` the expected one. Errors: those of `prove`.
    """
    prover = _prover()
    first, second = _callable(first), _callable(second)
    names, keywords, _, takes_any = parameters_of(first)
    others, other_keywords, _, others_any = parameters_of(second)
    if takes_any or others_any:
        raise ValueError("expected functions with named parameters, found one that takes any number")
    if set(names) == set(others):
        order = others
    elif len(names) == len(others):
        order = names
    else:
        raise ValueError(f"expected functions with the same parameters, found {names} and {others}")
    if set(keywords) != set(other_keywords):
        raise ValueError(f"expected the same keyword parameters, found {keywords} and {other_keywords}")
    all_names = [*names, *keywords]
    for name in all_names:
        if re.fullmatch(r"[ijd]\d+", name):
            raise ValueError(f"expected a parameter with another name than '{name}', which has a meaning in formulas")
    negative = [signed] if isinstance(signed, str) else [str(name) for name in sequence("signed", signed, "names")]
    for name in negative:
        if name not in all_names:
            raise ValueError(f"signed: expected names of parameters ({', '.join(all_names)}), found '{name}'")
    domain = Domain({name: None if name in negative else 0 for name in all_names}, (), assume)
    asked = _Asked(prover, "", domain, None, budget, certificates)
    return asked.functions(Call(first, names, keywords), Call(second, order, other_keywords))


def _callable(function):
    return SymPyFunction(function) if is_sympy(function) else function_of(function)


def _side(domain, call):
    if isinstance(call.function, SymPyFunction):
        return SymPySide(call.function, call.names)
    return Traced(domain, call)


def _call_for_layout(function, layout, indices, names):
    positional, keywords, optional, takes_any = parameters_of(function)
    unknown = [name for name in keywords if name not in names]
    if unknown:
        raise ValueError(f"{layout}: expected the layout's names as keyword parameters, found '{unknown[0]}'")
    free = [name for name in positional if name not in names]
    keywords = [*keywords, *[name for name in optional if name in names]]
    if takes_any and not free:
        return Call(function, [*positional, *indices], keywords)
    if len(free) == len(indices):
        remaining = iter(indices)
        return Call(function, [name if name in names else next(remaining) for name in positional], keywords)
    if len(free) == 1 and positional[0] == free[0] and len(indices) != 1:
        return Call(function, [*indices, *positional[1:]], keywords, len(indices))
    raise ValueError(f"{layout} has {len(indices)} dimensions and the names {', '.join(names) or '(none)'}: expected a "
                     f"function of {len(indices)} indices, found the parameters {', '.join(positional) or '(none)'}")


def _verdict_of(result, question, formula, law="formula"):
    status = {"unknown": "undecided"}.get(result["verdict"], result["verdict"])
    point = dict(result["counterexample"])
    expected = point.pop("expected", result["without_value"].get("expected"))
    actual = point.pop("actual", result["without_value"].get("actual"))
    reason = result["reason"] or (f"{result['subexpression']} overflows" if result["subexpression"] else "")
    return Verdict(status, question, point if status == "refuted" else None, expected, actual, result["method"],
                   formula, reason, tuple(result["for_all"]), law, result["seconds"], result["certificate"] or None,
                   dict(result["ranges"]), result["scope"])


class _Asked:
    """A question: a layout or "", the domain, and the options of the prover."""

    def __init__(self, prover, layout, domain, integers, budget, certificates):
        self._prover = prover
        self._layout = layout
        self._domain = domain
        self._integers = integers
        self._budget = optional_count("budget", budget)
        self._certificates = bool(certificates)
        if integers is not None and not isinstance(integers, str):
            raise TypeError(f"integers: expected int32, uint32 or int64, got {integers!r}")

    def _ask(self, formula, equals=None, integers=None):
        assumptions = [condition.text for condition in self._domain.conditions]
        # A name that no formula has makes no difference.
        texts = " ".join([formula, equals or "", *assumptions])
        words = set(re.findall(r"\w+", texts))
        signed = [name for name, least in self._domain.least.items() if least is None and name in words]
        return self._prover.prove(self._layout, formula, equals, assumptions, integers, self._budget,
                                  self._certificates, signed)

    def formula(self, text) -> Verdict:
        """Asks about a formula and, if wanted, whether it overflows."""
        verdict = _verdict_of(self._ask(text), self._layout, text)
        if verdict and self._integers:
            verdict = _verdict_of(self._ask(text, integers=self._integers), self._layout, text, "no-overflow")
        return replace(verdict, layout=self._layout)

    def function(self, call: Call) -> Verdict:
        begin = time.perf_counter()
        traced = _side(self._domain, call)
        question = f"{self._layout} {_name_of(call)}{self._domain.where()}"
        verdict = self._of_traced(question, call, traced)
        return replace(verdict, seconds=time.perf_counter() - begin, layout=self._layout)

    def _of_traced(self, question, call, traced):
        if traced.refused:
            return Verdict("undecided", question, reason=traced.refused)
        if traced.is_tuple:
            return Verdict("undecided", question, reason="the function returns a tuple: expected one integer")
        try:
            text = traced.formula()
            whole = traced.formula(everything=True) if self._integers else None
        except TooLarge as large:
            return Verdict("undecided", question, reason=str(large))
        verdict = self._tried(lambda: self._ask(text), question, text)
        verdict = self._confirmed(verdict, call, None)
        if not verdict:
            return verdict
        difference = differs_from_calls(self._prover, self._domain, [(call, [text])])
        if difference:
            return Verdict("undecided", question, formula=text, reason=difference)
        if self._integers:
            return self._tried(lambda: self._ask(whole, integers=self._integers), question, text, "no-overflow")
        return verdict

    def functions(self, first: Call, second: Call) -> Verdict:
        begin = time.perf_counter()
        question = f"{_name_of(first)} == {_name_of(second)}{self._domain.where()}"
        verdict = self._of_functions(question, first, second)
        return replace(verdict, seconds=time.perf_counter() - begin)

    def _of_functions(self, question, first, second):
        sides = []
        for call in (first, second):
            traced = _side(self._domain, call)
            if traced.refused:
                return Verdict("undecided", question, reason=traced.refused)
            sides.append(traced)
        if (sides[0].is_tuple, sides[0].count) != (sides[1].is_tuple, sides[1].count):
            counts = " and ".join(f"{side.count} in a tuple" if side.is_tuple else "1" for side in sides)
            reason = f"the functions return different numbers of integers: {counts}"
            return Verdict("undecided", question, reason=reason)
        try:
            texts = [[side.formula(k) for k in range(side.count)] for side in sides]
        except TooLarge as large:
            return Verdict("undecided", question, reason=str(large))
        formula = tuple(texts[0]) if sides[0].is_tuple else texts[0][0]
        verdicts = []
        for left, right in zip(*texts):
            verdict = self._tried(functools.partial(self._ask, left, right), question, formula)
            verdict = self._confirmed(verdict, first, second)
            if verdict.status == "refuted":
                return verdict
            verdicts.append(verdict)
        undecided = [verdict for verdict in verdicts if not verdict]
        if undecided:
            return undecided[0]
        difference = differs_from_calls(self._prover, self._domain, [(first, texts[0]), (second, texts[1])])
        return Verdict("undecided", question, formula=formula, reason=difference) if difference else verdicts[-1]

    def _tried(self, ask, question, formula, law="formula"):
        """Asks; a formula that the prover does not read, such as one that is too long, is no verdict."""
        try:
            return _verdict_of(ask(), question, formula, law)
        except LayoutError as error:
            if error.kind in ("syntax", "invalid-argument") and "assumption" not in str(error):
                return Verdict("undecided", question, formula=formula, law=law,
                               reason=f"the prover does not take the formula of the function: {error}")
            raise

    def _confirmed(self, verdict, call, other):
        """Calls the function, and the one that is expected to be equal, with a refutation's counterexample."""
        if verdict.status != "refuted":
            return verdict
        point = {name: verdict.counterexample.get(name, least or 0) for name, least in self._domain.least.items()}
        actual, fault = call.with_numbers(point)
        expected, other_fault = (other.with_numbers(point) if other else ((verdict.expected,), None))
        used = {name: point[name] for name in [*call.names, *call.keywords] if name in point}
        used |= {name: value for name, value in point.items() if name not in used}
        if actual is None and expected is None:
            return replace(verdict, status="undecided", counterexample=None,
                           reason=f"both functions raise an exception at {used}: {fault}; {other_fault}")
        if actual == expected:
            return replace(verdict, status="undecided", counterexample=None,
                           reason=f"the prover refutes it at {used}, where the function gives {_plain(actual)}, as "
                                  "expected: its formula is not the function")
        return replace(verdict, counterexample=used, actual=_plain(actual) if fault is None else fault,
                       expected=_plain(expected) if other_fault is None else other_fault)


def _plain(values):
    return values[0] if values is not None and len(values) == 1 else values


def _name_of(call):
    return getattr(call.function, "__qualname__", type(call.function).__qualname__)
