# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to JAX: `jax.experimental.layout.Layout` and `Format`, and from its shardings."""

import re
from typing import Any, Optional, Sequence

import numpy as np

from .. import _core
from .._core import Layout
from ..dtypes import element_type_name
from ..layouts import read, tiled
from .base import tile_assignment, unsupported

_COMBINE = -(2**63)  # the entry of a tile that HLO text writes `*`


def _hidden_element_bits(tiling: Optional[Sequence], element_type: str) -> int:
    """Returns E(n) that JAX gives a layout without one: the bits of an integer below 8, unless tiling is None."""
    match = re.fullmatch("[su]([0-9]+)", element_type)
    return int(match[1]) if tiling is not None and match and int(match[1]) < 8 else 0


def _device_numbers(mesh: Any) -> Optional[np.ndarray]:
    """Returns the numbers of the mesh's devices, or None for an AbstractMesh, which has none."""
    try:
        devices = mesh.devices
    except (AttributeError, ValueError):
        return None
    return np.array([device.id for device in devices.flat], np.int64).reshape(devices.shape)


def _axes_of(entry: Any) -> tuple:
    """Returns the names of the axes in an entry of a PartitionSpec."""
    if entry is None:
        return ()
    return entry if isinstance(entry, tuple) else (entry,)


def _entry_text(axes: tuple) -> str:
    """Returns an entry of P over axes with plain names."""
    quoted = ", ".join(f'"{name}"' for name in axes)
    return f"({quoted})" if len(axes) > 1 else quoted or "None"


def _sharding_text(sharding: Any, rank: int) -> Optional[str]:
    """Returns the text of a sharding, or None for one of a single device without a mesh.

    It is JAX's notation if the devices count 0, 1, ... along axes with plain names, and otherwise HLO's.
    """
    if not hasattr(sharding, "spec") or not hasattr(sharding, "mesh"):
        if len(sharding.device_set) == 1:
            return None
        raise unsupported(f"expected a NamedSharding, got {sharding}")
    mesh, spec = sharding.mesh, sharding.spec
    if getattr(spec, "unreduced", None):
        raise unsupported(f"{spec}: the devices hold summands of an element, not the element")
    if any(getattr(kind, "name", "") == "Manual" for kind in getattr(mesh, "axis_types", None) or ()):
        raise unsupported(f"{sharding}: nothing says which device along a manual axis holds an element")
    if any(entry is type(spec).UNCONSTRAINED for entry in spec):
        raise unsupported(f"{spec}: the compiler places the elements of an unconstrained dimension")
    if len(spec) > rank:
        raise unsupported(f"{spec} has {len(spec)} entries, and the array has {rank} dimensions")
    names = list(mesh.axis_names)
    entries = [_axes_of(entry) for entry in spec]
    numbers = _device_numbers(mesh)
    counts_up = numbers is None or np.array_equal(numbers.reshape(-1), np.arange(numbers.size))
    plain_names = all(isinstance(name, str) and name.isascii() and name.isidentifier() for name in names)
    if names and counts_up and plain_names:
        axes = ",".join(f"{name}={mesh.shape[name]}" for name in names)
        return f"mesh[{axes}] P({', '.join(map(_entry_text, entries))})"
    if numbers is None:
        raise unsupported(f"expected names of axes such as x or data_axis for a mesh without devices, got {names}")
    cuts = [[names.index(name) for name in entry] for entry in entries]
    return tile_assignment(numbers, cuts + [[]] * (rank - len(cuts)))


def from_jax(value: Any, shape: Optional[Sequence[int]] = None, dtype: Any = None) -> Layout:
    """Returns the layout of a JAX array, or of a JAX sharding, `Format` or `Layout` for an array of this shape and dtype.

    A NamedSharding becomes a part of the layout, which is then that of the array on each device; without a layout beside
    it, the array of a device is row major.

    Raises LayoutError for a layout that XLA rejects for the shape, for AUTO, which names no layout yet, and for shardings
    other than a NamedSharding over several devices, or one with unreduced, unconstrained or manual axes. A
    `sub_byte_element_size_in_bits` counts as JAX counts it: not if `tiling` is None.
    """
    if shape is None and hasattr(value, "shape"):
        shape = value.shape
    if dtype is None and hasattr(value, "dtype"):
        dtype = value.dtype
    sharding = value if hasattr(value, "devices_indices_map") else getattr(value, "sharding", None)
    if hasattr(value, "format"):
        value = value.format
    if hasattr(value, "sharding"):
        value = value.layout
    is_row_major = sharding is not None and (value is sharding or value is None)
    if not is_row_major and not hasattr(value, "major_to_minor"):
        raise unsupported(f"expected a JAX layout with major_to_minor, got {value!r}")
    if shape is None or dtype is None:
        raise TypeError("expected shape and dtype of the array beside a JAX layout")
    element_type = element_type_name(dtype)
    if is_row_major:
        layout = tiled(shape, element_type)
    else:
        bits = value.sub_byte_element_size_in_bits if value.tiling is not None else 0
        layout = tiled(
            shape,
            element_type,
            value.major_to_minor[::-1],
            [["*" if size == _COMBINE else size for size in tile] for tile in value.tiling or ()],
            element_size_in_bits=bits or _hidden_element_bits(value.tiling, element_type),
        )
    text = None if sharding is None else _sharding_text(sharding, layout.rank)
    return layout if text is None else read(f"{layout} {text}")


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
