# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts of JAX's shardings and of DTensor's placements, compared with what these systems give to each device."""

import itertools

import numpy as np
import pytest

import layoutcheck as lc
from layoutcheck import interop


@pytest.fixture
def jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    if len(jax.devices()) < 8:
        pytest.skip("JAX was started before conftest.py asked for 8 devices")
    return jax


def named(jax, sizes, names, *spec, order=None):
    devices = np.array(jax.devices())[range(int(np.prod(sizes))) if order is None else order]
    return jax.sharding.NamedSharding(jax.sharding.Mesh(devices.reshape(sizes), names), jax.sharding.PartitionSpec(*spec))


def slices_of(layout, device):
    return tuple(slice(*ranges[0]) for ranges in layout.ranges(device))


SPECS = [(), ("x",), ("y", "x"), (None, "x"), (("x", "y"),), (("y", "x"), None), (None, ("y", "x"))]


@pytest.mark.parametrize("spec", SPECS, ids=str)
@pytest.mark.parametrize("order", [None, [3, 1, 0, 2, 7, 6, 4, 5], [7, 6, 5, 4, 3, 2, 1, 0]])
def test_devices_hold_the_indices_that_jax_gives_them(jax, spec, order):
    sharding = named(jax, (2, 4), ("x", "y"), *spec, order=order)
    layout = lc.Layout(sharding, (8, 16), "float32")
    array = np.arange(128).reshape(8, 16)
    indices = sharding.devices_indices_map((8, 16))
    assert layout.devices == tuple(range(8))
    for device, expected in indices.items():
        assert np.array_equal(array[slices_of(layout, device.id)], array[expected])
    assert layout.local(0).shape == sharding.shard_shape((8, 16))


def test_the_notation_of_jax(jax):
    sharding = named(jax, (2, 4), ("x", "y"), ("y", "x"), None)
    assert str(lc.Layout(sharding, (8, 16), "bfloat16")) == 'bf16[8,16]{1,0} mesh[x=2,y=4] P(("y", "x"), None)'
    other = named(jax, (2, 2), ("x", "y"), "y", order=[4, 5, 6, 7])
    assert str(lc.Layout(other, (8,), "f32")) == "f32[8]{0} sharding={devices=[2,2]4,6,5,7 last_tile_dim_replicate}"
    words = named(jax, (8,), ("data axis",), "data axis")
    assert lc.Layout(words, (8,), "f32").ranges(3) == (((3, 4),),)


def test_arrays(jax):
    sharding = named(jax, (2, 4), ("x", "y"), "y", None)
    array = jax.device_put(jax.numpy.arange(96.0).reshape(8, 12), sharding)
    layout = lc.Layout(array)
    assert layout == interop.from_jax(array) == lc.Layout(sharding, array.shape, array.dtype)
    memories = {shard.device.id: np.asarray(shard.data) for shard in array.addressable_shards}
    assert np.array_equal(layout.unpack(memories), np.asarray(array))
    for device, memory in memories.items():
        assert np.array_equal(layout.pack(np.asarray(array), device=device), memory.reshape(-1))
    assert lc.Layout(jax.numpy.zeros((3, 5))) == lc.Layout("f32[3,5]{1,0}")
    assert lc.Layout(jax.ShapeDtypeStruct((8, 12), np.float32, sharding=sharding)) == layout


def test_a_format_has_the_layout_of_each_device(jax):
    from jax.experimental.layout import Format, Layout

    sharding = named(jax, (2,), ("x",), "x")
    layout = lc.Layout(Format(Layout((1, 0), ((2, 2),)), sharding), (6, 4), "float32")
    assert str(layout) == 'f32[6,4]{0,1:T(2,2)} mesh[x=2] P("x")'


def test_a_mesh_without_devices(jax):
    mesh = jax.sharding.AbstractMesh((2, 4), ("x", "y"))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    assert str(lc.Layout(sharding, (5,), "int8")) == 's8[5]{0} mesh[x=2,y=4] P("x")'
    odd = jax.sharding.AbstractMesh((4,), ("an axis",))
    with pytest.raises(lc.LayoutError, match="names of axes such as x"):
        lc.Layout(jax.sharding.NamedSharding(odd, jax.sharding.PartitionSpec()), (5,), "int8")


def test_what_jax_does_not_place(jax):
    spec = jax.sharding.PartitionSpec
    with pytest.raises(lc.LayoutError, match="unconstrained"):
        lc.Layout(named(jax, (8,), ("x",), spec.UNCONSTRAINED), (8,), "f32")
    with pytest.raises(lc.LayoutError, match="2 entries, and the array has 1 dimensions"):
        lc.Layout(named(jax, (8,), ("x",), None, "x"), (8,), "f32")
    with pytest.raises(TypeError, match="shape and dtype"):
        lc.Layout(named(jax, (8,), ("x",), "x"))
    kinds = jax.sharding.AxisType
    explicit = jax.sharding.AbstractMesh((2,), ("x",), axis_types=(kinds.Explicit,))
    with pytest.raises(lc.LayoutError, match="summands"):
        lc.Layout(jax.sharding.NamedSharding(explicit, spec(None, unreduced={"x"})), (8,), "f32")
    manual = jax.sharding.AbstractMesh((2,), ("x",), axis_types=(kinds.Manual,))
    with pytest.raises(lc.LayoutError, match="manual"):
        lc.Layout(jax.sharding.NamedSharding(manual, spec()), (8,), "f32")


