# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's Layout and Format. What XLA makes of JAX's object is the text of the layout."""

import pytest

import layoutcheck as lc
from layoutcheck import interop

TEXTS = [
    ("f32[3,5]{1,0}", "float32"),
    ("f32[3,5]{0,1:T(2,2)}", "float32"),
    ("bf16[20,300]{1,0:T(8,128)(2,1)}", "bfloat16"),
    ("s4[16,128]{1,0:T(8,128)(8,1)E(4)}", "int4"),
    ("u2[9]{0:E(2)}", "uint2"),
    ("pred[7,9]{1,0:T(8,128)(4,1)}", "bool"),
    ("f32[2,3,5]{2,1,0:T(*,8)}", "float32"),
    ("f8e4m3fn[4,4]{1,0:T(2,2)}", "float8_e4m3fn"),
    ("c64[4]{0}", "complex64"),
    ("f32[]", "float32"),
    ("s4[8]{0}", "int4"),
]


@pytest.fixture
def jnp():
    pytest.importorskip("jax", reason="JAX is not installed")
    return pytest.importorskip("jax.numpy", reason="JAX is not installed")


def dtype_of(jnp, name):
    import ml_dtypes

    return jnp.dtype(getattr(ml_dtypes, name, name))


@pytest.mark.parametrize("text, name", TEXTS)
def test_both_ways(jnp, text, name):
    layout = lc.Layout(text)
    theirs = interop.to_jax(layout)
    dtype = dtype_of(jnp, name)
    braces = text[text.index("]") + 1 :] or "{}"
    assert str(theirs._to_xla_layout(dtype)) == braces
    assert str(interop.from_jax(theirs, layout.shape, dtype)) == str(layout)
    assert str(interop.from_jax(interop.to_jax_format(layout), layout.shape, name)) == str(layout)


def test_arrays(jnp):
    array = jnp.zeros((3, 5), jnp.bfloat16)
    assert str(interop.from_jax(array)) == "bf16[3,5]{1,0}"


def test_put_with_a_format(jnp):
    import jax

    array = jax.device_put(jnp.arange(15.0).reshape(3, 5), interop.to_jax_format(lc.Layout("f32[3,5]{0,1}")))
    assert str(interop.from_jax(array)) == "f32[3,5]{0,1}"


def test_a_size_in_bits_without_tiling_is_dropped_as_in_jax(jnp):
    from jax.experimental.layout import Layout

    for tiling, text in ((None, "s4[4,4]{1,0}"), ((), "s4[4,4]{1,0:E(4)}")):
        theirs = Layout((0, 1), tiling, 4)
        assert str(interop.from_jax(theirs, (4, 4), "int4")) == text
        assert str(theirs._to_xla_layout(dtype_of(jnp, "int4"))) == text[7:]


@pytest.mark.parametrize(
    "text, words",
    [
        ("f32[3,5]{1,0:S(1)}", "memory space"),
        ("f32[3,5]{1,0:L(64)}", "tail padding"),
        ("s4[4,4]{1,0:T(2,2)}", "packs"),
        ("(4,8):(8,1)", "XLA layout"),
        ("f32[<=3,5]{1,0}", "dynamic"),
    ],
)
def test_what_jax_cannot_express(jnp, text, words):
    with pytest.raises(lc.LayoutError, match=words) as error:
        interop.to_jax(lc.Layout(text))
    assert error.value.kind == "unsupported"


def test_what_is_no_layout(jnp):
    from jax.experimental.layout import Format, Layout

    with pytest.raises(lc.LayoutError, match="major_to_minor"):
        interop.from_jax(Format(Layout.AUTO), (3, 5), "float32")
    with pytest.raises(TypeError, match="shape and dtype"):
        interop.from_jax(Layout((0, 1)))
    with pytest.raises(lc.LayoutError):
        interop.from_jax(Layout((0, 1)), (3, 5, 7), "float32")
