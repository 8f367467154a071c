# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check() of functions that say what a device holds of an array with a sharding."""

import numpy as np
import pytest

import layoutcheck as lc


def numbers(layout, device):
    """Returns the numbers of the elements of a device, in the order of its own array."""
    if device not in layout.devices:
        return None
    held = layout.ranges(device)
    elements = np.arange(int(np.prod(layout.shape))).reshape(layout.shape)
    lists = [[index for pair in dimension for index in range(*pair)] for dimension in held]
    return elements[np.ix_(*(np.array(indices, int) for indices in lists))].reshape(-1)


def whole(layout, device):
    elements = numbers(layout, device)
    return None if elements is None else {"shape": layout.local(device).shape, "elements": elements}


def test_a_right_function():
    report = lc.check(whole, cases=200)
    assert report and report.cases == 200 and report.declined == 0
    assert set(report.laws) == {"shard-shape", "shard-elements", "shard-cover", "shard-outside"}
    assert all(tally["agreed"] == 200 for tally in report.laws.values())
    assert lc.check(whole, exhaustive=1)
    assert lc.check(numbers, cases=50)


def floor(layout, device):
    """Cuts into chunks of size // parts in place of ceil(size / parts)."""
    if device not in layout.devices:
        return None
    (size,), parts = layout.shape, len(layout.devices)
    return [slice(device * (size // parts), (device + 1) * (size // parts))]


def test_floor_for_ceil_is_found_at_the_smallest_size():
    def one_dimension(layout, device):
        if len(layout.shape) != 1 or not layout.sharding.endswith('P("x")') or len(layout.devices) != 2:
            raise NotImplementedError
        return floor(layout, device)

    report = lc.check(one_dimension, cases=2000, laws=["shard-elements"])
    (finding,) = report.findings
    assert finding.layout == 'f32[1]{0} mesh[x=2] P("x")' and (finding.expected, finding.actual) == ("[0,1)", "[0,0)")


ARRAY = "f32[9] mesh[x=4] P('x')"


def test_findings_of_a_named_array():
    report = lc.check(floor, ARRAY)
    found = {finding.law: finding for finding in report.findings}
    assert set(found) == {"shard-elements", "shard-cover"}
    assert found["shard-cover"].coordinate == (8,) and found["shard-cover"].actual == "on none"
    assert (found["shard-elements"].expected, found["shard-elements"].actual) == ("[0,3)", "[0,2)")
    assert found["shard-elements"].repeat == f'lc.check(floor, "{ARRAY}", laws=["shard-elements"])'
    assert lc.check(floor, "f32[8] mesh[x=4] P('x')")


@pytest.mark.parametrize(
    "answer, law, words",
    [
        (3, "subject-protocol", "a range per dimension, or the numbers of elements, got int 3"),
        ([(0, 1, 2)], "subject-protocol", "a pair of integers (start, stop), or a slice, got (0, 1, 2)"),
        ([(0, 3), (0, 3)], "subject-protocol", "expected 1 ranges, one per dimension, got 2"),
        ([slice(0, 3, 2)], "subject-protocol", "a slice without step"),
        ({}, "subject-protocol", 'a mapping with one of "shape" and "elements"'),
        ([(0, 10)], "shard-elements", "[0,10)"),
        ([2, 1, 0], "shard-elements", "elements 2,1,0"),
        ({"shape": (2,)}, "shard-shape", "[2]"),
        ([], "shard-elements", "no elements"),
    ],
)
def test_wrong_answers(answer, law, words):
    report = lc.check(lambda layout, device: answer, ARRAY)
    finding = next(finding for finding in report.findings if finding.law == law)
    assert words in finding.actual


def test_an_exception_is_an_answer_and_declining_is_none():
    def fails(layout, device):
        raise KeyError(device)

    assert "KeyError" in lc.check(fails, ARRAY).findings[0].actual
    declined = lc.check(lambda layout, device: NotImplemented, ARRAY)
    assert declined.verdict == "undecided" and not declined.findings


class Reshards:
    """Answers both operations; a device receives also what it has."""

    shard = staticmethod(whole)

    def reshard(self, before, after, device):
        return sorted(numbers(after, device).tolist()) if device in after.devices else []


def test_an_object_answers_reshard():
    report = lc.check(Reshards, cases=100)
    (finding,) = report.findings
    assert finding.law == "reshard-received"
    pair = "f32[4] mesh[2] S(0); f32[4] mesh[2] R"
    assert [finding.expected for finding in lc.check(Reshards, pair, laws=["reshard-received"]).findings] == ["elements 2,3"]


def test_a_text_that_is_no_sharding():
    with pytest.raises(lc.LayoutError, match="one placement per axis"):
        lc.check(whole, "f32[8] mesh[2,4] S(0)")
