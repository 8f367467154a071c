# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to Triton's linear layouts, which map the bits of an input to bits of indices by exclusive or."""

from typing import Any, Dict, List, Optional, Tuple

from .._core import Layout
from ..layouts import strided
from .base import leaves, unsupported


class _Swizzle:
    def __init__(self, bits: int, base: int, shift: int):
        self.bits, self.base, self.shift = bits, base, shift

    def __call__(self, offset: int) -> int:
        read = offset & (((1 << self.bits) - 1) << (self.base + max(0, self.shift)))
        return offset ^ (read >> self.shift if self.shift >= 0 else read << -self.shift)


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def to_triton(layout: Layout) -> Any:
    """Returns Triton's LinearLayout from "offset" to "dim0", "dim1", ... that is the inverse of the layout.

    The layout may be tiled or swizzled. Raises LayoutError unless all of its numbers are powers of two and every offset
    below the number of elements has exactly one element.
    """
    from triton._C.libtriton.linear_layout import LinearLayout

    shape, stride, offset, swizzle = layout.shape_stride()
    modes = shape if isinstance(shape, tuple) else (shape,)
    steps = stride if isinstance(stride, tuple) else (stride,)
    if offset != 0:
        raise unsupported(f"expected a layout without offset, got {layout}")
    element_at: Dict[int, Tuple[int, int]] = {}  # by bit of the offset before the swizzle: dimension, bit of its index
    for dimension, (mode, step) in enumerate(zip(modes, steps)):
        bit = 0
        for extent, weight in zip(leaves(mode), leaves(step)):
            if extent == 1:
                continue
            if not _is_power_of_two(extent) or not _is_power_of_two(weight):
                raise unsupported(f"expected powers of two, got {extent}:{weight} in {layout}")
            for _ in range(extent.bit_length() - 1):
                if element_at.setdefault(weight.bit_length() - 1, (dimension, bit)) != (dimension, bit):
                    raise unsupported(f"expected one element per offset, but modes of {layout} overlap")
                weight *= 2
                bit += 1
        if 1 << bit != layout.shape[dimension]:
            raise unsupported(f"expected no padding, got {layout}")
    if sorted(element_at) != list(range(len(element_at))):
        raise unsupported(f"expected no gaps, got {layout}")
    move = _Swizzle(*swizzle) if swizzle is not None else int
    bases = []
    for bit in range(len(element_at)):
        basis = [0] * len(modes)
        moved = move(1 << bit)
        if moved >> len(element_at):
            raise unsupported(f"expected a swizzle within the {1 << len(element_at)} elements of {layout}")
        for position in range(moved.bit_length()):
            if moved >> position & 1:
                dimension, index_bit = element_at[position]
                basis[dimension] ^= 1 << index_bit
        bases.append(basis)
    return LinearLayout.from_bases([("offset", bases)], [f"dim{d}" for d in range(len(modes))], list(layout.shape))


def _inverse(images: List[int]) -> Optional[List[int]]:
    """Returns the columns of the inverse of a square matrix over two elements, given by its columns, or None."""
    rows = [(image, 1 << bit) for bit, image in enumerate(images)]
    for bit in range(len(rows)):
        pivot = next((k for k in range(bit, len(rows)) if rows[k][0] >> bit & 1), None)
        if pivot is None:
            return None
        rows[bit], rows[pivot] = rows[pivot], rows[bit]
        for k in range(len(rows)):
            if k != bit and rows[k][0] >> bit & 1:
                rows[k] = (rows[k][0] ^ rows[bit][0], rows[k][1] ^ rows[bit][1])
    return [source for _, source in rows]


def _unswizzled(offsets: List[int]) -> Tuple[Optional[_Swizzle], List[int]]:
    """Returns a swizzle, if one is needed, and the single bits of which these offsets are the swizzled values."""
    if all(map(_is_power_of_two, offsets)):
        return None, offsets
    count = len(offsets)
    for bits in range(1, count // 2 + 1):
        for distance in range(bits, count - bits + 1):
            for base in range(count - bits - distance + 1):
                for shift in (distance, -distance):
                    swizzle = _Swizzle(bits, base, shift)
                    if all(_is_power_of_two(swizzle(offset)) for offset in offsets):
                        return swizzle, [swizzle(offset) for offset in offsets]
    raise unsupported("expected a layout of strides or of strides with one swizzle, which this linear layout is not")


def _image(basis: List[int], shifts: List[int]) -> int:
    return sum(part << shift for part, shift in zip(basis, shifts))


def _shifts(sizes: List[int]) -> List[int]:
    """Returns the number of bits of all dimensions before each one."""
    return [sum(size.bit_length() - 1 for size in sizes[:k]) for k in range(len(sizes))]


def _modes(bits_of: List[List[int]]) -> Tuple[tuple, tuple]:
    """Returns shape and stride with one mode per list of strides of single bits, merging neighbors that continue."""
    shape, stride = [], []
    for weights in bits_of:
        extents: List[int] = []
        steps: List[int] = []
        for weight in weights:
            if extents and weight == extents[-1] * steps[-1]:
                extents[-1] *= 2
            else:
                extents.append(2)
                steps.append(weight)
        shape.append(extents[0] if len(extents) == 1 else tuple(extents) or 1)
        stride.append(steps[0] if len(steps) == 1 else tuple(steps) or 0)
    return tuple(shape), tuple(stride)


def from_triton(linear: Any) -> Layout:
    """Returns the layout whose offsets the one input of an invertible LinearLayout counts, with one mode per output.

    Raises LayoutError for several inputs (see `from_triton_distributed`), a map that is not invertible, and one that is
    neither a layout of strides nor one behind a single swizzle.
    """
    if len(linear.bases) != 1:
        raise unsupported("expected one input, the offset; from_triton_distributed takes layouts of several inputs")
    sizes = [size for _, size in linear.out_dims]
    shifts = _shifts(sizes)
    images = [_image(basis, shifts) for basis in linear.bases[0][1]]
    bits = sum(size.bit_length() - 1 for size in sizes)
    offsets = _inverse(images) if len(images) == bits else None
    if offsets is None:
        raise unsupported("expected an invertible linear layout")
    swizzle, weights = _unswizzled(offsets)
    ends = [*shifts[1:], bits] if shifts else []
    shape, stride = _modes([weights[start:end] for start, end in zip(shifts, ends)])
    parameters = None if swizzle is None else (swizzle.bits, swizzle.base, swizzle.shift)
    return strided(shape, stride, swizzle=parameters)


def from_triton_distributed(linear: Any) -> Layout:
    """Returns a layout with one mode per input (register, lane, warp, ...) and the tensor's element as its value.

    The value counts elements with the first output fastest, as CuTe's thread-value layouts do. A mode of stride 0 holds
    copies. Raises LayoutError where outputs are combined by exclusive or, which no strides express.
    """
    shifts = _shifts([size for _, size in linear.out_dims])
    images = [[_image(basis, shifts) for basis in bases] for _, bases in linear.bases]
    seen = 0
    for image in (image for mode in images for image in mode):
        if seen & image:
            raise unsupported("expected bits that are not combined by exclusive or")
        seen |= image
    return strided(*_modes(images))
