# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constructors of layouts, and the methods of Layout that NumPy is not needed for."""

import operator
from typing import Any, Callable, Iterable, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from . import _core
from ._arguments import count, integers, sequence
from ._core import Layout
from .dtypes import element_type_name, element_type_of_text
from .errors import LayoutError

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Sizes(NamedTuple):
    """The memory that a layout takes."""

    elements: int  # elements of the array
    padded_elements: int  # elements allocated, padding included
    bytes: Optional[int]  # bytes allocated; None if the notation has no element type
    first_offset: int  # offset of the first allocated element, below 0 only for negative strides

    @property
    def end_offset(self) -> int:
        """1 + the offset of the last allocated element."""
        return self.first_offset + self.padded_elements


class Comparison(NamedTuple):
    """The relation of two layouts that are meant to be of the same bytes."""

    relation: str  # "identical", "bitcast", "permuted", "different size" or "different memory"
    reason: Optional[str]  # the sizes or memories that differ
    moved: Optional[Tuple[Tuple[int, ...], Tuple[int, ...]]]  # index in each layout of an element that has different offsets
    slice_of: Optional[str]  # "a" if the second layout is a slice of the first, "b" if the first one is of the second
    slice_start: Optional[Tuple[int, ...]]  # index in the whole of the slice's first element
    as_bitcast: Optional[str]  # transposes and reshapes that reading the bytes of one as the other means


def layout_method(function: _Function) -> _Function:
    """Adds the function to the class Layout."""
    setattr(Layout, function.__name__, function)
    return function


def as_layout(layout: Union[Layout, str]) -> Layout:
    """Returns the layout, read from text if it is text. Errors: LayoutError, TypeError."""
    if not isinstance(layout, (Layout, str)):
        raise TypeError(f"expected a layout or its text, got {layout!r}")
    return layout if isinstance(layout, Layout) else Layout(layout)


def read(text: str) -> Layout:
    """Reads a text that the user has not written, so that errors name the text and no column."""
    try:
        return Layout(text)
    except LayoutError as error:
        raise LayoutError(f"{text}: {error.message}", None, error.kind) from None


def _tile_text(tile: Iterable[Any]) -> str:
    expected = "tiles such as [(8, 128), (2, 1)]"
    sizes = sequence("tiles", tile, expected)
    try:
        texts = ["*" if isinstance(size, str) and size == "*" else str(operator.index(size)) for size in sizes]
    except TypeError:
        raise TypeError(f"tiles: expected {expected}, got the tile {tile!r}") from None
    return f"({','.join(texts)})"


def tiled(
    shape: Sequence[int],
    dtype: Any = "f32",
    minor_to_major: Optional[Sequence[int]] = None,
    tiles: Iterable[Sequence[Any]] = (),
    *,
    element_size_in_bits: int = 0,
    tail_padding: int = 1,
    memory_space: int = 0,
) -> Layout:
    """Returns the XLA layout of an array.

    Args:
        shape: sizes of the dimensions, in elements.
        dtype: a name of XLA ("bf16"), a NumPy type, or a type of ml_dtypes or JAX.
        minor_to_major: the dimensions from the one that varies fastest; row major if None.
        tiles: tiles in elements, each applied to the one before: [(8, 128), (2, 1)]. "*" merges a dimension into the next.
        element_size_in_bits: 4 packs two elements into a byte; 0 stores elements in whole bytes.
        tail_padding: the number of allocated elements is a multiple of it.
        memory_space: the number of the memory; it places no element.

    Raises:
        LayoutError: the layout breaks a rule of XLA.
        TypeError: a size is no integer.
    """
    sizes = integers("shape", shape, "integers such as (20, 300)")
    order = list(range(len(sizes) - 1, -1, -1))
    if minor_to_major is not None:
        order = integers("minor_to_major", minor_to_major, "dimensions such as (1, 0)")
    attributes = "".join(_tile_text(tile) for tile in sequence("tiles", tiles, "tiles such as [(8, 128), (2, 1)]"))
    attributes = f"T{attributes}" if attributes else ""
    for name, argument, value, default in (
        ("L", "tail_padding", tail_padding, 1),
        ("E", "element_size_in_bits", element_size_in_bits, 0),
        ("S", "memory_space", memory_space, 0),
    ):
        if (number := count(argument, value, least=-(2**63))) != default:
            attributes += f"{name}({number})"
    inner = ",".join(map(str, order)) + (":" + attributes if attributes else "")
    braces = f"{{{inner}}}" if inner else ""
    return read(f"{element_type_name(dtype)}[{','.join(map(str, sizes))}]{braces}")


