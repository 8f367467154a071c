# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to one stride per dimension: NumPy's in bytes, PyTorch's in elements, and its memory formats."""

import math
from typing import Any, NamedTuple, Sequence, Tuple

from .. import _core
from .._core import Layout
from ..layouts import strided
from .base import unsupported


class NumpyStrides(NamedTuple):
    """Arguments of `numpy.ndarray(shape, dtype, buffer, offset, strides)` for a buffer with the layout's allocation."""

    shape: Tuple[int, ...]  # in elements
    strides: Tuple[int, ...]  # in bytes
    offset: int  # of element 0 in the buffer, in bytes; above 0 for negative strides and layouts with an offset


class TorchStrides(NamedTuple):
    """Arguments of `torch.as_strided(tensor, size, stride, storage_offset)`, all in elements."""

    size: Tuple[int, ...]
    stride: Tuple[int, ...]
    storage_offset: int


def from_numpy(array: Any) -> Layout:
    """Returns the shape:stride layout of an array by its strides, with offset 0 at element 0. Reads no element.

    Raises LayoutError for a stride that is no multiple of the element's size. Anything with `shape`, `strides` (in bytes)
    and `itemsize` is an array; TypeError for anything else, such as a DataFrame, whose columns lie apart.
    """
    if not all(hasattr(array, name) for name in ("shape", "strides", "itemsize")):
        raise TypeError(f"expected an array with shape, strides and itemsize, got {type(array).__name__}")
    itemsize = array.itemsize
    if itemsize == 0 or any(stride % itemsize for stride in array.strides):
        raise unsupported(f"expected strides that are multiples of {itemsize} bytes, got {array.strides}")
    return strided(tuple(array.shape), tuple(stride // itemsize for stride in array.strides))


def to_numpy(layout: Layout, dtype: Any) -> NumpyStrides:
    """Returns shape, strides and offset in bytes with which NumPy views a buffer of the layout.

    Raises LayoutError if a dimension does not have one stride: tiles, swizzles.
    """
    import numpy

    itemsize = numpy.dtype(dtype).itemsize
    sizes, strides, offset = _core.dimension_strides(layout)
    return NumpyStrides(sizes, tuple(stride * itemsize for stride in strides), offset * itemsize)


def from_torch(tensor: Any) -> Layout:
    """Returns the shape:stride layout of a tensor by its strides, with offset 0 at element 0. Reads no element."""
    return strided(tuple(tensor.shape), tuple(tensor.stride()))


def to_torch(layout: Layout) -> TorchStrides:
    """Returns size, stride and storage offset in elements with which PyTorch views a storage of the layout.

    Raises LayoutError if a dimension does not have one stride, or a negative one, which PyTorch does not have.
    """
    sizes, strides, offset = _core.dimension_strides(layout)
    if any(stride < 0 for stride in strides):
        raise unsupported(f"expected strides of 0 or more, as PyTorch has them, got {layout}")
    return TorchStrides(sizes, strides, offset)


# Memory formats by name: dimensions from minor to major, for tensors of that rank.
_MINOR_TO_MAJOR = {"channels_last": (1, 3, 2, 0), "channels_last_3d": (1, 4, 3, 2, 0)}


def _format_strides(shape: Sequence[int], name: str) -> Tuple[int, ...]:
    order = _MINOR_TO_MAJOR.get(name) or tuple(reversed(range(len(shape))))
    strides = [0] * len(shape)
    step = 1
    for dimension in order:
        strides[dimension] = step
        step *= max(1, shape[dimension])
    return tuple(strides)


def from_memory_format(shape: Sequence[int], memory_format: Any) -> Layout:
    """Returns the layout of a new tensor in a `torch.memory_format`, or in the format of that name ("channels_last")."""
    name = str(memory_format).removeprefix("torch.")
    rank = len(_MINOR_TO_MAJOR.get(name, shape))
    if name != "contiguous_format" and name not in _MINOR_TO_MAJOR:
        raise unsupported(f"expected contiguous_format, channels_last or channels_last_3d, got {memory_format}")
    if len(shape) != rank:
        raise unsupported(f"expected {rank} dimensions for {name}, got {len(shape)}")
    return strided(tuple(shape), _format_strides(shape, name))


def to_memory_format(layout: Layout) -> Any:
    """Returns the `torch.memory_format` for which a tensor of the layout is contiguous, contiguous_format if several.

    Strides of dimensions with one element do not count, as in `Tensor.is_contiguous`. Raises LayoutError if no format fits.
    """
    import torch

    sizes, strides, _ = _core.dimension_strides(layout)
    for name in ("contiguous_format", *_MINOR_TO_MAJOR):
        if len(sizes) != len(_MINOR_TO_MAJOR.get(name, sizes)):
            continue
        expected = _format_strides(sizes, name)
        if math.prod(sizes) == 0 or all(
            size == 1 or stride == other for size, stride, other in zip(sizes, strides, expected)
        ):
            return getattr(torch, name)
    raise unsupported(f"expected the strides of a memory format of PyTorch, got {strides}")
