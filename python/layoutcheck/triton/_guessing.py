# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of a kernel about which the user says nothing: which are pointers, and values for the constants.

A parameter is a pointer if the kernel loads or stores through it, a sum that begins with it, or a variable that holds
either. It points to integers if a pointer or a bound of a loop is computed from what is loaded. What a guess gets wrong
shows when the kernel is compiled: guesses() gives several, the likely one first.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import defaultdict
from typing import Any, Iterator

_ACCESSES = {"load", "store", "atomic_add", "atomic_max", "atomic_min", "atomic_cas", "atomic_xchg", "atomic_and",
             "atomic_or", "atomic_xor", "make_block_ptr", "make_tensor_descriptor"}
_BLOCK = 64
_HEADS = 4
_FLOATS = ("scale", "eps", "alpha", "beta", "gamma", "dropout", "softcap", "smoothing", "temperature", "lr", "decay",
           "threshold", "limit", "coef", "p")
_INDICES = ("indices", "index", "idx", "seqlens", "offsets", "ids", "table", "order", "lengths")


class _Uses(ast.NodeVisitor):
    """How the body of a function uses its names."""

    def __init__(self):
        self.holds = defaultdict(set)  # variable -> names with which its values begin
        self.needs = defaultdict(set)  # variable -> all names in its values
        self.loaded = defaultdict(set)  # variable -> names with which the pointer of its load begins
        self.values = defaultdict(list)  # variable -> the expressions of its values
        self.addresses = []  # expressions of pointers
        self.accessed = set()  # names with which a pointer begins
        self.places = set()  # names from which pointers and bounds of loops are computed
        self.calls = []  # (name of the function, beginnings of the arguments by position or name)
        self.flags = set()  # names that are conditions
        self.words = {}  # names that are compared with a constant, and the first one
        self.types = set()  # names that say a type of elements

    def visit_Assign(self, node):
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.holds[target.id] |= _beginnings(node.value)
                self.needs[target.id] |= _names(node.value)
                self.values[target.id].append(node.value)
                for call in ast.walk(node.value):
                    if _called(call) == "load" and call.args:
                        self.loaded[target.id] |= _beginnings(call.args[0])
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for one, value in zip(target.elts, node.value.elts):
                    if isinstance(one, ast.Name):
                        self.holds[one.id] |= _beginnings(value)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.needs[node.target.id] |= _names(node.value)
            self.values[node.target.id].append(node.value)
        self.generic_visit(node)

    def visit_Call(self, node):
        name = _called(node)
        if name in _ACCESSES and node.args:
            self.accessed |= _beginnings(node.args[0])
            self.addresses.append(node.args[0])
            self.places |= _names(node.args[0])
        elif name == "range":
            self.places |= set().union(*map(_names, node.args))
        elif isinstance(node.func, ast.Name):
            given = dict(enumerate(map(_beginnings, node.args)))
            given |= {keyword.arg: _beginnings(keyword.value) for keyword in node.keywords}
            self.calls.append((name, given))
        if name in ("to", "cast", "zeros", "full"):
            for value in [*node.args, *[keyword.value for keyword in node.keywords]]:
                self.types |= {value.id} if isinstance(value, ast.Name) else set()
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left, *node.comparators]
        constants = [side.value for side in sides if isinstance(side, ast.Constant) and side.value is not None]
        if constants and isinstance(node.ops[0], ast.Eq):
            for side in sides:
                if isinstance(side, ast.Name):
                    self.words.setdefault(side.id, constants[0])
        self.generic_visit(node)

    def _condition(self, node):
        if isinstance(node, ast.Name):
            self.flags.add(node.id)
        elif isinstance(node, ast.BoolOp):
            for value in node.values:
                self._condition(value)
        elif isinstance(node, ast.UnaryOp):
            self._condition(node.operand)

    def visit_If(self, node):
        self._condition(node.test)
        self.generic_visit(node)

    visit_IfExp = visit_If


def _called(node) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _names(node) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}


def _closure(names, edges) -> set[str]:
    """Returns the names with all that their values consist of."""
    found = set(names)
    while True:
        more = set().union(*(edges[name] for name in found)) - found
        if not more:
            return found
        found |= more


def _beginnings(node) -> set[str]:
    """Returns the names with which a value may begin: {"x"} for `x + i * n` and for `x.to(t)`."""
    while True:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            node = node.left
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            node = node.args[0] if name in _ACCESSES - {"load"} | {"advance"} and node.args else node.func.value
        elif isinstance(node, ast.IfExp):
            return _beginnings(node.body) | _beginnings(node.orelse)
        else:
            return {node.id} if isinstance(node, ast.Name) else set()


