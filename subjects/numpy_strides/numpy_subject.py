#!/usr/bin/env python3
"""NumPy as a subject: arrays whose axes are permuted, so that their strides are those of a layout without tiles."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from subject_protocol import Unsupported, serve, untiled  # noqa: E402

try:
    import numpy
except ImportError as error:
    sys.exit(f"numpy_subject.py: NumPy is not installed ({error}); `./run subjects` sets it up")

MAX_ELEMENTS = 1 << 20


def array_of(text, data=None):
    """Memory in the order of the layout, seen with its logical axes; filled with `data` or with 0, 1, ... ."""
    _, dimensions, minor_to_major = untiled(text)
    physical = [dimensions[dimension] for dimension in reversed(minor_to_major)]
    elements = 1
    for size in dimensions:
        elements *= size
    if elements > MAX_ELEMENTS or len(dimensions) > 64:
        raise Unsupported("too large for an array")
    memory = numpy.arange(elements, dtype="i8") if data is None else numpy.array(data, dtype="i8")
    if memory.size != elements:
        raise ValueError(f"{memory.size} elements of data for {elements}")
    # Axis k of the array in memory is the logical dimension minor_to_major[rank - 1 - k].
    axes = [0] * len(physical)
    for axis, dimension in enumerate(reversed(minor_to_major)):
        axes[dimension] = axis
    return memory, memory.reshape(physical).transpose(axes)


def offset(request):
    _, array = array_of(request["layout"])
    coordinate = tuple(request["coordinate"])
    if any(not 0 <= index < size for index, size in zip(coordinate, array.shape)):
        raise ValueError("coordinate outside the array")
    steps = [stride // array.itemsize for stride in array.strides]
    return {"offset": sum(index * step for index, step in zip(coordinate, steps))}


def table(request):
    _, array = array_of(request["layout"])
    return {"offsets": array.ravel(order="C").tolist()}


def coordinate(request):
    memory, array = array_of(request["layout"])
    if not 0 <= request["offset"] < memory.size:
        raise ValueError("offset outside the array")
    place = numpy.argwhere(array == request["offset"])
    return {"coordinate": place[0].tolist()}


def size(request):
    memory, array = array_of(request["layout"])
    if array.size == 0:
        return {"elements": 0, "padded_elements": 0, "extent": 0}
    low, high = numpy.lib.array_utils.byte_bounds(array)
    return {"elements": array.size, "padded_elements": memory.size, "extent": (high - low) // array.itemsize}


def relayout(request):
    _, source = array_of(request["from"], request["data"])
    memory, target = array_of(request["to"])
    if source.shape != target.shape:
        raise ValueError(f"shapes {source.shape} and {target.shape}")
    target[...] = source
    return {"data": memory.tolist()}


if __name__ == "__main__":
    serve(
        {
            "name": "numpy-strides",
            "version": numpy.__version__,
            "notations": ["hlo"],
            "limits": {"max_tiles": 0, "max_table_elements": MAX_ELEMENTS},
        },
        {"offset": offset, "table": table, "coordinate": coordinate, "size": size, "relayout": relayout},
    )
