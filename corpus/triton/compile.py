#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of kernels.py to one file each, as Triton prints them. Needs a wheel of triton, but no GPU.

  corpus/triton/compile.py
"""
import os
import re
import sys

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Values of constexpr arguments; other arguments have the type that their name says.
CONSTANTS = {"BLOCK": 1024, "BM": 64, "BN": 32, "BK": 32, "PAGE": 16, "BT": 32, "BH": 64}
TYPES = {"a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16", "index_ptr": "*i32", "table_ptr": "*i32"}


def ttir(kernel, types):
    """Returns the TTIR of a kernel as text."""
    names = kernel.arg_names
    constants = {name: CONSTANTS[name] for name in names if name in CONSTANTS}
    signature = {name: "constexpr" if name in constants else types.get(name, "*fp32" if name.endswith("_ptr") else "i32")
                 for name in names}
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(kernel, signature, constants)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    return str(stages["ttir"](module, {"target": target}))


def main():
    sys.path.insert(0, FOLDER)
    import kernels
    texts = []
    for name, kernel in vars(kernels).items():
        if isinstance(kernel, triton.JITFunction):
            types = {**TYPES, "table_ptr": "*fp32"} if name == "gather_rows" else TYPES
            if name == "interleave":
                types = {}
            texts.append((name, ttir(kernel, types)))
    for name, text in texts:
        # Names of files without folders, which differ by machine.
        with open(os.path.join(FOLDER, f"{name}.ttir"), "w") as file:
            file.write(re.sub(r'"/[^"]*/', '"', text))


if __name__ == "__main__":
    main()
