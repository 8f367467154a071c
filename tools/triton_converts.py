#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what `scan --kind ttgir` says about conversions between random layouts with the code that Triton makes of them: none,
shuffles, or shared memory. Fails if Triton does with less than `scan` says. Needs a wheel of triton, but no GPU.

  tools/triton_converts.py SEED COUNT [LAYOUTCHECK]
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "corpus", "triton"))
from compile_layouts import CUDA_90, stage_texts  # noqa: E402
from triton.experimental import gluon  # noqa: E402
from triton.experimental.gluon import language as gl  # noqa: E402

MEANS = ["nothing", "shuffles", "shared memory"]


@gluon.jit
def convert(in_ptr, out_ptr, FROM: gl.constexpr, TO: gl.constexpr, N: gl.constexpr):
    x = gl.load(in_ptr + gl.arange(0, N, FROM))
    gl.store(out_ptr + gl.arange(0, N, TO), gl.convert_layout(x, TO))


def draw_pair(draw):
    """Returns two layouts, each the images of registers, 5 bits of lanes and 2 of warps. They often differ in a part of the bits."""
    images = [1 << bit for bit in range(draw.choice([7, 8, 9, 10]))]
    draw.shuffle(images)
    before = [images[:-7], images[-7:-2], images[-2:]]
    if draw.random() < 0.2 and before[0]:
        before[0].append(before[1][0])  # two lanes hold the same elements
        before[1][0] = 0
    after = [list(part) for part in before]
    shared = draw.choice([1, 2, 3])  # registers, registers and lanes, or all are shuffled
    joined = [image for part in after[:shared] for image in part]
    draw.shuffle(joined)
    for part in range(shared):
        after[part], joined = joined[:len(after[part])], joined[len(after[part]):]
    return before, after, 1 << len(images)


def means_of_code(code):
    if re.search(r"(store|load)[^\n]*addrspace\(3\)|(st|ld)\.shared|stmatrix|ldmatrix", code):
        return "shared memory"
    return "shuffles" if "shfl.sync" in code else "nothing"


def main():
    draw = random.Random(int(sys.argv[1]))
    layoutcheck = sys.argv[3] if len(sys.argv) > 3 else "layoutcheck"
    counts = collections.Counter()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        codes = {}
        for number in range(int(sys.argv[2])):
            before, after, size = draw_pair(draw)
            layouts = [gl.DistributedLinearLayout(*[[[image] for image in part] for part in layout], [], [size])
                       for layout in (before, after)]
            element = draw.choice(["*fp32", "*fp16", "*i8"])
            texts = stage_texts(convert, CUDA_90, {"FROM": layouts[0], "TO": layouts[1], "N": size},
                                {"in_ptr": element, "out_ptr": element}, "llir")
            file = os.path.join(folder, f"{number}.ttgir")
            with open(file, "w") as text:
                text.write(texts["ttgir"])
            codes[file] = means_of_code(texts["llir"])
        lines = subprocess.run([layoutcheck, "scan", "--kind", "ttgir", folder, "--json"], capture_output=True, text=True)
        for row in map(json.loads, lines.stdout.splitlines()):
            if row["type"] == "convert":
                least = "shared memory" if row["warp_bytes"] else "shuffles" if row["lane_bytes"] else "nothing"
                code = codes.pop(row["file"])
                counts[least, code] += 1
                if MEANS.index(code) < MEANS.index(least):
                    failed = True
                    print(f"{row['from']} -> {row['to']}: scan says {least}, the code has {code}")
    for (least, code), count in sorted(counts.items()):
        print(f"{count:5} need {least}, have {code}")
    # Triton removes a conversion between equal layouts.
    print(f"{len(codes):5} without a conversion")
    return 1 if failed or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
