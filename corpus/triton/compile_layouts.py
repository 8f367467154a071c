#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of layouts/layout_kernels.py, and transpose of kernels.py, to TTGIR as Triton prints it, one file each. Needs a
wheel of triton, but no GPU.

  corpus/triton/compile_layouts.py
"""
import os
import re
import sys

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend
from triton.experimental.gluon._runtime import GluonASTSource, GluonJITFunction

FOLDER = os.path.dirname(os.path.abspath(__file__))
CUDA_80, CUDA_90, GFX942 = GPUTarget("cuda", 80, 32), GPUTarget("cuda", 90, 32), GPUTarget("hip", "gfx942", 64)


def stage_texts(kernel, target, constants, types, last="ttgir"):
    """Returns the text of each stage up to the last one by its name. Arguments are divisible by 16, as most are at launches."""
    names = [(number, p.name) for number, p in enumerate(kernel.params) if not p.is_constexpr]
    signature = {p.name: "constexpr" for p in kernel.params}
    signature.update({name: types.get(name, "*fp32" if name.endswith("_ptr") else "i32") for _, name in names})
    make_source = GluonASTSource if isinstance(kernel, GluonJITFunction) else ASTSource
    source = make_source(kernel, signature, constants, {(number,): [["tt.divisibility", 16]] for number, _ in names})
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    texts = {}
    metadata = {"target": target}
    for stage in stages:
        module = stages[stage](module, metadata)
        texts[stage] = str(module)
        if stage == last:
            return texts
    raise ValueError(f"no stage {last} among {list(stages)}")


def main():
    sys.path += [FOLDER, os.path.join(FOLDER, "layouts")]
    import kernels
    import layout_kernels as layouts
    half = {name: "*fp16" for name in ("q_ptr", "k_ptr", "v_ptr", "out_ptr")}
    square = {"BM": 32, "BN": 32}
    for kernel, target, constants, types in [
        (kernels.transpose, CUDA_80, {"BM": 64, "BN": 64}, {}),
        (layouts.attention, CUDA_90, {"BM": 64, "BN": 64, "D": 64}, half),
        (layouts.attention, GFX942, {"BM": 64, "BN": 64, "D": 64}, half),
        (layouts.scale_twice, CUDA_90, square, {"in_ptr": "*fp16"}),
        (layouts.scale_once, CUDA_90, square, {"in_ptr": "*fp16"}),
        (layouts.transpose_in_shared, CUDA_90, square, {}),
    ]:
        text = stage_texts(kernel, target, constants, types)["ttgir"]
        if kernel is layouts.attention:  # its locations are half of the text
            text = re.sub(r"^#loc.*\n", "", re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text), flags=re.M)
        name = f"{kernel.__name__}.{'sm' if target.backend == 'cuda' else ''}{target.arch}.ttgir"
        # Names of files without folders, which differ by machine.
        with open(os.path.join(FOLDER, "layouts", name), "w") as file:
            file.write(re.sub(r'"/[^"]*/', '"', text))


if __name__ == "__main__":
    main()
