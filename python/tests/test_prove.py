# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about Python functions."""

import builtins
import sys

import layoutcheck as lc
import pytest
from layoutcheck._proving import cross_check, prove as prove_functions
from layoutcheck._proving.paths import Tree

prover = pytest.importorskip("layoutcheck._prover", reason="the package was built without Z3")

TILED = "f32[M,N]{1,0:T(8,128)}"
ORDER = [0, 4, 1, 5, 2, 6, 3, 7]
BACK = [0, 2, 4, 6, 1, 3, 5, 7]


def tiles(i, j, M, N):
    return (i // 8 * -(-N // 128) + j // 128) * 1024 + i % 8 * 128 + j % 128


def rounds_down(i, j, M, N):
    return (i // 8 * (N // 128) + j // 128) * 1024 + i % 8 * 128 + j % 128


def test_a_right_function_is_proved():
    verdict = lc.prove(TILED, tiles)
    assert verdict and verdict.status == "proved" and verdict.for_all == ("M", "N")
    assert verdict.ranges == {"M": ">= 0", "N": ">= 0"}
    assert verdict.formula == (
        "(i0 floordiv 8 * -(-N floordiv 128) + i1 floordiv 128) * 1024 + i0 mod 8 * 128 + i1 mod 128")
    assert str(verdict) == f"{TILED} tiles: proved for all M, N >= 0 and every index ({verdict.method})"


def test_a_refutation_has_the_arguments_with_which_the_function_is_wrong():
    verdict = lc.prove(TILED, rounds_down)
    assert not verdict and verdict.status == "refuted"
    assert verdict.counterexample == {"i0": 8, "i1": 0, "M": 9, "N": 1}
    assert rounds_down(8, 0, 9, 1) == verdict.actual == 0
    assert lc.Layout("f32[9,1]{1,0:T(8,128)}").offset((8, 0)) == verdict.expected == 1024


def test_layouts_that_exchange_bits():
    def swizzled(i, j):
        return i * 64 + ((j // 8) ^ (i % 8)) * 8 + j % 8

    assert lc.prove("Sw<3,3,3> o 0 o (M,64):(64,1)", swizzled)
    assert lc.prove("Sw<2,3,3> o 0 o (M,64):(64,1)", swizzled).status == "refuted"
    assert lc.prove("ldmatrix.x1", lambda register, lane: lane * 2 + register)
    shared = "#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}> [4,8]"
    assert lc.prove(shared, lambda offset, block: offset // 8 * 8 + (offset % 8 // 2 ^ offset // 8) * 2 + offset % 2)


def test_assumptions_restrict_the_claim():
    verdict = lc.prove(TILED, rounds_down, assume="N % 128 == 0")
    assert verdict
    assert str(verdict).startswith(f"{TILED} rounds_down where N % 128 == 0: proved")
    with pytest.raises(ValueError, match="assume: column 1: expected one of the names"):
        lc.prove(TILED, rounds_down, assume="K == 3")


@pytest.mark.parametrize("function", [
    lambda i, j, M, N: tiles(i, j, M, N),
    lambda i, j, N: tiles(i, j, None, N),
    lambda N, i, j: tiles(i, j, None, N),
    lambda i, j, *, N: tiles(i, j, None, N),
    lambda index, N: tiles(*index, None, N),
    lambda *index, N: tiles(*index, None, N),
    lambda i, j, N, rows=8: tiles(i, j, None, N) if rows == 8 else 0,
    "(i0/8*((N+127)/128)+i1/128)*1024+i0%8*128+i1%128",
])
def test_parameters(function):
    assert lc.prove(TILED, function)


@pytest.mark.parametrize("function", [lambda: 0, lambda N: 0, lambda i, j, k: 0, lambda i, j, *, K: 0])
def test_parameters_that_do_not_fit(function):
    with pytest.raises(ValueError, match="expected"):
        lc.prove(TILED, function)


@pytest.mark.parametrize("layout, function", [
    ("f32[20,300]{1,0:T(8,128)}", lambda i, j: (i // 8 * 3 + j // 128) * 1024 + i % 8 * 128 + j % 128),
    ("(M,N):(1,M)", lambda i, j, M: i + j * M),
    ("(4,6):(3,2)", lambda i, j: i * 3 + j * 2),
    (lc.Layout("f32[20,300]{0,1}"), lambda i, j: i + 20 * j),
])
def test_layouts_of_other_kinds(layout, function):
    assert lc.prove(layout, function)


def test_exceptions_refute_where_they_are_reached():
    def checked(i, j, M, N):
        if i >= 1000:
            raise IndexError(f"row {i}")
        return tiles(i, j, M, N)

    verdict = lc.prove(TILED, checked)
    assert verdict.status == "refuted" and verdict.actual == "IndexError: row 1000"
    assert verdict.counterexample == {"i0": 1000, "i1": 0, "M": 1001, "N": 1}
    assert lc.prove(TILED, checked, assume="M <= 1000")

    def asserts(i, j, M, N):
        assert 0 <= i < M and j < N
        return tiles(i, j, M, N)

    assert lc.prove(TILED, asserts)


def test_results_that_are_no_integers_are_wrong():
    verdict = lc.prove("f32[M]{0}", lambda i, M: None)
    assert verdict.status == "refuted" and "returned None" in verdict.actual


def test_overflow():
    assert lc.prove(TILED, tiles, integers="int32")
    verdict = lc.prove("s8[M]{0}", lambda i, M: i * (M + 1) // (M + 1), integers="int32")
    assert verdict.status == "refuted" and verdict.counterexample == {"M": 46341, "i0": 46340}
    assert verdict.law == "no-overflow" and verdict.reason == "i0 * (M + 1) overflows"

    def wasteful(i, M):
        unused = i * M * M * M
        return i

    assert lc.prove("s8[M]{0}", wasteful)
    assert lc.prove("s8[M]{0}", wasteful, integers="int32").status == "refuted"
    with pytest.raises(lc.LayoutError, match="^integers: expected int32"):
        lc.prove("s8[M]{0}", wasteful, integers="int3")


def test_equivalence():
    assert lc.equivalent(lambda i: i // 8 * 8 + ORDER[BACK[i % 8]], lambda i: i)
    assert lc.equivalent(lambda i: divmod(i, 8), lambda i: (i >> 3, i & 7)).formula == ("i floordiv 8", "i mod 8")
    verdict = lc.equivalent(lambda i: divmod(i, 8), lambda i: (i >> 3, i & 3))
    assert verdict.counterexample == {"i": 4} and verdict.expected == (0, 0) and verdict.actual == (0, 4)
    assert lc.equivalent(lambda i, n: i // n * n + i % n, lambda i, n: i, "n > 0")
    verdict = lc.equivalent(lambda i, n: i // n * n + i % n, lambda i, n: i)
    assert verdict.status == "refuted" and verdict.actual.startswith("ZeroDivisionError")
    assert lc.equivalent(lambda i: (i - 50) // -7, lambda i: (50 - i) // 7)
    assert lc.equivalent(lambda a, b: a - b, lambda b, a: a - b)
    assert lc.equivalent(lambda i, M: i < M, lambda i, M: True, "i < M")


def test_functions_that_both_raise_are_not_accused():
    verdict = lc.equivalent(lambda i, n: i // n, lambda i, n: i // n)
    assert verdict.status == "undecided" and "both functions raise" in verdict.reason
    assert lc.equivalent(lambda i, n: i // n, lambda i, n: i // n, "n > 0")


@pytest.mark.parametrize(
    "text, message",
    [
        ("i0 +", "function: column 5: expected an operand"),
        ("i0 + K", "function: column 6: expected i0, d0 or a name of the layout"),
        ("(i0, 1)", "function: expected one formula, found 2 components"),
    ],
)
def test_texts_that_are_no_formula(text, message):
    with pytest.raises(lc.LayoutError) as caught:
        lc.prove("f32[M]", text)
    assert str(caught.value).startswith(message)


def test_texts_that_are_no_layout():
    for text, column in (("", 1), ("f32[M", 6), ("f32[M,N]{1,0:T(8", 17)):
        with pytest.raises(lc.LayoutError) as caught:
            lc.prove(text, tiles)
        assert caught.value.column == column
    with pytest.raises(lc.LayoutError, match="no element"):
        lc.prove("f32[0,3]{1,0}", lambda i, j: 0)


def test_work_that_is_too_much_is_undecided():
    assert lc.prove(TILED, tiles, budget=0).status == "undecided"

    def many(x):
        return sum(1 for k in range(200) if x > k)

    assert "a loop without a known end" in lc.equivalent(many, lambda x: x, "x < 200").reason
    with pytest.raises(ValueError, match="fewer operators"):
        lc.equivalent(lambda x: x, lambda x: x, "x < 3" + "+1" * 2000)


def test_functions_that_cannot_be_compared():
    with pytest.raises(ValueError, match="same parameters"):
        lc.equivalent(lambda i: i, lambda i, j: i)
    with pytest.raises(ValueError, match="another name than 'i0'"):
        lc.equivalent(lambda i0: i0, lambda i0: i0)
    with pytest.raises(ValueError, match="another name than 'mod'"):
        lc.equivalent(lambda mod: mod, lambda mod: mod)
    verdict = lc.equivalent(lambda i: (i, i), lambda i: i)
    assert verdict.status == "undecided" and "different numbers" in verdict.reason


def test_what_cannot_be_traced_is_undecided_and_never_true():
    verdict = lc.prove("f32[M]{0}", lambda i, M: int(i))
    assert not verdict and verdict.status == "undecided" and "test_prove.py:" in verdict.reason
    # Right for all integers, but not by arithmetic on them.
    assert lc.prove("f32[M]{0}", lambda i, M: i if type(i) is int else 0).status == "undecided"


def test_numbers_beyond_the_formula_are_undecided():
    verdict = lc.prove("f32[M]{0}", lambda i, M: i + (1 << 70) - (1 << 70))
    assert verdict.status == "undecided" and "64 bits" in verdict.reason
    verdict = lc.equivalent(lambda i, n: i << n, lambda i, n: i * 2**n)
    assert verdict.status in ("proved", "undecided")
    # A shift by 64 has a value in Python, and none in a formula.
    verdict = lc.equivalent(lambda n: 1 << n, lambda n: 2**n, "n == 64")
    assert verdict.status == "undecided"


def test_an_error_of_the_tracing_is_noticed_by_calls(monkeypatch):
    explore = Tree.explore
    monkeypatch.setattr(Tree, "explore", lambda self, function, arguments: explore(self, lambda i, M: i, arguments))
    verdict = lc.prove("f32[M]{0}", lambda i, M: i if i < 3 else 2 * i)
    assert verdict.status == "undecided" and "where the formula that was read from it gives" in verdict.reason
    monkeypatch.setattr(Tree, "explore", lambda self, function, arguments: explore(self, lambda i, M: i + 1, arguments))
    verdict = lc.prove("f32[M]{0}", lambda i, M: i)
    assert verdict.status == "undecided" and "its formula is not the function" in verdict.reason


def test_points_of_the_cross_check_satisfy_the_assumptions():
    domain = prove_functions.__globals__["Domain"]({"M": 1, "i": 0}, [("i", "M")], "M % 8 == 0")
    points = list(cross_check.points_of(prover, domain))
    assert len(points) > 20 and all(point["i"] < point["M"] and point["M"] % 8 == 0 for point in points)


def test_laws():
    verdicts = lc.prove_laws(TILED)
    assert len(verdicts) == 7 and all(verdicts)
    (verdict,) = lc.prove_laws("f32[M,N]{1,0:T(8,128)(3,1)}", ["onto-padded-box"])
    assert verdict.status == "refuted" and verdict.counterexample == {"M": 1, "N": 1, "offset": 770}
    with pytest.raises(lc.LayoutError):
        lc.prove_laws(TILED, ["no-such-law"])
    with pytest.raises(lc.LayoutError) as caught:
        lc.prove_laws("f32[M,N]{1,0:T(8,128}")
    assert caught.value.column == 21


@pytest.mark.parametrize("tiling, is_right", [(((8, 128),), True), (((4, 128),), False)])
def test_functions_of_layouts_of_jax(tiling, is_right):
    jax_layout = pytest.importorskip("jax.experimental.layout")
    layout = jax_layout.Layout(major_to_minor=(0, 1), tiling=tiling)

    def offset(i, j, M, N):
        ((rows, columns),) = layout.tiling
        index, sizes = (i, j), (M, N)
        major, minor = layout.major_to_minor
        tile = index[major] // rows * -(-sizes[minor] // columns) + index[minor] // columns
        return tile * rows * columns + index[major] % rows * columns + index[minor] % columns

    assert bool(lc.prove(TILED, offset)) == is_right


def test_certificates():
    assert lc.prove(TILED, tiles).certificate is None
    assert "f32[M,N]" in lc.prove(TILED, tiles, certificates=True).certificate


def test_without_the_prover_the_exception_says_what_is_missing(monkeypatch):
    real_import = builtins.__import__

    def without_prover(name, *arguments, **keywords):
        if arguments and len(arguments) > 2 and "_prover" in (arguments[2] or ()):
            raise ImportError("libz3.so.4: cannot open shared object file")
        return real_import(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_prover)
    monkeypatch.delitem(sys.modules, "layoutcheck._prover")
    with pytest.raises(lc.ProverMissing, match="needs Z3.*libz3.so.4"):
        lc.prove(TILED, tiles)


@pytest.mark.parametrize("formula, value", [
    ("x * x * 4", 4 * 3037000500**2), ("0 - x * x", -(3037000500**2)), ("1 floordiv (x - x)", "a divisor below 1")])
def test_evaluation_beyond_64_bits(formula, value):
    assert prover.evaluate(formula, ["x"], [[3037000500]]) == [value]


def test_names_that_may_be_negative():
    def down(base):
        return int_div(base, 32) * 32

    def int_div(a, b):
        return -(-a // b) if a < 0 else a // b

    verdict = lc.equivalent(down, lambda base: base - base % 32)
    assert verdict and verdict.ranges == {"base": ">= 0"}
    verdict = lc.equivalent(down, lambda base: base - base % 32, signed=("base",))
    assert verdict.status == "refuted" and verdict.counterexample == {"base": -1}
    verdict = lc.equivalent(lambda base: base & -32, lambda base: base - base % 32, signed="base", certificates=True)
    assert verdict and verdict.ranges == {"base": "integer"} and "\nsigned base\n" in verdict.certificate
    assert "for every integer base and every index" in str(verdict)
    with pytest.raises(lc.LayoutError, match="base is >= 0 unless signed=base says otherwise"):
        lc.equivalent(down, down, "base < 0")
    with pytest.raises(ValueError, match="signed: expected names of parameters"):
        lc.equivalent(down, down, signed=("other",))
