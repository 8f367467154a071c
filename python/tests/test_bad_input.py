# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong texts and arguments of every call: an exception and nothing worse. Also run with AddressSanitizer."""

import inspect
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_layout import NOTATIONS

import layoutcheck as lc
from layoutcheck import _core

EXAMPLES = int(os.environ.get("LAYOUTCHECK_PYTHON_EXAMPLES", "300"))
# Exceptions that a wrong argument may raise. LayoutError is a ValueError.
REFUSALS = (TypeError, ValueError, OverflowError, MemoryError, RecursionError)
settings.register_profile("bad_input", settings.get_profile("busy"), max_examples=EXAMPLES, derandomize=True)
settings.load_profile("bad_input")

small_texts = NOTATIONS + ["f32[2,3]{1,0}", "bf16[4,4]{1,0:T(2,2)(2,1)}", "(2,3):(3,1)", "s4[3]{0:E(4)}"]
layouts = st.sampled_from(small_texts).map(lc.Layout)
integers = st.one_of(st.integers(-3, 70), st.sampled_from([2**31, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30]))
scalars = st.one_of(integers, st.none(), st.booleans(), st.floats(), st.text(max_size=8), st.binary(max_size=64), st.just(object()))
nested = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple), max_leaves=8)
arrays = st.builds(
    lambda shape, dtype: np.zeros(shape, dtype),
    st.lists(st.integers(0, 6), max_size=4).map(tuple),
    st.sampled_from(["f4", "f2", "i1", "i8", "u1", "u2", "c8", "?", "O", "S3", "U2", "M8[s]", "V0", "i4,f4"]),
)
arguments = st.one_of(nested, arrays, layouts, st.sampled_from(small_texts))


@st.composite
def damaged_texts(draw):
    """Texts of layouts with a few characters replaced, removed, inserted or repeated."""
    text = draw(st.sampled_from(NOTATIONS))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 4)))
        piece = draw(st.one_of(st.text("()[]{}:,*TELSMpad<=?-0123456789 o@_", max_size=4), st.text(max_size=2)))
        text = text[:at] + draw(st.sampled_from([piece, text[at:end] * 2, "9" * 18])) + text[end:]
    return text


def attempt(function, *args, refusals=REFUSALS, **kwargs):
    """Returns the result, or None if the call raised what a wrong argument may raise."""
    try:
        return function(*args, **kwargs)
    except refusals as error:
        assert not isinstance(error, lc.LayoutError) or error.message
        return None


@given(st.one_of(damaged_texts(), st.text(), nested))
def test_texts(text):
    layout = attempt(lc.Layout, text)
    if layout is None:
        return
    assert lc.Layout(layout.text) == layout
    assert layout.sizes.elements >= 0 and 0 <= layout.waste <= 1
    attempt(layout._repr_svg_)
    attempt(layout._repr_html_)
    if layout.sizes.padded_elements < 10_000:
        attempt(lambda: layout.unpack(layout.pack(np.zeros(layout.shape, layout.dtype or "f4"))))


METHODS = sorted(
    name for name in dir(lc.Layout) if callable(getattr(lc.Layout, name)) and not name.startswith("__")
) + ["__eq__", "__init__", "__reduce__", "__hash__", "__str__"]


def test_all_methods_are_called():
    assert {"offset", "offsets", "coordinate", "pack", "unpack", "relayout", "convert", "compare"} <= set(METHODS)


@given(st.data(), st.sampled_from(METHODS), layouts)
def test_methods(data, name, layout):
    count = data.draw(st.integers(0, 3))
    args = [data.draw(arguments) for _ in range(count)]
    attempt(getattr(layout, name), *args)
    assert lc.Layout(layout.text) == layout


@given(st.data(), st.sampled_from(["tiled", "strided"]))
def test_constructors(data, name):
    function = getattr(lc, name)
    keywords = [p.name for p in inspect.signature(function).parameters.values()]
    chosen = data.draw(st.lists(st.sampled_from(keywords[1:]), unique=True, max_size=3))
    shapes = st.one_of(arguments, st.lists(st.integers(0, 9), max_size=3))
    attempt(function, data.draw(shapes), **{keyword: data.draw(arguments) for keyword in chosen})


