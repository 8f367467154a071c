# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Methods of Layout that take and return NumPy arrays: offsets, pack, unpack and relayout."""

import functools
import math
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._core import Layout
from .dtypes import bytes_per_value, numpy_dtype
from .errors import LayoutError
from .layouts import as_layout, layout_method
from .sharding import pack_part, unpack_part, unpack_parts

_ONE_MEMORY = "device: the layout has no sharding, so it is that of one memory"
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


@layout_method
def offsets(self: Layout, indices: Any) -> np.ndarray:
    """Returns the offsets, in elements, of many elements as int64.

    Args:
        indices: integers of shape (..., rank), one index per row. The result has the shape (...).

    Raises:
        LayoutError: an index is outside of the array.
        TypeError: the indices are no integers.
    """
    indices = np.asarray(indices)
    if indices.size == 0 and indices.dtype.kind == "f":
        indices = indices.astype(np.int64)  # NumPy's type of an empty list
    if indices.dtype.kind not in "iu":
        raise TypeError(f"expected integers, got an array of {indices.dtype}")
    if indices.ndim == 0 or indices.shape[-1] != self.rank:
        raise LayoutError(f"expected indices of shape (..., {self.rank}), got shape {indices.shape}")
    if indices.dtype == np.uint64 and indices.size and indices.max() > np.iinfo(np.int64).max:
        raise LayoutError("expected indices that fit int64", None, "overflow")
    out = np.empty(indices.shape[:-1], np.int64)
    rows = np.ascontiguousarray(indices, np.int64).reshape(out.size, self.rank)
    _core.fill_offsets(self, rows, out.reshape(-1))
    return out


@layout_method
def offset_table(self: Layout) -> np.ndarray:
    """Returns the offsets, in elements, of all elements: an int64 array of the array's shape.

    Raises:
        LayoutError: the array has more than 2^26 elements (`kind` is "unsupported").
    """
    if self.sizes.elements > _core.MAX_TABLE_ENTRIES:
        raise LayoutError(
            f"the array has {self.sizes.elements} elements: expected at most {_core.MAX_TABLE_ENTRIES} for a table; "
            "use offsets(indices)",
            None,
            "unsupported",
        )
    out = np.empty(self.sizes.elements, np.int64)
    _core.fill_offset_table(self, out)
    return out.reshape(self.shape)


def _dtype(self: Layout) -> Optional[np.dtype]:
    """The NumPy type of the elements, of ml_dtypes where NumPy has none, or None for shape:stride layouts.

    Raises LayoutError if ml_dtypes is not installed or lacks the type.
    """
    if self.element_type is None:
        return None
    dtype = numpy_dtype(self.element_type)
    if dtype is None:
        raise LayoutError(f"{self.element_type}: NumPy has no such type, expected the package ml_dtypes", None, "unavailable")
    return dtype


setattr(Layout, "dtype", property(_dtype))


def _as_numpy(array: Any, layout: Layout, contiguous: bool = False) -> np.ndarray:
    """Returns an array of any library as one of NumPy, without a copy where it can be shared.

    An array whose type NumPy lacks (PyTorch's bfloat16) becomes one of the layout's type.
    """
    if isinstance(array, np.ndarray):
        return array
    if isinstance(array, (bytes, bytearray, memoryview)):
        return np.frombuffer(array, np.uint8)
    if hasattr(array, "__dlpack__") and not hasattr(array, "__array_interface__"):
        try:
            return np.from_dlpack(array)
        except (BufferError, TypeError, RuntimeError, ValueError):
            pass
        shape = tuple(array.shape)
        try:
            raw = _core.bytes_of(array)
        except (RuntimeError, TypeError, ValueError):
            raw = None
        if raw is not None and layout.element_type is not None:
            width = bytes_per_value(layout.element_type)
            if raw.size == math.prod(shape) * width:
                return raw.view(_storage_dtype(layout)).reshape(shape)
    return np.asarray(array)


def _storage_dtype(layout: Layout) -> np.dtype:
    """Returns the type of arrays that hold the elements: unsigned integers where NumPy has no type."""
    assert layout.element_type is not None
    return numpy_dtype(layout.element_type) or np.dtype(_UNSIGNED[bytes_per_value(layout.element_type)])


def _check_dtype(array: np.ndarray, layout: Layout) -> np.ndarray:
    """Returns the array with the layout's type. An unsigned integer of the same width holds the bits of an element."""
    if layout.element_type is None:
        if array.dtype.hasobject:
            raise LayoutError(f"expected an array of numbers, got one of {array.dtype}")
        return array
    dtype = _storage_dtype(layout)
    if array.dtype == dtype:
        return array
    if array.dtype == _UNSIGNED.get(dtype.itemsize):
        return array.view(dtype)
    raise LayoutError(f"expected an array of {dtype} for {layout.element_type}, got one of {array.dtype}")


