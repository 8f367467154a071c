#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `layoutcheck scan` with XLA itself: compiles some dozens of programs for the CPU and scans the optimized
modules.

For each module: the scan finds no error and decides every bitcast; the bytes of arguments and results are those of
XLA's memory analysis; each instruction's canonical text is XLA's own print. Then changes shapes in small modules: what
XLA refuses, the scan reports.

usage: compare_modules.py LAYOUTCHECK

Exit 0: no difference. 1: differences, one per line, or the program cannot be used. 2: jax is not installed.
"""

import collections
import json
import os
import re
import subprocess
import sys

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jaxlib import _hlo, _jax
except ImportError as missing:
    print(f"compare_modules.py: nothing compared, jax is not installed ({missing}); `./run subjects` sets it up",
          file=sys.stderr)
    sys.exit(2)

PRINT = _hlo.HloPrintOptions.short_parsable()
PRINT.print_operand_shape = True
PRINT.print_metadata = True
PRINT.print_large_constants = True
INSTRUCTION = re.compile(r"\s+((?:ROOT )?[^\s=]+ = .*)")


def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), v)


def convolution(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def mlp(x, w, v):
    return jnp.tanh(x @ w) @ v


def gradient(function, count):
    return jax.grad(lambda *arguments: function(*arguments).sum(), argnums=tuple(range(count)))


# name: (function, shapes of its arguments, an element type may follow the sizes)
PROGRAMS = {
    "add": (lambda x, y: x + y, [(3, 5), (3, 5)]),
    "add column": (lambda x, y: x + y[:, None], [(3, 5), (3,)]),
    "argsort": (lambda x: jnp.argsort(x, axis=0), [(4, 6)]),
    "attention": (attention, [(2, 3, 8, 4)] * 3),
    "attention gradient": (gradient(attention, 3), [(2, 3, 8, 4)] * 3),
    "batch product": (lambda x, y: jnp.einsum("bij,bkj->ikb", x, y), [(3, 4, 5), (3, 6, 5)]),
    "bitcast to bytes": (lambda x: lax.bitcast_convert_type(x, jnp.int8), [(3, 5)]),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(6)), [(6, 6)]),
    "complex": (lambda x: (x.T * 1j, jnp.real(x * 1j)), [(3, 5)]),
    "concatenate": (lambda x, y: jnp.concatenate([x, y.T], 1), [(3, 5), (4, 3)]),
    "conditional": (lambda x: lax.cond(x[0, 0] > 0, lambda y: y.T.reshape(6, 2), lambda y: y.reshape(6, 2), x),
                    [(4, 3)]),
    "convert": (lambda x: (x.astype(jnp.bfloat16).T, x.astype(jnp.int8)), [(3, 5)]),
    "convolution": (convolution, [(1, 8, 9, 3), (3, 3, 3, 5)]),
    "convolution gradient": (gradient(convolution, 2), [(1, 8, 9, 3), (3, 3, 3, 5)]),
    "cumulative sum": (lambda x: jnp.cumsum(x, axis=1), [(4, 9)]),
    "diagonal": (lambda x: (jnp.diag(x), jnp.trace(x)), [(5, 5)]),
    "empty": (lambda x: jnp.concatenate([x, x], 0).T, [(0, 5)]),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x.T)), [(8, 5)]),
    "four bits": (lambda x: x.astype(jnp.int4).T, [(4, 6, "int8")]),
    "gather": (lambda x, i: x[i], [(7, 5), (3, "int32")]),
    "half": (lambda x, y: (x @ y).T, [(4, 6, "bfloat16"), (6, 5, "bfloat16")]),
    "identity": (lambda x: x, [(3, 5)]),
    "iota": (lambda x: x + jnp.arange(5), [(3, 5)]),
    "layer norm": (lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True), [(4, 6, 8)]),
    "many results": (lambda x: (x, x.T, x.reshape(-1), x.sum(), (x > 0)), [(3, 5)]),
    "mlp": (mlp, [(32, 20), (20, 40), (40, 7)]),
    "mlp gradient": (gradient(mlp, 3), [(32, 20), (20, 40), (40, 7)]),
    "nested scan": (lambda x: lax.scan(lambda c, a: (c * 2 + a, lax.scan(lambda d, b: (d + b, b), a[0], a)[1].T), x,
                                       jnp.stack([x] * 4)), [(5, 5)]),
    "one hot": (lambda i: jax.nn.one_hot(i, 6).T, [(4, "int32")]),
    "pad": (lambda x: jnp.pad(x, ((1, 2), (0, 3))), [(3, 5)]),
    "pooling": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), [(1, 8, 8, 3)]),
    "product": (lambda x, y: x @ y, [(3, 4), (4, 5)]),
    "random": (lambda i: jax.random.normal(jax.random.key(i), (4, 6)).T, [("int32",)]),
    "reshape": (lambda x: x.reshape(5, 6, 2), [(3, 20)]),
    "reshape of a transpose": (lambda x: x.T.reshape(4, 15), [(6, 10)]),
    "reverse": (lambda x: x[::-1, ::2], [(6, 10)]),
    "roll": (lambda x: jnp.roll(x, 3, axis=1), [(6, 10)]),
    "scan": (lambda x: lax.scan(lambda c, a: (c * 2 + a, c.T), x, jnp.stack([x] * 4)), [(5, 5)]),
    "scatter": (lambda x: x.at[jnp.array([1, 3])].add(2.0).T, [(6, 4)]),
    "select": (lambda x: jnp.where(x > 0, x, x.T), [(5, 5)]),
    "slice": (lambda x: x[1:4, 2:].T, [(6, 10)]),
    "softmax": (lambda x: jax.nn.softmax(x, axis=0), [(9, 7)]),
    "sort": (lambda x: jnp.sort(x.T.reshape(-1)), [(4, 6)]),
    "swap": (lambda x: jnp.transpose(x, (2, 0, 3, 1)).reshape(20, 6), [(2, 3, 4, 5)]),
    "top k": (lambda x: lax.top_k(x.T, 3), [(8, 5)]),
    "triangular solve": (lambda x, y: jax.scipy.linalg.solve_triangular(x, y, lower=True), [(5, 5), (5, 3)]),
    "unit dimensions": (lambda x: x[:, None].transpose(2, 1, 0).squeeze(), [(4, 6)]),
    "update": (lambda x, y: lax.dynamic_update_slice(x, y, (1, 2)), [(6, 8), (2, 3)]),
    "while": (lambda x: lax.while_loop(lambda s: s[1] < 5, lambda s: (s[0] @ s[0].T, s[1] + 1), (x, 0)), [(6, 6)]),
}

# A small module with two places for shapes.
MODULE = "HloModule m\n\nENTRY e {{\n  p = {} parameter(0)\n  ROOT n = {} negate(p)\n}}\n"
GOOD = "f32[6,4]{1,0}"
BROKEN = ["f32[6,4]{1,1}", "f32[6,4]{0}", "f32[6,4]{2,1,0}", "f32[6,4]{1,2}", "f32[6,4]{-1,0}", "f32[6,4]{1,0:T(0)}",
          "f32[6,4]{1,0:T(-8,128)}", "f32[6,4]{1,0:E(-4)}", "f32[6,4]{1,0:E(65)}", "f32[6,4]{1,0:L(0)}",
          "f32[6,4]{1,0:S(-1)}", "f32[6,4]{1,0:SC(5:1)}", "f32[6,4]{1,0:SC(0:4,2)}", "f32[6,4]{1,0:M(-8)}",
          "f32[6,4]{1,0:T(8,128)", "f32[6,-4]{1,0}", "f33[6,4]{1,0}", "f32[6,4]{1,0:X(2)}", "token[]{0}",
          "f32[6,4]{1,0:T(2,2)}", "f32[6,4]{0,1:S(1)}", "f32[6,4]{1,0:E(16)}"]


def refusal(text):
    """Returns why XLA refuses a module, or an empty text. XLA checks some layouts by aborting, so a child asks."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            # XLA validates shapes where it reads a module's protocol buffer; its text parser leaves some of that out.
            proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
            _hlo.HloModule.from_serialized_hlo_module_proto(proto)
        except _jax.JaxRuntimeError as error:
            os.write(writer, str(error)[:1000].encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8", errors="replace") as answer:
        error = answer.read()
    return error if os.waitpid(child, 0)[1] == 0 else "XLA aborts"


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"compare_modules.py: {' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def compile_program(function, shapes):
    arguments = []
    for shape in shapes:
        element = shape[-1] if shape and isinstance(shape[-1], str) else "float32"
        arguments.append(jnp.ones([size for size in shape if not isinstance(size, str)], element))
    # Arguments that the program does not use stay, so that their bytes can be compared.
    return jax.jit(function, keep_unused=True).lower(*arguments).compile()


def result_of(text):
    """Returns the shape of the entry's result, from the header."""
    result = text[text.index("entry_computation_layout={("):].split("\n", 1)[0].split(")->", 1)[1]
    depth = 0
    for k, character in enumerate(result):
        depth += (character in "({[") - (character in ")}]")
        if depth < 0:
            return result[:k]
    return result


class Comparison:
    def __init__(self, program):
        self.program = program
        self.counts = collections.Counter()
        self.differences = []
        self.sizes = {}

    def bytes_of(self, shape):
        if shape not in self.sizes:
            self.sizes[shape] = json.loads(run([self.program, "show", "--json", shape]))["bytes"]
        return self.sizes[shape]

    def check(self, name, what, ours, theirs):
        if ours != theirs:
            self.differences.append(f"{name}: {what}: {ours}, and XLA says {theirs}")

    def compare(self, name, compiled):
        text = compiled.as_text()
        rows = [json.loads(line) for line in run([self.program, "scan", "-", "--json", "--arrays"], text).splitlines()]
        self.counts["modules"] += 1
        self.counts["instructions"] += rows[0]["instructions"]
        self.counts["bitcasts"] += len(re.findall(r"\bbitcast\(", text))
        for row in rows:
            if row["type"] == "finding" and row["severity"] != "advice":
                self.differences.append(f"{name}: line {row['line']}: {row['rule']}: {row['message']}")
        entry = re.search(r"^ENTRY %?(\S+)", text, re.MULTILINE)[1]
        arguments = [row["bytes"] for row in rows
                     if row["type"] == "array" and row["opcode"] == "parameter" and row["computation"] == entry]
        memory = compiled.memory_analysis()
        result = result_of(text)
        results = [self.bytes_of(shape) for shape in re.findall(r"[a-z0-9]+\[[^\]]*\](?:\{[^}]*\})?", result)]
        pointers = 8 * len(results) if result.startswith("(") else 0  # the table of a tuple
        self.check(name, "bytes of arguments", sum(arguments), memory.argument_size_in_bytes)
        self.check(name, "bytes of results", sum(results) + pointers, memory.output_size_in_bytes)
        printed = _hlo.hlo_module_from_text(text).to_string(PRINT)
        lines = [match[1] for match in map(INSTRUCTION.fullmatch, printed.splitlines()) if match]
        ours = run([self.program, "parse", "-", "--kind", "instruction"], "\n".join(lines) + "\n").splitlines()
        self.check(name, "instructions read", len(ours), len(lines))
        self.check(name, "instructions scanned", rows[0]["instructions"], len(lines))
        for mine, theirs in zip(ours, lines):
            self.check(name, "text", mine, theirs)
        self.counts["texts"] += len(lines)

    def compare_broken(self):
        for shape in BROKEN:
            for text in (MODULE.format(shape, GOOD), MODULE.format(GOOD, shape)):
                refused = refusal(text)
                rows = [json.loads(line) for line in run([self.program, "scan", "-", "--json"], text).splitlines()]
                found = [row["rule"] for row in rows if row.get("rule") in ("illegal-layout", "unreadable")]
                self.counts["refused" if refused else "taken"] += 1
                if bool(found) != bool(refused):
                    self.differences.append(f"{shape}: the scan finds {found or 'nothing'}, and XLA says "
                                            f"{refused or 'that it is right'}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    comparison = Comparison(sys.argv[1])
    comparison.compare_broken()  # first: a process with XLA's threads cannot be forked safely
    for name, (function, shapes) in PROGRAMS.items():
        comparison.compare(name, compile_program(function, shapes))
    for difference in comparison.differences:
        print(difference)
    counts = comparison.counts
    print(f"modules of XLA {jax.lib.__version__}: {counts['modules']}, with {counts['instructions']} instructions and "
          f"{counts['bitcasts']} bitcasts; {counts['texts']} texts, {counts['refused']} modules that XLA refuses and "
          f"{counts['taken']} that it takes compared; {len(comparison.differences)} differences")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
