# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods that take and return NumPy arrays, each against the offset of one element."""

import itertools

import numpy as np
import pytest
from test_layout import NOTATIONS

import layoutcheck as lc
from layoutcheck import _core

ml_dtypes = pytest.importorskip("ml_dtypes")


@pytest.fixture(params=NOTATIONS)
def layout(request):
    return lc.Layout(request.param)


def values(layout, dtype=None):
    """Returns an array of the layout's shape whose values differ as far as its type allows."""
    numbers = np.arange(layout.sizes.elements).reshape(layout.shape)
    return numbers.astype(np.int8).astype(layout.dtype) if layout.element_type == "s4" else numbers.astype(
        dtype or layout.dtype or np.int64)


def test_tables_agree_with_offset(layout):
    table = layout.offset_table()
    assert table.shape == layout.shape and table.dtype == np.int64
    indices = np.array(list(itertools.product(*map(range, layout.shape)))).reshape(layout.shape + (layout.rank,))
    assert np.array_equal(layout.offsets(indices), table)
    for index in itertools.product(*map(range, layout.shape)):
        assert table[index] == layout.offset(index)


def test_pack_places_each_element_at_its_offset(layout):
    array = values(layout)
    memory = layout.pack(array, padding=1)
    first = layout.sizes.first_offset
    if layout.element_type == "s4":
        cells = np.stack([memory & 15, memory >> 4], -1).reshape(-1).astype(np.int8)
        cells = ((cells << 4) >> 4).astype(ml_dtypes.int4)
    else:
        cells = memory
        assert cells.dtype == array.dtype
    assert cells.size == layout.sizes.padded_elements
    expected = np.ones(cells.size, cells.dtype)
    for index in itertools.product(*map(range, layout.shape)):
        expected[layout.offset(index) - first] = array[index]
    assert np.array_equal(cells, expected)


def test_unpack_is_the_inverse_of_pack(layout):
    array = values(layout)
    memory = layout.pack(array)
    dtype = None if layout.element_type else array.dtype
    assert np.array_equal(layout.unpack(memory, dtype), array)
    assert np.array_equal(layout.unpack(memory.tobytes(), dtype), array)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_pack_reads_arrays_of_any_strides(order):
    layout = lc.Layout("f32[3,4,5]{0,2,1:T(2,2)}")
    array = np.arange(60, dtype=np.float32).reshape([(3, 4, 5)[d] for d in order]).transpose(np.argsort(order))
    expected = layout.pack(np.ascontiguousarray(array))
    assert np.array_equal(layout.pack(array), expected)
    large = np.zeros((6, 8, 10), np.float32)
    large[::2, ::-2, ::2] = array
    assert np.array_equal(layout.pack(large[::2, ::-2, ::2]), expected)


def test_zero_copy():
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    rows = lc.Layout("f32[3,4]{1,0}")
    assert np.shares_memory(rows.pack(array), array)
    assert np.shares_memory(rows.pack(array, copy=False), array)
    assert not np.shares_memory(rows.pack(array, copy=True), array)
    assert np.shares_memory(lc.Layout("f32[4,3]{0,1}").pack(array.T, copy=False), array)
    view = lc.Layout("f32[4,3]{0,1}").unpack(array, copy=False)
    assert np.shares_memory(view, array) and np.array_equal(view, array.T)
    with pytest.raises(lc.LayoutError):
        lc.Layout("f32[3,4]{1,0:T(2,2)}").pack(array, copy=False)
    with pytest.raises(lc.LayoutError):
        lc.Layout("f32[3,4]{1,0:T(2,2)}").unpack(np.zeros(16, np.float32), copy=False)


