#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes certificates of the corpus, checks them with both checkers, and prints one table of sizes and times.

  tools/certificate_table.py LAYOUTCHECK FOLDER

Proves corpus/tiles, corpus/formulas/right.jsonl and, of corpus/kernels and corpus/triton, every twelfth question (all
with LAYOUTCHECK_NIGHTLY=1), on one processor, and writes FOLDER/SET.cert per set. A law of a kernel has many
certificates, which count as one. Columns: proved claims; those with a certificate, those that are Z3's answer alone;
bytes of a certificate; seconds of all proofs that have one, seconds of finding their steps and what part of the proofs'
that is, seconds in which each checker checks the set. Exit code: 0 all certificates are accepted, 1 a checker refuses
one or a claim that is not about a kernel has none.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

FIRST = "layoutcheck certificate 1\n"
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECKER = [sys.executable, "-B", str(ROOT / "tools" / "verify_certificate.py")]


def prove(layoutcheck, arguments, file):
    """Returns the results of a run of prove, and its certificates."""
    command = [layoutcheck, "prove", *arguments, "--json", "--certificate", file]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    results = [json.loads(line) for line in run.stdout.splitlines()]
    has_one = any("certificate" in result for result in results)
    return results, [FIRST + text for text in file.read_text().split(FIRST)[1:]] if has_one else []


def kernels(folder):
    """Returns the arguments with which the laws of the kernels of a folder of the corpus are proved."""
    questions = []
    rows = (ROOT / "corpus" / folder / "manifest.jsonl").read_text().splitlines()
    for row in map(json.loads, rows[::1 if os.environ.get("LAYOUTCHECK_NIGHTLY") else 12]):
        question = ["--kernel", str(ROOT / "corpus" / folder / row["file"])]
        row["array"] = [f"{name}={layout}" for name, layout in row["arrays"].items()]
        row["law"] = row.get("laws", [])
        row["max-bytes"] = row.get("max_bytes", "")
        for option in ("function", "args", "grid", "block", "shared", "max-bytes"):
            question += [f"--{option}", str(row[option])] if row.get(option) else []
        for option in ("array", "assume", "values", "source", "law"):
            question += [word for text in row.get(option, []) for word in (f"--{option}", text)]
        questions.append(question)
    return questions


def questions():
    """Yields the name of each set, and the arguments with which its claims are proved."""
    for path in sorted((ROOT / "corpus" / "tiles").glob("*.txt")):
        yield path.stem, [["--tiles", str(path), "--jobs", "1"]]
    formulas = []
    for line in (ROOT / "corpus" / "formulas" / "right.jsonl").read_text().splitlines():
        entry = json.loads(line)
        formulas.append([*([entry["layout"]] if "layout" in entry else []), "--formula", entry["formula"]])
        formulas[-1] += ["--equals", entry["equals"]] if "equals" in entry else []
        formulas[-1] += [word for condition in entry.get("assume", []) for word in ("--assume", condition)]
    yield "formulas", formulas
    for folder in ("kernels", "triton"):
        yield folder, kernels(folder)


def seconds_of_check(command, file, count):
    """Returns the seconds in which a checker accepts all certificates of the file, or ends the program."""
    begin = time.monotonic()
    run = subprocess.run([*command, file], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    if run.returncode != 0 or run.stdout.count("proved") != count:
        sys.exit(f"{' '.join(command)} {file}: expected {count} accepted certificates\n{run.stderr}")
    return seconds


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    layoutcheck, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{'set':8} {'proved':>7} {'certified':>9} {'solver only':>11} {'median B':>9} {'largest B':>9} "
          f"{'proofs s':>9} {'steps s':>8} {'part':>5} {'verify s':>9} {'Python s':>9}")
    missing = 0
    for name, runs in questions():
        file, results, certificates = folder / f"{name}.cert", [], []
        for arguments in runs:
            more_results, more = prove(layoutcheck, arguments, file)
            results += (result for result in more_results if result["verdict"] == "proved")
            certificates += more
        file.write_text("".join(certificates))
        certified = [result for result in results if "certificate" in result]
        sizes = [len(text.encode()) for text in certificates]
        proofs, steps = (sum(result[part] for result in certified) for part in ("seconds", "certificate_seconds"))
        checks = [seconds_of_check(command, file, len(certificates)) for command in ([layoutcheck, "verify"], CHECKER)]
        print(f"{name:8} {len(results):7} {len(certified):9} {sum('solver_only' in result for result in results):11} "
              f"{int(statistics.median(sizes)):9} {max(sizes):9} {proofs:9.2f} {steps:8.2f} {steps / proofs:5.2f} "
              f"{checks[0]:9.2f} {checks[1]:9.2f}", flush=True)
        for result in results:
            if "certificate" not in result:
                print(f"  {result.get('layout', '')} {result['law']}: {result['no_certificate']}")
        missing += len(results) - len(certified) if name not in ("kernels", "triton") else 0
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
