#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times CuTe's Python reference: `offsets LAYOUT...` or `compositions "A; B"...` prints operations and seconds.

Every layout is evaluated at the coordinates (17 i mod rows, 29 i mod columns) for i < 20000, and every pair is composed
2000 times. The sum of the offsets is printed, too, to show that both sides compute the same.
"""

import ast
import re
import sys
import time

import pycute


def layout_of(text):
    def tuples(part):
        return ast.literal_eval(re.sub(r"(?<=[0-9)])(?=\))", ",", part))

    shape, stride = text.strip().split(":")
    return pycute.Layout(tuples(shape), tuples(stride))


def main():
    kind, texts = sys.argv[1], sys.argv[2:]
    operations = checksum = 0
    seconds = 0.0
    for text in texts:
        if kind == "offsets":
            layout = layout_of(text)
            rows, columns = (pycute.size(layout[mode]) for mode in (0, 1))
            coordinates = [(17 * i % rows, 29 * i % columns) for i in range(20000)]
            start = time.perf_counter()
            for row, column in coordinates:
                checksum += layout(row, column)
            seconds += time.perf_counter() - start
            operations += len(coordinates)
        else:
            a, b = (layout_of(part) for part in text.split(";"))
            start = time.perf_counter()
            for _ in range(2000):
                result = pycute.composition(a, b)
            seconds += time.perf_counter() - start
            operations += 2000
            checksum += sum(result(i) for i in range(pycute.size(result)))
    print(operations, seconds, checksum)


main()
