# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout in every notation: offsets, coordinates, sizes, text, conversions and comparisons."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import layoutcheck as lc

NOTATIONS = [
    "bf16[20,300]{1,0:T(8,128)(2,1)}",
    "f32[3,5]{1,0:T(2,2)}",
    "f32[2,3,4]{2,1,0:T(2,*,3)(2,1)}",
    "f32[4,3]{0,1}",
    "f32[]",
    "f32[0,3]{1,0}",
    "s4[5,7]{0,1:T(2,4)E(4)}",
    "f32[<=4,3]{1,0:T(2,2)S(1)}",
    "f32[2,3]{0,1}pad[3,5]=0",
    "zN:f16[20,40]",
    "((4,2),(4,3)):((4,16),(1,32))",
    "Sw<2,0,3> o 0 o (8,8):(8,1)",
    "(3,4):(-4,1)",
    "3 o 5:2",
    "5:1",
]


@pytest.fixture(params=NOTATIONS)
def layout(request):
    return lc.Layout(request.param)


def test_offset():
    assert lc.Layout("bf16[20,300]{1,0:T(8,128)(2,1)}").offset((19, 299)) == 8535
    assert lc.Layout("bf16[20,300]{1,0:T(8,128)(2,1)}").offset(np.array([19, 299])) == 8535
    assert lc.Layout("f32[]").offset(()) == 0
    assert lc.Layout("f32[2,3]{0,1}pad[3,5]=0").offset([1, 2]) == 7
    assert lc.Layout("zN:f16[20,40]").offset((19, 39)) == 1335


def test_offset_at_nested_and_integral_coordinates():
    layout = lc.Layout("((4,2),(4,3)):((4,16),(1,32))")
    assert layout.offset((1, 5)) == layout.offset(((1, 0), (1, 1))) == layout.offset(41) == 37


def test_coordinate_is_the_inverse_of_offset(layout):
    if layout.text.startswith("(("):
        return
    for index in itertools.product(*map(range, layout.shape)):
        found = layout.coordinate(layout.offset(index))
        assert found == index or (found,) == index


def test_coordinate_of_padding_and_nested():
    assert lc.Layout("f32[3,5]{1,0:T(2,2)}").coordinate(18) is None
    assert lc.Layout("((4,2),(4,3)):((4,16),(1,32))").coordinate(37) == ((1, 0), (1, 1))


def test_sizes():
    layout = lc.Layout("bf16[20,300]{1,0:T(8,128)(2,1)}")
    assert layout.sizes == (6000, 9216, 18432, 0)
    assert layout.sizes.end_offset == 9216
    assert layout.waste == 1 - 6000 / 9216
    assert layout.shape == (20, 300) and layout.rank == 2 and layout.element_type == "bf16"
    negative = lc.Layout("(3,4):(-4,1)").sizes
    assert negative == (12, 12, None, -8) and negative.end_offset == 4


def test_text_repr_pickle_and_hash(layout):
    same = lc.Layout(layout.text)
    assert same == layout and hash(same) == hash(layout) and str(same) == layout.text
    assert eval(repr(layout), {"layoutcheck": lc}) == layout
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert copy.deepcopy(layout) == layout
    assert layout != lc.Layout("f32[77]{0}") and layout != layout.text


def test_pictures(layout):
    assert "</svg>" in layout._repr_svg_()
    page = layout._repr_html_()
    assert page.startswith("<div>") and page.endswith("</div>")
    assert ("<svg" in page) == (layout.sizes.padded_elements > 0)


def test_tiled():
    assert lc.tiled((20, 300), "bf16", tiles=[(8, 128), (2, 1)]) == lc.Layout("bf16[20,300]{1,0:T(8,128)(2,1)}")
    assert lc.tiled((4, 3), np.float32, minor_to_major=(0, 1)) == lc.Layout("f32[4,3]{0,1}")
    assert lc.tiled((2, 3, 4), bool, tiles=[(2, "*", 3)]) == lc.Layout("pred[2,3,4]{2,1,0:T(2,*,3)}")
    assert lc.tiled((5,), "s4", tiles=[(2,)], element_size_in_bits=4, tail_padding=8, memory_space=1) == lc.Layout(
        "s4[5]{0:T(2)L(8)E(4)S(1)}"
    )
    assert lc.tiled((), "f32") == lc.Layout("f32[]")
    with pytest.raises(lc.LayoutError, match=r"f32\[2,3\]\{0,0\}: "):
        lc.tiled((2, 3), "f32", minor_to_major=(0, 0))


def test_strided():
    assert lc.strided(((4, 2), (4, 3)), ((4, 16), (1, 32))) == lc.Layout("((4,2),(4,3)):((4,16),(1,32))")
    assert lc.strided((3, (2, 2))) == lc.Layout("(3,(2,2)):(1,(3,6))")
    assert lc.strided(5, 2, offset=3) == lc.Layout("3 o 5:2")
    assert lc.strided((8, 8), (8, 1), swizzle=(2, 0, 3)) == lc.Layout("Sw<2,0,3> o 0 o (8,8):(8,1)")
    with pytest.raises(lc.LayoutError):
        lc.strided((2, 3), (1,))
    with pytest.raises(TypeError):
        lc.strided((2, 3.5))


def test_convert_keeps_offsets(layout):
    for to in ("hlo", "shape-stride"):
        try:
            converted = layout.convert(to)
        except lc.LayoutError as error:
            assert error.kind in ("unsupported", "unavailable")
            continue
        # A shape:stride layout has padding as coordinates beyond the array.
        array = tuple(slice(size) for size in layout.shape)
        assert np.array_equal(converted.offset_table()[array], layout.offset_table())
    with pytest.raises(lc.LayoutError, match="expected one of hlo, shape-stride"):
        layout.convert("cute")


def test_convert_to_text():
    assert "return" in lc.Layout("f32[3,5]{1,0:T(2,2)}").convert("c")
    assert lc.Layout("f32[4,16]{1,0:T(1,8)}").convert("onednn") == "aB8b"


def test_compare():
    a = lc.Layout("f32[2,3]{1,0}")
    assert a.compare(a).relation == "identical"
    assert a.is_bitcast_of("f32[6]{0}")
    assert not a.is_bitcast_of("f32[2,3]{0,1}")
    assert a.compare("f32[3,2]{0,1}", transpose=(1, 0)).relation == "bitcast"
    moved = a.compare("f32[2,3]{0,1}")
    assert moved.relation == "permuted" and moved.moved == ((0, 1), (0, 1))
    assert a.compare("f32[1,3]{1,0}").slice_of == "a"
    with pytest.raises(lc.LayoutError):
        a.compare("f32[2,3]{0,1}", transpose=(0, 0))


def test_error_has_column_and_expectation():
    with pytest.raises(lc.LayoutError) as caught:
        lc.Layout("f32[3,5]{1,0:T(2,2}")
    assert caught.value.column == 19
    assert caught.value.expected == "',' or ')' in the tile"
    assert caught.value.kind == "syntax"
    assert str(caught.value) == "column 19: expected ',' or ')' in the tile, found '}'"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.column, again.kind) == (str(caught.value), 19, "syntax")


def test_columns_count_characters():
    with pytest.raises(lc.LayoutError) as caught:
        lc.Layout("f32[3]{0}\u00e9\u00e9 x")
    assert caught.value.column == 10
