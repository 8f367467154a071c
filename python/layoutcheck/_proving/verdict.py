# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The answer to a question to the prover."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from ..certificates import link_of
from ..pictures import picture_or_none


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
    layout: text of the layout that the question is about; empty if it is about none.
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
    layout: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __str__(self) -> str:
        head = f"{self.question}: {self.law} is {self.status}" if self.law != "formula" else (
            f"{self.question}: {self.status}")
        if self.status == "proved":
            return f"{head} {self.scope} ({self.method})"
        if self.status == "undecided":
            return f"{head}: {self.reason}"
        point = " ".join(f"{name}={value}" for name, value in (self.counterexample or {}).items())
        reason = f"; {self.reason}" if self.reason else ""
        return f"{head}: {point}: expected {self.expected}, actual {self.actual}{reason}"

    def link(self, page: str | None = None) -> str | None:
        """Returns the address at which the page checks the certificate, as `layoutcheck prove --link` prints it.

        page: address of the page; the environment variable LAYOUTCHECK_PAGE, or "index.html", if it is None. Returns None
        without a certificate, and if the address would have more than 32,000 characters.
        """
        return link_of(self.certificate, page) if self.certificate else None

    def _repr_html_(self) -> str:
        """Returns the verdict for a notebook, with a picture of the layout and the link that checks the certificate.

        The names of a layout are those of the counterexample; a layout with names has no picture without one.
        """
        colors = {"proved": "#1b6e3c", "refuted": "#b3261e"}
        style = f"font-weight:bold;color:{colors.get(self.status, 'inherit')}"
        parts = [f'<p style="{style}">{html.escape(str(self))}</p>']
        if address := self.link():
            parts.append(f'<p><a href="{html.escape(address)}">Check the certificate</a></p>')
        text = self.layout
        for name, value in (self.counterexample or {}).items():
            text = re.sub(rf"\b{re.escape(name)}\b(?!\()", str(value), text)
        if text and (picture := picture_or_none(text)):
            parts.append(picture)
        return f"<div>{''.join(parts)}</div>"
