# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contiguity, divisibility and constancy of a tensor, by Triton's AxisInfo.

The package does not print the analysis, and one pass shows what it knows: `tritongpu-coalesce` gives each thread of a load as many
elements as the alignment of its pointers allows, min(contiguity, divisibility) along the dimension of the largest contiguity. So each
claim is asked for by a load of its own, of single bits and with one thread, where nothing else limits that number but the size of the
dimension and 128. The claims that are not asked for are set by hints on the addition of the offsets to the pointer, and those of
other dimensions are made 1 by adding twice their index.
"""

import ast
import pathlib
import re
import tempfile

from triton._C.libtriton import ir, passes

HINT = 4096  # more than can be observed, and a power of two
COMPARISONS = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

_FOLDER = tempfile.TemporaryDirectory()
_FILE = pathlib.Path(_FOLDER.name) / "module.ttir"


def tensor(sizes, element):
    return "tensor<" + "".join(f"{size}x" for size in sizes) + element + ">"


class Function:
    """A function of TTIR that computes an expression. Values are (name, sizes, element type)."""

    def __init__(self):
        self.arguments = {"base": f"!tt.ptr<i1> {{tt.divisibility = {HINT} : i32}}"}
        self.lines = []

    def add(self, text, sizes, element):
        name = f"%{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name, sizes, element

    def argument(self, name, text):
        """Adds the argument for a name of an expression."""
        self.arguments["name_" + name] = text
        return f"%name_{name}"

    def splat(self, scalar, sizes, element):
        return self.add(f"tt.splat {scalar} : {element} -> {tensor(sizes, element)}", sizes, element)

    def make_range(self, start, end):
        sizes = [end - start]
        return self.add(f"tt.make_range {{start = {start} : i32, end = {end} : i32}} : {tensor(sizes, 'i32')}", sizes, "i32")

    def expand_dims(self, value, axis):
        name, sizes, element = value
        wider = sizes[:axis] + [1] + sizes[axis:]
        text = f"tt.expand_dims {name} {{axis = {axis} : i32}} : {tensor(sizes, element)} -> {tensor(wider, element)}"
        return self.add(text, wider, element)

    def broadcast(self, value, sizes):
        name, narrower, element = value
        if narrower == sizes:
            return value
        return self.add(f"tt.broadcast {name} : {tensor(narrower, element)} -> {tensor(sizes, element)}", sizes, element)

    def cast(self, operation, value, element):
        name, sizes, narrower = value
        return self.add(f"arith.{operation} {name} : {tensor(sizes, narrower)} to {tensor(sizes, element)}", sizes, element)

    def binary(self, operation, x, y):
        _, sizes, element = x
        if operation in COMPARISONS:
            return self.add(f"arith.cmpi {operation}, {x[0]}, {y[0]} : {tensor(sizes, element)}", sizes, "i1")
        return self.add(f"arith.{operation} {x[0]}, {y[0]} : {tensor(sizes, element)}", sizes, element)

    def select(self, condition, x, y):
        _, sizes, element = x
        types = f"{tensor(sizes, 'i1')}, {tensor(sizes, element)}"
        return self.add(f"arith.select {condition[0]}, {x[0]}, {y[0]} : {types}", sizes, element)

    def branch(self, name, x, y):
        _, sizes, element = x
        of_type = tensor(sizes, element)
        condition = self.argument(name, "i1")
        text = f"scf.if {condition} -> ({of_type}) {{ scf.yield {x[0]} : {of_type} }} else {{ scf.yield {y[0]} : {of_type} }}"
        return self.add(text, sizes, element)

    def loop(self, name, x, y):
        _, sizes, element = x
        of_type = tensor(sizes, element)
        zero, _, _ = self.add("arith.constant 0 : i32", [], "i32")
        one, _, _ = self.add("arith.constant 1 : i32", [], "i32")
        count = self.argument(name, "i32")
        text = (f"scf.for %i = {zero} to {count} step {one} iter_args(%before = {x[0]}) -> ({of_type}) : i32 {{ "
                f"%after = arith.addi %before, {y[0]} : {of_type} scf.yield %after : {of_type} }}")
        return self.add(text, sizes, element)

    def expression(self, node):
        """Adds an expression of the protocol, which is given as Python's syntax tree."""
        operation, parts = node.func.id, node.args
        if operation == "range":
            return self.make_range(*map(ast.literal_eval, parts))
        if operation == "constant":
            value, sizes = map(ast.literal_eval, parts)
            return self.add(f"arith.constant dense<{value}> : {tensor(sizes, 'i32')}", sizes, "i32")
        if operation == "argument":
            divisor, sizes = map(ast.literal_eval, parts[1:])
            previous = re.search(r"= (\d+)", self.arguments.get("name_" + parts[0].id, "= 1"))
            hint = f"i32 {{tt.divisibility = {max(divisor, int(previous[1]))} : i32}}"
            return self.splat(self.argument(parts[0].id, hint), sizes, "i32")
        if operation == "expand_dims":
            return self.expand_dims(self.expression(parts[0]), ast.literal_eval(parts[1]))
        if operation == "broadcast":
            return self.broadcast(self.expression(parts[0]), ast.literal_eval(parts[1]))
        if operation in ("branch", "loop"):
            return getattr(self, operation)(parts[0].id, *map(self.expression, parts[1:]))
        operands = list(map(self.expression, parts))
        if operation in ("extsi", "extui", "trunci"):
            return self.cast(operation, operands[0], "i32" if operation == "trunci" else "i64")
        return self.select(*operands) if operation == "select" else self.binary(operation, *operands)

    def along(self, line, sizes, dimension):
        """Spreads a tensor of one dimension over the others."""
        for axis in range(len(sizes)):
            if axis != dimension:
                line = self.expand_dims(line, axis)
        return self.broadcast(line, sizes)

    def differ_in_other_dimensions(self, value, dimension):
        """Adds twice the index of each other dimension. The analysis knows neither runs nor equal neighbors along these then."""
        _, sizes, element = value
        for axis, size in enumerate(sizes):
            if axis != dimension:
                twice = self.add(f"arith.constant dense<2> : {tensor([size], 'i32')}", [size], "i32")
                line = self.binary("muli", self.make_range(0, size), twice)
                value = self.binary("addi", value, self.along(self.with_element(line, element), sizes, axis))
        return value

    def with_element(self, value, element):
        return self.cast("extsi", value, element) if element == "i64" else value

    def load(self, offsets, hint):
        name, sizes, element = offsets
        pointers, _, _ = self.splat("%base", sizes, "!tt.ptr<i1>")
        types = f"{tensor(sizes, '!tt.ptr<i1>')}, {tensor(sizes, element)}"
        address, _, _ = self.add(f"tt.addptr {pointers}, {name} {hint} : {types}", sizes, "!tt.ptr<i1>")
        self.add(f"tt.load {address} : {tensor(sizes, '!tt.ptr<i1>')}", sizes, "i1")

    def text(self, name):
        arguments = ", ".join(f"%{argument}: {text}" for argument, text in self.arguments.items())
        return f"tt.func public @{name}({arguments}) {{\n" + "\n".join(self.lines) + "\ntt.return\n}\n"


