# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels as people write them, in twins: a right one and one with a bug that small tests do not show.

compile.py compiles them to the TTIR beside this file.
"""
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def add_unmasked_load(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def transpose(in_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tile = tl.load(in_ptr + rows[:, None] * N + columns[None, :], mask=mask)
    tl.store(out_ptr + columns[:, None] * M + rows[None, :], tl.trans(tile), mask=tl.trans(mask))


@triton.jit
def transpose_mask_of_rows(in_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """The mask forgets the columns."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tile = tl.load(in_ptr + rows[:, None] * N + columns[None, :], mask=mask)
    tl.store(out_ptr + columns[:, None] * M + rows[None, :], tl.trans(tile), mask=rows[None, :] < M)


@triton.jit
def transpose_wrong_way(in_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """The tile is stored as it was loaded."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tile = tl.load(in_ptr + rows[:, None] * N + columns[None, :], mask=mask)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], tile, mask=mask)


@triton.jit
def copy_rows(in_ptr, out_ptr, stride, N, BLOCK: tl.constexpr):
    """The product of row and stride has 32 bits."""
    row = tl.program_id(0)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + row * stride + columns, tl.load(in_ptr + row * stride + columns, mask=columns < N),
             mask=columns < N)


@triton.jit
def copy_rows_wide(in_ptr, out_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + row * stride + columns, tl.load(in_ptr + row * stride + columns, mask=columns < N),
             mask=columns < N)


@triton.jit
def softmax(in_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    x = tl.load(in_ptr + row * N + columns, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * N + columns, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def softmax_next_row(in_ptr, out_ptr, N, BLOCK: tl.constexpr):
    """Stores to the whole block, also where it is longer than a row: two programs store to one place."""
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    x = tl.load(in_ptr + row * N + columns, mask=columns < N, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * N + columns, e / tl.sum(e, axis=0), mask=columns <= N)


@triton.jit
def row_sums(in_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    sums = tl.zeros((BM,), dtype=tl.float32)
    for start in range(0, N, BN):
        columns = start + tl.arange(0, BN)
        mask = (rows[:, None] < M) & (columns[None, :] < N)
        x = tl.load(in_ptr + rows[:, None].to(tl.int64) * N + columns[None, :], mask=mask, other=0.0)
        sums += tl.sum(x, axis=1)
    tl.store(out_ptr + rows, sums, mask=rows < M)


@triton.jit
def row_sums_one_block_more(in_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """The last block is loaded without a test of its columns."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    sums = tl.zeros((BM,), dtype=tl.float32)
    for start in range(0, N, BN):
        columns = start + tl.arange(0, BN)
        x = tl.load(in_ptr + rows[:, None].to(tl.int64) * N + columns[None, :], mask=rows[:, None] < M, other=0.0)
        sums += tl.sum(x, axis=1)
    tl.store(out_ptr + rows, sums, mask=rows < M)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM)).to(tl.int64)
    columns = (tl.program_id(1) * BN + tl.arange(0, BN)).to(tl.int64)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        inner = (start + tl.arange(0, BK)).to(tl.int64)
        a = tl.load(a_ptr + rows[:, None] * K + inner[None, :],
                    mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * N + columns[None, :],
                    mask=(inner[:, None] < K) & (columns[None, :] < N), other=0.0)
        total = tl.dot(a, b, total)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], total.to(tl.float16),
             mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def matmul_pointers(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The pointers move with the blocks of K, as in most products."""
    rows = (tl.program_id(0) * BM + tl.arange(0, BM)).to(tl.int64)
    columns = (tl.program_id(1) * BN + tl.arange(0, BN)).to(tl.int64)
    inner = tl.arange(0, BK).to(tl.int64)
    a_block = a_ptr + rows[:, None] * K + inner[None, :]
    b_block = b_ptr + inner[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        a = tl.load(a_block, mask=(rows[:, None] < M) & (inner[None, :] < K - start), other=0.0)
        b = tl.load(b_block, mask=(inner[:, None] < K - start) & (columns[None, :] < N), other=0.0)
        total = tl.dot(a, b, total)
        a_block += BK
        b_block += BK * N
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], total.to(tl.float16),
             mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def gather_rows(table_ptr, index_ptr, out_ptr, D, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    index = tl.load(index_ptr + row).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < D
    tl.store(out_ptr + row * D + columns, tl.load(table_ptr + index * D + columns, mask=mask), mask=mask)


@triton.jit
def read_pages(cache_ptr, table_ptr, out_ptr, T, H, PAGE: tl.constexpr, BT: tl.constexpr, BH: tl.constexpr):
    tokens = tl.program_id(0) * BT + tl.arange(0, BT)
    heads = tl.arange(0, BH)
    mask = (tokens[:, None] < T) & (heads[None, :] < H)
    pages = tl.load(table_ptr + tokens // PAGE, mask=tokens < T, other=0).to(tl.int64)
    places = pages[:, None] * (PAGE * H) + (tokens % PAGE)[:, None] * H + heads[None, :]
    x = tl.load(cache_ptr + places, mask=mask)
    tl.store(out_ptr + tokens[:, None].to(tl.int64) * H + heads[None, :], x, mask=mask)


@triton.jit
def scale_early_return(in_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * BLOCK
    if start >= n:
        return
    offsets = start + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 2 * tl.load(in_ptr + offsets, mask=offsets < n), mask=offsets < n)


@triton.jit
def total(in_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(in_ptr + offsets, mask=offsets < n, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(x, axis=0))


@triton.jit
def interleave(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + offsets, mask=offsets < n)
    b = tl.load(b_ptr + offsets, mask=offsets < n)
    both = tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    tl.store(out_ptr + both, tl.interleave(a, b), mask=both < 2 * n)


@triton.jit
def shift_in_place(x_ptr, n, BLOCK: tl.constexpr):
    """Each program stores to places that the next one loads."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets + 1, x, mask=offsets + 1 < n)


@triton.jit
def assumed_stride(in_ptr, out_ptr, stride, N, BLOCK: tl.constexpr):
    tl.assume(stride > 0)
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    tl.store(out_ptr + row * stride + columns, tl.load(in_ptr + row * stride + columns, mask=mask), mask=mask)


@triton.jit
def gated_rows(k_ptr, v_ptr, gate_ptr, bias_ptr, out_ptr, T, D, BT: tl.constexpr, BH: tl.constexpr):
    """Masks that several loads of a loop share, and a choice between two numbers."""
    head = tl.program_id(1).to(tl.int64)
    columns = tl.program_id(0) * BH + tl.arange(0, BH)
    total = tl.load(bias_ptr + head * D + columns, mask=columns < D, other=0.0)[None, :]
    for start in range(0, T, BT):
        rows = start + tl.arange(0, BT)
        is_row = rows < T
        mask = is_row[:, None] & (columns[None, :] < D)
        places = (head * T + rows[:, None]) * D + columns[None, :]
        gate = tl.load(gate_ptr + head * T + rows, mask=is_row, other=0.0)
        gate += tl.load(gate_ptr + head * T + rows - BT, mask=is_row & (rows >= BT), other=0.0)
        gate += tl.load(gate_ptr + head * T + rows + BT, mask=rows + BT < T, other=0.0)
        gate += tl.load(gate_ptr + head * T + rows + 2 * BT, mask=rows + 2 * BT < T, other=0.0)
        x = tl.load(k_ptr + places, mask=mask, other=0.0) * tl.load(v_ptr + places, mask=mask, other=0.0)
        total += tl.sum(tl.where(rows[:, None] >= columns[None, :], x, 0.0) * gate[:, None], axis=0)[None, :]
        tl.store(out_ptr + places, tl.where(mask, total * x, 0.0), mask=mask & (rows[:, None] >= columns[None, :]))


@triton.jit
def gated_rows_next_gate(k_ptr, v_ptr, gate_ptr, bias_ptr, out_ptr, T, D, BT: tl.constexpr, BH: tl.constexpr):
    """Each row takes the gate of the next one, and the last one that of the next head."""
    head = tl.program_id(1).to(tl.int64)
    columns = tl.program_id(0) * BH + tl.arange(0, BH)
    total = tl.load(bias_ptr + head * D + columns, mask=columns < D, other=0.0)[None, :]
    for start in range(0, T, BT):
        rows = start + tl.arange(0, BT)
        is_row = rows < T
        mask = is_row[:, None] & (columns[None, :] < D)
        places = (head * T + rows[:, None]) * D + columns[None, :]
        gate = tl.load(gate_ptr + head * T + rows + 1, mask=is_row, other=0.0)
        gate += tl.load(gate_ptr + head * T + rows - BT, mask=is_row & (rows >= BT), other=0.0)
        gate += tl.load(gate_ptr + head * T + rows + BT, mask=rows + BT < T, other=0.0)
        gate += tl.load(gate_ptr + head * T + rows + 2 * BT, mask=rows + 2 * BT < T, other=0.0)
        x = tl.load(k_ptr + places, mask=mask, other=0.0) * tl.load(v_ptr + places, mask=mask, other=0.0)
        total += tl.sum(tl.where(rows[:, None] >= columns[None, :], x, 0.0) * gate[:, None], axis=0)[None, :]
        tl.store(out_ptr + places, tl.where(mask, total * x, 0.0), mask=mask & (rows[:, None] >= columns[None, :]))


@triton.jit
def scale_padded(x_ptr, y_ptr, stride, N, D: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of D elements in memory whose rows have `stride` elements."""
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < N
    places = offsets // D * stride + offsets % D
    tl.store(y_ptr + places, 2 * tl.load(x_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def add_states(x_ptr, state_ptr, out_ptr, T, D: tl.constexpr, BT: tl.constexpr):
    """Two products of 32 bits: one wraps for long sequences, the other for many heads, however short they are."""
    head = tl.program_id(1)
    rows = tl.program_id(0) * BT + tl.arange(0, BT)
    mask = rows < T
    x = tl.load(x_ptr + head * T * D + rows, mask=mask)
    state = tl.load(state_ptr + head * 262144 + tl.arange(0, BT))
    tl.store(out_ptr + head.to(tl.int64) * T + rows, x + state, mask=mask)


@triton.jit
def scale_heads(x_ptr, out_ptr, T, H: tl.constexpr, D: tl.constexpr, BT: tl.constexpr):
    """A program per head of each sequence, in arrays of shape [sequences, T, H, D]."""
    sequence = (tl.program_id(1) // H).to(tl.int64)
    head = tl.program_id(1) % H
    rows = tl.program_id(0) * BT + tl.arange(0, BT)
    places = ((sequence * T + rows[:, None]) * H + head) * D + tl.arange(0, D)[None, :]
    mask = rows[:, None] < T
    tl.store(out_ptr + places, 2 * tl.load(x_ptr + places, mask=mask), mask=mask)