def _fill(padding: Any, dtype: np.dtype) -> np.ndarray:
    """Returns the value of padding as an array of one element."""
    try:
        fill = np.asarray(padding)
        if fill.size == 1 and not fill.dtype.hasobject:
            return fill.astype(dtype).reshape(1)
    except (TypeError, ValueError, OverflowError):
        pass
    raise LayoutError(f"padding: expected one value of {dtype}, got {padding!r}")


def _bytes(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1).view(np.uint8)


def _order_in_memory(array: np.ndarray) -> Optional[list]:
    """Returns the dimensions, minor to major, over which the array is contiguous, or None."""
    order = sorted(range(array.ndim), key=lambda d: (-abs(array.strides[d]), -array.shape[d], d))
    return order[::-1] if array.transpose(order).flags.c_contiguous else None


@functools.lru_cache(maxsize=256)
def _plan(source: str, destination: str) -> "_core.Relayout":
    return _core.Relayout.plan(source, destination)


@functools.lru_cache(maxsize=256)
def _hlo(layout: Layout, element_type: str) -> Optional[str]:
    return _core.hlo_text(layout, layout.element_type or element_type)


def _plain(layout: Layout, element_type: str, order: Any = None) -> str:
    """Returns the XLA layout of the same array without tiles and padding, an element in whole bytes."""
    order = range(layout.rank - 1, -1, -1) if order is None else order
    braces = f"{{{','.join(map(str, order))}}}" if layout.rank > 0 else ""
    return f"{element_type}[{','.join(map(str, layout.shape))}]{braces}"


def _carrier(itemsize: int) -> Optional[str]:
    """Returns an element type of XLA that moves values of so many bytes."""
    return {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "c128"}.get(itemsize)


def _place(layout: Layout, dtype: np.dtype) -> tuple:
    """Returns the element type that moves values and the XLA layout, or None if the offsets are needed."""
    element_type = layout.element_type or _carrier(dtype.itemsize)
    return element_type, None if element_type is None else _hlo(layout, element_type)


@functools.lru_cache(maxsize=256)
def _untiled_order(hlo: Optional[str]) -> Optional[tuple]:
    """Returns the dimensions, minor to major, of an XLA layout that is a permutation of the dimensions without more."""
    if hlo is None:
        return None
    if "{" not in hlo:
        return ()
    inner = hlo[hlo.index("{") + 1 : -1]
    if not all(part.isdigit() for part in inner.split(",") if part):
        return None
    return tuple(int(part) for part in inner.split(",") if part)


def _memory_dtype(layout: Layout, dtype: np.dtype, size: int) -> np.dtype:
    """Returns the type in which memory of `size` bytes is shown: of its elements, or bytes if they are packed."""
    return dtype if size == layout.sizes.padded_elements * dtype.itemsize else np.dtype(np.uint8)


def _sign_extend(array: np.ndarray, element_type: Optional[str]) -> None:
    """Gives values of s1, s2 and s4 that were unpacked with zero high bits the high bits that ml_dtypes expects."""
    if element_type in ("s1", "s2", "s4"):
        shift = 8 - int(element_type[1:])
        values = array.reshape(-1).view(np.int8)
        np.left_shift(values, shift, out=values)
        np.right_shift(values, shift, out=values)


@layout_method
def pack(
    self: Layout, array: Any, *, device: Optional[int] = None, padding: Any = 0, copy: Optional[bool] = None
) -> np.ndarray:
    """Returns the physical memory of an array in this layout, padding included.

    Args:
        array: of the layout's shape and type: NumPy, DLPack, or what NumPy converts. Unsigned integers of the same width
            hold the bits of a type that NumPy lacks.
        device: the device whose memory is returned, for an array with a sharding.
        padding: the value of cells without an element.
        copy: None shares the array's memory if it is in this layout already; False requires it; True never does.

    Returns:
        The memory as a vector of elements (sizes.padded_elements of them), or of bytes (uint8) if elements are packed.

    Raises:
        LayoutError: another shape or type, no such copy, or a layout that arrays cannot be moved to.
    """
    array = _check_dtype(_as_numpy(array, self), self)
    if array.shape != self.shape:
        raise LayoutError(f"expected an array of shape {self.shape}, got {array.shape}")
    if self.sharding is not None:
        return pack_part(self, array, device, _fill(padding, array.dtype), copy)
    if device is not None:
        raise LayoutError(_ONE_MEMORY)
    element_type, hlo = _place(self, array.dtype)
    order = _untiled_order(hlo)
    if order is not None and not copy:
        in_memory = array.transpose(order[::-1])
        if in_memory.flags.c_contiguous:
            return in_memory.reshape(-1)
    if copy is False:
        raise LayoutError("the array is not in this layout, so its memory cannot be shared; expected copy=None")
    fill = _fill(padding, array.dtype)
    if hlo is None:
        memory = np.full(self.sizes.padded_elements, fill[0], array.dtype)
        memory[self.offset_table() - self.sizes.first_offset] = array
        return memory
    order = _order_in_memory(array)
    if order is None:
        array, order = np.ascontiguousarray(array), range(array.ndim - 1, -1, -1)
    plan = _plan(_plain(self, element_type, order), hlo)
    memory = np.empty(plan.destination_bytes, np.uint8)
    source = _bytes(array.transpose(list(order)[::-1]))
    if element_type in ("s1", "s2", "s4") and memory.size != self.sizes.padded_elements:
        # Packed elements have no high bits.
        source = source & np.uint8((1 << int(element_type[1:])) - 1)
    plan.run(source, memory, _bytes(fill))
    return memory.view(_memory_dtype(self, array.dtype, memory.size))


