# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about functions with Triton's constexpr."""

import layoutcheck as lc
import pytest

pytest.importorskip("layoutcheck._prover", reason="the package was built without Z3")
triton = pytest.importorskip("triton")
tl = pytest.importorskip("triton.language")

TILED = "f32[M,N]{1,0:T(8,128)}"
BLOCK = tl.constexpr(128)


def tiles(i, j, M, N):
    return (i // 8 * ((N + BLOCK - 1) // BLOCK) + j // BLOCK) * 1024 + i % 8 * BLOCK + j % BLOCK


def test_constants_are_integers():
    verdict = lc.prove(TILED, tiles)
    assert verdict and "i1 mod 128" in verdict.formula


def test_functions_of_the_compiler_are_python_and_kernels_are_not():
    assert lc.prove(TILED, triton.constexpr_function(tiles))
    # In a kernel // rounds to zero, and integers have 32 bits.
    verdict = lc.prove(TILED, triton.jit(tiles))
    assert verdict.status == "undecided" and "integers of a kernel" in verdict.reason


def test_a_constant_that_is_made_inside_computes_as_in_python():
    def makes(i, M):
        return i % tl.constexpr(8)

    # int % constexpr is a TypeError in Python, though not in a kernel.
    assert not lc.prove("f32[M]{0}", makes)
