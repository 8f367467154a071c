#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuTe's C++ headers as a subject, on layouts with run-time integers. The program cute_dynamic.cc has one instance of each
function per nesting; it is compiled once and answers thousands of requests per second.

usage: cute_cpp_dynamic_subject.py [--build]     (--build: compile the program and exit)
"""

import hashlib
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "python")]

from cute_cpp_subject import COMPILER, INCLUDES, VERSION, compiled_files  # noqa: E402
from shape_stride import leaves, shape_and_stride  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

SOURCE = FOLDER / "cute_dynamic.cc"
FLAGS = ["-std=c++17", "-w", *(f"-isystem{path}" for path in INCLUDES)]
# The largest integer of a request. CuTe computes with int, and results must fit.
MAX_INTEGER = 1 << 20
MAX_ELEMENTS = 1 << 12
OF_ONE = {"size", "cosize", "coalesce", "filter", "right_inverse", "nullspace"}
OF_A_NUMBER = {"complement": 1, "crd2idx": 0}  # the place of the number among the arguments
OF_TWO = {"composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product"}


def program():
    """Returns the path of the compiled program. Compiles it if it does not exist, which takes about 10 s of a core."""
    name = hashlib.sha256(f"{VERSION} {FLAGS} {SOURCE.read_text()}".encode()).hexdigest()[:16]
    path = compiled_files() / f"dynamic-{name}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = pathlib.Path(folder) / "program"
            subprocess.run([COMPILER, *FLAGS, SOURCE, "-o", made], check=True, capture_output=True)
            made.rename(path)
    return path


def nesting(shape):
    return "(" + ",".join(map(nesting, shape)) + ")" if isinstance(shape, tuple) else "n"


def number(text):
    if not re.fullmatch(r"_?[0-9]+", text):
        raise Unsupported("only integers as coordinates and sizes")
    return text.replace("_", "")


def words(text):
    """Returns a layout in the notation that the program reads: nesting, extents, strides."""
    if "<" in text or " o " in text:
        raise Unsupported("no swizzles")
    shape, stride = shape_and_stride(text)
    integers = leaves(shape) + leaves(stride)
    if any(abs(integer) > MAX_INTEGER for integer in integers):
        raise Unsupported("too large")
    return " ".join([nesting(shape), *map(str, integers)])


class Functions:
    def __init__(self):
        self.start()

    def start(self):
        self.process = subprocess.Popen([program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def table(self, request):
        shape, stride = map(leaves, shape_and_stride(request["layout"]))
        count = 1
        for extent in shape:
            count *= extent
        if not 1 <= len(shape) <= 3 or count > MAX_ELEMENTS:
            raise Unsupported("only one to three dimensions, and no more than 4096 elements")
        # CuTe counts with the first mode fastest; the table has the last one fastest.
        integers = shape[::-1] + stride[::-1]
        answer = self.ask(f"table ({','.join('n' * len(shape))}) {' '.join(map(str, integers))}")
        return {"offsets": [int(offset) for offset in answer[1:-1].split(",") if offset]}

    def apply(self, request):
        name, arguments = request["function"], [str(argument) for argument in request["arguments"]]
        line = [name]
        if name in OF_A_NUMBER and len(arguments) == 2:
            line.append(number(arguments.pop(OF_A_NUMBER[name])))
        elif len(arguments) != (1 if name in OF_ONE else 2) or name not in OF_ONE | OF_TWO:
            raise Unsupported(f"no function {name}")
        answer = self.ask(" ".join(line + [words(argument) for argument in arguments]))
        if answer.startswith("-") and not answer[1:].isdigit():
            raise Unsupported(answer[1:])
        return {"layout": answer} if ":" in answer else {"value": int(answer)}

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            code = self.process.wait()
            self.start()
            raise RuntimeError(f"CuTe ended the program: {signal.strsignal(-code)}")
        return answer


if __name__ == "__main__":
    if sys.argv[1:] == ["--build"]:
        program()
        sys.exit()
    functions = Functions()
    serve(
        {
            "name": "cute-cpp-dynamic",
            "version": VERSION,
            "notations": ["hlo", "shape-stride"],
            "limits": {"max_rank": 3, "max_tiles": 0, "max_table_elements": MAX_ELEMENTS},
        },
        {"table": functions.table, "apply": functions.apply},
    )
