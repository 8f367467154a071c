#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of CATLASS as a subject: headers of the checkout that CATLASS_HOME names, compiled by g++ for the host. The
program catlass_main.cc answers; it is compiled once per state of the headers.

usage: catlass_subject.py tla|tags [--build]     (--build: compile the program and exit)

`tla` is include/tla, the subject catlass. `tags` are the older classes of include/catlass/layout, the subject catlass-tags.
"""

import hashlib
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "python"))

from shape_stride import leaves, shape_and_stride, tuples  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

SOURCES = [FOLDER / "catlass_main.cc", FOLDER / "device_types.h"]
FOLDERS_OF_HEADERS = ["include/tla", "include/catlass"]
MAX_ELEMENTS = 1 << 16
# CATLASS's types for run-time integers: extents and coordinates, and strides.
MAX_EXTENT = (1 << 32) - 1


def checkout():
    """Returns the folder of CATLASS. Ends the program, saying what to do, if there is none."""
    home = pathlib.Path(os.environ.get("CATLASS_HOME", ""))
    if not (home / "include/tla/layout.hpp").is_file():
        sys.exit("catlass_subject.py: CATLASS_HOME must name a checkout of CATLASS, in which include/tla/layout.hpp is")
    return home


def compiler():
    found = next(filter(None, map(shutil.which, ["g++-12", "g++"])), None)
    if found is None:
        sys.exit("catlass_subject.py: there is no g++ to compile CATLASS's headers with")
    return found


def version(home, headers):
    """Returns the newest version that the change log names, and the start of the headers' digest."""
    text = "".join(path.read_text(errors="replace") for path in [home / "CHANGELOG_en.md", home / "CHANGELOG.md"]
                   if path.is_file())
    named = re.search(r"CATLASS (\d+\.\d+\.\d+)", text)
    return f"{named[1] if named else 'unknown'}, headers {headers[:8]}"


def digest(home):
    """Returns the digest of the names and contents of all headers."""
    state = hashlib.sha256()
    for folder in FOLDERS_OF_HEADERS:
        for path in sorted((home / folder).rglob("*.h*")):
            state.update(f"{path.relative_to(home)}\n".encode() + path.read_bytes())
    return state.hexdigest()


def cache():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "layoutcheck"


def program(home, headers):
    """Returns the path of the compiled program. Compiles it if it does not exist, which takes about 4 s of a core."""
    command = [compiler(), "-std=c++17", "-w", "-O0", "-include", str(SOURCES[1])]
    sources = "".join(path.read_text() for path in SOURCES)
    name = hashlib.sha256(f"{headers} {command} {sources}".encode()).hexdigest()[:16]
    path = cache() / f"catlass-{name}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = pathlib.Path(folder) / "program"
            done = subprocess.run([*command, f"-isystem{home / 'include'}", SOURCES[0], "-o", made], capture_output=True,
                                  text=True)
            if done.returncode != 0:
                error = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[-300:])
                sys.exit(f"catlass_subject.py: CATLASS's headers do not compile: {error}")
            made.rename(path)
    return path


def nesting(shape):
    return "(" + ",".join(map(nesting, shape)) + ")" if isinstance(shape, tuple) else "n"


def integer(text):
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise Unsupported("only integers from 0 to 10^18 as sizes and widths")
    return text


def tag_of(text):
    if not re.fullmatch(r"\w+", text):
        raise Unsupported("no such tag")
    return text


class Program:
    """The running program. Each function answers one operation of the protocol."""

    def __init__(self, path, side):
        self.path, self.side = path, side
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, [self.side, *words])) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            code = self.process.wait()
            self.start()
            raise RuntimeError(f"CATLASS ended the program: {signal.strsignal(-code) if code < 0 else code}")
        if answer.startswith("-") and not answer[1:].isdigit():
            raise Unsupported(answer[1:])
        return answer

    def make(self, request):
        numbers = [integer(str(request[name])) for name in ("element_bits", "rows", "columns")]
        return {"layout": self.ask("make", tag_of(request["tag"]), *numbers)}

    def layout(self, text):
        """Returns the words for a layout: nesting, extents, strides."""
        shape, stride = shape_and_stride(text)
        if not isinstance(shape, tuple):
            shape, stride = (shape,), (stride,)
        if any(not 0 <= extent <= MAX_EXTENT for extent in leaves(shape)):
            raise Unsupported("extents are uint32_t")
        return [nesting(shape), *leaves(shape), *leaves(stride)]

    def offset(self, request):
        if any(not 0 <= index <= MAX_EXTENT for index in request["coordinate"]):
            raise Unsupported("coordinates are uint32_t")
        shape, _ = shape_and_stride(request["layout"])
        if len(request["coordinate"]) != (len(shape) if isinstance(shape, tuple) else 1) or 0 in leaves(shape):
            raise Unsupported("only one index per mode, of layouts that have elements")
        return {"offset": int(self.ask("at", *self.layout(request["layout"]), *request["coordinate"]))}

    def table(self, request):
        words = self.layout(request["layout"])
        if math.prod(leaves(shape_and_stride(request["layout"])[0])) > MAX_ELEMENTS:
            raise Unsupported("too large for a table")
        answer = self.ask("table", *words)
        return {"offsets": [int(offset) for offset in answer[1:-1].split(",") if offset]}

    def size(self, request):
        return {"elements": int(self.ask("elements", *self.layout(request["layout"])))}

    def apply(self, request):
        name, arguments = request["function"], [str(argument) for argument in request["arguments"]]
        if name == "tag_offset" and len(arguments) == 5:
            *sizes, coordinate = arguments
            index = tuples(coordinate)
            index = index if isinstance(index, tuple) else (index,)
            return {"value": int(self.ask("offset", tag_of(sizes[0]), *map(integer, sizes[1:]), *leaves(index)))}
        if name == "tag_capacity" and len(arguments) == 4:
            return {"value": int(self.ask("capacity", tag_of(arguments[0]), *map(integer, arguments[1:])))}
        raise Unsupported(f"no function {name}")


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("tla", "tags"):
        sys.exit(__doc__)
    home = checkout()
    headers = digest(home)
    path = program(home, headers)
    if "--build" in sys.argv:
        return
    answers = Program(path, sys.argv[1])
    operations = {"make": answers.make, "apply": answers.apply}
    if sys.argv[1] == "tla":
        operations |= {"offset": answers.offset, "table": answers.table, "size": answers.size}
    serve(
        {
            "name": "catlass" if sys.argv[1] == "tla" else "catlass-tags",
            "version": version(home, headers),
            "notations": ["shape-stride"],
            "limits": {"max_rank": 3, "max_tiles": 1, "max_table_elements": MAX_ELEMENTS},
        },
        operations,
    )


if __name__ == "__main__":
    main()
