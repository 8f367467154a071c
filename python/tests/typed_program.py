# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of a user, which test_types.py has mypy check in its strict mode. It is never run."""

from typing import Optional, Tuple

import numpy as np
import pytest
from hypothesis import given

import layoutcheck as lc
from layoutcheck import algebra, interop, strategies


def layouts() -> Tuple[int, Optional[str], bool]:
    layout = lc.tiled((20, 300), "bf16", tiles=[(8, 128), (2, 1)])
    table: np.ndarray[Tuple[int, ...], np.dtype[np.int64]] = layout.offset_table()
    nested = algebra.logical_divide(lc.strided((4, 8), (8, 1)), (2, 4))
    comparison: lc.Comparison = layout.compare(nested)
    moved = comparison.moved
    index = None if moved is None else moved[0]
    interop.to_numpy(layout, np.float32)
    return int(table.sum()) + algebra.size(nested), comparison.reason, index is None


def pictures(layout: lc.Layout) -> Tuple[str, int]:
    banks: lc.Banks = layout.banks("lane -> 16 bytes of f16")
    phase: lc.Phase = banks.load_phases[0]
    return layout.show("both", width=80) + layout.svg(), phase.passes


def offset(layout: lc.Layout, index: Tuple[int, int]) -> int:
    return layout.offset(index)


def checks() -> bool:
    report: lc.Report = lc.check(offset, "f32[M,N]{1,0:T(8,128)}", cases=10)
    finding: lc.Finding = report.findings[0]
    lc.assert_valid(offset, cases=10)
    parsed = lc.fuzz_parser(lambda text: text, cases=10)
    return bool(report) and finding.count > 0 and bool(parsed)


def proofs() -> Optional[str]:
    verdict: lc.Verdict = lc.prove("f32[M,N]{1,0}", lambda i, j, M, N: i * N + j, certificates=True)
    laws = lc.prove_laws(lc.Layout("f32[8]{0}"), ["injective"])
    same = lc.equivalent(lambda i: i, lambda i: i + 0)
    claims = lc.verify(verdict.certificate or "")
    return verdict.link() if laws[0] and same and all(claim.proved for claim in claims) else None


def scans(text: str) -> Tuple[str, ...]:
    result: lc.Scan = lc.scan(text, budgets=["waste<20%"])
    return tuple(finding.rule for finding in result.errors)


@given(strategies.layouts("f32[M,N]{1,0:T(8,128)}"))
def test_drawn(layout: lc.Layout) -> None:
    assert layout.rank == 2


@given(strategies.indices(lc.Layout("f32[3,5]{1,0}")))
def test_index(index: Tuple[int, ...]) -> None:
    with pytest.raises(lc.LayoutError):
        lc.Layout("f32[3,5]{1,0}").offset(index + (0,))
