#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch as a subject: tensors whose dimensions are permuted or in a memory format, so that their strides are those of
a layout without tiles."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from strided_arrays import StridedArrays, physical, serve_strided_arrays  # noqa: E402
from subject_protocol import Unsupported, untiled  # noqa: E402

try:
    import torch
except ImportError as error:
    sys.exit(f"pytorch_subject.py: PyTorch is not installed ({error}); `./run subjects` sets it up")

FORMATS = {(0, 3, 1, 2): torch.channels_last, (0, 4, 1, 2, 3): torch.channels_last_3d}
TYPES = {"pred": torch.bool, "s8": torch.int8, "u8": torch.uint8, "s16": torch.int16, "s32": torch.int32,
         "s64": torch.int64, "bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64,
         "c64": torch.complex64, "c128": torch.complex128}


def without_memory(sizes, axes, dtype):
    """Returns a tensor of any size that has shape and strides but no memory."""
    memory_format = FORMATS.get(tuple(axes))
    if memory_format is not None:
        return torch.empty([sizes[axis] for axis in axes], dtype=dtype, device="meta", memory_format=memory_format)
    return torch.empty(sizes, dtype=dtype, device="meta").permute(axes)


class PyTorch(StridedArrays):
    def memory(self, values):
        return torch.tensor(list(values), dtype=torch.int64)

    def view(self, memory, sizes, axes):
        seen = without_memory(sizes, axes, torch.int64)
        return memory.as_strided(seen.shape, seen.stride())

    def strides(self, layout):
        return without_memory(*physical(layout), torch.int8).stride()

    def values(self, array):
        return array.flatten().tolist()

    def index_of(self, array, value):
        return torch.nonzero(array == value)[0].tolist()

    def sizes(self, layout):
        element_type = untiled(layout)[0]
        if element_type not in TYPES:
            raise Unsupported(f"no tensors of {element_type}")
        tensor = without_memory(*physical(layout), TYPES[element_type])
        # PyTorch allocates the memory up to the last element.
        storage = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="meta").storage()
        return {"elements": tensor.numel(), "bytes": storage.nbytes(),
                "extent": storage.nbytes() // tensor.element_size()}

    def assign(self, target, source):
        target.copy_(source)


if __name__ == "__main__":
    serve_strided_arrays("pytorch", torch.__version__, PyTorch())
