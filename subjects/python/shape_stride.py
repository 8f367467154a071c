# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes shape:stride layouts for subjects in Python, as nested tuples of integers."""

import ast
import re

from subject_protocol import Unsupported, untiled

_PLAIN = re.compile(r"[0-9_,():\s-]*$")
_SWIZZLE = re.compile(r"\s*Sw?<\s*(-?\d+)\s*,\s*(-?\d+)\s*,\s*(-?\d+)\s*>\s*")
_OFFSET = re.compile(r"\s*_?(-?\d+)\s*o\s*")


def tuples(text):
    """Reads `((4,2),3)` as nested tuples. `(3)` is a tuple of one, as in CuTe, and `_4` a static 4."""
    if not _PLAIN.match(text) or ":" in text:
        raise Unsupported("only tuples of integers")
    # Every parenthesis of CuTe's notation is a tuple. Python needs a comma before the closing one to agree.
    return ast.literal_eval(re.sub(r"(?<=[0-9)])(?=\))", ",", text.strip().replace("_", "")))


def shape_and_stride(text):
    """Returns (shape, stride) of `shape:stride`, or of a plain HLO shape, whose minor_to_major gives the strides."""
    if "[" in text:
        _, dimensions, minor_to_major = untiled(text)
        strides = [0] * len(dimensions)
        step = 1
        for dimension in minor_to_major:
            strides[dimension] = step
            step *= dimensions[dimension]
        return tuple(dimensions), tuple(strides)
    if not _PLAIN.match(text) or text.count(":") != 1:
        raise Unsupported("only shape:stride of integers")
    shape, stride = text.split(":")
    return tuples(shape), tuples(stride)


def composed(text):
    """Splits `Sw<3,4,3> o 0 o shape:stride` into (swizzle, offset, text of the layout). The swizzle is three integers, or None if
    there is none. The layout's text of a swizzle alone is empty."""
    swizzle, offset = None, 0
    if match := _SWIZZLE.match(text):
        swizzle = tuple(map(int, match.groups()))
        text = re.sub(r"^o\s*", "", text[match.end():])
    if match := _OFFSET.match(text):
        offset = int(match[1])
        text = text[match.end():]
    return swizzle, offset, text


def leaves(value):
    """Returns the integers of nested tuples, in order."""
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, tuple) else [value]


def text_of(value):
    """Returns the text of nested tuples in CuTe's notation, without blanks; a tuple of one is written `(4)`."""
    return "(" + ",".join(map(text_of, value)) + ")" if isinstance(value, tuple) else str(value)
