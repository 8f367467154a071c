# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of Layout for arrays on several devices: where an element lies, and the memory of each device."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from . import _core
from ._arguments import integers, sequence
from ._core import Layout
from .errors import LayoutError
from .layouts import layout_method


class Place(NamedTuple):
    """Where an element of an array on several devices lies."""

    devices: Tuple[int, ...]  # numbers of the devices that hold the element, ascending
    offset: int  # in elements, in the memory of each of them


def _sharding(self: Layout) -> Optional[str]:
    """The text of the sharding, or None for a layout of one memory."""
    return _core.sharding(self)


def _devices(self: Layout) -> Tuple[int, ...]:
    """The numbers of the sharding's devices, ascending; none for a layout of one memory."""
    return _core.sharded_devices(self)


setattr(Layout, "sharding", property(_sharding))
setattr(Layout, "devices", property(_devices))


@layout_method
def place(self: Layout, index: Any) -> Place:
    """Returns the devices that hold the element at `index`, one integer per dimension, and its offset in the memory of each.

    Raises LayoutError outside of the array, and for a layout without a sharding.
    """
    return Place(*_core.sharded_place(self, tuple(integers("index", index, "an index such as (2, 3)"))))


@layout_method
def local(self: Layout, device: int) -> Layout:
    """Returns the layout of the memory of a device: its sizes are those of the device's array, padding included."""
    return _core.sharded_local(self, device)


@layout_method
def ranges(self: Layout, device: int) -> Tuple[Tuple[Tuple[int, int], ...], ...]:
    """Returns the ranges of indices that a device holds, as pairs (start, stop): a tuple of them per dimension.

    A dimension has several of them for a strided shard, and none if the device holds no element.
    """
    return _core.sharded_ranges(self, device)


def _selection(layout: Layout, device: Any) -> Any:
    """Returns the index with which NumPy selects the elements of a device: slices, or arrays where slices do not say it."""
    held = layout.ranges(device)
    if all(len(dimension) <= 1 for dimension in held):
        return tuple(slice(*dimension[0]) if dimension else slice(0, 0) for dimension in held)
    none = np.zeros(0, np.int64)
    return np.ix_(*(np.concatenate([none, *(np.arange(*pair) for pair in dimension)]) for dimension in held))


def pack_part(layout: Layout, array: np.ndarray, device: Any, padding: np.ndarray, copy: Optional[bool]) -> np.ndarray:
    """Returns the memory of a device. The array has the layout's shape and type, `padding` is an array of one element."""
    memory = layout.local(device)
    selection = _selection(layout, device)
    part = array[selection]
    shared = not selection or isinstance(selection[0], slice)
    if part.shape != memory.shape:
        shared = False
        padded = np.full(memory.shape, padding[0], array.dtype)
        padded[tuple(map(slice, part.shape))] = part
        part = padded
    if copy is False and not shared:
        raise LayoutError("the part of the device is padded or in pieces, so its memory cannot be shared; expected copy=None")
    return memory.pack(part, padding=padding, copy=copy)


def unpack_part(layout: Layout, memory: Any, device: Any, copy: Optional[bool]) -> np.ndarray:
    """Returns the elements of a device, without padding, whose memory is given."""
    sizes = [sum(stop - start for start, stop in dimension) for dimension in layout.ranges(device)]
    return layout.local(device).unpack(memory, copy=copy)[tuple(map(slice, sizes))]


def unpack_parts(layout: Layout, memories: Any, copy: Optional[bool]) -> np.ndarray:
    """Returns the array whose memories are given: by device, or as a sequence in the order of the devices."""
    if copy is False:
        raise LayoutError("the array is on several devices, so its memory cannot be shared; expected copy=None")
    if not isinstance(memories, Mapping):
        expected = f"a mapping of devices to memories, or {len(layout.devices)} memories"
        memories = sequence("buffer", memories, expected)
        if len(memories) != len(layout.devices):
            raise LayoutError(f"buffer: expected {expected}, got {len(memories)}")
        memories = dict(zip(layout.devices, memories))
    array, holders = None, np.full(layout.shape, -1, np.int64)
    for device, memory in memories.items():
        part = unpack_part(layout, memory, device, copy=None)
        selection = _selection(layout, device)
        if array is None:
            array = np.zeros(layout.shape, part.dtype)
        others = holders[selection]
        # Replicas are equal in their bits: a NaN is equal to itself here.
        is_other = (others >= 0) & (_bits(array[selection]) != _bits(part)).any(axis=-1)
        if is_other.any():
            index = tuple(int(entry[is_other][0]) for entry in np.broadcast_arrays(*_indices(selection, layout.shape)))
            raise LayoutError(f"element {index} is another one on device {device} than on device {others[is_other][0]}")
        array[selection] = part
        holders[selection] = device
    missing = np.argwhere(holders < 0)
    if array is None or len(missing) > 0:
        first = tuple(missing[0].tolist()) if len(missing) > 0 else ()
        raise LayoutError(f"buffer: expected the memory of a device that holds element {first}")
    return array


def _bits(array: np.ndarray) -> np.ndarray:
    """Returns the bytes of each element, in a last dimension of their own."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(*array.shape, array.dtype.itemsize)


def _indices(selection: Any, shape: Tuple[int, ...]) -> list:
    """Returns an array per dimension with the indices that are selected, so that they broadcast with each other."""
    if selection and not isinstance(selection[0], slice):
        return list(selection)
    return list(np.ix_(*(np.arange(size)[part] for part, size in zip(selection, shape))))
