# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts of pycute, tensor-layouts and the CuTe DSL: the same offsets on both sides, and the same layout back."""

import types

import pytest

import layoutcheck as lc
from layoutcheck import interop

TEXTS = [
    "(4,8):(8,1)",
    "((4,2),(4,3)):((4,16),(1,32))",
    "8:2",
    "(3,(2,2)):(0,(5,1))",
    "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "Sw<1,0,2> o 4 o (4,2):(1,8)",
]


def coordinates(layout):
    return range(layout.size())


@pytest.mark.parametrize("text", [*TEXTS, "16 o (8,64):(64,1)"])
def test_pycute(text):
    pytest.importorskip("pycute", reason="pycute (nvidia-cutlass) is not installed")
    layout = lc.Layout(text)
    theirs = interop.to_pycute(layout)
    assert [theirs(i) for i in coordinates(layout)] == [layout.crd2idx(i) for i in coordinates(layout)]
    assert str(interop.from_pycute(theirs)) == text


@pytest.mark.parametrize("text", [*TEXTS, "16 o (8,64):(64,1)"])
def test_tensor_layouts(text):
    pytest.importorskip("tensor_layouts", reason="tensor-layouts is not installed")
    layout = lc.Layout(text)
    theirs = interop.to_tensor_layouts(layout)
    assert [theirs(i) for i in coordinates(layout)] == [layout.crd2idx(i) for i in coordinates(layout)]
    assert str(interop.from_tensor_layouts(theirs)) == text


def test_pycute_without_swizzle_bits():
    pytest.importorskip("pycute", reason="pycute (nvidia-cutlass) is not installed")
    assert interop.to_pycute(lc.Layout("Sw<0,4,0> o 3 o 8:1"))(2) == 5


def test_a_tiled_layout_has_its_padding_as_coordinates():
    pytest.importorskip("pycute", reason="pycute (nvidia-cutlass) is not installed")
    layout = lc.Layout("f32[3,5]{1,0:T(2,2)}")
    theirs = interop.to_pycute(layout)
    assert theirs.size() == 24
    assert all(theirs(i, j) == layout.offset((i, j)) for i in range(3) for j in range(5))
    with pytest.raises(lc.LayoutError):
        interop.to_pycute(lc.Layout("f32[5,7]{1,0:T(4,4)(3,1)}"))


def test_cute_dsl():
    cute = pytest.importorskip("cutlass.cute", reason="the CuTe DSL (nvidia-cutlass-dsl) is not installed")
    seen = []

    @cute.jit
    def function():
        for text in [*TEXTS, "f32[3,5]{1,0:T(2,2)}"]:
            seen.append((text, interop.from_cute(interop.to_cute(lc.Layout(text)))))
        with pytest.raises(lc.LayoutError, match="name axes"):
            interop.from_cute(cute.make_identity_layout((3, 4)))

    function()
    assert len(seen) == len(TEXTS) + 1
    for text, layout in seen:
        if text.startswith("f32"):
            assert str(layout) == "((2,2),(2,3)):((2,12),(1,4))"
        elif text.startswith("Sw"):
            assert layout.shape_stride() == lc.Layout(text).shape_stride()
        else:
            assert str(layout) == text


def test_texts_of_the_cute_dsl():
    class Printed:
        def __init__(self, text):
            self.text = text

        def __str__(self):
            return self.text

    swizzled = interop.from_cute(Printed("S<3,4,3> o 0 o (8,64):(64,1)"))
    assert swizzled.shape_stride() == ((8, 64), (64, 1), 0, (3, 4, 3))
    for text in ("(?,4):(4,1)", "(4,8):(?{div=4},1)", "(4,2):(1,4) o 0 o (2,2):(1,2)"):
        with pytest.raises(lc.LayoutError, match="expected") as error:
            interop.from_cute(Printed(text))
        assert error.value.kind == "unsupported"


def test_compositions_with_other_maps_are_rejected():
    part = types.SimpleNamespace(shape=4, stride=1)
    nested = types.SimpleNamespace(layoutA=part, layoutB=types.SimpleNamespace(shape=4, stride=2), offset=0)
    with pytest.raises(lc.LayoutError, match="swizzle"):
        interop.from_pycute(nested)
    with pytest.raises(lc.LayoutError, match="swizzle"):
        interop.from_tensor_layouts(types.SimpleNamespace(outer=part, inner=part, offset=0))
