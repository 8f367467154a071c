# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of checks, their findings, and the texts of both."""

import html
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _core
from ._adapters import layout_of
from .pictures import picture_or_none

__all__ = ["CheckFailed", "Finding", "Report"]

_WIDTH = 100  # columns of a picture
_HEIGHT = 14  # lines of a picture


@dataclass(frozen=True)
class Target:
    """The call that a test makes: `expression` is Python, `kind` one of function, array, object and parser."""

    kind: str
    expression: str
    own_table: bool = False


@dataclass(frozen=True, repr=False)
class Finding:
    """The smallest layout found on which an implementation breaks a law.

    Attributes:
        subject: name of the implementation.
        law: name of the law; "subject-crash" and "subject-protocol" if the implementation itself failed.
        layout: text of the layout, of the arguments of a function, or the text that a parser got.
        coordinate: index of the element, if the law is broken at one.
        offset: offset in memory, if the law is broken at one.
        expected, actual: the values there, as text.
        count: number of cases with the same cause.
        repeats: empty if the layout alone shows the finding each time; otherwise "flaky", or after what it shows.
        seed: seed of the run.
        picture: the correct memory, drawn with characters; empty if it is too large.
        test: a line of Python that fails while the finding is there.
        repeat: the call that finds it again.
        document: the finding as the members of a line of findings.jsonl (docs/findings.md).
    """

    subject: str
    law: str
    layout: str
    coordinate: Optional[Tuple[int, ...]]
    offset: Optional[int]
    expected: str
    actual: str
    count: int
    repeats: str
    seed: int
    picture: str
    test: str
    repeat: str
    facts: Tuple[Tuple[str, str], ...] = field(repr=False)
    document: Dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        rows = [row for row in self.facts if row[0] != "at request"]
        lines = [f"FOUND: {_one_line(self.subject)} breaks {self.law}", *map(_row, rows)]
        if self.picture:
            lines += ["", *(f"  {line}".rstrip() for line in self.picture.rstrip("\n").split("\n")), ""]
        lines += map(_row, [("repeat", self.repeat), ("test", self.test)])
        return "\n".join(lines)

    def __repr__(self) -> str:
        values = f": expected {_one_line(self.expected)}, actual {_one_line(self.actual)}"
        return f"<Finding: {_one_line(self.subject)} breaks {self.law} on {_one_line(self.layout)}{values}>"

    def _repr_html_(self) -> str:
        """Returns the finding and the picture of its layout for a notebook."""
        rows = [row for row in self.facts if row[0] != "at request"] + [("repeat", self.repeat), ("test", self.test)]
        table = "".join(
            f'<tr><td style="text-align:left">{html.escape(name)}</td>'
            f'<td style="text-align:left"><code>{html.escape(_one_line(value))}</code></td></tr>'
            for name, value in rows
        )
        head = f"{_one_line(self.subject)} breaks {self.law}"
        picture = picture_or_none(self.layout) or ""
        return f'<div><p style="font-weight:bold;color:#b3261e">{html.escape(head)}</p><table>{table}</table>{picture}</div>'


