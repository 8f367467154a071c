# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The algebra of shape:stride layouts: known answers, laws on drawn layouts, and pycute's results."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import layoutcheck as lc
from layoutcheck import algebra
from layoutcheck.interop import from_pycute, to_pycute


def offsets(layout):
    return [layout.crd2idx(i) for i in range(layout.size())]


@st.composite
def layouts(draw, most=64, injective=False):
    """Draws nested layouts of at most `most` coordinates; injective ones are compact in a drawn order of their modes."""
    extents = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4).filter(lambda e: math.prod(e) <= most))
    if injective:
        strides, step = [0] * len(extents), 1
        for k in draw(st.permutations(range(len(extents)))):
            strides[k], step = step, step * extents[k] * draw(st.integers(1, 2))
    else:
        strides = [draw(st.integers(0, 12)) for _ in extents]
    cut = draw(st.integers(0, len(extents) - 1))
    if cut == 0:
        return lc.strided(tuple(extents), tuple(strides))
    return lc.strided(
        (tuple(extents[:cut]), *extents[cut:]),
        (tuple(strides[:cut]), *strides[cut:]),
    )


KNOWN = [
    ("composition", "(4,8):(8,1)", ("(2,2):(1,4)",), "(2,2):(8,1)"),
    ("composition", "(10,2):(16,4)", ("(5,4):(1,5)",), "(5,(2,2)):(16,(80,4))"),
    ("composition", "(8,8):(8,1)", ((2, None),), "(2,8):(8,1)"),
    ("complement", "4:2", (24,), "(2,3):(1,8)"),
    ("complement", "(2,2):(1,6)", (24,), "(3,2):(2,12)"),
    ("coalesce", "(2,(1,6)):(1,(6,2))", (), "12:1"),
    ("coalesce", "(2,(1,6)):(1,(6,2))", ((1, 1),), "(2,6):(1,2)"),
    ("filter", "(2,4,3):(0,1,4)", (), "12:1"),
    ("logical_divide", "(4,2,3):(2,1,8)", ("4:2",), "((2,2),(2,3)):((4,1),(2,8))"),
    (
        "zipped_divide",
        "(9,(4,8)):(59,(13,1))",
        ("<3:3;(2,4):(1,8)>",),
        "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))",
    ),
    (
        "flat_divide",
        "(9,(4,8)):(59,(13,1))",
        (("3:3", "(2,4):(1,8)"),),
        "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))",
    ),
    ("logical_product", "(2,2):(4,1)", ("6:1",), "((2,2),(2,3)):((4,1),(2,8))"),
    ("blocked_product", "(2,5):(5,1)", ("(3,4):(1,3)",), "((2,3),(5,4)):((5,10),(1,30))"),
    ("raked_product", "(2,5):(5,1)", ("(3,4):(1,3)",), "((3,2),(4,5)):((10,5),(30,1))"),
    ("right_inverse", "(4,8):(8,1)", (), "(8,4):(4,1)"),
    ("left_inverse", "(4,8):(8,1)", (), "(8,4):(4,1)"),
    ("upcast", "(4,8):(8,1)", (2,), "(4,4):(4,1)"),
    ("downcast", "(4,8):(8,1)", (2,), "(4,16):(16,1)"),
    ("recast_layout", "(4,8):(8,1)", (16, 32), "(4,4):(4,1)"),
    ("tile_to_shape", "(2,2):(1,2)", ((4, 6),), "((2,2),(2,3)):((1,4),(2,8))"),
    ("upcast", "Sw<2,4,3> o 0 o (8,64):(64,1)", (4,), "Sw<2,2,3> o 0 o (8,16):(16,1)"),
    ("compose", "Sw<1,0,2> o 0 o 8:1", ("(2,2):(1,4)",), "Sw<1,0,2> o 0 o (2,2):(1,4)"),
]


@pytest.mark.parametrize("name, layout, arguments, expected", KNOWN)
def test_known_answers(name, layout, arguments, expected):
    assert str(getattr(lc.Layout(layout), name)(*arguments)) == expected


