#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DTensor's placements as a subject, without a process group: an array of element numbers is cut as distribute_tensor cuts it, or, with
the argument `offsets`, the shape and the offset of each device are those of compute_local_shape_and_global_offset. Sharding propagation
says which placements a view has."""

import functools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from sharding_texts import no_part, part, read_sharded  # noqa: E402
from subject_protocol import Unsupported, digits_of, encoded, integers, serve  # noqa: E402

try:
    import numpy
    import torch
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor._ops._view_ops import propagate_shape_and_sharding, view_groups
    from torch.distributed.tensor._utils import _compute_local_shape_and_global_offset
    from torch.distributed.tensor.placement_types import _StridedShard
except ImportError as error:
    sys.exit(f"dtensor_subject.py: PyTorch with DTensor is not installed ({error}); subjects/dtensor/README.md says how")


@functools.lru_cache(maxsize=64)
def placements_of(sharding):
    if sharding.placements is None:
        raise Unsupported("only placements of DTensor")
    return [Replicate() if placement is None else
            Shard(placement[0]) if placement[1] is None else _StridedShard(placement[0], split_factor=placement[1])
            for placement in sharding.placements]


# An array of each size is cut only once along an axis of the mesh: a cut of its numbers is one of any other numbers.
@functools.lru_cache(maxsize=1 << 15)
def cut_numbers(sizes, parts, placement):
    """Returns the sizes and the element numbers of each part of an array of these sizes."""
    array = torch.arange(math.prod(sizes), dtype=torch.int32).reshape(sizes)
    pieces, _ = placement._split_tensor(array, parts, with_padding=False, contiguous=True)
    return [(tuple(piece.shape), piece.flatten().numpy()) for piece in pieces]


def cut_arrays(sizes, numbers, mesh, placements):
    """Returns the sizes and the element numbers of the arrays of all devices, in the order of their numbers, of an array with these
    element numbers."""
    if not mesh:
        return [(sizes, numbers)]
    if isinstance(placements[0], Replicate):
        return cut_arrays(sizes, numbers, mesh[1:], placements[1:]) * mesh[0]
    return [device for piece, held in cut_numbers(sizes, mesh[0], placements[0])
            for device in cut_arrays(piece, numbers[held], mesh[1:], placements[1:])]


@functools.lru_cache(maxsize=16)
def parts_by_cutting(text):
    sizes, sharding = read_sharded(text)
    parts = cut_arrays(tuple(sizes), numpy.arange(math.prod(sizes)), sharding.mesh, placements_of(sharding))
    return [encoded({"shape": shape, "elements": numbers.tolist()}) for shape, numbers in parts]


def shard_by_cutting(request):
    parts = parts_by_cutting(request["layout"])
    return parts[request["device"]] if 0 <= request["device"] < len(parts) else no_part()


@functools.lru_cache(maxsize=16)
def offsets(text):
    sizes, sharding = read_sharded(text)
    placements = placements_of(sharding)
    is_strided = any(isinstance(placement, _StridedShard) for placement in placements)
    devices = []
    for device in range(math.prod(sharding.mesh)):
        coordinate = digits_of(device, sharding.mesh)
        shape, offset = _compute_local_shape_and_global_offset(sizes, sharding.mesh, coordinate, placements)
        ranges = [(first, first + size) for first, size in zip(offset, shape)]
        devices.append(encoded({"shape": list(shape)} if is_strided else part(shape, ranges)))
    return devices


def shard_by_offsets(request):
    devices = offsets(request["layout"])
    return devices[request["device"]] if 0 <= request["device"] < len(devices) else no_part()


def shard_view(request):
    """Returns the array with the placements that `view` gives its result, as texts."""
    if request["function"] != "shard_view":
        raise Unsupported("only the function shard_view")
    text, new_sizes = request["arguments"]
    sizes, sharding = read_sharded(text)
    placements = placements_of(sharding)
    if 0 in sizes:
        raise Unsupported("an array without elements, of which view_groups may not return")
    rule = view_groups(sizes, integers(new_sizes[1:-1]))
    try:
        inputs, outputs = propagate_shape_and_sharding(placements, tuple(sizes), rule, tuple(sharding.mesh), strict_view=True)
    except (RuntimeError, AssertionError) as error:
        return {"rejected": f"{type(error).__name__}: {error}"}
    if list(inputs) != placements:
        return {"rejected": "the view redistributes its input"}
    texts = ["R" if isinstance(placement, Replicate) else
             f"_StridedShard({placement.dim},sf={placement.split_factor})" if isinstance(placement, _StridedShard) else
             f"S({placement.dim})" for placement in outputs]
    return {"layout": f"f32{new_sizes} mesh[{','.join(map(str, sharding.mesh))}] {','.join(texts)}"}


if __name__ == "__main__":
    by_offsets = sys.argv[1:] == ["offsets"]
    serve({"name": "dtensor-offsets" if by_offsets else "dtensor", "version": "torch " + torch.__version__,
           "notations": ["hlo"]},
          {"shard": shard_by_offsets} if by_offsets else {"shard": shard_by_cutting, "apply": shard_view})
