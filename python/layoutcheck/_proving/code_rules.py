# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the instructions of a function: which ones a traced function may have, and what it takes from outside."""

from __future__ import annotations

import builtins
import dis
import string
import sys
import types

NEWEST_PYTHON = (3, 14)  # the first version whose instructions are not known here

_MODULES = ("math", "itertools")

_REFUSED = {
    "STORE_GLOBAL": "changes the global name '{}'",
    "DELETE_GLOBAL": "changes the global name '{}'",
    "LOAD_NAME": "reads '{}' in a body that is no function",
    "LOAD_LOCALS": "reads its local names as a dict",
    "LOAD_CLASSDEREF": "defines a class",
    "LOAD_FROM_DICT_OR_GLOBALS": "defines a class",
    "LOAD_FROM_DICT_OR_DEREF": "defines a class",
    "LOAD_BUILD_CLASS": "defines a class",
    "LOAD_SUPER_ATTR": "calls super()",
    "IMPORT_STAR": "imports names",
    "BUILD_SET": "makes a set, whose order is not known",
    "SET_ADD": "makes a set, whose order is not known",
    "SET_UPDATE": "makes a set, whose order is not known",
}
_ASYNC = ("GET_AWAITABLE", "GET_AITER", "GET_ANEXT", "BEFORE_ASYNC_WITH", "SETUP_ASYNC_WITH", "END_ASYNC_FOR",
          "ASYNC_GEN_WRAP")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "DELETE_ATTR")

# Attributes by which a function sees how it runs: a frame has the builtin functions, and says whether it is traced.
_KINDS_OF_RUNNING_CODE = (types.FrameType, types.TracebackType, types.CodeType, types.GeneratorType, types.CoroutineType,
                          types.AsyncGeneratorType)
_INSIDES = frozenset(name for kind in _KINDS_OF_RUNNING_CODE for name in dir(kind)
                     if name.startswith(("f_", "tb_", "co_", "gi_", "cr_", "ag_")))


class Outside:
    """Reads values that a function takes from outside."""

    class Missing:
        """Stands for a name that is not there."""

    def read(self, names, global_names):
        """Returns the value of the global or builtin name, and of its attributes as long as it is a module. The attribute
        that only the module's own __getattr__ knows is that function.
        """
        first = names[0]
        value = global_names.get(first, vars(builtins).get(first, Outside.Missing))
        for name in names[1:]:
            value = vars(value).get(name, vars(value).get("__getattr__", Outside.Missing))
        return value


OUTSIDE = Outside()


def _instructions(code):
    """Returns (instruction, line) for each instruction that does something."""
    line = code.co_firstlineno
    result = []
    for instruction in dis.get_instructions(code):
        position = getattr(instruction, "positions", None)
        found = position.lineno if position else instruction.starts_line
        line = found or line
        if instruction.opname not in ("CACHE", "EXTENDED_ARG", "NOP", "RESUME", "PUSH_NULL", "PRECALL"):
            result.append((instruction, line))
    return result


def is_raise(code, offset) -> bool:
    """Returns True if the instruction at the offset is a statement `raise` or `assert`, or ends a `finally`."""
    return dis.opname[code.co_code[offset]] in ("RAISE_VARARGS", "RERAISE")


def refused_instruction(code):
    """Returns (line, reason) for the first instruction that a traced function may not have, or None."""
    if sys.version_info >= NEWEST_PYTHON or sys.implementation.name != "cpython":
        return code.co_firstlineno, "the instructions of this version of Python are not known"
    instructions = _instructions(code)
    for k, (instruction, line) in enumerate(instructions):
        reason = _why_refused(code, instruction, instructions[k - 1][0] if k else None)
        if reason:
            return line, reason
    for constant in code.co_consts:
        if isinstance(constant, frozenset) and not all(type(item) in (int, bool) for item in constant):
            return code.co_firstlineno, "has a set of other values than integers, whose order is not known"
    return None


def _why_refused(code, instruction, before):
    name = instruction.opname
    text = instruction.argval
    if name in _REFUSED:
        return _REFUSED[name].format(text)
    if name in _ASYNC:
        return "is asynchronous"
    if name in ("STORE_DEREF", "DELETE_DEREF") and text in code.co_freevars:
        return f"changes '{text}' of the function around it"
    if name == "IMPORT_NAME" and text not in _MODULES:
        return f"imports {text}: expected one of {', '.join(_MODULES)}"
    attributes = [text] if name in _ATTRIBUTES else []
    if name == "MATCH_CLASS":
        attributes = before.argval if before is not None and before.opname == "LOAD_CONST" else ["__match_args__"]
    for attribute in attributes:
        is_special = attribute.startswith("__") and attribute.endswith("__")
        if is_special or attribute in _INSIDES or attribute.startswith("_layoutcheck"):
            return f"uses the attribute {attribute}"
    if attributes and text in ("format", "format_map") and not _has_plain_fields(before):
        return f"uses the method {text} of something else than a constant text whose fields are arguments"
    if name == "IS_OP":
        is_none = before is not None and before.opname == "LOAD_CONST" and before.argval is None
        if not is_none or instruction.is_jump_target:
            return "'is' compares objects, not numbers: expected ==, or a comparison with None"
    return None


def _has_plain_fields(instruction):
    """Returns True if the instruction loads a text whose fields for format() have no attributes or indices."""
    if instruction is None or instruction.opname != "LOAD_CONST" or type(instruction.argval) is not str:
        return False
    pending = [instruction.argval]
    while pending:
        try:
            fields = list(string.Formatter().parse(pending.pop()))
        except ValueError:
            return False
        if any("." in (name or "") or "[" in (name or "") for _, name, _, _ in fields):
            return False
        pending += [spec for _, _, spec, _ in fields if spec]
    return True


def outside_reads(code, global_names):
    """Returns (line, names) for each value that the code takes from outside: a global or builtin name, and the
    attributes that follow as long as the value is a module.
    """
    reads = []
    instructions = _instructions(code)
    for k, (instruction, line) in enumerate(instructions):
        if instruction.opname != "LOAD_GLOBAL":
            continue
        names = [instruction.argval]
        for following, _ in instructions[k + 1:]:
            is_module = type(OUTSIDE.read(names, global_names)) is types.ModuleType
            if not is_module or following.opname not in ("LOAD_ATTR", "LOAD_METHOD") or following.is_jump_target:
                break
            names.append(following.argval)
        reads.append((line, tuple(names)))
    return reads
