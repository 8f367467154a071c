#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""XLA's HloSharding as a subject, through jaxlib: the devices of its tile assignment and the shape of a tile, also of uneven sizes.
JAX's shardings are asked for theirs in HLO."""

import functools
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from sharding_texts import no_part, part, read_sharded  # noqa: E402
from subject_protocol import Unsupported, digits_of, serve  # noqa: E402

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

try:
    import jax
    import jaxlib
    import numpy
    from jax._src.lib import xla_client
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
except ImportError as error:
    sys.exit(f"xla_sharding_subject.py: JAX is not installed ({error}); `./run subjects` sets it up")


@functools.lru_cache(maxsize=64)
def hlo_sharding(sharding, rank):
    """Returns XLA's sharding, and the number of devices, of which a replicated one does not speak."""
    if sharding.placements is not None:
        raise Unsupported("a sharding of DTensor")
    if sharding.hlo is not None:
        count = 1 if sharding.hlo.startswith("{maximal") else sharding.tiles()[2]
        return xla_client.HloSharding.from_string(sharding.hlo), count
    count = math.prod(sharding.mesh.values())
    if count > len(jax.devices()):
        raise Unsupported("more than 8 devices")
    mesh = numpy.array(jax.devices()[:count]).reshape(list(sharding.mesh.values()))
    named = NamedSharding(Mesh(mesh, tuple(sharding.mesh)), PartitionSpec(*sharding.spec))
    return named._to_xla_hlo_sharding(rank), count


@functools.lru_cache(maxsize=16)
def parts(text):
    """Returns the shape of a tile, and the ranges of indices by device."""
    sizes, sharding = read_sharded(text)
    sharding, count = hlo_sharding(sharding, len(sizes))
    if sharding.is_replicated():
        return sizes, {device: [(0, size) for size in sizes] for device in range(count)}
    if sharding.is_maximal():
        return sizes, {sharding.tile_assignment_devices()[0]: [(0, size) for size in sizes]}
    shape = sharding.tile(xla_client.Shape.array_shape(numpy.dtype("float32"), sizes)).dimensions()
    grid = sharding.tile_assignment_dimensions()
    ranges = {}
    for position, device in enumerate(sharding.tile_assignment_devices()):
        tile = digits_of(position, grid)
        ranges[device] = [(min(t * length, size), min((t + 1) * length, size))
                          for t, length, size in zip(tile, shape, sizes)]
    return shape, ranges


def shard(request):
    shape, ranges = parts(request["layout"])
    device = request["device"]
    return part(shape, ranges[device]) if device in ranges else no_part()


if __name__ == "__main__":
    serve({"name": "xla-sharding", "version": "jaxlib " + jaxlib.__version__, "notations": ["hlo"]}, {"shard": shard})
