# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about kernels of Triton. Triton itself is imported only to compile a kernel."""

from .answers import KernelAnswer, KernelVerdict
from .prove import prove
from .scan import ScannedKernel, scan

__all__ = ["KernelAnswer", "KernelVerdict", "ScannedKernel", "prove", "scan"]
