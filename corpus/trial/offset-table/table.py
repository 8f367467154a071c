# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of offsets for arrays whose layout is minor-to-major. Answers layoutcheck's protocol on standard input and output."""

import itertools
import json
import re
import sys


def table(text):
    sizes, order = re.fullmatch(r"\w+\[([\d,]*)\]\{([\d,]*)\}", text).groups()
    sizes = [int(size) for size in sizes.split(",") if size]
    order = [int(dimension) for dimension in order.split(",") if dimension]
    strides = [1] * len(sizes)
    for dimension in range(len(sizes)):
        for other in range(len(sizes)):
            if order[other] < order[dimension]:
                strides[dimension] *= sizes[other]
    points = itertools.product(*map(range, sizes))
    return [sum(i * stride for i, stride in zip(point, strides)) for point in points]


LIMITS = {"max_tiles": 0, "max_table_elements": 10000}
HELLO = {"name": "table", "version": "1", "ops": ["table"], "notations": ["hlo"], "limits": LIMITS}
for line in sys.stdin:
    request = json.loads(line)
    answer = {"unsupported": "no such operation"}
    if request["op"] == "hello":
        answer = HELLO
    elif request["op"] == "table" and re.fullmatch(r"\w+\[[\d,]*\]\{[\d,]*\}", request["layout"]):
        answer = {"offsets": table(request["layout"])}
    print(json.dumps(answer), flush=True)
