# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows a refuted access again in Triton's interpreter, which shares no code with the proof.

The interpreter runs the program of the counterexample in a child process. Arrays have addresses but no memory: each
pointer that is loaded or stored is compared with the ends of its array, and a load gives zeros.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
import traceback
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core import Layout
from ._answers import KernelVerdict
from ._arguments import Arguments

SECONDS = 60  # time of the interpreter
_ROOM = 1 << 57  # bytes between the beginnings of two arrays
_OUTSIDE = re.compile(r" outside of (\S+) at \S+, at byte (-?[0-9]+)")
_ARRAY = re.compile(r"([a-z]\w*)\[([^]]*)\](\{[^}]*\})?(?::\((.*)\))?")


@dataclass(frozen=True)
class Launch:
    """A kernel with its arguments. has_values: whether the question says which numbers are in the arrays."""

    function: Any
    bound: Arguments
    arrays: dict[str, str]
    grid: str
    has_values: bool


class _NoReplay(Exception):
    """The reason why the interpreter can neither show nor contradict it."""


class _Shown(Exception):
    """The access of the counterexample was seen."""


def replayed(verdict: KernelVerdict, launch: Launch) -> KernelVerdict:
    """Returns the verdict with what the interpreter did. It is unknown if that contradicts the refutation."""
    found = _OUTSIDE.search(verdict.reason)
    if verdict.law != "accesses" or verdict.verdict != "refuted":
        return verdict
    try:
        if not found:
            raise _NoReplay("it is no access outside of an array")
        if launch.has_values:
            raise _NoReplay("it may depend on the numbers in arrays")
        run = _Run(verdict.counterexample, launch, (found[1], int(found[2])))
        seen, fault = run.in_child()
        if fault is not None:
            raise _NoReplay(fault)
    except _NoReplay as reason:
        return replace(verdict, replay=f"Triton's interpreter did not show it: {reason}")
    if seen is not None:
        return replace(verdict, replay=f"in Triton's interpreter, {seen}")
    contradiction = (f"CONTRADICTION: Triton's interpreter does nothing outside of an array at {verdict.counterexample}, "
                     f"where layoutcheck finds {verdict.reason}: one of the two is wrong; please report it")
    return replace(verdict, verdict="unknown", counterexample=None, reason=contradiction, replay=contradiction)


def _evaluated(text, point):
    """Returns the value of a formula."""
    from .. import _prover

    [value] = _prover.evaluate(text, list(point), [list(point.values())])
    if isinstance(value, str):
        raise _NoReplay(f"{text} has no value there: {value}")
    return value


def extent(layout: str, point: dict[str, int]) -> int:
    """Returns the bytes of an array from its beginning to its end, at these sizes."""
    match = _ARRAY.fullmatch(layout.replace(" ", ""))
    if not match:
        raise _NoReplay(f"the size of {layout} is not known")
    element, dimensions, braces, strides = match.groups()
    sizes = [_evaluated(size, point) for size in dimensions.split(",") if size]
    bits = Layout(f"{element}[8]{{0}}").sizes.bytes
    if strides is None:
        numbers = ",".join(map(str, sizes))
        return Layout(f"{element}[{numbers}]{braces or ''}").sizes.bytes
    steps = [_evaluated(stride, point) for stride in strides.split(",")]
    if 0 in sizes:
        return 0
    return (1 + sum((size - 1) * step for size, step in zip(sizes, steps))) * bits // 8


