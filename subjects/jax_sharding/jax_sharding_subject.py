#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's shardings as a subject: the indices that NamedSharding, and GSPMDSharding for HLO's, give to each of 8 devices of the host."""

import functools
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from sharding_texts import no_part, part, read_sharded  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

try:
    import jax
    import numpy
    from jax._src.lib import xla_client
    from jax._src.sharding import IndivisibleError
    from jax._src.sharding_impls import GSPMDSharding
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
except ImportError as error:
    sys.exit(f"jax_sharding_subject.py: JAX is not installed ({error}); `./run subjects` sets it up")


def devices(count):
    if count > len(jax.devices()):
        raise Unsupported("more than 8 devices")
    return jax.devices()[:count]


def of_hlo(sharding):
    """Returns JAX's sharding for one of HLO, over the devices 0, 1, ..., of which JAX requires as many as there are parts."""
    if sharding.hlo.startswith("{maximal"):
        return GSPMDSharding(devices(8), xla_client.HloSharding.from_string(sharding.hlo))
    _, listed, count = sharding.tiles()
    if listed is not None and sorted(listed) != list(range(count)):
        raise Unsupported("a list of devices that is no permutation of 0, 1, ...")
    return GSPMDSharding(devices(count), xla_client.HloSharding.from_string(sharding.hlo))


@functools.lru_cache(maxsize=64)
def jax_sharding(sharding):
    if sharding.placements is not None:
        raise Unsupported("a sharding of DTensor")
    if sharding.hlo is not None:
        return of_hlo(sharding)
    mesh = numpy.array(devices(math.prod(sharding.mesh.values()))).reshape(list(sharding.mesh.values()))
    return NamedSharding(Mesh(mesh, tuple(sharding.mesh)), PartitionSpec(*sharding.spec))


@functools.lru_cache(maxsize=16)
def parts(text):
    """Returns the shape of a device's array, and the ranges of indices by device."""
    sizes, sharding = read_sharded(text)
    sizes = tuple(sizes)
    sharding = jax_sharding(sharding)
    try:
        shape = sharding.shard_shape(sizes)
        indices = sharding.devices_indices_map(sizes)
    except IndivisibleError:
        return None
    return shape, {device.id: [one.indices(size)[:2] for one, size in zip(slices, sizes)]
                   for device, slices in indices.items()}


def shard(request):
    found = parts(request["layout"])
    if found is None:
        raise Unsupported("JAX refuses sizes that the parts do not divide")
    shape, ranges = found
    device = request["device"]
    return part(shape, ranges[device]) if device in ranges else no_part()


if __name__ == "__main__":
    serve({"name": "jax-sharding", "version": "jax " + jax.__version__, "notations": ["hlo"]}, {"shard": shard})
