#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the reproducers of corpus/findings/ again and tells which ones still show the recorded behavior.

usage: rerun.py [--only TEXT] [FILE...]     (default: all files of corpus/findings/)

Each reproducer runs alone, in a process of its own: Python with the packages of requirements.txt, mlir-opt-19, or a C++
program. CUTLASS_HOME names a checkout of CUTLASS whose headers and Python layouts take the place of the packages', and
CATLASS_HOME the checkout of CATLASS. Exit 0: all that could run show the recorded behavior. 1: one does not. Findings whose implementation is not
installed are counted apart.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
TIMEOUT_SECONDS = 60

sys.path.insert(0, str(ROOT / "subjects" / "cute_cpp"))

from cute_headers import checkout, include_folders  # noqa: E402

# The file that stands in for the device toolkit of CATLASS.
DEVICE_TYPES = ROOT / "subjects" / "catlass" / "device_types.h"

CPP = {
    "c++/libc++": ["clang++-19", "-std=c++23", "-stdlib=libc++"],
    "c++/onednn": ["clang++-19", "-std=c++20"],
    "c++/cute": ["g++", "-std=c++17"],
    "c++/catlass": ["g++", "-std=c++17", "-w", "-include", str(DEVICE_TYPES)],
}
CPP_HEADERS = {
    "c++/libc++": "#include <array>\n#include <mdspan>\n#include <iostream>\n",
    "c++/onednn": "#include <dnnl.hpp>\n#include <iostream>\nusing dnnl::memory;\n",
    "c++/cute": "#include <cute/layout.hpp>\n#include <cute/layout_composed.hpp>\n#include <cute/swizzle_layout.hpp>\n"
                "#include <iostream>\nusing namespace cute;\n",
    "c++/catlass": "#include <iostream>\n#include <tla/tensor.hpp>\nusing namespace Catlass;\n"
                   "template <> struct Catlass::SizeOfBits<AscendC::int4b_t> { static constexpr size_t value = 4; };\n",
}
CPP_LIBRARIES = {"c++/libc++": [], "c++/onednn": ["-ldnnl"], "c++/cute": [], "c++/catlass": []}

HOMES = ("c++/cute", "c++/catlass")


def folders_of_headers(language):
    """Returns the folders with the headers that a language's compiler does not find by itself, or none if one is missing."""
    if language == "c++/cute":
        return include_folders(ROOT / ".venv")
    home = pathlib.Path(os.environ.get("CATLASS_HOME", ""))
    return [home / "include"] if (home / "include/tla/layout.hpp").is_file() else []


def missing(language):
    """Returns the software that this language needs and that is not installed; None if all is."""
    if language == "python":
        return None if PYTHON.exists() else ".venv (./run subjects)"
    if language == "python/torch":
        return None if any(ROOT.glob(".venv/lib/*/site-packages/torch")) else "PyTorch (subjects/dtensor/README.md)"
    if language == "python/mlir-opt" or language.startswith("mlir-opt"):
        return None if shutil.which("mlir-opt-19") else "mlir-opt-19"
    if language == "c++/cute":
        return None if folders_of_headers(language) else "CuTe's headers (./run subjects)"
    if language == "c++/catlass":
        return None if folders_of_headers(language) else "a checkout of CATLASS (CATLASS_HOME)"
    return None if shutil.which("clang++-19") else "clang++-19"


def run(finding, folder):
    """Runs the reproducer and returns (exit code, output). A negative code is the signal that ended it."""
    language, lines = finding["language"], finding["reproduce"]
    text = "\n".join(lines) + "\n"
    if language in ("python", "python/torch"):
        # pycute has no version of its own; the checkout's is found before the package's.
        prefix = f"import sys; sys.path.insert(0, {str(checkout() / 'python')!r})\n" if checkout() else ""
        command, stdin = [str(PYTHON), "-c", prefix + text], ""
    elif language == "python/mlir-opt":
        command, stdin = [sys.executable, "-c", text], ""
    elif language.startswith("mlir-opt"):
        command, stdin = ["mlir-opt-19", *language.split()[1:]], text
    else:
        source, program = folder / "a.cc", folder / "a.out"
        body = "\n  ".join(lines)
        includes = [f"-isystem{path}" for path in folders_of_headers(language)] if language in HOMES else []
        source.write_text(f"{CPP_HEADERS[language]}int main() {{\n  {body}\n}}\n")
        compiled = subprocess.run(
            [*CPP[language], *includes, str(source), "-o", str(program), *CPP_LIBRARIES[language]], capture_output=True,
            text=True)
        if compiled.returncode != 0:
            return compiled.returncode, "does not compile: " + compiled.stderr
        command, stdin = [str(program)], ""
    try:
        done = subprocess.run(command, input=stdin.encode(), capture_output=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"no end within {TIMEOUT_SECONDS} s"
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run the findings whose id contains TEXT")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    files = arguments.files or sorted((ROOT / "corpus" / "findings").glob("*.jsonl"))
    shown = changed = 0
    absent = {}
    for file in files:
        for line in file.read_text().splitlines():
            finding = json.loads(line)
            if arguments.only not in finding["id"]:
                continue
            if lacks := missing(finding["language"]):
                absent[lacks] = absent.get(lacks, 0) + 1
                continue
            with tempfile.TemporaryDirectory() as folder:
                code, output = run(finding, pathlib.Path(folder))
            wanted = finding["observed"]
            if code == wanted["exit"] and wanted["text"] in output:
                shown += 1
            else:
                changed += 1
                print(f"{finding['id']}: recorded exit {wanted['exit']} and {wanted['text']!r}; now exit {code} and "
                      f"{output.strip()[-300:]!r}")
    for lacks, count in sorted(absent.items()):
        print(f"{count} findings not run: {lacks} is not installed", file=sys.stderr)
    print(f"{shown} findings shown again, {changed} changed, {sum(absent.values())} not run")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
