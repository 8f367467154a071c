# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of compiled modules: what `layoutcheck scan` finds in HLO text."""

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Sequence, Tuple, Union

from . import _core
from ._arguments import sequence
from .errors import LayoutError


@dataclass(frozen=True, repr=False)
class ScanFinding:
    """A rule that an instruction of a module breaks, or a piece of advice about one.

    Attributes:
        rule: name of the rule, such as "bitcast-reads-padding" (docs/scan.md).
        severity: "error", "advice" or "undecided".
        message: one sentence.
        line, column: the place in the file or text, 1-based; 0 for a finding about all modules.
        instruction, shape: the instruction and its shape; empty if the finding is about none.
        document: the finding as a line of `layoutcheck scan --json`.
    """

    rule: str
    severity: str
    message: str
    line: int
    column: int
    instruction: str
    shape: str
    document: Dict[str, Any] = field(compare=False)

    def __str__(self) -> str:
        place = f"line {self.line}: {self.instruction}: " if self.line else ""
        return f"{self.severity}: {self.rule}: {place}{self.message}"

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Scan:
    """The result of a scan. It is true if no finding is an error and nothing is undecided.

    Attributes:
        findings: errors, advice, and what is undecided, in the order of the text.
        modules: a dictionary per module, as a line of `layoutcheck scan --json`: name, instructions, arrays, bytes, ...
        text: the report that `layoutcheck scan` prints.
    """

    findings: Tuple[ScanFinding, ...]
    modules: Tuple[Dict[str, Any], ...]
    text: str

    def __bool__(self) -> bool:
        return all(finding.severity == "advice" for finding in self.findings)

    @property
    def errors(self) -> Tuple[ScanFinding, ...]:
        """The findings that are errors."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def _finding(document: Dict[str, Any]) -> ScanFinding:
    return ScanFinding(
        rule=document["rule"],
        severity=document["severity"],
        message=document["message"],
        line=document.get("line", 0),
        column=document.get("column", 0),
        instruction=document.get("instruction", ""),
        shape=document.get("shape", ""),
        document=document,
    )


def scan(source: Union[str, "os.PathLike[str]"], *, log: bool = False, budgets: Sequence[str] = ()) -> Scan:
    """Checks the layouts of HLO modules: rules that are broken, padding, copies.

    Args:
        source: HLO text, such as that of `jax.jit(f).lower(...).compile().as_text()`, or the path of a file with it. A
            text without a line break is a path.
        log: the text is a log, from which all shapes with layouts are read.
        budgets: limits such as "waste<20%", as in `layoutcheck scan --budget`.

    Raises:
        LayoutError: the text has no module, or a budget is none.
        OSError: the file cannot be read.
    """
    limits = [str(budget) for budget in sequence("budgets", budgets, "texts such as ['peak<16GiB']")]
    name, text = "-", source
    if not isinstance(source, str) or "\n" not in source:
        name = os.fspath(source)
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read()
    document = json.loads(_core.scan(text, name, bool(log), limits))
    if not document["modules"]:
        expected = "shapes with layouts such as f32[8,128]{1,0}" if log else "HLO text, a line 'HloModule NAME' and instructions"
        raise LayoutError(f"{name}: expected {expected}; found none", None, "syntax")
    return Scan(tuple(map(_finding, document["findings"])), tuple(document["modules"]), document["text"])
