# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The prover of layoutcheck, which layoutcheck._proving calls."""

from collections.abc import Sequence
from typing import Any

def describe(layout: str) -> dict[str, Any]: ...
def prove(
    layout: str,
    formula: str,
    equals: str | None,
    assumptions: Sequence[str],
    integers: str | None = None,
    rlimit: int | None = None,
    certificates: bool = False,
    signed: Sequence[str] = (),
) -> dict[str, Any]: ...
def prove_laws(
    layout: str, laws: Sequence[str], rlimit: int | None = None, certificates: bool = False
) -> list[dict[str, Any]]: ...
def evaluate(formula: str, names: Sequence[str], points: Sequence[Sequence[int]]) -> list[int | str]: ...
