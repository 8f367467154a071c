# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property testing, fuzzing and proving of tensor layouts."""

from . import algebra, interop, triton
from . import arrays as _arrays  # adds methods to Layout
from ._core import Layout, __version__
from .checking import assert_valid, check, families, fuzz_parser, laws
from .errors import LayoutError
from .layouts import Comparison, Sizes, strided, tiled
from .proving import ProverMissing, Verdict, equivalent, prove, prove_laws
from .reports import CheckFailed, Finding, Report
from .sharding import Place

__all__ = [
    "CheckFailed",
    "Comparison",
    "Finding",
    "Layout",
    "LayoutError",
    "Place",
    "ProverMissing",
    "Report",
    "Sizes",
    "Verdict",
    "__version__",
    "algebra",
    "assert_valid",
    "check",
    "equivalent",
    "families",
    "fuzz_parser",
    "interop",
    "laws",
    "prove",
    "prove_laws",
    "strided",
    "tiled",
    "triton",
]

Layout.__module__ = __name__
del _arrays
