# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about kernels of Triton. Triton itself is imported only to compile a kernel."""

from ._answers import KernelAnswer, KernelVerdict
from ._prove import prove
from ._scan import ScannedKernel, scan

__all__ = ["KernelAnswer", "KernelVerdict", "ScannedKernel", "prove", "scan"]
