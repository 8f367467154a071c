# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public bugs of Triton kernels in our own words, each beside the repaired one. README.md says where they were reported.

compile.py compiles them to the TTIR in public_bugs/.
"""
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n: "i64", BLOCK: tl.constexpr = 1024):
    """The size has 64 bits, but the first element of a block has 32."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 1.0, mask=offsets < n)


@triton.jit
def fill_wide(out_ptr, n: "i64", BLOCK: tl.constexpr = 1024):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 1.0, mask=offsets < n)


@triton.jit
def rows_of_256(in_ptr, out_ptr, M, BM: tl.constexpr = 16, COLUMNS: tl.constexpr = 256):
    """The first element of a row has 32 bits."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.arange(0, COLUMNS)
    mask = (rows[:, None] < M) & (columns[None, :] < COLUMNS)
    x = tl.load(in_ptr + rows[:, None] * COLUMNS + columns[None, :], mask=mask, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=1) / COLUMNS + 1e-6)
    tl.store(out_ptr + rows[:, None] * COLUMNS + columns[None, :], x * scale[:, None], mask=mask)


@triton.jit
def rows_of_256_wide(in_ptr, out_ptr, M, BM: tl.constexpr = 16, COLUMNS: tl.constexpr = 256):
    rows = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    columns = tl.arange(0, COLUMNS)
    mask = (rows[:, None] < M) & (columns[None, :] < COLUMNS)
    x = tl.load(in_ptr + rows[:, None] * COLUMNS + columns[None, :], mask=mask, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=1) / COLUMNS + 1e-6)
    tl.store(out_ptr + rows[:, None] * COLUMNS + columns[None, :], x * scale[:, None], mask=mask)


@triton.jit
def put_states(in_ptr, index_ptr: "*i32", states_ptr, stride, BLOCK: tl.constexpr = 1024, SIZE: tl.constexpr = 98304):
    """An index of 32 bits is multiplied by a stride of 32 bits."""
    n = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    state = tl.load(index_ptr + n)
    tl.store(states_ptr + state * stride + columns, tl.load(in_ptr + n * SIZE + columns))


@triton.jit
def put_states_wide(in_ptr, index_ptr: "*i32", states_ptr, stride, BLOCK: tl.constexpr = 1024,
                    SIZE: tl.constexpr = 98304):
    n = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    state = tl.load(index_ptr + n).to(tl.int64)
    tl.store(states_ptr + state * stride + columns, tl.load(in_ptr + n * SIZE + columns))


@triton.jit
def store_tokens(in_ptr: "*u8", place_ptr: "*i64", cache_ptr: "*u8", PAGE: tl.constexpr = 256,
                 PAGE_BYTES: tl.constexpr = 149760, BYTES: tl.constexpr = 576, BLOCK: tl.constexpr = 1024):
    """The place of a token is narrowed to 32 bits, and so is the first byte of its page."""
    token = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    place = tl.load(place_ptr + token).to(tl.int32)
    page = cache_ptr + place // PAGE * PAGE_BYTES
    x = tl.load(in_ptr + token * BYTES + lanes, mask=lanes < BYTES)
    tl.store(page + place % PAGE * BYTES + lanes, x, mask=lanes < BYTES)


@triton.jit
def store_tokens_wide(in_ptr: "*u8", place_ptr: "*i64", cache_ptr: "*u8", PAGE: tl.constexpr = 256,
                      PAGE_BYTES: tl.constexpr = 149760, BYTES: tl.constexpr = 576, BLOCK: tl.constexpr = 1024):
    token = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    place = tl.load(place_ptr + token)
    page = cache_ptr + place // PAGE * PAGE_BYTES
    x = tl.load(in_ptr + token * BYTES + lanes, mask=lanes < BYTES)
    tl.store(page + place % PAGE * BYTES + lanes, x, mask=lanes < BYTES)


@triton.jit
def padded_rows(in_ptr, place_ptr: "*i32", out_ptr, BLOCK: tl.constexpr = 1024, COLUMNS: tl.constexpr = 4096):
    """That a product is a multiple of the number of columns does not make it fit 32 bits."""
    row = tl.program_id(0)
    place = tl.load(place_ptr + row)
    source = in_ptr + row.to(tl.int64) * COLUMNS
    target = out_ptr + tl.multiple_of(place * COLUMNS, COLUMNS)
    for start in range(0, COLUMNS, BLOCK):
        columns = start + tl.max_contiguous(tl.arange(0, BLOCK), BLOCK)
        tl.store(target + columns, tl.load(source + columns))


@triton.jit
def padded_rows_wide(in_ptr, place_ptr: "*i32", out_ptr, BLOCK: tl.constexpr = 1024, COLUMNS: tl.constexpr = 4096):
    row = tl.program_id(0)
    place = tl.load(place_ptr + row).to(tl.int64)
    source = in_ptr + row.to(tl.int64) * COLUMNS
    target = out_ptr + tl.multiple_of(place * COLUMNS, COLUMNS)
    for start in range(0, COLUMNS, BLOCK):
        columns = start + tl.max_contiguous(tl.arange(0, BLOCK), BLOCK)
        tl.store(target + columns, tl.load(source + columns))


@triton.jit
def heads_of_sequences(in_ptr, out_ptr, T, H: tl.constexpr = 16, K: tl.constexpr = 128, BT: tl.constexpr = 16):
    """The first element of a sequence has 32 bits."""
    head, sequence = tl.program_id(1), tl.program_id(2)
    begin = (sequence * T * H + head) * K
    tokens = tl.program_id(0) * BT + tl.arange(0, BT)
    places = tokens[:, None].to(tl.int64) * (H * K) + tl.arange(0, K)[None, :]
    mask = (tokens < T)[:, None]
    tl.store(out_ptr + begin + places, tl.load(in_ptr + begin + places, mask=mask), mask=mask)


@triton.jit
def heads_of_sequences_wide(in_ptr, out_ptr, T, H: tl.constexpr = 16, K: tl.constexpr = 128, BT: tl.constexpr = 16):
    head, sequence = tl.program_id(1), tl.program_id(2)
    begin = (sequence.to(tl.int64) * T * H + head) * K
    tokens = tl.program_id(0) * BT + tl.arange(0, BT)
    places = tokens[:, None].to(tl.int64) * (H * K) + tl.arange(0, K)[None, :]
    mask = (tokens < T)[:, None]
    tl.store(out_ptr + begin + places, tl.load(in_ptr + begin + places, mask=mask), mask=mask)


@triton.jit
def chunk_of_tokens(in_ptr, out_ptr, stride, T, H: tl.constexpr = 128, BT: tl.constexpr = 128):
    """The first token of a chunk is multiplied by a stride in 32 bits."""
    chunk = tl.program_id(0)
    tokens = tl.arange(0, BT)
    heads = tl.arange(0, H)
    mask = (tokens < T - chunk * BT)[:, None]
    x = tl.load(in_ptr + chunk * BT * stride + tokens[:, None] * stride + heads[None, :], mask=mask)
    tl.store(out_ptr + (chunk.to(tl.int64) * BT + tokens)[:, None] * H + heads[None, :], x, mask=mask)


@triton.jit
def chunk_of_tokens_wide(in_ptr, out_ptr, stride, T, H: tl.constexpr = 128, BT: tl.constexpr = 128):
    chunk = tl.program_id(0).to(tl.int64)
    tokens = tl.arange(0, BT)
    heads = tl.arange(0, H)
    mask = (tokens < T - chunk * BT)[:, None]
    x = tl.load(in_ptr + chunk * BT * stride + tokens[:, None] * stride + heads[None, :], mask=mask)
    tl.store(out_ptr + (chunk * BT + tokens)[:, None] * H + heads[None, :], x, mask=mask)


@triton.jit
def tile_without_mask(in_ptr, out_ptr, M, N, BM: tl.constexpr = 64, BN: tl.constexpr = 32):
    """The mask is there, but the store does not take it. The loads start again at the first row and column."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    x = tl.load(in_ptr + (rows % M)[:, None].to(tl.int64) * N + (columns % N)[None, :])
    tl.store(out_ptr + rows[:, None].to(tl.int64) * N + columns[None, :], x)


