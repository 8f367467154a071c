#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weighs the project: how long a newcomer and a developer wait, and how many lines there are.

    tools/weight.py [--runs N] [--only ASPECT,...] [COMMIT...]

Clones each commit (HEAD) into an empty folder, measures there, without ccache, and prints one table with a column per commit: the
median of N (1) runs. Needs what .ci/setup installs; nothing else should run on the machine. All aspects of one commit take about an
hour; those that are measured together have one name. The aspects:
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

    def log(self) -> str:
        """What the last command printed."""
        return (self.folder / "weight.log").read_text()

    def change(self, file: str) -> None:
        with open(self.folder / file, "a") as text:
            text.write("// changed\n")

    def remove(self) -> None:
        shutil.rmtree(self.folder)


def overview(clone: Clone) -> list[float]:
    clone.clean()
    begin = time.monotonic()
    first = None
    with subprocess.Popen("./run", cwd=clone.folder, env=clone.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        for line in process.stdout:
            if first is None and line.startswith(("first verdict", "law ")):
                first = time.monotonic() - begin
    if process.returncode != 0 or first is None:
        raise RuntimeError("./run failed")
    return [first, time.monotonic() - begin]


def ci(clone: Clone) -> list[float]:
    clone.clean()
    return [clone.run(".ci/run")]


def test_dev(clone: Clone) -> list[float]:
    clone.clean()
    return [clone.run("./test", "dev")]


def change(clone: Clone) -> list[float]:
    if not (clone.folder / "build/dev/build.ninja").exists():
        clone.run("cmake", "--preset", "dev")
        clone.run("cmake", "--build", "--preset", "dev")
    clone.change("core/tiling/mixed_radix.cc")
    source = clone.run("cmake", "--build", "--preset", "dev", "--target", "tiling_test")
    source += clone.run("build/dev/core/tiling/tiling_test", "--gtest_brief=1")
    clone.change("core/base/error.h")
    header = clone.run("cmake", "--build", "--preset", "dev", "--target", "base_test")
    header += clone.run("build/dev/core/base/base_test", "--gtest_brief=1")
    return [source, header, header + clone.run("cmake", "--build", "--preset", "dev")]


def pip_install(clone: Clone) -> list[float]:
    clone.clean()
    clone.run(sys.executable, "-m", "venv", ".weight")
    return [clone.run(".weight/bin/pip", "install", "./python")]


def lines(clone: Clone) -> list[float]:
    files = clone.git("ls-files", *SOURCES).split()
    counted = [file for file in files if file.endswith((".cc", ".h", ".c")) and not file.endswith("_test.cc") and "/testing/" not in file]
    return [sum((clone.folder / file).read_bytes().count(b"\n") for file in counted)]


# Each is measured by one function, which gives several rows. `change` uses the build of `dev` if it comes behind it.
ASPECTS = {
    "run": (overview, ["./run until its first line about laws, s", "./run until its end, s"]),
    "ci": (ci, [".ci/run, s"]),
    "dev": (test_dev, ["./test dev, s"]),
    "change": (change, ["a change in core/tiling/mixed_radix.cc: its room's tests are built and run, s",
                        "a change in core/base/error.h: its room's tests are built and run, s",
                        "a change in core/base/error.h: everything is built, s"]),
    "pip": (pip_install, ["pip install ./python into a fresh virtual environment, s"]),
    "lines": (lines, ["lines of C++ outside tests (wc -l)"]),
}


def main() -> int:
    described = "\n".join(f"  {name:<8} {'; '.join(rows)}" for name, (_, rows) in ASPECTS.items())
    parser = argparse.ArgumentParser(description=__doc__ + described, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default=",".join(ASPECTS))
    parser.add_argument("commits", nargs="*", default=["HEAD"], metavar="COMMIT")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := [name for name in chosen if name not in ASPECTS]:
        parser.error(f"unknown aspect {unknown[0]}; expected some of {', '.join(ASPECTS)}")
    repository = pathlib.Path(__file__).resolve().parent.parent
    table: dict[str, list[str]] = {}
    for commit in options.commits:
        clone = Clone(repository, commit)
        for name in chosen:
            measure, rows = ASPECTS[name]
            for row, values in zip(rows, zip(*(measure(clone) for _ in range(options.runs)))):
                table.setdefault(row, []).append(f"{statistics.median(values):,.0f}")
                print(f"{commit} {row}: {table[row][-1]}", file=sys.stderr, flush=True)
        clone.remove()
    print(f"{'':<88}" + "".join(f"{commit[:12]:>14}" for commit in options.commits))
    for row, cells in table.items():
        print(f"{row:<88}" + "".join(f"{cell:>14}" for cell in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