def test_relayout():
    source, destination = lc.Layout("s4[5,7]{0,1:T(2,4)E(4)}"), lc.Layout("s4[5,7]{1,0:T(4,4)E(4)}")
    array = (np.arange(35).reshape(5, 7) % 16 - 8).astype(ml_dtypes.int4)
    assert np.array_equal(source.unpack(source.pack(array)), array)
    moved = source.relayout(source.pack(array), destination)
    assert np.array_equal(moved, destination.pack(array))
    strided = lc.Layout("(5,7):(7,1)")
    assert np.array_equal(strided.relayout(np.arange(35), "(5,7):(1,5)"), np.arange(35).reshape(5, 7).T.reshape(-1))
    with pytest.raises(lc.LayoutError):
        source.relayout(b"", "s4[7,5]{1,0}")


@pytest.mark.parametrize(
    "name", ["pred", "s4", "s8", "u16", "f16", "f64", "c64", "c128", "bf16", "f8e4m3fn", "u4", "f8e8m0fnu"]
)
def test_element_types(name):
    layout = lc.tiled((5, 6), name, tiles=[(2, 4)])
    numbers = np.arange(30).reshape(5, 6) % 2 + 1
    array = (-numbers if name.startswith("s") else numbers).astype(layout.dtype)
    memory = layout.pack(array)
    assert np.array_equal(memory[layout.offset_table()], array)
    assert np.array_equal(layout.unpack(memory), array)


def test_unsigned_integers_hold_bits():
    layout = lc.Layout("bf16[2,2]{0,1}")
    bits = np.array([[1, 2], [3, 4]], np.uint16)
    assert np.array_equal(layout.pack(bits).view(np.uint16), [1, 3, 2, 4])


def test_dlpack():
    class Exporter:  # has DLPack alone, as arrays of other libraries may
        def __init__(self, array):
            self.array = array
            self.shape = array.shape

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    layout = lc.Layout("f32[2,3]{0,1}")
    assert np.array_equal(layout.pack(Exporter(array)), layout.pack(array))
    assert np.array_equal(layout.unpack(Exporter(layout.pack(array))), array)


@pytest.mark.parametrize(
    "call",
    [
        lambda layout: layout.pack(np.zeros((3, 4), np.float64)),
        lambda layout: layout.pack(np.zeros((4, 3), np.float32)),
        lambda layout: layout.pack(np.array([[object()] * 4] * 3)),
        lambda layout: layout.unpack(b"12"),
        lambda layout: layout.unpack(np.array([None] * 16)),
        lambda layout: layout.offsets([[3, 0]]),
        lambda layout: layout.offsets([[-1, 0]]),
        lambda layout: layout.offsets([1, 2, 3]),
        lambda layout: layout.offsets(np.array([[2**63, 0]], np.uint64)),
        lambda layout: lc.Layout("f32[100000,100000]{1,0}").offset_table(),
    ],
)
def test_errors(call):
    with pytest.raises(lc.LayoutError):
        call(lc.Layout("f32[3,4]{1,0:T(2,2)}"))


def test_offsets_wants_integers():
    with pytest.raises(TypeError):
        lc.Layout("f32[3,4]{1,0}").offsets([[0.5, 1]])
    assert lc.Layout("f32[3,4]{1,0}").offsets(np.empty((0, 2))).shape == (0,)


def test_dlpack_of_types_that_numpy_lacks():
    jax = pytest.importorskip("jax")
    layout = lc.Layout("bf16[20,300]{1,0:T(8,128)(2,1)}")
    array = jax.numpy.arange(6000).reshape(20, 300).astype(jax.numpy.bfloat16)
    assert np.array_equal(layout.unpack(layout.pack(array)), np.asarray(array))


def test_memory_of_other_arrays_is_kept():
    array = np.arange(24, dtype=np.uint16).reshape(4, 6)
    shared, copied = _core.bytes_of(array), _core.bytes_of(array[:, ::2])
    assert np.shares_memory(shared, array) and not shared.flags.writeable
    assert np.array_equal(copied.view(np.uint16).reshape(4, 3), array[:, ::2])
    for wrong in (None, 5, "x", [1], object()):
        with pytest.raises(TypeError):
            _core.bytes_of(wrong)
