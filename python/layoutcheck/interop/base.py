# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by the modules of layoutcheck.interop."""

import math
from typing import Any, Sequence

import numpy as np

from .._core import Layout
from ..errors import LayoutError


def unsupported(message: str) -> LayoutError:
    """Returns the error for a layout that the other side cannot express."""
    return LayoutError(message, None, "unsupported")


def tile_assignment(devices: np.ndarray, axes: Sequence[Sequence[int]]) -> str:
    """Returns the sharding of HLO over a mesh of these numbers of devices, whose axes[d] cut dimension d, major to minor.

    HLO lists the devices, so that they may be any.
    """
    cutting = [axis for of_dimension in axes for axis in of_dimension]
    others = [axis for axis in range(devices.ndim) if axis not in cutting]
    parts = [math.prod(devices.shape[axis] for axis in of_dimension) for of_dimension in axes]
    replicas = math.prod(devices.shape[axis] for axis in others)
    numbers = ",".join(map(str, devices.transpose(cutting + others).reshape(-1).tolist()))
    if replicas == 1 and parts:
        return f"sharding={{devices=[{','.join(map(str, parts))}]{numbers}}}"
    tiles = ",".join(map(str, [*parts, replicas]))
    return f"sharding={{devices=[{tiles}]{numbers} last_tile_dim_replicate}}"


def layout_of_object(source: Any, shape: Any, dtype: Any) -> Layout:
    """Returns the layout of a JAX array, sharding, layout or format, or of a DTensor or its spec: what Layout() takes."""
    from .dtensor import from_dtensor
    from .jax import from_jax

    if hasattr(source, "placements"):
        return from_dtensor(source, shape, dtype)
    if hasattr(source, "sharding") or hasattr(source, "major_to_minor") or hasattr(source, "devices_indices_map"):
        return from_jax(source, shape, dtype)
    raise TypeError(
        f"expected the text of a layout, an array or a sharding of JAX, or a DTensor, got {type(source).__name__}"
    )
