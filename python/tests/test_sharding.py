# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts with a sharding: places, memories of devices, and the same known answers as docs/sharding.md."""

import pickle

import numpy as np
import pytest

import layoutcheck as lc

TILED = "f32[5,6]{1,0:T(2,2)} sharding={devices=[2,1,3]<=[6] last_tile_dim_replicate}"
# Replicas, uneven and empty parts, tiles that pad, packed elements, strided shards, lists of devices, no dimension, and
# layouts of their own on each device.
TEXTS = [
    TILED,
    "f32[9]{0} sharding={devices=[4]<=[4]}",
    "f32[9]{0} mesh[2,2] S(0),S(0)",
    "f32[8,6]{0,1} mesh[2,4] _StridedShard(0,sf=4),S(0)",
    "s4[5,3]{1,0:E(4)} mesh[x=2] P(\"x\")",
    "bf16[3,5,7]{2,0,1} #sdy.sharding<mesh<[\"x\"=2, \"y\"=4]>, [{\"y\":(1)2}, {\"x\"}, {}]>",
    "f32[4]{0} sharding={devices=[4]7,1,2,0}",
    "f32[0,3]{1,0} mesh[2] S(1)",
    "f32[] mesh[2] R",
    "f32[5,6] mesh[2] S(0) local=(3,6):(8,1)",
    "f32[8,6] sharding={devices=[2,1]<=[2]} local=Sw<1,0,3> o 0 o (4,(2,4)):(8,(1,2))",
]


def test_places_are_those_of_the_command():
    layout = lc.Layout(TILED)
    assert layout.place((4, 3)) == lc.Place(devices=(3, 4, 5), offset=7)
    assert layout.coordinate(7, device=4) == (4, 3)
    assert layout.coordinate(14, 4) is None
    assert layout.sharding == "sharding={devices=[2,1,3]<=[6] last_tile_dim_replicate}"
    assert layout.devices == (0, 1, 2, 3, 4, 5)
    assert str(layout.local(4)) == "f32[3,6]{1,0:T(2,2)}"
    assert layout.ranges(4) == (((3, 5),), ((0, 6),))


def test_a_layout_of_one_memory_has_no_sharding():
    layout = lc.Layout("f32[8]{0}")
    assert layout.sharding is None and layout.devices == ()


def values_of(layout):
    count = int(np.prod(layout.shape))
    return np.arange(count).reshape(layout.shape).astype(layout.dtype)


@pytest.mark.parametrize("text", TEXTS)
def test_the_memories_together_are_the_array(text):
    layout = lc.Layout(text)
    array = values_of(layout)
    memories = {device: layout.pack(array, device=device) for device in layout.devices}
    assert np.array_equal(layout.unpack(memories), array)
    assert np.array_equal(layout.unpack(list(memories.values())), array)
    assert pickle.loads(pickle.dumps(layout)) == layout


@pytest.mark.parametrize("text", [text for text in TEXTS if not text.startswith("s4")])
def test_each_element_is_at_its_place(text):
    layout = lc.Layout(text)
    array = values_of(layout)
    memories = {device: layout.pack(array, device=device, padding=1) for device in layout.devices}
    for index in np.ndindex(layout.shape):
        place = layout.place(index)
        for device in place.devices:
            assert memories[device][place.offset] == array[index]
            assert layout.coordinate(place.offset, device) == index


def test_the_part_of_a_device():
    layout = lc.Layout("f32[16]{0} mesh[dp=2,tp=4] _StridedShard(0,sf=4),S(0)")
    array = values_of(layout)
    assert layout.ranges(4) == (((2, 4),),)
    assert layout.unpack(layout.pack(array, device=4), device=4).tolist() == [2.0, 3.0]
    strided = lc.Layout("f32[8] mesh[2] _StridedShard(0,sf=2)")
    assert strided.ranges(1) == (((2, 4), (6, 8)),)
    assert strided.pack(values_of(strided), device=1).tolist() == [2.0, 3.0, 6.0, 7.0]


