#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random Triton kernels with what they do in Triton's interpreter mode, a line of JSON for each.

  tools/triton_runs.py FIRST_SEED COUNT FILE [BYTES]

With BYTES, longer lines are left out. The test TritonRuns compares these lines with what layoutcheck makes of the TTIR. Needs wheels of triton and torch, but no GPU. Prints
how many kernels it wrote, and those that Triton does not compile or run with the reasons.
"""
import collections
import importlib.util
import json
import linecache
import os
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import triton
import triton.language as tl
from triton.runtime import interpreter

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "corpus", "triton")]
from compile import ttir  # noqa: E402
import triton_random_kernels as kernels  # noqa: E402

# An array begins at a multiple of this address, so that an address tells its array, also far outside of it.
APART = 1 << 40


def first_number(array):
    """Returns the number in element 0 of an array that the kernel does not use as indices. Element k has k more."""
    return 100 * list(kernels.SIZES).index(array) + 100


def index_number(pattern, element):
    """Returns the number in an element of index_ptr: a constant, or numbers that count up or down."""
    low, end = kernels.INDICES
    step = 0 if pattern < 2 else element % (end - low)
    return end - 1 - step if pattern % 2 else low + step


class Memory:
    """The arrays of a run. Records all accesses of a program."""

    def __init__(self, kernel):
        self.names = list(kernels.SIZES)
        self.types = {name: getattr(tl, f"int{kernel.types[name][1:]}") for name in self.names}
        self.values = {name: [first_number(name) + k for k in range(size)] for name, size in kernels.SIZES.items()}
        self.values["index_ptr"] = [index_number(kernel.pattern, k) for k in range(kernels.SIZES["index_ptr"])]
        self.outside = set()
        self.reads = collections.defaultdict(set)
        self.stores = collections.defaultdict(list)

    def pointer(self, name):
        kind = tl.pointer_type(self.types[name])
        address = (self.names.index(name) + 1) * APART
        return tl.tensor(interpreter.TensorHandle(np.array([address], dtype=np.uint64), kind), kind)

    def place(self, address):
        """Returns the array and the element at an address, or no array, if it is outside of all."""
        number = (int(address) + APART // 2) // APART - 1
        if not 0 <= number < len(self.names):
            return None, 0
        name = self.names[number]
        element, rest = divmod(int(address) - (number + 1) * APART, self.types[name].primitive_bitwidth // 8)
        if rest or not 0 <= element < len(self.values[name]):
            self.outside.add(name)
            return None, 0
        return name, element

    def load(self, pointers, mask, other):
        kind = pointers.get_element_ty()
        result = np.zeros_like(pointers.data, dtype=interpreter._get_np_dtype(kind)) if other is None else other.data.copy()
        result, wanted = np.broadcast_arrays(result, mask.data)
        result = result.copy()
        for index in np.argwhere(wanted):
            name, element = self.place(pointers.data[tuple(index)])
            if name:
                self.reads[name].add(element)
                result[tuple(index)] = self.values[name][element]
        return interpreter.TensorHandle(result, kind)

    def store(self, pointers, value, mask, is_atomic=False):
        data, wanted = np.broadcast_to(value.data, pointers.data.shape), np.broadcast_to(mask.data, pointers.data.shape)
        for index in np.ndindex(pointers.data.shape):
            if not wanted[index]:
                continue
            name, element = self.place(pointers.data[index])
            if name:
                number = int(data[index])
                self.values[name][element] = self.values[name][element] + number if is_atomic else number
                self.stores[name].append([element] if is_atomic else [element, number])

    def take_program(self):
        """Returns the accesses since the last call."""
        reads = {name: sorted(elements) for name, elements in self.reads.items()}
        stores = dict(self.stores)
        self.reads.clear()
        self.stores.clear()
        return {"reads": reads, "stores": stores}


class Builder(interpreter.InterpreterBuilder):
    """Operations of the interpreter, with the memory of a run."""
    memory = None

    def create_masked_load(self, ptrs, mask, other, cache_policy, is_volatile):
        return self.memory.load(ptrs, mask, other)

    def create_masked_store(self, ptrs, value, mask, cache_policy):
        self.memory.store(ptrs, value, mask)

    def create_atomic_rmw(self, rmwOp, ptr, val, mask, sem, scope):
        self.memory.store(ptr, val, mask, is_atomic=True)
        return val


def run(function, kernel):
    """Returns the accesses of each program, and the arrays outside of which there are some."""
    memory = Memory(kernel)
    Builder.memory = memory
    interpreter.interpreter_builder.__class__ = Builder
    body = function.rewrite()
    scope = interpreter._patch_lang(body)
    programs = []
    try:
        arguments = {name: memory.pointer(name) for name in kernels.SIZES}
        arguments |= {name: interpreter._implicit_cvt(value) for name, value in kernel.numbers.items()}
        grid = kernel.grid + (1,) * (3 - len(kernel.grid))
        interpreter.interpreter_builder.set_grid_dim(*grid)
        for x, y in np.ndindex(grid[:2]):
            interpreter.interpreter_builder.set_grid_idx(x, y, 0)
            body(**arguments)
            programs.append({"block": [x, y], **memory.take_program()})
    finally:
        scope.restore()
    return {"outside": sorted(memory.outside), "programs": programs}


def import_kernels(drawn):
    """Returns a module with the kernels, for the compiler or, with TRITON_INTERPRET=1, for the interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernels.py")
        with open(path, "w") as file:
            file.write("import triton\nimport triton.language as tl\n\n" + "\n\n".join(kernel.text for kernel in drawn))
        spec = importlib.util.spec_from_file_location("random_kernels", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        linecache.getlines(path)  # keeps the source, which the compiler reads again
        return module


def interpret(drawn):
    """Prints a line for each kernel: what run() returns, or an error."""
    module = import_kernels(drawn)
    for kernel in drawn:
        try:
            line = run(getattr(module, kernel.name), kernel)
        except Exception as error:
            line = {"error": reason(error)}
        print(json.dumps(line))


def reason(error):
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[-1][:90] if lines else ''}"


