#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy as a subject: arrays whose axes are permuted, so that their strides are those of a layout without tiles."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from strided_arrays import StridedArrays, array_of, serve_strided_arrays  # noqa: E402

try:
    import numpy
except ImportError as error:
    sys.exit(f"numpy_subject.py: NumPy is not installed ({error}); `./run subjects` sets it up")


class NumPy(StridedArrays):
    def memory(self, values):
        return numpy.array(values, dtype="i8")

    def view(self, memory, sizes, axes):
        return memory.reshape(sizes).transpose(axes)

    def strides(self, layout):
        _, array = array_of(self, layout)
        return [stride // array.itemsize for stride in array.strides]

    def values(self, array):
        return array.ravel(order="C").tolist()

    def index_of(self, array, value):
        return numpy.argwhere(array == value)[0].tolist()

    def sizes(self, layout):
        memory, array = array_of(self, layout)
        if array.size == 0:
            return {"elements": 0, "padded_elements": 0, "extent": 0}
        low, high = numpy.lib.array_utils.byte_bounds(array)
        return {"elements": array.size, "padded_elements": memory.size, "extent": (high - low) // array.itemsize}

    def assign(self, target, source):
        target[...] = source


if __name__ == "__main__":
    serve_strided_arrays("numpy-strides", numpy.__version__, NumPy())
