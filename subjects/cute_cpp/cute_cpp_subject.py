#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuTe's C++ headers as a subject. Every shape and stride is a type (Int<4>), so each request is a program of its own
that the compiler evaluates: the answer is the type that it names, and a static assertion that fails is a rejection. The
headers are those of the package nvidia-cutlass, or of the checkout of CUTLASS that CUTLASS_HOME names."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "python")]

from cute_headers import checkout, checkout_version, include_folders  # noqa: E402
from shape_stride import composed, leaves, shape_and_stride, text_of, tuples  # noqa: E402
from subject_protocol import Unsupported, serve  # noqa: E402

from importlib.metadata import version

COMPILER = next(filter(None, map(shutil.which, ["g++-12", "g++"])), None)
if COMPILER is None:
    sys.exit("cute_cpp_subject.py: there is no g++ to compile CuTe's headers with")

INCLUDES = include_folders(pathlib.Path(sys.prefix))
if not INCLUDES:
    sys.exit("cute_cpp_subject.py: CuTe's headers, or the CUDA headers that they include, are not there; `./run subjects` "
             "installs both, and CUTLASS_HOME may name a checkout of CUTLASS")
FLAGS = ["-std=c++17", "-w", "-fsyntax-only", "-ftemplate-depth=2000", "-fconstexpr-ops-limit=100000000",
         *(f"-isystem{path}" for path in INCLUDES)]
CUTE = checkout_version(checkout(), ["include/cute"]) if checkout() else f"nvidia-cutlass {version('nvidia-cutlass')}"
VERSION = f"{CUTE}, {pathlib.Path(COMPILER).name}"
# The compiler evaluates a table of this size in a second or two.
MAX_ELEMENTS = 1 << 10
SECONDS = 60

# Answer<...> is not defined, so that the compiler prints its arguments in an error.
HEADER = """
#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>
#include <cute/swizzle_layout.hpp>
using namespace cute;
template <class...> struct Answer;
template <auto...> struct Values {};
template <class L, int... I> auto values(std::integer_sequence<int, I...>) {
  constexpr L layout{};
  return Values<static_cast<long long>(layout(I))...>{};
}
"""


def compiled_files():
    """Returns the folder for what is compiled once: in the virtual environment, or else among the user's caches."""
    if sys.prefix != sys.base_prefix:
        return pathlib.Path(sys.prefix) / "cute"
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "layoutcheck" / "cute"


def precompiled():
    """Returns the folder with the headers, precompiled for this compiler and version; makes it if it does not exist."""
    name = hashlib.sha256(f"{VERSION} {FLAGS} {HEADER}".encode()).hexdigest()[:16]
    folder = compiled_files() / name
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = pathlib.Path(tempfile.mkdtemp(dir=folder.parent))
        (made / "cute.h").write_text(HEADER)
        flags = [flag for flag in FLAGS if flag != "-fsyntax-only"]
        subprocess.run([COMPILER, *flags, "-x", "c++-header", made / "cute.h"], check=True, capture_output=True)
        try:
            made.rename(folder)
        except OSError:  # another process was first
            shutil.rmtree(made)
    return folder


def compile_text(body):
    """Compiles a function with this body and returns the compiler's messages."""
    text = f"void request() {{ {body} }}\n"
    done = subprocess.run([COMPILER, *FLAGS, f"-I{precompiled()}", "-include", "cute.h", "-x", "c++", "-"], input=text,
                          capture_output=True, text=True, timeout=SECONDS)
    return done.stderr


class Rejected(Exception):
    """CuTe refuses the arguments."""


def evaluate(expression):
    """Returns the type of the expression as the compiler prints it. Raises Rejected if a static assertion fails or there is no
    such function for these arguments."""
    said = compile_text(f"Answer<std::decay_t<decltype({expression})>>{{}};")
    answer, problem = None, None
    for line in said.splitlines():
        if match := re.search(r"error: (.*)", line):
            if type_of := re.search(r"Answer<(.*)>[’']", match[1]):
                answer = answer or type_of[1].strip()
            else:
                problem = problem or match[1]
    if problem:
        raise Rejected(problem)
    if answer is None:
        raise RuntimeError(f"no answer of the compiler: {said.strip()[-300:]}")
    return answer


def integer(value):
    return f"Int<{value}>"


def type_of_tuple(value):
    return f"tuple<{', '.join(map(type_of_tuple, value))}>" if isinstance(value, tuple) else integer(value)


def type_of_layout(text):
    """Returns the C++ type of a layout, of a swizzle, or of both composed."""
    swizzle, offset, rest = composed(text)
    function = "Swizzle<{}, {}, {}>".format(*swizzle) if swizzle else None
    if function and not rest:
        return function
    shape, stride = shape_and_stride(rest)
    layout = f"Layout<{type_of_tuple(shape)}, {type_of_tuple(stride)}>"
    if function is None and offset == 0:
        return layout
    return f"ComposedLayout<{function or 'Swizzle<0, 4, 3>'}, {integer(offset)}, {layout}>"