def _tuple_text(numbers: Any, depth: int = 64) -> str:
    if not isinstance(numbers, (tuple, list)):
        return str(operator.index(numbers))
    if depth == 0:
        raise LayoutError("expected a tuple that is nested less deeply")
    return "(" + ",".join(_tuple_text(entry, depth - 1) for entry in numbers) + ")"


def _compact(shape: Any, stride: int) -> Any:
    """Returns strides over which the first integer of the shape varies fastest, and their product with the shape."""
    if not isinstance(shape, (tuple, list)):
        return stride, stride * operator.index(shape)
    strides = []
    for mode in shape:
        mode_strides, stride = _compact(mode, stride)
        strides.append(mode_strides)
    return tuple(strides), stride


def strided(shape: Any, stride: Any = None, *, offset: int = 0, swizzle: Optional[Sequence[int]] = None) -> Layout:
    """Returns a shape:stride layout as CuTe has them.

    Args:
        shape: an integer or a nested tuple of integers, in elements.
        stride: of the same structure, in elements. If None, the first integer of the shape varies fastest without gaps.
        offset: added to each offset, before the swizzle.
        swizzle: the three integers of CuTe's Swizzle<bits, base, shift>.

    Raises:
        LayoutError: the structures differ, or a size or an offset does not fit int64.
        TypeError: an entry is no integer.
    """
    shape_text = _tuple_text(shape)
    text = f"{shape_text}:{_tuple_text(_compact(shape, 1)[0] if stride is None else stride)}"
    if swizzle is not None:
        expected = "three integers such as (2, 0, 3)"
        parameters = integers("swizzle", swizzle, expected)
        if len(parameters) != 3:
            raise TypeError(f"swizzle: expected {expected}, got {swizzle!r}")
        bits, base, shift = parameters
        text = f"Sw<{bits},{base},{shift}> o {operator.index(offset)} o {text}"
    elif operator.index(offset) != 0:
        text = f"{operator.index(offset)} o {text}"
    return read(text)


def _sizes(self: Layout) -> Sizes:
    """Sizes of the memory: elements, padded_elements, bytes, first_offset, end_offset."""
    return Sizes(*self._sizes)


def _rank(self: Layout) -> int:
    """Number of dimensions; of a shape:stride layout, of its top-level modes."""
    return len(self.shape)


def _element_type(self: Layout) -> Optional[str]:
    """The element type as XLA names it, such as "bf16", or None for shape:stride layouts."""
    return element_type_of_text(self.text)


setattr(Layout, "sizes", property(_sizes))
setattr(Layout, "rank", property(_rank))
setattr(Layout, "element_type", property(_element_type))


@layout_method
def convert(self: Layout, to: str, dtype: Any = "f32") -> Union[Layout, str]:
    """Returns the layout in another notation, compared with this one first.

    A shape:stride layout has the padding of tiles as coordinates beyond the array.

    Args:
        to: "hlo", "shape-stride" or "linear" for a Layout; "onednn", "affine", "pack" or "c" for a text. For an array with
            a sharding "hlo-sharding", "shardy", "jax", "dtensor" or "tt-metal", each for a Layout.
        dtype: the element type of the XLA layout if this layout has none.

    Raises:
        LayoutError: the notation cannot express the layout, or no result was found (`kind` is "unsupported" or "unavailable").
    """
    if not isinstance(to, str):
        raise TypeError(f"to: expected the name of a notation such as 'shape-stride', got {to!r}")
    if self.sharding is not None:
        return _core.sharded_convert(self, to)
    text = _core.convert(self, to, element_type_name(dtype))
    return Layout(text) if to in ("hlo", "shape-stride", "linear") else text


@layout_method
def compare(self: Layout, other: Union[Layout, str], transpose: Optional[Sequence[int]] = None) -> Comparison:
    """Compares two layouts that are meant to be of the same bytes.

    Args:
        other: a layout or its text.
        transpose: dimension i of `other` is dimension transpose[i] of this layout.

    Raises:
        LayoutError: `transpose` does not fit, or the comparison takes too long (`kind` is "unsupported").
    """
    permutation = None if transpose is None else integers("transpose", transpose, "dimensions such as (1, 0)")
    return Comparison(**_core.compare(self, as_layout(other), permutation))


@layout_method
def is_bitcast_of(self: Layout, other: Union[Layout, str]) -> bool:
    """Returns True if corresponding elements have the same offsets in allocations of the same size.

    Raises LayoutError if the comparison takes too long.
    """
    return self.compare(other).relation in ("identical", "bitcast")
