#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian's MLIR 19 as a subject: arrays moved by linalg.transpose and tensor.pack, lowered to machine code and run.

Each answer is two processes: mlir-opt lowers a module that holds the array, mlir-cpu-runner runs it. A crash of either is
an error answer that names it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from subject_protocol import Unsupported, integers, serve  # noqa: E402

OPT, RUNNER = shutil.which("mlir-opt-19"), shutil.which("mlir-cpu-runner-19")
LIBRARIES = [f"/usr/lib/llvm-19/lib/libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils")]
if OPT is None or RUNNER is None or not all(map(pathlib.Path.exists, map(pathlib.Path, LIBRARIES))):
    sys.exit("mlir_subject.py: MLIR 19 is not installed; `./run subjects` sets it up")

MAX_ELEMENTS = 4096
PADDING = -1
# The GNU C library fills new memory with the complement of `perturb` in each byte, so that elements which nothing writes
# have the same value in every run. They show as padding.
PERTURB = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.perturb=1"}
UNWRITTEN = int.from_bytes(b"\xfe" * 8, "little", signed=True)
PASSES = ["--transform-interpreter", "--test-transform-dialect-erase-schedule",
          "--one-shot-bufferize=bufferize-function-boundaries", "--convert-linalg-to-loops", "--expand-strided-metadata",
          "--lower-affine", "--convert-scf-to-cf", "--convert-to-llvm", "--reconcile-unrealized-casts"]

MODULE = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %pack = transform.structured.match ops{["tensor.pack"]} in %module
        : (!transform.any_op) -> !transform.op<"tensor.pack">
    transform.structured.lower_pack %pack : (!transform.op<"tensor.pack">)
        -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %unpack = transform.structured.match ops{["tensor.unpack"]} in %module
        : (!transform.any_op) -> !transform.op<"tensor.unpack">
    transform.structured.lower_unpack %unpack : (!transform.op<"tensor.unpack">)
        -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
            !transform.op<"tensor.extract_slice">)
    transform.yield
  }
"""

_SHAPE = re.compile(r"[a-z][a-z0-9]*\[([0-9,]*)\](?:\{([0-9,]*)(?::T((?:\([0-9,]+\))+))?\})?$")


class Form:
    """A layout as a chain of shapes: the array in its physical order, then one shape per tile."""

    def __init__(self, text):
        match = _SHAPE.match(text)
        if match is None:
            raise Unsupported("only arrays with an order and tiles of plain sizes")
        self.dimensions = integers(match[1])
        rank = len(self.dimensions)
        self.order = list(reversed(integers(match[2]))) if match[2] is not None else list(range(rank))
        tiles = [integers(tile) for tile in re.findall(r"\(([^()]*)\)", match[3] or "")]
        if rank == 0 or 0 in self.dimensions or sorted(self.order) != list(range(rank)):
            raise Unsupported("only arrays that have dimensions and elements")
        # Each step is (shape before, inner_dims_pos, inner_tiles, outer_dims_perm, shape after); the first one also permutes.
        self.steps = []
        shape, order = self.dimensions, self.order
        for tile in tiles:
            if len(tile) > len(shape):
                raise Unsupported("a tile of more dimensions than there are")
            inner = order[len(order) - len(tile):]
            outer = [-(-shape[d] // tile[inner.index(d)]) if d in inner else shape[d] for d in order]
            after = outer + tile
            self.steps.append((shape, inner, tile, order, after))
            shape, order = after, list(range(len(after)))
        self.memory = shape if tiles else [shape[d] for d in order]
        if product(self.memory) > MAX_ELEMENTS or len(self.memory) > 16:
            raise Unsupported("too large")


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def type_of(kind, shape):
    return f"{kind}<{'x'.join(map(str, shape))}xi64>"


def nested(data, shape):
    """Returns the elements as the text of a dense constant."""
    if len(shape) == 1:
        return "[" + ", ".join(map(str, data)) + "]"
    step = len(data) // shape[0]
    return "[" + ", ".join(nested(data[k * step:(k + 1) * step], shape[1:]) for k in range(shape[0])) + "]"


def transpose_memory(data, shape, permutation):
    """Returns a module with linalg.transpose between two buffers. Elements that it does not write show as padding."""
    source, target = type_of("memref", shape), type_of("memref", [shape[axis] for axis in permutation])
    return f"""  memref.global "private" constant @source : {source} = dense<{nested(data, shape)}>
  func.func private @printMemrefI64(memref<*xi64>)
  func.func @main() {{
    %source = memref.get_global @source : {source}
    %target = memref.alloc() : {target}
    %padding = arith.constant {PADDING} : i64
    linalg.fill ins(%padding : i64) outs(%target : {target})
    linalg.transpose ins(%source : {source}) outs(%target : {target}) permutation = {permutation}
    %any = memref.cast %target : {target} to memref<*xi64>
    call @printMemrefI64(%any) : (memref<*xi64>) -> ()
    return
  }}
