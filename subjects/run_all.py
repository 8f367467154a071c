#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the laws of every installed implementation, looks for the faults that are public knowledge, changes the answers of
the fast ones (accepted_differences_test, if it was built) and expects findings, and runs the recorded findings again. Ends with
one table. Differences that corpus/known/ accepts are counted, not reported.

usage: run_all.py LAYOUTCHECK [SECONDS] [--seed N] [--out DIR]

SECONDS (60) is the time per subject and job. The runs' other output is in DIR/SUBJECT/*/log. Exit 0: nothing is new, and every
public fault was found again. 1: the table shows why. 2: the arguments or the program cannot be used.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLIC_FAULTS = ROOT / "subjects" / "public_faults.json"
# The kinds of text per implementation that has a parser.
KINDS = {"xla": ["shape", "layout", "instruction"]}
# Files of layouts for subjects that decline most random layouts.
LAYOUTS = {"mosaic": "powers_of_two.txt", "onednn": "onednn_tags.txt", "triton": "powers_of_two.txt"}
# The laws that are checked on those layouts, if all laws would take minutes.
LAWS_ON_LAYOUTS = {"onednn": ["linear-index", "relayout", "relayout-back", "sizes"]}
SECONDS_FOR_A_PUBLIC_FAULT = 60
# The exit code of xla/compare_modules.py without jax.
NOTHING_COMPARED = 2
# Subjects with accepted differences that answer fast enough to be asked some hundred thousand questions.
CHANGED = ["catlass", "catlass-tags", "cute-cpp-dynamic", "mlir-affine", "mlir-memref", "onednn", "pycute", "tensor-layouts", "tvm", "xla"]
# A subject that compiles a program per answer may need more than the default on a busy machine.
SUBJECT_TIMEOUT = "60s"


