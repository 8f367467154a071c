#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weighs the project: how long a newcomer and a developer wait, and how many lines there are.

    tools/weight.py [--runs N] [--only ASPECT,...] [COMMIT...]

Clones each commit (HEAD) into an empty folder, measures there, without ccache, and prints one table with a column per commit: the
median of N (1) runs. Needs what .ci/setup installs; nothing else should run on the machine. All aspects of one commit take about an
hour. The aspects:
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCES = ("json", "core", "solver", "properties", "fuzz", "subjects", "cli", "bench")


class Clone:
    def __init__(self, repository: pathlib.Path, commit: str):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="layoutcheck-weight-"))
        self.git("clone", "--quiet", str(repository), ".")
        self.git("checkout", "--quiet", commit)
        self.environment = dict(os.environ, CCACHE_DISABLE="1")

    def git(self, *arguments: str) -> str:
        return subprocess.run(("git", *arguments), cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def clean(self) -> None:
        self.git("checkout", "--quiet", "--", ".")
        self.git("clean", "--quiet", "-ffdx")

    def run(self, *command: str) -> float:
        """Runs a command and returns its seconds. Raises if it fails."""
        begin = time.monotonic()
        with open(self.folder / "weight.log", "w") as log:
            subprocess.run(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, check=True)
        return time.monotonic() - begin

    def change(self, file: str) -> None:
        with open(self.folder / file, "a") as text:
            text.write("// changed\n")

    def remove(self) -> None:
        shutil.rmtree(self.folder)


def first_verdict(clone: Clone) -> float:
    """./run until its first line about laws: "first verdict: ...", or the head of the table where it has no such line"""
    clone.clean()
    begin = time.monotonic()
    with subprocess.Popen("./run", cwd=clone.folder, env=clone.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        for line in process.stdout:
            if line.startswith(("first verdict", "law ")):
                seconds = time.monotonic() - begin
                process.terminate()
                return seconds
    raise RuntimeError("./run ended without a verdict")


def whole_run(clone: Clone) -> float:
    """./run from an empty folder to its end"""
    clone.clean()
    return clone.run("./run")


def test_dev(clone: Clone) -> float:
    """./test dev from an empty folder"""
    clone.clean()
    return clone.run("./test", "dev")


def ci(clone: Clone) -> float:
    """.ci/run from an empty folder"""
    clone.clean()
    return clone.run(".ci/run")


def pip_install(clone: Clone) -> float:
    """pip install ./python from an empty folder into a fresh virtual environment"""
    clone.clean()
    clone.run(sys.executable, "-m", "venv", ".weight")
    return clone.run(".weight/bin/pip", "install", "./python")


def built_dev(clone: Clone) -> None:
    clone.run("cmake", "--preset", "dev")
    clone.run("cmake", "--build", "--preset", "dev")


def one_source(clone: Clone) -> float:
    """a change in core/tiling/mixed_radix.cc: the tests of its room are built and run"""
    built_dev(clone)
    clone.change("core/tiling/mixed_radix.cc")
    return clone.run("cmake", "--build", "--preset", "dev", "--target", "tiling_test") + clone.run(
        "build/dev/core/tiling/tiling_test", "--gtest_brief=1")


def one_header(clone: Clone) -> float:
    """a change in core/base/error.h: everything is built"""
    built_dev(clone)
    clone.change("core/base/error.h")
    return clone.run("cmake", "--build", "--preset", "dev")


def lines(clone: Clone) -> float:
    """lines of C++ outside tests (wc -l)"""
    files = clone.git("ls-files", *SOURCES).split()
    counted = [file for file in files if file.endswith((".cc", ".h", ".c")) and not file.endswith("_test.cc") and "/testing/" not in file]
    return sum((clone.folder / file).read_bytes().count(b"\n") for file in counted)


ASPECTS = {
    "first-verdict": first_verdict,
    "run": whole_run,
    "test-dev": test_dev,
    "ci": ci,
    "pip": pip_install,
    "one-source": one_source,
    "one-header": one_header,
    "lines": lines,
}


def main() -> int:
    described = "\n".join(f"  {name:<14} {aspect.__doc__}" for name, aspect in ASPECTS.items())
    parser = argparse.ArgumentParser(description=__doc__ + described, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default=",".join(ASPECTS))
    parser.add_argument("commits", nargs="*", default=["HEAD"], metavar="COMMIT")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := [name for name in chosen if name not in ASPECTS]:
        parser.error(f"unknown aspect {unknown[0]}; expected some of {', '.join(ASPECTS)}")
    repository = pathlib.Path(__file__).resolve().parent.parent
    columns = []
    for commit in options.commits:
        clone = Clone(repository, commit)
        column = []
        for name in chosen:
            values = [ASPECTS[name](clone) for _ in range(1 if name == "lines" else options.runs)]
            column.append(f"{statistics.median(values):,.0f}" + ("" if name == "lines" else " s"))
            print(f"{commit} {name}: {column[-1]}", file=sys.stderr, flush=True)
        columns.append(column)
        clone.remove()
    print(f"{'':<80}" + "".join(f"{commit[:12]:>14}" for commit in options.commits))
    for row, name in enumerate(chosen):
        print(f"{ASPECTS[name].__doc__:<80}"[:120] + "".join(f"{column[row]:>14}" for column in columns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
