#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A subject of shape:stride layouts: layoutcheck check --subject 'exec:python3 shape_stride_subject.py'.

It does not take HLO's notation and says so: it is asked about layouts such as ((2,2),(2,3)):((2,12),(1,4)), with one mode per
dimension, and about coordinates with one integer per mode.
"""
import ast
import itertools
import json
import re
import sys


def modes(text):
    """Returns the modes of `(4,(2,3)):(6,(3,1))` as pairs of nested tuples; `4:1` is one mode."""
    shape, stride = (ast.literal_eval(re.sub(r"(?<=[0-9)])\)", ",)", part)) for part in text.split(":"))
    return list(zip(shape, stride)) if isinstance(shape, tuple) else [(shape, stride)]


def size(shape):
    result = 1
    for part in shape if isinstance(shape, tuple) else [shape]:
        result *= size(part) if isinstance(part, tuple) else part
    return result


def crd2idx(coordinate, shape, stride):
    """Returns the offset of an integral coordinate of a mode, whose first integer counts fastest."""
    if not isinstance(shape, tuple):
        return coordinate * stride
    offset = 0
    for part, step in zip(shape, stride):
        coordinate, digit = divmod(coordinate, size(part))
        offset += crd2idx(digit, part, step)
    return offset


def answer(request):
    if request["op"] == "hello":
        return {"name": "shape_stride_subject", "version": "1", "ops": ["offset", "table"], "notations": ["shape-stride"]}
    if request["op"] not in ("offset", "table"):
        return {"unsupported": "no such operation"}
    layout = modes(request["layout"])

    def offset(coordinate):
        return sum(crd2idx(c, shape, stride) for c, (shape, stride) in zip(coordinate, layout))

    if request["op"] == "offset":
        return {"offset": offset(request["coordinate"])}
    return {"offsets": [offset(index) for index in itertools.product(*(range(size(shape)) for shape, _ in layout))]}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
