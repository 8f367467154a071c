#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TVM's data layouts (NCHW16c) as a subject: the bijection between two of them, its indices and its shapes."""

import functools
import itertools
import math
import pathlib
import string
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from subject_protocol import Unsupported, digits_of, place, serve, tiled  # noqa: E402

try:
    import tvm
    from tvm.s_tir.data_layout import sbijective_layout
except ImportError as error:
    sys.exit(f"tvm_subject.py: Apache TVM is not installed ({error}); `./run subjects` sets it up")

MAX_ELEMENTS = 1 << 16
# TVM's indices have 32 bits.
MAX_SIZE = (1 << 31) - 1


def integers_of(expressions):
    return [int(expression) for expression in expressions]


@functools.lru_cache(maxsize=1024)
def bijection(text, packed=False):
    """Returns (dimensions, bijection from ABCD to the layout's order, shape in that order). If `packed`, the axes within a tile
    are one axis, AB[2a3b] for AB2a3b, which is the same order."""
    _, dimensions, minor_to_major, tiles = tiled(text)
    if len(dimensions) > 26 or not dimensions:
        raise Unsupported("one to 26 axes")
    if len(tiles) > 1 or tiles and len(tiles[0]) > len(dimensions):
        raise Unsupported("an axis is split once at most")
    if any(size > MAX_SIZE for size in dimensions) or math.prod(dimensions) > MAX_SIZE:
        raise Unsupported("larger than the index type")
    order = [string.ascii_uppercase[dimension] for dimension in reversed(minor_to_major)]
    inner = [f"{size}{axis.lower()}" for axis, size in zip(order[-len(tiles[0]):], tiles[0])] if tiles else []
    name = "".join(order) + ("[" + "".join(inner) + "]" if packed and len(inner) > 1 else "".join(inner))
    mapping = sbijective_layout(string.ascii_uppercase[:len(dimensions)], name)
    return dimensions, mapping, integers_of(mapping.forward_shape(dimensions))


def offset(request):
    _, mapping, shape = bijection(request["layout"])
    return {"offset": place(integers_of(mapping.forward_index(request["coordinate"])), shape)}


def table(request):
    dimensions, mapping, shape = bijection(request["layout"])
    if math.prod(dimensions) > MAX_ELEMENTS:
        raise Unsupported("too large for a table")
    return {"offsets": [place(integers_of(mapping.forward_index(list(c))), shape)
                        for c in itertools.product(*map(range, dimensions))]}


def coordinate(request):
    dimensions, mapping, shape = bijection(request["layout"], packed=True)
    if not 0 <= request["offset"] < math.prod(shape):
        raise ValueError("an offset outside of the array")
    indices = integers_of(mapping.backward_index(digits_of(request["offset"], shape)))
    inside = all(index < size for index, size in zip(indices, dimensions))
    return {"coordinate": indices if inside else None}


def size(request):
    dimensions, _, shape = bijection(request["layout"])
    return {"elements": math.prod(dimensions), "padded_elements": math.prod(shape)}


if __name__ == "__main__":
    serve(
        {
            "name": "tvm",
            "version": f"apache-tvm {tvm.__version__}",
            "notations": ["hlo"],
            "limits": {"max_tiles": 1, "max_table_elements": MAX_ELEMENTS},
        },
        {"offset": offset, "table": table, "coordinate": coordinate, "size": size},
    )
