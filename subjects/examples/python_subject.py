#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A subject in Python: layoutcheck check --subject 'exec:python3 python_subject.py'.

It knows the row- and column-major layouts of arrays without tiles, and declines everything else.
"""
import itertools
import json
import re
import sys


def offset_function(layout):
    match = re.fullmatch(r"\w+\[([\d,]*)\]\{([\d,]*)\}", layout)  # dimensions, minor_to_major
    if not match:
        return None, None
    dimensions, order = ([int(n) for n in group.split(",") if n] for group in match.groups())
    strides, stride = [0] * len(dimensions), 1
    for dimension in order:
        strides[dimension], stride = stride, stride * dimensions[dimension]
    return dimensions, lambda index: sum(i * s for i, s in zip(index, strides))


def answer(request):
    if request["op"] == "hello":
        return {"name": "python_subject", "version": "1", "ops": ["offset", "table"], "limits": {"max_tiles": 0}}
    if request["op"] not in ("offset", "table"):
        return {"unsupported": "no such operation"}
    dimensions, offset = offset_function(request["layout"])
    if offset is None:
        return {"unsupported": "only arrays without tiles and attributes"}
    if request["op"] == "offset":
        return {"offset": offset(request["coordinate"])}
    return {"offsets": [offset(index) for index in itertools.product(*map(range, dimensions))]}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
