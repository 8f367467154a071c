# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose layouts `scan --kind ttgir` is tested with. ../compile_layouts.py compiles them, and transpose of ../kernels.py."""
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, T, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    heads = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + heads[None, :])
    highest = tl.full((BM,), -1e30, tl.float32)
    weights = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, T, BN):
        tokens = start + tl.arange(0, BN)
        k = tl.load(k_ptr + tokens[None, :] * D + heads[:, None])
        scores = tl.where(tokens[None, :] < T, tl.dot(q, k), -1e30)
        next_highest = tl.maximum(highest, tl.max(scores, axis=1))
        p = tl.exp(scores - next_highest[:, None])
        shrink = tl.exp(highest - next_highest)
        weights = weights * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + tokens[:, None] * D + heads[None, :])
        total = tl.dot(p.to(tl.float16), v, total * shrink[:, None])
        highest = next_highest
    tl.store(out_ptr + rows[:, None] * D + heads[None, :], (total / weights[:, None]).to(tl.float16))


@gluon.jit
def scale_twice(in_ptr, wide_ptr, tall_ptr, N, BM: gl.constexpr, BN: gl.constexpr):
    """Each conversion is needless or larger than it has to be, but for one."""
    wide: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    tall: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    rows = gl.arange(0, BM, gl.SliceLayout(1, wide))
    columns = gl.arange(0, BN, gl.SliceLayout(0, wide))
    places = rows[:, None] * N + columns[None, :]
    x = gl.convert_layout(gl.load(in_ptr + places).to(gl.float32), tall) * 2.0
    back = gl.convert_layout(x, wide)
    again = gl.convert_layout(gl.convert_layout(back, tall), wide)
    gl.store(wide_ptr + places, again)
    gl.store(tall_ptr + gl.convert_layout(places, tall), x)


@gluon.jit
def scale_once(in_ptr, wide_ptr, tall_ptr, N, BM: gl.constexpr, BN: gl.constexpr):
    """The same with the one conversion that it needs."""
    wide: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    tall: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    rows = gl.arange(0, BM, gl.SliceLayout(1, wide))
    columns = gl.arange(0, BN, gl.SliceLayout(0, wide))
    places = rows[:, None] * N + columns[None, :]
    x = gl.load(in_ptr + places)
    gl.store(wide_ptr + places, x.to(gl.float32) * 2.0)
    tall_rows = gl.arange(0, BM, gl.SliceLayout(1, tall))
    tall_columns = gl.arange(0, BN, gl.SliceLayout(0, tall))
    y = gl.convert_layout(x, tall).to(gl.float32) * 2.0
    gl.store(tall_ptr + tall_rows[:, None] * N + tall_columns[None, :], y)


@gluon.jit
def transpose_in_shared(in_ptr, out_ptr, M, N, BM: gl.constexpr, BN: gl.constexpr):
    """The buffer has no swizzle, so that the load of columns conflicts."""
    wide: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    tall: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    rows = gl.arange(0, BM, gl.SliceLayout(1, wide))
    columns = gl.arange(0, BN, gl.SliceLayout(0, wide))
    tile = gl.allocate_shared_memory(gl.float32, [BM, BN], shared)
    tile.store(gl.load(in_ptr + rows[:, None] * N + columns[None, :]))
    out_rows = gl.arange(0, BM, gl.SliceLayout(1, tall))
    out_columns = gl.arange(0, BN, gl.SliceLayout(0, tall))
    gl.store(out_ptr + out_columns[None, :] * M + out_rows[:, None], tile.load(tall))
