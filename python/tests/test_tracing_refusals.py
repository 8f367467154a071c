# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of which no formula may be read, because symbolic integers cannot follow them or the calls have state."""

import functools
import gc
import inspect
import itertools
import math
import random
import time

import pytest
from layoutcheck._proving.trace import Call, Domain, Traced
from traces import formula, refusal, trace

COUNTER = [0]
TOGGLE = {"on": False}
KEPT = []
VALUE = 5


def counts(i):
    COUNTER[0] += 1
    return i + COUNTER[0]


def toggles(i):
    TOGGLE["on"] = not TOGGLE["on"]
    return i + TOGGLE["on"]


def keeps(i):
    KEPT.append(i)
    return KEPT[0]


def writes_global(i):
    global VALUE
    VALUE = 6
    return i


def has_mutable_default(i, seen=[]):
    seen.append(0)
    return i + len(seen)


def remembers(i):
    remembers.last = 3
    return i


@functools.lru_cache
def cached(i):
    return i


class Holder:
    step = 8

    def __init__(self):
        self.calls = 0

    def pure(self, i):
        return i * self.step

    def impure(self, i):
        self.calls += 1
        return i


def catches_everything(i):
    try:
        return int(i)
    except BaseException:
        return 0


def swallows_in_finally(i):
    for _ in range(1):
        try:
            float(i)
        finally:
            return i


def uses_text(i):
    try:
        raise ValueError(f"{i}")
    except ValueError as error:
        return len(error.args[0])


def defines_a_class(i):
    class Local:
        value = 3

    return i + Local.value


ITERATOR = itertools.count()
GENERATOR = (k for k in range(100))
RANDOM = random.Random(3)


@pytest.mark.parametrize("function, reason", [
    (lambda i: int(i), "becomes an int"),
    (lambda i: float(i), "becomes a float"),
    (lambda i: i / 2, "/ makes a float"),
    (lambda i: i * 0.5, "meets a builtins.float"),
    (lambda i: sum(1 for _ in range(i)), "the end of a range"),
    (lambda i: {i: 1}[i], "is hashed"),
    (lambda i: i if i is 0 else 1, "'is' compares objects"),
    (lambda i: 1 if (i < 3) is True else 2, "'is' compares objects"),
    (lambda i: type(i) is int, "'is' compares objects"),
    (lambda i: type(i) == int, "reads 'type'"),
    (lambda i: i.__class__ == int, "uses the attribute __class__"),
    (lambda i: i._layoutcheck_node, "uses the attribute _layoutcheck_node"),
    (lambda i: hash(i), "reads 'hash'"),
    (lambda i: id(i), "reads 'id'"),
    (lambda i: getattr(i, "real"), "reads 'getattr'"),
    (lambda i: eval("i"), "reads 'eval'"),
    (lambda i: len(str(i)), "becomes a text"),
    (lambda i: len(f"{i:d}"), "becomes a text"),
    (lambda i: len("%d" % i), "becomes an int"),
    (lambda i: i.bit_length(), "int.bit_length"),
    (lambda i: i + random.randrange(3), "reads 'random.randrange'"),
    (lambda i: i + RANDOM.randrange(3), "reads 'RANDOM'"),
    (lambda i: i + int(time.time()), "reads 'time.time'"),
    (lambda i: i + next(ITERATOR), "reads 'ITERATOR'"),
    (lambda i: i + next(GENERATOR), "reads 'GENERATOR'"),
    (lambda i: cached(i), "reads 'cached'"),
    (lambda i: math.isqrt(i), "becomes an int"),
    (lambda i: math.sqrt(i), "becomes a float"),
    (lambda i: pow(i, 2, 7), "modulus"),
    (lambda i: len({i, 1}), "makes a set"),
    (lambda i: "a" in {"a", "b"}, "a set of other values"),
    (lambda i: print(i), "reads 'print'"),
    (lambda i: pytest.approx(i), "Decimal"),
    (counts, "COUNTER changes"),
    (toggles, "TOGGLE changes"),
    (keeps, "KEPT changes"),
    (writes_global, "changes the global name 'VALUE'"),
    (remembers, "what the function holds changes"),
    (catches_everything, "becomes an int"),
    (swallows_in_finally, "becomes a float"),
    (uses_text, "becomes a text"),
    (defines_a_class, "defines a class"),
    (len, "expected a function that is written in Python"),
    (Holder().impure, "what the function holds changes"),
])
def test_what_cannot_be_followed_is_refused(function, reason):
    if function is len:
        traced = Traced(Domain({"i": 0}), Call(len, ["i"], []))
        assert reason in traced.refused
        return
    assert reason in refusal(function)


def test_a_refusal_names_the_line():
    def halves(i):
        x = i * 2
        return x / 4

    line = inspect.getsourcelines(halves)[1] + 2
    assert refusal(halves).startswith(f"{__file__}:{line}: / makes a float")


def test_state_in_closures_and_defaults_is_refused():
    total = 0

    def adds(i):
        nonlocal total
        total += 1
        return i + total

    assert "changes 'total' of the function around it" in refusal(adds)
    domain = Domain({"i": 0})
    assert "what the function holds changes" in Traced(domain, Call(has_mutable_default, ["i"], [])).refused
    assert formula(Holder().pure) == "i * 8"


@pytest.mark.parametrize("function, reason", [
    (lambda i: [i := i - 1 for _ in iter(lambda: i > 0, False)], "is a loop without a known end"),
    (lambda i: repeats(i), "calls inside of each other"),
    (lambda i: endless(i), "instructions run on one path"),
])
def test_work_is_bounded(function, reason):
    assert trace(function).refused is not None


def repeats(i):
    return repeats(i)


def endless(i):
    while True:
        pass


def test_recursion_is_noticed_even_if_it_is_caught():
    def caught(i):
        try:
            return repeats(i)
        except BaseException:
            return i

    assert "calls inside of each other" in refusal(caught)


def test_a_kept_symbolic_integer_is_refused_later():
    kept = []

    def leaks(i):
        kept.append(i)
        return i

    refusal(leaks)
    with pytest.raises(BaseException, match="after its call ended"):
        kept[0] + 1


def test_names_of_modules_that_are_imported_inside_are_few():
    def imports(i):
        import operator

        return operator.attrgetter("real")(i)

    assert "imports operator" in refusal(imports)


def test_collections_of_garbage_do_not_run_inside_of_the_function():
    calls = []
    gc.callbacks.append(lambda *_: calls.append(0))
    before = gc.get_threshold()
    try:
        gc.set_threshold(1)
        assert trace(lambda i: sum(len([k]) for k in range(50)) + i).refused is None
    finally:
        gc.set_threshold(*before)
        gc.callbacks.pop()
    assert gc.isenabled()
