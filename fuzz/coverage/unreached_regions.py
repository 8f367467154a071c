#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the regions of source files that nothing reached, each with the reason that fuzz/coverage/unreached_regions.txt gives.

  fuzz/coverage/unreached_regions.py EXPORT FILE...

EXPORT is the output of `llvm-cov export`, FILE a source file relative to the root of the project. Exit 1: a region has no
reason. fuzz/coverage/coverage.sh calls this script.
"""
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE_REGION = 0


def reasons():
    """Reads {(file, source line): reason} from lines `file: source line`, each followed by an indented reason."""
    found, key = {}, None
    with open(os.path.join(ROOT, "fuzz", "coverage", "unreached_regions.txt")) as file:
        for line in file:
            if line[0] not in "# \n":
                key = tuple(line.rstrip("\n").split(": ", 1))
            elif line[0] == " ":
                found[key] = line.strip()
    return found


def main():
    with open(sys.argv[1]) as file:
        functions = json.load(file)["data"][0]["functions"]
    counts = {}
    for function in functions:
        for begin, column, end, end_column, count, of_file, _, kind in function["regions"]:
            if kind == CODE_REGION:
                # The same region in another instance or program also counts.
                region = (function["filenames"][of_file], begin, column, end, end_column)
                counts[region] = max(counts.get(region, 0), count)
    why, unexplained = reasons(), 0
    for name in sys.argv[2:]:
        path = os.path.join(ROOT, name)
        regions = {region: count for region, count in counts.items() if region[0] == path}
        missed = sorted(region for region, count in regions.items() if count == 0)
        print(f"{name}: {len(regions) - len(missed)} of {len(regions)} regions "
              f"({100 * (len(regions) - len(missed)) / max(len(regions), 1):.1f} %)")
        with open(path) as file:
            lines = file.read().split("\n")
        for _, begin, column, _, _ in missed:
            line = lines[begin - 1].strip()
            reason = why.get((name, line))
            unexplained += reason is None
            print(f"  not reached, {begin}:{column}: {line}\n    {reason or 'no reason is known'}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