"""


def pack_tensor(data, shape, steps, unpack):
    lines, name = [], "%source"
    for number, (before, inner, tile, order, after) in enumerate(steps):
        source, target = type_of("tensor", after if unpack else before), type_of("tensor", before if unpack else after)
        how = f"outer_dims_perm = {order} inner_dims_pos = {inner} inner_tiles = {tile}"
        padding = "" if unpack else "padding_value(%padding : i64) "
        lines.append(f"    %empty{number} = tensor.empty() : {target}")
        lines.append(f"    %step{number} = tensor.{'unpack' if unpack else 'pack'} {name} {padding}{how} into "
                     f"%empty{number} : {source} -> {target}")
        name = f"%step{number}"
    return f"""  func.func private @printMemrefI64(tensor<*xi64>)
  func.func @main() {{
    %source = arith.constant dense<{nested(data, shape)}> : {type_of("tensor", shape)}
    %padding = arith.constant {PADDING} : i64
{chr(10).join(lines)}
    %any = tensor.cast {name} : {target} to tensor<*xi64>
    call @printMemrefI64(%any) : (tensor<*xi64>) -> ()
    return
  }}
"""


def process(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=os.environ | PERTURB)
    if done.returncode != 0:
        message = next((line for line in done.stderr.splitlines() if "error" in line.lower()), done.stderr[-200:])
        raise RuntimeError(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: {message.strip()}")
    return done.stdout


def run(body):
    """Runs the module and returns the integers of the memory that it prints."""
    lowered = process([OPT, *PASSES], MODULE + body + "}\n")
    printed = process([RUNNER, "-e", "main", "-entry-point-result=void", "--shared-libs=" + ",".join(LIBRARIES)], lowered)
    memory = integers(",".join(re.findall(r"-?[0-9]+", printed.partition("data =")[2])))
    return [PADDING if element == UNWRITTEN else element for element in memory]


def move(source, target, data):
    """Moves an array from the memory of `source`, `data`, and returns the memory of `target`."""
    if source.dimensions != target.dimensions:
        raise ValueError("the layouts are of different arrays")
    if len(data) != product(source.memory):
        raise ValueError(f"{len(data)} elements of data for {product(source.memory)}")
    if not source.steps and not target.steps:
        return run(transpose_memory(data, source.memory, [source.order.index(d) for d in target.order]))
    plain = list(range(len(source.dimensions)))
    if not source.steps and source.order == plain:
        return run(pack_tensor(data, source.memory, target.steps, False))
    if not target.steps and target.order == plain:
        return run(pack_tensor(data, source.memory, source.steps[::-1], True))
    raise Unsupported("only between orders, or between row-major order and tiles")


def relayout(request):
    return {"data": move(Form(request["from"]), Form(request["to"]), request["data"])}


if __name__ == "__main__":
    release = re.search(r"LLVM version (\S+)", process([OPT, "--version"], ""))
    serve(
        {
            "name": "mlir",
            "version": release[1] if release else "19",
            "notations": ["hlo"],
            "limits": {"max_tiles": 3, "max_table_elements": MAX_ELEMENTS},
        },
        {"relayout": relayout},
    )
