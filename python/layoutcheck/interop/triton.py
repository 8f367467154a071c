# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to Triton's linear layouts, which map the bits of an input to bits of indices by exclusive or."""

from typing import Any, Sequence

from .. import _core
from .._core import Layout
from .base import unsupported


def _inverse(linear: Layout, expected: str) -> Layout:
    """Returns the layout from the outputs of a layout in bits to its inputs. Raises LayoutError unless it is invertible."""
    inverse = _core.linear_inverse(linear)
    if inverse is None:
        raise unsupported(expected)
    return Layout(inverse)


def to_triton(layout: Layout) -> Any:
    """Returns Triton's LinearLayout from "offset" to "dim0", "dim1", ... that is the inverse of the layout.

    The layout may be tiled, swizzled, or in bits. Raises LayoutError unless it is linear over bits and every offset below
    the number of elements has exactly one element.
    """
    from triton._C.libtriton.linear_layout import LinearLayout

    expected = f"expected one element per offset, without padding and gaps, got {layout}"
    if layout.sizes.padded_elements != layout.sizes.elements:
        raise unsupported(expected)
    linear = layout.convert("linear")
    inverse = _inverse(linear, expected)
    # The offset counts the last output of a layout in bits fastest, so the images of its bits come first.
    bases = [list(image) for images in reversed(_core.linear_bases(inverse)) for image in images]
    sizes = list(linear.shape)
    return LinearLayout.from_bases([("offset", bases)], [f"dim{d}" for d in range(len(sizes))], sizes)


def _word(name: str, default: str) -> str:
    return name if name.isascii() and name.isidentifier() else default


def _in_bits(linear: Any, order: Sequence[int]) -> Layout:
    """Returns Triton's LinearLayout with its outputs in this order, of which the last one is fastest."""

    def text(image: Sequence[int]) -> str:
        return "(" + ",".join(str(image[d]) for d in order) + ")"

    inputs = ",".join(
        f"{_word(name, f'input{k}')}:[{','.join(map(text, images))}]" for k, (name, images) in enumerate(linear.bases)
    )
    outputs = ",".join(f"{_word(linear.out_dims[d][0], f'dim{d}')}:{linear.out_dims[d][1]}" for d in order)
    return Layout(f"ll{{{inputs}}} -> [{outputs}]")


def from_triton(linear: Any) -> Layout:
    """Returns the layout whose offsets the one input of an invertible LinearLayout counts, with one mode per output.

    Raises LayoutError for several inputs (see `from_triton_distributed`), a map that is not invertible, and one that is
    neither a layout of strides nor one behind a single swizzle.
    """
    if len(linear.bases) != 1:
        raise unsupported("expected one input, the offset; from_triton_distributed takes layouts of several inputs")
    order = range(len(linear.out_dims))
    in_bits = _in_bits(linear, order)
    return _inverse(in_bits, f"expected an invertible linear layout, got {in_bits}").convert("shape-stride")


def from_triton_distributed(linear: Any) -> Layout:
    """Returns a layout with one mode per input (register, lane, warp, ...) and the tensor's element as its value.

    The value counts elements with the first output fastest, as CuTe's thread-value layouts do. A mode of stride 0 holds
    copies. Raises LayoutError for a map that is neither a layout of strides nor one behind a single swizzle.
    """
    first_fastest = range(len(linear.out_dims))[::-1]
    return _in_bits(linear, first_fastest).convert("shape-stride")