def test_memory_is_shared_where_it_can_be():
    even = lc.Layout("f32[4,2]{1,0} mesh[2] S(0)")
    array = values_of(even)
    assert np.shares_memory(even.pack(array, device=1, copy=False), array)
    uneven = lc.Layout("f32[3]{0} mesh[x=2] P('x')")
    with pytest.raises(lc.LayoutError, match="cannot be shared"):
        uneven.pack(values_of(uneven), device=1, copy=False)


def test_replicas_that_differ_are_an_error():
    layout = lc.Layout("f32[2,2]{1,0} mesh[2] R")
    array = np.array([[1, np.nan], [3, 4]], np.float32)
    memories = [layout.pack(array, device=device, copy=True) for device in layout.devices]
    assert np.array_equal(layout.unpack(memories), array, equal_nan=True)
    memories[1][2] = 5
    with pytest.raises(lc.LayoutError, match=r"element \(1, 0\) is another one on device 1 than on device 0"):
        layout.unpack(memories)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda layout: layout.unpack({0: np.zeros(24, np.float32)}), r"a device that holds element \(3, 0\)"),
        (lambda layout: layout.unpack([1]), "or 6 memories, got 1"),
        (lambda layout: layout.unpack({9: b""}), "6 devices 0 to 5 of the sharding, got 9"),
        (lambda layout: layout.coordinate(7), "6 devices 0 to 5 of the sharding"),
        (lambda layout: layout.coordinate(24, 3), "offset 24 is outside the array of device 3: expected 0 to 23"),
        (lambda layout: layout.pack(np.zeros((5, 6), np.float32)), "6 devices 0 to 5"),
        (lambda layout: layout.place((5, 0)), "index 5 is outside dimension 0"),
        (lambda layout: layout.offset((1, 1)), r"expected a layout of one memory, such as that of local\(device\)"),
        (lambda layout: layout.sizes, "expected a layout of one memory"),
        (lambda layout: layout.offset_table(), "expected a layout of one memory"),
        (lambda layout: layout.compare(layout), "expected a layout of one memory"),
        (lambda layout: layout.coalesce(), "expected a layout of one memory"),
        (lambda layout: layout.convert("hlo"), "expected one of hlo-sharding, shardy, jax, dtensor, tt-metal"),
        (lambda layout: lc.Layout("f32[8]").place((1,)), "expected an array with a sharding"),
        (lambda layout: lc.Layout("f32[8]").coordinate(1, device=0), "the layout has no sharding"),
        (lambda layout: lc.Layout("f32[8]").pack(np.zeros(8, np.float32), device=0), "the layout has no sharding"),
        (lambda layout: lc.Layout("f32[8] mesh[2,4] S(0)"), "column 18: expected one placement per axis"),
    ],
)
def test_errors(call, words):
    with pytest.raises(lc.LayoutError, match=words):
        call(lc.Layout(TILED))


def test_other_notations():
    layout = lc.Layout('f32[8,16]{1,0} mesh[dp=2,tp=4] P("tp", "dp")')
    assert str(layout.convert("hlo-sharding")) == "f32[8,16]{1,0} sharding={devices=[4,2]<=[2,4]T(1,0)}"
    assert str(layout.convert("dtensor")) == "f32[8,16]{1,0} mesh[dp=2,tp=4] S(1),S(0)"
    with pytest.raises(lc.LayoutError, match="holds"):
        lc.Layout("f32[9] mesh[2,2] S(0),S(0)").convert("jax")


def test_a_notebook_shows_the_text():
    layout = lc.Layout(TILED)
    assert layout._repr_svg_() is None
    assert "devices=[2,1,3]&lt;=[6]" in layout._repr_html_()


def test_what_is_no_layout():
    with pytest.raises(TypeError, match="an array or a sharding of JAX, or a DTensor, got int"):
        lc.Layout(3)
    with pytest.raises(TypeError, match="own shape"):
        lc.Layout("f32[8]", (8,), "f32")


def test_only_layouts_of_one_memory_are_drawn():
    drawn = {"family": None, "cases": 1, "seed": 1, "max_elements": 8, "max_rank": 2, "huge": False}
    with pytest.raises(lc.LayoutError, match="expected a layout of one memory"):
        lc._core.draw_layouts([TILED], **drawn)
