# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of your own code: check, assert_valid and fuzz_parser."""

import inspect
import json
import sys
import time
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Type, Union

from . import _core
from ._adapters import FunctionAdapter, ParserAdapter, ShardFunction
from ._arguments import count, duration, optional_count
from ._object_adapter import ObjectAdapter, operations_of
from .reports import CheckFailed, Report, Target

__all__ = ["assert_valid", "check", "families", "fuzz_parser", "laws"]


def check(
    subject: Any,
    *layouts: Any,
    laws: Iterable[str] = (),
    family: Optional[str] = None,
    exhaustive: Optional[int] = None,
    cases: Optional[int] = None,
    seconds: Optional[float] = None,
    seed: int = 1,
    stop_at_first: bool = False,
    vectorized: Optional[bool] = None,
    rejects: Union[Type[Exception], Tuple[Type[Exception], ...]] = ValueError,
) -> Report:
    """Draws layouts where bugs are, asks an implementation about each, and shrinks what is wrong to the smallest layout.

    Args:
        subject: one of
            a function `offset(layout, index) -> int`. `index` is a tuple of integers, or for a vectorized function an
            int64 array of rank x count, so that `i, j = index` works with both; it then returns `count` offsets.
            a function `shard(layout, device)`, whose second argument has this name. It returns what the device holds of an
            array with a sharding: per dimension a pair (start, stop) or a slice, None for a device without a part, the
            numbers of the elements where ranges do not say it, or a mapping with "shape" and "elements".
            an object, or a class without arguments, with some of the methods offset, table, coordinate, size, parse,
            relayout, apply, make, bitcast, equal, edit, shard and reshard (layoutcheck/_object_adapter.py has their
            arguments): what it has is tested. NotImplementedError declines a question, which is not held against it.
        layouts: what to check in place of drawn layouts: layouts in any notation, without shrinking; texts with names
            for sizes such as "f32[M,N]{1,0:T(8,128)}", whose values are drawn and shrunk; arguments of a function of
            the algebra such as "(4,3):(3,1); 6:1"; arrays with a sharding. Questions about one layout are then asked
            about these layouts alone; without layouts, laws also compare a layout with its counterparts in other layouts and ranks.
        laws: names of the laws to check, all by default; `layoutcheck.laws()` lists them.
        family: draws from this family of layouts only; `layoutcheck.families()` lists them.
        exhaustive: checks every layout of a scope, from 1, the smallest, to the largest.
        cases: number of layouts to draw; by default 1000, or as many as there is time for.
        seconds: ends the run after this time.
        seed: the same seed draws the same layouts on every machine.
        stop_at_first: ends the run at the first finding.
        vectorized: True if the function, or the method `offset`, takes arrays; False if it takes single indices; None to
            try arrays, and to use them as long as single questions have the same answers.
        rejects: the exceptions by which parse, apply and edit reject their arguments.

    Returns:
        A Report, which is true only if something was checked and nothing was found.

    Raises:
        LayoutError: a text that is no layout, or a law or family that does not exist.
        TypeError: a subject with nothing to test.
        KeyboardInterrupt and the like, after what was found was written to stderr.
    """
    if family is not None and (layouts or exhaustive is not None):
        raise TypeError("family goes with neither layouts nor exhaustive")
    if exhaustive is not None and (layouts or cases is not None):
        raise TypeError("exhaustive enumerates a scope: it goes with neither layouts nor cases")
    seconds, seed = duration(seconds), count("seed", seed)
    cases, exhaustive = optional_count("cases", cases), optional_count("exhaustive", exhaustive)
    named = [laws] if isinstance(laws, str) else list(laws)
    texts = [_text_of(layout) for layout in layouts]
    options = {"family": family, "exhaustive": exhaustive, "cases": cases, "seconds": seconds, "seed": seed}
    options["stop_at_first"] = stop_at_first
    runs = _runs_of(subject, named, vectorized, rejects)
    report = Report(seed=seed, options={**options, "layouts": texts}, target=_target_of(subject, vectorized))
    for name, operations, run_laws in runs:
        started: List[Any] = []

        def start(name=name, operations=operations, started=started):
            started.append(_adapter_of(subject, name, operations, vectorized, rejects))
            return started[-1]

        begin = time.perf_counter()
        totals, error = _core.check(start, texts, laws=run_laws, **options)
        report.add(json.loads(totals), time.perf_counter() - begin, sum(each.offsets_given for each in started))
        _raise_after_report(report, error)
    return report


def assert_valid(subject: Any, *layouts: Any, **options: Any) -> Report:
    """Checks an implementation as `check` does, with the same arguments, for a test.

    Raises:
        CheckFailed (an AssertionError): the implementation is wrong, with the text of the findings: the smallest layout,
            what was expected and found, the picture of memory, and a test to paste. Also if nothing was checked.
    """
    __tracebackhide__ = True  # by pytest
    report = check(subject, *layouts, **options)
    if not report:
        raise CheckFailed(report)
    return report


