# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Questions about kernels of Triton."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .._arguments import optional_count
from ..errors import LayoutError
from .._proving import ProverMissing
from ._answers import KernelAnswer, KernelVerdict
from ._arguments import bind, bind_texts
from ._compiling import compile_ttir, configurations, function_of, with_heuristics
from ._replay import Launch, replayed

_UNITS = {"": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "kB": 10**3, "MB": 10**6,
          "GB": 10**9, "TB": 10**12}
# Options of the command, which its messages name, and the parameters here.
_PARAMETERS = {"--args": "args", "--array": "arrays", "--assume": "assume", "--grid": "grid", "--law": "laws",
               "--max-bytes": "max_bytes", "--source": "source", "--values": "values"}
_FUNCTION = re.compile(r"^\s*tt\.func (?:public )?@\"?([\w.$]+)\"?\((.*)$", re.MULTILINE)
_PARAMETER = re.compile(r"%([\w.$]+): *(!tt\.ptr<[^>]*>|[\w<>!.]+)")


def prove(
    kernel: Any,
    arrays: Mapping[str, Any],
    args: Mapping[str, Any] | None = None,
    *,
    grid: Any = "",
    constexprs: Mapping[str, Any] | None = None,
    types: Mapping[str, Any] | None = None,
    assume: Any = (),
    max_bytes: int | str | None = None,
    values: Mapping[str, Any] | None = None,
    source: Any = (),
    laws: Any = (),
    function: str | None = None,
    budget: int | None = None,
    replay: bool = True,
) -> KernelAnswer:
    """Proves or refutes that a kernel of Triton is right, for all sizes and every program of the grid.

    kernel: a @triton.jit function, also inside of triton.autotune and triton.heuristics, which is compiled without a
    GPU; or the path of a .ttir file, or its text. function: the function in it, if there are several.

    arrays: per parameter that is a pointer, its array, "f32[M,N]{1,0}", whose sizes may be names and formulas;
    "f32[M,N]{1,0}:(LD,1)" has strides in elements. args: per other parameter a number, None, or a formula of the
    sizes, "N" or "2 * N"; or the name of an array, for the same memory. constexprs: the constants. Parameters with
    default values may be missing. types: "i64" and others for formulas, which are "i32" unless the kernel says
    otherwise. A number has the type that Triton gives it: 1 is a constant, and 2**31 an "i64".
    grid: the programs, "N ceildiv 1024, M", or a tuple, or a function of the constants that returns one. Without it,
    any number of programs runs.

    assume: conditions on the sizes, "N <= 4096". max_bytes: of each array, a number or "2GiB". values: per array of
    indices the numbers in it, {"table_ptr": "0:P"}. source: what belongs in an output, "out[r,n]=in[table[r],n]".
    laws: names of laws, otherwise all that have a meaning. These are as in docs/prove-kernel.md. budget: Z3's work per
    law. replay: whether Triton's interpreter shows refuted accesses again.

    Errors: LayoutError, for a question that cannot be asked and a kernel that does not compile. ProverMissing.
    """
    asked = Question(arrays, args, grid, constexprs, types, assume, max_bytes, values, source, laws, budget)
    if isinstance(kernel, (str, os.PathLike)):
        return asked.about_text(*_read(kernel), function)
    return asked.about_function(kernel, replay)


def _kernels():
    try:
        from .. import _kernels as kernels
    except ImportError as error:
        raise ProverMissing(
            "layoutcheck was built without proofs about kernels, which need LLVM 19 and Z3 (llvm-19-dev and libz3-dev "
            "on Debian): run ./run before `pip install ./python`, which links what it built, or add "
            f"--config-settings=cmake.define.LAYOUTCHECK_PROVE_KERNELS=ON, which takes minutes ({error})") from error
    return kernels


def _read(kernel):
    """Returns a name and the text of TTIR."""
    if isinstance(kernel, str) and "\n" in kernel:
        return "the text", kernel
    path = os.fspath(kernel)
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return path, file.read()
    except OSError as error:
        raise LayoutError(f"{path}: expected a file of TTIR; {error.strerror}") from error


def _texts(name, value):
    """Returns the texts of a parameter that takes one or a sequence."""
    if value is None:
        return []
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise LayoutError(f"{name}: expected a text or a list of texts, found {value!r}")
    return list(texts)


def _dict(name, value, texts=True):
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise LayoutError(f"{name}: expected a dict by names of parameters, found {value!r}")
    for key, text in value.items():
        if texts and not isinstance(text, str):
            raise LayoutError(f"{name}: {key}: expected a text, found {text!r}")
    return dict(value)


