# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to JAX: `jax.experimental.layout.Layout` and `Format`."""

import re
from typing import Any, Optional, Sequence

from .. import _core
from .._core import Layout
from ..dtypes import element_type_name
from ..layouts import tiled
from .base import unsupported

_COMBINE = -(2**63)  # the entry of a tile that HLO text writes `*`


def _hidden_element_bits(tiling: Optional[Sequence], element_type: str) -> int:
    """Returns E(n) that JAX gives a layout without one: the bits of an integer below 8, unless tiling is None."""
    match = re.fullmatch("[su]([0-9]+)", element_type)
    return int(match[1]) if tiling is not None and match and int(match[1]) < 8 else 0


def from_jax(value: Any, shape: Optional[Sequence[int]] = None, dtype: Any = None) -> Layout:
    """Returns the layout of a JAX array, or of a JAX `Layout` or `Format` for an array of this shape and dtype.

    Raises LayoutError for a layout that XLA rejects for the shape, and for AUTO, which names no layout yet. A
    `sub_byte_element_size_in_bits` counts as JAX counts it: not if `tiling` is None.
    """
    if shape is None and hasattr(value, "shape"):
        shape = value.shape
    if dtype is None and hasattr(value, "dtype"):
        dtype = value.dtype
    if hasattr(value, "format"):
        value = value.format
    if hasattr(value, "sharding"):
        value = value.layout
    if not hasattr(value, "major_to_minor"):
        raise unsupported(f"expected a JAX layout with major_to_minor, got {value!r}")
    if shape is None or dtype is None:
        raise TypeError("expected shape and dtype of the array beside a JAX layout")
    element_type = element_type_name(dtype)
    bits = value.sub_byte_element_size_in_bits if value.tiling is not None else 0
    tiles = [["*" if size == _COMBINE else size for size in tile] for tile in value.tiling or ()]
    return tiled(
        shape,
        element_type,
        value.major_to_minor[::-1],
        tiles,
        element_size_in_bits=bits or _hidden_element_bits(value.tiling, element_type),
    )


def to_jax(layout: Layout) -> Any:
    """Returns the `jax.experimental.layout.Layout` of a layout in HLO notation, which XLA takes as the same text.

    Raises LayoutError for attributes that JAX's class does not have: memory space, tail padding, splits, a metadata
    prefix, dynamic dimensions, and unpacked integers of less than 8 bits.
    """
    from jax.experimental import layout as jax_layout

    parts = _core.hlo_parts(layout)
    if parts["other"]:
        raise unsupported(f"JAX's Layout cannot express {parts['other']} of {layout}")
    tiling = parts["tiles"]
    bits = parts["element_bits"]
    if bits == 0 and _hidden_element_bits(tiling, parts["element_type"]):
        if tiling:
            raise unsupported(f"JAX's Layout packs tiled elements of {parts['element_type']}, {layout} does not")
        tiling = None
    order = tuple(reversed(parts["minor_to_major"]))
    return jax_layout.Layout(order, tiling, bits)


def to_jax_format(layout: Layout, sharding: Any = None) -> Any:
    """Returns the `jax.experimental.layout.Format` of a layout, by default on JAX's first device."""
    import jax
    from jax.experimental import layout as jax_layout

    return jax_layout.Format(to_jax(layout), sharding or jax.sharding.SingleDeviceSharding(jax.devices()[0]))
