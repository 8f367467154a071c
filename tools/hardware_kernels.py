# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes kernels of CUDA that run one instruction of PTX on given registers, for hardware.cu."""

import re
import subprocess
import sys

BITS = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "s4": 4, "u4": 4, "b1": 1}
ONE = {
    "f64": 0x3FF << 52,
    "tf32": 0x3F800000,
    "f16": 0x3C00,
    "bf16": 0x3F80,
    "e4m3": 0x38,
    "e5m2": 0x3C,
}  # of others, 1
INTEGERS = ("s8", "u8", "s4", "u4", "b1")


def run(command, **options):
    """Returns what a program prints, or ends with exit code 2."""
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, **options)
    if done.returncode:
        print(f"{command[0]} {command[1] if len(command) > 1 else ''}: exit code {done.returncode}", file=sys.stderr)
        sys.exit(2)
    return done.stdout


class Instruction:
    """mma or wgmma of one shape and type, or ldmatrix or stmatrix. a, b and d are words per thread."""

    def __init__(self, name):
        self.name, self.is_warpgroup, self.is_store = name, name.startswith("wgmma"), name.startswith("stmatrix")
        self.is_product = "mma" in name.split(".")[0]
        self.threads = 128 if self.is_warpgroup else 32
        if not self.is_product:
            self.count = int(name.split(".")[1][1:])
            self.a, self.b, self.d = (self.count, 0, 4) if self.is_store else (0, 4, self.count)
            return
        _, shape, self.type = name.split(".")
        self.m, self.n, self.k = map(int, re.fullmatch("m([0-9]+)n([0-9]+)k([0-9]+)", shape).groups())
        self.bits, self.one = BITS[self.type], ONE.get(self.type, 1)
        self.sum = "f64" if self.type == "f64" else "s32" if self.type in INTEGERS else "f32"
        self.sum_bits = BITS.get(self.sum, 32)
        self.a = self.m * self.k * self.bits // 32 // self.threads
        # B of wgmma lies in shared memory, of which each thread writes a part.
        self.b = -(-self.n // 16) if self.is_warpgroup else self.n * self.k * self.bits // 32 // self.threads
        self.d = self.m * self.n * self.sum_bits // 32 // self.threads

    def statement(self):
        """Returns the asm of the instruction: text, outputs and inputs."""
        is_double = self.is_product and self.type == "f64"
        kind, words = ("d", 2) if is_double else ("r", 1)
        numbers = iter(range(1000))
        registers = lambda count: "{" + ",".join(f"%{next(numbers)}" for _ in range(count // words)) + "}"
        operands = lambda name, count: [f'"{kind}"({name}[{k}])' for k in range(count // words)]
        d = (
            []
            if self.is_store
            else [f'"{"+" if self.is_warpgroup else "="}{kind}"(d[{k}])' for k in range(self.d // words)]
        )
        if not self.is_product:
            trans = ".trans" if self.name.endswith(".trans") else ""
            text = f"{self.name.split('.')[0]}.sync.aligned.m8n8.x{self.count}{trans}.shared.b16 "
            address = '"r"(SharedAddress(&memory[4 * threadIdx.x]))'
            if self.is_store:
                return text + f"[%{self.count}], {registers(self.count)};", d, [*operands("a", self.count), address]
            return text + f"{registers(self.count)}, [%{self.count}];", d, [address]
        if self.is_warpgroup:
            immediates = {16: ", 1, 1, 0", 8: ", 1, 1"}.get(self.k, "" if self.type in INTEGERS else ", 1, 1")
            text = f"wgmma.mma_async.sync.aligned.m64n{self.n}k{self.k}.{self.sum}.{self.type}.{self.type} "
            text += f"{registers(self.d)}, {registers(self.a)}, %{next(numbers)}, p{immediates};"
            text = f"{{.reg .pred p; setp.ne.b32 p, %{next(numbers)}, 0; {text}}}"
            return text, d, [*operands("a", self.a), '"l"(descriptor)', '"r"(0)']
        text = f"mma.sync.aligned.m{self.m}n{self.n}k{self.k}.row.col.{self.sum}.{self.type}.{self.type}.{self.sum}"
        text += ".and.popc " if self.type == "b1" else " "
        text += f"{registers(self.d)}, {registers(self.a)}, {registers(self.b)}, "
        zero = f"%{next(numbers)}"
        text += "{" + ",".join([zero] * (self.d // words)) + "};"
        return text, d, [*operands("a", self.a), *operands("b", self.b), f'"{kind}"({"0.0" if is_double else "0"})']

    def kernel(self, name):
        """Returns the kernel, in CUDA."""
        word, words = ("double", 2) if self.is_product and self.type == "f64" else ("uint32_t", 1)
        text, outputs, inputs = self.statement()
        lines = [f"__global__ void {name}(const uint32_t* as, const uint32_t* bs, uint32_t* ds) {{"]
        for register in "abd":
            if count := getattr(self, register):
                lines.append(f"  {word} {register}[{count // words}]{' = {}' if register == 'd' else ''};")
                if register != "d":
                    lines.append(f"  Load({register}, {register}s);")
        if self.is_warpgroup or not self.is_product:
            lines.append(f"  __shared__ __align__(128) uint32_t memory[{self.threads * (self.b or 4)}];")
        if self.b and (self.is_warpgroup or not self.is_product):
            lines.append(f"  for (int k = 0; k < {self.b}; ++k) memory[{self.b} * threadIdx.x + k] = b[k];")
            lines.append('  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");' if self.is_warpgroup else "")
        if self.is_warpgroup:
            # Core matrices of 8 rows of 16 bytes: two per 8 columns of the product, one for each half of k.
            lines.append(
                "  const uint64_t descriptor = (SharedAddress(memory) & 0x3FFFF) >> 4 | "
                "uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;"
            )
        lines.append("  __syncthreads();")
        lines += ['  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");'] if self.is_warpgroup else []
        lines.append(f'  asm volatile("{text}" : {", ".join(outputs)} : {", ".join(inputs)} : "memory");')
        if self.is_warpgroup:
            lines.append(
                '  asm volatile("wgmma.commit_group.sync.aligned;\\nwgmma.wait_group.sync.aligned 0;" ::: "memory");'
            )
        lines += (
            ["  __syncthreads();", "  for (int k = 0; k < 4; ++k) d[k] = memory[4 * threadIdx.x + k];"]
            if self.is_store
            else []
        )
        return "\n".join([*(line for line in lines if line), "  Store(ds, d);", "}"])


def instructions_of(capability):
    """Returns the instructions that GPUs of a compute capability have, with those of 9.0 as sm_90a."""
    names = [f"ldmatrix.x{count}{trans}" for count in (1, 2, 4) for trans in ("", ".trans")]
    shapes = {
        "m8n8k4": ["f64"],
        "m8n8k16": ["s8", "u8"],
        "m8n8k32": ["s4", "u4"],
        "m8n8k128": ["b1"],
        "m16n8k4": ["tf32"],
        "m16n8k8": ["f16", "bf16", "tf32"],
        "m16n8k16": ["f16", "bf16", "s8", "u8"],
        "m16n8k32": ["s8", "u8", "s4", "u4"],
        "m16n8k64": ["s4", "u4"],
        "m16n8k128": ["b1"],
        "m16n8k256": ["b1"],
    }
    names += [f"mma.{shape}.{kind}" for shape, kinds in shapes.items() for kind in kinds]
    if capability >= (8, 9):
        names += ["mma.m16n8k32.e4m3", "mma.m16n8k32.e5m2"]
    if capability >= (9, 0):
        names += [name.replace("ldmatrix", "stmatrix") for name in names if name.startswith("ldmatrix")]
        names += ["mma.m16n8k4.f64", "mma.m16n8k8.f64", "mma.m16n8k16.f64"]
    if capability == (9, 0):
        names += [f"wgmma.m64n{n}k16.f16" for n in range(8, 257, 8)]
        names += [
            f"wgmma.m64n8k{k}.{kind}"
            for k, kind in ((16, "bf16"), (8, "tf32"), (32, "e4m3"), (32, "e5m2"), (32, "s8"), (32, "u8"))
        ]
    return [Instruction(name) for name in names]


def instructions_inc(instructions):
    """Returns the text of instructions.inc: the kernels, and the table of them."""
    kernels = [instruction.kernel(f"Kernel{number}") for number, instruction in enumerate(instructions)]
    rows = [
        f'    {{"{one.name}", Kernel{number}, {one.threads}, {one.a}, {one.b}, {one.d}}},'
        for number, one in enumerate(instructions)
    ]
    return "\n".join([*kernels, "const Instruction kInstructions[] = {", *rows, "};", ""])
