# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas that are read from Python functions, and functions from which none may be read."""

import dataclasses
import functools
import math
import typing

import pytest
from layoutcheck._proving.trace import Domain
from traces import formula, refusal, trace

TABLE = [0, 2, 1, 3]


def tiles(i, j, M, N):
    return (i // 8 * -(-N // 128) + j // 128) * 1024 + i % 8 * 128 + j % 128


@pytest.mark.parametrize("function, expected", [
    (tiles, "(i floordiv 8 * -(-N floordiv 128) + j floordiv 128) * 1024 + i mod 8 * 128 + j mod 128"),
    (lambda i: -(i % 8) - (i - (3 - i)), "-(i mod 8) - (i - (3 - i))"),
    (lambda i: i // -8, "-i floordiv 8"),
    (lambda i: i % -8, "-(-i mod 8)"),
    (lambda i: (i & ~7 | 3) ^ i << 2 >> 1, "(i & -8 | 3) ^ i << 2 >> 1"),
    (lambda i: 5, "5"),
    (lambda i: divmod(i, 8)[1], "i mod 8"),
    (lambda i: min(i, 7), "7 < i ? 7 : i"),
    (lambda i: max(i, 7, 9), "i < 7 ? 9 : i < 9 ? 9 : i"),
    (lambda i: abs(i - 3), "i - 3 < 0 ? -(i - 3) : i - 3"),
    (lambda i: i**2 + 2**i, "i * i + (1 << i)"),
    (lambda i: (i < 3) * 4, "(i < 3) * 4"),
    (lambda i: sum(i * k for k in range(3)), "i + i * 2"),
    (lambda i: i << 70, "i << 63 << 7"),
    (lambda i: isinstance(i, int) * i + isinstance(i, (str, bool)), "i"),
    (lambda i: functools.reduce(lambda a, b: a * 8 + b, [i, 1, 2]), "(i * 8 + 1) * 8 + 2"),
    (lambda i: 0 if i is None else i, "i"),
    (lambda i: round(i) + math.floor(i) + i.real, "i + i + i"),
    (lambda i: max([i, 3], key=lambda k: -k), "-i < -3 ? 3 : i"),
])
def test_formula(function, expected):
    assert formula(function) == expected


def test_values_that_are_known_to_be_few_divide_the_path():
    assert formula(lambda i: TABLE[i % 4]) == (
        "i mod 4 == 0 ? 0 : i mod 4 == 1 ? 2 : i mod 4 == 2 ? 1 : i mod 4 == 3 ? 3 : 1 floordiv 0")
    assert formula(lambda i: {0: 7, 1: 9}[i % 2]) == "i mod 2 == 0 ? 7 : i mod 2 == 1 ? 9 : 1 floordiv 0"
    assert formula(lambda i: sum(range(i)), assume="i < 3") == "i == 0 ? 0 : i == 1 ? 0 : i == 2 ? 1 : 1 floordiv 0"


def depends_on_text(i):
    if len(str(i)) > 5:
        raise ValueError
    return i


def generator(i):
    yield i


def test_an_exception_is_a_path_without_a_value():
    def checked(i, M):
        assert i < M, f"{i} is outside"
        return i

    def caught(i, N):
        try:
            return i // N
        except ZeroDivisionError:
            return -1

    def caught_assertion(i, M):
        try:
            assert i < M
        except AssertionError:
            return 3
        return i

    assert "becomes a text" in refusal(caught_assertion)  # pytest writes the text of the assertion
    assert formula(checked) == "i < M ? i : 1 floordiv 0"
    assert formula(caught) == "0 < N ? i floordiv N : N == 0 ? -1 : 1 floordiv 0"
    assert formula(depends_on_text) == "1 floordiv 0"
    assert formula(lambda i: [1, 2][i % 3]).count("floordiv 0") == 2


def test_what_the_tracing_excludes_has_no_value():
    # The prover has to find that these ways are impossible: the tracing is not trusted.
    assert formula(lambda i, M: 1 if i < M else 2, [("i", "M")]) == "i < M ? 1 : 1 floordiv 0"


def test_long_formulas_have_lets():
    def rounds(x):
        for _ in range(12):
            x = x * x + (x ^ x >> 3)
        return x

    text = formula(rounds)
    assert text.startswith("let v0 = x * x + (x ^ x >> 3) in let v1 = v0 * v0")
    assert len(text) < 1000


def test_overflow_formulas_hold_what_is_computed_in_vain():
    def wasteful(i, M):
        unused = i * M
        part = i * 3
        return part if i < 5 else i

    assert trace(wasteful).formula(everything=True) == "let v0 = i * 3 in i * M * 0 + (i < 5 ? v0 : i)"


def test_results_that_are_no_integers_have_no_value():
    for function in (lambda i: None, lambda i: 1.5, lambda i: "a", generator, lambda i: [i, "a"], lambda i: ()):
        assert formula(function) == "1 floordiv 0"


def test_different_numbers_of_results_are_refused():
    assert "different numbers of integers" in refusal(lambda i: (i, i) if i < 3 else i)


def test_interrupts_end_the_tracing():
    def interrupts(i):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trace(interrupts)


@pytest.mark.parametrize("text, column", [
    ("i <", 4), ("q < 3", 1), ("i < 3, i.real < 2", 8), ("i < f(3)", 5), ("i", 1), ("i // (i - 3) == 1", 7),
    ("i << i < 3", 6),
])
def test_assumptions_are_read_as_python_and_errors_have_columns(text, column):
    with pytest.raises(ValueError, match=f"assume: column {column}: expected"):
        Domain({"i": 0}, (), text)


def test_assumptions_mean_what_python_means():
    domain = Domain({"i": 0, "M": 0}, (), "0 <= i < M, i % 8 == 0 or not M > 3")
    assert [condition.text for condition in domain.conditions] == [
        "(0 <= i) && (i < M)", "(i mod 8 == 0) || (!(3 < M))"]


@dataclasses.dataclass(frozen=True)
class Tiling:
    rows: int = 8
    columns: int = 128

    @property
    def size(self):
        return self.rows * self.columns


class Pair(typing.NamedTuple):
    first: int
    second: int


CONFIG = Tiling()
SIZES = Pair(8, 128)


def test_constants_in_objects_and_modules_are_read():
    assert formula(lambda i: i // CONFIG.rows * CONFIG.size) == "i floordiv 8 * 1024"
    assert formula(lambda i: i % SIZES.second + SIZES[0]) == "i mod 128 + 8"
    assert formula(lambda i: Pair(i, i + 1).second) == "i + 1"
    assert formula(lambda i: i + int(math.tau)) == "i + 6"


def test_containers_compare_as_with_integers():
    assert formula(lambda i: 7 if i in [3, 5] else 8) == "i == 3 ? 7 : i == 5 ? 7 : 8"
    assert formula(lambda i: (i, 3) < (4, 2)) == "i == 4 ? 0 : i < 4"
    assert formula(lambda i: [10, 20, 30][i % 2 : 3][0]) == "i mod 2 == 0 ? 10 : i mod 2 == 1 ? 20 : 1 floordiv 0"
    assert "is a loop" in refusal(lambda i: i in range(10**9))
