# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and texts of a kernel's arguments."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, field
from typing import Any

from ..dtypes import element_type_of_text
from ..errors import LayoutError

_POINTERS = {"pred": "i1", "s8": "i8", "s16": "i16", "s32": "i32", "s64": "i64", "u8": "u8", "u16": "u16", "u32": "u32",
             "u64": "u64", "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8e4m3fn": "fp8e4nv",
             "f8e5m2": "fp8e5", "f8e4m3fnuz": "fp8e4b8", "f8e5m2fnuz": "fp8e5b16"}
_NUMBERS = ("i1", "u1", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "fp16", "bf16", "fp32", "fp64")


@dataclass
class Arguments:
    """The arguments of one configuration: Triton's types, the constants, and the texts that prove-kernel takes."""

    signature: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    # By parameter, the name of an array, a formula, or the name of a number of floating point.
    texts: dict[str, str] = field(default_factory=dict)
    # Values of numbers of floating point.
    floats: dict[str, float] = field(default_factory=dict)


def element_type(name: str, layout: str) -> str:
    """Returns Triton's name of an array's element type. Errors: LayoutError."""
    element = element_type_of_text(layout)
    if element not in _POINTERS:
        raise LayoutError(f"arrays: {name}: expected a layout with an element type of Triton ({', '.join(_POINTERS)}), "
                          f"found '{layout}'")
    return _POINTERS[element]


def bind(function, arrays, args, types, constants) -> Arguments:
    """Returns the arguments of a @triton.jit function, one per parameter in order. Errors: LayoutError."""
    bound = Arguments()
    names = [parameter.name for parameter in function.params]
    for given, what in ((arrays, "arrays"), (args, "args"), (types, "types"), (constants, "constexprs")):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise LayoutError(f"{what}: expected parameters of {function.__name__} ({', '.join(names)}), found "
                              f"'{unknown[0]}'")
    for parameter in function.params:
        name = parameter.name
        if name in constants:
            bound.signature[name], bound.constants[name] = "constexpr", constants[name]
        elif name in arrays:
            bound.signature[name], bound.texts[name] = "*" + element_type(name, arrays[name]), name
        elif name in args:
            _bind_number(bound, parameter, args[name], arrays, types)
        elif parameter.has_default:
            _bind_number(bound, parameter, parameter.default, arrays, types)
        else:
            where = "constexprs" if parameter.is_constexpr else "arrays or args"
            raise LayoutError(f"{where}: expected a value for the parameter {name} of {function.__name__}")
    return bound


def bind_texts(names, arrays, args, floats) -> Arguments:
    """Returns the arguments of a function of TTIR, by the names and the numbers that are of floating point."""
    bound = Arguments()
    for given, what in ((arrays, "arrays"), (args, "args")):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise LayoutError(f"{what}: expected parameters of the kernel ({', '.join(names)}), found '{unknown[0]}'")
    for name in names:
        if name in arrays:
            bound.texts[name] = name
        elif name in args:
            value = args[name]
            is_float = name in floats
            bound.texts[name] = f"{name}_value" if is_float else str(int(value) if isinstance(value, bool) else value)
        else:
            raise LayoutError(f"arrays or args: expected a value for the parameter {name}")
    return bound


def _bind_number(bound, parameter, value, arrays, types):
    """Adds an argument that is no array of its own, with the type that Triton gives it."""
    name = parameter.name
    declared = types.get(name) or parameter.annotation_type
    if declared and declared not in _NUMBERS:
        raise LayoutError(f"types: {name}: expected one of {', '.join(_NUMBERS)}, found '{declared}'")
    if parameter.is_constexpr or value is None:
        bound.signature[name], bound.constants[name] = "constexpr", value
        return
    if hasattr(value, "__index__") and not isinstance(value, bool):
        value = operator.index(value)
    if isinstance(value, str):
        if value in arrays:  # the memory of another parameter
            bound.signature[name], bound.texts[name] = "*" + element_type(value, arrays[value]), value
            return
        bound.signature[name] = declared or "i32"
    elif isinstance(value, bool):
        bound.signature[name] = declared or "u1"
        value = int(value)
    elif isinstance(value, int):
        if value == 1 and not declared and not parameter.do_not_specialize:
            bound.signature[name], bound.constants[name] = "constexpr", 1
            return
        if not -2**63 <= value < 2**64:
            raise LayoutError(f"args: {name}: expected a number of 64 bits, found {value}")
        bound.signature[name] = declared or ("i32" if -2**31 <= value < 2**31 else "i64" if value < 2**63 else "u64")
    elif isinstance(value, float):
        bound.signature[name] = declared or "fp32"
        bound.floats[name] = value
    else:
        raise LayoutError(f"args: {name}: expected a number, None, a formula such as '2 * N' or the name of an array, "
                          f"found {value!r}")
    is_float = re.match("b?fp?[0-9]", bound.signature[name])
    bound.texts[name] = f"{name}_value" if is_float else str(value)
