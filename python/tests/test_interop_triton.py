# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's linear layouts: the inverse of a layout, bit by bit."""

import itertools

import pytest

import layoutcheck as lc
from layoutcheck import interop

linear_layout = pytest.importorskip("triton._C.libtriton", reason="Triton is not installed").linear_layout
LinearLayout = linear_layout.LinearLayout

TEXTS = [
    "f32[16,256]{1,0:T(8,128)}",
    "bf16[32,256]{1,0:T(8,128)(2,1)}",
    "f32[8,4,2]{0,2,1}",
    "(8,64):(64,1)",
    "((4,2),(4,4)):((4,64),(1,16))",
    "Sw<3,3,3> o 0 o (8,64):(64,1)",
    "Sw<2,0,-3> o 0 o (8,8):(1,8)",
    "Sw<1,0,1> o 0 o (2,2):(2,1)",
    "(1,8):(0,1)",
    "ll{a:[(0,1),(1,0)],b:[(2,0)]} -> [x:4,y:2]",
    "ll{a:[1,3],b:[4]} -> [8]",
]


@pytest.mark.parametrize("text", TEXTS)
def test_both_ways(text):
    layout = lc.Layout(text)
    linear = interop.to_triton(layout)
    back = interop.from_triton(linear)
    assert linear.is_invertible()
    for index in itertools.product(*map(range, layout.shape)):
        offset = layout.offset(index)
        found = linear.apply({"offset": offset})
        assert tuple(found[f"dim{d}"] for d in range(len(index))) == index
        assert back.offset(index) == offset


@pytest.mark.parametrize(
    "text, words",
    [
        ("f32[3,8]{1,0}", "extent 3 is no power of two"),
        ("f32[4,4]{1,0:T(8,128)}", "padding"),
        ("(4,4):(8,1)", "gaps"),
        ("(4,4):(1,1)", "one element per offset"),
        ("(4,4):(0,1)", "one element per offset"),
        ("8 o 8:1", "offset"),
        ("Sw<1,4,2> o 0 o 32:1", None),
        ("Sw<1,0,-6> o 0 o 32:1", "gaps"),
    ],
)
def test_what_a_linear_layout_is_not(text, words):
    if words is None:
        assert interop.to_triton(lc.Layout(text)).is_invertible()
        return
    with pytest.raises(lc.LayoutError, match=words) as error:
        interop.to_triton(lc.Layout(text))
    assert error.value.kind == "unsupported"


def test_what_is_no_layout_of_strides():
    bases = [[1], [2], [4], [8]]
    for change in ({0: [3], 2: [5]}, {1: [3], 2: [7], 3: [11]}):
        mixed = LinearLayout.from_bases([("offset", [change.get(k, b) for k, b in enumerate(bases)])], ["dim0"])
        with pytest.raises(lc.LayoutError, match="combines bits by exclusive or") as error:
            interop.from_triton(mixed)
        assert error.value.kind == "unsupported"
    zero = LinearLayout.from_bases([("offset", [[1], [0]])], ["dim0"])
    with pytest.raises(lc.LayoutError, match="invertible"):
        interop.from_triton(zero)


def _check_distributed(linear, text):
    layout = interop.from_triton_distributed(linear)
    assert str(layout) == text
    names = [name for name, _ in linear.bases]
    for index in itertools.product(*map(range, layout.shape)):
        element = linear.apply(dict(zip(names, index)))
        value, step = 0, 1
        for name, size in linear.out_dims:
            value += element[name] * step
            step *= size
        assert layout.offset(index) == value


def test_distributed():
    linear = LinearLayout.from_bases(
        [("register", [[0, 1], [8, 0]]), ("lane", [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]), ("warp", [[0, 0]])],
        ["dim0", "dim1"],
        [16, 8],
    )
    _check_distributed(linear, "((2,2),(4,8),2):((16,8),(32,1),0)")
    with pytest.raises(lc.LayoutError, match="one input"):
        interop.from_triton(linear)
    swizzled = LinearLayout.from_bases([("register", [[1], [3]]), ("lane", [[4]])], ["dim0"])
    _check_distributed(swizzled, "Sw<1,0,1> o 0 o (4,2):(1,4)")
    _check_distributed(LinearLayout.from_bases([("a b", [[2], [1]]), ("", [[4]])], ["["]), "((2,2),2):((2,1),4)")
    mixed = LinearLayout.from_bases([("register", [[1], [2], [7]])], ["dim0"])
    with pytest.raises(lc.LayoutError, match="combines bits by exclusive or"):
        interop.from_triton_distributed(mixed)