def without_places(text):
    """Returns TTIR without the places of operations in the source, which are two thirds of it."""
    text = re.sub(r"^#loc.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r" loc\((#loc\d*|\"[^\"]*\"\(#loc\d*\))\)", "", text)


def record(kernel, function, observed):
    """Returns what the test needs of a kernel and its launch."""
    text = without_places(ttir(function, {name: f"*{kind}" for name, kind in kernel.types.items()}))
    return {
        "name": kernel.name,
        "ttir": text,
        # The compiler removes loads of which it finds that nobody uses what they load.
        "has_all_loads": text.count("= tt.load ") >= kernel.text.count("tl.load("),
        "arrays": {name: f"s{kernel.types[name][1:]}[{size}]{{0}}" for name, size in kernels.SIZES.items()},
        "args": ",".join([*kernels.SIZES, *map(str, kernel.numbers.values())]),
        "grid": ",".join(map(str, kernel.grid)),
        "values": "index_ptr={}:{}".format(*kernels.INDICES),
        "pattern": kernel.pattern,
        "first": {name: first_number(name) for name in kernels.READ},
        **observed,
    }


def main(first, count, path, most_bytes):
    drawn = [kernels.draw(seed) for seed in range(first, first + count)]
    # The library of Triton is for the compiler or for the interpreter in a whole process.
    child = subprocess.Popen([sys.executable, __file__, str(first), str(count)], env={**os.environ, "TRITON_INTERPRET": "1"},
                             stdout=subprocess.PIPE, text=True)
    module = import_kernels(drawn)
    failures = collections.Counter()
    written = 0
    with open(path, "w") as output:
        for kernel, text in zip(drawn, child.stdout, strict=True):
            observed = json.loads(text)
            try:
                if "error" in observed:
                    raise ValueError(f"interpreter: {observed['error']}")
                line = record(kernel, getattr(module, kernel.name), observed)
            except Exception as error:  # Triton does not compile or run every kernel.
                failures[reason(error)] += 1
                continue
            text = json.dumps(line)
            if len(text) <= most_bytes:
                output.write(text + "\n")
                written += 1
    for cause, times in failures.most_common(20):
        print(f"{times} left out: {cause}")
    print(f"{written} kernels")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if triton.knobs.runtime.interpret:
        interpret([kernels.draw(seed) for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2]))])
    elif len(sys.argv) in (4, 5):
        main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) == 5 else sys.maxsize)
    else:
        sys.exit(__doc__)
