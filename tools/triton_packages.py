#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks every kernel of packages of Triton kernels what layoutcheck.triton.scan asks, and prints one table.

  tools/triton_packages.py [--seconds N] [--jobs N] [--out FILE] PACKAGE...

Each kernel gets N seconds (60) of the processor. A line per kernel goes to FILE, as JSON. No GPU is needed: while the packages
are imported, Triton's driver is one that names a GPU and does nothing.
"""
import argparse
import collections
import importlib
import json
import os
import re
import sys
import time
import warnings

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # which Triton 3.9 asks for
warnings.simplefilter("ignore")

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver

import layoutcheck as lc

LAWS = ["accesses", "race-free", "distinct-stores"]


class DriverWithoutGpu:
    """What modules ask Triton's driver about while they are imported."""

    class utils:
        @staticmethod
        def get_device_properties(_):
            return {"multiprocessor_count": 132, "max_shared_mem": 232448, "warpSize": 32, "max_num_regs": 65536}

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_device_interface(self):
        return torch.cuda

    def get_benchmarker(self):
        return lambda *_, **__: [0.0]


def prepare():
    """Lets packages be imported that refuse a machine without a GPU."""
    driver.set_active(DriverWithoutGpu())
    torch.cuda.get_device_capability = lambda *_: (9, 0)
    torch.cuda.get_device_name = lambda *_: "a GPU that is not there"
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0


def cause(reason):
    """Returns a reason without what differs by kernel: lines, names and numbers."""
    reason = re.sub(r"\b[\w./]+\.py:[0-9]+(:[0-9]+)?", "FILE", reason.split("\n")[0])
    reason = re.sub(r"(?<=of )\w+(?= (at|was|is))|'[^']*'|^\w+(?= (does not|stores))", "...", reason)
    return re.sub(r"-?\b[0-9]+\b", "N", reason)[:110]


def as_json(kernel):
    verdicts = [{"law": result.law, "verdict": result.verdict, "reason": result.reason, "where": result.where,
                 "counterexample": result.counterexample, "right_while": result.right_while,
                 "seconds": result.seconds} for result in kernel.answer.results]
    return {"kernel": kernel.name, "outcome": kernel.outcome, "reason": kernel.reason, "assumed": kernel.assumed,
            "seconds": kernel.seconds, "verdicts": verdicts}


def last_verdicts(kernel):
    """Returns the last verdict per law: that with the stronger assumptions where the first is a refutation."""
    return {result.law: result for result in kernel.answer.results}


def table(name, kernels, seconds):
    """Returns the lines about one package."""
    outcomes = collections.Counter(kernel.outcome for kernel in kernels)
    asked = [kernel for kernel in kernels if kernel.outcome in ("asked", "out of time")]  # each was read
    compiled = len(asked) + outcomes["not read"] + outcomes["crashed"]
    lines = [f"{name}: {compiled + outcomes['not compiled']} kernels, {compiled} compiled, {len(asked)} read, "
             f"{outcomes['not imported']} modules not imported, {seconds:.0f} s",
             f"  {'law':<34} {'proved':>7} {'refuted':>8} {'unknown':>8} {'no time':>8}"]
    for law in LAWS:
        first = collections.Counter()
        last = collections.Counter()
        for kernel in asked:
            verdicts = [result.verdict for result in kernel.answer.results if result.law == law]
            first[verdicts[0] if verdicts else "no time"] += 1
            last[verdicts[-1] if verdicts else "no time"] += 1
        for text, counts in ((law, first), (f"{law}, strides >= sizes", last)):
            if text == law or law != "accesses":
                row = [counts[verdict] for verdict in ("proved", "refuted", "unknown", "no time")]
                lines.append(f"  {text:<34} {row[0]:>7} {row[1]:>8} {row[2]:>8} {row[3]:>8}")
    for title, reasons in (("not imported, compiled or read", [
            f"{kernel.outcome}: {cause(kernel.reason)}" for kernel in kernels if kernel not in asked]),
            ("unknown", [f"{result.law}: {cause(result.reason)}" for kernel in asked
                         for result in last_verdicts(kernel).values() if result.verdict == "unknown"])):
        lines += [f"  {title}:"] if reasons else []
        lines += [f"  {count:>6}  {reason}" for reason, count in collections.Counter(reasons).most_common(12)]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out")
    options = parser.parse_args()
    prepare()
    with open(options.out or os.devnull, "w") as out:
        for name in options.packages:
            begin = time.monotonic()
            count = 0

            def done(kernel):
                nonlocal count
                count += 1
                print(json.dumps(as_json(kernel)), file=out, flush=True)
                print(f"\r{name}: {count} kernels", end="", file=sys.stderr, flush=True)

            package = importlib.import_module(name)
            kernels = lc.triton.scan(package, seconds=options.seconds, jobs=options.jobs, done=done)
            print(file=sys.stderr)
            print(*table(name, kernels, time.monotonic() - begin), sep="\n", flush=True)


if __name__ == "__main__":
    main()