def _bytes(value):
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?([A-Za-z]*)", str(value))
    if not match or match[2] not in _UNITS:
        raise LayoutError(f"max_bytes: expected a number of bytes or a text such as '2GiB', found {value!r}")
    return int(float(match[1]) * _UNITS[match[2]]) if "." in match[1] else int(match[1]) * _UNITS[match[2]]


class Question:
    """All of a question but its kernel."""

    def __init__(self, arrays, args, grid, constexprs, types, assume, max_bytes, values, source, laws, budget):
        self.arrays = _dict("arrays", arrays)
        self.args = _dict("args", args, texts=False)
        self.grid = "" if grid is None else grid
        self.constexprs = _dict("constexprs", constexprs, texts=False)
        self.types = _dict("types", types)
        self.assume = _texts("assume", assume)
        self.values = [f"{name}={text}" for name, text in _dict("values", values).items()]
        self.source = _texts("source", source)
        self.laws = _texts("laws", laws)
        self.max_bytes = _bytes(max_bytes)
        if self.max_bytes is not None and not 0 <= self.max_bytes < 2**63:
            raise LayoutError(f"max_bytes: expected a number from 0 to 2**63 - 1, found {max_bytes!r}")
        self.budget = optional_count("budget", budget)

    def about_text(self, place, text, name):
        functions = {match[1]: match[2] for match in _FUNCTION.finditer(text)}
        if name is None:
            if len(functions) != 1:
                raise LayoutError(f"{place}: expected one function of TTIR, or its name as function=, found "
                                  f"{', '.join(functions) or 'none'}")
            name = next(iter(functions))
        elif name not in functions:
            raise LayoutError(f"function: expected one of {', '.join(functions)}, found '{name}'")
        parameters = _PARAMETER.findall(functions[name].split(") attributes")[0])
        floats = [parameter for parameter, kind in parameters if re.match("b?f[0-9]", kind)]
        bound = bind_texts([parameter for parameter, _ in parameters], self.arrays, self.args, floats)
        return KernelAnswer(name, tuple(self.verdicts(name, text, bound, self._grid({}))))

    def about_function(self, kernel, replay):
        function = function_of(kernel)
        results = []
        asked = []
        for tried in configurations(kernel):
            configuration = {name: self.constexprs.get(name, value) for name, value in tried.items()}
            if configuration in asked:
                continue
            asked.append(configuration)
            known = {**self.arrays, **self.args}
            constants = with_heuristics(kernel, {**configuration, **self.constexprs}, known)
            bound = bind(function, self.arrays, self.args, self.types, constants)
            text = compile_ttir(function, bound.signature, bound.constants)
            grid = self._grid(bound.constants)
            launch = Launch(function, bound, self.arrays, grid, bool(self.values))
            for result in self.verdicts(function.__name__, text, bound, grid):
                shown = replayed(result, launch) if replay else result
                results.append(replace(shown, configuration=configuration))
        return KernelAnswer(function.__name__, tuple(results))

    def _grid(self, constants):
        grid = self.grid(constants) if callable(self.grid) else self.grid
        sizes = grid if isinstance(grid, (list, tuple)) else [grid]
        if not all(isinstance(size, (str, int)) for size in sizes):
            raise LayoutError(f"grid: expected formulas such as 'N ceildiv 1024', found {grid!r}")
        return ", ".join(map(str, sizes))

    def verdicts(self, name, text, bound, grid, done=None):
        """Returns the verdicts on the function with this name and TTIR, and gives `done` each as soon as it is known."""
        arguments = ",".join(bound.texts.values())
        with tempfile.TemporaryDirectory(prefix="layoutcheck") as folder:
            file = os.path.join(folder, "kernel.ttir")
            with open(file, "w", encoding="utf-8", errors="surrogateescape") as ttir:
                ttir.write(text)
            try:
                found = _kernels().prove(file, name, list(self.arrays.items()), arguments, grid, self.assume,
                                         self.values, self.source, self.laws, self.max_bytes, self.budget,
                                         done and (lambda result: done(_verdict_of(result))))
            except LayoutError as error:
                message = error.message.replace(folder + os.sep, "")
                for option, parameter in _PARAMETERS.items():
                    message = message.replace(option, parameter)
                raise LayoutError(message, error.column, error.kind) from None
        return [_verdict_of(result) for result in found]


def _verdict_of(result):
    is_refuted = result["verdict"] == "refuted"
    return KernelVerdict(
        result["law"], result["verdict"], dict(result["counterexample"]) if is_refuted else None,
        result["subexpression"] or result["reason"], tuple(result["where"]), result["right_while"],
        result["right_while_is_exact"], "", {}, tuple(result["for_all"]), result["scope"], result["method"],
        result["seconds"])
