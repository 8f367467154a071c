#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package tensor-layouts as a subject: index functions, swizzles, and the algebra of shape:stride layouts."""

import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from shape_stride import composed, leaves, shape_and_stride, text_of, tuples  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

try:
    import tensor_layouts as tl
except ImportError as error:
    sys.exit(f"tensor_layouts_subject.py: tensor-layouts is not installed ({error}); `./run subjects` sets it up")

MAX_ELEMENTS = 1 << 16
_REJECTIONS = (getattr(tl, "LayoutError", ValueError), ValueError, TypeError, NotImplementedError)


def layout_of(text):
    """Returns a Layout, a Swizzle, or a ComposedLayout of both."""
    swizzle, offset, rest = composed(text)
    if swizzle is not None and not rest:
        return tl.Swizzle(*swizzle)
    layout = tl.Layout(*shape_and_stride(rest))
    if swizzle is None and offset == 0:
        return layout
    outer = tl.Swizzle(*swizzle) if swizzle is not None else tl.Swizzle(0, 0, 0)
    return tl.ComposedLayout(outer, layout, offset=offset)


def answer_of(result):
    """Returns the protocol's answer for a result: a layout's text or a number."""
    if isinstance(result, bool):
        return {"value": int(result)}
    if isinstance(result, int):
        return {"value": result}
    if isinstance(result, tl.Layout):
        return {"layout": text_of(result.shape) + ":" + text_of(result.stride)}
    if isinstance(result, tl.Swizzle):
        return {"layout": f"Sw<{result.bits},{result.base},{result.shift}>"}
    if isinstance(result, tl.ComposedLayout) and isinstance(result.outer, tl.Swizzle):
        swizzle, inner = answer_of(result.outer)["layout"], answer_of(result.inner)
        if isinstance(result.inner, tl.Layout):
            return {"layout": f"{swizzle} o {result.offset} o {inner['layout']}"}
    raise Unsupported(f"no notation for {result}")


def offset(request):
    layout, coordinate = layout_of(request["layout"]), request["coordinate"]
    if len(coordinate) != len(leaves(layout.shape)):
        raise Unsupported("only one index for each mode")
    return {"offset": tl.crd2idx(tuple(coordinate), tuple(leaves(layout.shape)), tuple(leaves(layout.stride)))}


def table(request):
    layout = layout_of(request["layout"])
    extents = leaves(layout.shape)
    if tl.size(layout) > MAX_ELEMENTS:
        raise Unsupported("too large for a table")
    flat = tl.Layout(tuple(extents), tuple(leaves(layout.stride)))
    return {"offsets": [flat(coordinate) for coordinate in itertools.product(*map(range, extents))]}


def size(request):
    layout = layout_of(request["layout"])
    if tl.size(layout) >= 1 << 63:
        raise OverflowError("more elements than int64 holds")
    return {"elements": tl.size(layout), "extent": tl.cosize(layout) if tl.size(layout) else 0}


# Functions of one layout, of a layout and a second argument, and of two shapes.
_OF_ONE = {"size": tl.size, "cosize": tl.cosize, "coalesce": tl.coalesce, "filter": lambda a: a.filter(),
           "left_inverse": tl.left_inverse, "right_inverse": tl.right_inverse, "nullspace": tl.nullspace}
_OF_TWO = {"complement": tl.complement, "composition": tl.compose, "logical_divide": tl.logical_divide,
           "zipped_divide": tl.zipped_divide, "tiled_divide": tl.tiled_divide, "flat_divide": tl.flat_divide,
           "logical_product": tl.logical_product, "blocked_product": tl.blocked_product,
           "raked_product": tl.raked_product, "upcast": tl.upcast, "downcast": tl.downcast,
           "max_common_vector": tl.max_common_vector, "max_common_layout": tl.max_common_layout}
_OF_SHAPES = {"compatible": tl.compatible, "congruent": tl.congruent, "weakly_congruent": tl.weakly_congruent}


def argument_of(text):
    plain = text.replace("_", "")
    return int(plain) if re.fullmatch(r"-?[0-9]+", plain) else layout_of(text)


def apply(request):
    name, arguments = request["function"], [str(argument) for argument in request["arguments"]]
    try:
        if name == "crd2idx":
            return answer_of(layout_of(arguments[1])(tuples(arguments[0])))
        if name in _OF_SHAPES:
            return answer_of(_OF_SHAPES[name](*map(tuples, arguments)))
        function = _OF_ONE.get(name) or _OF_TWO.get(name)
        if function is None:
            raise Unsupported(f"no function {name}")
        values = list(map(argument_of, arguments))
        if name in ("upcast", "downcast") and not isinstance(values[0], tl.Layout):
            raise Unsupported(f"{name} takes a plain layout")
        if len(values) == 2 and all(isinstance(value, tl.Swizzle) for value in values):
            raise Unsupported(f"{name} takes a layout")
        return answer_of(function(*values))
    except _REJECTIONS as error:
        return {"rejected": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    serve(
        {
            "name": "tensor-layouts",
            "version": tl.__version__,
            "notations": ["hlo", "shape-stride"],
            "limits": {"max_tiles": 0, "max_table_elements": MAX_ELEMENTS},
        },
        {"offset": offset, "table": table, "size": size, "apply": apply},
    )
