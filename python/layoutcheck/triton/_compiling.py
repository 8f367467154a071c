# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TTIR of kernels, from the installed Triton and without a GPU."""

from __future__ import annotations

from typing import Any

from ..errors import LayoutError


def _unavailable(error):
    return LayoutError("expected the package triton, which compiles a kernel (pip install triton), or the TTIR of the "
                       f"kernel; {error}", kind="unavailable")


class _Named:
    """An argument that stands for any value, which a heuristic can only compare with None."""

    def __init__(self, name):
        self.__dict__["name"] = name

    def _refuse(self, *_):
        raise LayoutError(f"the value of {self.name} is not known")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __getattr__ = _refuse
    __mod__ = __rmod__ = __add__ = __radd__ = __mul__ = __rmul__ = _refuse
    __hash__ = None


def function_of(kernel) -> Any:
    """Returns the @triton.jit function inside of triton.autotune and triton.heuristics. Errors: LayoutError."""
    try:
        from triton.runtime.jit import JITFunction
    except ImportError as error:
        raise _unavailable(error) from error
    inner = kernel
    while not isinstance(inner, JITFunction):
        inner = getattr(inner, "fn", None)
        if inner is None:
            raise LayoutError("expected a function with @triton.jit, the path of a .ttir file, or TTIR; found "
                              f"{kernel!r}")
    return inner


def configurations(kernel) -> list[dict[str, Any]]:
    """Returns the different constants that triton.autotune tries, one dict each; one empty dict without it."""
    found: list[dict[str, Any]] = [{}]
    while kernel is not None:
        own = [dict(config.kwargs) for config in getattr(kernel, "configs", None) or []]
        found = [{**inner, **outer} for outer in found for inner in own] or found
        kernel = getattr(kernel, "fn", None)
    different = []
    for constants in found:
        if constants not in different:
            different.append(constants)
    return different


def with_heuristics(kernel, constants, arguments) -> dict[str, Any]:
    """Returns the constants with those of triton.heuristics that are not among them.

    arguments: by name, a number, None, or a text for any value. Errors: LayoutError for a heuristic that needs more.
    """
    constants = dict(constants)
    known = {name: _Named(name) if isinstance(value, str) else value for name, value in arguments.items()}
    while kernel is not None:
        values = getattr(kernel, "values", None)
        for name, heuristic in (values if isinstance(values, dict) else {}).items():
            if name in constants:
                continue
            try:
                constants[name] = heuristic({**known, **constants})
            except Exception as error:
                raise LayoutError(f"constexprs: expected a value for {name}, as its heuristic gives none: "
                                  f"{_last_line(error)}") from error
        kernel = getattr(kernel, "fn", None)
    return constants


def compile_ttir(function, signature: dict[str, str], constants: dict[str, Any]) -> str:
    """Returns the TTIR of a @triton.jit function.

    signature: Triton's type of each parameter, "*fp32", "i32" or "constexpr". constants: the values of the last.
    Errors: LayoutError.
    """
    try:
        from triton._C.libtriton import ir
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource
        from triton.compiler.compiler import make_backend
    except ImportError as error:
        raise _unavailable(error) from error
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    try:
        source = ASTSource(function, signature, constants)
        module = source.make_ir(target, options, backend.get_codegen_implementation(options),
                                backend.get_module_map(), context)
        stages: dict[str, Any] = {}
        backend.add_stages(stages, options, source.language)
        return str(stages["ttir"](module, {"target": target}))
    except Exception as error:
        raise LayoutError(f"{function.__name__} does not compile: {_last_line(error)}") from error


def _last_line(error):
    """Returns the sentence of an error of Triton, which quotes the source above it."""
    while error.__cause__ is not None and not str(error).strip():
        error = error.__cause__
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