@dataclass(repr=False)
class Report:
    """The result of a run. It is true only if something was checked and nothing was found.

    Attributes:
        findings: list of Finding, one per cause.
        cases: number of layouts, arguments or texts.
        offsets: number of offsets that the implementation gave.
        seconds: time of the run.
        complete: False if the run ended before everything was checked.
        declined: number of questions that the implementation did not answer.
        unanswered: the laws and layouts that the caller named and about which nothing was answered.
        laws: verdicts per law: agreed, disagreed, explained, declined, refused, outside_domain, given_up.
        families: number of layouts per family. classes: number of layouts per class of the distribution.
        warnings: sentences about laws that were given up.
        seed: seed of the run. options: the arguments of the run.
    """

    seed: int
    options: Dict[str, Any] = field(repr=False)
    target: Target = field(repr=False)
    findings: List[Finding] = field(default_factory=list)
    cases: int = 0
    offsets: int = 0
    seconds: float = 0.0
    complete: bool = True
    declined: int = 0
    anything_checked: bool = False
    unanswered: List[str] = field(default_factory=list)
    laws: Dict[str, Dict[str, Any]] = field(default_factory=dict, repr=False)
    families: Dict[str, int] = field(default_factory=dict, repr=False)
    classes: Dict[str, int] = field(default_factory=dict, repr=False)
    warnings: List[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.verdict == "passed"

    @property
    def verdict(self) -> str:
        """"passed"; "found"; or "undecided" if nothing was checked, the run ended early, or something that the caller
        named was not answered."""
        if self.findings:
            return "found"
        return "passed" if self.anything_checked and self.complete and not self.unanswered else "undecided"

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.findings), self.summary()])

    def __repr__(self) -> str:
        findings = "".join(f"\n  {finding!r}" for finding in self.findings)
        return f"<Report: {self.verdict}: {self.summary()}>{findings}"

    def _repr_html_(self) -> str:
        """Returns the findings with pictures, and the numbers of the run, for a notebook."""
        color = {"passed": "#1b6e3c", "found": "#b3261e"}.get(self.verdict, "inherit")
        summary = f'<p style="font-weight:bold;color:{color}">{self.verdict}: {html.escape(self.summary())}</p>'
        return f"<div>{''.join(finding._repr_html_() for finding in self.findings)}{summary}</div>"

    def summary(self) -> str:
        """Returns one line: the numbers of cases, laws and findings, and why a run is undecided."""
        laws = f"{len(self.laws)} laws, " if self.laws else ""
        line = f"{self.cases} cases, {laws}{len(self.findings)} findings, {self.declined} declined, seed {self.seed}"
        if self.verdict != "undecided":
            return line
        if self.unanswered:
            return f"{line}; undecided, because it was never answered: {', '.join(self.unanswered[:8])}"
        why = "nothing was checked" if not self.anything_checked else "the run ended before everything was checked"
        return f"{line}; undecided, because {why}{''.join('; ' + warning for warning in self.warnings)}"

    def save(self, path: str) -> None:
        """Writes the findings: SARIF to *.sarif, JUnit to *.xml, a page to *.html, and one JSON object per line to other
        files. Raises OSError."""
        formats = {"sarif": "sarif", "xml": "junit", "html": "html"}
        found = formats.get(str(path).rpartition(".")[2])
        lines = [json.dumps(finding.document) for finding in self.findings]
        text = _core.findings_report(found, [(line, "", 0) for line in lines]) if found else "".join(
            line + "\n" for line in lines
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def add(self, totals: Dict[str, Any], seconds: float, offsets: int) -> None:
        """Adds the totals of one run of the checker. The first run is about all laws."""
        if not self.anything_checked and self.cases == 0:
            self.cases = totals["cases"]
            self.unanswered = totals.get("unanswered", [])
            self.laws = totals.get("laws", {})
            self.families = totals.get("families", {})
            self.classes = totals.get("classes", {})
        self.anything_checked |= totals["anything_checked"]
        self.complete &= totals["complete"]
        self.declined += totals["declined"]
        self.warnings += totals.get("warnings", [])
        self.seconds += seconds
        self.offsets += offsets
        self.findings += [self._finding(document) for document in totals["findings"]]

    def _finding(self, document: Dict[str, Any]) -> Finding:
        parts = json.loads(_core.finding_parts(json.dumps(document), _WIDTH, _HEIGHT))
        witness = document.get("witness", {})
        coordinate = witness.get("coordinate")
        repeat = self._repeat(document)
        return Finding(
            subject=document["subject"],
            law=document["law"],
            layout=document["layout"],
            coordinate=None if coordinate is None else tuple(coordinate),
            offset=witness.get("offset"),
            expected=document["expected"],
            actual=document["actual"],
            count=document.get("count", 1),
            repeats=document.get("repeats", ""),
            seed=document["seed"],
            picture=parts["picture"],
            test=_test(self.target, document, parts["request"], parts["answer"]) or f"assert {repeat}",
            repeat=repeat,
            facts=tuple(map(tuple, parts["facts"])),
            document={**document, "reproduce": repeat},
        )

    def _repeat(self, document: Dict[str, Any]) -> str:
        """Returns the call that shows a finding again."""
        name = self.target.expression
        if self.target.kind == "parser":
            cases = f", cases={self.cases}"
            return f"lc.fuzz_parser({name}, {_quoted(self.options['kind'])}{cases}, seed={self.seed})"
        law = document.get("asked_by") or document["law"]
        vectorized = ", vectorized=True" if self.target.kind == "array" else ""
        if document.get("repeats") or not document["layout"]:
            texts = "".join(f", {_quoted(text)}" for text in self.options["layouts"])
            changed = ["family", "exhaustive", "cases"]
            named = "".join(f", {key}={self.options[key]!r}" for key in changed if self.options[key] is not None)
            return f"lc.check({name}{texts}{named}, seed={self.seed}{vectorized})"
        return f"lc.check({name}, {_quoted(document.get('asked_about') or document['layout'])}, laws=[{_quoted(law)}]{vectorized})"


class CheckFailed(AssertionError):
    """An implementation that breaks a law, or of which nothing was checked. `report` has the findings."""

    report: Report

    def __init__(self, report: Report) -> None:
        super().__init__("\n" + str(report) if report.findings else report.summary())
        self.report = report


def _one_line(text):
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def _row(fact):
    name, value = fact
    return f"  {name}".ljust(13) + _one_line(value)


def _quoted(text):
    return repr(text) if not text.isascii() or not text.isprintable() or '"' in text or "\\" in text else f'"{text}"'


def _test(target, document, request, answer):
    """Returns a line of Python that fails while the finding is there, or None if no single call shows it."""
    if not isinstance(request, dict) or not isinstance(answer, dict):
        return None
    operation = request.get("op")
    name = target.expression
    layout = f"lc.Layout({_quoted(request['layout'])})" if "layout" in request else ""
    if operation == "offset" and "offset" in answer:
        index = request["coordinate"]
        if target.kind == "array":
            return f"assert {name}({layout}, np.array({[[i] for i in index]})) == {answer['offset']}"
        if target.own_table and not document["subject"].endswith(".offset"):
            shape = layout_of(request["layout"]).shape
            element = int(np.ravel_multi_index(index, shape)) if index else 0
            return f"assert np.ravel({name}.table({layout}))[{element}] == {answer['offset']}"
        method = name if target.kind == "function" else f"{name}.offset"
        return f"assert {method}({layout}, {tuple(index)}) == {answer['offset']}"
    if operation == "parse" and "ok" in answer:
        arguments = _quoted(request["text"])
        method = name if target.kind == "parser" else f"{name}.parse"
        if target.kind != "parser":
            arguments = f"{_quoted(request['kind'])}, {arguments}"
        if answer["ok"]:
            return f"assert str({method}({arguments})) == {_quoted(answer['text'])}"
        return f"with pytest.raises(ValueError): {method}({arguments})"
    if operation == "coordinate" and "coordinate" in answer:
        if answer["coordinate"] is None:
            return f"assert {name}.coordinate({layout}, {request['offset']}) is None"
        return f"assert tuple({name}.coordinate({layout}, {request['offset']})) == {tuple(answer['coordinate'])}"
    if operation == "apply" and "value" in answer:
        return f"assert {name}.apply({_quoted(request['function'])}, {request['arguments']}) == {answer['value']}"
    return None
