# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Watches a function while it is traced: it may read and do only what gives the same result for the same arguments.

The interpreter reports each Python function that begins and each builtin function that is called. The code of the
former is read before it runs (`code_rules`), and so are the values that it takes from outside (`snapshot`); the latter
have to be among those that are known. Whatever is not known to be harmless is refused, with its line.
"""

from __future__ import annotations

import builtins
import functools
import gc
import sys
import types
from pathlib import Path as FilePath

from .code_rules import OUTSIDE, is_raise, outside_reads, refused_instruction
from .integers import plain_value
from .snapshot import METHOD_OWNERS, Refused, Snapshot, describe, is_allowed_function

MAX_CALL_DEPTH = 150
MAX_INSTRUCTIONS = 3_000_000  # that run on one path

PYTEST_NAMES = "@py_builtins"  # in functions whose asserts pytest has rewritten

_PACKAGE = str(FilePath(__file__).parent)

# Exceptions that integers and symbolic integers raise alike, also inside of functions that are written in C.
_ALIKE = (AssertionError, GeneratorExit, IndexError, KeyError, NameError, StopIteration, ZeroDivisionError)


class Escape(BaseException):
    """Ends the tracing: the function does something that symbolic integers cannot follow. No `except Exception` of the
    function catches it; one that does is noticed, because the path remembers it.
    """


def is_own(frame) -> bool:
    """Returns True for a function of this package, which the traced function does not belong to."""
    if not frame.f_code.co_filename.startswith(_PACKAGE):
        return False
    module = sys.modules.get(frame.f_globals.get("__name__", ""))
    return module is not None and vars(module) is frame.f_globals and module.__name__.startswith(__package__)


def function_of(value):
    """Returns the Python function that Triton's `constexpr_function` holds, or the value; global names that are
    Triton's constexpr are integers in it, as Triton's compiler has them.
    """
    kind = type(value)
    if kind.__module__.startswith("triton.") and kind.__name__ == "ConstexprFunction":
        value = value.fn
    if not isinstance(value, types.FunctionType):
        return value
    known = {name: value.__globals__[name] for name in value.__code__.co_names if name in value.__globals__}
    plain = {name: plain_value(held) for name, held in known.items() if plain_value(held) is not held}
    if not plain:
        return value
    names = {**value.__globals__, **plain}
    function = types.FunctionType(value.__code__, names, value.__name__, value.__defaults__, value.__closure__)
    function.__kwdefaults__ = value.__kwdefaults__
    return function


class Guard:
    """The rules for one traced function, on all of its paths. `violation` says which one it broke first, or is None."""

    def __init__(self):
        self.violation: str | None = None
        self._path = None
        self._depth = 0
        self._instructions = 0
        self._known_code = set()
        self._snapshots = {}  # what was read from where -> Snapshot

    def check_function(self, function) -> str | None:
        """Returns the reason why the function cannot be traced, or None."""
        if type(function).__module__.startswith("triton.") and type(function).__name__ == "JITFunction":
            return "the integers of a kernel are the machine's: expected a function of Python, or a constexpr_function"
        inner = function.func if type(function) is functools.partial else function
        if not isinstance(inner, (types.FunctionType, types.MethodType)):
            call = getattr(type(inner), "__call__", None)
            if isinstance(inner, type) or not isinstance(call, types.FunctionType):
                return f"expected a function that is written in Python, found {describe(inner)}"
        try:
            self._snapshots["function"] = Snapshot(lambda: function)
        except Refused as refused:
            return f"the function holds {refused}"
        return None

    def changed(self) -> str | None:
        """Returns a text if something changed that the function reads from outside."""
        for name, snapshot in self._snapshots.items():
            if snapshot.has_changed():
                what = "what the function holds" if name == "function" else name[1]
                return f"{what} changes while the function runs: expected a function without state"
        return None

    def watching(self, path):
        """Returns a context in which calls on this thread are watched for the path."""
        self._path = path
        self._depth = 0
        self._instructions = 0
        return _Watch(self)

    def _refuse(self, code, line, reason):
        self.violation = self.violation or f"{code.co_filename}:{line}: {reason}"
        self._path.escaped = self._path.escaped or self.violation
        raise Escape(self.violation)

    def trace(self, frame, event, _):
        """Is called when a Python function begins or continues."""
        code = frame.f_code
        if event != "call" or is_own(frame):
            return None
        if code.co_filename.endswith("_pytest/assertion/rewrite.py"):
            self._fail_assertion()
        self._depth += 1
        if self._depth > MAX_CALL_DEPTH:
            self._refuse(code, frame.f_lineno, f"more than {MAX_CALL_DEPTH} calls inside of each other")
        key = code, id(frame.f_globals)
        if key not in self._known_code:
            self._check_code(frame)
            self._known_code.add(key)
        frame.f_trace = self._trace_inside  # CPython 3.13 wants it before the next line
        frame.f_trace_opcodes = True  # not all loops report their lines
        frame.f_trace_lines = False
        return self._trace_inside

    def _trace_inside(self, frame, event, argument):
        if event == "opcode":
            self._instructions += 1
            if self._instructions > MAX_INSTRUCTIONS:
                self._refuse(frame.f_code, frame.f_lineno, f"more than {MAX_INSTRUCTIONS} instructions run on one path")
        elif event == "return":
            self._depth -= 1
        elif event == "exception":
            self._look_at_exception(frame, *argument)
        return self._trace_inside

    def _look_at_exception(self, frame, kind, error, traceback):
        if issubclass(kind, (RecursionError, MemoryError)):
            self._refuse(frame.f_code, frame.f_lineno, f"{kind.__name__} while the function is traced")
        if issubclass(kind, (Escape, *_ALIKE)):
            return
        while traceback.tb_next is not None:
            traceback = traceback.tb_next
        # An exception of a frame below was seen there. The operators of symbolic integers raise only what integers do.
        is_here = traceback.tb_frame is frame and not is_raise(frame.f_code, frame.f_lasti)
        if is_here or issubclass(kind, (AttributeError, TypeError)) and is_own(traceback.tb_frame):
            self._path.note_exception(error, f"{frame.f_code.co_filename}:{frame.f_lineno}")

    def profile(self, frame, event, function):
        """Is called when a builtin function is called."""
        if event != "c_call" or is_own(frame) or function == sys.setprofile:
            return
        if function == locals and PYTEST_NAMES in frame.f_code.co_names:
            self._fail_assertion()
        if not is_allowed_function(function) and type(getattr(function, "__self__", None)) not in METHOD_OWNERS:
            reason = f"calls {describe(function)}, whose result on symbolic integers is not known"
            self._refuse(frame.f_code, frame.f_lineno, reason)

    def _fail_assertion(self):
        # Pytest has rewritten an assert, which fails now, and describes its operands. The interpreter ends the watch
        # here; the noted text makes sure that the path is only accepted if it ends with an exception.
        self._path.note_text()
        raise AssertionError

    def _check_code(self, frame):
        code = frame.f_code
        has_no_builtins = type(frame.f_builtins) is dict and not frame.f_builtins  # as in a namedtuple's methods
        if frame.f_builtins is not builtins.__dict__ and not has_no_builtins:
            self._refuse(code, frame.f_lineno, "the function has builtins of its own")
        if type(frame.f_globals) is not dict:
            self._refuse(code, frame.f_lineno, "the function has global names that are computed")
        refused = refused_instruction(code)
        if refused:
            self._refuse(code, *refused)
        for line, names in outside_reads(code, frame.f_globals):
            if names[0] in (PYTEST_NAMES, "@pytest_ar"):
                continue
            self._check_read(code, line, names, frame.f_globals)

    def _check_read(self, code, line, names, global_names):
        text = ".".join(names)
        key = id(global_names), text
        if key in self._snapshots:
            return
        try:
            self._snapshots[key] = Snapshot(lambda: OUTSIDE.read(names, global_names))
        except Refused as refused:
            self._refuse(code, line, f"reads '{text}', which is {refused}: expected integers, functions and tables")


class _Watch:
    def __init__(self, guard):
        self._guard = guard

    def __enter__(self):
        self._before = sys.gettrace(), sys.getprofile()
        # A collection would run finalizers and callbacks of others in the middle of the function.
        self._collects = gc.isenabled()
        gc.disable()
        sys._getframe().f_trace_opcodes = True  # CPython 3.12 traces instructions only if a frame wants it before
        sys.setprofile(self._guard.profile)
        sys.settrace(self._guard.trace)

    def __exit__(self, *_):
        sys.settrace(self._before[0])
        sys.setprofile(self._before[1])
        if self._collects:
            gc.enable()
