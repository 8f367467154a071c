# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import importlib.metadata
import math
import random
import re

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import layoutcheck as lc
from layoutcheck import _core, strategies

QUIET = settings(
    database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink]
)


def draws(strategy, count, with_seed=1):
    """Returns the texts of `count` examples of a test."""
    texts = []

    @seed(with_seed)
    @settings(QUIET, max_examples=count)
    @given(strategy)
    def collect(drawn):
        texts.append(str(drawn))

    collect()
    return texts


def minimum(strategy, fails, with_seed):
    """Returns the text of the example that Hypothesis shrinks a failure to."""
    failing = []

    @seed(with_seed)
    @settings(QUIET, max_examples=3000, report_multiple_bugs=False)
    @given(strategy)
    def check(drawn):
        if fails(drawn):
            failing.append(str(drawn))
            raise AssertionError

    with pytest.raises(AssertionError):
        check()
    return failing[-1]


class Parts:
    """The parts of an HLO layout's text."""

    def __init__(self, layout):
        text = str(layout)
        sizes, _, rest = text.partition("]")
        self.sizes = [int(size.strip("<=")) for size in sizes.partition("[")[2].split(",") if size]
        order, _, attributes = rest.strip("{}").partition(":")
        self.order = [int(d) for d in order.split(",") if d]
        tiles = re.match(r"(T((?:\([^)]*\))+))?", attributes).group(2) or ""
        self.tiles = [tile.split(",") for tile in re.findall(r"\(([^)]*)\)", tiles)]
        self.bits = int((re.findall(r"E\((\d+)\)", attributes) or [0])[0])
        self.elements = math.prod(self.sizes)

    def is_row_major(self):
        return self.order == list(reversed(range(len(self.order))))


def no_multiple_of_its_tile(layout):
    parts = Parts(layout)
    if not parts.sizes or not parts.tiles or parts.tiles[0][-1] == "*":
        return False
    size, tile = parts.sizes[parts.order[0]], int(parts.tiles[0][-1])
    return size > tile and size % tile != 0


def is_not_its_own_inverse(layout):
    order = Parts(layout).order
    return any(order[order[k]] != k for k in range(len(order)))


def is_padded_in_another_order(layout):
    has_tail_padding = re.search(r"L\(\d+\)", str(layout))
    is_padded = layout.sizes.padded_elements > layout.sizes.elements
    return is_padded and not has_tail_padding and not Parts(layout).is_row_major()


# The faults of properties/run/shrink_test.cc with the layouts that `check` shrinks them to, and how many of four seeds must
# reach that minimum here.
FAULTS = [
    ("rank at least 3", lambda layout: len(Parts(layout).sizes) >= 3, "f32[1,1,1]{2,1,0}", 4),
    ("an order that is not row major", lambda layout: not Parts(layout).is_row_major(), "f32[1,1]{0,1}", 4),
    ("two tiles", lambda layout: len(Parts(layout).tiles) >= 2, "f32[]{:T(1)(1)}", 4),
    ("padding in another order", is_padded_in_another_order, "f32[1,1]{0,1:T(2)}", 4),
    ("a dimension of 0", lambda layout: Parts(layout).elements == 0, "f32[0]{0}", 4),
    ("a hundred elements", lambda layout: Parts(layout).elements >= 100, "f32[100]{0}", 4),
    ("a size that is no multiple of its tile", no_multiple_of_its_tile, "f32[3]{0:T(2)}", 3),
    ("a combined dimension", lambda layout: "*" in str(Parts(layout).tiles), "f32[]{:T(*,1)}", 3),
    ("packed elements", lambda layout: Parts(layout).bits % 8 != 0, "f32[]{:E(1)}", 4),
    ("an order that is not its own inverse", is_not_its_own_inverse, "f32[1,1,1]{2,0,1}", 1),
    ("more than 2^31 elements", lambda layout: Parts(layout).elements > 2**31, "f32[2147483649]{0}", 3),
]