def json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def run(command, log):
    """Runs the program and returns the JSON lines that it prints; its standard error goes to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "w", encoding="utf-8") as errors:
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"run_all.py: {' '.join(map(str, command))} ended with {done.returncode}:\n{log.read_text()}")
    return json_lines(done.stdout)


def known_of(options, subject):
    # The longest matching name counts: mlir-affine-19.1.7.jsonl belongs to mlir-affine, not to mlir.
    for file in sorted((ROOT / "corpus" / "known").glob(f"{subject}-*.jsonl")):
        if max((name for name in options.subjects if file.name.startswith(name + "-")), key=len) == subject:
            return ["--known", file]
    return []


def check(options, subject):
    """Runs `check` on random layouts and on those of LAYOUTS. Returns rows (law, cases, findings, known, declined), one per law
    that was asked."""
    command = [options.layoutcheck, "check", "--subject", subject, "--time", f"{options.seconds}s", "--json",
               "--seed", options.seed, "--subject-timeout", SUBJECT_TIMEOUT, *known_of(options, subject)]
    out = options.out / subject / "check"
    runs = [run([*command, "--out", out], out / "log")]
    if subject in LAYOUTS:
        layouts = (ROOT / "corpus" / "layouts" / LAYOUTS[subject]).read_text().split()
        out = options.out / subject / "check-layouts"
        laws = [part for law in LAWS_ON_LAYOUTS.get(subject, []) for part in ("--law", law)]
        runs.append(run([*command, *laws, "--out", out, *layouts], out / "log"))
    found = [line["law"] for lines in runs for line in lines[:-1]]
    laws = {law for lines in runs for law in lines[-1]["by_law"]}
    rows = []
    for law in sorted(laws):
        tallies = [lines[-1]["by_law"][law] for lines in runs if law in lines[-1]["by_law"]]
        total = {member: sum(tally[member] for tally in tallies) for member in tallies[0]}
        cases = total["agreed"] + total["disagreed"]
        if cases + found.count(law) > 0:
            rows.append((law, cases, found.count(law), total["known"], total["declined"]))
    never = set(found) - laws
    return rows + [(law, "", found.count(law), "", "") for law in sorted(never)]


def fuzz(options, subject, kind):
    out = options.out / subject / f"fuzz-{kind}"
    command = [options.layoutcheck, "fuzz", "--subject", subject, "--kind", kind, "--time", f"{options.seconds}s"]
    total = run([*command, "--json", "--seed", options.seed, "--out", out, *known_of(options, subject)], out / "log")[-1]
    return (f"fuzz {kind}", total["cases"], total["findings"], total["known"], total["declined"])


def look_for(options, fault):
    """Looks for a fault that is public knowledge. Returns (seconds, finding); the finding is None if time ran out."""
    out = options.out / "public" / fault["name"].replace(" ", "-")
    file = out / "findings.jsonl"
    file.unlink(missing_ok=True)
    start = time.monotonic()
    command = [options.layoutcheck, *fault["command"], "--time", f"{SECONDS_FOR_A_PUBLIC_FAULT}s", "--out", out]
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               cwd=ROOT)
    try:
        ended = False
        while not ended:
            ended = process.poll() is not None
            for finding in json_lines(file.read_text() if file.exists() else ""):
                if all(text in str(finding.get(member, "")) for member, text in fault["finding"].items()):
                    return time.monotonic() - start, finding
            time.sleep(0.1)
    finally:
        process.terminate()
        process.wait()
    return time.monotonic() - start, None


def changed_answers(options, available):
    """Changes the answers of installed subjects, with their accepted differences in use. Returns a line about it, and whether every
    change was reported."""
    program = options.layoutcheck.parent.parent / "fuzz" / "accepted_differences_test"
    names = " ".join(subject for subject in CHANGED if subject in available)
    if not program.exists() or not names:
        return "changed answers: not tested", True
    log = options.out / "changed_answers.log"
    with open(log, "w", encoding="utf-8") as output:
        code = subprocess.run([program], stdout=output, stderr=subprocess.STDOUT, cwd=ROOT,
                              env=dict(os.environ, LAYOUTCHECK_SUBJECTS=names)).returncode
    return f"changed answers of {names}: {'all reported' if code == 0 else f'some hidden, see {log}'}", code == 0


def modules_of_xla(options):
    """Compares scanned modules with XLA. Returns a line about it, and whether there is no difference."""
    log = options.out / "xla" / "modules.log"
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        return "modules of XLA: not compared, there is no .venv", True
    log.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([python, ROOT / "subjects" / "xla" / "compare_modules.py", options.layoutcheck],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log.write_text(done.stdout)
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else f"modules of XLA: ended with {done.returncode}"
    if done.returncode == 0:
        return last, True
    if done.returncode == NOTHING_COMPARED:
        return f"modules of XLA: not compared, see {log}", True
    return f"{last}, see {log}", False


def table(head, rows):
    rows = [tuple(map(str, row)) for row in [head, *rows]]
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    for row in rows:
        cells = [cell.rjust(width) if cell.isdigit() or cell in head[2:] else cell.ljust(width)
                 for cell, width in zip(row, widths)]
        print("  ".join(cells).rstrip())
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layoutcheck", type=pathlib.Path)
    parser.add_argument("seconds", type=int, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "layoutcheck-out")
    options = parser.parse_args()
    options.layoutcheck = options.layoutcheck.resolve()
    listed = run([options.layoutcheck, "subjects", "--json"], options.out / "subjects.log")
    subjects = [line for line in listed if line["subject"] not in ("reference", "exec:COMMAND", "lib:FILE.so")]
    options.subjects = [line["subject"] for line in subjects]
    available = [line["subject"] for line in subjects if line["available"]]

    rows = []
    for subject in available:
        print(f"{subject}: {options.seconds} s for the laws ...", file=sys.stderr)
        rows += [(subject, *row) for row in check(options, subject)]
        for kind in KINDS.get(subject, []):
            print(f"{subject}: {options.seconds} s for the {kind} parser ...", file=sys.stderr)
            rows.append((subject, *fuzz(options, subject, kind)))
    new = sum(row[3] for row in rows)

    public = []
    missed = 0
    for fault in json.loads(PUBLIC_FAULTS.read_text()):
        subject = fault["command"][fault["command"].index("--subject") + 1]
        if subject not in available:
            public.append((subject, fault["name"], "not installed", "", fault["reference"]))
            continue
        seconds, finding = look_for(options, fault)
        missed += finding is None
        witness = "" if finding is None else (finding.get("witness") or {}).get("text", finding["layout"])
        public.append((subject, fault["name"], f"{seconds:.1f} s" if finding else "NOT FOUND",
                       witness if len(witness) < 60 else witness[:57] + "...", fault["reference"]))

    print("changed answers ...", file=sys.stderr)
    changed, all_reported = changed_answers(options, available)
    print("modules of XLA ...", file=sys.stderr)
    modules, modules_agree = modules_of_xla(options)
    recorded = subprocess.run([sys.executable, str(ROOT / "subjects" / "findings" / "rerun.py")], stdout=subprocess.PIPE,
                              text=True)
    print()
    table(("subject", "law", "cases", "findings", "known", "declined"), rows)
    table(("subject", "public fault", "found after", "smallest input", "reference"), public)
    for line in subjects:
        if not line["available"]:
            print(f"{line['subject']}: {line['description']}")
    print(changed)
    print(modules)
    print(recorded.stdout.strip())
    print(f"findings and logs: {options.out}")
    print(f"{len(available)} of {len(subjects)} subjects, {new} new findings, {len(public)} public faults, "
          f"{missed} of them not found again")
    return 1 if new or missed or not all_reported or not modules_agree or recorded.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
