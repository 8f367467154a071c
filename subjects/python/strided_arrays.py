# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subjects made from a library's strided arrays: memory in a layout's physical order, seen with its logical axes."""

from subject_protocol import Unsupported, serve, untiled

MAX_ELEMENTS = 1 << 20


class StridedArrays:
    """The functions that an adapter implements with its library. Arrays must have a member `shape`."""

    def memory(self, values):
        """Returns a one-dimensional array of these integers."""
        raise NotImplementedError

    def view(self, memory, sizes, axes):
        """Returns the memory as an array of `sizes` with permuted axes: axis k of the view is axis `axes[k]` of that array."""
        raise NotImplementedError

    def strides(self, layout):
        """Returns the strides of the logical axes, in elements."""
        raise NotImplementedError

    def values(self, array):
        """Returns all elements as a list, the last axis fastest."""
        raise NotImplementedError

    def index_of(self, array, value):
        """Returns the index of the element with this value."""
        raise NotImplementedError

    def sizes(self, layout):
        """Returns the protocol's answer to `size`."""
        raise NotImplementedError

    def assign(self, target, source):
        """Copies the elements of `source` to `target`, index by index."""
        raise NotImplementedError


def physical(text):
    """Returns (sizes, axes) of a layout without tiles: the array in memory has these sizes, the last one minor, and logical
    dimension k is its axis `axes[k]`."""
    _, dimensions, minor_to_major = untiled(text)
    order = minor_to_major[::-1]
    return [dimensions[dimension] for dimension in order], [order.index(dimension) for dimension in range(len(order))]


def array_of(library, text, data=None):
    """Returns (memory, array in it) for a layout without tiles, filled with `data` or with 0, 1, ... ."""
    sizes, axes = physical(text)
    elements = 1
    for size in sizes:
        elements *= size
    if elements > MAX_ELEMENTS or len(sizes) > 64:
        raise Unsupported("too large for an array")
    if data is not None and len(data) != elements:
        raise ValueError(f"{len(data)} elements of data for {elements}")
    memory = library.memory(range(elements) if data is None else data)
    return memory, library.view(memory, sizes, axes)


def serve_strided_arrays(name, version, library):
    """Answers requests until end of file."""

    def offset(request):
        _, dimensions, _ = untiled(request["layout"])
        if any(not 0 <= index < size for index, size in zip(request["coordinate"], dimensions)):
            raise ValueError("coordinate outside the array")
        strides = library.strides(request["layout"])
        return {"offset": sum(index * stride for index, stride in zip(request["coordinate"], strides))}

    def table(request):
        return {"offsets": library.values(array_of(library, request["layout"])[1])}

    def coordinate(request):
        memory, array = array_of(library, request["layout"])
        if not 0 <= request["offset"] < len(memory):
            raise ValueError("offset outside the array")
        return {"coordinate": library.index_of(array, request["offset"])}

    def size(request):
        return library.sizes(request["layout"])

    def relayout(request):
        _, source = array_of(library, request["from"], request["data"])
        memory, target = array_of(library, request["to"])
        if source.shape != target.shape:
            raise ValueError(f"shapes {source.shape} and {target.shape}")
        library.assign(target, source)
        return {"data": memory.tolist()}

    serve(
        {
            "name": name,
            "version": version,
            "notations": ["hlo"],
            "limits": {"max_tiles": 0, "max_table_elements": MAX_ELEMENTS},
        },
        {"offset": offset, "table": table, "coordinate": coordinate, "size": size, "relayout": relayout},
    )
