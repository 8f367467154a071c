# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about expressions of SymPy."""

import random

import layoutcheck as lc
import pytest
from layoutcheck._proving.sympy_formula import NotAnInteger, SymPyFunction

prover = pytest.importorskip("layoutcheck._prover", reason="the package was built without Z3")
sympy = pytest.importorskip("sympy")

TILED = "f32[M,N]{1,0:T(8,128)}"
i0, i1, M, N = sympy.symbols("i0 i1 M N", integer=True, nonnegative=True)
x, y, z = sympy.symbols("x y z", integer=True)


def tiles(ceil):
    return (sympy.floor(i0 / 8) * ceil(N / 128) + sympy.floor(i1 / 128)) * 1024 + sympy.Mod(i0, 8) * 128 + i1 % 128


def test_expressions_are_proved_and_refuted():
    assert lc.prove(TILED, tiles(sympy.ceiling))
    verdict = lc.prove(TILED, tiles(sympy.floor))
    assert verdict.status == "refuted" and verdict.counterexample == {"N": 1, "i0": 8, "i1": 0, "M": 9}
    assert lc.prove(TILED, tiles(sympy.floor), assume="N % 128 == 0")


def test_lambdas_name_their_arguments():
    assert lc.prove("f32[M,N]{0,1}", sympy.Lambda((x, y, M), x + y * M))
    with pytest.raises(ValueError, match="expected the symbols M, N, i0"):
        lc.prove("f32[M,N]{0,1}", x + y * M)
    with pytest.raises(ValueError, match="Lambda of all symbols"):
        lc.prove("f32[M,N]{0,1}", sympy.Lambda((x, y), x + y * M))


def test_an_expression_is_compared_with_a_function():
    assert lc.equivalent(lambda x, y: max(x, y) - x // 3, sympy.Max(x, y) - sympy.floor(x / 3))
    assert lc.equivalent(sympy.Piecewise((x, x < y), (y, True)), lambda x, y: min(x, y))


def test_what_is_no_integer_is_undecided():
    verdict = lc.prove("f32[M]{0}", i0 + sympy.sqrt(M))
    assert verdict.status == "undecided" and "found 'sqrt(M)'" in verdict.reason
    assert lc.prove("f32[M]{0}", i0 / 2).status == "undecided"


EXPRESSIONS = [
    sympy.floor(x / (y - 5)), sympy.floor(x / y + y / x), sympy.ceiling((x - 7) / (5 - y)), sympy.Mod(x - 9, y - 3),
    sympy.floor(x * y / 6 - z / 4), sympy.Abs(x - y) ** 3, sympy.Min(x, y, z) - sympy.Max(x * y, z, 3),
    sympy.Piecewise((x, (x < y) & ~sympy.Eq(z, 2)), (sympy.floor(y / 2), (x > 3) | (z >= y)), (z, True)),
    sympy.floor(sympy.floor(x / 3) / y), sympy.Mod(x * y, -7), sympy.floor((x + y) / y) - sympy.floor(x / y),
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_formulas_have_the_values_of_the_expression(expression):
    function = SymPyFunction(expression)
    text = function.formula(function.names)
    draw = random.Random(3)
    for _ in range(60):
        point = [draw.randrange(12) for _ in function.names]
        (value,) = prover.evaluate(text, function.names, [point])
        try:
            expected = function(*point)
        except (NotAnInteger, ZeroDivisionError):
            expected = None
        assert (None if type(value) is str else value) == expected, (expression, text, point)
