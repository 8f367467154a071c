#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuTe's Python reference, pycute, as a subject: index functions and the algebra of shape:stride layouts. It is that of the
package nvidia-cutlass, or of the checkout of CUTLASS that CUTLASS_HOME names."""

import pathlib
import re
import sys

SUBJECTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(SUBJECTS / "python"), str(SUBJECTS / "cute_cpp")]

from cute_headers import checkout, checkout_version  # noqa: E402
from shape_stride import shape_and_stride, text_of, tuples  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

if checkout():
    sys.path.insert(0, str(checkout() / "python"))
try:
    import pycute
    from importlib.metadata import version
except ImportError as error:
    sys.exit(f"pycute_subject.py: pycute is not installed ({error}); `./run subjects` sets it up")

MAX_ELEMENTS = 1 << 16


def layout_of(text):
    """Returns the pycute layout of `shape:stride`, or of a plain HLO shape."""
    return pycute.Layout(*shape_and_stride(text))


def offset(request):
    layout, coordinate = layout_of(request["layout"]), request["coordinate"]
    flat = pycute.flatten(layout.shape) if isinstance(layout.shape, tuple) else (layout.shape,)
    if not flat:
        raise Unsupported("pycute cannot index the empty layout")
    if len(coordinate) != len(flat):
        raise Unsupported("only one index for each mode")
    strides = pycute.flatten(layout.stride) if isinstance(layout.stride, tuple) else (layout.stride,)
    return {"offset": pycute.Layout(tuple(flat), tuple(strides))(*coordinate)}


def table(request):
    layout = layout_of(request["layout"])
    flat = pycute.flatten(layout.shape) if isinstance(layout.shape, tuple) else (layout.shape,)
    if not flat:
        raise Unsupported("pycute cannot index the empty layout")
    if pycute.size(layout) > MAX_ELEMENTS:
        raise Unsupported("too large for a table")
    if pycute.size(layout) == 0:
        return {"offsets": []}
    # pycute counts with the first mode fastest; the table has the last one fastest.
    strides = pycute.flatten(layout.stride) if isinstance(layout.stride, tuple) else (layout.stride,)
    reversed_layout = pycute.Layout(tuple(reversed(flat)), tuple(reversed(strides)))
    return {"offsets": [reversed_layout(index) for index in range(pycute.size(layout))]}


def size(request):
    layout = layout_of(request["layout"])
    if layout.shape == ():
        raise Unsupported("pycute cannot index the empty layout")
    if pycute.size(layout) >= 1 << 63:
        raise OverflowError("more elements than int64 holds")
    return {"elements": pycute.size(layout), "extent": pycute.cosize(layout) if pycute.size(layout) else 0}


_ON_LAYOUTS = {
    "coalesce": pycute.coalesce,
    "filter": pycute.filter,
    "complement": pycute.complement,
    "composition": pycute.composition,
    "left_inverse": pycute.left_inverse,
    "logical_divide": pycute.logical_divide,
    "logical_product": pycute.logical_product,
    "right_inverse": pycute.right_inverse,
    "tiled_divide": pycute.tiled_divide,
    "zipped_divide": pycute.zipped_divide,
}


def value_of(request):
    """Answers a function whose result is a number with {"value": n}. Returns None for another function."""
    function, arguments = request["function"], request["arguments"]
    if function == "size":
        return {"value": pycute.size(layout_of(arguments[0]))}
    if function == "cosize":
        return {"value": pycute.cosize(layout_of(arguments[0]))}
    if function == "crd2idx":
        layout = layout_of(arguments[1])
        return {"value": pycute.crd2idx(tuples(arguments[0]), layout.shape, layout.stride)}
    return None


def apply(request):
    value = value_of(request)
    if value is not None:
        return value
    function = _ON_LAYOUTS.get(request["function"])
    if function is None:
        raise Unsupported(f"no function {request['function']}")
    arguments = [
        int(text) if isinstance(text, int) or re.fullmatch(r"-?[0-9]+", text) else layout_of(text)
        for text in request["arguments"]
    ]
    try:
        result = function(*arguments)
    except AssertionError as error:
        return {"rejected": str(error) or "assertion failed"}
    return {"layout": text_of(result.shape) + ":" + text_of(result.stride)}


if __name__ == "__main__":
    serve(
        {
            "name": "pycute",
            "version": (checkout_version(checkout(), ["python/pycute"]) if checkout()
                        else "nvidia-cutlass " + version("nvidia-cutlass")),
            "notations": ["hlo", "shape-stride"],
            "limits": {"max_tiles": 0, "max_table_elements": MAX_ELEMENTS},
        },
        {"offset": offset, "table": table, "size": size, "apply": apply},
    )