@triton.jit
def tile_with_mask(in_ptr, out_ptr, M, N, BM: tl.constexpr = 64, BN: tl.constexpr = 32):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows < M)[:, None] & (columns < N)[None, :]
    x = tl.load(in_ptr + (rows % M)[:, None].to(tl.int64) * N + (columns % N)[None, :])
    tl.store(out_ptr + rows[:, None].to(tl.int64) * N + columns[None, :], x, mask=mask)


@triton.jit
def norm_mask_of_columns(in_ptr, out_ptr, M, N, BM: tl.constexpr = 32, BN: tl.constexpr = 128):
    """Blocks of 32 rows, whose number no mask tests."""
    rows = (tl.program_id(0) * BM + tl.arange(0, BM)).to(tl.int64)
    columns = tl.arange(0, BN)
    mask = columns[None, :] < N
    x = tl.load(in_ptr + rows[:, None] * N + columns[None, :], mask=mask, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=1) / N + 1e-6)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], x * scale[:, None], mask=mask)


@triton.jit
def norm_mask_of_both(in_ptr, out_ptr, M, N, BM: tl.constexpr = 32, BN: tl.constexpr = 128):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM)).to(tl.int64)
    columns = tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    x = tl.load(in_ptr + rows[:, None] * N + columns[None, :], mask=mask, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=1) / N + 1e-6)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], x * scale[:, None], mask=mask)