class _Run:
    """One program of a launch. expected: the array and the byte of the access that is looked for."""

    def __init__(self, counterexample, launch: Launch, expected):
        point = dict(counterexample)
        self.launch = launch
        self.expected = expected
        self.program = tuple(point.pop(f"block_{axis}", 0) for axis in "xyz")
        grid = [_evaluated(size, point) for size in launch.grid.split(",")] if launch.grid else [
            point.get(f"programs_{axis}", 1) for axis in "xyz"]
        self.grid = tuple([*grid, 1, 1][:3])
        self.names = list(launch.arrays)
        self.extents = [extent(layout, point) for layout in launch.arrays.values()]
        if len(self.names) > 126 or max(self.extents, default=0) >= _ROOM // 2:
            raise _NoReplay("the arrays are too large")
        self.values = {}
        for name, text in launch.bound.texts.items():
            if launch.bound.signature[name].startswith("*"):
                self.values[name] = self.beginning(self.names.index(text))
            elif name in launch.bound.floats or text == f"{name}_value":
                self.values[name] = launch.bound.floats.get(name, 1.0)
            else:
                self.values[name] = _evaluated(text, point)

    @staticmethod
    def beginning(array):
        return (array + 1) * _ROOM

    def in_child(self):
        """Returns what the program does outside of its arrays, or None, and why it did not end, or None."""
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        child = context.Process(target=self._child, args=(sender,), daemon=True)
        child.start()
        sender.close()
        try:
            if not receiver.poll(SECONDS):
                return None, f"it takes more than {SECONDS} s"
            return receiver.recv()
        except EOFError:
            return None, "it ended without an answer"
        finally:
            child.kill()
            child.join()
            receiver.close()

    def _child(self, sender):
        seen = []
        fault = None
        for stream in (1, 2):  # of the kernel's prints, and of warnings about its numbers
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        try:
            self._interpret(seen)
        except _Shown:
            pass
        except BaseException as error:  # whatever the kernel or the interpreter raises is the answer
            fault = f"it stops with {type(error).__name__}: {error}".splitlines()[0]
        wanted = [text for text, place in seen if place == self.expected]
        if wanted or seen:
            sender.send(((wanted or [seen[0][0]])[0], None))
        else:
            sender.send((None, fault))

    def _interpret(self, seen):
        """Runs the program and adds each access outside of an array as a text, with the array and the byte."""
        import triton.language as tl
        from triton.runtime import interpreter
        from triton.runtime.jit import JITFunction

        source = self.launch.function.fn.__code__.co_filename

        def check(pointers, mask, kind):
            addresses = np.broadcast_to(np.asarray(pointers.data, np.uint64), np.shape(mask))[np.asarray(mask, bool)]
            width = max(1, pointers.get_element_ty().primitive_bitwidth // 8)
            for address in np.unique(addresses).tolist():
                array = min(max((address + _ROOM // 2) // _ROOM - 1, 0), len(self.names) - 1)
                byte = address - self.beginning(array)
                if 0 <= byte <= self.extents[array] - width:
                    continue
                lines = [frame.lineno for frame in traceback.extract_stack() if frame.filename == source]
                text = (f"program {self.program} {kind} element {byte // width} of {self.names[array]}, which has "
                        f"{self.extents[array] // width}, in line {lines[-1] if lines else 0}")
                seen.append((text, (self.names[array], byte)))
                if seen[-1][1] == self.expected:
                    raise _Shown

        def load(_, pointers, mask, other, *rest, **named):
            check(pointers, mask.data, "loads")
            element = pointers.get_element_ty()
            zeros = np.zeros(pointers.data.shape, interpreter._get_np_dtype(element))
            data = zeros if other is None else np.where(mask.data, zeros, other.data)
            return interpreter.TensorHandle(data.astype(zeros.dtype), element)

        def store(_, pointers, value, mask, *rest, **named):
            check(pointers, mask.data, "stores to")

        def change(_, operation, pointers, value, mask, *rest, **named):
            check(pointers, mask.data, "changes")
            return interpreter.TensorHandle(np.zeros_like(value.data), value.dtype.scalar)

        def swap(_, pointers, compared, value, *rest, **named):
            check(pointers, np.ones(pointers.data.shape, bool), "changes")
            return interpreter.TensorHandle(np.zeros_like(value.data), value.dtype.scalar)

        builder = interpreter.InterpreterBuilder
        builder.create_masked_load, builder.create_masked_store = load, store
        builder.create_atomic_rmw, builder.create_atomic_cas = change, swap
        # Functions that the kernel calls are interpreted, too.
        JITFunction.__call__ = lambda function, *args, **named: interpreter.InterpretedFunction(function.fn)(
            *args, **named)
        interpreter.interpreter_builder.set_grid_dim(*self.grid)
        interpreter.interpreter_builder.set_grid_idx(*self.program)
        arguments = dict(self.launch.bound.constants)
        for name, value in self.values.items():
            kind = tl.str_to_ty(self.launch.bound.signature[name], None)
            data = np.array([value], interpreter._get_np_dtype(kind))
            arguments[name] = tl.tensor(interpreter.TensorHandle(data, kind), kind)
        function = interpreter.InterpretedFunction(self.launch.function.fn)
        interpreter._patch_lang(self.launch.function.fn)
        sys.setrecursionlimit(10000)
        function.rewrite()(**arguments)