@pytest.fixture
def dtensor():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    return pytest.importorskip("torch.distributed.tensor", reason="PyTorch was built without DTensor")


def cut(array, mesh, placements):
    """Returns the arrays of all ranks, cut as distribute_tensor cuts them."""
    if not mesh:
        return [array]
    if placements[0].is_replicate():
        pieces = [array] * mesh[0]
    else:
        pieces, _ = placements[0]._split_tensor(array, mesh[0], with_padding=False, contiguous=True)
    return [rank for piece in pieces for rank in cut(piece, mesh[1:], placements[1:])]


@pytest.mark.parametrize("shape", [(8, 12), (5, 7), (3, 1)])
def test_ranks_hold_what_dtensor_cuts(dtensor, shape):
    import torch
    from torch.distributed.tensor.placement_types import _StridedShard

    array = torch.arange(shape[0] * shape[1]).reshape(shape)
    kinds = [dtensor.Replicate(), dtensor.Shard(0), dtensor.Shard(1), _StridedShard(0, split_factor=3)]
    for placements in itertools.product(kinds, repeat=2):
        layout = interop.from_dtensor_placements((2, 3), placements, shape, torch.int64)
        for device, expected in enumerate(cut(array, [2, 3], placements)):
            memory = layout.pack(array.numpy(), device=device)
            assert layout.local(device).shape == tuple(expected.shape), layout
            assert memory.tolist() == expected.flatten().tolist(), layout


def test_what_is_no_placement_of_elements(dtensor):
    with pytest.raises(lc.LayoutError, match="summands"):
        interop.from_dtensor_placements((2,), [dtensor.Partial()], (4,), "f32")
    with pytest.raises(lc.LayoutError, match="expected a placement Shard, _StridedShard or Replicate, got 'S"):
        interop.from_dtensor_placements((2,), ["S(0)"], (4,), "f32")
    with pytest.raises(lc.LayoutError, match="mesh"):
        interop.from_dtensor_placements((-2,), [dtensor.Shard(0)], (4,), "f32")
    with pytest.raises(lc.LayoutError, match="expected one placement per axis of the mesh, which has 2, found 1"):
        interop.from_dtensor_placements((2, 2), [dtensor.Shard(0)], (4,), "f32")
    with pytest.raises(lc.LayoutError, match="a dimension of the array, which has 1, found 3"):
        interop.from_dtensor_placements((2,), [dtensor.Shard(3)], (4,), "f32")


@pytest.fixture
def ranks(dtensor):
    import torch.distributed
    from torch.testing._internal.distributed.fake_pg import FakeStore

    torch.distributed.init_process_group("fake", store=FakeStore(), rank=5, world_size=8)
    yield torch.distributed
    torch.distributed.destroy_process_group()


def test_a_dtensor(ranks, dtensor):
    import torch

    mesh = ranks.init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))
    tensor = torch.arange(30, dtype=torch.bfloat16).reshape(5, 6)
    distributed = dtensor.distribute_tensor(tensor, mesh, [dtensor.Shard(0), dtensor.Shard(1)], src_data_rank=None)
    layout = lc.Layout(distributed)
    assert str(layout) == "bf16[5,6]{1,0} mesh[dp=2,tp=4] S(0),S(1)"
    assert lc.Layout(distributed._spec) == lc.Layout(distributed._spec, (5, 6), "bf16") == layout
    with pytest.raises(TypeError, match="expected shape and dtype"):
        lc.Layout(distributed, (5, 6))
    assert layout.local(5).shape == tuple(distributed.to_local().shape)
    local = distributed.to_local().contiguous().view(torch.uint16).numpy()
    assert np.array_equal(layout.pack(tensor, device=5).view(np.uint16), local.reshape(-1))
    assert str(lc.Layout(distributed.t())) == "bf16[6,5]{0,1} mesh[dp=2,tp=4] S(1),S(0)"


def test_ranks_that_do_not_begin_at_0(ranks, dtensor):
    import torch

    mesh = ranks.init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp", "tp"))["tp"]
    assert mesh.mesh.tolist() == [4, 5, 6, 7]
    layout = lc.Layout(dtensor.distribute_tensor(torch.zeros(8, 3), mesh, [dtensor.Shard(0)], src_data_rank=None))
    assert str(layout) == "f32[8,3]{1,0} sharding={devices=[4,1]4,5,6,7}"
    uneven = dtensor.distribute_tensor(torch.zeros(7), mesh, [dtensor.Shard(0)], src_data_rank=None)
    with pytest.raises(lc.LayoutError, match=r"the ranks of the mesh are \[4, 5, 6, 7\]"):
        lc.Layout(uneven)
