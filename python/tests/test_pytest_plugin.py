# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pytest plugin, in runs of pytest inside this one."""

import importlib.metadata
import json
import re
import shlex

import pytest

import layoutcheck as lc  # before pytester, which forgets what its runs import: a compiled module is imported once

assert lc.Layout
pytest_plugins = ["pytester"]

TESTS = """
    import pytest

    @pytest.mark.layouts("bf16[A,B]{1,0:T(8,128)(2,1)}", cases=40)
    def test_right(layout):
        assert str(layout).startswith("bf16[")

    @pytest.mark.layouts("f32[A,B]{1,0:T(8,128)}", cases=40)
    def test_wrong(layout):
        assert layout.shape[0] < 9 and layout.shape[1] < 129
"""


def run(pytester, *arguments):
    # An installed package registers its plugin by itself.
    is_installed = any(point.name == "layoutcheck" for point in importlib.metadata.entry_points(group="pytest11"))
    plugin = [] if is_installed else ["-p", "layoutcheck.pytest_plugin"]
    return pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *arguments)


def counts(result):
    return result.parseoutcomes()


def test_a_test_runs_once_per_drawn_layout(pytester):
    pytester.makepyfile(TESTS)
    result = run(pytester, "-k", "right")
    assert counts(result)["passed"] == 40


def test_a_failure_shows_picture_and_repeat_line(pytester):
    pytester.makepyfile(TESTS)
    result = run(pytester, "-k", "wrong")
    assert counts(result)["failed"] > 1
    output = result.stdout.str()
    assert re.search(r"-+ layout -+\nf32\[", output)
    assert "simplest failing layouts" in output
    (line,) = [line for line in output.splitlines() if "the simplest of" in line]
    assert line.startswith("test_a_failure_shows_picture_and_repeat_line.py::test_wrong: f32[")
    repeat = output.splitlines()[output.splitlines().index(line) + 1]
    program, node, layout = shlex.split(repeat)
    assert program == "pytest"
    again = run(pytester, node, layout)
    assert counts(again) == {"failed": 1}


def test_a_failure_is_shrunk_and_drawn(pytester):
    pytester.makepyfile(
        """
        import pytest

        CALLS = []

        @pytest.mark.layouts("f32[N]{0}", cases=40)
        def test_long(layout):
            CALLS.append(layout)
            assert layout.shape[0] < 40

        @pytest.mark.layouts(cases=60)
        def test_tiled(layout):
            if layout.sizes.padded_elements > layout.sizes.elements and layout.shape[-1:] == (3,):
                raise ValueError("padding")

        @pytest.mark.parametrize("k", [1, 2])
        @pytest.mark.layouts("f32[N,M]{1,0}", cases=10)
        def test_twice(layout, k, tmp_path):
            assert layout.shape[0] * k < 8

        def test_shrinking_is_bounded():
            assert len(CALLS) < 200
    """
    )
    result = run(pytester)
    output = result.stdout.str()
    assert re.search(r"-+ layout -+\nf32\[40\]\{0\}, shrunk from f32\[\d+\]\{0\}\n\nMemory, line by line", output)
    assert "assert 40 < 40" in output
    simplest = output[output.index("simplest failing layouts") :]
    assert "::test_long: f32[40]{0}" in simplest
    assert "::test_tiled: f32[3]{0:T(2)}" in simplest
    assert "::test_twice: f32[8,1]{1,0}" in simplest
    assert "test_shrinking_is_bounded" not in simplest


def test_the_seed_draws_other_layouts(pytester):
    pytester.makepyfile(TESTS)

    def drawn(*arguments):
        output = run(pytester, "--collect-only", "-q", "-k", "right", *arguments).stdout.str()
        return re.findall(r"bf16\[\d+,\d+\]", output)

    assert drawn() == drawn("--layoutcheck-seed=1")
    assert drawn() != drawn("--layoutcheck-seed=2")


def test_sarif_has_failures_and_findings(pytester):
    pytester.makepyfile(
        TESTS
        + """
    import layoutcheck as lc

    def test_checked():
        lc.assert_valid(lambda layout, index: 0, "f32[2,3]{1,0}", laws=["linear-index"])
"""
    )
    run(pytester, "--layoutcheck-sarif=out.sarif", "--junitxml=out.xml")
    (document,) = json.loads((pytester.path / "out.sarif").read_text())["runs"]
    rules = {result["ruleId"] for result in document["results"]}
    assert rules == {"AssertionError", "linear-index"}
    for result in document["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "test_sarif_has_failures_and_findings.py"
        assert place["region"]["startLine"] > 1
    assert "<failure" in (pytester.path / "out.xml").read_text()


@pytest.mark.parametrize(
    "mark, message",
    [
        ('"f32[2,3]{1,0:T(2,2}"', "column"),
        ("nonsense=1", "no argument 'nonsense'"),
        ('argument="other"', "has no argument 'other'"),
        ('family="nonsense"', "no family 'nonsense'"),
        ("cases=0", "no layout"),
        ('cases="many"', "mark layouts"),
    ],
)
def test_a_mark_that_cannot_be_used(pytester, mark, message):
    pytester.makepyfile(f"import pytest\n\n@pytest.mark.layouts({mark})\ndef test(layout):\n    pass\n")
    result = run(pytester)
    assert result.ret not in (0, 1)
    assert message in result.stdout.str() + result.stderr.str()


def test_families_fixtures_and_other_parameters(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("k", [1, 2])
        @pytest.mark.layouts(family="tpu", cases=5, argument="tiled", max_elements=100000)
        def test(tiled, k, tmp_path):
            assert "T(" in str(tiled)
    """
    )
    assert counts(run(pytester)) == {"passed": 10}
