# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of sharded arrays in the requests `shard` and `reshard`, for subjects written in Python, and their answers."""

import ast
import functools
import itertools
import math
import re

from subject_protocol import Unsupported, integers

_ARRAY = re.compile(r"[a-z][a-z0-9]*\[([0-9,]*)\](?:\{[^}]*\})? (?:sharding=(\{.*\})|mesh\[([^\]]*)\] (.*))$")
_PLACEMENT = re.compile(r"(?:(R)|S\((\d+)\)|_StridedShard\((\d+),sf=(\d+)\))(?:,|$)")
_DEVICES = re.compile(r"\{devices=\[([0-9,]+)\]([^ }]*)( last_tile_dim_replicate)?\}$")


class Sharding:
    """A sharding without its array. One of these is not None: `hlo`, the text in braces; `spec`, the entries of JAX's P, with the
    names and sizes of the axes in `mesh`; `placements`, tuples (dimension, split factor or None) of DTensor, None for a replicated
    axis, with the sizes of the axes in `mesh`."""

    def __init__(self, hlo, mesh, rest):
        self.hlo = hlo
        self.mesh = self.spec = self.placements = None
        if hlo is not None:
            return
        if rest.startswith("P("):
            self.mesh = {name: int(size) for name, size in (axis.split("=") for axis in mesh.split(","))}
            self.spec = ast.literal_eval(f"({rest[2:-1]},)") if rest != "P()" else ()
            return
        self.mesh = integers(",".join(axis.split("=")[-1] for axis in mesh.split(",")))
        self.placements = []
        for placement in _PLACEMENT.finditer(rest):
            dimension = placement[2] or placement[3]
            self.placements.append(None if placement[1] else (int(dimension), placement[4] and int(placement[4])))

    def tiles(self):
        """Returns (numbers of parts per dimension, devices in their order or None for an iota, number of devices) of `hlo`. Raises
        Unsupported for other shardings than tilings."""
        match = _DEVICES.match(self.hlo)
        if match is None:
            raise Unsupported("only tilings of HLO")
        tiles = integers(match[1])
        devices = None if match[2].startswith("<=") else integers(match[2])
        return tiles[:-1] if match[3] else tiles, devices, math.prod(tiles)


# One object per sharding, so that what a subject computes for a sharding may be cached by it.
_sharding = functools.lru_cache(maxsize=64)(Sharding)


def read_sharded(text):
    """Returns (sizes of the array, Sharding). Raises Unsupported for other notations than those of Sharding."""
    match = _ARRAY.match(text)
    if match is None:
        raise Unsupported("only arrays with a sharding of HLO, JAX or DTensor")
    return integers(match[1]), _sharding(match[2], match[3], match[4])


def part(shape, ranges):
    """Returns the answer for a device that holds the elements with these indices, one range (begin, end) per dimension."""
    return {"shape": list(shape), "elements": [list(indices) for indices in ranges]}


def no_part():
    """Returns the answer for a device to which the sharding gives nothing."""
    return {"shape": None}


def numbers(sizes, indices):
    """Returns the numbers of the elements whose index in each dimension is in the list of that dimension."""
    strides = [math.prod(sizes[d + 1:]) for d in range(len(sizes))]
    return [sum(map(int.__mul__, index, strides)) for index in itertools.product(*indices)]