def fuzz_parser(
    parse: Callable[[str], Any],
    kind: str = "shape",
    *,
    seconds: Optional[float] = None,
    cases: Optional[int] = None,
    seed: int = 1,
    corpus: Sequence[str] = (),
    stop_at_first: bool = False,
    rejects: Union[Type[Exception], Tuple[Type[Exception], ...]] = ValueError,
) -> Report:
    """Changes texts where parsers fail, and compares what a parser says with the reference.

    Args:
        parse: a function that takes a text and returns its canonical text, an object that prints as it, or True if it
            prints nothing; then only what it accepts is compared. It raises one of `rejects` for a text that is not
            valid; every other exception is a crash.
        kind: "shape" ("f32[2,3]{1,0}"), "layout" ("{1,0:T(8,128)}") or "instruction" (a line of an HLO module).
        seconds: time of the run; by default 30 seconds, or no limit if `cases` is given.
        cases: number of texts.
        corpus: texts to start from, besides a few built-in ones.

    Returns and raises as `check` does.
    """
    if seconds is None and cases is None:
        seconds = 30
    seconds, seed, cases = duration(seconds), count("seed", seed), optional_count("cases", cases)
    if not callable(parse):
        raise TypeError(f"expected a function that parses a text, got {type(parse).__name__}")
    options = {"seconds": seconds, "cases": cases, "seed": seed, "stop_at_first": stop_at_first}
    adapter = ParserAdapter(parse, _name_of(parse), _exceptions(rejects), _canonical)
    target = Target("parser", _expression_of(parse))
    report = Report(seed=seed, options={**options, "kind": kind}, target=target)
    begin = time.perf_counter()
    totals, error = _core.fuzz(adapter, kind, corpus=list(corpus), **options)
    report.add(json.loads(totals), time.perf_counter() - begin, 0)
    _raise_after_report(report, error)
    return report


def laws() -> List[Tuple[str, str, str]]:
    """Returns (name, statement, the layouts to which it applies) of each law."""
    return _core.laws()


def families() -> List[Tuple[str, str]]:
    """Returns (name, description) of each family of layouts that real code has."""
    return _core.families()


def _runs_of(subject, laws, vectorized, rejects):
    """Returns (name, operations, laws) of each run that tests the subject. Single offsets of one that has tables, too,
    have a run of their own, because laws ask for single offsets only where there is no table."""
    name = _name_of(subject)
    operations = operations_of(subject)
    if not operations:
        if not callable(subject) or isinstance(subject, type):
            raise TypeError(
                f"{name}: expected a function offset(layout, index), or an object with one of the methods "
                "offset, table, coordinate, size, parse, relayout, apply, make, bitcast, equal, edit, shard, reshard"
            )
        return [(name, frozenset(), laws)]
    if isinstance(subject, type):
        subject()  # an exception here is the caller's
    _exceptions(rejects)
    if not {"offset", "table"} <= operations:
        return [(name, operations, laws)]
    runs = [(name, operations - {"offset"}, laws)]
    if not laws or "linear-index" in laws:
        runs.append((f"{name}.offset", frozenset({"offset"}), ["linear-index"]))
    return runs


def _adapter_of(subject, name, operations, vectorized, rejects):
    if not operations:
        return ShardFunction(subject, name) if _takes_device(subject) else FunctionAdapter(subject, name, vectorized)
    instance = subject() if isinstance(subject, type) else subject
    return ObjectAdapter(instance, name, vectorized, _exceptions(rejects), operations, _canonical)


def _takes_device(function):
    """Returns True if the second argument of the function is a device."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return False
    return names[1:2] == ["device"]


def _exceptions(rejects):
    kinds = rejects if isinstance(rejects, tuple) else (rejects,)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            raise TypeError(f"rejects: expected classes of exceptions, got {kind!r}")
    return kinds


def _canonical(kind, text):
    """Returns the canonical text, or the text itself if the reference rejects it."""
    return _core.canonical_text(kind, text) or text


def _name_of(subject):
    name = getattr(subject, "__qualname__", None) or type(subject).__qualname__
    return name.rpartition("<locals>.")[2] or name


def _target_of(subject, vectorized):
    operations = operations_of(subject)
    if not operations:
        return Target("array" if vectorized else "function", _expression_of(subject))
    expression = f"{_expression_of(subject)}()" if isinstance(subject, type) else "subject"
    return Target("object", expression, "table" in operations)


def _expression_of(subject):
    """Returns the name by which a test calls a function or a class."""
    name = _name_of(subject)
    return name if name.replace(".", "").isidentifier() else "fn"


def _text_of(layout):
    if not isinstance(layout, (str, _core.Layout)):
        raise TypeError(f"expected a layout or its text, got {type(layout).__name__}")
    return str(layout)


def _raise_after_report(report, error):
    """Raises the exception that ended a run, if any, after what was found is written to stderr."""
    if error is None:
        return
    if report.findings:
        sys.stderr.write(str(report) + "\n")
    raise error