def _uses(function):
    uses = _Uses()
    uses.visit(ast.parse(textwrap.dedent(inspect.getsource(function))))
    return uses


def _callee(function, name):
    found = function.fn.__globals__.get(name)
    return found if hasattr(found, "params") and hasattr(found, "fn") else None


def callees(function) -> list[Any]:
    """Returns the @triton.jit functions that a @triton.jit function calls by name."""
    found = [_callee(function, name) for name, _ in _uses(function.fn).calls]
    return [callee for callee in found if callee is not None]


def pointers(function, depth=3) -> set[str]:
    """Returns the names of the parameters through which a @triton.jit function loads or stores, also in its callees."""
    uses = _uses(function.fn)
    found = set(uses.accessed)
    for name, given in uses.calls if depth else []:
        callee = _callee(function, name)
        if callee is None:
            continue
        inner = pointers(callee, depth - 1)
        for place, beginnings in given.items():
            is_position = isinstance(place, int) and place < len(callee.params)
            found |= beginnings if (callee.params[place].name if is_position else place) in inner else set()
    return _closure(found, uses.holds) & {parameter.name for parameter in function.params}


def rows(function) -> dict[str, str]:
    """Returns, per pointer of a @triton.jit function, the parameter by which all its offsets are multiplied, if it is one.

    The memory of such a pointer consists of rows with so many elements. Constants are factors, too, unless the parameter
    is called a stride: then they divide the elements of a row.
    """
    uses = _uses(function.fn)
    parameters = {parameter.name for parameter in function.params}
    factors: dict[str, set[str]] = defaultdict(set)
    for address in uses.addresses:
        for pointer in _closure(_beginnings(address), uses.holds) & parameters:
            factors[pointer] |= _factors(address, uses, set()) & parameters - {pointer}
    constants = {parameter.name for parameter in function.params if parameter.is_constexpr}
    for pointer, found in factors.items():
        if any("stride" in name.lower() for name in found):
            factors[pointer] = found - constants
    return {pointer: next(iter(found)) for pointer, found in factors.items() if len(found) == 1}


def _factors(node, uses, seen) -> set[str]:
    """Returns the names that are multiplied in an expression and in the values of its variables."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult):
            found |= _beginnings(part.left) | _beginnings(part.right)
        elif isinstance(part, ast.Name) and part.id not in seen:
            seen.add(part.id)
            for value in uses.values[part.id]:
                found |= _factors(value, uses, seen)
    return found


def _constant(parameter, uses):
    name = parameter.name
    if parameter.has_default:
        return parameter.default
    if name in uses.words:
        return uses.words[name]
    if name in uses.flags or name.split("_")[0].lower() in ("is", "has", "use", "store", "save"):
        return False
    if name in uses.types or "dtype" in name.lower():
        import triton.language as tl

        return tl.float32
    return _HEADS if name in ("H", "HQ", "HV", "G", "W") or "num_warps" in name else _BLOCK


def guesses(function, constants: dict[str, Any]) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Returns signatures with the constants of each, the likely one first; then those with one type changed."""
    uses = _uses(function.fn)
    through = pointers(function)
    indices = [uses.loaded[name] for name in _closure(uses.places, uses.needs)]
    integers = _closure(set().union(*indices), uses.holds)
    values = {}
    signature = {}
    for parameter in function.params:
        name = parameter.name
        words = name.lower().split("_")
        if parameter.is_constexpr or name in constants:
            signature[name] = "constexpr"
            values[name] = constants[name] if name in constants else _constant(parameter, uses)
        elif parameter.annotation_type:
            signature[name] = parameter.annotation_type
        elif name in through:
            signature[name] = "*i32" if name in integers or set(words) & set(_INDICES) else "*fp32"
        else:
            signature[name] = "fp32" if set(words) & set(_FLOATS) else "i32"
    yield signature, values
    others = {"*fp32": ("*i32", "*i64"), "*i32": ("*fp32",), "i32": ("*fp32", "fp32"), "fp32": ("i32",)}
    for name, kind in signature.items():
        for other in others.get(kind, ()):
            yield {**signature, name: other}, values
    yield {name: "*i32" if kind == "*fp32" else kind for name, kind in signature.items()}, values
    flags = {name: not value for name, value in values.items() if isinstance(value, bool)}
    for name, value in flags.items():
        yield signature, {**values, name: value}
    for size in (16, 32, 128):
        yield signature, {name: size if value == _BLOCK else value for name, value in values.items()}
