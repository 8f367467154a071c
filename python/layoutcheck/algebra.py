# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuTe's algebra of shape:stride layouts by name: `composition(a, b)` is `a.composition(b)`.

The first argument is a `Layout` in shape:stride notation; the other arguments are described at the methods. Errors are
`LayoutError`s, also where CuTe's or pycute's result would be wrong.

>>> import layoutcheck as lc
>>> from layoutcheck.algebra import composition, logical_divide
>>> composition(lc.Layout("(4,8):(8,1)"), lc.Layout("(2,2):(1,4)"))
layoutcheck.Layout('(2,2):(8,1)')
>>> logical_divide(lc.Layout("(4,8):(8,1)"), (2, 4))
layoutcheck.Layout('((2,2),(4,2)):((8,16),(1,4))')
"""

from ._core import Layout, make_layout, make_ordered_layout

blocked_product = Layout.blocked_product
coalesce = Layout.coalesce
complement = Layout.complement
composition = Layout.composition
cosize = Layout.cosize
downcast = Layout.downcast
filter = Layout.filter  # noqa: A001, CuTe's name
filter_zeros = Layout.filter_zeros
flat_divide = Layout.flat_divide
flat_product = Layout.flat_product
idx2crd = Layout.idx2crd
left_inverse = Layout.left_inverse
logical_divide = Layout.logical_divide
logical_product = Layout.logical_product
max_common_layout = Layout.max_common_layout
max_common_vector = Layout.max_common_vector
nullspace = Layout.nullspace
raked_product = Layout.raked_product
recast_layout = Layout.recast_layout
right_inverse = Layout.right_inverse
size = Layout.size
tile_to_shape = Layout.tile_to_shape
tiled_divide = Layout.tiled_divide
tiled_product = Layout.tiled_product
upcast = Layout.upcast
zipped_divide = Layout.zipped_divide
zipped_product = Layout.zipped_product


def crd2idx(coordinate: object, layout: Layout) -> object:
    """Returns the offset of a coordinate, as `Layout.crd2idx`, with CuTe's order of the arguments."""
    return layout.crd2idx(coordinate)


__all__ = [
    "blocked_product",
    "coalesce",
    "complement",
    "composition",
    "cosize",
    "crd2idx",
    "downcast",
    "filter",
    "filter_zeros",
    "flat_divide",
    "flat_product",
    "idx2crd",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_layout",
    "make_ordered_layout",
    "max_common_layout",
    "max_common_vector",
    "nullspace",
    "raked_product",
    "recast_layout",
    "right_inverse",
    "size",
    "tile_to_shape",
    "tiled_divide",
    "tiled_product",
    "upcast",
    "zipped_divide",
    "zipped_product",
]