def test_functions_are_the_methods():
    a, b = lc.Layout("(4,8):(8,1)"), lc.Layout("(2,2):(1,4)")
    assert str(algebra.composition(a, b)) == str(a.compose(b))
    assert algebra.crd2idx((1, 2), a) == a.crd2idx((1, 2)) == 10
    assert algebra.idx2crd(a, 5) == (1, 1)
    assert (algebra.size(a), algebra.cosize(b)) == (32, 6)
    assert a.max_common_vector("(8,4):(1,8)") == 1
    assert str(algebra.make_layout(a, "2:1")) == "((4,8),2):((8,1),1)"
    assert str(algebra.make_ordered_layout((2, 3), (1, 0))) == "(2,3):(3,1)"
    assert all(callable(getattr(algebra, name)) for name in algebra.__all__)


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: lc.Layout("f32[8,8]{1,0}").coalesce(), "unsupported", "shape:stride"),
        (lambda: lc.Layout("Sw<1,0,2> o 0 o 8:1").coalesce(), "unsupported", "without swizzle"),
        (lambda: lc.Layout("(4,2):(1,3)").composition("4:3"), None, "mode"),
        (lambda: lc.Layout("4:1").composition("4:1)"), "syntax", "expected"),
        (lambda: lc.Layout("4:1").complement(2**70), "overflow", "64-bit"),
        (lambda: lc.Layout("4:1").logical_divide(0), "argument", "1 or more"),
        (lambda: lc.Layout("4:1").upcast(0), "argument", "factor"),
    ],
)
def test_errors(call, kind, words):
    with pytest.raises(lc.LayoutError, match=words) as error:
        call()
    assert kind in (None, error.value.kind)


@pytest.mark.parametrize("argument", [1.5, b"4:1", object(), True, {}])
def test_other_types_are_type_errors(argument):
    with pytest.raises(TypeError):
        lc.Layout("4:1").composition(argument)


def test_nesting_is_bounded():
    deep = 4
    for _ in range(100_000):
        deep = (deep,)
    for call in ("composition", "complement", "coalesce", "crd2idx"):
        with pytest.raises(lc.LayoutError, match="levels"):
            getattr(lc.Layout("4:1"), call)(deep)
    cyclic = []
    cyclic.append(cyclic)
    with pytest.raises(lc.LayoutError, match="levels"):
        lc.Layout("4:1").crd2idx(cyclic)
    with pytest.raises(UnicodeEncodeError):
        lc.Layout("4:1").composition("\ud800")


@given(layouts(), layouts(most=16))
def test_composition_is_composition(a, b):
    try:
        result = a.composition(b)
    except lc.LayoutError:
        return
    assert offsets(result) == [a.crd2idx(offset) for offset in offsets(b)]


@given(layouts(injective=True))
def test_inverses_and_complement(layout):
    values = offsets(layout)
    right = layout.right_inverse()
    assert [values[i] for i in offsets(right)] == list(range(right.size()))
    left = layout.left_inverse()
    assert [left.crd2idx(value) for value in values] == list(range(len(values)))
    rest = layout.complement()
    sums = [value + other for value, other in itertools.product(values, offsets(rest))]
    assert len(set(sums)) == len(sums)


@given(layouts(), st.integers(1, 8))
def test_divide_holds_every_offset(layout, tile):
    for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
        try:
            result = getattr(layout, name)(tile)
        except lc.LayoutError:
            continue
        assert set(offsets(layout)) <= set(offsets(result))


@given(layouts(injective=True, most=16), layouts(injective=True, most=8))
def test_product_is_injective(layout, tiler):
    for name in ("logical_product", "blocked_product", "raked_product"):
        try:
            result = getattr(layout, name)(tiler)
        except lc.LayoutError:
            continue
        assert result.size() == layout.size() * tiler.size()
        assert len(set(offsets(result))) == result.size()


@pytest.fixture(scope="module")
def pycute():
    return pytest.importorskip("pycute", reason="pycute (nvidia-cutlass) is not installed")


@given(layouts(), layouts(most=16))
def test_pycute_composes_to_the_same_shape(pycute, a, b):
    assert str(from_pycute(pycute.coalesce(to_pycute(a)))) == str(a.coalesce())
    try:
        expected = from_pycute(pycute.composition(to_pycute(a), to_pycute(b)))
    except AssertionError:
        return  # pycute rejects some compositions that exist.
    if offsets(expected) == [a.crd2idx(offset) for offset in offsets(b)]:
        assert a.composition(b).shape_stride()[0] == expected.shape_stride()[0]


@given(layouts(injective=True), st.integers(1, 200))
def test_pycute_inverts_and_complements_alike(pycute, layout, cotarget):
    theirs = to_pycute(layout)
    assert str(from_pycute(pycute.right_inverse(theirs))) == str(layout.right_inverse())
    assert str(from_pycute(pycute.complement(theirs, cotarget))) == str(layout.complement(cotarget))
    left = from_pycute(pycute.left_inverse(theirs))
    assert [left.crd2idx(offset) for offset in offsets(layout)] == list(range(layout.size()))
