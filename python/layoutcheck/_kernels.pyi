# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs about GPU kernels, which layoutcheck.triton calls."""

from collections.abc import Callable, Sequence
from typing import Any

def prove(
    file: str,
    function: str,
    arrays: Sequence[tuple[str, str]],
    arguments: str,
    grid: str,
    assumptions: Sequence[str],
    values: Sequence[str],
    sources: Sequence[str],
    laws: Sequence[str],
    max_bytes: int | None = None,
    rlimit: int | None = None,
    done: Callable[[dict[str, Any]], None] | None = None,
) -> list[dict[str, Any]]: ...
