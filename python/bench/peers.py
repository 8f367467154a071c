#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the speed of the package beside pycute and tensor-layouts, and what each of them can express, as two tables.

usage: peers.py [ROUNDS]

A peer that cannot be imported is named and left out. Each round measures all libraries of a row one after the other; the
best of the rounds counts. Offsets and compositions of all libraries are compared before they are timed.
"""

import importlib
import importlib.util
import subprocess
import sys
import time

import numpy as np

import layoutcheck as lc
from layoutcheck import interop

# Modules by name in the tables, and the functions that make one of their layouts of ours and ours of theirs.
PEERS = {
    "pycute": ("pycute", interop.to_pycute, interop.from_pycute),
    "tensor-layouts": ("tensor_layouts", interop.to_tensor_layouts, interop.from_tensor_layouts),
}
OFFSETS = ["(64,256):(256,1)", "((8,8),(128,2)):((128,2048),(1,1024))", "((2,4,8),(4,8,8)):((1,8,512),(2,64,4096))"]
COMPOSITIONS = [
    ("(64,256):(256,1)", "(32,64):(1,64)"),
    ("((8,8),(128,2)):((128,2048),(1,1024))", "(64,8):(8,512)"),
    ("((2,4,8),(4,8,8)):((1,8,512),(2,64,4096))", "((4,2),(8,4)):((1,8),(64,512))"),
]
SECONDS = 0.1  # at least, per measurement


def rate(call, operations):
    """Returns operations per second of one call that does `operations`."""
    calls, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < SECONDS:
        call()
        calls += 1
    return operations * calls / passed


def import_seconds(module):
    """Returns the time in which a new interpreter imports a module, without the time of its start."""
    code = f"import time; b = time.perf_counter(); import {module}; print(time.perf_counter() - b)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def best_rates(calls, operations, rounds):
    """Returns the best operations per second of each library; each round measures one after the other."""
    measured = [{name: rate(call, operations) for name, call in calls.items()} for _ in range(rounds)]
    return {name: max(speeds[name] for speeds in measured) for name in calls}


def offset_rows(peers):
    """Yields (name, calls by library, number of offsets) of rows whose calls compute the offsets of all coordinates, or of many."""
    ours = [lc.Layout(text) for text in OFFSETS]
    indices = [[(i * 17 % m, i * 29 % n) for i in range(2000)] for m, n in (layout.shape for layout in ours)]
    arrays = [np.array(points) for points in indices]

    def one_by_one(layouts, call):
        return lambda: [call(layout, point) for layout, points in zip(layouts, indices) for point in points]

    calls = {"layoutcheck": one_by_one(ours, lambda layout, point: layout.offset(point))}
    for name, (_, make, _) in peers.items():
        calls[name] = one_by_one([make(layout) for layout in ours], lambda layout, point: layout(*point))
    yield "offset(i, j), per call", calls, 2000 * len(ours)

    def of_arrays():
        return np.concatenate([layout.offsets(points) for layout, points in zip(ours, arrays)]).tolist()

    yield "offsets of arrays of indices", {**calls, "layoutcheck": of_arrays}, 2000 * len(ours)


def composition_row(peers):
    ours = [(lc.Layout(a), lc.Layout(b)) for a, b in COMPOSITIONS]
    calls = {"layoutcheck": lambda: [a.composition(b) for a, b in ours]}
    expected = [a.composition(b) for a, b in ours]
    for name, (module, make, back) in peers.items():
        compose = getattr(importlib.import_module(module), "composition", None) or importlib.import_module(module).compose
        theirs = [(make(a), make(b)) for a, b in ours]
        calls[name] = lambda compose=compose, theirs=theirs: [compose(a, b) for a, b in theirs]
        for result, other in zip(calls[name](), expected):
            assert back(result) == other, (name, result, other)
    return calls, len(ours)


def can(call):
    """Returns "yes", or the name of the exception that the call ends with."""
    try:
        call()
    except Exception as error:
        return f"no ({type(error).__name__})"
    return "yes"


def expressed(peers):
    """Yields rows of what each library can express: a row for an XLA layout's text means that its map is a layout there."""
    for title, text in (
        ("strides, nested", "((4,2),(4,3)):((4,16),(1,32))"),
        ("swizzle and offset", "Sw<2,3,3> o 8 o (8,64):(64,1)"),
        ("tiles, rows in pairs", "bf16[16,256]{1,0:T(8,128)(2,1)}"),
        ("tiles with padding", "bf16[20,300]{1,0:T(8,128)(2,1)}"),
        ("a tile that pads another", "f32[5,7]{1,0:T(4,4)(3,1)}"),
    ):
        layout = lc.Layout(text)
        row = {"layoutcheck": "yes"}
        for name, (_, make, _) in peers.items():
            row[name] = can(lambda make=make, layout=layout: make(layout))
        if title == "tiles with padding":
            row = {name: value if name == "layoutcheck" else "padding as elements" for name, value in row.items()}
        yield f"{title}: `{text}`", row


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def speed_cells(name, speeds):
    cells = [name, f"{speeds['layoutcheck']:,.0f}"]
    return cells + [f"{v:,.0f} ({speeds['layoutcheck'] / v:.3g})" for n, v in speeds.items() if n != "layoutcheck"]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    peers = {name: peer for name, peer in PEERS.items() if importlib.util.find_spec(peer[0])}
    for name in PEERS.keys() - peers.keys():
        print(f"{name} is not installed", file=sys.stderr)
    names = ["layoutcheck", *peers]
    rows = []
    for title, calls, operations in offset_rows(peers):
        results = [calls[name]() for name in names]
        assert all(result == results[0] for result in results)
        rows.append(speed_cells(title, best_rates(calls, operations, rounds)))
    calls, operations = composition_row(peers)
    rows.append(speed_cells("composition", best_rates(calls, operations, rounds)))
    modules = {"layoutcheck": "layoutcheck", **{name: peer[0] for name, peer in peers.items()}}
    seconds = {name: min(import_seconds(modules[name]) for _ in range(rounds)) for name in names}
    numpy = min(import_seconds("numpy") for _ in range(rounds))
    rows.append(["import, ms (NumPy alone: %.0f)" % (numpy * 1000), *(f"{seconds[name] * 1000:.0f}" for name in names)])
    table(["operations per second", *names], rows)
    table(["what each expresses", *names], [[t, *(row[n] for n in names)] for t, row in expressed(peers)])


if __name__ == "__main__":
    main()
