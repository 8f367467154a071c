# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be asked of every kernel of a package without its user: no arrays and no launch are known."""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
import pkgutil
import resource
import signal
import time
import types
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from typing import Any, Callable, Iterator

from ..errors import LayoutError
from ._answers import KernelAnswer, KernelVerdict
from ._arguments import Arguments
from ._compiling import compile_ttir, configurations, function_of
from ._guessing import callees, guesses, rows
from ._prove import Question

MOST = 65536  # of integer arguments, programs per axis, and numbers in arrays of indices
ROWS = 2**40  # of an array whose rows have a size that is an argument
ELEMENTS = 2**56  # of each other array
_SLOWEST = 20  # seconds that a second of the processor may take
_ELEMENTS = {"fp64": "f64", "fp32": "f32", "fp16": "f16", "bf16": "bf16", "fp8e4nv": "f8e4m3fn", "fp8e5": "f8e5m2",
             "i64": "s64", "i32": "s32", "i16": "s16", "i8": "s8", "i1": "pred", "u64": "u64", "u32": "u32",
             "u16": "u16", "u8": "u8", "u1": "pred"}
_STORES = ["race-free", "distinct-stores"]


@dataclass(frozen=True)
class ScannedKernel:
    """One kernel of a scan. It is true if all that was asked is proved.

    name: "package.module.kernel". assumed: texts of what had to be assumed of its arguments.
    outcome: "asked", or how far it came: "not imported", "not compiled", "not read", "out of time", "crashed".
    reason: why it came no further. seconds: of the whole scan of this kernel.
    answer: the verdicts so far. "race-free" and "distinct-stores" come twice where they are refuted for some
        arguments: first for any, then where each stride is at least each other argument, as `where` says.
    """

    name: str
    assumed: tuple[str, ...] = ()
    outcome: str = "asked"
    reason: str = ""
    seconds: float = 0.0
    answer: KernelAnswer = KernelAnswer("", ())

    def __bool__(self) -> bool:
        return self.outcome == "asked" and bool(self.answer)


def scan(
    module: types.ModuleType,
    *,
    seconds: float = 60,
    jobs: int = 1,
    done: Callable[[ScannedKernel], None] | None = None,
) -> list[ScannedKernel]:
    """Asks each kernel of a module, or of a package with all its modules, what needs no arrays from the user.

    The arguments are guessed from the kernel's source, and triton.autotune's first configuration is taken. Each array
    is memory of its own, larger than all that 64-bit offsets of these arguments reach, so "accesses" is refuted where
    a number of 32 bits wraps or an index is negative; whether masks fit the arrays is for `prove`. Integers are from 1
    to 65536, and programs per axis and numbers in arrays of indices at most so many.

    seconds: time of the processor per kernel. Each kernel has a child process, of which `jobs` run at a time. done: called
    with each kernel. Errors: LayoutError for something else than a module.
    """
    if not isinstance(module, types.ModuleType):
        raise LayoutError(f"module: expected a module, found {module!r}")
    results = list(_failed_imports(module))
    kernels = _kernels_of(module)
    for result in results:
        if done:
            done(result)
    for result in _in_children(kernels, seconds, jobs):
        results.append(result)
        if done:
            done(result)
    return results


def _modules(module) -> Iterator[tuple[str, Any]]:
    """Returns the names of a package's modules, each with the module or the exception of its import."""
    yield module.__name__, module
    for entry in pkgutil.walk_packages(getattr(module, "__path__", []), module.__name__ + ".", onerror=lambda _: None):
        try:
            yield entry.name, importlib.import_module(entry.name)
        except BaseException as error:  # a module may do anything, such as to exit
            if isinstance(error, KeyboardInterrupt):
                raise
            yield entry.name, error


def _failed_imports(module) -> Iterator[ScannedKernel]:
    for name, found in _modules(module):
        if isinstance(found, BaseException):
            yield ScannedKernel(name, outcome="not imported", reason=f"{type(found).__name__}: {found}")


def _kernels_of(module) -> dict[str, Any]:
    """Returns the kernels by name, without the functions that other kernels call."""
    kernels = {}
    called = set()
    for name, found in _modules(module):
        for own, value in vars(found).items() if not isinstance(found, BaseException) else ():
            try:
                function = function_of(value)
            except LayoutError:
                continue
            if function.module == name and function not in kernels.values():
                kernels[f"{name}.{own}"] = value
                called |= {id(callee) for callee in callees(function)}
    return {name: kernel for name, kernel in kernels.items() if id(function_of(kernel)) not in called}


def _in_children(kernels, seconds, jobs) -> Iterator[ScannedKernel]:
    """Scans each kernel in a child process, which ends at its time, and returns what it found until then."""
    context = multiprocessing.get_context("fork")
    waiting = list(kernels.items())
    running: dict[Any, list] = {}  # receiver -> child, begin, result so far
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                name, kernel = waiting.pop(0)
                receiver, sender = context.Pipe(duplex=False)
                child = context.Process(target=_scan_in_child, args=(name, kernel, sender, seconds), daemon=True)
                child.start()
                sender.close()
                running[receiver] = [child, time.monotonic(), ScannedKernel(name, outcome="not compiled")]
            ready = wait(list(running), seconds)
            for receiver in list(running):
                child, begin, result = running[receiver]
                spent = time.monotonic() - begin
                if receiver in ready:
                    try:
                        running[receiver][2] = receiver.recv()
                        continue
                    except EOFError:
                        child.join()
                is_late = spent >= _SLOWEST * seconds
                if receiver not in ready and not is_late:
                    continue
                child.kill()
                child.join()
                del running[receiver]
                is_late = is_late or child.exitcode == -signal.SIGXCPU
                yield replace(_ended(result, is_late, seconds), seconds=spent)
    finally:  # also after Ctrl-C
        for child, _, _ in running.values():
            child.kill()