def _memory_bytes(layout: Layout, buffer: Any, size: int) -> np.ndarray:
    memory = _as_numpy(buffer, layout)
    if memory.dtype.hasobject:
        raise LayoutError(f"expected memory of numbers, got an array of {memory.dtype}")
    memory = _bytes(np.ascontiguousarray(memory))
    if memory.size != size:
        raise LayoutError(f"expected memory of {size} bytes, got {memory.size}")
    return memory


@layout_method
def unpack(
    self: Layout, buffer: Any, dtype: Any = None, *, device: Optional[int] = None, copy: Optional[bool] = None
) -> np.ndarray:
    """Returns the array whose physical memory in this layout is `buffer`.

    Args:
        buffer: bytes, or an array of any type (NumPy, DLPack) that is as long as the memory. For an array with a sharding,
            the memories of the devices: a mapping from devices, or a sequence in the order of `devices`.
        dtype: the NumPy type of the elements if the layout has none; otherwise the layout's.
        device: the device whose memory `buffer` is; the result then has the elements of that device.
        copy: None returns a view of the memory if it is neither tiled nor padded; False requires it; True never does.

    Raises:
        LayoutError: memory of another size, no such view, a layout that arrays cannot be moved from, or memories of
            devices that lack an element or differ in one.
    """
    if self.sharding is not None:
        return unpack_parts(self, buffer, copy) if device is None else unpack_part(self, buffer, device, copy)
    if device is not None:
        raise LayoutError(_ONE_MEMORY)
    if self.element_type is not None:
        dtype = _storage_dtype(self)
    elif dtype is None:
        dtype = buffer.dtype if isinstance(buffer, np.ndarray) else None
        if dtype is None:
            raise LayoutError("the layout has no element type: expected dtype")
    dtype = np.dtype(dtype)
    element_type, hlo = _place(self, dtype)
    if dtype.hasobject or dtype.itemsize == 0:
        raise LayoutError(f"expected a type of numbers, got {dtype}")
    if hlo is None:
        memory = _memory_bytes(self, buffer, self.sizes.padded_elements * dtype.itemsize).view(dtype)
        if copy is False:
            raise LayoutError("the memory cannot be shared; expected copy=None")
        return memory[self.offset_table() - self.sizes.first_offset]
    plan = _plan(hlo, _plain(self, element_type))
    memory = _memory_bytes(self, buffer, plan.source_bytes)
    order = _untiled_order(hlo)
    if order is not None and not copy:
        major_to_minor = order[::-1]
        view = memory.view(dtype).reshape([self.shape[d] for d in major_to_minor])
        return view.transpose([major_to_minor.index(d) for d in range(self.rank)])
    if copy is False:
        raise LayoutError("the layout is tiled or padded, so the memory cannot be shared; expected copy=None")
    out = np.empty(plan.destination_bytes, np.uint8)
    plan.run(memory, out, np.empty(0, np.uint8))
    _sign_extend(out, element_type)
    return out.view(dtype).reshape(self.shape)


@layout_method
def relayout(self: Layout, buffer: Any, to: Union[Layout, str], *, padding: Any = 0) -> np.ndarray:
    """Returns the physical memory in the layout `to` of the array whose memory in this layout is `buffer`.

    Args:
        buffer: bytes, or an array that is as long as the memory.
        to: a layout of the same shape and element type.
        padding: the value of cells without an element.

    Raises:
        LayoutError: other shapes, types or sizes.
    """
    to = as_layout(to)
    if self.shape != to.shape:
        raise LayoutError(f"expected a layout of shape {self.shape}, got {to.shape}")
    if self.element_type is None or to.element_type is None:
        return to.pack(self.unpack(buffer), padding=padding, copy=True)
    dtype = _storage_dtype(self)
    _, source = _place(self, dtype)
    _, destination = _place(to, dtype)
    if source is None or destination is None:
        return to.pack(self.unpack(buffer), padding=padding, copy=True)
    plan = _plan(source, destination)
    fill = _fill(padding, dtype)
    memory = np.empty(plan.destination_bytes, np.uint8)
    plan.run(_memory_bytes(self, buffer, plan.source_bytes), memory, _bytes(fill))
    return memory.view(_memory_dtype(to, dtype, memory.size))
