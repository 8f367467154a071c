#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the fragments of PTX and the passes of shared memory that layoutcheck states against a GPU.

  tools/hardware.py LAYOUTCHECK [--damage] [--nvcc NVCC] [--folder FOLDER]

Needs a GPU and nvcc; compiles hardware.cu into FOLDER. Of a fragment, one element at a time is 1 and all others are 0,
so that the product shows its row and column; what ldmatrix loads and stmatrix stores is numbered. For each pattern of
corpus/vectors/bank_passes.jsonl, ncu counts the passes. Without ncu, or where it may not count, the time of many
accesses is compared with that of accesses without conflicts. With --damage, two entries of each table are swapped and
each pattern has more passes, which must be noticed. Exit codes: 0 all is as stated (with --damage, all damage is
noticed), 1 it is not, 2 it could not be tried.
"""

import argparse
import pathlib
import shutil
import sys

from hardware_fragments import Machine, damaged, differences, tables_of
from hardware_kernels import instructions_inc, instructions_of, run
from hardware_patterns import check_patterns

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build(nvcc, folder):
    """Compiles hardware.cu for the GPU of this machine and prints its name. Returns the program and its instructions."""
    smi = (
        run(["nvidia-smi", "--query-gpu=compute_cap,driver_version", "--format=csv,noheader"]).decode().splitlines()[0]
    )
    capability, driver = smi.split(", ")
    version = tuple(map(int, capability.split(".")))
    instructions = instructions_of(version)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "instructions.inc").write_text(instructions_inc(instructions))
    program = folder / "hardware"
    arch = capability.replace(".", "") + ("a" if version >= (9, 0) else "")
    run(
        [
            nvcc,
            "-std=c++17",
            "-O2",
            "-gencode",
            f"arch=compute_{arch},code=sm_{arch}",
            f"-I{folder}",
            "-o",
            program,
            ROOT / "tools/hardware.cu",
        ]
    )
    print(f"{run([program, 'describe']).decode().strip()}, driver {driver}", flush=True)
    return program, instructions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layoutcheck")
    parser.add_argument("--damage", action="store_true")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/hardware")
    arguments = parser.parse_args()
    for program in (arguments.nvcc, "nvidia-smi", arguments.layoutcheck):
        if not shutil.which(program):
            print(f"{program} is missing: this needs a GPU of NVIDIA, nvcc and layoutcheck", file=sys.stderr)
            return 2
    program, instructions = build(arguments.nvcc, arguments.folder)
    machine, wrong, tables_tried = Machine(program), [], 0
    for one in instructions:
        tables = tables_of(arguments.layoutcheck, one)
        tables_tried += len(tables)
        if arguments.damage:
            wrong += [f"{name}: two swapped entries are not noticed" for name in damaged(machine, one, tables)]
        else:
            wrong += differences(machine, one, tables)
    stated, false, compare, how = check_patterns(arguments.layoutcheck, program, arguments.folder)
    if arguments.damage:
        noticed = len(compare(false))
        wrong += [f"false passes of {len(stated) - noticed} patterns are not noticed"] * (noticed < len(stated))
    else:
        wrong += compare(stated)
    for line in wrong[:50]:
        print(line)
    print(
        f"{tables_tried} fragments, {len(stated)} patterns {how}: "
        f"{len(wrong)} {'not noticed' if arguments.damage else 'differ'}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
