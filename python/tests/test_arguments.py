# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of errors about arguments: the argument, what was expected, and what was found."""

import numpy as np
import pytest

import layoutcheck as lc

TILED = lc.Layout("f32[3,5]{1,0:T(2,2)}")
ARRAY = np.zeros((3, 5), np.float32)
LARGEST = 2**63 - 1


def row_major(i, j, M, N):
    return i * N + j


def nothing(layout, index):
    raise AssertionError("is not called")


@pytest.mark.parametrize("call, kind, text", [
    (lambda: lc.Layout(None), TypeError, "expected the text of a layout, an array or a sharding of JAX, or a DTensor, got NoneType"),
    (lambda: lc.Layout(b"f32[3]"), TypeError, "expected the text of a layout, an array or a sharding of JAX, or a DTensor, got bytes"),
    (lambda: TILED.offset(None), TypeError, "'NoneType' object cannot be interpreted as an integer"),
    (lambda: TILED.coordinate(None), TypeError, "'NoneType' object cannot be interpreted as an integer"),
    (lambda: TILED.compare(3), TypeError, "expected a layout or its text, got 3"),
    (lambda: TILED.convert(None), TypeError, "to: expected the name of a notation such as 'shape-stride', got None"),
    (lambda: TILED.pack(ARRAY, padding="a"), lc.LayoutError, "padding: expected one value of float32, got 'a'"),
    (lambda: TILED.pack(ARRAY, padding=None), lc.LayoutError, "padding: expected one value of float32, got None"),
    (lambda: TILED.pack(ARRAY, padding=[1, 2]), lc.LayoutError, "padding: expected one value of float32, got [1, 2]"),
    (lambda: lc.tiled(35), TypeError, "shape: expected integers such as (20, 300), got 35"),
    (lambda: lc.tiled("35"), TypeError, "shape: expected integers such as (20, 300), got '35'"),
    (lambda: lc.tiled((3.0, 5)), TypeError, "shape: expected integers such as (20, 300), got (3.0, 5)"),
    (lambda: lc.tiled((3,), None), lc.LayoutError, "element type: expected one of XLA's such as bf16 or a NumPy type, got None"),
    (lambda: lc.tiled((3, 5), tiles=(8, 128)), TypeError, "tiles: expected tiles such as [(8, 128), (2, 1)], got 8"),
    (lambda: lc.tiled((3,), tiles=[("x",)]), TypeError, "tiles: expected tiles such as [(8, 128), (2, 1)], got the tile ('x',)"),
    (lambda: lc.tiled((3,), minor_to_major=0), TypeError, "minor_to_major: expected dimensions such as (1, 0), got 0"),
    (lambda: lc.tiled((3,), tail_padding="x"), TypeError, "tail_padding: expected an integer, got 'x'"),
    (lambda: lc.strided(4, 1, swizzle=(2, 0)), TypeError, "swizzle: expected three integers such as (2, 0, 3), got (2, 0)"),
    (lambda: lc.check(nothing, cases=-1), ValueError, f"cases: expected an integer from 0 to {LARGEST}, got -1"),
    (lambda: lc.check(nothing, seed=None), TypeError, "seed: expected an integer, got None"),
    (lambda: lc.check(nothing, seconds="x"), TypeError, "seconds: expected a number, got 'x'"),
    (lambda: lc.check(nothing, seconds=0), ValueError, "seconds: expected a number above 0 and below 1e9, got 0"),
    (lambda: lc.check(nothing, 3), TypeError, "expected a layout or its text, got int"),
    (lambda: lc.fuzz_parser(str, cases=10**30), ValueError, f"cases: expected an integer from 0 to {LARGEST}, got {10**30}"),
])
def test_a_wrong_argument_is_named(call, kind, text):
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value) == text


@pytest.mark.parametrize("options, kind, text", [
    ({"assume": "N >"}, ValueError, "assume: column 4: expected conditions as 'N % 128 == 0, i < M'"),
    ({"assume": "N $ 3"}, ValueError, "assume: column 3: expected conditions as 'N % 128 == 0, i < M'"),
    ({"assume": "N > 3, M + 2"}, ValueError, "assume: column 8: expected a comparison, found 'M + 2'"),
    ({"assume": "K > 3"}, ValueError, "assume: column 1: expected one of the names M, N, i0, i1, found 'K'"),
    ({"assume": 5}, TypeError, "assume: expected conditions as a text, got 5"),
    ({"assume": [5]}, TypeError, "assume: expected conditions as a text, got [5]"),
    ({"budget": -5}, ValueError, f"budget: expected an integer from 0 to {LARGEST}, got -5"),
    ({"integers": 5}, TypeError, "integers: expected int32, uint32 or int64, got 5"),
])
def test_a_wrong_argument_of_prove_is_named(options, kind, text):
    pytest.importorskip("layoutcheck._prover")
    with pytest.raises(kind) as raised:
        lc.prove("f32[M,N]", row_major, **options)
    assert str(raised.value) == text


def test_names_of_laws_are_texts():
    pytest.importorskip("layoutcheck._prover")
    with pytest.raises(TypeError, match="laws: expected names of laws, got 5"):
        lc.prove_laws("f32[M,N]", 5)
    assert [verdict.law for verdict in lc.prove_laws("f32[M,N]", "injective")] == ["injective"]
