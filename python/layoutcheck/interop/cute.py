# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to three Pythons of CuTe: pycute, tensor-layouts and the CuTe DSL of CUTLASS."""

from typing import Any

from .._core import Layout
from ..errors import LayoutError
from ..layouts import strided
from .base import unsupported


def _is_swizzle(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("bits", "base", "shift"))


def _of_composed(outer: Any, offset: int, inner: Any) -> Layout:
    """Returns the layout outer(offset + inner), where the outer map is a swizzle or the identity 1:1."""
    identity = getattr(outer, "shape", None) == 1 and getattr(outer, "stride", None) == 1
    if not (identity or _is_swizzle(outer)) or not hasattr(inner, "stride"):
        raise unsupported(f"expected a swizzle composed with a layout, got {outer} o {offset} o {inner}")
    swizzle = None if identity else (outer.bits, outer.base, outer.shift)
    return strided(inner.shape, inner.stride, offset=offset, swizzle=swizzle)


def from_pycute(layout: Any) -> Layout:
    """Returns the layout of a `pycute.Layout`, or of a `pycute.ComposedLayout` of a swizzle with a layout."""
    if not hasattr(layout, "layoutA"):
        return strided(layout.shape, layout.stride)
    return _of_composed(layout.layoutB, layout.offset, layout.layoutA)


def to_pycute(layout: Layout) -> Any:
    """Returns a `pycute.Layout`, or with a swizzle or an offset a `pycute.ComposedLayout`.

    The padding of a tiled layout becomes coordinates beyond the dimensions. Raises LayoutError if the layout has no
    shape:stride form.
    """
    import pycute

    shape, stride, offset, swizzle = layout.shape_stride()
    plain = pycute.Layout(shape, stride)
    if swizzle is not None and swizzle[0] > 0:
        return pycute.ComposedLayout(pycute.Swizzle(*swizzle), offset, plain)
    # The identity; pycute's own Swizzle of 0 bits does not end for a shift of 0.
    return pycute.ComposedLayout(pycute.Layout(1, 1), offset, plain) if offset else plain


def from_tensor_layouts(layout: Any) -> Layout:
    """Returns the layout of a `tensor_layouts.Layout`, or of a `ComposedLayout` of a swizzle with a layout."""
    if not hasattr(layout, "outer"):
        return strided(layout.shape, layout.stride)
    return _of_composed(layout.outer, layout.offset, layout.inner)


def to_tensor_layouts(layout: Layout) -> Any:
    """Returns a `tensor_layouts.Layout`, or with a swizzle or an offset a `tensor_layouts.ComposedLayout`.

    The padding of a tiled layout becomes coordinates beyond the dimensions. Raises LayoutError if the layout has no
    shape:stride form.
    """
    import tensor_layouts

    shape, stride, offset, swizzle = layout.shape_stride()
    plain = tensor_layouts.Layout(shape, stride)
    if swizzle is not None:
        return tensor_layouts.ComposedLayout(tensor_layouts.Swizzle(*swizzle), plain, offset=offset)
    if offset:
        return tensor_layouts.ComposedLayout(tensor_layouts.Layout(1, 1), plain, offset=offset)
    return plain


def from_cute(layout: Any) -> Layout:
    """Returns the layout of a layout of the CuTe DSL, also outside of the function that made it.

    Raises LayoutError for numbers that are known only at run time, which CuTe prints as `?`.
    """
    text = str(layout)
    if "?" in text:
        raise unsupported(f"expected numbers known at compile time, got {text}")
    try:
        return Layout(text)
    except LayoutError as error:
        expected = "expected a layout of offsets, perhaps with a swizzle and an offset"
        raise unsupported(f"{expected}, got {text}: {error.message}") from error


def to_cute(layout: Layout) -> Any:
    """Returns a layout of the CuTe DSL with static numbers. Call it where the DSL allows one: in a `cute.jit` function.

    The padding of a tiled layout becomes coordinates beyond the dimensions. Raises LayoutError if the layout has no
    shape:stride form, or an offset without a swizzle.
    """
    import cutlass.cute as cute

    shape, stride, offset, swizzle = layout.shape_stride()
    plain = cute.make_layout(shape, stride=stride)
    if swizzle is not None:
        return cute.make_composed_layout(cute.make_swizzle(*swizzle), offset, plain)
    if offset:
        raise unsupported(f"expected a layout without offset, got {layout}")
    return plain
