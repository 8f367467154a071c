#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of kernels.py and public_bugs.py to one file each, as Triton prints them. Needs a wheel of triton, but no GPU.

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
# Values of constexpr arguments without a default; other arguments have the type of their annotation, or that their name says.
CONSTANTS = {"BLOCK": 1024, "D": 64, "H": 4, "BM": 64, "BN": 32, "BK": 32, "PAGE": 16, "BT": 32, "BH": 64}
TYPES = {"a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16", "index_ptr": "*i32", "table_ptr": "*i32"}


def ttir(kernel, types):
    """Returns the TTIR of a kernel as text."""
    constants = {p.name: p.default if p.has_default else CONSTANTS[p.name] for p in kernel.params if p.is_constexpr}
    signature = {p.name: "constexpr" if p.is_constexpr else
                 p.annotation_type or types.get(p.name, "*fp32" if p.name.endswith("_ptr") else "i32") for p in kernel.params}
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
    import public_bugs
    texts = []
    for module, folder in ((kernels, "."), (public_bugs, "public_bugs")):
        for name, kernel in vars(module).items():
            if isinstance(kernel, triton.JITFunction):
                types = {**TYPES, "table_ptr": "*fp32"} if name == "gather_rows" else TYPES
                if name == "interleave":
                    types = {}
                texts.append((os.path.join(folder, name), ttir(kernel, types)))
    for name, text in texts:
        # Names of files without folders, which differ by machine.
        with open(os.path.join(FOLDER, f"{name}.ttir"), "w") as file:
            file.write(re.sub(r'"/[^"]*/', '"', text))


if __name__ == "__main__":
    main()