def value_of(text):
    """Returns a C++ expression of an argument, which is an integer or a layout."""
    return (integer(int(text.replace("_", ""))) if re.fullmatch(r"_?-?[0-9]+", text) else type_of_layout(text)) + "{}"


_TOKEN = re.compile(r"\s*(?:cute::|std::|cuda::)*([A-Za-z_]\w*|-?\d+|[<>,])[uUlL]*\s*")


def read_type(text):
    """Reads a printed type into nested lists, ["Layout", ["tuple", ...], ...], with numbers as integers."""
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise Unsupported(f"no notation for {text}")
        tokens.append(match[1])
        position = match.end()
    position = 0

    def node():
        nonlocal position
        name = tokens[position]
        position += 1
        if position >= len(tokens) or tokens[position] != "<":
            return int(name) if re.fullmatch(r"-?\d+", name) else name
        result = [name]
        while tokens[position] != ">":
            position += 1
            if tokens[position] != ">":
                result.append(node())
        position += 1
        return result

    return node()


def tuple_of(node):
    if node == "tuple":
        return ()
    if node[0] == "C":
        return {"true": 1, "false": 0}.get(node[1], node[1])
    if node[0] in ("tuple", "ArithmeticTuple"):
        return tuple(map(tuple_of, node[1:]))
    if node[0] == "integral_constant":
        return {"true": 1, "false": 0}.get(node[2], node[2])
    raise Unsupported(f"no notation for {node}")


def text_of_layout(node):
    if node[0] == "Layout":
        return text_of(tuple_of(node[1])) + ":" + text_of(tuple_of(node[2]))
    if node[0] == "Swizzle":
        return "Sw<{},{},{}>".format(*node[1:4])
    return f"{text_of_layout(node[1])} o {tuple_of(node[2])} o {text_of_layout(node[3])}"


def answer_of(text):
    """Returns the protocol's answer, a layout's text or a number, for a printed type."""
    node = read_type(text)
    if node[0] in ("Layout", "Swizzle", "ComposedLayout"):
        return {"layout": text_of_layout(node)}
    return {"value": tuple_of(node)}


def values(layout, count):
    """Returns layout(0), layout(1), ..., each a constant expression on a run-time integer."""
    text = evaluate(f"values<{layout}>(std::make_integer_sequence<int, {count}>{{}})")
    return [int(number) for number in re.findall(r"-?\d+", text.replace("Values", ""))]


def table(request):
    shape, stride = map(leaves, shape_and_stride(request["layout"]))
    count = 1
    for extent in shape:
        count *= extent
    if count > MAX_ELEMENTS:
        raise Unsupported("too large for a table")
    if not shape:
        raise Unsupported("CuTe cannot index the empty layout")
    if count == 0:
        return {"offsets": []}
    # CuTe counts with the first mode fastest; the table has the last one fastest.
    layout = f"Layout<{type_of_tuple(tuple(shape[::-1]))}, {type_of_tuple(tuple(stride[::-1]))}>"
    return {"offsets": values(layout, count)}


_OF_LAYOUTS = {"size", "cosize", "coalesce", "filter", "complement", "composition", "left_inverse", "right_inverse",
               "nullspace", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product",
               "blocked_product", "raked_product", "max_common_vector", "max_common_layout", "domain_distribute"}
_OF_SHAPES = {"compatible", "congruent", "weakly_congruent"}


def apply(request):
    name, arguments = request["function"], [str(argument) for argument in request["arguments"]]
    try:
        if name == "crd2idx":
            coordinate = type_of_tuple(tuples(arguments[0]))
            return answer_of(evaluate(f"{type_of_layout(arguments[1])}{{}}({coordinate}{{}})"))
        if name in _OF_SHAPES:
            shapes = ", ".join(type_of_tuple(tuples(text)) + "{}" for text in arguments)
            return answer_of(evaluate(f"{name}({shapes})"))
        if name in ("upcast", "downcast"):
            return answer_of(evaluate(f"{name}<{int(arguments[1].replace('_', ''))}>({value_of(arguments[0])})"))
        if name not in _OF_LAYOUTS:
            raise Unsupported(f"no function {name}")
        return answer_of(evaluate(f"{name}({', '.join(map(value_of, arguments))})"))
    except Rejected as reason:
        return {"rejected": str(reason)}


if __name__ == "__main__":
    serve(
        {
            "name": "cute-cpp",
            "version": VERSION,
            "notations": ["hlo", "shape-stride"],
            "limits": {"max_tiles": 0, "max_table_elements": MAX_ELEMENTS},
        },
        {"table": table, "apply": apply},
    )
