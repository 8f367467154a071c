# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about Python functions: that they compute a layout, or the same as other functions."""

from .prove import ProverMissing, equivalent, prove, prove_laws
from .verdict import Verdict

__all__ = ["ProverMissing", "Verdict", "equivalent", "prove", "prove_laws"]
