# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strides of NumPy and PyTorch, and PyTorch's memory formats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import layoutcheck as lc
from layoutcheck import interop


@st.composite
def views(draw):
    """Draws views of an array of int32: permuted, sliced, reversed, broadcast."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    array = np.arange(int(np.prod(sizes)), dtype=np.int32).reshape(sizes)
    array = array.transpose(draw(st.permutations(range(len(sizes)))))
    slices = draw(st.lists(st.sampled_from([1, 2, -1, -2]), min_size=len(sizes), max_size=len(sizes)))
    array = array[tuple(slice(None, None, step) for step in slices)]
    return np.broadcast_to(array, (2, *array.shape)) if draw(st.booleans()) else array


@given(views())
def test_numpy_views(array):
    layout = interop.from_numpy(array)
    shape, strides, offset = interop.to_numpy(layout, array.dtype)
    assert shape == array.shape
    assert [s for s, n in zip(strides, shape) if n > 1] == [s for s, n in zip(array.strides, shape) if n > 1]
    # A buffer of the layout holds the elements at the layout's offsets, counted from its smallest one.
    values = np.zeros(layout.cosize(), np.int32)
    first = offset // array.itemsize
    for index in np.ndindex(array.shape):
        values[first + layout.crd2idx(index)] = array[index]
    assert np.array_equal(np.ndarray(shape, array.dtype, values, offset, strides), array)


@pytest.mark.parametrize(
    "text, strides, offset",
    [
        ("f32[3,5]{0,1}", (4, 12), 0),
        ("f32[3,100]{1,0:T(8,128)}", (512, 4), 0),
        ("f32[3,5]{1,0:L(64)}", (20, 4), 0),
        ("((2,2),3):((1,2),4)", (4, 16), 0),
        ("16 o (8,64):(64,1)", (256, 4), 64),
        ("4:-1", (-4,), 12),
        ("f32[0,5]{1,0}", None, 0),
    ],
)
def test_one_stride_per_dimension(text, strides, offset):
    if strides is None:
        with pytest.raises(lc.LayoutError):
            interop.to_numpy(lc.Layout(text), np.float32)
        return
    result = interop.to_numpy(lc.Layout(text), np.float32)
    assert (result.strides, result.offset) == (strides, offset)


@pytest.mark.parametrize("text", ["f32[9,200]{1,0:T(8,128)}", "((2,2),3):((1,4),8)", "Sw<1,0,2> o 0 o 8:1", "4:1@0"])
def test_several_strides_are_rejected(text):
    with pytest.raises(lc.LayoutError) as error:
        interop.to_numpy(lc.Layout(text), np.float32)
    assert error.value.kind == "unsupported"


def test_strides_within_elements_are_rejected():
    field = np.zeros(3, dtype=[("a", np.int8), ("b", np.int32)])["b"]
    with pytest.raises(lc.LayoutError, match="multiples of 4 bytes"):
        interop.from_numpy(field)


def test_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    tensor = torch.arange(120).reshape(2, 3, 4, 5)
    for view in (tensor, tensor.permute(0, 2, 3, 1), tensor[:, ::2], tensor.expand(2, 3, 4, 5)[None]):
        layout = interop.from_torch(view)
        size, stride, offset = interop.to_torch(layout)
        again = torch.as_strided(view, size, stride, offset + view.storage_offset())
        assert torch.equal(again, view)
    for shape, names in (
        ((2, 3, 4, 5), ("contiguous_format", "channels_last")),
        ((2, 3, 4, 5, 6), ("contiguous_format", "channels_last_3d")),
    ):
        for name in names:
            made = torch.empty(shape, memory_format=getattr(torch, name))
            layout = interop.from_memory_format(shape, getattr(torch, name))
            assert interop.to_torch(layout).stride == made.stride()
            assert str(layout) == str(interop.from_torch(made))
            assert interop.to_memory_format(layout) is getattr(torch, name)
    assert interop.to_memory_format(lc.Layout("(2,1,4,5):(20,1,5,1)")) is torch.contiguous_format
    with pytest.raises(lc.LayoutError, match="memory format"):
        interop.to_memory_format(lc.Layout("(2,3):(1,2)"))
    with pytest.raises(lc.LayoutError, match="strides of 0 or more"):
        interop.to_torch(lc.Layout("4:-1"))


def test_memory_formats_by_name():
    assert str(interop.from_memory_format((2, 3, 4, 5), "channels_last")) == "(2,3,4,5):(60,1,15,3)"
    assert str(interop.from_memory_format((2, 3), "contiguous_format")) == "(2,3):(3,1)"
    with pytest.raises(lc.LayoutError, match="4 dimensions"):
        interop.from_memory_format((2, 3), "channels_last")
    with pytest.raises(lc.LayoutError, match="expected contiguous_format"):
        interop.from_memory_format((2, 3), "preserve_format")


def test_what_is_no_array_of_numpy():
    with pytest.raises(TypeError, match="expected an array with shape, strides and itemsize, got dict"):
        lc.interop.from_numpy({})
