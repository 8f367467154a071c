# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that compute otherwise with integers than with symbolic integers, or that hide a state: none may be followed."""

import builtins
import functools
import itertools
import math
import types

import layoutcheck as lc
import pytest
from layoutcheck._proving.trace import Call, Domain, Traced
from traces import formula, refusal, trace


def catches(text):
    """Returns a function that is 1 only where the text raises an exception for its argument i."""
    names = {"math": math, "itertools": itertools, "Hint": Hint, "Hashed": Hashed, "Truth": Truth}
    lines = ["def function(i):", f"    try: {text}", "    except Exception: return 1", "    return 0"]
    exec("\n".join(lines), names)
    return names["function"]


class Hint:
    def __init__(self, hint):
        self.hint = hint

    def __iter__(self):
        return iter(())

    def __length_hint__(self):
        return self.hint


class Hashed(Hint):
    def __hash__(self):
        return self.hint


class Truth(Hint):
    def __bool__(self):
        return self.hint >= 0


@pytest.mark.parametrize("text", [
    "'%*d' % (i, 3)", "itertools.permutations([1], i)", "'a'.translate({97: i})", "str.maketrans({i % 2: 'a'})",
    "int.conjugate(i)", "int.bit_length(i)", "list(Hint(i))", "not Truth(i)", "{Hashed(i): 1}", "[] + i", "[] + (i < 3)",
    "range(3).index(i)", "i()", "(lambda: 0)(**i)", "a, b = i", "i.name", "i.name = 1",
])
def test_an_exception_that_integers_may_not_raise_is_caught_by_nobody(text):
    assert "which symbolic integers may raise where integers do not" in refusal(catches(text))


@pytest.mark.parametrize("text", ["1 // i", "1 % i", "divmod(1, i)", "[1][2]", "{}[0]", "next(iter([]))", "assert i", "name"])
def test_an_exception_that_integers_raise_alike_is_followed(text):
    assert trace(catches(text)).refused is None


@pytest.mark.parametrize("operation", [lambda i: 1 // i, lambda i: 1 % i, lambda i: divmod(1, i), lambda i: 1 << (i - 1)])
def test_exceptions_of_operators_have_the_texts_of_integers(operation):
    with pytest.raises((ValueError, ZeroDivisionError)) as raised:
        operation(0)
    text = str(raised.value)

    def has_its_text(i):
        try:
            operation(i)
        except (ValueError, ZeroDivisionError) as error:
            return str(error) == text
        return 0

    assert lc.equivalent(has_its_text, lambda i: 1, "i < 1")


def test_the_number_of_an_error_chooses_no_class():
    def chooses(i):
        try:
            raise OSError(i, "")
        except FileNotFoundError:
            return 0
        except Exception:
            return 1

    assert "reads 'OSError'" in refusal(chooses)


def test_ldexp_wants_an_int():
    assert "math.ldexp" in refusal(lambda i: math.ldexp(1.0, i))


class SeesTheTraceback:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.kind = traceback.tb_frame.f_builtins["type"]
        return True


def sees_the_traceback(i):
    with SeesTheTraceback() as seen:
        raise ValueError
    return seen.kind(i) == int


def matches_an_attribute(i):
    match i:
        case int(_layoutcheck_node=_):
            return 1
    return 0


def matches_a_frame(i):
    match (k for k in [i]):
        case object(gi_frame=frame):
            return frame.f_builtins["type"](i) == int


@pytest.mark.parametrize("function, name", [
    (lambda i: (k for k in [i]).gi_frame.f_builtins["type"](i) == int, "gi_frame"),
    (lambda i: "{0._layoutcheck_node}".format(i), "format"),
    (lambda i: "{:{0._layoutcheck_node}}".format(i, i), "format"),
    (lambda i: list(map("{0[0]}".format, [i])), "format"),
    (lambda i: str.format("{0.real}", i), "format"),
    (lambda i: ("{0." + "real}").format_map([i]), "format"),
    (sees_the_traceback, "tb_frame"),
    (matches_an_attribute, "_layoutcheck_node"),
    (matches_a_frame, "gi_frame"),
])
def test_a_function_sees_neither_its_frames_nor_the_insides_of_an_integer(function, name):
    assert name in refusal(function)


def test_a_constant_text_is_formatted_in_an_exception():
    def checks(i):
        if i > 7:
            raise ValueError("expected i <= 7. Found {:>{}}".format(i, 8))
        return i

    assert formula(checks, [("i", 8)]).startswith("7 < i ? ")


class HidesItsAttributes:
    calls = 0

    @property
    def __dict__(self):
        return {}


class CountsInC:
    __len__ = itertools.count().__next__


class CountsInAPartial:
    __len__ = functools.partial(next, itertools.count())


class Typed:
    __call__ = staticmethod(type)


class ComputesNames(dict):
    def __missing__(self, name):
        return 3

    def __getitem__(self, name):
        return 3


HIDES, COUNTS_IN_C, COUNTS_IN_A_PARTIAL, TYPED = HidesItsAttributes(), CountsInC(), CountsInAPartial(), Typed()
MODULE = types.ModuleType("module")
MODULE.__getattr__ = lambda name, calls=[]: calls.append(0) or len(calls) > 3000


def counts(i):
    HIDES.calls += 1
    return i + HIDES.calls


@pytest.mark.parametrize("function, reason", [
    (counts, "which has a __dict__ of its own"),
    (lambda i: i + len(COUNTS_IN_C), "attribute __len__"),
    (lambda i: i + len(COUNTS_IN_A_PARTIAL), "attribute __len__"),
    (lambda i: TYPED(i) == int, "attribute __call__"),
    (lambda i: i + MODULE.flag, "MODULE.flag changes"),
])
def test_a_hidden_state_is_refused(function, reason):
    assert reason in refusal(function)


def test_computed_names_are_refused():
    code = (lambda i: i + hidden).__code__  # noqa: F821
    for names in ({"__builtins__": ComputesNames()}, ComputesNames(), {"__builtins__": {**vars(builtins), "hidden": 3}}):
        function = types.FunctionType(code, names)
        assert "builtins of its own" in refusal(function) or "names that are computed" in refusal(function)


def test_a_function_with_the_file_name_of_the_package_is_watched():
    names = {"calls": []}
    exec(compile("def counts(i):\n    calls.append(0)\n    return i", lc._proving.__file__, "exec"), names)
    assert "calls changes" in refusal(names["counts"])


def test_an_exit_is_a_result():
    def exits(i):
        raise SystemExit(3)

    verdict = lc.equivalent(exits, lambda i: i)
    assert verdict.status == "refuted" and verdict.actual == "SystemExit: 3"


def test_endless_loops_end_on_one_line():
    def endless(i):
        while True: pass  # noqa: E701

    assert "instructions run on one path" in Traced(Domain({"i": 0}), Call(endless, ["i"], [])).refused
