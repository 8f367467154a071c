# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values that a function reads from outside of itself: which ones may be, and whether they changed."""

from __future__ import annotations

import builtins
import collections
import functools
import itertools
import math
import operator
import types

from .integers import SymbolicInteger, plain_value

MAX_VALUES = 20_000  # per snapshot

_SCALARS = (int, bool, float, complex, str, bytes, type(None), type(...), range, type(NotImplemented))

# Builtin functions and types that neither have state nor see more of an integer than its operators.
_BUILTINS = """abs all any bin bool bytes chr dict divmod enumerate filter float format hex int isinstance iter len list
map max min next oct ord pow range repr reversed round slice sorted staticmethod classmethod property str sum tuple
zip""".split()
_OPERATORS = [name for name in dir(operator) if not name.startswith("_")]
_ALLOWED = {getattr(builtins, name) for name in _BUILTINS}
_ALLOWED |= {getattr(operator, name) for name in _OPERATORS} - {operator.is_, operator.is_not, operator.attrgetter,
                                                               operator.methodcaller}
_ALLOWED |= {getattr(math, name) for name in dir(math) if callable(getattr(math, name)) and not name.startswith("_")}
_ALLOWED |= {getattr(itertools, name) for name in dir(itertools) if not name.startswith("_")}
_ALLOWED -= {math.ldexp}  # wants an int
_ALLOWED |= {functools.reduce, functools.partial, tuple.__new__, object.__new__}
_ALLOWED |= {error for error in vars(builtins).values() if isinstance(error, type) and issubclass(error, BaseException)
             and not issubclass(error, OSError)}  # whose class depends on the number of the error

# Methods of these types change nothing but their own object, which a snapshot holds if it comes from outside.
METHOD_OWNERS = (int, bool, float, str, bytes, tuple, list, dict, range, type(None), slice, types.GeneratorType)

_FIELD = type(collections.namedtuple("Pair", "first").first)
_DESCRIPTORS = (types.MemberDescriptorType, types.GetSetDescriptorType, _FIELD)
# Attributes that dataclasses and type parameters leave in a class. Only code that names one reads it, which is refused.
_UNREAD = ("__dataclass_fields__", "__dataclass_params__", "__orig_bases__", "__parameters__", "__type_params__")
_C_METHODS = (types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType)


class Refused(Exception):
    """A value that a traced function may not read. The text says why."""


def is_allowed_function(function) -> bool:
    """Returns True if a function or type that is not written in Python may be called."""
    return type(function) in (type, types.BuiltinFunctionType) and function in _ALLOWED


def is_written_in_python(kind: type) -> bool:
    """Returns True if a class statement made the type: it has no methods and no memory that only C can see."""
    parts = vars(kind)
    if any(isinstance(part, _C_METHODS) for part in parts.values()):
        return False
    words = sum(isinstance(part, types.MemberDescriptorType) for part in parts.values())
    words += ("__dict__" in parts) + ("__weakref__" in parts)
    return kind is not object and kind.__basicsize__ <= kind.__base__.__basicsize__ + 8 * words


def describe(value) -> str:
    kind = type(value)
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    if isinstance(value, (type, types.BuiltinFunctionType)):
        return f"{value.__module__}.{getattr(value, '__qualname__', '?')}"
    return f"a {kind.__module__}.{kind.__qualname__}"


