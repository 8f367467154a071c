#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tilings of JAX's Mosaic GPU as a subject: the Python class that lays tiled arrays out in memory and registers."""

import itertools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from subject_protocol import Unsupported, digits_of, place, serve, tiled  # noqa: E402

try:
    import jax
    from jax.experimental.mosaic.gpu.fragmented_array import Tiling
except ImportError as error:
    sys.exit(f"mosaic_subject.py: JAX is not installed ({error}); `./run subjects` sets it up")

MAX_ELEMENTS = 1 << 16


class Layout:
    """A layout in Mosaic's terms: the sizes in memory order, major first, and a Tiling of them."""

    def __init__(self, text):
        _, self.dimensions, minor_to_major, tiles = tiled(text)
        self.order = minor_to_major[::-1]
        self.untiled = tuple(self.dimensions[dimension] for dimension in self.order)
        try:
            self.tiling = Tiling(tuple(map(tuple, tiles)))
            self.shape = self.tiling.tile_shape(self.untiled)
        except ValueError as error:  # tiles that do not divide the sizes, or that grow
            raise Unsupported(str(error)) from error

    def elements(self):
        return math.prod(self.dimensions)

    def major_first(self, coordinate):
        return tuple(coordinate[dimension] for dimension in self.order)

    def logical(self, indices):
        coordinate = [0] * len(indices)
        for index, dimension in zip(indices, self.order):
            coordinate[dimension] = index
        return coordinate

    def require_small(self):
        if self.elements() > MAX_ELEMENTS:
            raise Unsupported("too large for a table")


def offset(request):
    layout = Layout(request["layout"])
    indices = layout.tiling.tile_indices(layout.major_first(request["coordinate"]))
    return {"offset": place(indices, layout.shape)}


def coordinate(request):
    layout = Layout(request["layout"])
    if not 0 <= request["offset"] < layout.elements():
        raise ValueError("an offset outside of the array")
    indices = tuple(digits_of(request["offset"], layout.shape))
    return {"coordinate": layout.logical(layout.tiling.untile_indices(indices))}


def table(request):
    """Answers by strides: the strides of the tiled array over the untiled one tell which element lies at each place."""
    layout = Layout(request["layout"])
    layout.require_small()
    strides = [math.prod(layout.untiled[axis + 1:]) for axis in range(len(layout.untiled))]
    strides = layout.tiling.tile_strides(tuple(strides))
    place_of = {}
    for position, indices in enumerate(itertools.product(*map(range, layout.shape))):
        place_of[sum(index * stride for index, stride in zip(indices, strides))] = position
    return {"offsets": [place_of.get(place(layout.major_first(c), layout.untiled), -1)
                        for c in itertools.product(*map(range, layout.dimensions))]}


def size(request):
    layout = Layout(request["layout"])
    if layout.tiling.untile_shape(layout.shape) != layout.untiled:
        raise ValueError(f"{layout.tiling} takes {layout.untiled} to {layout.shape} and not back")
    return {"elements": layout.elements(), "padded_elements": math.prod(layout.shape)}


def relayout(request):
    """Moves with canonicalized tilings, which must describe the same order."""
    source, target = Layout(request["from"]), Layout(request["to"])
    if source.dimensions != target.dimensions:
        raise ValueError("layouts of different shapes")
    source.require_small()
    for layout in source, target:
        layout.tiling = layout.tiling.canonicalize()
        layout.shape = layout.tiling.tile_shape(layout.untiled)
    data = [-1] * math.prod(target.shape)
    for c in itertools.product(*map(range, source.dimensions)):
        here = place(source.tiling.tile_indices(source.major_first(c)), source.shape)
        there = place(target.tiling.tile_indices(target.major_first(c)), target.shape)
        data[there] = request["data"][here]
    return {"data": data}


if __name__ == "__main__":
    serve(
        {
            "name": "mosaic",
            "version": f"jax {jax.__version__}",
            "notations": ["hlo"],
            "limits": {"max_table_elements": MAX_ELEMENTS},
        },
        {"offset": offset, "table": table, "coordinate": coordinate, "size": size, "relayout": relayout},
    )
