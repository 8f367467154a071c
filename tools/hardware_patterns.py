# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the passes of shared memory that layoutcheck states with those that a GPU counts, or with its times."""
import csv
import json
import pathlib
import shutil
import subprocess
import sys

from hardware_kernels import run

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTERS = {
    "LoadPattern": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "StorePattern": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}


def stated_passes(layoutcheck, pattern):
    access = f"addresses {','.join(map(str, pattern['addresses']))} {pattern['bytes']} bytes"
    stated = json.loads(run([layoutcheck, "show", "--access", access, "--json"]))["access"]
    return stated["load_passes"], stated["store_passes"]


def counted_passes(program, file):
    """Returns the passes of load and store of each pattern as ncu counts them, or None if it may not."""
    if not shutil.which("ncu"):
        return None
    command = ["ncu", "--csv", "--metrics", ",".join(COUNTERS.values()), program, "patterns", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"ncu: {(done.stdout + done.stderr).strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return read_counters(done.stdout)


def read_counters(text):
    """Returns the passes of each pair of kernels in ncu's CSV."""
    rows = csv.DictReader(line for line in text.splitlines() if line.startswith('"'))
    passes = {"LoadPattern": [], "StorePattern": []}
    for row in rows:
        for kernel, counter in COUNTERS.items():
            if kernel in row["Kernel Name"] and row["Metric Name"] == counter:
                passes[kernel].append(int(float(row["Metric Value"].replace(",", ""))))
    return list(zip(*passes.values()))


def pattern_differences(patterns, stated, counted):
    """Returns how counted passes differ from the stated ones."""
    if len(stated) != len(counted):
        return [f"{len(counted)} patterns were counted, not {len(stated)}"]
    return [
        f"{pattern['bytes']} bytes at {pattern['addresses']}: {seen[0]} and {seen[1]} passes of load and store, and "
        f"layoutcheck has {said[0]} and {said[1]}"
        for pattern, said, seen in zip(patterns, stated, counted)
        if tuple(said) != tuple(seen)
    ]


def timing_differences(patterns, stated, cycles):
    """Returns the patterns whose cycles are not in proportion to their passes. The first pattern has no conflicts. A
    load also takes the time of writing its registers, so that fewer passes than stated may not be seen."""
    if len(cycles) != len(stated) + 1:
        return [f"{len(cycles)} patterns were timed, not {len(stated) + 1}"]
    wrong = []
    for pattern, said, seen in zip(patterns, stated, cycles[1:]):
        ratios = [count / first for count, first in zip(seen, cycles[0])]
        most = max(said[0], pattern["bytes"] // 4), said[1]
        if not all(0.75 * passes <= ratio <= 1.25 * limit for ratio, passes, limit in zip(ratios, said, most)):
            wrong.append(
                f"{pattern['bytes']} bytes at {pattern['addresses']}: load and store take {ratios[0]:.2f} and "
                f"{ratios[1]:.2f} times as long as without conflicts, and layoutcheck has {said[0]} and {said[1]} "
                "passes"
            )
    return wrong


def check_patterns(layoutcheck, program, folder):
    """Returns the passes that layoutcheck states, false ones, a function that says how passes differ from those of the
    GPU, and how these were found."""
    patterns = [json.loads(line) for line in (ROOT / "corpus/vectors/bank_passes.jsonl").read_text().splitlines()]
    file = folder / "patterns.txt"
    lines = lambda some: "".join(f"{one['bytes']} {' '.join(map(str, one['addresses']))}\n" for one in some)
    file.write_text(lines(patterns))
    counted = counted_passes(program, file)
    stated = [stated_passes(layoutcheck, pattern) for pattern in patterns]
    if counted is not None:
        false = [(load + 1, store + 1) for load, store in stated]
        return stated, false, lambda said: pattern_differences(patterns, said, counted), "counted by ncu"
    file.write_text(lines([{"bytes": 4, "addresses": range(0, 128, 4)}, *patterns]))
    cycles = [tuple(map(int, line.split())) for line in run([program, "timing", file]).decode().splitlines()]
    false = [(2 * load + 1, 2 * store + 1) for load, store in stated]
    return (
        stated,
        false,
        lambda said: timing_differences(patterns, said, cycles),
        "by their time, as ncu does not count",
    )