def function_for(tree, claim, dimension):
    """Returns the function whose load shows one claim about one dimension, and the sizes."""
    function = Function()
    value = function.expression(tree.body)
    if value[2] == "i1":
        value = function.cast("extui", value, "i32")
    _, sizes, element = value
    if claim == "divisibility":
        # The pass takes the dimension of the longest run. A claim of another one is then only about the first elements of runs.
        runs = ", ".join(str(HINT if axis == dimension else HINT // 2) for axis in range(len(sizes)))
        function.load(value, f"{{tt.contiguity = dense<[{runs}]> : tensor<{len(sizes)}xi32>}}")
        return function, sizes
    if claim == "constancy":  # where a value is constant, its sum with a range is contiguous
        line = function.with_element(function.make_range(0, sizes[dimension]), element)
        value = function.binary("addi", value, function.along(line, sizes, dimension))
    value = function.differ_in_other_dimensions(value, dimension)
    function.load(value, f"{{tt.divisibility = dense<{HINT}> : tensor<{len(sizes)}xi32>}}")
    return function, sizes


def sizes_per_thread(text):
    """Runs the pass on a module and returns sizePerThread of each load, in order."""
    context = ir.context()
    ir.load_dialects(context)
    _FILE.write_text(text)
    module = ir.parse_mlir_module(str(_FILE), context)
    manager = ir.pass_manager(context)
    passes.ttir.add_convert_to_ttgpuir(manager, "cuda:80", 1, 1, 1)
    passes.ttgpuir.add_coalesce(manager)
    manager.run(module, "axis_info")
    converted = str(module)
    layouts = dict(re.findall(r"(#\w+) = #ttg\.blocked<\{sizePerThread = \[([0-9, ]+)\]", converted))
    loads = re.findall(r"= tt\.load %\w+ : tensor<[^#]*(#\w+)>", converted)
    return [[int(size) for size in layouts[layout].split(",")] for layout in loads]


def answer(request):
    tree = ast.parse(request["expression"], mode="eval")
    claims = ["contiguity", "divisibility", "constancy"]
    _, sizes = function_for(tree, claims[0], 0)
    asked = [(claim, dimension) for claim in claims for dimension in range(len(sizes))]
    functions = [function_for(tree, *pair)[0].text("_".join(map(str, pair))) for pair in asked]
    shown = sizes_per_thread("module {\n" + "".join(functions) + "}\n")
    observed = {claim: [] for claim in claims}
    for (claim, dimension), per_thread in zip(asked, shown, strict=True):
        observed[claim].append(per_thread[dimension])
    return observed