FUNCTIONS = {name: getattr(lc.algebra, name) for name in lc.algebra.__all__}
FUNCTIONS |= {name: getattr(lc.interop, name) for name in lc.interop.__all__}
FUNCTIONS |= {name: getattr(lc, name) for name in ("prove", "prove_laws", "equivalent")}
BOUNDED = {"check": lc.check, "fuzz_parser": lc.fuzz_parser, "assert_valid": lc.assert_valid}
INTERNAL = {name: value for name, value in vars(_core).items() if callable(value) and name not in ("check", "fuzz", "Layout")}
callables = st.sampled_from([lambda *values: values[0], lambda i: i // 0, lambda i, j: i + j, str, lc.Layout, type, len])
refusals = (*REFUSALS, ImportError, AttributeError, AssertionError)


@given(st.data(), st.sampled_from(sorted(FUNCTIONS)))
def test_functions(data, name):
    count = data.draw(st.integers(0, 3))
    args = [data.draw(st.one_of(arguments, callables)) for _ in range(count)]
    keywords = {"budget": 10_000} if name in ("prove", "prove_laws", "equivalent") else {}
    attempt(FUNCTIONS[name], *args, refusals=refusals, **keywords)


@settings(max_examples=EXAMPLES // 3)
@given(st.data(), st.sampled_from(sorted(BOUNDED)))
def test_checks(data, name):
    subject = data.draw(st.one_of(callables, arguments))
    args = [data.draw(arguments) for _ in range(data.draw(st.integers(0, 2)))]
    options = data.draw(st.dictionaries(st.sampled_from(["laws", "family", "seed", "kind", "corpus", "rejects"]), arguments, max_size=2))
    attempt(BOUNDED[name], subject, *args, **options, cases=3, seconds=1, refusals=refusals)


@given(st.data(), st.sampled_from(sorted(INTERNAL)))
def test_internal_functions(data, name):
    args = [data.draw(st.one_of(arguments, st.lists(arguments, max_size=2))) for _ in range(data.draw(st.integers(0, 4)))]
    attempt(INTERNAL[name], *args, refusals=refusals)


@given(arrays, arrays, arrays)
def test_memory_of_wrong_size(source, destination, fill):
    plan = _core.Relayout.plan("f32[3,5]{1,0}", "f32[3,5]{1,0:T(2,2)}")
    attempt(plan.run, source, destination, fill)
    attempt(plan.run, source.reshape(-1).view(np.uint8) if not source.dtype.hasobject and source.size else source,
            np.zeros(96, np.uint8), fill)
    attempt(_core.fill_offsets, lc.Layout("f32[3,5]{1,0:T(2,2)}"), source, destination)
    attempt(_core.fill_offset_table, lc.Layout("f32[3,5]{1,0:T(2,2)}"), destination)


@given(st.data(), layouts)
def test_indices_inside(data, layout):
    if layout.sizes.elements == 0:
        return
    index = tuple(data.draw(st.integers(0, size - 1)) for size in layout.shape)
    offset = layout.offset(index)
    assert layout.offsets([index])[0] == offset == layout.offset_table()[index]
    assert layout.sizes.first_offset <= offset < layout.sizes.end_offset


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_layout_without_a_text():
    empty = lc.Layout.__new__(lc.Layout)
    for call in (lambda: empty.text, lambda: empty.offset((0,)), lambda: lc.Layout("5:1").compare(empty)):
        with pytest.raises((TypeError, RuntimeError)):
            call()


def test_deep_nesting():
    deep = ()
    for _ in range(100_000):
        deep = (deep,)
    with pytest.raises((lc.LayoutError, RecursionError)):
        lc.Layout("5:1").offset(deep)
    with pytest.raises((lc.LayoutError, RecursionError)):
        lc.strided(deep)
    with pytest.raises(lc.LayoutError):
        lc.Layout("(" * 100_000 + "1" + ")" * 100_000 + ":1")