@pytest.mark.parametrize("fails,smallest,least", [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_shrinks_to_the_minimum_of_check(fails, smallest, least):
    strategy = strategies.tiled_layouts(huge="2147483649" in smallest)
    minima = collections.Counter(minimum(strategy, fails, number) for number in range(4))
    print(minima)
    assert minima[smallest] >= least, minima


def test_shape_stride_layouts_shrink():
    strategy = strategies.shape_stride_layouts()
    for fails, smallest in (
        (lambda layout: "-" in str(layout), "1:-1"),
        (lambda layout: re.search(r"\b0\b", str(layout).partition(":")[2]), "1:0"),
        (lambda layout: math.prod(layout.shape) > 1, "2:1"),
        (lambda layout: 5 in layout.shape, "5:1"),
    ):
        assert {minimum(strategy, fails, k) for k in range(5)} == {smallest}


def test_shape_stride_layouts_are_those_of_the_generator():
    texts = draws(strategies.shape_stride_layouts(), 500)
    assert len(set(texts)) > 300
    for has in (r"^\d", r"^\(\d+\):", r"\(\(|,\(", r"-", r"[(,:]0"):
        assert sum(re.search(has, text) is not None for text in texts) > 10, has


def source(**options):
    limits = dict(max_rank=8, max_tiles=4, max_elements=4096, max_padded_elements=32768, combine=True, attributes=True)
    return _core.LayoutSource(**{**limits, "huge": False, "family": None, "pattern": None, **options})


def test_fields_hold_all_that_a_drawn_layout_has():
    huge = source(huge=True)
    numbers = random.Random(1)
    for _ in range(20000):
        number = numbers.getrandbits(64)
        assert _core.text_of_fields(huge.fields(number), 2**63 - 1) == huge.text(number)


def test_distribution_is_that_of_check():
    count = 1500
    drawn = _core.layout_classes(draws(strategies.tiled_layouts(), count))
    numbers = random.Random(1)
    by_check = source()
    expected = _core.layout_classes([by_check.text(numbers.getrandbits(64)) for _ in range(20000)])
    for name, percentage in expected.items():
        print(f"{name:30} {drawn[name]:6.1f} % {percentage:6.1f} %")
    # Hypothesis puts constants in place of one of twenty numbers, so the shares differ by more than chance.
    assert max(abs(drawn[name] - expected[name]) for name in expected) < 5
    assert all(drawn[name] > 0 for name in expected if expected[name] > 0.5)


def test_layouts_differ():
    texts = draws(strategies.tiled_layouts(), 500)
    assert len(set(texts)) > 350


@settings(QUIET, max_examples=200)
@given(st.data())
def test_indices_are_those_of_elements(data):
    layout = data.draw(strategies.layouts())
    index = data.draw(strategies.indices(layout))
    assert len(index) == len(layout.shape)
    layout.offset(index)


def test_a_layout_without_elements_has_no_index():
    empty = lc.Layout("f32[3,0]{1,0}")
    indices = []

    @settings(QUIET, max_examples=20)
    @given(st.booleans(), st.data())
    def draw(of_empty, data):
        layout = empty if of_empty else lc.Layout("f32[3]{0}")
        indices.append(data.draw(strategies.indices(layout)))

    draw()
    assert indices and all(len(index) == 1 for index in indices)


def test_a_pattern_is_kept():
    pattern = strategies.layouts("bf16[A,B]{1,0:T(8,128)(2,1)}")
    texts = draws(pattern, 200)
    assert all(re.fullmatch(r"bf16\[\d+,\d+\]\{1,0:T\(8,128\)\(2,1\)\}", text) for text in texts)
    assert len(set(texts)) > 40
    fails = lambda layout: Parts(layout).sizes[1] > 128
    assert minimum(pattern, fails, 1) == "bf16[1,129]{1,0:T(8,128)(2,1)}"


def test_families():
    assert any("T(8,128)(2,1)" in text for text in draws(strategies.tiled_layouts(family="tpu"), 100))
    with pytest.raises(ValueError, match="family 'gpu': expected one of tpu, fractal"):
        strategies.tiled_layouts(family="gpu")


def test_errors():
    with pytest.raises(lc.LayoutError, match="f32"):
        strategies.layouts("f32[M,N]{1,0:T(8,128}")
    for options in ({"max_rank": 9}, {"max_tiles": -1}, {"max_elements": 0}, {"max_rank": "3"}):
        with pytest.raises(ValueError, match="expected an integer from"):
            strategies.tiled_layouts(**options)


def test_limits_are_kept():
    for text in draws(strategies.tiled_layouts(max_rank=2, max_tiles=1, combine=False, attributes=False), 300):
        parts = Parts(text)
        assert len(parts.sizes) <= 2 and len(parts.tiles) <= 1
        assert text.startswith("f32[") and not re.search(r"[*LESCM<]", text)


def test_types_have_a_strategy():
    @settings(QUIET, max_examples=20)
    @given(st.from_type(lc.Layout))
    def draw(layout):
        assert isinstance(layout, lc.Layout)
        assert lc.Layout(str(layout)).offset is not None

    draw()


def test_hypothesis_finds_the_entry_point():
    try:
        importlib.metadata.distribution("layoutcheck")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("layoutcheck is not installed")
    names = [entry.value for entry in importlib.metadata.entry_points(group="hypothesis")]
    assert "layoutcheck._hypothesis:register" in names


def errors_of(instruction):
    return _core.module_errors(f"HloModule m, is_scheduled=true\n\n{instruction}\n")


def test_instructions_and_shapes_are_right():
    instructions = draws(strategies.hlo_instructions(), 200)
    wrong = [(text, errors_of(text)) for text in instructions if errors_of(text)]
    assert wrong == []
    opcodes = {re.search(r"} ([a-z-]+)\(|\)? ([a-z-]+)\(", text.partition(" = ")[2]).group(0) for text in instructions}
    assert len(opcodes) >= 8
    shapes = draws(strategies.hlo_shapes(), 200)
    wrong = [(shape, errors_of(f"%v0 = {shape} parameter(0)")) for shape in shapes]
    assert [entry for entry in wrong if entry[1]] == []
    assert {"(", "t", "o", "f"} <= {shape[0] for shape in shapes}


def test_a_wrong_instruction_is_found():
    assert errors_of("%v1 = f32[2,3]{1,0} bitcast(f32[3,3]{1,0} %v0)") != []
    assert errors_of("%v0 = f32[2,3]{1,0:T(0)} parameter(0)") != []
