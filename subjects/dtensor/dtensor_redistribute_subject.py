#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DTensor's redistribution as a subject, with all ranks in one process: LocalTensorMode runs the collectives."""

import functools
import logging
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from sharding_texts import read_sharded  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

try:
    import torch
    import torch.distributed
    from torch.distributed._local_tensor import LocalTensorMode
    from torch.distributed.tensor import Replicate, distribute_tensor
    from torch.testing._internal.distributed.fake_pg import FakeStore

    from dtensor_subject import placements_of
except ImportError as error:
    sys.exit(f"dtensor_redistribute_subject.py: PyTorch is not installed ({error}); subjects/dtensor/README.md says how")

# It warns of several collectives where one would do.
logging.disable(logging.WARNING)


def start_group(ranks):
    if torch.distributed.is_initialized():
        if torch.distributed.get_world_size() == ranks:
            return
        torch.distributed.destroy_process_group()
    torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=ranks)


def cut(array, mesh, placements):
    """Returns the arrays of all devices, in the order of their numbers."""
    if not mesh:
        return [array]
    if isinstance(placements[0], Replicate):
        pieces = [array] * mesh[0]
    else:
        pieces, _ = placements[0]._split_tensor(array, mesh[0], with_padding=False, contiguous=True)
    return [device for piece in pieces for device in cut(piece, mesh[1:], placements[1:])]


@functools.lru_cache(maxsize=16)
def received(before_text, after_text):
    """Returns the numbers that each device receives. Raises ValueError where a device's array is not the one that
    distribute_tensor puts there."""
    sizes, before = read_sharded(before_text)
    _, after = read_sharded(after_text)
    sources, targets = placements_of(before), placements_of(after)
    if before.mesh != after.mesh:
        raise Unsupported("two meshes")
    ranks = math.prod(before.mesh)
    # Elements begin at 1, so that none is what memory is filled with.
    array = torch.arange(1, 1 + math.prod(sizes)).reshape(sizes)
    start_group(ranks)
    with LocalTensorMode(ranks):
        mesh = torch.distributed.init_device_mesh("cpu", tuple(before.mesh))
        try:
            moved = distribute_tensor(array, mesh, sources, src_data_rank=None).redistribute(mesh, targets)
        except (AssertionError, RuntimeError) as error:
            # Some of these redistributions work in processes of their own.
            raise Unsupported(f"an exception in LocalTensorMode: {error}") from error
        local = moved.to_local()
        # An array that all ranks have from the beginning is a plain tensor.
        by_rank = getattr(local, "_local_tensors", dict.fromkeys(range(ranks), local))
        arrays = [by_rank[rank] for rank in range(ranks)]
    numbers = []
    for rank, (had, found, wanted) in enumerate(zip(
            cut(array, before.mesh, sources), arrays, cut(array, after.mesh, targets))):
        if found.shape != wanted.shape or not torch.equal(found, wanted):
            raise ValueError(f"device {rank} holds {(found - 1).tolist()}, not {(wanted - 1).tolist()}")
        numbers.append(sorted(set((wanted - 1).flatten().tolist()) - set((had - 1).flatten().tolist())))
    return numbers


def reshard(request):
    numbers = received(request["from"], request["to"])
    return {"elements": numbers[request["device"]] if 0 <= request["device"] < len(numbers) else []}


if __name__ == "__main__":
    serve({"name": "dtensor-redistribute", "version": "torch " + torch.__version__, "notations": ["hlo"]},
          {"reshard": reshard})