def _ended(result, is_late, seconds) -> ScannedKernel:
    """Returns the result of a child that ended, and whether that was because its time was up."""
    if is_late:
        return replace(result, reason=f"it takes more than {seconds} s")
    if result.outcome in ("asked", "not read") or result.reason:
        return result
    return replace(result, outcome="crashed", reason="its process ended")


def _scan_in_child(name, kernel, sender, seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 10))  # SIGXCPU comes first
    _scan_kernel(name, kernel, sender.send)


def _scan_kernel(name, kernel, report: Callable[[ScannedKernel], None]) -> None:
    """Reports the result after each step."""
    result = ScannedKernel(name, outcome="not compiled")
    function = function_of(kernel)
    text, signature, constants = None, {}, {}
    first = ""
    for signature, constants in guesses(function, configurations(kernel)[0]):
        try:
            text = compile_ttir(function, signature, constants)
            break
        except LayoutError as error:
            first = first or error.message
    if text is None:
        report(replace(result, reason=first))
        return
    arrays, numbers, bound = _texts(signature, rows(function))
    if not arrays:
        report(replace(result, outcome="not read", reason="it has no array"))
        return
    programs = [f"programs_{axis}" for axis in "xyz" if f"tt.get_program_id {axis} " in text]
    limits = [f"{number} <= {MOST}" for number in [*numbers, *programs]] + [f"{number} >= 1" for number in numbers]
    indices = {array: f"0:{MOST}" for array, layout in arrays.items() if layout[:3] in ("s32", "s64")}
    memories = [f"{array}={layout}, with memory of its own" for array, layout in arrays.items()]
    result = replace(result, assumed=(*memories, *limits,
                                      *[f"{array} has numbers below {MOST}" for array in indices],
                                      *[f"{constant}={value!r}" for constant, value in constants.items()]),
                     outcome="out of time")
    report(result)
    known: list[KernelVerdict] = []

    def ask(laws, more):
        def add(verdict):
            if verdict.law in laws and verdict.reason != "the kernel stores nothing":
                known.append(replace(verdict, where=(*more, *verdict.where)))
                report(replace(result, answer=KernelAnswer(function.__name__, tuple(known))))

        question = Question(arrays, None, "", None, None, [*limits, *more], None, indices, (), laws, None)
        question.verdicts(function.__name__, text, bound, "", add)

    try:
        ask(["accesses", *_STORES], [])
    except LayoutError as error:
        report(replace(result, outcome="not read", reason=error.message))
        return
    nested = _nested_strides({text: name for name, text in bound.texts.items() if text in numbers}, constants)
    if nested and any(verdict.verdict == "refuted" for verdict in known if verdict.law in _STORES):
        try:
            ask(_STORES, nested)
        except LayoutError as error:  # the verdicts without these conditions stay
            known += [KernelVerdict(law, "unknown", reason=error.message, where=tuple(nested)) for law in _STORES]
    report(replace(result, outcome="asked", answer=KernelAnswer(function.__name__, tuple(known))))


def _nested_strides(numbers: dict[str, str], constants) -> list[str]:
    """Returns the conditions that each stride is at least each other argument and constant; none without strides.

    numbers: the parameters by their names in the question, which may be shorter.
    """
    strides = [number for number, parameter in numbers.items() if "stride" in parameter.lower()]
    most = max([1, *[value for value in constants.values() if isinstance(value, int)]])
    sizes = [str(most), *[number for number in numbers if number not in strides]]
    return [f"{stride} >= {size}" for stride in strides for size in sizes]


def _texts(signature, row_sizes) -> tuple[dict[str, str], list[str], Arguments]:
    """Returns the arrays with their layouts, the names of the integers, and the texts of all arguments.

    row_sizes: per pointer, the integer that is the size of its rows.
    """
    arrays, numbers = {}, []
    bound = Arguments(signature)
    for name, kind in signature.items():
        if kind == "constexpr":
            continue
        # A size has at most 18 letters.
        short = name if len(name) <= 18 else f"{name[:14]}_{len(bound.texts)}"
        bound.texts[name] = short
        if kind[0] in "iu":
            numbers.append(short)
        elif kind[0] != "*":
            bound.texts[name] = f"{short}_value"
    for name, kind in signature.items():
        if kind[0] == "*":
            size = bound.texts.get(row_sizes.get(name, ""), "")
            shape = f"[{ROWS},{size}]{{1,0}}" if size in numbers else f"[{ELEMENTS}]{{0}}"
            arrays[bound.texts[name]] = _ELEMENTS.get(kind.lstrip("*").removeprefix("k"), "f32") + shape
    return arrays, numbers, bound
