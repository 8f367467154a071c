# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check and assert_valid on functions of offsets."""

import signal
import threading

import numpy as np
import pytest

import layoutcheck as lc

TILED = "f32[M,N]{1,0:T(8,128)}"


def right(layout, index):
    i, j = index
    columns = -(-layout.shape[1] // 128)
    return (i // 8 * columns + j // 128) * 1024 + i % 8 * 128 + j % 128


def rounds_down(layout, index):
    i, j = index
    return (i // 8 * (layout.shape[1] // 128) + j // 128) * 1024 + i % 8 * 128 + j % 128


@pytest.mark.parametrize("vectorized", [None, True, False])
def test_a_right_function_passes(vectorized):
    report = lc.check(right, TILED, cases=50, vectorized=vectorized)
    assert report, str(report)
    assert report.verdict == "passed"
    assert report.findings == []
    assert report.cases == 50
    assert report.offsets > 50
    assert report.laws["linear-index"]["agreed"] > 0


@pytest.mark.parametrize("vectorized", [None, True, False])
def test_a_wrong_function_is_found_at_the_smallest_layout(vectorized):
    report = lc.check(rounds_down, TILED, cases=50, vectorized=vectorized)
    assert not report
    (finding,) = report.findings
    assert finding.law == "linear-index"
    assert finding.layout == "f32[9,1]{1,0:T(8,128)}"
    assert finding.coordinate == (8, 0)
    assert (finding.expected, finding.actual) == ("1024", "0")
    assert finding.repeats == ""
    assert "8,0" in finding.picture
    assert finding.picture.split("\n")[0] in str(finding)
    with pytest.raises(AssertionError):
        exec(finding.test, {"lc": lc, "np": np, "rounds_down": rounds_down})
    exec(finding.test, {"lc": lc, "np": np, "rounds_down": right})
    again = eval(finding.repeat, {"lc": lc, "rounds_down": rounds_down})
    assert [each.layout for each in again.findings] == [finding.layout]


def test_drawn_layouts_without_texts():
    assert lc.check(lambda layout, index: layout.offset(index), cases=100)
    report = lc.check(lambda layout, index: 0, cases=100, laws=["injective"])
    assert {finding.law for finding in report.findings} == {"injective"}
    assert report.findings[0].layout == "f32[2]{0}"


def test_assert_valid_raises_with_the_findings():
    with pytest.raises(AssertionError) as raised:
        lc.assert_valid(rounds_down, TILED, cases=50)
    text = str(raised.value)
    for part in ["f32[9,1]{1,0:T(8,128)}", "expected   1024", "actual     0", "assert rounds_down(lc.Layout("]:
        assert part in text
    assert raised.value.report.findings
    assert lc.assert_valid(right, TILED, cases=20)


def test_given_layouts_are_checked_as_they_are():
    report = lc.check(rounds_down, "f32[17,200]{1,0:T(8,128)}", lc.Layout("f32[8,128]{1,0:T(8,128)}"))
    assert [finding.layout for finding in report.findings] == ["f32[17,200]{1,0:T(8,128)}"]
    assert report.findings[0].count == 1


def fails_behind_a_tile(layout, index):
    i, j = index
    if np.any(np.asarray(i) >= 8):
        raise ZeroDivisionError("no row\nsecond line")
    return right(layout, index)


@pytest.mark.parametrize("vectorized", [None, True, False])
def test_an_exception_is_a_finding_with_its_text_and_place(vectorized):
    report = lc.check(fails_behind_a_tile, TILED, cases=50, vectorized=vectorized)
    (finding,) = report.findings
    assert finding.layout == "f32[9,1]{1,0:T(8,128)}"
    assert finding.actual.startswith("ZeroDivisionError: no row (test_check.py:")
    assert finding.actual.endswith(", in fails_behind_a_tile)")
    if not vectorized:
        assert finding.test == 'assert fails_behind_a_tile(lc.Layout("f32[9,1]{1,0:T(8,128)}"), (8, 0)) == 1024'


@pytest.mark.parametrize("value", [1.0, None, "1", 2**63, (1,), object(), True])
def test_answers_that_are_no_integers_are_findings(value):
    report = lc.check(lambda layout, index: value, "f32[2,3]{1,0}", vectorized=False)
    assert not report
    assert report.findings[0].law == ("linear-index" if value is True else "subject-protocol")


@pytest.mark.parametrize("array", [np.zeros(5, np.int64), np.zeros(6), np.full(6, 2**63, np.uint64), "x", None])
def test_answers_that_are_no_arrays_of_offsets_are_findings(array):
    report = lc.check(lambda layout, indices: array, "f32[2,3]{1,0}", vectorized=True)
    assert [finding.law for finding in report.findings] == ["subject-protocol"]


def test_a_function_that_is_wrong_for_single_indices_only_is_found():
    def wrong(layout, index):
        return layout.offset(index) + 1 if isinstance(index, tuple) else layout.offset_table().reshape(-1)

    assert lc.check(wrong, "f32[2,3]{1,0}").findings[0].coordinate == (0, 0)


def test_a_function_that_does_not_take_arrays_is_not_accused():
    def single(layout, index):
        return int(np.dot(index, [3, 1]))  # an array of rank 2 x 2 has another product

    assert lc.check(single, "f32[3,3]{1,0}", "f32[2,3]{1,0}", laws=["linear-index"])

    def by_max(layout, index):
        return max(index)  # of the rows, for an array

    assert lc.check(by_max, "f32[1,2]{1,0}", "f32[2,1]{1,0}", laws=["linear-index"])


def test_a_function_may_change_its_array():
    def changes(layout, index):
        result = right(layout, index)
        if not isinstance(index, tuple):
            index[:] = -1
        return result

    assert lc.check(changes, TILED, cases=20)


def test_narrow_integers_are_found_at_huge_layouts():
    def narrow(layout, indices):
        i, j = indices.astype(np.int32)
        with np.errstate(over="ignore"):
            return (i * np.int32(layout.shape[1] % 2**31) + j).astype(np.int64)

    report = lc.check(narrow, "f32[M,N]{1,0}", cases=200, vectorized=True)
    assert report.findings
    assert np.prod(report.findings[0].document["witness"]["coordinate"], dtype=object) >= 0


def test_a_flaky_function_is_reported_as_flaky():
    answers = iter(range(10**9))
    report = lc.check(lambda layout, index: next(answers), "f32[M]{0}", laws=["linear-index"], vectorized=False)
    assert report.findings[0].repeats == "flaky"


def test_what_declines_everything_is_undecided():
    def declines(layout, index):
        raise NotImplementedError("not yet")

    for function in [declines, lambda layout, index: NotImplemented]:
        report = lc.check(function, cases=10)
        assert not report
        assert report.verdict == "undecided"
        with pytest.raises(AssertionError, match="nothing was checked"):
            lc.assert_valid(function, cases=10)


def test_layouts_about_which_nothing_was_answered_are_named():
    def plain_only(layout, index):
        if "T(" in str(layout):
            raise NotImplementedError
        return layout.offset(index)

    report = lc.check(plain_only, "f32[2,3]{1,0}", "f32[2,3]{1,0:T(2,2)}")
    assert report.verdict == "undecided"
    assert report.unanswered == ["f32[2,3]{1,0:T(2,2)}"]


@pytest.mark.parametrize("vectorized", [True, False])
def test_an_interrupt_ends_the_run(vectorized, capsys):
    calls = []

    def interrupted(layout, index):
        calls.append(1)
        if len(calls) == 500:
            signal.raise_signal(signal.SIGINT)
        return 0 if vectorized is False else np.zeros(index.shape[1], np.int64)

    # In the background of a shell, SIGINT is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            lc.check(interrupted, seconds=60, vectorized=vectorized)
    finally:
        signal.signal(signal.SIGINT, before)
    assert 500 <= len(calls) < 600
    assert "FOUND: " in capsys.readouterr().err


def test_bad_arguments():
    with pytest.raises(lc.LayoutError):
        lc.check(right, "f32[2,3]{1,0:T(2,2}")
    with pytest.raises(lc.LayoutError, match=r"^f32\[M: as f32\[1: column 6: expected ',' or ']'"):
        lc.check(right, "f32[M")
    with pytest.raises(lc.LayoutError, match="no law 'nonsense'"):
        lc.check(right, laws=["nonsense"])
    with pytest.raises(lc.LayoutError, match="no family 'nonsense'"):
        lc.check(right, family="nonsense")
    with pytest.raises(TypeError):
        lc.check(3)
    with pytest.raises(TypeError):
        lc.check(right, 3)
    with pytest.raises(TypeError):
        lc.check(right, TILED, family="tpu")
    with pytest.raises(ValueError):
        lc.check(right, cases=-1)
    with pytest.raises(ValueError):
        lc.check(right, seconds=float("nan"))


def test_families_and_scopes():
    assert lc.check(lambda layout, index: layout.offset(index), family="tpu", cases=30)
    assert lc.check(lambda layout, index: layout.offset(index), exhaustive=1, laws=["injective"])
    assert "tpu" in [name for name, _ in lc.families()]
    assert "linear-index" in [name for name, _, _ in lc.laws()]


def test_checks_in_threads_have_the_result_of_one():
    alone = str(lc.check(rounds_down, TILED, cases=30))
    texts = []
    threads = [
        threading.Thread(target=lambda: texts.append(str(lc.check(rounds_down, TILED, cases=30)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [alone] * 4


def test_a_check_inside_a_checked_function():
    def nested(layout, index):
        assert lc.check(lambda inner, place: inner.offset(place), "f32[2,3]{1,0}", laws=["injective"])
        return layout.offset(index)

    assert lc.check(nested, "f32[3,2]{0,1:T(2,2)}", laws=["linear-index"])
    assert lc.check(nested, "f32[3,2]{0,1:T(2,2)}", laws=["linear-index"], vectorized=False)


def test_reports_as_files(tmp_path):
    import json
    import xml.etree.ElementTree

    report = lc.check(rounds_down, TILED, cases=30)
    for name in ["a.sarif", "a.xml", "a.html", "a.jsonl"]:
        report.save(tmp_path / name)
    (result,) = json.loads((tmp_path / "a.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "linear-index"
    assert xml.etree.ElementTree.parse(tmp_path / "a.xml").getroot().get("failures") == "1"
    assert "f32[9,1]{1,0:T(8,128)}" in (tmp_path / "a.html").read_text()
    assert json.loads((tmp_path / "a.jsonl").read_text())["layout"] == "f32[9,1]{1,0:T(8,128)}"
