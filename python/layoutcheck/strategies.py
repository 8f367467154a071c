# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hypothesis strategies for layouts, drawn as `layoutcheck check` draws them.

A layout is drawn by the generators of `check` from a number that Hypothesis draws. Then its fields (sizes, order, tiles,
attributes) are drawn one by one, each with the value that the generator gave it as almost the only likely one. Hypothesis
therefore tests what `check` tests, and shrinks each field by itself, to the layout that `check` shrinks to.
"""

import math
from typing import Optional, Tuple

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import composite

from ._core import Layout
from ._drawn_layouts import PatternLayouts, ShapeStrideLayouts, TiledLayouts
from ._hypothesis import register

__all__ = [
    "hlo_instructions",
    "hlo_shapes",
    "indices",
    "layouts",
    "shape_stride_layouts",
    "tiled_layouts",
]


def tiled_layouts(
    *,
    max_rank: int = 8,
    max_tiles: int = 4,
    max_elements: int = 4096,
    family: Optional[str] = None,
    combine: bool = True,
    attributes: bool = True,
    huge: bool = False,
) -> st.SearchStrategy[Layout]:
    """Returns a strategy of XLA's tiled layouts, as layoutcheck.Layout.

    The layouts are those that `layoutcheck check` draws: one third of the families that real code has, the others random,
    with sizes where code has bugs. They shrink towards f32[].

    Args:
      max_rank: most dimensions, 0 to 8.
      max_tiles: most tiles after each other, 0 to 4.
      max_elements: most elements. With padding there are at most 8 times as many.
      family: draws from one family only, such as "tpu"; a layout shrinks beyond it. See `layoutcheck laws --families`.
      combine: whether tiles may have `*`.
      attributes: whether to draw L, E, S, SC and M, dynamic dimensions, and element types other than f32.
      huge: whether one of eight layouts has far more elements than max_elements, up to 2^62, for overflow.

    Raises:
      ValueError: there is no such family, or a limit is out of range.
    """
    return _tiled_texts(max_rank, max_tiles, max_elements, combine, attributes, huge, family).map(Layout)


def _tiled_texts(max_rank=8, max_tiles=4, max_elements=4096, combine=True, attributes=True, huge=False, family=None):
    for name, value, least, most in (
        ("max_rank", max_rank, 0, 8), ("max_tiles", max_tiles, 0, 4), ("max_elements", max_elements, 1, 2**40)
    ):
        if not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"{name}={value!r}: expected an integer from {least} to {most}")
    return TiledLayouts(max_rank, max_tiles, max_elements, combine, attributes, huge, family)


def shape_stride_layouts() -> st.SearchStrategy[Layout]:
    """Returns a strategy of shape:stride layouts, as layoutcheck.Layout.

    They have one to three modes, some of them nested, and at most 256 coordinates: one third compact, one third with gaps,
    one third with broadcasts (stride 0), repetitions and negative strides. They shrink towards 1:1.
    """
    return ShapeStrideLayouts().map(Layout)


def layouts(
    pattern: Optional[str] = None, *, max_elements: int = 4096, huge: bool = False
) -> st.SearchStrategy[Layout]:
    """Returns a strategy of layouts, as layoutcheck.Layout: tiled ones and shape:stride ones.

    Args:
      pattern: a layout in which sizes are names, such as "f32[M,N]{1,0:T(8,128)}". Then all layouts are of this pattern,
        with the names' values drawn about the sizes of tiles, and shrunk.
      max_elements: most elements of a tiled layout.
      huge: whether one of eight tiled layouts has far more elements.

    Raises:
      LayoutError: the pattern is no layout; with the column.
    """
    if pattern is not None:
        return PatternLayouts(pattern, max_elements, huge).map(Layout)
    return tiled_layouts(max_elements=max_elements, huge=huge) | shape_stride_layouts()


def hlo_shapes(*, max_rank: int = 8, max_elements: int = 4096) -> st.SearchStrategy[str]:
    """Returns a strategy of the texts of HLO shapes: arrays with and without layouts, tokens, nested tuples of them."""
    with_layout = _tiled_texts(max_rank=max_rank, max_elements=max_elements)
    without = with_layout.map(lambda text: text.partition("{")[0])
    leaves = with_layout | without | st.sampled_from(["token[]", "opaque[]"])
    return st.recursive(
        leaves, lambda shapes: st.lists(shapes, max_size=4).map(lambda texts: f"({', '.join(texts)})"), max_leaves=6
    )


def hlo_instructions() -> st.SearchStrategy[str]:
    """Returns a strategy of the texts of right HLO instructions, each in one line, whose operands have their shapes.

    Opcodes: negate, add, copy, transpose, bitcast, reshape, tuple, get-tuple-element, parameter.
    """
    return _instructions()


@composite
def _instructions(draw):
    array = draw(_tiled_texts(max_rank=4, max_tiles=2, max_elements=512, attributes=False))
    element_type, sizes, minor_to_major, tiles = _parts_of(array)
    opcode = draw(
        st.sampled_from(
            "negate add copy transpose bitcast reshape tuple get-tuple-element parameter".split()
        )
    )
    result, operands, attribute = array, [array], ""
    if opcode == "add":
        operands = [array, array]
    elif opcode == "copy":
        result = _text_of(element_type, sizes, *draw(_orders_and_tiles(len(sizes))))
    elif opcode in ("transpose", "bitcast"):
        permutation = draw(st.permutations(range(len(sizes))))
        permuted = [sizes[d] for d in permutation]
        # In this order the elements stay where they are in memory, as a bitcast requires.
        order = [permutation.index(d) for d in minor_to_major]
        if opcode == "transpose":
            attribute = f", dimensions={{{','.join(map(str, permutation))}}}"
            order, tiles = draw(st.just((order, tiles)) | _orders_and_tiles(len(sizes)))
        result = _text_of(element_type, permuted, order, tiles)
    elif opcode == "reshape":
        ones = draw(st.integers(0, 2))
        result = _text_of(element_type, [1] * ones + [math.prod(sizes)], *draw(_orders_and_tiles(ones + 1)))
    elif opcode in ("tuple", "get-tuple-element"):
        operands = [array] + draw(st.lists(_tiled_texts(max_rank=3, max_elements=64), max_size=2))
        result = f"({', '.join(operands)})"
        if opcode == "get-tuple-element":
            index = draw(st.integers(0, len(operands) - 1))
            attribute = f", index={index}"
            result, operands = operands[index], [result]
    written = ", ".join(f"{shape} %v{k}" for k, shape in enumerate(operands))
    if opcode == "parameter":
        written = str(draw(st.integers(0, 9)))
    return f"%v{len(operands)} = {result} {opcode}({written}){attribute}"


def _parts_of(text):
    """Returns the element type, sizes, minor_to_major and tiles (as text) of an array without other attributes."""
    element_type, _, rest = text.partition("[")
    sizes, _, layout = rest.partition("]")
    order, _, tiles = layout.strip("{}").partition(":")
    return element_type, _integers(sizes), _integers(order), tiles


def _integers(text):
    return [int(number) for number in text.split(",") if number]


def _text_of(element_type, sizes, minor_to_major, tiles):
    layout = ",".join(map(str, minor_to_major)) + (":" + tiles if tiles else "")
    return f"{element_type}[{','.join(map(str, sizes))}]" + (f"{{{layout}}}" if layout else "")


def _orders_and_tiles(rank):
    orders = st.permutations(list(reversed(range(rank))))
    return st.tuples(orders, st.sampled_from(["", "T(2)", "T(2,2)", "T(8,128)", "T(4,2)(2,1)"]))


def indices(layout: Layout) -> st.SearchStrategy[Tuple[int, ...]]:
    """Returns a strategy of the indices of a layout's elements: tuples of one integer per dimension, 0 the simplest.

    A layout without elements has no index: an example that draws one is skipped, as by hypothesis.reject().
    """
    sizes = layout.shape
    if 0 in sizes:
        return st.builds(_no_index)
    return st.tuples(*(st.integers(0, size - 1) for size in sizes))


def _no_index():
    reject()


register()
