#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real XLA as a subject: its HLO parser and printer, and the strides of its literals, through jaxlib.

XLA checks some invariants by aborting, which ends the process. The adapter catches nothing, so that the harness sees it.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from subject_protocol import Unsupported, serve, untiled  # noqa: E402

try:
    import jaxlib
    import numpy
    from jaxlib import _hlo, _jax
except ImportError as error:
    sys.exit(f"xla_subject.py: jaxlib is not installed ({error}); `./run subjects` sets it up")

# Maximum number of elements of a literal, which is allocated only for its strides.
MAX_ELEMENTS = 1 << 20

_PRINT = _hlo.HloPrintOptions.short_parsable()
_PRINT.print_operand_shape = True
_PRINT.print_metadata = True
_PRINT.print_large_constants = True


def parse_shape(text):
    return repr(_hlo.Shape(text))


def parse_layout(text):
    # The state of a PjRtLayout is the layout's text.
    layout = _jax.PjRtLayout.__new__(_jax.PjRtLayout)
    layout.__setstate__((text.encode(),))
    return str(layout)


def parse_instruction(text):
    module = _hlo.hlo_module_from_text(text).to_string(_PRINT)
    # The root is the last instruction. Its backend_config may have several lines.
    root = module[module.rindex("\n  ROOT "):module.rindex("\n}")].strip()
    # XLA gives operands without names the names `_0`, `_1`, ...
    root = re.sub(r" (_[0-9]+)(?=[,)])", lambda name: name[0] if name[1] in text else "", root)
    # XLA calls an instruction without a name `_`, and every single instruction is a root.
    if root.startswith("ROOT _ = ") and not text.lstrip().startswith(("ROOT", "_ ", "_=", "%_")):
        return root[len("ROOT _ = "):]
    return root if text.lstrip().startswith("ROOT") else root[len("ROOT "):]


_PARSERS = {"shape": parse_shape, "layout": parse_layout, "instruction": parse_instruction}


def parse(request):
    parser = _PARSERS.get(request["kind"])
    if parser is None:
        raise Unsupported(f"no parser for {request['kind']}")
    try:
        return {"ok": True, "text": parser(request["text"])}
    except _jax.JaxRuntimeError as error:
        # Each level of nesting quotes the whole text, so a message may have megabytes.
        return {"ok": False, "error": str(error)[:10000]}


def strides(text):
    """Returns (dimensions, strides in elements) of a literal of this shape, as XLA hands it to NumPy."""
    _, dimensions, _ = untiled(text)
    elements = 1
    for dimension in dimensions:
        elements *= dimension
    if elements > MAX_ELEMENTS:
        raise Unsupported("too large for a literal")
    try:
        array = numpy.asarray(_hlo.Literal(_hlo.Shape(text)))
    except (RuntimeError, ValueError, TypeError) as error:
        raise Unsupported(str(error)) from error
    return dimensions, [stride // array.itemsize for stride in array.strides]


def offset(request):
    _, steps = strides(request["layout"])
    return {"offset": sum(index * step for index, step in zip(request["coordinate"], steps))}


def table(request):
    dimensions, steps = strides(request["layout"])
    offsets = [0]
    for dimension, step in zip(dimensions, steps):
        offsets = [offset + index * step for offset in offsets for index in range(dimension)]
    return {"offsets": offsets}


if __name__ == "__main__":
    serve(
        {
            "name": "xla",
            "version": f"jaxlib {jaxlib.__version__}",
            "notations": ["hlo"],
            "limits": {"max_table_elements": MAX_ELEMENTS},
        },
        {"parse": parse, "offset": offset, "table": table},
    )
