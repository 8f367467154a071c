# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from PyTorch's DTensor: a mesh of devices and one placement per axis of it."""

import math
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from .._arguments import integers
from .._core import Layout
from ..dtypes import element_type_name
from ..layouts import read, tiled
from .base import tile_assignment, unsupported

# A dimension and a split factor, which is None for a plain shard, or None for replicas.
_Placement = Optional[Tuple[int, Optional[int]]]


def _placement_of(placement: Any) -> _Placement:
    if hasattr(placement, "dim"):
        return placement.dim, getattr(placement, "split_factor", None)
    if hasattr(placement, "is_replicate") and placement.is_replicate():
        return None
    if hasattr(placement, "is_partial") and placement.is_partial():
        raise unsupported(f"{placement!r}: the devices hold summands of an element, not the element")
    raise unsupported(f"expected a placement Shard, _StridedShard or Replicate, got {placement!r}")


def _placement_text(placement: _Placement) -> str:
    if placement is None:
        return "R"
    dimension, factor = placement
    return f"S({dimension})" if factor is None else f"_StridedShard({dimension},sf={factor})"


def _axes_of(mesh: Any) -> str:
    """Returns the axes of a DeviceMesh, or of a sequence of their sizes, as text: with their names if all have plain ones."""
    if not hasattr(mesh, "mesh"):
        return ",".join(map(str, integers("mesh", mesh, "a DeviceMesh, or sizes of axes such as (2, 4)")))
    names = mesh.mesh_dim_names or ()
    is_named = bool(names) and all(name.isascii() and name.isidentifier() for name in names)
    sizes = mesh.mesh.shape
    return ",".join(f"{name}={size}" for name, size in zip(names, sizes)) if is_named else ",".join(map(str, sizes))


def _is_default_order(spec: Any) -> bool:
    """Returns True unless axes of the mesh cut a dimension in another order than they have in the mesh."""
    order = getattr(spec, "shard_order", None) or ()
    return all(list(entry.mesh_dims) == sorted(entry.mesh_dims) for entry in order)


def _ranks_as_hlo(ranks: np.ndarray, placements: List[_Placement], shape: Sequence[int]) -> str:
    """Returns the sharding of HLO over other ranks than 0, 1, ... Raises LayoutError where HLO has no such sharding."""
    cuts: List[List[int]] = [[] for _ in shape]
    for axis, placement in enumerate(placements):
        if placement is not None and placement[1] is None:
            cuts[placement[0]].append(axis)
    is_even = all(size % math.prod(ranks.shape[axis] for axis in axes) == 0 for size, axes in zip(shape, cuts))
    if not is_even or any(placement is not None and placement[1] is not None for placement in placements):
        raise unsupported(
            f"the ranks of the mesh are {ranks.tolist()}: expected 0, 1, ... in order for uneven and strided shards"
        )
    return tile_assignment(ranks, cuts)


def from_dtensor(value: Any, shape: Optional[Sequence[int]] = None, dtype: Any = None) -> Layout:
    """Returns the layout of a DTensor or of its `DTensorSpec`, with its sharding; reads no element.

    A spec without `tensor_meta` needs shape and dtype. The array of a device has the order of dimensions of the DTensor's
    strides, or is row major if the shape is given. Raises LayoutError for a mesh whose axes cut in another order than
    their own, and for what `from_dtensor_placements` refuses.
    """
    spec = getattr(value, "_spec", value)
    if not _is_default_order(spec):
        raise unsupported(f"expected the axes of the mesh to cut in their order, got shard_order {spec.shard_order}")
    mesh = value.device_mesh if hasattr(value, "device_mesh") else value.mesh
    if shape is not None and dtype is not None:
        return from_dtensor_placements(mesh, value.placements, shape, dtype)
    meta = getattr(spec, "tensor_meta", None)
    if meta is None or shape is not None or dtype is not None:
        raise TypeError("expected shape and dtype of the array beside a spec without tensor_meta, and neither beside a DTensor")
    return from_dtensor_placements(mesh, value.placements, meta.shape, meta.dtype, meta.stride)


def from_dtensor_placements(
    mesh: Any, placements: Sequence[Any], shape: Sequence[int], dtype: Any, stride: Optional[Sequence[int]] = None
) -> Layout:
    """Returns the layout of an array that DTensor distributes over a mesh.

    Args:
        mesh: a DeviceMesh, or the sizes of its axes, over which the devices count 0, 1, ...
        placements: Shard, _StridedShard or Replicate per axis of the mesh.
        shape: sizes of the whole array, in elements.
        dtype: a type of PyTorch, or what `layoutcheck.tiled` takes.
        stride: strides of the whole array, in elements, whose order of dimensions the arrays of devices have; row major if
            None.

    Raises:
        LayoutError: another number of placements than axes, a dimension that is not there, partial placements, strides
            that are no order of the dimensions, or uneven or strided shards over other ranks than 0, 1, ...
    """
    sizes = integers("shape", shape, "integers such as (20, 300)")
    element_type = element_type_name(str(dtype).removeprefix("torch.") if str(dtype).startswith("torch.") else dtype)
    array = tiled(sizes, element_type, None if stride is None else _minor_to_major(sizes, tuple(stride)))
    read_placements = [_placement_of(placement) for placement in placements]
    layout = read(f"{array} mesh[{_axes_of(mesh)}] {','.join(map(_placement_text, read_placements))}")
    if not hasattr(mesh, "mesh"):
        return layout
    ranks = np.asarray(mesh.mesh.tolist(), np.int64)
    if np.array_equal(ranks.reshape(-1), np.arange(ranks.size)):
        return layout
    return read(f"{array} {_ranks_as_hlo(ranks, read_placements, sizes)}")


def _minor_to_major(sizes: Sequence[int], strides: Sequence[int]) -> List[int]:
    """Returns the order of the dimensions over which these are the strides of an array without gaps."""
    order = sorted(range(len(sizes)), key=lambda d: (strides[d], sizes[d], -d))
    expected = 1
    for dimension in order:
        if sizes[dimension] != 1 and strides[dimension] != expected and math.prod(sizes) > 0:
            raise unsupported(f"expected the strides of an array without gaps, got {tuple(strides)} for {tuple(sizes)}")
        expected *= max(1, sizes[dimension])
    return order
