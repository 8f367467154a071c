# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Property testing, fuzzing and proving of tensor layouts."""

from . import algebra, interop, triton
from . import arrays as _arrays  # adds methods to Layout
from ._core import Layout, __version__
from .certificates import CheckedClaim, verify
from .checking import assert_valid, check, families, fuzz_parser, laws
from .errors import LayoutError
from .layouts import Comparison, Sizes, strided, tiled
from .pictures import Banks, Phase
from ._proving import ProverMissing, Verdict, equivalent, prove, prove_laws
from .reports import CheckFailed, Finding, Report
from .scanning import Scan, ScanFinding, scan
from .sharding import Place

__all__ = [
    "Banks",
    "CheckFailed",
    "CheckedClaim",
    "Comparison",
    "Finding",
    "Layout",
    "LayoutError",
    "Phase",
    "Place",
    "ProverMissing",
    "Report",
    "Scan",
    "ScanFinding",
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
    "scan",
    "strided",
    "tiled",
    "triton",
    "verify",
]

Layout.__module__ = __name__
del _arrays
