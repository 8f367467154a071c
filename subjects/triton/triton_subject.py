#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's linear layouts as a subject: maps between bits of an offset and bits of indices, over exclusive or."""

import itertools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from subject_protocol import Unsupported, serve, tiled  # noqa: E402

try:
    from importlib.metadata import version

    from triton._C.libtriton.linear_layout import LinearLayout

    import axis_info
    import layouts_in_bits
except ImportError as error:
    sys.exit(f"triton_subject.py: Triton is not installed ({error}); `./run subjects` sets it up")

# The sizes of a linear layout are signed 32-bit integers.
MAX_ELEMENTS = 1 << 30
MAX_TABLE_ELEMENTS = 1 << 14


class Layout:
    """A linear layout from the offset to the indices of an array whose sizes are powers of two."""

    def __init__(self, text):
        _, self.dimensions, minor_to_major, tiles = tiled(text)
        if any(size < 1 or size & (size - 1) for size in self.dimensions + sum(tiles, [])):
            raise Unsupported("only powers of two")
        if math.prod(self.dimensions) > MAX_ELEMENTS:
            raise Unsupported("more elements than a linear layout has")
        # Each digit is (dimension, size, weight in the index of that dimension), in memory order, major first.
        digits = [(dimension, self.dimensions[dimension], 1) for dimension in reversed(minor_to_major)]
        for tile in tiles:
            if len(tile) > len(digits) or any(size < t for (_, size, _), t in zip(digits[-len(tile):], tile)):
                raise Unsupported("tiles with padding")
            tail = digits[-len(tile):]
            digits[-len(tile):] = [(d, size // t, weight * t) for (d, size, weight), t in zip(tail, tile)]
            digits += [(d, t, weight) for (d, _, weight), t in zip(tail, tile)]
        self.names = [f"dim{d}" for d in range(len(self.dimensions))]
        self.digits = digits[::-1]

    def of_bases(self):
        """Returns the layout by its bases: each bit of the offset adds one bit of one index."""
        bases = []
        for dimension, size, weight in self.digits:
            for bit in range(size.bit_length() - 1):
                bases.append([weight << bit if d == dimension else 0 for d in range(len(self.names))])
        return LinearLayout.from_bases([("offset", bases)], self.names, self.dimensions)

    def of_products(self):
        """Returns the same layout as a product of identities, each of which appends a digit above the others."""
        reached = [1] * len(self.names)
        product = LinearLayout()
        for dimension, size, weight in self.digits:
            if size == 1:
                continue
            if weight != reached[dimension]:
                raise Unsupported("digits that a product puts into another order")
            reached[dimension] *= size
            product *= LinearLayout.identity_1d(size, "offset", self.names[dimension])
        for name, size in zip(self.names, self.dimensions):
            if size == 1:
                product *= LinearLayout.zeros_1d(1, "offset", name, 1)
        return product

    def offset(self, inverse, coordinate):
        return inverse.apply(dict(zip(self.names, coordinate)))["offset"]


def layout_of(text):
    layout = Layout(text)
    if not layout.names:
        raise Unsupported("a linear layout to no dimension has no inverse")
    return layout


def offset(request):
    layout = layout_of(request["layout"])
    return {"offset": layout.offset(layout.of_products().invert(), request["coordinate"])}


def table(request):
    layout = layout_of(request["layout"])
    if math.prod(layout.dimensions) > MAX_TABLE_ELEMENTS:
        raise Unsupported("too large for a table")
    inverse = layout.of_bases().pseudoinvert()
    return {"offsets": [layout.offset(inverse, c) for c in itertools.product(*map(range, layout.dimensions))]}


def coordinate(request):
    layout = layout_of(request["layout"])
    if not 0 <= request["offset"] < math.prod(layout.dimensions):
        raise ValueError("an offset outside of the array")
    indices = layout.of_bases().apply({"offset": request["offset"]})
    return {"coordinate": [indices[name] for name in layout.names]}


def size(request):
    layout = layout_of(request["layout"])
    linear = layout.of_bases()
    elements = math.prod(size for _, size in linear.out_dims)
    padded = math.prod(2 ** len(bases) for _, bases in linear.bases)
    if not linear.is_invertible():
        raise ValueError("not invertible")
    return {"elements": elements, "padded_elements": padded}


def relayout(request):
    source, target = layout_of(request["from"]), layout_of(request["to"])
    if source.dimensions != target.dimensions:
        raise ValueError("layouts of different shapes")
    if len(request["data"]) > MAX_TABLE_ELEMENTS:
        raise Unsupported("too large for a table")
    moves = source.of_bases().invert_and_compose(target.of_bases())
    data = [-1] * len(request["data"])
    for here, element in enumerate(request["data"]):
        data[next(iter(moves.apply({"offset": here}).values()))] = element
    return {"data": data}


if __name__ == "__main__":
    serve(
        {
            "name": "triton",
            "version": "triton " + version("triton"),
            "notations": ["hlo"],
            "limits": {"max_table_elements": MAX_TABLE_ELEMENTS},
        },
        {"offset": offset, "table": table, "coordinate": coordinate, "size": size, "relayout": relayout,
         "apply": layouts_in_bits.answer, "axis-info": axis_info.answer},
    )
