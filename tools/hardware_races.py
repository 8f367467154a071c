#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random kernels on a GPU and holds them against what they do by definition.

  tools/hardware_races.py [WRITER] [--kernels N] [--arch sm_90] [--nvcc NVCC] [--folder FOLDER]

WRITER is the program write_random_kernels, which prints the kernels; nvcc compiles them into FOLDER. Without WRITER,
the program that was compiled there before is run. Kernels without races must store what they store by definition, in each of 20
runs. Where compute-sanitizer is installed, its racecheck must find hazards in shared memory only in kernels that race
there. It does not find all: the compiler removes accesses whose results nobody uses. Exit codes: 0 all is so, 1 it is
not, 2 it could not be tried.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build(arguments):
    """Writes the kernels and compiles them. Returns an error or nothing."""
    arguments.folder.mkdir(parents=True, exist_ok=True)
    command = [arguments.writer, "1", str(arguments.kernels)]
    with (arguments.folder / "kernels.inc").open("w") as file:
        if subprocess.run(command, stdout=file, check=False).returncode:
            return "the kernels were not written"
    command = [arguments.nvcc, "-std=c++17", "-arch", arguments.arch, f"-I{arguments.folder}", "-w"]
    command += ["-o", arguments.folder / "races", ROOT / "tools/hardware_races.cu"]
    return "nvcc does not compile them" if subprocess.run(command, check=False).returncode else None


def hazards(program, sanitizer, log):
    """Returns the names of the kernels in which racecheck finds a hazard, or nothing if it fails."""
    command = [sanitizer, "--tool", "racecheck", "--racecheck-report", "hazard", "--print-limit", "0"]
    done = subprocess.run([*command, program, "--once"], capture_output=True, text=True, check=False)
    log.write_text(done.stdout + done.stderr)
    if "RACECHECK SUMMARY" not in done.stdout + done.stderr:
        return None
    return hazards_in(done.stdout + done.stderr)


def hazards_in(text):
    """Returns the names of kernels in a report of racecheck."""
    found, is_hazard = set(), False
    for line in text.splitlines():
        if "hazard detected" in line.lower() or "race reported" in line.lower():
            is_hazard = True
        if is_hazard and (name := re.search(r"\b(k[0-9]+)\(", line)):
            found.add(name[1])
            is_hazard = False
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("writer", nargs="?")
    parser.add_argument("--kernels", type=int, default=500)
    parser.add_argument("--arch", default="native")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/hardware")
    parser.add_argument("--only-build", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    if arguments.writer and (error := build(arguments)):
        print(error, file=sys.stderr)
        return 2
    if arguments.only_build:
        return 0
    program = arguments.folder / "races"
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    lines = [line.split(maxsplit=2) + [""] for line in done.stdout.splitlines()]
    kinds = {kind: [line for line in lines if line[1] == kind] for kind in ("right", "wrong", "racy", "failed")}
    if not lines or kinds["failed"]:
        print(done.stdout[-300:], done.stderr[-300:], file=sys.stderr)
        return 2
    for name, _, details, *_ in kinds["wrong"]:
        print(f"{name}: {details}")
    differing = sum("differs" in line[2] for line in kinds["racy"])
    print(
        f"{len(kinds['right'])} kernels without races store what they should, {len(kinds['wrong'])} do not; of "
        f"{len(kinds['racy'])} that race, {differing} give different results in 20 runs"
    )
    wrong = len(kinds["wrong"])
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    if sanitizer is None:
        print("compute-sanitizer is not installed: hazards were not compared")
        return 1 if wrong else 0
    found = hazards(program, sanitizer, arguments.folder / "racecheck.txt")
    if found is None:
        print("racecheck failed: see racecheck.txt")
        return 2
    expected = {line[0] for line in kinds["racy"] if line[2].startswith("shared")}
    for name in sorted(found - expected):
        print(f"{name}: racecheck finds a hazard, and by definition there is none")
    print(f"racecheck finds hazards in {len(found & expected)} of {len(expected)} kernels that race in shared memory")
    return 1 if wrong or found - expected else 0


if __name__ == "__main__":
    sys.exit(main())
