# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The answer to a question to the prover."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verdict:
    """An answer, which is true only if it is "proved".

    status: "proved", "refuted" or "undecided".
    question: what was asked, as a text.
    counterexample: for "refuted", the arguments by name. With them the function gives `actual`.
    expected, actual: the two values at the counterexample, or the texts of the exceptions that are raised there.
    method: how it was proved or refuted, as in docs/prove.md.
    formula: the formula that was read from the function, or None. A tuple has one per component.
    reason: for "undecided", why, with the line of the function if there is one; for "refuted", what overflows.
    for_all: the names for all values of which the proof holds.
    ranges: the values of each of these names: ">= 0", ">= 1" or "integer".
    certificate: the text that `layoutcheck verify` reads, if `certificates=True` asked for it and there is one.
    scope: for_all with the ranges as a text, "for all M, N >= 0 and every index".
    """

    status: str
    question: str
    counterexample: dict[str, int] | None = None
    expected: object = None
    actual: object = None
    method: str = ""
    formula: str | tuple[str, ...] | None = None
    reason: str = ""
    for_all: tuple[str, ...] = ()
    law: str = "formula"
    seconds: float = 0.0
    certificate: str | None = field(default=None, repr=False)
    ranges: dict[str, str] = field(default_factory=dict)
    scope: str = field(default="for every index", repr=False)

    def __bool__(self):
        return self.status == "proved"

    def __str__(self):
        head = f"{self.question}: {self.law} is {self.status}" if self.law != "formula" else (
            f"{self.question}: {self.status}")
        if self.status == "proved":
            return f"{head} {self.scope} ({self.method})"
        if self.status == "undecided":
            return f"{head}: {self.reason}"
        point = " ".join(f"{name}={value}" for name, value in (self.counterexample or {}).items())
        reason = f"; {self.reason}" if self.reason else ""
        return f"{head}: {point}: expected {self.expected}, actual {self.actual}{reason}"