class Snapshot:
    """The content of the value that `read()` returns, to be compared with its content later.

    Errors: Refused, for a value whose content is not known: an array, an iterator, an object of a type that is not
    written in Python.
    """

    def __init__(self, read):
        self._value = read
        self._kept = None  # the values at first, so that no new one has the identity of one of them
        self._content = self._read()

    def has_changed(self) -> bool:
        """Returns True if the value has another content than at first."""
        try:
            return self._read() != self._content
        except Refused:
            return True

    def _read(self):
        self._seen = {}
        content = self._content_of(self._value())
        self._kept = self._kept or self._seen
        return content

    def _content_of(self, value):
        kind = type(value)
        if kind in _SCALARS:
            return kind.__name__, repr(value)
        if id(value) in self._seen:
            return "seen", self._seen[id(value)][0]
        self._seen[id(value)] = len(self._seen), value  # the value is kept, so that its identity is no other's
        if len(self._seen) > MAX_VALUES:
            raise Refused(f"more than {MAX_VALUES} values")
        if kind in (list, tuple):
            return kind.__name__, id(value) if kind is list else 0, [self._content_of(item) for item in value]
        if kind is dict:
            return "dict", id(value), [(self._content_of(k), self._content_of(v)) for k, v in value.items()]
        if kind is frozenset or kind is set:
            if not all(type(item) in (int, bool) for item in value):
                raise Refused("a set of other values than integers, whose order is not known")
            return kind.__name__, id(value), sorted(value)
        if kind is types.FunctionType:
            return self._content_of_function(value)
        if kind is types.MethodType:
            return "method", self._content_of(value.__func__), self._content_of(value.__self__)
        if kind in (staticmethod, classmethod):
            return kind.__name__, self._content_of(value.__func__)
        if kind is property:
            return "property", [self._content_of(part) for part in (value.fget, value.fset, value.fdel)]
        if kind is functools.partial:
            return "partial", [self._content_of(part) for part in (value.func, value.args, value.keywords)]
        if kind is SymbolicInteger:
            raise Refused("a symbolic integer that the function kept")
        if plain_value(value) is not value:
            return "constexpr", self._content_of(plain_value(value))
        if isinstance(value, type):
            return self._content_of_class(value)
        if is_allowed_function(value):
            return "known", id(value)
        return self._content_of_object(value, kind)

    def _content_of_function(self, function):
        code = function.__code__
        cells = []
        for cell in function.__closure__ or ():
            try:
                cells.append(self._content_of(cell.cell_contents))
            except ValueError:
                cells.append("empty")
        others = [function.__defaults__, function.__kwdefaults__, function.__dict__]
        return "function", id(function), id(code), cells, [self._content_of(other) for other in others]

    def _content_of_class(self, value):
        if is_allowed_function(value):
            return "known", id(value)
        if type(value) is not type:
            raise Refused(f"{describe(value)}, a class with a metaclass of its own")
        parts = []
        for base in value.__mro__:
            if base is object or base in (tuple, list) or is_allowed_function(base):
                continue
            if not is_written_in_python(base):
                raise Refused(f"{describe(value)}, a type that is not written in Python")
            for name, part in vars(base).items():
                if name == "__dict__" and not isinstance(part, types.GetSetDescriptorType):
                    raise Refused(f"{describe(value)}, which has a __dict__ of its own")
                if name in ("__dict__", "__weakref__", "__doc__", "__annotations__", "__module__", "__qualname__"):
                    continue
                content = ("descriptor", id(part)) if isinstance(part, _DESCRIPTORS) else self._part(value, name, part)
                parts.append((name, content))
        return "class", id(value), parts

    def _part(self, value, name, part):
        try:
            return self._content_of(part)
        except Refused as refused:
            if name in _UNREAD:
                return "unread", id(part)
            raise Refused(f"{describe(value)}, whose attribute {name} is {refused}") from None

    def _content_of_object(self, value, kind):
        if isinstance(kind, type) and not is_written_in_python(kind):
            raise Refused(describe(value))
        parts = [self._content_of(kind)]
        for base in kind.__mro__:
            for name, part in vars(base).items():
                if name == "__dict__" and isinstance(part, types.GetSetDescriptorType):
                    parts += [(key, self._content_of(held)) for key, held in part.__get__(value, kind).items()]
                if isinstance(part, types.MemberDescriptorType):
                    try:
                        parts.append((name, self._content_of(part.__get__(value, kind))))
                    except AttributeError:
                        parts.append((name, "empty"))
        if issubclass(kind, tuple):
            parts.append([self._content_of(item) for item in tuple.__iter__(value)])
        elif issubclass(kind, list):
            parts.append([self._content_of(item) for item in list.__iter__(value)])
        elif any(not is_written_in_python(base) and base is not object for base in kind.__mro__):
            raise Refused(f"{describe(value)}, whose base is not written in Python")
        return "object", id(value), parts
