# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check on objects with several operations, and fuzz_parser."""

import numpy as np
import pytest

import layoutcheck as lc
from layoutcheck import _core


class Right:
    """Answers by the reference."""

    version = "1.2"

    def offset(self, layout, index):
        return layout.offset(index)

    def table(self, layout):
        return layout.offset_table()

    def coordinate(self, layout, offset):
        return layout.coordinate(offset)

    def size(self, layout):
        sizes = layout.sizes
        return {"elements": sizes.elements, "padded_elements": sizes.padded_elements, "bytes": sizes.bytes}

    def parse(self, kind, text):
        canonical = _core.canonical_text(kind, text)
        if canonical is None:
            raise ValueError("not a text of this kind")
        return canonical

    def relayout(self, source, target, data):
        moved = np.full(target.sizes.padded_elements, -1)
        moved[target.offset_table().reshape(-1)] = data[source.offset_table().reshape(-1)]
        return moved


def test_a_right_object_passes():
    for subject in [Right, Right()]:
        report = lc.check(subject, cases=60)
        assert report, str(report)
        for law in ["linear-index", "inverse", "sizes", "relayout-preserves-data", "text-canonical"]:
            if law in report.laws:
                assert report.laws[law]["agreed"] > 0, law
        assert sum(law["agreed"] > 0 for law in report.laws.values()) > 20


def broken(name, function):
    """Returns a class like Right in which one method is another one."""
    return type("Broken", (Right,), {name: function})


def found_in(subject, **options):
    report = lc.check(subject, cases=60, **options)
    assert not report
    return report.findings


def run(test, subject):
    exec(test, {"lc": lc, "np": np, "pytest": pytest, "Broken": subject, "subject": subject()})


@pytest.mark.parametrize(
    "name, function",
    [
        ("offset", lambda self, layout, index: layout.offset(index) + (layout.offset(index) > 3)),
        ("table", lambda self, layout: np.minimum(layout.offset_table(), 3)),
        ("coordinate", lambda self, layout, offset: None if offset == 2 else layout.coordinate(offset)),
        ("parse", lambda self, kind, text: Right.parse(self, kind, text.replace("S(1)", ""))),
        ("coordinate", lambda self, layout, offset: (0,) * 9),
        ("size", lambda self, layout: {"bytes": 1}),
        ("size", lambda self, layout: {}),
        ("relayout", lambda self, source, target, data: data),
    ],
)
def test_a_wrong_method_is_found(name, function):
    subject = broken(name, function)
    findings = found_in(subject)
    for finding in findings:
        run(finding.test, Right) if "assert lc.check" not in finding.test else None
        with pytest.raises((AssertionError, TypeError, pytest.fail.Exception)):
            run(finding.test, subject)
    assert findings[0].subject == ("Broken.offset" if name == "offset" else "Broken")


def test_an_exception_of_a_method_is_a_finding():
    def fails(self, layout):
        return {}["no such key"]

    finding = found_in(broken("size", fails), laws=["sizes"])[0]
    assert finding.actual.startswith("KeyError: 'no such key' (test_check_objects.py:")


def test_an_instance_is_tested_as_it_is():
    findings = found_in(broken("offset", lambda self, layout, index: 0)(), laws=["linear-index"])
    assert findings[0].test.startswith("assert subject.offset(")


class Algebra:
    """Functions of the algebra of shape:stride layouts, some of them."""

    def __init__(self, size=lambda text: 1):
        self._size = size

    def apply(self, function, arguments):
        if function == "size":
            return self._size(arguments[0])
        raise NotImplementedError(function)


def test_functions_of_the_algebra():
    def size(text):
        shape = text.partition(":")[0].replace("_", "").strip("()").replace("(", "").replace(")", "")
        return int(np.prod([int(part) for part in shape.split(",")], dtype=object))

    report = lc.check(Algebra(size), "((4,2),3):((1,4),8)")
    assert report, str(report)
    report = lc.check(Algebra(), "((4,2),3):((1,4),8)")
    assert [finding.test for finding in report.findings][0].endswith("== 24")


def parser(text):
    canonical = _core.canonical_text("shape", text)
    if canonical is None:
        raise ValueError("no shape")
    return canonical


def test_a_right_parser_passes():
    report = lc.fuzz_parser(parser, cases=3000)
    assert report, str(report)
    assert report.cases == 3000
    assert lc.fuzz_parser(lambda text: bool(parser(text)), cases=1000)  # True: it prints nothing


def crashes(text):
    if "S(" in text:
        return [][0]
    return parser(text)


def loses(text):
    return parser(text).replace("S(1)", "")


def accepts(text):
    return _core.canonical_text("shape", text) or "f32[]"


@pytest.mark.parametrize(
    "function, law", [(crashes, "subject-crash"), (loses, "loses-field"), (accepts, "accepts-malformed")]
)
def test_a_wrong_parser_is_found(function, law):
    report = lc.fuzz_parser(function, cases=4000)
    assert not report
    finding = next(finding for finding in report.findings if finding.law == law)
    assert finding.repeats == ""
    if law == "subject-crash":
        assert finding.actual.startswith("IndexError: list index out of range (test_check_objects.py:")
        assert "S(" in finding.layout
    names = {"lc": lc, "np": np, "pytest": pytest}
    with pytest.raises((AssertionError, IndexError, pytest.fail.Exception)):
        exec(finding.test, {**names, function.__name__: function})
    exec(finding.test, {**names, function.__name__: parser})


def test_a_fuzzed_parser_may_return_nonsense():
    for value in [None, 3, b"f32[]", 1.5]:
        report = lc.fuzz_parser(lambda text, value=value: value, cases=200)
        assert {finding.law for finding in report.findings} == {"subject-protocol"}


def test_text_that_is_no_text():
    report = lc.fuzz_parser(lambda text: "\ud800", cases=200)
    assert report.findings
    str(report)


def test_bad_arguments_of_fuzz_parser():
    with pytest.raises(lc.LayoutError, match="expected shape, layout or instruction"):
        lc.fuzz_parser(parser, kind="nonsense", cases=1)
    with pytest.raises(TypeError):
        lc.fuzz_parser(3, cases=1)
    with pytest.raises(TypeError):
        lc.fuzz_parser(parser, cases=1, rejects=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        lc.fuzz_parser(lambda text: (_ for _ in ()).throw(KeyboardInterrupt), seconds=60)