@triton.jit
def transpose_mask_other_way(in_ptr, out_ptr, M, N, BLOCK: tl.constexpr = 32):
    """The mask of the store has the rows of the input where the address has its columns."""
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(in_ptr + rows[:, None].to(tl.int64) * N + columns[None, :],
                mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(out_ptr + columns[:, None].to(tl.int64) * M + rows[None, :], tl.trans(x),
             mask=(rows[:, None] < N) & (columns[None, :] < M))


@triton.jit
def transpose_mask_same_way(in_ptr, out_ptr, M, N, BLOCK: tl.constexpr = 32):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(in_ptr + rows[:, None].to(tl.int64) * N + columns[None, :],
                mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(out_ptr + columns[:, None].to(tl.int64) * M + rows[None, :], tl.trans(x),
             mask=(columns[:, None] < N) & (rows[None, :] < M))


@triton.jit
def lengths(ends_ptr: "*i32", out_ptr: "*i32", n, BLOCK: tl.constexpr = 128):
    """A where chooses between values: the load of the place before the first one is done."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    begins = tl.where(offsets == 0, 0, tl.load(ends_ptr + offsets - 1, mask=mask, other=0))
    tl.store(out_ptr + offsets, tl.load(ends_ptr + offsets, mask=mask, other=0) - begins, mask=mask)


@triton.jit
def lengths_masked(ends_ptr: "*i32", out_ptr: "*i32", n, BLOCK: tl.constexpr = 128):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    begins = tl.load(ends_ptr + offsets - 1, mask=mask & (offsets > 0), other=0)
    tl.store(out_ptr + offsets, tl.load(ends_ptr + offsets, mask=mask, other=0) - begins, mask=mask)


@triton.jit
def slots(table_ptr: "*i32", out_ptr: "*i64", T, PAGES, PAGE: tl.constexpr = 16, BLOCK: tl.constexpr = 128):
    """The mask tests the token, but not whether the table has its page."""
    tokens = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = tokens < T
    pages = tl.load(table_ptr + tokens // PAGE, mask=mask, other=0).to(tl.int64)
    tl.store(out_ptr + tokens, pages * PAGE + tokens % PAGE, mask=mask)


@triton.jit
def slots_in_table(table_ptr: "*i32", out_ptr: "*i64", T, PAGES, PAGE: tl.constexpr = 16, BLOCK: tl.constexpr = 128):
    tokens = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = tokens < T
    in_table = tokens // PAGE < PAGES
    pages = tl.load(table_ptr + tokens // PAGE, mask=mask & in_table, other=0).to(tl.int64)
    tl.store(out_ptr + tokens, tl.where(in_table, pages * PAGE + tokens % PAGE, -1), mask=mask)


@triton.jit
def pages_of_view(cache_ptr, table_ptr: "*i32", out_ptr, stride, PAGES, D: tl.constexpr = 64):
    """The rows of the table are taken to be as long as the view of it."""
    request, i = tl.program_id(0).to(tl.int64), tl.program_id(1)
    d = tl.arange(0, D)
    page = tl.load(table_ptr + request * PAGES + i).to(tl.int64)
    tl.store(out_ptr + (request * PAGES + i) * D + d, tl.load(cache_ptr + page * D + d))


@triton.jit
def pages_of_table(cache_ptr, table_ptr: "*i32", out_ptr, stride, PAGES, D: tl.constexpr = 64):
    request, i = tl.program_id(0).to(tl.int64), tl.program_id(1)
    d = tl.arange(0, D)
    page = tl.load(table_ptr + request * stride + i).to(tl.int64)
    tl.store(out_ptr + (request * PAGES + i) * D + d, tl.load(cache_ptr + page * D + d))


@triton.jit
def part_of_sum(in_ptr, out_ptr, stride, N, BLOCK: tl.constexpr = 128):
    """A sum of one part has the stride 0."""
    tl.assume(stride > 0)
    part = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(in_ptr + part * N + columns, mask=columns < N)
    tl.store(out_ptr + part * stride + columns, x, mask=columns < N)


@triton.jit
def part_of_sum_or_all(in_ptr, out_ptr, stride, N, BLOCK: tl.constexpr = 128):
    tl.assume(stride >= 0)
    part = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(in_ptr + part * N + columns, mask=columns < N)
    tl.store(out_ptr + part * stride + columns, x, mask=columns < N)


@triton.jit
def every_program_all(in_ptr, out_ptr, N, BLOCK: tl.constexpr = 128):
    """Each program stores all columns, as none of them asks which one it is."""
    columns = tl.arange(0, BLOCK)
    tl.store(out_ptr + columns, tl.load(in_ptr + columns, mask=columns < N), mask=columns < N)
